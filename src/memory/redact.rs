//! Redaction: texts are edited out of the documents, and everything is erased from the journal that could reveal
//! them.

use serde_json::json;

use super::commit::{Remark, commit, draft};
use super::journal::{Attempt, Entry, EntryKind, Erased, Header, Redaction, Redactor, Seq, SeqRange};
use super::tries::until_free;
use super::{
    Change, DocName, DocumentChange, Memory, MemoryError, Origin, RequestId, Snapshot, Store, StoreError, Stored,
    Unusable, random,
};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit};
use crate::locate::Code;

/// The mark that a document gets where a text was taken out.
const INSTEAD: &str = "(redacted)";

/// What a redaction did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redacted {
    /// The entry that records it.
    pub seq: Seq,
    /// The documents that the texts were edited out of.
    pub documents: Vec<DocName>,
    /// The entries of which parts were erased.
    pub erased: Erased,
    /// Entries whose headers hold one of the texts, as the name of an actor, a source or a document: a header cannot be erased.
    pub headers: Vec<SeqRange>,
    /// Lines of the journal that cannot be read and hold one of the texts, counted from 1: they are neither changed nor erased.
    pub unreadable: Vec<u64>,
    /// Files among the documents that cannot be read as one: they may hold the texts, and are not changed.
    pub unusable: Vec<Unusable>,
}

impl Memory {
    /// Removes `texts` from the documents. Erases from the journal the bodies of `entries`, every body that holds one
    /// of the texts, and every revision and request ID that was computed from one. The chain stays verifiable.
    ///
    /// Texts are compared byte for byte: another spelling has to be named, too. What was erased can be neither shown nor undone, and
    /// a retry of a call from before it is `Indeterminate`. It is not promised that nothing is left in blocks of a disk, backups,
    /// version control, replicas or logs.
    ///
    /// # Errors
    ///
    /// `origin` has not the host's authority; no text and no entry is named, or a text is blank; there is no such entry; a document
    /// would be invalid; `Contended`: a document is being changed from outside; the store failed.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{DocName, InMemoryStore, Memory, Origin, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// memory.write(&DocName::memory(), "- The PIN is 4711\n")?;
    /// memory.redact(&[], &["4711"], &Origin::host("privacy"))?;
    /// assert_eq!(memory.read(&DocName::memory())?.text(), "- The PIN is (redacted)\n");
    /// assert!(memory.verify(None)?.is_sound());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redact(&self, entries: &[Seq], texts: &[&str], origin: &Origin) -> Result<Redacted, MemoryError> {
        origin.check_host()?;
        if (entries.is_empty() && texts.is_empty()) || texts.iter().any(|text| text.trim().is_empty()) {
            return Err(MemoryError::refused(Code::InvalidArguments, "there is nothing to redact"));
        }
        entries.iter().try_for_each(|seq| self.entry(*seq).map(drop))?;
        until_free(|| self.redact_once(entries, texts, origin))
    }

    fn redact_once(&self, entries: &[Seq], texts: &[&str], origin: &Origin) -> Result<Redacted, MemoryError> {
        let store = self.begin()?;
        // Reading makes entries of what people have written: these must be searched, too.
        let searched = settled(store, &self.documents()?)?.head;
        let (redaction, unreadable) = redaction_of(store, entries, texts)?;
        let Redaction { erased, mut headers, snapshots, .. } = redaction;
        let mut names = [self.documents()?, snapshots.clone()].concat();
        names.sort_unstable();
        names.dedup();
        let snapshot = settled(store, &names)?;
        if snapshot.head != searched {
            return Err(MemoryError::Contended(DocName::memory()));
        }
        let concerned =
            snapshot.documents.iter().filter(|stored| snapshots.contains(&stored.name) || holds(stored, texts));
        let taken = concerned.filter_map(|stored| self.taken_out(stored, texts).transpose());
        let taken: Vec<DocumentChange> = taken.collect::<Result<_, _>>()?;
        let changed = taken.iter().filter(|own| own.splices.is_none()).map(|own| own.name.clone()).collect();
        let reason = origin.reason.as_deref().map(|reason| without(reason, texts).into());
        let origin = Origin { reason, ..Origin::new(origin.actor.clone(), without(&origin.tool, texts)) };
        let (header, body) = draft(Remark::of(EntryKind::Redaction), &origin)?;
        // The ID is random: one that is computed from the texts would confirm a guess of them.
        let request = RequestId::new("redact", &json!(Attempt::new(random::bytes()?)));
        let change = Change::new(request, Header { erased: erased.clone(), ..header }, body, taken)?
            .at(self.now())
            .looked_to(snapshot.head.seq)
            // Nobody may have written one of them anew between the search and the commit.
            .on_head(snapshot.head.seq);
        let seq = commit(store, &change, snapshot.head.seq)?.seq;
        self.cache().clear();
        if texts.iter().any(|text| origin.actor.as_str().contains(text)) {
            headers.insert(seq);
        }
        let (headers, unusable) = (headers.iter().collect(), store.unusable()?);
        Ok(Redacted { seq, documents: changed, erased, headers, unreadable, unusable })
    }

    /// Returns the change that takes texts out of a document; `None` if the document does not exist. The change records
    /// the whole new text. If something was taken out, it records no splices: they would hold the removed texts.
    fn taken_out(&self, stored: &Stored, texts: &[&str]) -> Result<Option<DocumentChange>, MemoryError> {
        let Some(text) = stored.text.as_deref() else { return Ok(None) };
        let without = without(text, texts);
        let is_changed = without != text;
        let doc = self.parse(stored);
        let wanted = MemoryDoc::with_rules(without, doc.rules().clone());
        if is_changed {
            let checked = doc.commit(&Edit::between(&doc, &wanted), Authority::Host);
            checked.map_err(|error| MemoryError::Edit { document: stored.name.clone(), error })?;
        }
        let change = DocumentChange::new(stored.name.clone(), stored.version, Some(&wanted), Vec::new());
        Ok(Some(DocumentChange { splices: (!is_changed).then(Vec::new), is_whole: true, ..change }))
    }
}

/// Reads documents; refuses if one of them is being changed from outside.
fn settled(store: &dyn Store, names: &[DocName]) -> Result<Snapshot, MemoryError> {
    let snapshot = store.read(names)?;
    match snapshot.documents.iter().find(|stored| stored.is_unsettled) {
        Some(unsettled) => Err(MemoryError::Contended(unsettled.name.clone())),
        None => Ok(snapshot),
    }
}

/// Reads the journal. Returns what has to be erased, and the numbers of the unreadable lines that hold one of the texts.
fn redaction_of(store: &dyn Store, entries: &[Seq], texts: &[&str]) -> Result<(Redaction, Vec<u64>), StoreError> {
    let (mut redactor, mut number, mut unreadable) = (Redactor::new(entries, texts), 0, Vec::new());
    store.scan(&mut |line| {
        number += 1;
        match Entry::parse(line) {
            Ok(entry) => redactor.entry(&entry),
            Err(_) if texts.iter().any(|text| is_in_line(line, text)) => unreadable.push(number),
            Err(_) => {}
        }
    })?;
    Ok((redactor.finish(), unreadable))
}

/// Returns true if a line that cannot be read holds a text, as it is or escaped as in JSON.
fn is_in_line(line: &[u8], text: &str) -> bool {
    let json = json!(text).to_string();
    let escaped = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&json);
    [text, escaped].iter().any(|text| memchr::memmem::find(line, text.as_bytes()).is_some())
}

/// Reports whether a document holds one of the texts.
fn holds(stored: &Stored, texts: &[&str]) -> bool {
    stored.text.as_deref().is_some_and(|document| texts.iter().any(|text| document.contains(text)))
}

/// Removes `texts` from a text, until none is left: removing one text may join the two halves of another.
fn without(text: &str, texts: &[&str]) -> String {
    // Two marks side by side may contain a text with parentheses, such as `)(`. Replacing it would never end, so that
    // no marks are written then.
    let is_safe = texts.iter().all(|text| !INSTEAD.contains(text) && !text.contains(['(', ')']));
    let instead = if is_safe { INSTEAD } else { "" };
    let mut text = text.to_owned();
    while let Some(found) = texts.iter().find(|found| text.contains(**found)) {
        text = text.replace(found, instead);
    }
    text
}
