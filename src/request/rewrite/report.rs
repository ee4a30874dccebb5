//! The report of a compaction: the outcome of each bullet. It can be read without the documents.

use super::ledger::{BulletOutcome, Ledger};
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::BeforeAfter;
use crate::text::{Content, Span, Timestamp};

/// A bullet of the old text with its outcome, or a bullet that the new text adds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulletReport {
    /// Its outcome.
    pub outcome: BulletOutcome,
    /// Its line in the old text, from 1; `None` for a new bullet.
    pub line: Option<usize>,
    /// The name of its section. It is the path if the bullet was moved to a section of the same name.
    pub section: Option<Content>,
    /// Its key in the old text; for a new bullet, in the new text.
    pub key: Option<Content>,
    /// Its text, with checkbox and tags.
    pub text: Content,
    /// The line of the new text, from 1, of the bullet, or of the bullet that has its content.
    pub now: Option<usize>,
    /// The name or path of the section of that line, if it is another section.
    pub now_section: Option<Content>,
}

/// What a compaction did, bullet by bullet. Reserved sections, which it cannot change, are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Every bullet of the old text, in its order, then those that the new text adds, in theirs.
    pub bullets: Vec<BulletReport>,
    /// The lines of the old text, from 1, that belonged to no bullet and are gone: prose, code and headings, but no blank
    /// lines.
    pub other_lines: Vec<usize>,
    /// The lines of the new text, from 1, that belong to no bullet and are new.
    pub added_lines: Vec<usize>,
    /// The size in tokens.
    pub tokens: BeforeAfter,
    /// The size in bytes.
    pub bytes: BeforeAfter,
}

impl CompactionReport {
    /// Compares a text with the compacted one, at the time `now`.
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

/// Returns the path of a section; its shown name if the path is long.
fn full_name(section: SectionRef<'_>) -> String {
    if section.has_long_path() { section.shown_name() } else { section.path() }
}

/// Returns the report of an old bullet with its successor `now`, or of a new bullet.
fn report(bullet: BulletRef<'_>, outcome: BulletOutcome, now: Option<BulletRef<'_>>) -> BulletReport {
    let sections = [Some(bullet), now].map(|bullet| bullet.and_then(BulletRef::section));
    let named = |name: fn(SectionRef<'_>) -> String| sections.map(|section| section.map(name).map(Content::from));
    let [mut section, mut now_section] = named(|section| section.shown_name());
    if outcome == BulletOutcome::Moved && section == now_section {
        // Each section has a name that is unique in its own text, but both names are the same.
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
