//! Anchors: the `@@` lines that name the scope of a hunk, and the search for that scope.

use std::ops::Range;

use super::parse::{PatchError, PatchLine};
use super::planner::Planner;
use super::{Hunk, Refusal};
use crate::document::heading;
use crate::locate::{
    BulletTest, DocLines, Fix, Found, Leniency, LocateError, NodeKind, Scope, Target, bullet_by_tests, nearest,
    normal_line,
};
use crate::text::{Content, Span};

/// What one `@@` line names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Anchor {
    /// A section by title or path, or a block by ID.
    Node(NodeKind, Content),
    /// A bullet.
    Bullet(BulletTest),
    /// A slot of the front matter.
    Slot(Content),
    /// The one line with this text.
    Line(Content),
    /// A text behind the line numbers of a unified diff. It is the name of a section, or it is ignored.
    BehindNumbers(Content),
}

impl Anchor {
    /// Returns the name or line in the anchor; `None` for a bullet.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Node(_, name) | Self::Slot(name) | Self::Line(name) | Self::BehindNumbers(name) => Some(name),
            Self::Bullet(_) => None,
        }
    }
}

/// Reads an `@@` line of a hunk; `None` if it names nothing. The text behind the line numbers of a unified diff is an
/// anchor if it has a keyword, is a heading (diff tools put it there), or is the title of a section.
pub(super) fn read_anchor(line: PatchLine<'_>, hunk: &mut Hunk) -> Result<Option<Anchor>, PatchError> {
    let behind = behind_numbers(line);
    hunk.has_line_numbers |= behind.is_some();
    let text = behind.unwrap_or(line.text.strip_prefix("@@").unwrap_or(line.text).trim());
    // Some tools write `@@` at both ends of an anchor.
    let bare = text.trim_end_matches("@@").trim_end();
    Ok(keyword_anchor(text, line)?.or_else(|| match behind {
        _ if bare.is_empty() => None,
        None => Some(Anchor::Line(bare.into())),
        Some(_) if heading(bare).is_some() => Some(Anchor::Node(NodeKind::Section, bare.into())),
        Some(_) => Some(Anchor::BehindNumbers(bare.into())),
    }))
}

/// Returns the text behind `@@ -1,2 +3,4 @@`; `None` if there are no such line numbers.
fn behind_numbers(line: PatchLine<'_>) -> Option<&str> {
    let text = line.text.strip_prefix("@@").unwrap_or(line.text).trim();
    let (numbers, behind) = text.split_once("@@").unwrap_or((text, ""));
    let is_number = |word: &str| {
        let digits = word.strip_prefix(['-', '+']).unwrap_or_default();
        digits.split(',').all(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
    };
    (numbers.starts_with('-') && numbers.split_whitespace().all(is_number)).then_some(behind.trim())
}

/// The tests of a bullet that an anchor may have.
const ITEM_TESTS: &str = "`item: startsWith(\"…\")`, `item: contains(\"…\")` or `item: equals(\"…\")`";

/// Reads an anchor with a keyword, such as `section: NAME`; `None` if it has no keyword.
fn keyword_anchor(text: &str, line: PatchLine<'_>) -> Result<Option<Anchor>, PatchError> {
    let Some((keyword, name)) = text.split_once(':') else { return Ok(None) };
    let name = Content::from(name.trim_start());
    let is_empty = name.is_empty();
    let anchor = match keyword.trim_end().to_ascii_lowercase().as_str() {
        "section" => Anchor::Node(NodeKind::Section, name),
        "block" => Anchor::Node(NodeKind::Block, name),
        "slot" => Anchor::Slot(name),
        "tag" => Anchor::Bullet(BulletTest::Tag(name)),
        "key" => Anchor::Bullet(BulletTest::Key(name)),
        "item" => Anchor::Bullet(bullet_test(&name).ok_or_else(|| line.error(ITEM_TESTS))?),
        _ => return Ok(None),
    };
    if is_empty { Err(line.error("a name behind the colon")) } else { Ok(Some(anchor)) }
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

/// The lines of the document in which a hunk is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HunkScope<'a> {
    pub(super) part: Scope<'a>,
    /// Its lines, with the blank ones behind it.
    pub(super) lines: Range<usize>,
}

impl<'a> HunkScope<'a> {
    /// The whole document.
    pub(super) fn document(lines: &DocLines<'a>) -> Self {
        Self { part: Scope::Document, lines: 0..lines.len() }
    }

    pub(super) fn is_document(&self) -> bool {
        self.part == Scope::Document
    }
}

impl<'a> Planner<'a> {
    /// Finds the scope that a hunk's anchors name, outermost first.
    pub(super) fn scope(&self, hunk: &Hunk) -> Result<Found<HunkScope<'a>>, Refusal> {
        let mut scope = Found::exact(HunkScope::document(&self.lines));
        for anchor in &hunk.anchors {
            if let Anchor::Bullet(BulletTest::Key(key)) = anchor {
                self.view.check_key(key)?;
            }
            scope = self.anchor_scope(anchor, &scope.at)?.with_earlier(scope.healed);
        }
        Ok(scope)
    }

    /// Finds the scope that an anchor names, inside of the scope `around`.
    fn anchor_scope(&self, anchor: &Anchor, around: &HunkScope<'a>) -> Result<Found<HunkScope<'a>>, LocateError> {
        let span = self.lines.span(&around.lines);
        let found = match anchor {
            Anchor::Node(kind, name) => self.names.scope(*kind, name, span)?,
            Anchor::Bullet(test) => self.bullet(test, span)?,
            Anchor::Slot(name) => self.names.slot(name, span)?.map(|slot| Scope::Slot(slot.line)),
            Anchor::Line(text) => self.line(text.trim(), around)?,
            Anchor::BehindNumbers(name) => match self.names.without_help(|| self.names.section(name, span)) {
                Err(LocateError::NotFound { .. }) => Found::exact(around.part),
                section => section?.map(Scope::Section),
            },
        };
        Ok(found.map(|part| {
            let own = self.doc.line_range(part.span(self.doc));
            let end = (own.end..around.lines.end).find(|line| !self.lines.is_blank(*line));
            HunkScope { part, lines: own.start..end.unwrap_or(around.lines.end) }
        }))
    }

    fn bullet(&self, test: &BulletTest, within: Span) -> Result<Found<Scope<'a>>, LocateError> {
        let bullets: Vec<_> = self.doc.bullets_within(within).collect();
        let what = Target::Bullet(test.to_string().into());
        Ok(bullet_by_tests(&self.names, &bullets, std::slice::from_ref(test), what)?.map(Scope::Bullet))
    }

    /// Finds the scope that a text names: that of the one line with this text, or if there is none, the one that is
    /// [called so](Self::called).
    fn line(&self, text: &str, around: &HunkScope<'a>) -> Result<Found<Scope<'a>>, LocateError> {
        let (doc, lines, span) = (self.doc, &self.lines, self.lines.span(&around.lines));
        let found = self.lines_reading(text, &around.lines);
        if found.at.is_empty()
            && let Some(named) = self.called(text, span)
        {
            return named;
        }
        let scope = |line: usize| Scope::of_line(doc, doc.line_start(line));
        // The fix for one of several lines is the path, ID or key of the node that begins on it.
        let fix = |line: &usize| match scope(*line) {
            Scope::Section(section) => Fix::section(Some(section)),
            Scope::Block(block) => Some(Fix::NameBlock(block.id().into())),
            Scope::Bullet(bullet) => Some(Fix::UseKey(bullet.key().into())),
            _ => None,
        };
        let found =
            self.names.only(Target::Lines(vec![text.into()]), found, |line| lines.span(&(*line..line + 1)), fix);
        Ok(self.names.helped(found, || nearest(lines, &around.lines, &[text]))?.map(scope))
    }

    /// Returns the lines that read like a text: exactly or, if there are none, in normal form. The end of the front matter is
    /// no such line.
    fn lines_reading(&self, text: &str, within: &Range<usize>) -> Found<Vec<usize>> {
        let (doc, lines) = (self.doc, &self.lines);
        let front = doc.outline().front_matter.map_or(0..0, |span| doc.line_range(span));
        let is_end = |line: usize| text == "---" && front.contains(&line) && line > 0;
        let may_be = |line: &usize| !(lines.is_fenced(*line) || lines.is_blank(*line) || is_end(*line));
        let reading = |reads: &dyn Fn(&str) -> bool| -> Vec<usize> {
            within.clone().filter(|line| reads(doc.line_text(*line).trim())).filter(may_be).collect()
        };
        let exact = reading(&|line| line == text);
        if !exact.is_empty() || !doc.heals() {
            return Found::exact(exact);
        }
        let sought = normal_line(text);
        Found { at: reading(&|line| normal_line(line) == sought), healed: vec![Leniency::Punctuation] }
    }

    /// Finds the scope that is called `text`: the section with this heading, or the section or block with this title; if
    /// nothing is called so, the one bullet of which it is the whole content. `None` if there is none of these.
    fn called(&self, text: &str, within: Span) -> Option<Result<Found<Scope<'a>>, LocateError>> {
        if heading(text).is_some() {
            return Some(self.names.section(text, within).map(|section| section.map(Scope::Section)));
        }
        if !self.doc.heals() {
            return None;
        }
        if let Some(titled) = self.names.titled_scope(text, within) {
            return Some(titled.map(|scope| scope.with_earlier(vec![Leniency::TitleMarks])));
        }
        self.names.without_help(|| {
            let is_absent = |kind| self.names.scope(kind, text, within).is_err_and(|error| error.is_absence());
            let is_free = is_absent(NodeKind::Section) && is_absent(NodeKind::Block);
            let bullet = is_free.then(|| self.bullet(&BulletTest::Equals(text.into()), within))?.ok()?;
            Some(Ok(bullet.with_earlier(vec![Leniency::BulletForm])))
        })
    }
}
