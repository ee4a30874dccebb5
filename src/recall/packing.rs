//! What is found, the best first; and why something of it was left out.

use std::collections::BinaryHeap;

use crate::text::names;

names! {
    /// Why something was left out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum WhyLeftOut {
        /// It has more tokens than were left of the budget.
        Budget = "budget",
        /// There were as many results as were asked for.
        MaxResults = "max_results",
        /// Its time is over.
        Expired = "expired",
    }
}

/// Something with a score, ordered by it, and among equals by its place: the later the better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) score: f64,
    pub(super) at: usize,
}

impl Eq for Scored {}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then(self.at.cmp(&other.at))
    }
}

/// Takes the best first. Sorting all of what a common word finds would take longer than finding it.
pub(super) fn best_first(mut scored: BinaryHeap<Scored>) -> impl Iterator<Item = Scored> {
    std::iter::repeat_with(move || scored.pop()).map_while(|scored| scored)
}
