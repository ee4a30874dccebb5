//! What the tools share that look for words: the query, numbers in their ranges, scores.

use std::ops::RangeInclusive;

use super::super::answer::{Done, Tell};
use super::super::definition::CallError;
use crate::edit::Warning;

/// Returns a query that says something.
pub(super) fn checked_query(query: &str) -> Result<&str, CallError> {
    match query.trim() {
        "" => Err(CallError::invalid("`query`: expected words to look for, found none")),
        words => Ok(words),
    }
}

/// Cuts a score to what a reader compares.
pub(super) fn rounded(score: f64) -> f64 {
    (score.min(1e9) * 1000.0).round() / 1000.0
}

/// Numbers that are taken as the nearest of their range, each with a warning.
#[derive(Default)]
pub(super) struct Clamps {
    warnings: Vec<Warning>,
}

impl Clamps {
    pub(super) fn take(&mut self, asked: i64, range: RangeInclusive<i64>) -> usize {
        let value = asked.clamp(*range.start(), *range.end());
        if value != asked {
            self.warnings.push(Warning::Clamped { value });
        }
        usize::try_from(value).unwrap_or_default()
    }

    pub(super) fn warn<T: Tell>(&self, done: Done<T>) -> Done<T> {
        self.warnings.iter().fold(done, Done::with_warning)
    }
}
