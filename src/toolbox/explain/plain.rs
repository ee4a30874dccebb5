//! The refusal that every other one begins as.

use super::super::answer::{Refused, SENTENCE, bounded};
use super::super::phrase::HINT;
use crate::locate::Code;
use crate::text::escaped;

/// How many failing parts are listed.
pub(super) const MAX_FAILURES: usize = 20;
/// How every message begins, unless it is not known whether anything was changed.
pub(super) const NOTHING: &str = "Nothing was changed: ";

/// Refuses without help, for this reason.
pub(in super::super) fn plain(code: Code, why: &str, hint: String) -> Box<Refused> {
    Refused::new(code, format!("{NOTHING}{}.", bounded(why, SENTENCE)), bounded(&escaped(&hint), HINT))
}
