//! The `+` lines of a hunk as they are written: as they were sent, but for the marker that a line lacks beside bullets, the
//! space before a whole line, and what was copied along from a view.

use std::ops::Range;

use super::planner::Planner;
use super::{Hunk, HunkLine, LineOp};
use crate::document::MemoryDoc;
use crate::edit::compose::{Prefixes, adopt_marker, bullets_at};
use crate::locate::{
    BulletLine, CopiedPrefixes, LineForm, RunPlace, Rung, Rungs, Scope, begin_alike, behind_space, kept_marker,
    view_prefix, without_doubled,
};

/// Lines to be written.
pub(super) struct Written {
    pub(super) lines: Vec<String>,
    /// Whether markers were added, or spaces before lines dropped.
    pub(super) is_healed: bool,
}

/// How the `+` lines of a hunk are read.
pub(super) struct Additions<'p, 'a> {
    planner: &'p Planner<'a>,
    place: RunPlace,
    copied: CopiedPrefixes,
    /// The lines that stand at the place.
    old: Vec<&'p HunkLine>,
}

impl<'p, 'a> Additions<'p, 'a> {
    /// Reads those of a hunk whose other lines stand at `place`.
    pub(super) fn at(planner: &'p Planner<'a>, hunk: &'p Hunk, place: RunPlace) -> Self {
        let is_of_view = place.rungs.has(Rung::ViewPrefix);
        let prefix = |(line, index): (&'p HunkLine, usize)| {
            let is_label = planner.index.label(index).strip(&line.text).is_some();
            view_prefix(&line.text).filter(|_| is_label).map(|(prefix, _)| prefix)
        };
        let prefixes = hunk.old_lines().zip(place.first..).filter(|_| is_of_view).filter_map(prefix);
        let added = hunk.lines.iter().filter(|line| line.op == LineOp::Add).count();
        let copied = CopiedPrefixes::new(prefixes, added);
        Self { planner, place, copied, old: hunk.old_lines().collect() }
    }

    /// Reads those that come where the lines `gone` go.
    pub(super) fn for_lines(&self, gone: &Range<usize>) -> AddedRun<'_> {
        let (doc, index) = (self.planner.doc, &self.planner.index);
        let patterns = match gone.is_empty() {
            false => Patterns::Replaced(gone.clone().map(|line| self.pattern(line)).collect()),
            true => gone
                .start
                .checked_sub(1)
                .and_then(|above| index.bullet(above))
                .map_or(Patterns::None, |bullet| Patterns::Following(Prefixes::After(bullet))),
        };
        let patterns = if Rungs::heal(doc) { patterns } else { Patterns::None };
        let may_space = Rungs::heal(doc) && !index.is_set_in(gone);
        AddedRun { patterns, may_space, rungs: self.place.rungs, form: self.place.form, copied: Some(&self.copied) }
    }

    /// Returns the bullet that a line which goes begins, and how the hunk wrote its marker.
    fn pattern(&self, index: usize) -> Option<Pattern<'a>> {
        let bullet = self.planner.index.bullet_line(index)?;
        let line = self.old.get(index - self.place.first)?;
        let is_whole = self.place.form == LineForm::Whole && line.op == LineOp::Delete;
        let unmarked = self.place.rungs.without(Rung::BulletMarker);
        let is_marked = !is_whole || self.planner.index.reads(&line.text, index, unmarked);
        let lacks_marker = self.place.form == LineForm::Content || !is_marked;
        Some(Pattern { line: self.planner.index.text(index), bullet, lacks_marker })
    }
}

impl<'a> AddedRun<'a> {
    /// Reads `+` lines that go to the end of a scope, at `at`.
    pub(super) fn appended(doc: &'a MemoryDoc, scope: Scope<'a>, at: usize) -> Self {
        Self::following(doc, bullets_at(doc, scope, at))
    }

    /// Reads `+` lines that go on with a list.
    pub(super) fn following(doc: &'a MemoryDoc, prefixes: Option<Prefixes<'a>>) -> Self {
        let heals = Rungs::heal(doc);
        let prefixes = prefixes.filter(|_| heals);
        // Where bullets are indented by one space, that space is no operator's.
        let is_set_in = prefixes.as_ref().is_some_and(|prefixes| behind_space(&prefixes.nth(1)).is_some());
        let patterns = prefixes.map_or(Patterns::None, Patterns::Following);
        Self { patterns, may_space: heals && !is_set_in, rungs: Rungs::NONE, form: LineForm::Whole, copied: None }
    }
}

/// A bullet's line that goes.
struct Pattern<'a> {
    line: &'a str,
    bullet: BulletLine<'a>,
    /// Whether the hunk wrote it without its marker.
    lacks_marker: bool,
}

/// What written lines take their markers from.
enum Patterns<'a> {
    None,
    /// The lines that go, each for the one that comes in its place, the last for all behind it.
    Replaced(Vec<Option<Pattern<'a>>>),
    /// The list that they go on with.
    Following(Prefixes<'a>),
}

/// How the lines of one run are written, all of them together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// One brings its marker.
    Marked,
    /// None does, and one has a space where its marker would be.
    Spaced,
    Plain,
}

/// The `+` lines of one run.
pub(super) struct AddedRun<'a> {
    patterns: Patterns<'a>,
    /// Whether a space before a whole line is one too many.
    may_space: bool,
    rungs: Rungs,
    /// How the lines that go were read.
    form: LineForm,
    copied: Option<&'a CopiedPrefixes>,
}

impl AddedRun<'_> {
    /// Returns how many bytes may come before each line that is written, at most.
    pub(super) fn indentation(&self) -> usize {
        let of_pattern = |pattern: &Pattern<'_>| pattern.bullet.indentation.len();
        match &self.patterns {
            Patterns::None => 0,
            Patterns::Replaced(replaced) => replaced.iter().flatten().map(of_pattern).max().unwrap_or(0),
            Patterns::Following(prefixes) => prefixes.nth(1).len(),
        }
    }

    /// Returns the lines as they are written.
    pub(super) fn write(&self, added: &[&HunkLine]) -> Written {
        let texts: Vec<String> = added.iter().map(|line| self.read(&line.text)).collect();
        let style = match texts.iter().enumerate().any(|(nth, text)| self.brings_marker(text, nth)) {
            true => Style::Marked,
            false if texts.iter().any(|text| behind_space(text).is_some()) => Style::Spaced,
            false => Style::Plain,
        };
        let mut written = Written { lines: Vec::with_capacity(texts.len()), is_healed: false };
        let mut bullets = 0;
        for (nth, text) in texts.iter().enumerate() {
            let line = self.line(text, nth, style, &mut bullets);
            written.is_healed |= line != *text;
            written.lines.push(line);
        }
        written
    }

    /// Reads one `+` line on the rungs that the others of the hunk needed. It is one line, whatever it holds: an escaped line end
    /// stands for its own, and one inside is a text such as `C:\new`.
    fn read(&self, text: &str) -> String {
        let read = self.rungs.read(text);
        let line = Some(read.trim_end_matches('\n')).filter(|line| !line.contains('\n')).unwrap_or(text);
        self.copied.map_or(line, |copied| copied.strip(line)).to_owned()
    }

    /// Reports whether a line comes with a marker of its own, in full.
    fn brings_marker(&self, text: &str, nth: usize) -> bool {
        !text.starts_with(' ') && kept_marker(text, &self.own(nth)).is_some()
    }

    /// Returns the marker of the list that the `nth` line goes into.
    fn own(&self, nth: usize) -> String {
        match &self.patterns {
            Patterns::None => "-".to_owned(),
            Patterns::Replaced(_) => self.pattern(nth).map_or("-", |pattern| pattern.bullet.marker).to_owned(),
            Patterns::Following(prefixes) => {
                let prefix = prefixes.nth(1);
                BulletLine::read(&prefix).map_or("-", |line| line.marker).to_owned()
            }
        }
    }

    fn pattern(&self, nth: usize) -> Option<&Pattern<'_>> {
        match &self.patterns {
            Patterns::Replaced(replaced) => replaced.get(nth.min(replaced.len().saturating_sub(1)))?.as_ref(),
            _ => None,
        }
    }

    /// Returns a line that begins as the content does which it replaces, with a sign or what looks like a marker: it is content too.
    fn as_content(&self, text: &str, nth: usize) -> Option<String> {
        let pattern = self.pattern(nth).filter(|_| self.form == LineForm::Content)?;
        let body = behind_space(text).filter(|body| begin_alike(body, pattern.bullet.rest))?;
        Some([pattern.line.get(..pattern.bullet.rest_start)?, body].concat())
    }

    /// Returns a line as it is written; `bullets` counts those that go on with a list.
    fn line(&self, text: &str, nth: usize, style: Style, bullets: &mut usize) -> String {
        if let Some(written) = self.as_content(text, nth) {
            return written;
        }
        let behind = if self.form == LineForm::Spaced { text.strip_prefix(' ') } else { behind_space(text) };
        let spaced = behind.filter(|rest| kept_marker(rest, &self.own(nth)).is_some());
        if let Some(whole) = spaced.filter(|_| self.may_space) {
            return whole.to_owned();
        }
        let (body, lacks_marker) = match self.pattern(nth) {
            Some(pattern) if pattern.lacks_marker && !text.starts_with("  ") => (Some(text), true),
            _ => (behind_space(text), false),
        };
        let body = body.filter(|body| lacks_marker || kept_marker(body, &self.own(nth)).is_none());
        match (&self.patterns, body) {
            (Patterns::Replaced(replaced), Some(body)) => match self.pattern(nth) {
                // Beside lines in full, one that replaces no bullet is what it says.
                Some(pattern) if lacks_marker || nth < replaced.len() || style != Style::Marked => {
                    let body = without_doubled(body).unwrap_or_else(|| body.to_owned());
                    adopt_marker(pattern.line, &body)
                }
                _ => text.to_owned(),
            },
            (Patterns::Following(prefixes), Some(body)) if style != Style::Marked => {
                *bullets += 1;
                format!("{}{body}", prefixes.nth(*bullets))
            }
            // A line below a bullet whose marker was left out is as far in as it was meant.
            (Patterns::Replaced(_), None)
                if style == Style::Spaced && self.pattern(nth).is_some_and(|pattern| pattern.lacks_marker) =>
            {
                text.strip_prefix(' ').unwrap_or(text).to_owned()
            }
            _ => text.to_owned(),
        }
    }
}
