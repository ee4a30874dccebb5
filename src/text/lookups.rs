//! How many texts a thread has looked up: work that tests count.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// Notes that a text was looked up.
pub(super) fn note() {
    COUNT.set(COUNT.get() + 1);
}

/// Returns how many texts this thread has looked up under a span, or folded to compare them: a
/// measure of work that is the same in every run.
pub fn lookups() -> u64 {
    COUNT.get()
}
