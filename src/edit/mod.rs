//! The only way in which text changes: an [`Edit`] is planned, its result is checked as a whole, and it is committed.
//!
//! ```text
//! request ──plan──▶ Edit ──draft──▶ Draft ──guard──▶ commit ──▶ new document + Receipt + inverse
//! ```

mod carry;
mod commit;
pub(crate) mod compose;
mod error;
pub(crate) mod guard;
mod line_map;
mod owned_lines;
pub(crate) mod owners;
mod preview;
mod receipt;
mod splice;
mod written;

pub(crate) use carry::{Conflict, Since, carried, merged_texts};
pub use commit::{Authority, Commit, Draft};
pub use compose::ItemFlaw;
pub use error::{EditError, Flaw};
pub(crate) use line_map::{LineMap, OffsetMap, line_after};

pub use preview::{Comparison, Preview, PreviewFormat};
pub(crate) use preview::{first_lines, line_changes};
pub use receipt::{BeforeAfter, BulletCounts, Receipt};
pub use splice::{Edit, EditBuilder, Overlap, Part, PartStatus, Promise, Splice, Warning};
pub(crate) use splice::{Whose, named_lines};
pub use written::{MovedSection, Written, WrittenLine};
