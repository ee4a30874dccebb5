//! What tools share that look for something: the query, numbers in their ranges, scores.

use std::ops::RangeInclusive;

use crate::edit::Warning;
use crate::text::Timestamp;
use crate::toolbox::Reply;
use crate::toolbox::context::parsed;
use crate::toolbox::refused::Refused;

/// Returns a query that says something.
pub(super) fn checked_query(query: &str) -> Result<&str, Box<Refused>> {
    match query.trim() {
        "" => Err(Refused::invalid("`query`: expected words to look for, found none")),
        words => Ok(words),
    }
}

/// Says that nothing was found, and which arguments narrow the search, of those that are given.
pub(super) fn nothing_found(filters: &[(&str, bool)]) -> String {
    let given = filters.iter().filter(|(_, is_given)| *is_given);
    let names: Vec<_> = given.map(|(name, _)| format!("`{name}`")).collect();
    let narrowed = if names.is_empty() { String::new() } else { format!(" within {}", names.join(", ")) };
    format!("nothing shares a word with that{narrowed}")
}

/// Cuts a score to what a reader compares.
pub(super) fn rounded(score: f64) -> f64 {
    (score.min(1e9) * 1000.0).round() / 1000.0
}

/// Warns of a number that was taken as the nearest of its range.
pub(super) fn clamped(value: i64) -> Warning {
    Warning::new("clamped", format!("the number lies outside its range, and was taken as {value}"))
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
            self.warnings.push(clamped(value));
        }
        usize::try_from(value).unwrap_or_default()
    }

    pub(super) fn warn(&self, reply: Reply) -> Reply {
        self.warnings.iter().fold(reply, Reply::with_warning)
    }
}

/// Reads an instant, if one is given.
pub(super) fn instant(argument: &str, text: Option<&str>) -> Result<Option<Timestamp>, Box<Refused>> {
    text.map(|text| parsed(argument, text)).transpose()
}

/// Reads an instant, and a date as its last second, if one is given.
pub(super) fn last_instant(argument: &str, text: Option<&str>) -> Result<Option<Timestamp>, Box<Refused>> {
    let read = instant(argument, text)?;
    let day = std::time::Duration::from_secs(86_399);
    let is_date = text.is_some_and(|text| !text.contains(['T', 't', ' ']));
    Ok(read.map(|read| if is_date { read.after(day) } else { read }))
}
