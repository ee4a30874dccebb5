//! The ways to read a hunk as a whole: as sent, spaced, as contents of bullets, and without the prefixes of a view.
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
use crate::document::{bullet_start, fence_open, heading, is_block_line, stands_apart};
use crate::locate::{SoughtLine, view_prefix};
use crate::text::is_blank;

/// What the lines of a hunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Whole lines.
    AsSent,
    /// Whole lines behind a space.
    Spaced,
    /// Contents of bullets, or whole lines.
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
    /// Its index among the lines of the hunk.
    pub(super) index: usize,
}

/// One way to read a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading<'h> {
    pub(super) form: Form,
    pub(super) lines: Rc<[ReadLine<'h>]>,
}

impl<'h> Reading<'h> {
    /// Reads a hunk as it was sent.
    pub(super) fn as_sent(lines: &'h [HunkLine]) -> Self {
        Self::of(lines, Form::AsSent, |_| false)
    }

    /// Reads a hunk with one space less on the lines that are spaced.
    fn of(lines: &'h [HunkLine], form: Form, is_spaced: impl Fn(LineOp) -> bool) -> Self {
        let read = |(index, line): (usize, &'h HunkLine)| {
            let less = line.text.strip_prefix(' ').filter(|_| is_spaced(line.op) && !is_blank(&line.text));
            ReadLine { op: line.op, text: less.unwrap_or(&line.text), label: None, index }
        };
        Self { form, lines: lines.iter().enumerate().map(read).collect() }
    }

    /// Reads some of its lines in the same way.
    pub(super) fn part(&self, lines: &[ReadLine<'h>]) -> Self {
        Self { form: self.form, lines: Rc::from(lines) }
    }

    /// Iterates over its `-` and context lines.
    pub(super) fn old(&self) -> impl Iterator<Item = &ReadLine<'h>> {
        self.lines.iter().filter(|line| line.op != LineOp::Add)
    }

    /// Returns the lines that are looked for.
    pub(super) fn sought(&self) -> Vec<SoughtLine<'h>> {
        let may_be_content =
            |text| self.form == Form::Contents && !is_marked(text, NumberMarker::None) && !is_blank(text);
        self.old().map(|line| SoughtLine { text: line.text, may_be_content: may_be_content(line.text) }).collect()
    }

    /// Returns the ways to read a hunk, the nearest first.
    pub(super) fn all(lines: &'h [HunkLine]) -> Vec<Self> {
        let of = |op| lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
        let is_spaced = |op| of(op).next().is_some() && of(op).all(|line| line.text.starts_with(' '));
        let has_deletes = of(LineOp::Delete).next().is_some();
        let deletes = is_spaced(LineOp::Delete);
        let may_be_spaced = deletes || (!has_deletes && loses_space(of(LineOp::Add).map(|line| line.text.as_str())));
        let context = may_be_spaced && is_spaced(LineOp::Context);
        let deletes_only = |op| deletes && op == LineOp::Delete;
        let both = |op| deletes_only(op) || op == LineOp::Context;
        let mut all = vec![Self::as_sent(lines)];
        all.extend(deletes.then(|| Self::of(lines, Form::Spaced, deletes_only)));
        all.extend(context.then(|| Self::of(lines, Form::Spaced, both)));
        // What begins as a whole line does is no content.
        let is_full = |line: &HunkLine| is_marked(&line.text, NumberMarker::None);
        if deletes || !of(LineOp::Delete).any(is_full) {
            all.push(Self::of(lines, Form::Contents, deletes_only));
            all.extend(context.then(|| Self::of(lines, Form::Contents, both)));
        }
        all.extend(Self::prefixed(lines));
        all
    }

    /// Reads a hunk of which each `-` and context line brings the prefix of a view.
    fn prefixed(lines: &'h [HunkLine]) -> Option<Self> {
        let read = |(index, line): (usize, &'h HunkLine)| match view_prefix(&line.text) {
            Some((label, text)) => ReadLine { op: line.op, text, label: Some(label), index },
            None => ReadLine { op: line.op, text: &line.text, label: None, index },
        };
        let reading = Self { form: Form::Prefixed, lines: lines.iter().enumerate().map(read).collect() };
        let is_complete = reading.old().all(|line| line.label.is_some() || is_blank(line.text));
        let is_prefixed = is_complete && reading.old().any(|line| line.label.is_some());
        is_prefixed.then_some(reading)
    }
}

/// Reports whether written lines lose one space: each that is not blank begins with one, and one of them with no more.
pub(super) fn loses_space<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut full = lines.filter(|line| !is_blank(line));
    let are_spaced = full.clone().all(|line| line.starts_with(' '));
    are_spaced && full.any(is_one_in)
}

/// Which numbers at the beginning of a line are its marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberMarker<'m> {
    /// None: they are text.
    None,
    /// This one.
    Only(&'m str),
    /// Any.
    Any,
}

/// Reports whether a line brings a marker of its own.
pub(super) fn is_marked(line: &str, numbers: NumberMarker<'_>) -> bool {
    let Some(marker) = bullet_start(line).and_then(|start| line.get(start.marker)) else { return false };
    match numbers {
        _ if matches!(marker, "-" | "*" | "+") => true,
        NumberMarker::None => false,
        NumberMarker::Only(own) => marker == own,
        NumberMarker::Any => true,
    }
}

/// Reports whether a line could be the content of a bullet: it is unindented, and no marker, heading, block line, fence,
/// rule, table row, comment or label.
pub(super) fn is_plain(line: &str, numbers: NumberMarker<'_>) -> bool {
    let bare = line.trim_end();
    !is_blank(line)
        && !line.starts_with([' ', '\t'])
        && !is_marked(line, numbers)
        && heading(line).is_none()
        && !is_block_line(line)
        && fence_open(line).is_none()
        && !matches!(bare, "---" | "...")
        && !line.starts_with('|')
        && !line.starts_with("<!--")
        && !stands_apart(line)
}

/// Reports whether a line is indented by exactly one space.
pub(super) fn is_one_in(line: &str) -> bool {
    line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}
