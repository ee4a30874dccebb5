//! How the content of a note stands below its heading, and how it is read back.
//!
//! A content stands as it is if the document then reads it back as exactly the body of its section: it has no heading, no block
//! with an ID, no fence that is not closed, no blank line at its beginning or end, and is not itself what the next rule writes. Headings
//! and blocks that people have written there stay as they are where something is put behind them. Else
//! it stands in a fence of backticks, longer than any run of them in it, with the word `note` behind the opening one; reading takes
//! away a fence with that word which is all that the section holds. Lines take the endings of the document, and are read as ended by
//! LF. A content that has CRLF of its own stands byte for byte in a fence with the word `note-crlf`.

use crate::document::{SectionRef, fence_closes, fence_open};
use crate::text::{Line, Lines, Span, is_blank};

/// The word behind the fence of a content whose lines take the endings of the document.
const LINES: &str = "note";
/// The word behind the fence of a content that keeps its own.
const BYTES: &str = "note-crlf";

/// How a content is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Plain,
    /// In a fence, line by line.
    Fenced,
    /// In a fence, byte for byte.
    Verbatim,
}

impl Form {
    /// Returns the forms that a content may have, the plainest first.
    pub(super) fn of(content: &str) -> &'static [Self] {
        if content.contains('\r') { &[Self::Verbatim] } else { &[Self::Plain, Self::Fenced] }
    }

    /// Returns the lines that are written, without their last endings.
    pub(super) fn lines(self, content: &str) -> Vec<String> {
        let fence = "`".repeat(longest_run(content).saturating_add(1).max(3));
        let own = || content.split('\n').map(str::to_owned);
        match self {
            Self::Plain if content.is_empty() => Vec::new(),
            Self::Plain => own().collect(),
            Self::Fenced => [format!("{fence}{LINES}")].into_iter().chain(own()).chain([fence]).collect(),
            Self::Verbatim => vec![format!("{fence}{BYTES}"), content.to_owned(), fence],
        }
    }
}

fn longest_run(content: &str) -> usize {
    content.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Returns the lines of a note without blank ones at both ends; where there are none, the place for them.
pub(super) fn core_of(section: SectionRef<'_>) -> Span {
    let text = section.doc().text();
    let below = Span::new(section.body.start(), section.extent.end());
    let lines = || Lines::within(text, below).filter(|line| !is_blank(line.text.of(text)));
    match (lines().next(), lines().last()) {
        (Some(first), Some(last)) => Span::new(first.full.start(), last.full.end()),
        _ => Span::at(below.start()),
    }
}

/// Returns the content of a note.
pub(super) fn read(section: SectionRef<'_>) -> String {
    let (text, core) = (section.doc().text(), core_of(section));
    if core.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = Lines::within(text, core).collect();
    let joined = |lines: &[Line]| lines.iter().map(|line| line.text.of(text)).collect::<Vec<_>>().join("\n");
    match fenced(&lines, text) {
        Some((LINES, own)) => joined(own),
        Some((_, [first, .., last])) => Span::new(first.full.start(), last.text.end()).of(text).to_owned(),
        Some((_, own)) => joined(own),
        None => joined(&lines),
    }
}

/// Returns the word of a fence that is all there is, and the lines in it; `None` if there is none with a word of these.
fn fenced<'l>(lines: &'l [Line], text: &str) -> Option<(&'static str, &'l [Line])> {
    let [first, own @ .., last] = lines else { return None };
    let first = first.text.of(text);
    let open = fence_open(first).filter(|open| open.byte == b'`')?;
    let word = [LINES, BYTES].into_iter().find(|word| first.get(open.length..) == Some(word))?;
    let closes = |line: &Line| fence_closes(line.text.of(text), open);
    (closes(last) && !own.iter().any(closes)).then_some((word, own))
}

/// How many headings and blocks stand in a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    pub(super) headings: usize,
    blocks: usize,
}

impl Structure {
    /// Counts those of a note; `None` if a fence is open at its end.
    pub(super) fn of(section: SectionRef<'_>) -> Option<Self> {
        let below = Span::new(section.body.start(), section.extent.end());
        let holds = |start: usize| below.contains(start);
        let outline = section.doc().outline();
        let is_open = outline.fences().iter().any(|own| holds(own.extent.start()) && !own.is_closed);
        (!is_open).then(|| Self {
            headings: outline.sections().iter().filter(|own| holds(own.line.start())).count(),
            blocks: outline.blocks().iter().filter(|own| holds(own.line.start())).count(),
        })
    }
}
