//! A directory of `NAME.md` files that people read, diff and edit, and the journal beside them.

mod commit;
mod disk;
mod displaced;
mod entries;
mod erase;
mod late;
mod layout;
mod lines;
#[cfg(unix)]
mod lock;
mod merge;
mod names;
mod note;
mod place;
mod placement;
#[cfg(unix)]
mod queue;
mod reading;
mod recover;
mod segments;
#[cfg(test)]
mod sim;
mod still;
#[cfg(unix)]
mod store;
mod survey;
mod table;
mod tail;
mod tips;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod view;
mod work;
mod writing;

#[cfg(unix)]
pub use store::{FileStore, Unusable, WhyUnusable};
