//! [`Prompt`]: what an agent is told of its memory at the beginning of a turn, within a budget.
//!
//! # Its form
//!
//! A prompt is a list of parts, each of them a heading and a fence. What changes least comes first, so that the
//! beginning of the prompt is the same from turn to turn and a model's cache of it holds. Empty parts are left out:
//! | heading | what | word behind the fence |
//! |---|---|---|
//! | `## Handoff` | the handoff that the host has not acknowledged | `notes` |
//! | `## Who I Am`, `## About the User`, `## Current Goals`, `## Key Knowledge`, and the host's labels | the core blocks | `core` |
//! | `## Memory` | the document | its name |
//! | `## Notes` | the other notes, as they stand in their document, those written last first | `notes` |
//! | `## Memories` | what is recalled for the user's message, a list item each; without one, what is new and important | `journal` |
//! | `## Scratchpad` | the scratchpad | `notes` |
//! | the host's | the host's own parts, such as its tasks | `host` |
//!
//! The last line tells how much of the budget is used, and how many items of which part did not fit.
//!
//! # What a text cannot do
//!
//! Every line of the prompt's own stands outside of the fences, and every text from the memory inside one. A fence is longer than
//! any run of backticks in its text, so that nothing in it ends it; in the list of memories, lines behind an item's first are
//! indented, so that no text begins another item. So a heading outside of a fence is the prompt's own, whatever a memory holds.
//!
//! # What is left out
//!
//! Items are whole: a block, a note, a memory, a bullet with all below it, a paragraph, a fence. They are taken in this order, each
//! if it fits: core blocks within their reserve; what is pinned, reserved or front matter in the document; the handoff; the other
//! core blocks; the host's parts; the scratchpad; memories, up to a quarter of the budget; the rest of the document, from its
//! beginning; the notes. A piece of the document brings the headings above it, which are never shown alone. A bullet whose time is
//! over is rendered nowhere, and neither is a memory that another stands in the place of.

mod packer;
mod parts;
mod render;

pub use parts::{HostPart, NotRendered, PromptPart};
pub use render::{Prompt, Rendered};
