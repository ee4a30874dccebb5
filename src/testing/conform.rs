//! [`conform`]: all rules, one after the other.

use std::fmt;

use super::subject::{Opens, Subject};
use super::{commits, journals, retries, together};
use crate::memory::Store;

/// A rule that a store does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// What was found instead.
    pub what: String,
}

/// The rules that a store does not keep: at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Iterates over them.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store does not keep {} of the rules", self.0.len())?;
        self.0.iter().try_for_each(|Violation { rule, what }| write!(f, "\n- {rule}: {what}"))
    }
}

impl std::error::Error for Violations {}

/// Holds a store to every rule, each on a memory of its own. `open` opens the memory of a name, which is empty at first; it is
/// called more than once for each.
///
/// It takes a few hundred commits, some of them by four threads at once.
///
/// # Errors
///
/// The rules that the store does not keep.
pub fn conform<O>(open: O) -> Result<(), Violations>
where
    O: Fn(&str) -> Box<dyn Store> + Sync,
{
    let open: &Opens = &open;
    let rules = [commits::RULES, journals::RULES, retries::RULES, together::RULES].concat();
    let broken = rules.into_iter().zip(1..).filter_map(|((rule, check), number)| {
        let what = check(&Subject { open, memory: format!("rule-{number}") }).err()?.to_string();
        Some(Violation { rule, what })
    });
    let violations = Violations(broken.collect());
    if violations.0.is_empty() { Ok(()) } else { Err(violations) }
}
