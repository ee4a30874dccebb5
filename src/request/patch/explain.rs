//! The help for a hunk that was refused: the places that it matches, lines that are similar to its own, and a retry that
//! works.

use super::anchor::HunkScope;
use super::planner::Planner;
use super::search::{HunkMatch, Reading, old};
use super::{Hunk, LineOp, Refusal};
use crate::document::SectionRef;
use crate::locate::{Diagnostic, Fix, Leniency, LocateError, Matches, Reason, Target, nearest};
use crate::text::{Content, Span};

/// How many sections are offered for lines without a place.
const NAMED: usize = 5;
/// With more places than this, no retry is offered.
const TRIED: usize = 5;
/// How many lines may be added before a hunk to make it match only one place.
const CONTEXT: usize = 3;

impl<'a> Planner<'a> {
    /// The refusal of a hunk that matches several places. If there are only a few, it offers a retry for each: an anchor for
    /// its section or bullet, or more context lines before the hunk.
    pub(super) fn several(&self, hunk: &Hunk, places: &[HunkMatch]) -> LocateError {
        let (doc, lines) = (self.doc, &self.lines);
        let mut matches = Box::new(Matches::new(doc, places.iter().map(|found| lines.span(&found.range())).collect()));
        let before = |span: Span, count: usize| {
            let first = doc.line_index(span.start());
            Some(lines.texts(first.checked_sub(count)?..first).collect::<Vec<_>>())
        };
        // A line that is added before a bullet is not inside of it, so the bullet is no anchor for it.
        let is_before = hunk.lines.first().is_some_and(|line| line.op == LineOp::Add);
        let has_retry = matches.len() <= TRIED && self.names.helps.get();
        matches.offer(|span, matches| {
            if !has_retry || doc.reserved_section_at(span.start()).is_some() {
                return None;
            }
            let is_alone = |count: &usize| {
                let same = matches.spans().iter().filter(|other| before(**other, *count) == before(span, *count));
                same.count() == 1 && before(span, *count).is_some()
            };
            let bullet = doc.bullet_at(span.start()).filter(|bullet| bullet.extent.covers(span) && !is_before);
            let context = || before(span, (1..=CONTEXT).find(is_alone)?);
            let context = || Some(Fix::AddContext(context()?.into_iter().map(Content::from).collect()));
            // The number of a key is a place among equal bullets, which an edit of one of them changes: it comes last.
            matches.section_of(span).or_else(context).or_else(|| Some(Fix::UseKey(bullet?.key().into())))
        });
        LocateError::Ambiguous { what: target(hunk), matches }
    }

    /// The refusal of `+` lines without a place.
    pub(super) fn no_place(&self) -> Refusal {
        let is_open = |section: &SectionRef<'_>| self.doc.reserved_section_at(section.line.start()).is_none();
        let open = self.doc.sections().filter(is_open);
        Refusal::needs_anchor(open.filter_map(SectionRef::unique_name).take(NAMED).map(Content::from).collect(), None)
    }

    /// The refusal of a hunk that matches nothing in its scope. It tells where else the hunk matches, and shows similar
    /// lines.
    pub(super) fn not_found(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Refusal {
        let help = if self.names.helps.get() { self.help(hunk, scope) } else { Diagnostic::default() };
        LocateError::not_found(target(hunk), help).into()
    }

    fn help(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Diagnostic {
        let lines = &self.lines;
        let anywhere = Hunk { is_at_end_of_file: false, ..hunk.clone() };
        if hunk.is_at_end_of_file
            && let Ok(Some(found)) = self.search(&anywhere, scope)
        {
            return Diagnostic::because(Reason::at(found.run.first + 1, "not at the end of the document"));
        }
        let elsewhere = if scope.is_document() { Ok(None) } else { self.search(hunk, &HunkScope::document(lines)) };
        // The last reading is most likely the one that is meant: it drops the space that all lines begin with, if they do.
        let readings = Reading::all(hunk);
        let last = readings.iter().rfind(|reading| reading.healed != Some(Leniency::ViewPrefix));
        let old: Vec<&str> =
            last.into_iter().flat_map(|last| old(&last.lines)).map(|line| line.text.as_str()).collect();
        let help = nearest(lines, &scope.lines, &old);
        let Ok(Some(found)) = elsewhere else { return help };
        Diagnostic { closest: help.closest, ..Diagnostic::elsewhere(self.doc, self.doc.line_start(found.run.first)) }
    }
}

fn target(hunk: &Hunk) -> Target {
    Target::Lines(old(&hunk.lines).map(|line| line.text.clone()).collect())
}
