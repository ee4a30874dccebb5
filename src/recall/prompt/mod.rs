//! [`Prompt`]: the text that shows an agent its memory at the beginning of a turn, within a budget.
//!
//! # Its form
//!
//! A prompt is a list of parts; each is a heading and a fence. Parts that seldom change come first, so that the
//! beginning of the prompt stays the same from turn to turn and can be cached. Empty parts are left out:
//!
//! | heading | content | word after the opening fence |
//! |---|---|---|
//! | `## Handoff` | the handoff that the host has not acknowledged | `notes` |
//! | `## Who I Am`, `## About the User`, `## Current Goals`, `## Key Knowledge`, and the host's labels | the core blocks | `core` |
//! | `## Memory` | the document | its name |
//! | `## Notes` | the other notes, as they are in their document, the last written first | `notes` |
//! | `## Memories` | a list of the records that match the user's message; without a message, new and important ones | `journal` |
//! | `## Scratchpad` | the scratchpad | `notes` |
//! | the host's | the host's own parts, such as its tasks | `host` |
//!
//! The last line says how much of the budget is used, and how many items of which part did not fit.
//!
//! # Text from the memory cannot pass for the prompt's own
//!
//! The prompt's own lines are outside of the fences, and all text from the memory is inside a fence. A fence is longer
//! than any run of backticks in its text, so that nothing in the text closes it. In the list of memories, the lines
//! after the first line of an item are indented, so that no text begins another item. So a heading outside of a fence
//! is always the prompt's own.
//!
//! # What is left out
//!
//! An item is shown whole or not at all. Items are blocks, notes, records, bullets with their children, paragraphs and
//! fences. They are taken in this order, each if it fits:
//!
//! 1. core blocks, within their reserve
//! 2. pinned bullets, reserved sections and front matter of the document
//! 3. the handoff
//! 4. the other core blocks
//! 5. the host's parts
//! 6. the scratchpad
//! 7. records, up to a quarter of the budget
//! 8. the rest of the document, from its beginning
//! 9. the notes
//!
//! A piece of the document comes with the headings and the label above it, which are never shown alone. Expired bullets
//! and superseded records are not shown anywhere.

mod packer;
mod parts;
mod render;

pub use parts::{HostPart, PromptPart};
pub use render::{Prompt, Rendered};
