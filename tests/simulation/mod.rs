//! A disk that can lose power, a person who edits at any moment, and the store between them.
//!
//! | file | what |
//! |---|---|
//! | `disk` | a file system in memory that knows what is durable and what is pending, with faults and other writers at any call |
//! | `fault` | calls that fail, and protocols with one step wrong |
//! | `state` | the states that a crash may leave |
//! | `process` | one process, and the commits that it makes |
//! | `world` | histories of commits, and what must be true of the documents |
//! | `world/hand` | a person who edits a document at any moment of a commit |
//! | `world/redaction` | a redaction that is interrupted at any moment |
//! | `unix` | the operations on a directory of the operating system |
//! | `checks` | the good protocol, and protocols with one step wrong, through the same checks |
//!
//! It is a module of the store's, so that it sees the storage trait; nothing of it is compiled but for tests.

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice)]

mod checks;
mod disk;
mod fault;
mod process;
#[path = "../support/soak.rs"]
#[allow(unreachable_pub, reason = "other tests use it, too")]
mod soak;
mod state;
mod unix;
mod world;
