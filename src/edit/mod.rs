//! The one way text changes: an [`Edit`] is planned, checked as a whole on its result, and committed.
//!
//! ```text
//! request ──plan──▶ Edit ──draft──▶ Draft ──guard──▶ commit ──▶ new document + Receipt + inverse
//! ```

mod algebra;
mod authority;
mod builder;
mod carry;
mod commit;
mod comparison;
pub(crate) mod compose;
mod counts;
mod displaced;
mod draft;
mod error;
mod fitted;
pub(crate) mod guard;
mod line_map;
pub(crate) mod owners;
mod part;
mod preview;
mod receipt;
mod same_lines;
mod series;
mod splice;
mod written;

pub use authority::Authority;
pub use builder::EditBuilder;
pub(crate) use builder::PartEdit;
pub(crate) use carry::Carry;
pub use commit::Commit;
pub use comparison::Comparison;
pub use compose::ItemFlaw;
pub use counts::BulletCounts;
pub(crate) use displaced::{Displaced, Namesakes, Naming, Owners, Reach, displaced};
pub use draft::Draft;
pub use error::{EditError, Flaw, Node, ReservedBreach};
pub use part::{Followed, NotLogged, Part, PartStatus, Warning};
pub(crate) use preview::{FirstLines, LineChange, first_lines, line_changes};
pub use preview::{Preview, PreviewFormat};
pub use receipt::{BeforeAfter, Receipt};
pub(crate) use same_lines::SameLines;
pub(crate) use series::{Clash, carried_over, composed, made, made_by, passed};
pub(crate) use splice::Whose;
pub use splice::{Edit, Overlap, Promise, Splice};
pub use written::{Written, WrittenLine};
