//! What tools share that read more than words: the query, numbers in their ranges, names among others, scores.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::edit::Warning;
use crate::text::excerpt;
use crate::toolbox::answer::{Done, Tell};
use crate::toolbox::definition::CallError;

/// Returns a query that says something.
pub(super) fn checked_query(query: &str) -> Result<&str, CallError> {
    match query.trim() {
        "" => Err(CallError::invalid("`query`: expected words to look for, found none")),
        words => Ok(words),
    }
}

/// Says that what was sought is there, and which of the arguments, those that are given, leave it out.
pub(super) fn left_out_by(filters: &[(&str, bool)]) -> String {
    let given = filters.iter().filter(|(_, is_given)| *is_given);
    let names: Vec<_> = given.map(|(name, _)| format!("`{name}`")).collect();
    format!("what shares a word with that is left out by {}", names.join(", "))
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

/// Reads one of several names.
pub(super) fn one_of<T: Clone>(argument: &str, known: &[(&str, T)], name: &str) -> Result<T, CallError> {
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    found.ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|(name, _)| format!("`{name}`")).collect();
        let (last, others) =
            names.split_last().map(|(last, others)| (last.as_str(), others.join(", "))).unwrap_or_default();
        CallError::invalid(format!("`{argument}`: expected {others} or {last}, found `{}`", excerpt(name, 40)))
    })
}

/// Reads an argument that is written as a text.
pub(super) fn parsed<T: FromStr<Err: Display>>(argument: &str, text: &str) -> Result<T, CallError> {
    text.parse().map_err(|error| CallError::invalid(format!("`{argument}`: {error}")))
}
