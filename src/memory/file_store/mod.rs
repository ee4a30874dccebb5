//! A directory of `NAME.md` files that people read, diff and edit, and the journal beside them.

mod commit;
mod disk;
mod displaced;
mod entries;
mod layout;
#[cfg(unix)]
mod lock;
mod names;
mod note;
mod place;
mod placement;
#[cfg(unix)]
mod queue;
mod recover;
mod segments;
#[cfg(test)]
mod sim;
mod still;
mod survey;
mod tail;
#[cfg(unix)]
mod unix;
