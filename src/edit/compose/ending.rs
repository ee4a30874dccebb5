//! The line ending that a written line takes.

use crate::document::MemoryDoc;
use crate::text::Ending;

/// Returns the ending for a line written at `offset`: that of the line before it, else that of the line after, else LF.
///
/// It takes no longer in a long line than in a short one.
pub(crate) fn last_ending_before(doc: &MemoryDoc, offset: usize) -> Ending {
    let lines = doc.lines();
    let line_at = |at| lines.line(doc.text(), lines.index_at(at));
    let before = offset.checked_sub(1).map(line_at);
    // A line without an ending of its own is the last: one before it may have one.
    let above = before.and_then(|line| line.full.start().checked_sub(1)).map(line_at);
    let all = [before, above, Some(line_at(offset))].into_iter().flatten();
    all.map(|line| line.ending()).find(|ending| *ending != Ending::None).unwrap_or(Ending::Lf)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_as_the_one_before_it_wherever_it_is_written() {
        for (text, ending) in [
            ("", Ending::Lf),
            ("a", Ending::Lf),
            ("a\r\nb", Ending::CrLf),
            ("a\n", Ending::Lf),
            ("a\r\n", Ending::CrLf),
        ] {
            let doc = MemoryDoc::parse(text);
            let all: Vec<_> = (0..=text.len()).map(|offset| last_ending_before(&doc, offset)).collect();
            assert_eq!(all, vec![ending; text.len() + 1], "{text:?}");
        }
        let doc = MemoryDoc::parse("a\r\nb\nc");
        assert_eq!(
            [0, 3, 5, 6].map(|offset| last_ending_before(&doc, offset)),
            [Ending::CrLf, Ending::CrLf, Ending::Lf, Ending::Lf]
        );
    }
}
