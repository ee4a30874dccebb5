//! Anchors: the `@@` lines that name the scope of a hunk, and how the scope is found.

use std::ops::Range;

use super::Hunk;
use super::parse::{PatchError, PatchLine};
use super::planner::Planner;
use crate::document::heading;
use crate::locate::{
    BulletTest, Diagnostic, DocLines, Fix, Found, Leniency, LocateError, Matches, NodeKind, Scope, Target, alike,
    bullet_by_tests, closest_lines,
};
use crate::text::Content;

/// What one `@@` line names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Anchor {
    /// A section, by title or path.
    Section(Content),
    /// A block, by ID.
    Block(Content),
    /// A bullet.
    Bullet(BulletTest),
    /// A slot of the front matter.
    Slot(Content),
    /// The one line that reads so.
    Line(Content),
}

/// Reads an `@@` line of a hunk. What stands behind the line numbers of a unified diff is an anchor if it names a heading, as
/// other tools show it there, or has a keyword.
pub(super) fn read_anchor(line: PatchLine<'_>, hunk: &mut Hunk) -> Result<(), PatchError> {
    let text = line.text.strip_prefix("@@").unwrap_or(line.text).trim();
    let behind = behind_numbers(text);
    hunk.has_line_numbers |= behind.is_some();
    let mut text = behind.unwrap_or(text);
    let mut anchor = keyword_anchor(text, line)?;
    // Other tools close an anchor as they open it.
    while let Some(open) = text.strip_suffix("@@") {
        text = open.trim_end();
    }
    if anchor.is_none() && behind.is_none() && !text.is_empty() {
        anchor = Some(Anchor::Line(text.into()));
    } else if anchor.is_none() && heading(text).is_some() {
        anchor = Some(Anchor::Section(text.into()));
    }
    hunk.anchors.extend(anchor);
    Ok(())
}

/// Returns what stands behind `-1,2 +3,4 @@`.
fn behind_numbers(text: &str) -> Option<&str> {
    let (numbers, behind) = text.split_once("@@").unwrap_or((text, ""));
    let is_number = |word: &str| {
        let digits = word.strip_prefix(['-', '+'])?;
        digits.split(',').all(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit())).then_some(())
    };
    let are_numbers = numbers.starts_with('-') && numbers.split_whitespace().all(|word| is_number(word).is_some());
    are_numbers.then_some(behind.trim())
}

/// Reads an anchor with a keyword, if it has one.
fn keyword_anchor(text: &str, line: PatchLine<'_>) -> Result<Option<Anchor>, PatchError> {
    let Some((keyword, name)) = text.split_once(':') else { return Ok(None) };
    let name = name.trim_start();
    let make: fn(Content) -> Anchor = match keyword.trim_end().to_ascii_lowercase().as_str() {
        "section" => Anchor::Section,
        "block" => Anchor::Block,
        "slot" => Anchor::Slot,
        "tag" => |name| Anchor::Bullet(BulletTest::Tag(name)),
        "key" => |name| Anchor::Bullet(BulletTest::Key(name)),
        "item" => {
            let expected = "`item: startsWith(\"…\")`, `item: contains(\"…\")` or `item: equals(\"…\")`";
            return bullet_test(name).map(|test| Some(Anchor::Bullet(test))).ok_or_else(|| line.error(expected));
        }
        _ => return Ok(None),
    };
    if name.is_empty() { Err(line.error("a name behind the colon")) } else { Ok(Some(make(name.into()))) }
}

/// Reads `startsWith("…")`, `contains("…")` or `equals("…")`.
fn bullet_test(item: &str) -> Option<BulletTest> {
    let (function, rest) = item.split_once('(')?;
    let quoted = rest.trim().strip_suffix(')')?.trim();
    let quotes = [('"', '"'), ('\'', '\''), ('\u{201C}', '\u{201D}')];
    let inner = quotes.iter().find_map(|(open, close)| quoted.strip_prefix(*open)?.strip_suffix(*close))?;
    let text = Some(inner.replace("\\\"", "\"").replace("\\\\", "\\")).filter(|text| !text.is_empty())?;
    match function.trim().to_ascii_lowercase().replace('_', "").as_str() {
        "startswith" => Some(BulletTest::StartsWith(text.into())),
        "contains" => Some(BulletTest::Contains(text.into())),
        "equals" => Some(BulletTest::Equals(text.into())),
        _ => None,
    }
}

/// The lines that a hunk is limited to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HunkScope<'a> {
    pub(super) part: Scope<'a>,
    /// Its first line.
    pub(super) start: usize,
    /// The line behind its last one, blank lines included.
    pub(super) full: usize,
}

impl<'a> HunkScope<'a> {
    /// The whole document.
    pub(super) fn document(lines: &DocLines<'a>) -> Self {
        Self { part: Scope::Document, start: 0, full: lines.len() }
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
        let full = (range.end..lines.len()).find(|line| !lines.is_blank(*line)).unwrap_or(lines.len());
        Self { part, start: range.start, full: full.min(around.full) }
    }
}

impl<'a> Planner<'a> {
    /// Finds what an anchor names inside of another scope.
    pub(super) fn anchor_scope(
        &self,
        anchor: &Anchor,
        around: &HunkScope<'a>,
    ) -> Result<Found<HunkScope<'a>>, LocateError> {
        let span = self.lines.span(&around.range());
        let of = |part: Scope<'a>| HunkScope::of(part, &self.lines, around);
        match anchor {
            Anchor::Section(name) => Ok(self.names.scope(NodeKind::Section, name, span)?.map(of)),
            Anchor::Block(id) => Ok(self.names.scope(NodeKind::Block, id, span)?.map(of)),
            Anchor::Bullet(test) => {
                let bullets: Vec<_> = self.doc.bullets_within(span).collect();
                let what = Target::Bullet(test.to_string().into());
                let found = bullet_by_tests(&self.names, &bullets, std::slice::from_ref(test), what)?;
                Ok(found.map(|bullet| of(Scope::Bullet(bullet))))
            }
            Anchor::Slot(name) => Ok(self.names.slot(name, span)?.map(|slot| of(Scope::Slot(slot.line)))),
            Anchor::Line(text) => self.line(text.trim(), around),
        }
    }

    /// Finds the one line that reads so, exactly, else in normal form; else the section of that heading.
    fn line(&self, text: &str, around: &HunkScope<'a>) -> Result<Found<HunkScope<'a>>, LocateError> {
        let (lines, span) = (&self.lines, self.lines.span(&around.range()));
        let front = self.doc.outline().front_matter.map_or(0..0, |span| self.doc.line_range(span));
        let is_end = |line: usize| text == "---" && front.contains(&line) && line > 0;
        let may_be = |line: &usize| !(lines.is_fenced(*line) || lines.is_blank(*line) || is_end(*line));
        let matching = |reads: &dyn Fn(&str) -> bool| -> Vec<usize> {
            around.range().filter(|line| reads(lines.text(*line).trim())).filter(may_be).collect()
        };
        let (mut found, mut healed) = (matching(&|line| line == text), Vec::new());
        if found.is_empty() {
            (found, healed) = (matching(&|line| alike(text, line)), vec![Leniency::Punctuation]);
        }
        let what = Target::Lines(vec![text.into()]);
        match found.as_slice() {
            [only] => {
                let part = Scope::of_line(self.doc, lines.start(*only));
                Ok(Found { at: HunkScope::of(part, lines, around), healed })
            }
            [] if heading(text).is_some() => {
                let found = self.names.section(text, span)?;
                Ok(found.map(|found| HunkScope::of(Scope::Section(found), lines, around)))
            }
            [] => self.names.helped(Err(LocateError::not_found(what, Diagnostic::default())), || {
                // It may be the title of a section without its `#`s.
                let is_title = self.names.without_help(|| self.names.section(text, self.doc.span()).is_ok());
                let fix = is_title.then(|| Fix::NameSection(text.into()));
                Diagnostic { closest: closest_lines(self.doc, span, text), fix, ..Diagnostic::default() }
            }),
            several => {
                let spans = several.iter().map(|line| lines.span(&(*line..line + 1))).collect();
                Err(LocateError::Ambiguous { what, matches: Box::new(Matches::new(self.doc, spans)) })
            }
        }
    }
}
