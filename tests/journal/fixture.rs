//! Journals to test with, the same at each run.

use std::collections::BTreeMap;

use crate::memory::journal::{
    Body, Checkpoint, Entry, EntryKind, Finding, Genesis, Head, Header, MemoryId, Problem, Record, Remembered, Salt,
    Sealer, Seq, Splice, Verification, Verifier, prepare,
};
use crate::memory::{Actor, DocName, DocumentChange, RequestId, Version};
use crate::text::{Revision, Timestamp};

/// A test that fails says why.
pub(crate) type Checked = Result<(), Box<dyn std::error::Error>>;

/// The document that this names.
pub(crate) fn doc(name: &str) -> DocName {
    name.parse().unwrap_or_else(|_| DocName::memory())
}

/// An entry in the making.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) header: Header,
    pub(crate) body: Body,
    pub(crate) request: Option<RequestId>,
    pub(crate) documents: Vec<DocumentChange>,
}

impl Draft {
    /// Seals it behind `head`.
    pub(crate) fn sealed(self, head: Head, time: Timestamp) -> Entry {
        let prepared = prepare(self.header, self.body, self.request, &self.documents);
        Sealer::default().seal(prepared.unwrap_or_else(|_| unreachable!("it can be written")), head, time)
    }
}

/// A journal in the making, with the texts of its documents.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    pub(crate) entries: Vec<Entry>,
    pub(crate) texts: BTreeMap<DocName, Option<String>>,
    memory: MemoryId,
    last: BTreeMap<DocName, Seq>,
    salt: u64,
    time: u64,
}

impl Journal {
    /// Begins the journal of memory number `memory`.
    pub(crate) fn new(memory: u8) -> Self {
        let mut journal = Self {
            entries: Vec::new(),
            texts: BTreeMap::new(),
            memory: MemoryId::new([memory; 16]),
            last: BTreeMap::new(),
            salt: u64::from(memory) << 32,
            time: 1_790_000_000,
        };
        let mut genesis = journal.draft(EntryKind::Genesis);
        genesis.header.genesis = Some(Genesis { format: Genesis::FORMAT, memory: journal.memory });
        journal.commit(genesis);
        journal
    }

    fn salt(&mut self) -> Salt {
        self.salt += 1;
        let mut bytes = [0x5a; 16];
        bytes.iter_mut().zip(self.salt.to_be_bytes()).for_each(|(byte, salt)| *byte = salt);
        Salt::new(bytes)
    }

    pub(crate) fn draft(&mut self, kind: EntryKind) -> Draft {
        let actor: Actor = "agent:test".parse().unwrap_or_else(|_| unreachable!("a plain name"));
        let body = Body::new(self.salt());
        Draft { header: Header::new(kind, actor), body, request: None, documents: Vec::new() }
    }

    /// Drafts the change of a document to `new`, as the next entry's.
    pub(crate) fn change(&mut self, name: &str, new: Option<&str>) -> DocumentChange {
        let name = doc(name);
        let base = self.texts.get(&name).cloned().flatten();
        let splices = Splice::between(base.as_deref().unwrap_or_default(), new.unwrap_or_default());
        self.spliced(name, new, splices.into_iter().collect())
    }

    /// Drafts the change of a document to `new` by these splices.
    pub(crate) fn spliced(&mut self, name: DocName, new: Option<&str>, splices: Vec<Splice>) -> DocumentChange {
        let base = self.texts.get(&name).cloned().flatten();
        self.texts.insert(name.clone(), new.map(str::to_owned));
        DocumentChange {
            expected: Version::new(base.as_deref().map(Revision::of), self.last.get(&name).copied()),
            text: new.map(Into::into),
            revision: new.map(Revision::of),
            splices: Some(splices),
            is_whole: false,
            name,
        }
    }

    /// Appends an entry.
    pub(crate) fn commit(&mut self, draft: Draft) -> Seq {
        let seq = self.head().seq.plus(1);
        self.last.extend(draft.documents.iter().map(|document| (document.name.clone(), seq)));
        self.time += 7;
        let time = Timestamp::from_seconds(self.time);
        self.entries.push(draft.sealed(self.head(), time));
        seq
    }

    /// Appends an edit of one document.
    pub(crate) fn edit(&mut self, name: &str, new: Option<&str>) -> Seq {
        let mut draft = self.draft(EntryKind::Edit);
        draft.body.reason = Some("because".into());
        draft.body.sections = vec!["Facts".into()];
        draft.body.counts.insert("bullets_added".into(), 1);
        draft.documents = vec![self.change(name, new)];
        self.commit(draft)
    }

    /// Appends an entry of `kind` without documents, changed by `with`.
    pub(crate) fn record(&mut self, kind: EntryKind, with: impl FnOnce(&mut Draft)) -> Seq {
        let mut draft = self.draft(kind);
        with(&mut draft);
        self.commit(draft)
    }

    pub(crate) fn head(&self) -> Head {
        self.entries.last().map_or(Head::START, Entry::head)
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { head: self.head(), memory: self.memory }
    }

    /// Returns the lines.
    pub(crate) fn written(&self) -> Vec<String> {
        self.entries.iter().map(Entry::to_line).collect()
    }

    /// Returns the entry with this number.
    pub(crate) fn entry(&self, seq: Seq) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.seq() == seq)
    }
}

/// Returns a journal with everything in it: several documents, deletions, records. It has 15 entries.
pub(crate) fn rich(memory: u8) -> Journal {
    let mut journal = Journal::new(memory);
    journal.edit("memory", Some("## Facts\n- Lives in Denver\n"));
    journal.edit("memory", Some("## Facts\n- Lives in Austin\n"));
    journal.record(EntryKind::Memory, |draft| {
        let remembered = Remembered { text: "likes tea".into(), tier: Default::default(), importance: 5 };
        draft.body.record = Some(Record::Memory(remembered));
    });
    for new in ["## Facts\n- Lives in Austin\n- Has a dog\n", "## Facts\n- Has a dog\n"] {
        let mut draft = journal.draft(EntryKind::Edit);
        draft.documents = vec![journal.change("memory", Some(new)), journal.change("notes", Some(&new.repeat(2)))];
        journal.commit(draft);
    }
    journal.record(EntryKind::Note, |_| {});
    journal.edit("notes", None);
    journal.edit("notes", Some("begun again\n"));
    let decision = journal.record(EntryKind::Decision, |_| {});
    journal.record(EntryKind::Consolidation, |draft| draft.header.supersedes = vec![Seq::new(4), decision]);
    for text in ["a\r\n", "a\r\nü\n", "a\r\nü\u{2028}\n\u{0}\"\\", ""] {
        journal.edit("memory", Some(text));
    }
    journal
}

/// Verifies lines.
pub(crate) fn verify(mut verifier: Verifier, lines: &[String]) -> Verification {
    for line in lines {
        verifier.line(line.as_bytes());
    }
    verifier.finish()
}

/// Returns the numbers and problems of what is found, in lines of text.
pub(crate) fn told(verifier: Verifier, lines: &[String]) -> Vec<String> {
    verify(verifier, lines).findings.iter().map(ToString::to_string).collect()
}

/// Reports whether any finding is of this problem.
pub(crate) fn finds(findings: &[Finding], problem: &Problem) -> bool {
    findings.iter().any(|finding| finding.problem == *problem)
}
