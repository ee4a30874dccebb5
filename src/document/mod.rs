//! The memory document: its text, its structure, and the rules under which it is edited.
//!
//! [`MemoryDoc`] is an immutable value. The parser copies no text: every node of the structure is a byte span. A
//! handle, [`NodeRef`], joins a node with its document.

mod content;
mod doc;
mod front_matter;
mod key;
mod lifetime;
mod naming;
mod node;
mod outline;
mod parse;
mod policy;
mod render;
mod reserved;
mod rules;
mod syntax;
mod text_hash;
mod update;

pub use doc::{Excess, MemoryDoc, Unit};
pub use key::Key;
pub use lifetime::{Expiry, Ttl};
pub(crate) use node::Kind;
pub use node::{BlockRef, BulletRef, LabelRef, NodeRef, SectionRef};
pub use outline::{Block, Bullet, Fence, Label, Outline, Section, Slot};
pub use policy::{AutoCompact, ContextGuard, Healing, InvalidSetting, OnStale, Pins, Policy, SubMemoryIndex};
pub use render::TextView;
pub use rules::Rules;

pub(crate) use content::{ItemText, PINNED, attribute, checkbox, fold_content, is_pin, tags_in, without_columns};
pub(crate) use lifetime::{LIFETIME, end_of, flawed_lifetime, is_attribute, is_lifetime, missing_start};
pub(crate) use naming::{Case, PATH_SEPARATOR, Paths};
pub(crate) use policy::{check_count, share_of};
pub(crate) use syntax::{
    COLONS, DEEPEST_LEVEL, block_line, bullet_line, columns, fence_closes, fence_open, heading, is_key_line, is_marked,
    is_ordered, is_plain, is_setext_underline, numbered, stands_apart,
};
