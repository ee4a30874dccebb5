//! A directory of `NAME.md` files that people read, diff and edit, and the journal beside them.
//!
//! The journal is primary, and the files are a working copy. Each call takes the lock (`store`), reads what was appended
//! to the journal (`access`, `index`, `journal`), reconciles the named documents with it (`reconcile`), and then reads
//! (`reading`) or commits (`commit`). `layout` lists the files. All operations go through [`disk::Disk`], so that a test
//! can cut the power at any of them.

mod access;
mod commit;
mod disk;
mod index;
mod journal;
mod layout;
mod names;
mod reading;
mod reconcile;
#[cfg(test)]
#[path = "../../../tests/simulation/mod.rs"]
mod simulation;
mod store;
mod unix;

pub use store::FileStore;
pub(super) use store::create;
