//! How text is written into a document: endings, markers, separators. Requests locate, then
//! compose.

mod bullets;
mod item;
mod lines;
mod list;
mod merge;
mod own_text;
mod prefix;
mod section;
mod slot;
mod spot;
mod tags;

pub use item::ItemFlaw;

pub(crate) use bullets::BulletChanges;
pub(crate) use item::{BulletPlace, Item};
pub(crate) use lines::{before_trailing_blanks, last_ending_before, replacing_lines, rewrite_lines};
pub(crate) use list::{Lists, Numbers, are_siblings, uncounted_lines};
pub(crate) use merge::{Merge, loose_bullets};
pub(crate) use section::{
    Written, arrange_sections, body_lines, extent_without_blanks, rename_section, too_deep, with_headings_deeper,
};
pub(crate) use slot::{NewBlock, NewSlot, add_blocks, remove_slot, set_slot};
pub(crate) use spot::{Spot, append_point, check_open_fence, competing_labels};
pub(crate) use tags::{Mark, Tags};
