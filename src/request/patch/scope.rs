//! The scope of a hunk: what its anchors name.

use std::ops::Range;

use super::Anchor;
use crate::document::heading;
use crate::locate::{
    Diagnostic, DocLines, Fix, Found, Leniency, LocateError, Matches, Names, NodeKind, Scope, Target, alike,
    bullet_by_tests, closest_lines,
};

/// The lines that a hunk is limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HunkScope<'a> {
    pub(super) part: Scope<'a>,
    /// Its first line.
    pub(super) start: usize,
    /// The line behind its last one that is not blank.
    pub(super) end: usize,
    /// The line behind its last one, blank lines included.
    pub(super) full: usize,
}

impl<'a> HunkScope<'a> {
    /// The whole document.
    pub(super) fn document(lines: &DocLines<'a>) -> Self {
        Self { part: Scope::Document, start: 0, end: lines.len(), full: lines.len() }
    }

    pub(super) fn is_document(&self) -> bool {
        self.part == Scope::Document
    }

    /// Returns its lines, blank ones behind it included.
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.full
    }

    /// Returns the lines of a part, as far as it is inside of another scope.
    fn of(part: Scope<'a>, lines: &DocLines<'a>, around: &Self) -> Self {
        let range = lines.doc.line_range(part.span(lines.doc));
        let end = lines.before_blanks(range.start + 1, range.end);
        let full = (range.end..lines.len()).find(|line| !lines.is_blank(*line)).unwrap_or(lines.len());
        Self { part, start: range.start, end: end.min(around.full), full: full.min(around.full) }
    }
}

/// What finds the scopes of hunks.
pub(super) struct Scopes<'s, 'a> {
    pub(super) lines: &'s DocLines<'a>,
    pub(super) names: &'s Names<'a>,
}

impl<'a> Scopes<'_, 'a> {
    /// Finds what an anchor names inside of another scope.
    pub(super) fn find(&self, anchor: &Anchor, around: &HunkScope<'a>) -> Result<Found<HunkScope<'a>>, LocateError> {
        let (doc, span) = (self.lines.doc, self.lines.span(&around.range()));
        let of = |part: Scope<'a>| HunkScope::of(part, self.lines, around);
        match anchor {
            Anchor::Section(name) => Ok(self.names.scope(NodeKind::Section, name, span)?.map(of)),
            Anchor::Block(id) => Ok(self.names.scope(NodeKind::Block, id, span)?.map(of)),
            Anchor::Bullet(test) => {
                let bullets: Vec<_> = doc.bullets_within(span).collect();
                let what = Target::Bullet(test.to_string().into());
                let found = bullet_by_tests(self.names, &bullets, std::slice::from_ref(test), what)?;
                Ok(found.map(|bullet| of(Scope::Bullet(bullet))))
            }
            Anchor::Slot(name) => Ok(self.names.slot(name, span)?.map(|slot| of(Scope::Slot(slot.line)))),
            Anchor::Line(text) => self.line(text.trim(), around),
        }
    }

    /// Finds the one line that reads so, exactly, else in normal form; else the section of that heading.
    fn line(&self, text: &str, around: &HunkScope<'a>) -> Result<Found<HunkScope<'a>>, LocateError> {
        let lines = self.lines;
        let front = lines.doc.outline().front_matter().map_or(0..0, |span| lines.doc.line_range(span));
        let may_be = |line: &usize| {
            let is_end = text == "---" && front.contains(line) && *line > 0;
            !(lines.is_fenced(*line) || lines.is_blank(*line) || is_end)
        };
        let matching = |reads: &dyn Fn(&str) -> bool| -> Vec<usize> {
            around.range().filter(may_be).filter(|line| reads(lines.text(*line).trim())).collect()
        };
        let exact = matching(&|line| line == text);
        let (found, healed) = match exact.is_empty() {
            true => (matching(&|line| alike(text, line)), vec![Leniency::Punctuation]),
            false => (exact, Vec::new()),
        };
        match found.as_slice() {
            [only] => {
                let part = Scope::of_line(lines.doc, lines.start(*only));
                Ok(Found { at: HunkScope::of(part, lines, around), healed })
            }
            [] if heading(text).is_some() => {
                let found = self.names.section(text, lines.span(&around.range()))?;
                Ok(found.map(|found| HunkScope::of(Scope::Section(found), lines, around)))
            }
            [] => {
                let help = if self.names.may_help() { self.help(text, around) } else { Diagnostic::default() };
                Err(LocateError::not_found(Target::Lines(vec![text.into()]), help))
            }
            several => {
                let spans = several.iter().map(|line| lines.span(&(*line..line + 1))).collect();
                let matches = Box::new(Matches::new(lines.doc, spans));
                Err(LocateError::Ambiguous { what: Target::Lines(vec![text.into()]), matches })
            }
        }
    }

    /// Helps where no line reads so: the closest ones, and the section of which it may be the title without its `#`s.
    fn help(&self, text: &str, around: &HunkScope<'a>) -> Diagnostic {
        let closest = closest_lines(self.lines.doc, self.lines.span(&around.range()), text);
        let is_title = self.names.without_help(|| self.names.section(text, self.lines.doc.span()).is_ok());
        Diagnostic { closest, fix: is_title.then(|| Fix::NameSection(text.into())), ..Diagnostic::default() }
    }
}
