//! Undo: a new edit takes back what an entry did and keeps what came later, or is refused.
//!
//! For each document, the edit that restores the text before the entry is made on the text after the entry. It is
//! then carried over each later entry, one after the other, as a stale edit is. A document that was deleted and
//! created again counts as another document.

use std::iter;

use litemap::LiteMap;
use serde_json::json;

use crate::document::MemoryDoc;
use crate::edit::{Edit, Since, Splice, Whose, carried};
use crate::locate::Code;
use crate::memory::commit::{Order, Remark};
use crate::memory::history::TextWalk;
use crate::memory::history::diff::{ChangedDocument, PastTexts, lines};
use crate::memory::journal::{
    DocumentLink, Entry, EntryKind, LinkKind, ReplayError, Seq, inverse, text_after, text_before,
};
use crate::memory::tries::until_free;
use crate::memory::{Actor, Applied, DocName, Memory, MemoryError, Operation, Origin, RequestId, Stored};
use crate::text::{Content, Span, excerpt, is_blank};

/// What to take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The latest entry of the origin's actor that changed a document, is no undo, and is not undone. With `Origin::host`
    /// it is the host's own latest edit, not the latest of all.
    Last,
    /// The entry of this number.
    Entry(Seq),
}

/// The outcome of an undo.
#[derive(Clone, Debug)]
pub enum Undone {
    /// It was made, with this result for each document.
    Made(Vec<Applied>),
    /// The entry is undone already, by this one.
    Already(Seq),
    /// The entry changed no document.
    NoChange,
}

impl Memory {
    /// Takes back what an entry did to documents, by a new edit which can be undone itself.
    ///
    /// What was done later stays, and so does the line in `activity` about a note. If a later entry has changed the
    /// same lines, nothing is changed.
    ///
    /// # Errors
    ///
    /// There is no such entry; an entry that is needed was erased; `conflict`: later edits changed the same lines, or
    /// the headings or bullets above them; an edit by `origin` would be refused; the store failed.
    pub fn undo(&self, which: Undo, origin: &Origin) -> Result<Undone, MemoryError> {
        let arguments = match which {
            Undo::Entry(seq) => json!({"entry": seq.get()}),
            Undo::Last => json!({"entry": "last"}),
        };
        let request = RequestId::new("memory_undo", &arguments);
        until_free(|| {
            let expected_head = Some(self.head()?.seq);
            let entry = match which {
                Undo::Entry(seq) => self.entry(seq)?,
                Undo::Last => self.last_of(&origin.actor, request.by(origin))?,
            };
            if which == Undo::Last && entry.header().undoes.is_some() {
                return Ok(Undone::Already(entry.seq()));
            }
            let operations = self.reversal(&entry, &origin.actor);
            // Its undo is in the way of another one, so this is checked first, and on the entries that there are by now.
            if let Some(by) = self.undone_by(&entry)? {
                return Ok(Undone::Already(by));
            }
            let operations = operations?;
            if operations.is_empty() {
                return Ok(Undone::NoChange);
            }
            let remark = Some(&Remark { undoes: Some(entry.seq()), ..Remark::default() });
            let order = Order { expected_head, remark, ..Order::new(origin, request) };
            Ok(Undone::Made(self.apply_as(&operations, &order)?.applied))
        })
    }

    /// Returns what [`undo`](Self::undo) would change in each document as it is now.
    ///
    /// # Errors
    ///
    /// Those of `undo`.
    pub fn would_undo(&self, which: Undo, origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        match self.undo(which, &origin.trial())? {
            Undone::Made(planned) => Ok(planned),
            Undone::Already(_) | Undone::NoChange => Ok(Vec::new()),
        }
    }

    /// Returns what undoes an entry, for `actor`: an operation for each document that would change. The line in `activity`
    /// about a note stays.
    fn reversal(&self, entry: &Entry, actor: &Actor) -> Result<Vec<Operation<'static>>, MemoryError> {
        if entry.header().kind == EntryKind::Genesis {
            return Err(MemoryError::unknown_entry(entry.seq()));
        }
        let is_note = entry.header().kind == EntryKind::Note;
        let names = entry.header().documents.iter().map(|link| &link.name);
        let names = names.filter(|name| !is_note || **name != DocName::activity());
        let operations = names.filter_map(|document| self.reversal_in(document, entry, actor).transpose());
        let mut operations: Vec<_> = operations.collect::<Result<_, _>>()?;
        operations.sort_by(|one, other| one.document.cmp(&other.document));
        Ok(operations)
    }

    /// Returns the entry that has undone this one.
    fn undone_by(&self, entry: &Entry) -> Result<Option<Seq>, MemoryError> {
        let mut undoings = Undoings::default();
        for later in self.latest_first(entry.seq())? {
            undoings.see(&later?);
        }
        Ok(undoings.by(entry.seq()))
    }

    /// Returns the latest entry of this actor that changed a document, is no undo, and is not undone. If this request
    /// was committed before, and its answer was lost, returns the undo that the request made.
    fn last_of(&self, actor: &Actor, request: Option<RequestId>) -> Result<Entry, MemoryError> {
        let mut undoings = Undoings::default();
        for entry in self.latest_first(Seq::default())? {
            let entry = entry?;
            let header = entry.header();
            let is_own = header.actor == *actor && header.kind != EntryKind::Genesis && !header.documents.is_empty();
            let is_wanted = match header.undoes {
                Some(_) => request.is_some_and(|request| entry.is_of(request)),
                None => undoings.by(entry.seq()).is_none(),
            };
            undoings.see(&entry);
            if is_own && is_wanted {
                return Ok(entry);
            }
        }
        let why = format!("there is no edit of `{actor}` that is not undone");
        Err(MemoryError::refused(Code::UnknownEntry, why))
    }
}

/// Which entries were undone, and by which entry. Entries must be seen latest first.
#[derive(Debug, Default)]
pub(crate) struct Undoings(LiteMap<Seq, Seq>);

impl Undoings {
    pub(crate) fn see(&mut self, entry: &Entry) {
        // An undo that was undone itself does not count.
        if let Some(undone) = entry.header().undoes
            && self.by(entry.seq()).is_none()
        {
            self.0.insert(undone, entry.seq());
        }
    }

    /// Returns the entry that undid the one of this number.
    pub(crate) fn by(&self, entry: Seq) -> Option<Seq> {
        self.0.get(&entry).copied()
    }
}

/// How many splices of a conflicting undo are tried alone, to tell which of them could be undone.
const TRIED: usize = 256;

/// How many lines of each kind a message quotes, and how many characters of each.
const SHOWN: usize = 5;
const EXCERPT: usize = 80;

impl Memory {
    /// Returns what undoes the changes that an entry made to a document, for `actor`; `None` if it made none.
    ///
    /// # Errors
    ///
    /// `conflict`: a later entry is in the way. `NotRebased`: the history of the document does not lead back to the
    /// entry. An entry that is needed was erased, or does not fit; the store cannot be read.
    fn reversal_in(
        &self,
        document: &DocName,
        target: &Entry,
        actor: &Actor,
    ) -> Result<Option<Operation<'static>>, MemoryError> {
        let stored = self.stored(document)?;
        let current = self.parse(&stored);
        let (after, later) = self.since(target, stored)?;
        let splices = target.splices(document).ok_or(ReplayError::Erased(target.seq()))?;
        let before = text_before(target, document, after.as_deref())?;
        if before == after {
            return Ok(None);
        }
        if before.is_none() && later.is_empty() {
            return Ok(Some(Operation::delete(document.clone())));
        }
        let is_end = |entry: &&Entry| entry.link(document).is_none_or(|link| link.kind != LinkKind::Changed);
        // A document that got its name by the entry is not emptied: the text that was written later would stay under the
        // new name.
        let is_new_name = before.is_none() && target.header().documents.iter().any(DocumentLink::is_deletion);
        if let Some(by) = later.iter().rfind(is_end).or(later.first().filter(|_| is_new_name)) {
            return Err(self.in_the_way(by, document, &[])?);
        }
        let made = MemoryDoc::with_rules(after.unwrap_or_default(), current.rules().clone());
        let splices = inverse(splices).ok_or(ReplayError::Misfit(target.seq()))?;
        let back = Edit::of_replacements(made.revision(), splices.iter().map(|own| (own.covered(), &*own.added)))
            .into_inversion(if target.header().actor == *actor { Whose::Own } else { Whose::Others });
        let (mut seen, mut edit) = (made.clone(), back.clone());
        for entry in &later {
            let text = text_after(entry, document, Some(seen.text()))?.unwrap_or_default();
            let now = MemoryDoc::with_rules(text, made.rules().clone());
            let Ok(next) = carried(&seen, &edit, &now, Since::Entry) else {
                let alone = lines_to_undo_alone(&made, &back, &current);
                return Err(self.in_the_way(entry, document, &alone)?);
            };
            (seen, edit) = (now, next);
        }
        Ok(Some(Operation::planned(document.clone(), edit)))
    }

    /// Returns the text of a document after an entry, and the later entries that changed it, the earliest first.
    ///
    /// # Errors
    ///
    /// `NotRebased`: the history of the document does not lead back to the entry. One that is needed cannot be read.
    fn since(&self, target: &Entry, stored: Stored) -> Result<(Option<String>, Vec<Entry>), MemoryError> {
        let (name, current) = (stored.name.clone(), self.parse(&stored));
        let (mut walk, mut later) = (TextWalk::of(self.store()?, stored), Vec::new());
        while let Some(entry) = walk.step()?
            && entry.seq() > target.seq()
        {
            later.push(entry);
        }
        later.reverse();
        match walk.at.is_some_and(|entry| entry.seq() == target.seq()) {
            true => Ok((walk.text, without_undone_pairs(later, &name, target))),
            false => Err(MemoryError::overtaken(&name, current)),
        }
    }

    /// Returns the refusal that names the later entry that keeps an earlier one from being undone, the lines that it
    /// changed, and those that could be taken back alone.
    fn in_the_way(&self, entry: &Entry, document: &DocName, alone: &[Content]) -> Result<MemoryError, MemoryError> {
        let ChangedDocument { added, removed, .. } = PastTexts::of(self).changed(entry, document)?;
        let changed = quoted(": ", &[added, removed].concat());
        let alone = quoted("; what could be taken back alone: ", alone);
        let message = format!("edit {} has changed `{document}` since{changed}{alone}", entry.seq());
        Ok(MemoryError::refused_in(document, Code::Conflict, message))
    }
}

/// Returns the lines of a conflicting undo that could be taken back alone. `back` is the undo, an edit of the text `made`.
fn lines_to_undo_alone(made: &MemoryDoc, back: &Edit, current: &MemoryDoc) -> Vec<Content> {
    let (alone, kept): (Vec<_>, Vec<_>) = back.splices().iter().take(TRIED).partition(|splice| {
        let alone = Edit::of_replacements(back.base(), [(splice.span, &*splice.text)].into_iter());
        carried(made, &alone, current, Since::Session).is_ok()
    });
    let texts = |splice: &Splice| match is_blank(splice.span.of(made.text())) {
        true => lines(&splice.text, iter::once(Span::new(0, splice.text.len()))),
        false => lines(made.text(), iter::once(splice.span)),
    };
    // A line that was moved is taken back in both places or in none.
    let kept: Vec<_> = kept.into_iter().flat_map(texts).collect();
    alone.into_iter().flat_map(texts).filter(|line| !kept.contains(line)).collect()
}

/// Returns `lead` and the first of some lines in quotes; an empty text if there are no lines.
fn quoted(lead: &str, lines: &[Content]) -> String {
    let shown = lines.iter().take(SHOWN).map(|line| format!("`{}`", excerpt(line, EXCERPT)));
    let more = lines.len().checked_sub(SHOWN).filter(|more| *more > 0).map(|more| format!(" and {more} more"));
    let lead = if lines.is_empty() { "" } else { lead };
    format!("{lead}{}{}", shown.collect::<Vec<_>>().join(", "), more.unwrap_or_default())
}

/// Returns the later entries without pairs of an entry and its undo, if the undo came next and the text was then the
/// same again: such a pair changed nothing.
fn without_undone_pairs(later: Vec<Entry>, document: &DocName, target: &Entry) -> Vec<Entry> {
    let mut kept: Vec<Entry> = Vec::new();
    for entry in later {
        let before = kept.iter().rev().nth(1).unwrap_or(target).revision(document);
        let is_undone = kept.last().is_some_and(|last| entry.header().undoes == Some(last.seq()));
        match is_undone && entry.has_lookup() && entry.revision(document) == before {
            true => drop(kept.pop()),
            false => kept.push(entry),
        }
    }
    kept
}
