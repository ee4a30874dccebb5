//! The one way text changes: an [`Edit`] is planned, checked as a whole on its result, and
//! committed.
//!
//! ```text
//! request ──plan──▶ Edit ──draft──▶ Draft ──guard──▶ commit ──▶ new document + Receipt + inverse
//! ```

mod authority;
mod builder;
mod carry;
mod commit;
mod comparison;
pub(crate) mod compose;
mod counts;
mod draft;
mod error;
pub(crate) mod guard;
mod line_map;
mod of_texts;
mod offset_map;
pub(crate) mod owners;
mod part;
mod preview;
mod receipt;
mod splice;
mod written;

pub use authority::Authority;
pub use builder::EditBuilder;
pub(crate) use builder::PartEdit;
pub(crate) use carry::{Conflict, carried, carried_along, merged_texts};
pub use commit::Commit;
pub use comparison::Comparison;
pub use compose::ItemFlaw;
pub use counts::BulletCounts;
pub use draft::Draft;
pub use error::{EditError, Flaw, Node, ReservedBreach};
pub(crate) use of_texts::made;
pub(crate) use offset_map::OffsetMap;
pub use part::{Followed, Part, PartStatus, Warning};
pub(crate) use preview::{FirstLines, LineChange, first_lines, line_changes};
pub use preview::{Preview, PreviewFormat};
pub use receipt::{BeforeAfter, Receipt};
pub(crate) use splice::Whose;
pub use splice::{Edit, Overlap, Promise, Splice};
pub use written::{Written, WrittenLine};
