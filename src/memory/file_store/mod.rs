//! A directory of `NAME.md` files that people read, diff and edit, and the journal beside them.
//!
//! Each call opens the directory, takes the lock (`lock`, `queue`), and does its work under it (`work`): it recovers what a crash
//! has left (`recover`), reads what the journal has got since its last look (`table`, `tips`), and then reads documents
//! (`reading`, `still`), commits (`writing`, `commit`, `place`), or both, to record what came from outside.
//! Which file is what stands in `layout`. All goes through [`disk::Disk`], so that `sim` can cut the power at any call.

mod calls;
mod commit;
mod disk;
mod displaced;
mod entries;
mod erase;
mod late;
mod layout;
mod lines;
mod lock;
mod names;
mod note;
mod past;
mod place;
mod placement;
mod queue;
mod reading;
mod recover;
mod segments;
#[cfg(test)]
mod sim;
mod still;
mod store;
mod survey;
mod table;
mod tail;
mod tips;
mod unix;
mod work;
mod writing;

pub use store::FileStore;
