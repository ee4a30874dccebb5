//! The ways to read a hunk as a whole.
//!
//! ```text
//! document    - User’s advisor: TBD
//! as sent     -- User’s advisor: TBD          the rest of the line is the line
//! spaced      - - User’s advisor: TBD         one space less
//! contents    - User’s advisor: TBD           one space less, and what the bullet says
//! prefixed    -12| - User’s advisor: TBD      without what a view shows before the line
//! ```

use std::rc::Rc;

use super::{HunkLine, LineOp};
use crate::document::{block_line, bullet_start, fence_open, heading, stands_apart};
use crate::locate::{SoughtLine, is_ordered, view_prefix};
use crate::text::is_blank;

/// What the lines of a hunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Whole lines.
    AsSent,
    /// Whole lines behind a space.
    Spaced,
    /// Whole lines or contents of bullets, one of these at least.
    Contents,
    /// Whole lines behind what a view shows before them.
    Prefixed,
}

/// A line of a hunk as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReadLine<'h> {
    pub(super) op: LineOp,
    pub(super) text: &'h str,
    /// What stood before it, as a view shows it.
    pub(super) label: Option<&'h str>,
}

/// One way to read a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading<'h> {
    /// What its lines are, if none is a content.
    pub(super) form: Form,
    pub(super) lines: Rc<[ReadLine<'h>]>,
    may_be_contents: bool,
}

impl<'h> Reading<'h> {
    /// Reads a hunk with one space less on the lines of some operators.
    pub(super) fn new(lines: &'h [HunkLine], spaced: &[LineOp]) -> Self {
        let read = |line: &'h HunkLine| {
            let less = line.text.strip_prefix(' ').filter(|_| spaced.contains(&line.op) && !is_blank(&line.text));
            ReadLine { op: line.op, text: less.unwrap_or(&line.text), label: None }
        };
        let form = if spaced.is_empty() { Form::AsSent } else { Form::Spaced };
        Self { form, lines: lines.iter().map(read).collect(), may_be_contents: !spaced.is_empty() }
    }

    /// Returns the ways to read a hunk, the nearest first.
    pub(super) fn all(lines: &'h [HunkLine]) -> Vec<Self> {
        let of = |op| lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
        let is_spaced = |op| of(op).next().is_some() && of(op).all(|line| line.text.starts_with(' '));
        let has_deletes = of(LineOp::Delete).next().is_some();
        let deletes = is_spaced(LineOp::Delete);
        let may_be_spaced = deletes || (!has_deletes && loses_space(of(LineOp::Add).map(|line| line.text.as_str())));
        let mut as_sent = Self::new(lines, &[]);
        // What begins as a whole line does is no content.
        as_sent.may_be_contents = !deletes && !of(LineOp::Delete).any(|line| is_marked(&line.text));
        let mut all = vec![as_sent];
        all.extend(deletes.then(|| Self::new(lines, &[LineOp::Delete])));
        let context = may_be_spaced && is_spaced(LineOp::Context);
        all.extend(context.then(|| Self::new(lines, &[LineOp::Delete, LineOp::Context])));
        all.extend(Self::prefixed(lines));
        all
    }

    /// Reads a hunk of which each `-` and context line brings the prefix of a view.
    fn prefixed(lines: &'h [HunkLine]) -> Option<Self> {
        let read = |line: &'h HunkLine| {
            let (label, text) = view_prefix(&line.text).unzip();
            ReadLine { op: line.op, text: text.unwrap_or(&line.text), label }
        };
        let lines: Rc<[_]> = lines.iter().map(read).collect();
        let reading = Self { form: Form::Prefixed, lines, may_be_contents: false };
        let is_complete = reading.old().all(|line| line.label.is_some() || is_blank(line.text));
        (is_complete && reading.old().any(|line| line.label.is_some())).then_some(reading)
    }

    /// Iterates over its `-` and context lines.
    pub(super) fn old(&self) -> impl Iterator<Item = &ReadLine<'h>> {
        self.lines.iter().filter(|line| line.op != LineOp::Add)
    }

    /// Returns the lines that are looked for.
    pub(super) fn sought(&self) -> Vec<SoughtLine<'h>> {
        let may_be_content = |text| self.may_be_contents && !is_marked(text) && !is_blank(text);
        self.old().map(|line| SoughtLine { text: line.text, may_be_content: may_be_content(line.text) }).collect()
    }
}

/// Reports whether written lines lose one space: each that is not blank begins with one, and one of them with no more.
pub(super) fn loses_space<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut full = lines.filter(|line| !is_blank(line));
    full.clone().all(|line| line.starts_with(' ')) && full.any(is_one_in)
}

/// Reports whether a line brings the marker of a bullet that has no number: what begins with a number may be text.
pub(super) fn is_marked(line: &str) -> bool {
    bullet_start(line).and_then(|start| line.get(start.marker)).is_some_and(|marker| !is_ordered(marker))
}

/// Reports whether a line could be the content of a bullet: it is unindented, and no marker, heading, block line, fence,
/// rule, table row, comment or label.
pub(super) fn is_plain(line: &str) -> bool {
    !is_blank(line)
        && !line.starts_with([' ', '\t', '|'])
        && !is_marked(line)
        && heading(line).is_none()
        && block_line(line).is_none()
        && fence_open(line).is_none()
        && !matches!(line.trim_end(), "---" | "...")
        && !line.starts_with("<!--")
        && !stands_apart(line)
}

/// Reports whether a line is indented by exactly one space.
pub(super) fn is_one_in(line: &str) -> bool {
    line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}
