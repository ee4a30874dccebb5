//! The line ending that a written line takes.

use crate::text::{Ending, Line};

/// Returns the ending for a line written at `offset`: that of the line before it, else that of the line after, else LF.
pub(crate) fn last_ending_before(text: &str, offset: usize) -> Ending {
    let before = offset.checked_sub(1).map(|at| Line::holding(text, at).ending());
    let after = || Line::starting_at(text, Line::holding(text, offset).full.start()).ending();
    match before {
        Some(Ending::None) | None => {}
        Some(ending) => return ending,
    }
    // The line before has no ending of its own yet: it is the last, or there is none.
    let at = offset.checked_sub(1).map(|at| Line::holding(text, at).full.start());
    match at.and_then(|start| start.checked_sub(1)).map(|at| Line::holding(text, at).ending()) {
        Some(ending) => ending,
        None => match after() {
            Ending::None => Ending::Lf,
            ending => ending,
        },
    }
}

/// Returns `own` if it ends a line, else `fallback`.
pub(crate) const fn ending_for(own: Ending, fallback: Ending) -> Ending {
    match own {
        Ending::None => fallback,
        ending => ending,
    }
}
