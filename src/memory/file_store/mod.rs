//! A directory of `NAME.md` files that people read, diff and edit, and the journal beside them.
//!
//! The journal is primary, and the files are a working copy. Each call takes the lock (`store`), reads on in the journal
//! (`access`, `index`, `journal`), brings the named documents and the journal together (`reconcile`), and then reads (`reading`)
//! or commits (`commit`). Which file is what stands in `layout`. All goes through [`disk::Disk`], so that a test can
//! cut the power at any operation.

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
