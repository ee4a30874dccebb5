//! The way back: what takes a group of entries back in one document, carried over all that was done to it later.
//!
//! It is found by going back from the text that stands there now, entry by entry. So what was written later is told from what
//! stood there before, even where it reads the same; and a document that was deleted and made anew is another one. An entry
//! that was itself taken back counts as never made, with what took it back: what lies between is carried to where it was not.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::super::deed::{Deed, Way};
use super::super::journal::{Entry, EntryKind, ReplayError, Seq, SeqRange, Splice, inverse, text_before};
use super::super::{Actor, DocName, Memory, MemoryError};
use super::tip;
use crate::document::MemoryDoc;
use crate::edit::{Edit, Whose};
use crate::request::{ActivityLine, Known, Refusal, RequestError, Restore};
use crate::text::{Content, Revision};

/// How often changes are carried over others at most, to find out what there would be without an edit that was taken back.
const BUDGET: usize = 4096;

impl Memory {
    /// Returns what takes back the changes that a group made to a document, for `actor`; `None` if they come to nothing.
    ///
    /// # Errors
    ///
    /// `NotRebased`: the document was deleted, or made anew, since. What it takes was erased, or does not fit; the store cannot be
    /// read.
    pub(super) fn back(&self, document: &DocName, group: SeqRange, actor: &Actor) -> Result<Option<Deed>, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let (stored, tip) = (snapshot.of(document), tip(&snapshot, document));
        let text = stored.and_then(|stored| stored.text.as_deref()).map(str::to_owned);
        let walk = self.walked(document, group, Walk::new(text, actor), tip)?;
        if walk.is_taken_back(group) {
            // Somebody has taken it back since it was looked for.
            return Err(MemoryError::Contended { document: document.clone() });
        }
        let way = match walk.way(|text| MemoryDoc::with_rules(text, self.rules_of(document).clone())) {
            Found::Way(way) => way,
            Found::Nothing => return Ok(None),
            Found::Overtaken => {
                let error = RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() });
                let current = self.parse(document, stored);
                return Err(MemoryError::NotRebased { document: document.clone(), error, current });
            }
        };
        let tip = tip.filter(|_| !matches!(way, Way::Anew(_)));
        Ok(Some(Deed { document: document.clone(), tip, way }))
    }

    /// Goes back from the last entry of a document to before a group.
    fn walked<'a>(
        &self,
        document: &DocName,
        group: SeqRange,
        mut walk: Walk<'a>,
        tip: Option<Seq>,
    ) -> Result<Walk<'a>, MemoryError> {
        self.walk_back(document, tip, &mut |entry| {
            if entry.seq() < group.first() {
                return Ok(ControlFlow::Break(()));
            }
            if group.contains(entry.seq()) {
                walk.take_back(&entry, document)?;
            } else {
                walk.go_back(self.step(&entry, document, walk.text.as_deref())?);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(walk)
    }

    /// Returns what an entry did to a document, whose text after it is `text`.
    fn step(&self, entry: &Entry, document: &DocName, text: Option<&str>) -> Result<Step, MemoryError> {
        let link = entry.link(document);
        let before = match (entry.splices(document), link.and_then(|link| entry.previous_of(link))) {
            // A redaction says what the text is, and not what was done to it.
            (None, Some(previous)) => self.text_after(document, self.entry(previous)?)?,
            _ => text_before(entry, document, text)?,
        };
        let [old, new] = [before.as_deref(), text].map(Option::unwrap_or_default);
        let edit = match entry.splices(document) {
            Some(splices) => {
                let known = entry.state(document).and_then(|state| state.base);
                let puts = splices.iter().map(|splice| (splice.covered(), &*splice.added));
                Edit::putting(known.unwrap_or_else(|| Revision::of(old)), puts)
            }
            None => Edit::between(&MemoryDoc::parse(old), &MemoryDoc::parse(new)),
        };
        let makes_or_ends = link.is_none_or(|link| link.base.is_absent() || link.new.is_absent());
        let (group, undoes) = (entry.group().first(), entry.header().undoes);
        Ok(Step { before, change: Change { edit, group, undoes, makes_or_ends } })
    }
}

/// What an entry did to a document.
struct Step {
    /// The text before it; `None` if the document did not exist.
    before: Option<String>,
    change: Change,
}

/// A change that was made behind the group.
#[derive(Clone)]
struct Change {
    /// A document that does not exist has an empty text.
    edit: Edit,
    /// The first entry of its group.
    group: Seq,
    /// The first entry of the group that it took back.
    undoes: Option<Seq>,
    /// Whether the document did not exist before it, or not after it.
    makes_or_ends: bool,
}

/// A document on its way back.
struct Walk<'a> {
    /// Who goes back.
    actor: &'a Actor,
    /// The text after the next entry; `None` if the document did not exist.
    text: Option<String>,
    /// What was done to it after the next entry, in that order.
    since: VecDeque<Change>,
    taken: Option<Taken>,
    /// How often a change may still be carried to where another was not made.
    budget: usize,
}

/// What the group did to the document.
struct Taken {
    /// The text after it; `None` if the document did not exist.
    after: Option<String>,
    inverse: Edit,
    /// Whether it gave the document its name.
    is_named: bool,
    /// What takes back the line of the log that it wrote.
    unlogged: Option<ActivityLine>,
}

enum Found {
    Way(Way),
    Nothing,
    Overtaken,
}

impl<'a> Walk<'a> {
    /// Begins with the text that stands there now.
    const fn new(text: Option<String>, actor: &'a Actor) -> Self {
        Self { actor, text, since: VecDeque::new(), taken: None, budget: BUDGET }
    }

    /// Goes back over an entry behind the group.
    fn go_back(&mut self, step: Step) {
        let undoing = self.since.iter().position(|later| later.undoes == Some(step.change.group));
        let text = step.before.as_deref().unwrap_or_default();
        match undoing.and_then(|undoing| self.without(&step.change, undoing, text)) {
            Some(since) => self.since = since,
            None => self.since.push_front(step.change),
        }
        self.text = step.before;
    }

    /// Returns what was done later as it would have been without `change`, on `text`, and without what took it back; `None` if that
    /// does not come to the same text.
    fn without(&mut self, change: &Change, undoing: usize, text: &str) -> Option<VecDeque<Change>> {
        self.budget = self.budget.checked_sub(undoing)?;
        let mut inverse = change.edit.taken_back(text);
        let (mut without, mut with) = (VecDeque::with_capacity(self.since.len()), change.edit.clone());
        for later in self.since.iter().take(undoing) {
            let (carried, edit) = inverse.swapped(&later.edit).ok()?;
            with = with.followed_by(&later.edit);
            without.push_back(Change { edit, ..later.clone() });
            inverse = carried;
        }
        with = with.followed_by(&self.since.get(undoing)?.edit);
        let is_same =
            joined(&without).map_or_else(|| text.to_owned(), |edit| edit.apply_to(text)) == with.apply_to(text);
        without.extend(self.since.iter().skip(undoing + 1).cloned());
        is_same.then_some(without)
    }

    /// Reports whether a later entry took the group back, and was not taken back itself.
    fn is_taken_back(&self, group: SeqRange) -> bool {
        let is_undone = |first: Seq| self.since.iter().find(|later| later.undoes == Some(first));
        is_undone(group.first()).is_some_and(|undoing| is_undone(undoing.group).is_none())
    }

    /// Goes back over an entry of the group.
    fn take_back(&mut self, entry: &Entry, document: &DocName) -> Result<(), MemoryError> {
        let splices = entry.splices(document).ok_or(ReplayError::Erased(entry.seq()))?;
        let before = text_before(entry, document, self.text.as_deref())?;
        let inverse = inverse(splices).ok_or(ReplayError::Misfit(entry.seq()))?;
        let base = Revision::of(self.text.as_deref().unwrap_or_default());
        let puts = inverse.iter().map(|splice| (splice.covered(), &*splice.added));
        let whose = if entry.header().actor == *self.actor { Whose::Own } else { Whose::Others };
        let inverse = Edit::putting(base, puts).taking_back(whose);
        let is_log = *document == DocName::activity() && entry.header().kind == EntryKind::Note;
        let unlogged = is_log.then(|| unlogged(entry, splices));
        self.taken = Some(match self.taken.take() {
            Some(taken) => Taken { inverse: taken.inverse.then(&inverse), ..taken },
            None => {
                let is_named = entry.header().documents.iter().any(|link| link.new.is_absent());
                Taken { after: self.text.take(), inverse, is_named, unlogged }
            }
        });
        self.text = before;
        Ok(())
    }

    /// Returns what takes the group back. `doc` reads a text of the document.
    fn way(self, doc: impl Fn(&str) -> MemoryDoc) -> Found {
        let Some(Taken { after, inverse, is_named, unlogged }) = self.taken else { return Found::Nothing };
        match (self.text, after, unlogged) {
            (before, after, _) if before == after => Found::Nothing,
            (before, None, _) if self.since.is_empty() => Found::Way(Way::Create(before.unwrap_or_default().into())),
            _ if self.since.iter().any(|change| change.makes_or_ends) => Found::Overtaken,
            (None, Some(_), _) if self.since.is_empty() => Found::Way(Way::Delete),
            // What was written under the new name would stay there without the rest.
            (None, Some(_), _) if is_named => Found::Overtaken,
            // What the log gave up for want of room comes back where nothing was written since.
            (_, Some(_), Some(line)) if !self.since.is_empty() => Found::Way(Way::Anew(Box::new(line))),
            (_, None, _) => Found::Overtaken,
            (_, Some(after), _) => {
                let restore = Restore::new(inverse);
                let restore = joined(&self.since).into_iter().fold(restore, Restore::over);
                Found::Way(Way::Edit { known: Box::new(Known::of(&doc(&after))), restore: Box::new(restore) })
            }
        }
    }
}

/// Returns the one edit that does what these changes do; `None` if there are none.
fn joined(changes: &VecDeque<Change>) -> Option<Edit> {
    let mut edits = changes.iter().map(|change| &change.edit);
    let first = edits.next()?.clone();
    Some(edits.fold(first, |all, next| all.followed_by(next)))
}

/// Asks for the line of the log to go that an entry wrote. The heading of its day stays for the lines that were written below it
/// since.
fn unlogged(entry: &Entry, splices: &[Splice]) -> ActivityLine {
    let mut lines = splices.iter().flat_map(|splice| splice.added.split('\n'));
    let line = lines.rfind(|line| line.starts_with("- ")).unwrap_or_default();
    ActivityLine::gone(line.trim_end_matches('\r'), entry.time())
}
