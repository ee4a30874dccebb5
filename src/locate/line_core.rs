//! The core of a line: what is left of it without all that may stand before what it says.

use std::borrow::Cow;

use super::ladder::{Rung, Rungs};
use super::marker::view_prefix;
use crate::document::bullet_start;

/// Returns what all lines that `text` may stand for on `rungs` have in common.
pub(super) fn lookup_key(text: &str, rungs: Rungs) -> Cow<'_, str> {
    match rungs.fold_line(text) {
        Cow::Borrowed(folded) => Cow::Borrowed(core(folded, rungs)),
        Cow::Owned(folded) => Cow::Owned(core(&folded, rungs).to_owned()),
    }
}

/// Returns a folded line without all that may stand before what it says, where that is overlooked.
fn core(line: &str, rungs: Rungs) -> &str {
    let mut rest = line;
    while rungs.reads_lines() {
        let before = rest.len();
        rest = rest.trim_start_matches([' ', '\t']);
        rest = bullet_start(rest).and_then(|start| rest.get(start.rest..)).unwrap_or(rest);
        if rungs.has(Rung::ViewPrefix) {
            rest = view_prefix(rest).map_or(rest, |(_, behind)| behind);
        }
        if rest.len() == before {
            break;
        }
    }
    rest
}
