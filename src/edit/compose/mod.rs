//! How text is written into a document: endings, markers, separators. Requests locate, then compose.

mod block;
mod bullets;
mod content;
mod ending;
mod item;
mod lines;
mod list;
mod marker;
mod marks;
mod merge;
mod numbering;
mod prefix;
mod reading;
mod renumber;
mod rework;
mod rewrite;
mod section;
mod section_level;
mod section_order;
mod sequence;
mod slot;
mod spot;
mod stretch;
mod tags;

pub use item::ItemFlaw;

pub(crate) use block::{NewBlock, add_blocks};
pub(crate) use bullets::BulletChanges;
pub(crate) use ending::{endings, last_ending_before};
pub(crate) use item::{BulletPlace, Item};
pub(crate) use lines::{before_trailing_blanks, replacing_lines};
pub(crate) use list::{Prefixes, append_point, are_siblings, bullets_at};
pub(crate) use marker::adopt_marker;
pub(crate) use marks::Mark;
pub(crate) use merge::{Merge, Merged, TakenIn, loose_bullets};
pub(crate) use numbering::Numbered;
pub(crate) use renumber::{Lists, behind};
pub(crate) use rewrite::rewrite_lines;
pub(crate) use section::{Written, body_lines, delete_sections, extent_without_blanks, rename_section, write_sections};
pub(crate) use section_level::{too_deep, with_headings_deeper};
pub(crate) use section_order::{Moved, SectionMove};
pub(crate) use sequence::{out_of_sequence, touches_numbers};
pub(crate) use slot::{NewSlot, remove_slot, set_slot};
pub(crate) use spot::Spot;
pub(crate) use stretch::Stretches;
pub(crate) use tags::{folded_tag, names_of};
