//! The scope of a hunk: what its anchors name.

use std::ops::Range;

use super::Anchor;
use super::lines::DocLines;
use crate::document::{BlockRef, BulletRef, LabelRef, SectionRef, heading};
use crate::locate::{
    Diagnostic, Fix, Found, LocateError, Matches, Names, NodeKind, Rung, Scope, Target, alike, bullet_by_tests,
    closest_lines,
};
use crate::text::Span;

/// What a scope begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// Nothing: it is the document.
    Document,
    Section(SectionRef<'a>),
    Block(BlockRef<'a>),
    Label(LabelRef<'a>),
    Bullet(BulletRef<'a>),
    Slot,
    FrontMatter,
    /// Another line.
    Line,
}

/// The lines that a hunk is limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HunkScope<'a> {
    pub(super) kind: Kind<'a>,
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
        Self { kind: Kind::Document, start: 0, end: lines.len(), full: lines.len() }
    }

    /// Returns its lines, blank ones behind it included.
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.full
    }

    /// Returns its bytes.
    pub(super) fn span(&self, lines: &DocLines<'_>) -> Span {
        lines.span(&self.range())
    }

    /// Returns the scope of a node whose lines are in `span`.
    fn of(kind: Kind<'a>, span: Span, lines: &DocLines<'a>) -> Self {
        let range = lines.doc.line_range(span);
        let full = (range.end..lines.len()).find(|line| !lines.is_blank(*line)).unwrap_or(lines.len());
        Self { kind, start: range.start, end: lines.before_blanks(range.start + 1, range.end), full }
    }

    fn clipped(self, around: &Self) -> Self {
        Self { end: self.end.min(around.full), full: self.full.min(around.full), ..self }
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
        let (lines, span) = (self.lines, around.span(self.lines));
        let found = match anchor {
            Anchor::Section(name) => {
                self.names.scope(NodeKind::Section, name, span)?.map(|scope| self.of_scope(scope, around))
            }
            Anchor::Block(id) => self.names.scope(NodeKind::Block, id, span)?.map(|scope| self.of_scope(scope, around)),
            Anchor::Bullet(test) => {
                let bullets: Vec<_> = lines.doc.bullets_within(span).collect();
                let what = Target::Bullet(test.to_string().into());
                bullet_by_tests(self.names, &bullets, std::slice::from_ref(test), what)?
                    .map(|bullet| HunkScope::of(Kind::Bullet(bullet), bullet.extent, lines))
            }
            Anchor::Slot(name) => self.names.slot(name, span)?.map(|slot| HunkScope::of(Kind::Slot, slot.line, lines)),
            Anchor::Line(text) => self.line(text.trim(), around)?,
        };
        Ok(found.map(|scope| scope.clipped(around)))
    }

    /// Finds the one line that reads so, exactly, else in normal form; else the section of that heading.
    fn line(&self, text: &str, around: &HunkScope<'a>) -> Result<Found<HunkScope<'a>>, LocateError> {
        let lines = self.lines;
        let front = lines.doc.outline().front_matter().map_or(0..0, |span| lines.doc.line_range(span));
        let may_be = |line: &usize| {
            let is_end = text == "---" && front.contains(line) && *line > 0;
            !(lines.is_fenced(*line) || lines.is_blank(*line) || is_end)
        };
        let exact = around.range().filter(may_be).filter(|line| lines.text(*line).trim() == text);
        let mut found: Vec<usize> = exact.collect();
        let mut healed = Vec::new();
        if found.is_empty() {
            let is_alike = |line: &usize| alike(text, lines.text(*line).trim(), lines.bullet(*line).is_some());
            found = around.range().filter(may_be).filter(is_alike).collect();
            healed = vec![Rung::Punctuation];
        }
        match found.as_slice() {
            [only] => Ok(Found { at: self.of_line(*only, around), healed }),
            [] if heading(text).is_some() => {
                let found = self.names.section(text, around.span(lines))?;
                Ok(found.map(|section| HunkScope::of(Kind::Section(section), section.extent, lines)))
            }
            [] => {
                let closest =
                    if self.names.may_help() { closest_lines(lines.doc, around.span(lines), text) } else { Vec::new() };
                // A title without its `#`s may be meant.
                let section = || self.names.section(text, lines.doc.span()).is_ok();
                let is_title = self.names.may_help() && self.names.without_help(section);
                let fix = is_title.then(|| Fix::NameSection(text.into()));
                let help = Diagnostic { closest, fix, ..Diagnostic::default() };
                Err(LocateError::not_found(Target::Lines(vec![text.into()]), help))
            }
            several => {
                let spans = several.iter().map(|line| lines.span(&(*line..line + 1))).collect();
                let matches = Box::new(Matches::new(lines.doc, spans));
                Err(LocateError::Ambiguous { what: Target::Lines(vec![text.into()]), matches })
            }
        }
    }

    /// Returns the scope that a line begins: what it owns, or from it to the end of its section's body.
    fn of_line(&self, line: usize, around: &HunkScope<'a>) -> HunkScope<'a> {
        let (lines, doc) = (self.lines, self.lines.doc);
        let start = lines.start(line);
        let outline = doc.outline();
        if let Some(front) = outline.front_matter().filter(|front| front.contains(start)) {
            return match outline.slots().iter().find(|slot| slot.line.start() == start) {
                Some(slot) => HunkScope::of(Kind::Slot, slot.line, lines),
                None => HunkScope::of(Kind::FrontMatter, front, lines),
            };
        }
        self.of_scope(Scope::of_line(doc, start), around)
    }

    fn of_scope(&self, scope: Scope<'a>, around: &HunkScope<'a>) -> HunkScope<'a> {
        let (lines, doc) = (self.lines, self.lines.doc);
        match scope {
            Scope::Document => HunkScope::document(lines),
            Scope::Section(section) => HunkScope::of(Kind::Section(section), section.extent, lines),
            Scope::Block(block) => HunkScope::of(Kind::Block(block), block.extent, lines),
            Scope::Label(label) => HunkScope::of(Kind::Label(label), label.extent, lines),
            Scope::Bullet(bullet) => HunkScope::of(Kind::Bullet(bullet), bullet.extent, lines),
            Scope::From(span) => {
                let range = doc.line_range(span);
                let end = doc.section_at(span.start()).map_or(around.full, |_| range.end);
                HunkScope {
                    kind: Kind::Line,
                    start: range.start,
                    end: lines.before_blanks(range.start + 1, end),
                    full: end,
                }
            }
        }
    }
}
