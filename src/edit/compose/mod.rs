//! How text is written into a document: line endings, markers, indentation, blank lines. A request first locates a
//! place, then composes the text for it here.

mod bullets;
mod item;
mod list;
mod merge;
mod own_text;
mod section;
mod spot;
mod tags;

pub use item::ItemFlaw;

pub(crate) use bullets::BulletChanges;
pub(crate) use item::{BulletPlace, Item, Prefix, prefix_of, without_blank_ends};
pub(crate) use list::{Lists, Numbers, are_siblings, owner, with_numbering};
pub(crate) use merge::{Merge, loose_bullets};
pub(crate) use section::{
    NewBlock, NewSection, NewSlot, add_blocks, arrange_sections, extent_without_blanks, remove_slot, rename_section,
    set_slot, too_deep, with_headings_deeper,
};
pub(crate) use spot::{
    Spot, append_point, before_trailing_blanks, check_open_fence, competing_labels, indexed_except, last_ending_before,
    replacing_lines, rewrite_lines,
};
pub(crate) use tags::{Mark, Tags, updated_tags};
