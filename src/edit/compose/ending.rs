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

/// Returns how each of `count` lines ends that are written where lines stood which ended as `replaced`: the last one as the last
/// of those, the others as the line that they replace, else as the line before; that before the first ends as `before`.
pub(crate) fn endings(replaced: &[Ending], count: usize, before: Ending) -> Vec<Ending> {
    let own = replaced.iter().copied().chain(std::iter::repeat(Ending::None)).take(count);
    let mut endings: Vec<_> = own
        .scan(before, |previous, own| {
            *previous = if own == Ending::None { *previous } else { own };
            Some(*previous)
        })
        .collect();
    if let (Some(last), Some(kept)) = (endings.last_mut(), replaced.last()) {
        *last = *kept;
    }
    endings
}
