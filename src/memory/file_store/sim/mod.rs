//! A disk that can lose power: what a crash may leave of each trace of operations, and recovery on every one of these
//! states.
//!
//! | file | what |
//! |---|---|
//! | `disk` | a file system in memory that knows what is durable and what is pending, with faults and other writers at any call |
//! | `state` | the legal states after a crash |
//! | `toy` | lines of a small journal |
//! | `world` | histories of commits, and what must be true of the documents |
//! | `bad`, `flaw` | protocols with one step wrong |
//! | `directory`, `on_disk` | the same steps on a directory of the operating system |
//! | `tests` | all protocols through the same check |
//! | `whole` | the store as a whole, on the journal's own lines, with erasing |

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice)]

mod bad;
pub(super) mod directory;
mod disk;
mod flaw;
mod on_disk;
mod state;
mod tests;
pub(super) mod toy;
mod whole;
mod world;
