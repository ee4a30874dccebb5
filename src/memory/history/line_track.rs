//! [`LineTrack`]: where the lines of a text stand after later edits of it, as the journal tells them, and not as the texts look.

use super::super::journal::Seq;
use crate::edit::Edit;
use crate::text::{ChangedLines, Line, Lines, Span, is_blank};

/// An edit that came later.
#[derive(Clone, Debug)]
pub(super) struct Later {
    /// Its entry.
    pub(super) seq: Seq,
    /// The first entry of its commit.
    pub(super) commit: Seq,
    /// The first entry of the commit that it took back.
    pub(super) undoes: Option<Seq>,
    /// A document that does not exist has an empty text.
    pub(super) edit: Edit,
}

/// The lines of a text, and where they stand after the edits that were followed.
#[derive(Debug)]
pub(super) struct LineTrack<'t> {
    lines: Vec<Tracked<'t>>,
}

#[derive(Debug)]
struct Tracked<'t> {
    text: &'t str,
    place: Place,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// It starts there.
    At(usize),
    /// The commit that begins with this entry removed or rewrote it.
    Lost(Seq),
}

impl<'t> LineTrack<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let tracked = |line: Line| Tracked { text: line.text.of(text), place: Place::At(line.text.start()) };
        Self { lines: Lines::of(text).map(tracked).collect() }
    }

    /// Follows an edit that makes `text`. Lines that it brings back are there again, if it takes back the edit that removed them.
    pub(super) fn follow(&mut self, later: &Later, text: &str) {
        let written = later.edit.result_spans();
        let lines = |span: &Span| Span::new(Line::holding(text, span.start()).full.start(), span.end());
        let mut back = written.iter().flat_map(|span| Lines::within(text, lines(span))).map(|line| line.text);
        for line in &mut self.lines {
            line.place = match line.place {
                Place::At(start) => moved(&later.edit, &written, Span::new(start, start + line.text.len()))
                    .filter(|start| is_line(text, *start, line.text))
                    .map_or(Place::Lost(later.commit), Place::At),
                Place::Lost(commit) if later.undoes == Some(commit) => back
                    .find(|back| back.of(text) == line.text)
                    .map_or(Place::Lost(commit), |back| Place::At(back.start())),
                lost => lost,
            };
        }
    }

    /// Returns the lines in which the text after all edits differs from the first.
    pub(super) fn changes(&self, text: &str) -> Vec<ChangedLines> {
        let starts: Vec<usize> = Lines::of(text).map(|line| line.full.start()).collect();
        let with_words = self.lines.iter().enumerate().filter(|(_, line)| !is_blank(line.text));
        // A line that was brought back before one that it stood behind is a changed one.
        let mut behind = 0;
        let kept = with_words.filter_map(|(old, line)| match line.place {
            Place::At(start) => {
                let new = starts.binary_search(&start).ok().filter(|new| *new >= behind)?;
                behind = new + 1;
                Some((old, new))
            }
            Place::Lost(_) => None,
        });
        let texts: Vec<&str> = Lines::of(text).map(|line| line.text.of(text)).collect();
        let is_same = |old: usize, new: usize| self.lines.get(old).map(|line| line.text) == texts.get(new).copied();
        let (mut changes, mut at) = (Vec::new(), (0, 0));
        for (old, new) in kept.into_iter().chain([(self.lines.len(), texts.len())]) {
            let (mut first, mut end) = (at, (old, new));
            // Blank lines that both have are kept.
            while first.0 < end.0
                && first.1 < end.1
                && is_same(first.0, first.1)
                && texts.get(first.1).is_some_and(|line| is_blank(line))
            {
                first = (first.0 + 1, first.1 + 1);
            }
            while first.0 < end.0
                && first.1 < end.1
                && is_same(end.0 - 1, end.1 - 1)
                && texts.get(end.1 - 1).is_some_and(|line| is_blank(line))
            {
                end = (end.0 - 1, end.1 - 1);
            }
            if first != end {
                changes.push(ChangedLines { old: first.0..end.0, new: first.1..end.1 });
            }
            at = (old + 1, new + 1);
        }
        changes
    }
}

/// Returns where a span starts after an edit that leaves all of it; `None` if it does not.
fn moved(edit: &Edit, written: &[Span], span: Span) -> Option<usize> {
    let splices = edit.splices();
    let next = splices.partition_point(|splice| splice.span.end() <= span.start());
    if splices.get(next).is_some_and(|splice| splice.span.start() < span.end()) {
        return None;
    }
    let Some(last) = next.checked_sub(1) else { return Some(span.start()) };
    Some(written.get(last)?.end() + span.start() - splices.get(last)?.span.end())
}

/// Reports whether this is a whole line of a text.
fn is_line(text: &str, start: usize, line: &str) -> bool {
    let is_start = start == 0 || text.as_bytes().get(start - 1) == Some(&b'\n');
    is_start && Line::starting_at(text, start).text.of(text) == line
}
