//! Undo: a new edit takes back what an entry did and keeps what came later, or is refused.
//!
//! For each document, the edit that restores the text before the entry is made on the text after the entry. It is
//! then carried over each later entry, one after the other, as a stale edit is. A document that was deleted and
//! created again counts as another document.

use std::iter;

use litemap::LiteMap;
use serde_json::json;

use crate::document::MemoryDoc;
use crate::edit::{Conflict, Edit, Since, Whose, carried};
use crate::locate::Code;
use crate::memory::commit::{Order, Remark};
use crate::memory::history::TextWalk;
use crate::memory::history::diff::{PastTexts, lines};
use crate::memory::journal::{
    DocumentLink, Entry, EntryKind, LinkKind, ReplayError, Seq, Splice, inverse, text_after, text_before,
};
use crate::memory::tries::until_free;
use crate::memory::{Actor, Applied, DocName, Memory, MemoryError, Operation, Origin, RequestId};
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
            match self.reversal(&entry, &origin.actor)? {
                Reversal::Already(by) => Ok(Undone::Already(by)),
                Reversal::By(operations) if operations.is_empty() => Ok(Undone::NoChange),
                Reversal::By(operations) => {
                    let remark = Some(&Remark { undoes: Some(entry.seq()), ..Remark::default() });
                    let order = Order { expected_head, remark, ..Order::new(origin, request) };
                    Ok(Undone::Made(self.apply_as(&operations, &order)?.applied))
                }
            }
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

    /// Returns what undoes an entry, for `actor`: an operation for each document that it changed. The line in `activity`
    /// about a note stays.
    fn reversal(&self, entry: &Entry, actor: &Actor) -> Result<Reversal, MemoryError> {
        if entry.header().kind == EntryKind::Genesis {
            return Err(MemoryError::unknown_entry(entry.seq()));
        }
        let is_note = entry.header().kind == EntryKind::Note;
        let names = entry.header().documents.iter().map(|link| &link.name);
        let names = names.filter(|name| !is_note || **name != DocName::activity());
        let reversals: Vec<_> = names.map(|document| self.reversal_in(document, entry, actor)).collect();
        let undo = |one: &Result<Reversal, _>| if let Ok(Reversal::Already(by)) = one { Some(*by) } else { None };
        // If the entry was undone in one document, it is undone: that undo need not have changed the others.
        if let Some(by) = reversals.iter().filter_map(undo).max() {
            return Ok(Reversal::Already(by));
        }
        let mut operations = Vec::new();
        for one in reversals {
            let Reversal::By(own) = one? else { continue };
            operations.extend(own);
        }
        operations.sort_by(|one, other| one.document.cmp(&other.document));
        Ok(Reversal::By(operations))
    }

    /// Returns the latest entry of this actor that changed a document, is no undo, and is not undone. If this request
    /// was committed before, and its answer was lost, returns the undo that the request made.
    fn last_of(&self, actor: &Actor, request: Option<RequestId>) -> Result<Entry, MemoryError> {
        let mut undoings = Undoings::default();
        for entry in self.latest_first(Seq::default())? {
            let entry = entry?;
            let header = entry.header();
            let is_own = header.actor == *actor && header.kind != EntryKind::Genesis && has_changed_a_document(&entry);
            let is_wanted = match header.undoes {
                Some(_) => request.is_some_and(|request| entry.is_of(request)),
                None => undoings.by(&entry).is_none(),
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

/// What is to be done to undo an entry.
enum Reversal {
    /// Nothing: this entry has undone it already.
    Already(Seq),
    /// These operations; none, if nothing would change.
    By(Vec<Operation<'static>>),
}

/// Returns true if an entry has changed the text of a document.
fn has_changed_a_document(entry: &Entry) -> bool {
    let mut names = entry.header().documents.iter().map(|link| &link.name);
    names.any(|name| entry.splices(name).is_none_or(|splices| !splices.is_empty()))
}

/// Which entries were undone, according to the later entries. Entries must be seen latest first.
#[derive(Debug, Default)]
pub(crate) struct Undoings {
    by: LiteMap<Seq, Seq>,
    /// In format 1, an undo takes back all entries of a commit, and names the first of them.
    of_commits: LiteMap<Seq, Seq>,
}

impl Undoings {
    pub(crate) fn see(&mut self, entry: &Entry) {
        // An undo that was undone itself does not count.
        if let Some(undone) = entry.header().undoes
            && self.by(entry).is_none()
        {
            let by = if entry.is_of_format_1() { &mut self.of_commits } else { &mut self.by };
            by.insert(undone, entry.seq());
        }
    }

    /// Returns the entry that undid this one.
    pub(crate) fn by(&self, entry: &Entry) -> Option<Seq> {
        self.by.get(&entry.seq()).or_else(|| self.of_commits.get(&entry.commit())).copied()
    }
}

/// How many splices of a conflicting undo are tried alone, to tell which of them could be undone.
const TRIED: usize = 256;

/// How many lines of each kind a message quotes, and how many characters of each.
const SHOWN: usize = 5;
const EXCERPT: usize = 80;

/// Returns `lead` and the first of some lines in quotes; an empty text if there are no lines.
fn quoted(lead: &str, lines: &[Content]) -> String {
    let shown = lines.iter().take(SHOWN).map(|line| format!("`{}`", excerpt(line, EXCERPT)));
    let more = lines.len().checked_sub(SHOWN).filter(|more| *more > 0).map(|more| format!(" and {more} more"));
    let lead = if lines.is_empty() { "" } else { lead };
    format!("{lead}{}{}", shown.collect::<Vec<_>>().join(", "), more.unwrap_or_default())
}

impl Memory {
    /// Returns what undoes the changes that an entry made to a document, for `actor`.
    ///
    /// # Errors
    ///
    /// `conflict`: a later entry is in the way. `NotRebased`: the history of the document does not lead back to the
    /// entry. An entry that is needed was erased, or does not fit; the store cannot be read.
    fn reversal_in(&self, document: &DocName, target: &Entry, actor: &Actor) -> Result<Reversal, MemoryError> {
        let DocumentSince { after, later, undone_by, current } = self.since(target, document)?;
        if let Some(by) = undone_by {
            return Ok(Reversal::Already(by));
        }
        let undoes = |entry: &Entry, other: &Entry| entry.header().undoes == Some(other.commit());
        let is_redo = |entry: &&Entry| later.iter().any(|by| undoes(entry, by) && undoes(by, target));
        if let Some(redo) = later.iter().rfind(is_redo) {
            // The undo of the entry was undone itself, by `redo`: that is the entry to undo.
            return self.reversal_in(document, redo, actor);
        }
        let Some(after) = after else { return Err(MemoryError::overtaken(document, current)) };
        let splices = target.splices(document).ok_or(ReplayError::Erased(target.seq()))?;
        let before = text_before(target, document, after.as_deref())?;
        if before == after {
            return Ok(Reversal::By(Vec::new()));
        }
        let later = without_undone_pairs(&later, document, target);
        if before.is_none() && later.is_empty() {
            return Ok(Reversal::By(vec![Operation::delete(document.clone())]));
        }
        let is_end = |entry: &&Entry| entry.link(document).is_none_or(|link| link.kind != LinkKind::Changed);
        // A document that got its name by the entry is not emptied: the text that was written later would stay under the
        // new name.
        let is_new_name = before.is_none() && target.header().documents.iter().any(DocumentLink::is_deletion);
        if let Some(by) = later.iter().rfind(is_end).or(later.first().filter(|_| is_new_name)) {
            return Err(self.in_the_way(by, document)?);
        }
        let made = MemoryDoc::with_rules(after.unwrap_or_default(), current.rules().clone());
        let back = inverse(splices).ok_or(ReplayError::Misfit(target.seq()))?;
        let puts = back.iter().map(|splice| (splice.covered(), &*splice.added));
        let whose = if target.header().actor == *actor { Whose::Own } else { Whose::Others };
        let back = Edit::of_replacements(made.revision(), puts).into_inversion(whose);
        let undo = PlannedUndo { document, made, back, later, current };
        Ok(Reversal::By(vec![Operation::planned(document.clone(), undo.carried()?)]))
    }

    /// Walks back through the history of a document to an entry.
    fn since(&self, target: &Entry, document: &DocName) -> Result<DocumentSince, MemoryError> {
        let stored = self.stored(document)?;
        let current = self.parse(&stored);
        let mut walk = TextWalk::of(self.store()?, stored);
        let (mut undoings, mut later) = (Undoings::default(), Vec::new());
        while let Some(entry) = walk.step()?
            && entry.seq() > target.seq()
        {
            undoings.see(&entry);
            later.push(entry);
        }
        later.reverse();
        let leads_back = walk.at.is_some_and(|entry| entry.seq() == target.seq());
        let after = leads_back.then_some(walk.text);
        Ok(DocumentSince { after, later, undone_by: undoings.by(target), current })
    }

    /// Returns the refusal that names the later entry, which created, deleted or edited a document, so that an earlier
    /// entry cannot be undone.
    fn in_the_way(&self, entry: &Entry, document: &DocName) -> Result<MemoryError, MemoryError> {
        let changed = PastTexts::of(self).changed(entry, document)?;
        let did = match entry.link(document).map(|link| link.kind) {
            Some(LinkKind::Created) => "created",
            Some(LinkKind::Deleted) => "deleted",
            _ => "edited",
        };
        let lines = quoted(": ", &[changed.added, changed.removed].concat());
        let (seq, code) = (entry.seq(), Code::Conflict);
        let message = format!("edit {seq} has {did} `{document}` since{lines}").into();
        Ok(MemoryError::Refused { document: Some(document.clone()), code, message })
    }
}

/// A document since an entry.
struct DocumentSince {
    /// The text after the entry, `Some(None)` if the document did not exist then; `None` if its history does not lead back
    /// to the entry.
    after: Option<Option<String>>,
    /// The entries that changed it since.
    later: Vec<Entry>,
    /// The entry that has undone the change.
    undone_by: Option<Seq>,
    current: MemoryDoc,
}

/// The edit of a document that undoes an entry, to be carried over the later entries.
struct PlannedUndo<'a> {
    document: &'a DocName,
    /// The document as the entry made it.
    made: MemoryDoc,
    /// The edit of `made` that undoes the entry.
    back: Edit,
    /// The entries that changed the document since.
    later: Vec<Entry>,
    current: MemoryDoc,
}

impl PlannedUndo<'_> {
    /// Carries the edit over to the current text.
    fn carried(&self) -> Result<Edit, MemoryError> {
        let (mut seen, mut edit) = (self.made.clone(), self.back.clone());
        for entry in &self.later {
            let text = text_after(entry, self.document, Some(seen.text()))?.unwrap_or_default();
            let now = MemoryDoc::with_rules(text, self.made.rules().clone());
            edit = carried(&seen, &edit, &now, Since::Entry)
                .map_err(|conflict| self.refusal(entry, &conflict, &seen, &now))?;
            seen = now;
        }
        Ok(edit)
    }

    /// Returns the refusal. It names the later entry in the way, which turned `seen` into `now`, the lines that it changed,
    /// and the lines that could be undone alone.
    fn refusal(&self, entry: &Entry, conflict: &Conflict, seen: &MemoryDoc, now: &MemoryDoc) -> MemoryError {
        let splices = entry.splices(self.document).unwrap_or_default();
        let written = inverse(splices).unwrap_or_default();
        let added = lines(now.text(), written.iter().map(Splice::covered));
        let changed = [added, lines(seen.text(), splices.iter().map(Splice::covered))].concat();
        let mut by = lines(now.text(), iter::once(now.lines().span(&conflict.now)));
        by.retain(|line| changed.is_empty() || changed.contains(line));
        let by = if by.is_empty() { changed } else { by };
        let (alone, kept): (Vec<_>, Vec<_>) = self.back.splices().iter().take(TRIED).partition(|splice| {
            let alone = Edit::of_replacements(self.back.base(), [(splice.span, &*splice.text)].into_iter());
            carried(&self.made, &alone, &self.current, Since::Session).is_ok()
        });
        let texts = |span: Span, text: &str| match is_blank(span.of(self.made.text())) {
            true => lines(text, iter::once(Span::new(0, text.len()))),
            false => lines(self.made.text(), iter::once(span)),
        };
        // A line that was moved is taken back in both places or in none.
        let kept: Vec<_> = kept.into_iter().flat_map(|splice| texts(splice.span, &splice.text)).collect();
        let free = alone.into_iter().flat_map(|splice| texts(splice.span, &splice.text));
        let free: Vec<_> = free.filter(|line| !kept.contains(line)).collect();
        let (by, free) = (quoted(": ", &by), quoted("; what could be taken back alone: ", &free));
        let (entry, document) = (entry.seq(), Some(self.document.clone()));
        let message = format!("edit {entry} has changed lines of it since, or what they stand below{by}{free}").into();
        MemoryError::Refused { document, code: Code::Conflict, message }
    }
}

/// Returns the later entries without pairs of an entry and its undo, if the undo came next and the text was then the
/// same again: such a pair changed nothing.
fn without_undone_pairs(later: &[Entry], document: &DocName, target: &Entry) -> Vec<Entry> {
    let mut kept: Vec<Entry> = Vec::new();
    for entry in later {
        let before = kept.iter().rev().nth(1).unwrap_or(target).revision(document);
        let is_undone = kept.last().is_some_and(|last| entry.header().undoes == Some(last.commit()));
        match is_undone && entry.has_lookup() && entry.revision(document) == before {
            true => drop(kept.pop()),
            false => kept.push(entry.clone()),
        }
    }
    kept
}
