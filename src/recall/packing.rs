//! [`Packing`]: what goes into a budget, the best first; what does not fit is passed over, and what comes after it may still fit.

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

/// A budget that is being filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) max_tokens: usize,
    pub(super) max_results: usize,
    pub(super) tokens: usize,
    pub(super) results: usize,
}

impl Packing {
    pub(super) const fn new(max_tokens: usize, max_results: usize) -> Self {
        Self { max_tokens, max_results, tokens: 0, results: 0 }
    }

    /// Takes something of this many tokens in, if it fits.
    pub(super) const fn take(&mut self, tokens: usize) -> Result<(), WhyLeftOut> {
        if self.results >= self.max_results {
            return Err(WhyLeftOut::MaxResults);
        }
        if tokens > self.max_tokens.saturating_sub(self.tokens) {
            return Err(WhyLeftOut::Budget);
        }
        self.tokens += tokens;
        self.results += 1;
        Ok(())
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
