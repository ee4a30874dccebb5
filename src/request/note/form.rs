//! How the content of a note stands below its heading, and how it is read back.
//!
//! A content stands as it is if the document then reads it back as exactly the body of its section: it has no heading, no block
//! with an ID, no fence that is not closed, no blank line at its beginning or end, and is not itself what the next rule writes. Headings
//! and blocks that people have written there stay as they are where something is put behind them. Else
//! it stands in a fence of backticks, longer than any run of them in it, with the word `note` behind the opening one; reading takes
//! away a fence with that word which is all that the section holds. Lines take the endings of the document, and are read as ended by
//! LF.

use crate::document::{SectionRef, fence_closes, fence_open};
use crate::text::{Lines, Span, is_blank};

/// The word behind the fence.
const WORD: &str = "note";

/// How a content is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Plain,
    /// In a fence.
    Fenced,
}

impl Form {
    /// Returns the lines that are written, without their last endings.
    pub(super) fn lines(self, content: &str) -> Vec<String> {
        let fence = "`".repeat(longest_run(content).saturating_add(1).max(3));
        let own = content.split('\n').map(str::to_owned);
        match self {
            Self::Plain if content.is_empty() => Vec::new(),
            Self::Plain => own.collect(),
            Self::Fenced => [format!("{fence}{WORD}")].into_iter().chain(own).chain([fence]).collect(),
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

/// Returns the content of a note, its lines ended by LF.
pub(super) fn read(section: SectionRef<'_>) -> String {
    let (text, core) = (section.doc().text(), core_of(section));
    if core.is_empty() {
        return String::new();
    }
    let lines: Vec<&str> = Lines::within(text, core).map(|line| line.text.of(text)).collect();
    fenced(&lines).unwrap_or(&lines).join("\n")
}

/// Returns the lines in a fence that is all there is; `None` if there is none with the word of these.
fn fenced<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let [first, own @ .., last] = lines else { return None };
    let open = fence_open(first).filter(|open| open.byte == b'`' && first.get(open.length..) == Some(WORD))?;
    (fence_closes(last, open) && !own.iter().any(|line| fence_closes(line, open))).then_some(own)
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
