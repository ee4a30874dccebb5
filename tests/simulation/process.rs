//! [`Process`]: a process that has the directory open, and the commits that it makes.

use std::time::{Duration, SystemTime};

use super::super::super::journal::{Attempt, Body, Entry, EntryKind, Header, Redactor, Salt, Seq, Verifier};
use super::super::super::{Actor, Change, DocName, DocumentChange, Landed, Outcome, RequestId, Snapshot, StoreError};
use super::super::access::{Directory, State};
use super::super::disk::Access;
use super::super::journal;
use super::disk::SimDisk;
use crate::text::Content;

/// What a commit makes of documents: their texts, or nothing.
pub(super) type Step = &'static [(&'static str, Option<&'static str>)];

/// What was found wrong.
pub(super) type Violation = String;

/// A process that has the directory open.
pub(super) struct Process<'a> {
    pub(super) disk: &'a SimDisk,
    state: State,
}

impl<'a> Process<'a> {
    pub(super) fn start(disk: &'a SimDisk) -> Self {
        Self { disk, state: State { boot: disk.run(), ..State::default() } }
    }

    pub(super) fn access<T>(
        &mut self,
        want: Access,
        act: impl FnOnce(&mut Directory<'_, SimDisk>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_millis(self.disk.now.get());
        let (disk, state) = (self.disk, &mut self.state);
        let mut directory = Directory { disk, state, now, refusal: None, modified: now };
        directory.begin(want)?;
        act(&mut directory)
    }

    pub(super) fn read(&mut self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        self.access(Access::Read, |directory| directory.read(names))
    }

    pub(super) fn entries(&mut self) -> Result<Vec<Entry>, StoreError> {
        self.access(Access::Read, |directory| directory.entries_from(Seq::FIRST, usize::MAX))
    }

    pub(super) fn landed(&mut self, number: usize) -> Result<Landed, StoreError> {
        self.access(Access::Write, |directory| directory.landed(attempt(number), Seq::default()))
    }

    /// Makes a commit from what the documents are; `None` if a person is saving one of them.
    pub(super) fn commit(&mut self, step: Step, number: usize) -> Result<Option<Outcome>, StoreError> {
        let names: Vec<_> = step.iter().map(|(document, _)| name(document)).collect();
        let snapshot = self.read(&names)?;
        let change = change(&snapshot, step, number);
        match self.access(Access::Write, |directory| directory.commit(&change)) {
            Err(StoreError::Unsettled { .. }) => Ok(None),
            outcome => outcome.map(Some),
        }
    }

    /// Takes a text out of a document, and erases what the journal says of it.
    pub(super) fn redact(&mut self, document: &DocName, secret: &str) -> Result<Outcome, StoreError> {
        let snapshot = self.read(std::slice::from_ref(document))?;
        let mut redactor = Redactor::new(&[], &[secret]);
        self.entries()?.iter().for_each(|entry| redactor.entry(entry));
        let stored = snapshot.of(document).unwrap();
        let text = stored.text.as_deref().unwrap().replace(secret, "");
        let taken = DocumentChange::between(stored, Some(text.into()));
        let taken = DocumentChange { splices: None, is_whole: true, ..taken };
        let mut header = Header::new(EntryKind::Redaction, "test".parse::<Actor>().unwrap());
        header.erased = redactor.finish().erased;
        let request = RequestId::new("test", &serde_json::Value::from("redaction"));
        let change = Change::new(request, header, Body::new(Salt::new([1; 16])), vec![taken]).unwrap();
        let change = change.looked_to(snapshot.head.seq);
        self.access(Access::Write, |directory| directory.commit(&change))
    }

    /// Verifies the journal.
    pub(super) fn check_chain(&mut self) -> Result<(), Violation> {
        let bytes = self
            .access(Access::Read, |directory| journal::read(directory.disk, 0, directory.state.index.end))
            .map_err(|error| error.to_string())?;
        let mut verifier = Verifier::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            verifier.line(line.strip_suffix(b"\n").unwrap_or(line));
        }
        let findings = verifier.finish().findings;
        // The commits here have no time; what the store records has.
        let found: Vec<_> = findings.iter().filter(|finding| !finding.problem.is_notice()).collect();
        if found.is_empty() { Ok(()) } else { Err(format!("the chain: {found:?}")) }
    }
}

fn attempt(number: usize) -> Attempt {
    Attempt::new([u8::try_from(number).unwrap(); 16])
}

pub(super) fn name(name: &str) -> DocName {
    name.parse().unwrap()
}

fn change(snapshot: &Snapshot, step: Step, number: usize) -> Change {
    let attempt = attempt(number);
    let mut header = Header::new(EntryKind::Edit, "test".parse::<Actor>().unwrap());
    header.attempt = Some(attempt);
    let change = |(document, text): &(&str, Option<&str>)| {
        DocumentChange::between(snapshot.of(&name(document)).unwrap(), text.map(Content::from))
    };
    let documents = step.iter().map(change).collect();
    let request = RequestId::new("test", &serde_json::Value::from(number));
    Change::new(request, header, Body::new(Salt::new([1; 16])), documents).unwrap().looked_to(snapshot.head.seq)
}
