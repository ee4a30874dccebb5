//! The report of a compaction: what became of each bullet, told without the documents.

use super::ledger::{BulletOutcome, Ledger};
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::BeforeAfter;
use crate::text::{Content, Span, Timestamp};

/// A bullet of the old text, and what became of it; or one that the new text adds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulletReport {
    /// What became of it.
    pub outcome: BulletOutcome,
    /// Its line in the old text, from 1; of one that is new, none.
    pub line: Option<usize>,
    /// The name of its section, or the path if that of the other one is the same.
    pub section: Option<Content>,
    /// Its key, in the old text unless it is new.
    pub key: Option<Content>,
    /// What it says, with checkbox and tags.
    pub text: Content,
    /// The line of the new text, from 1, on which it, or the bullet with its content, stands.
    pub now: Option<usize>,
    /// The path of the section in which that stands, if it is another.
    pub now_section: Option<Content>,
}

/// What a compaction did, bullet by bullet. Reserved sections, which it cannot change, are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Every bullet of the old text, in its order, then those that the new text adds, in theirs.
    pub bullets: Vec<BulletReport>,
    /// The lines of the old text, from 1, that were no bullets and are gone: prose, code, headings. Blank ones do not count.
    pub other_lines: Vec<usize>,
    /// The lines of the new text, from 1, that are no bullets and are new.
    pub added_lines: Vec<usize>,
    /// The size in tokens.
    pub tokens: BeforeAfter,
    /// The size in bytes.
    pub bytes: BeforeAfter,
}

impl CompactionReport {
    /// Compares a text with what it was compacted to, at the time `now`.
    pub fn new(old: &MemoryDoc, new: &MemoryDoc, now: Timestamp) -> Self {
        let ledger = Ledger::of(old, new, now);
        let accounts = ledger.accounts.iter().map(|account| report(account.bullet, account.outcome, account.now));
        let added = ledger.added.iter().map(|bullet| report(*bullet, BulletOutcome::Added, Some(*bullet)));
        let numbers =
            |doc: &MemoryDoc, lines: &[Span]| lines.iter().map(|line| doc.line_number(line.start())).collect();
        Self {
            bullets: accounts.chain(added).collect(),
            other_lines: numbers(old, &ledger.lines_gone),
            added_lines: numbers(new, &ledger.lines_added),
            tokens: BeforeAfter { before: old.tokens(), after: new.tokens() },
            bytes: BeforeAfter { before: old.text().len(), after: new.text().len() },
        }
    }

    /// Counts the bullets of one outcome.
    pub fn count(&self, outcome: BulletOutcome) -> usize {
        self.bullets.iter().filter(|bullet| bullet.outcome == outcome).count()
    }
}

/// Returns the path of a section, unless that is long.
fn full_name(section: SectionRef<'_>) -> String {
    if section.has_long_path() { section.shown_name() } else { section.path() }
}

/// Returns the report of an old bullet, for which `now` stands, or of one that is new.
fn report(bullet: BulletRef<'_>, outcome: BulletOutcome, now: Option<BulletRef<'_>>) -> BulletReport {
    let sections = [Some(bullet), now].map(|bullet| bullet.and_then(BulletRef::section));
    let named = |name: fn(SectionRef<'_>) -> String| sections.map(|section| section.map(name).map(Content::from));
    let [mut section, mut now_section] = named(|section| section.shown_name());
    if outcome == BulletOutcome::Moved && section == now_section {
        // Two sections of one title, each the only one of its text.
        [section, now_section] = named(full_name);
    }
    BulletReport {
        outcome,
        line: (outcome != BulletOutcome::Added).then(|| bullet.line_number()),
        key: Some(bullet.key().into()),
        text: bullet.wording().into(),
        now: now.map(BulletRef::line_number),
        now_section: now_section.filter(|now| section.as_ref() != Some(now)),
        section,
    }
}
