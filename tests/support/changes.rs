//! Changes of documents, as a memory hands them to a store.

use std::sync::atomic::{AtomicU64, Ordering};

use memdoc::memory::journal::{Attempt, Body, Entry, EntryKind, Erased, Header, Runs, Salt, Seq, Verifier};
use memdoc::memory::{Actor, Change, Clock as _, DocumentChange, Outcome, RequestId, Snapshot, SystemClock};
use memdoc::{DocName, Store, text::Content};
use serde_json::Value;

/// A document, and the text that it gets, or none.
pub type Wanted<'a> = (&'a str, Option<&'a str>);

/// Returns the document of this name.
pub fn name(name: &str) -> DocName {
    name.parse().unwrap()
}

/// Returns the request that is called so.
pub fn request(of: &str) -> RequestId {
    RequestId::new("test", &Value::from(of))
}

/// Returns an attempt that no other test makes.
pub fn attempt() -> Attempt {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&LAST.fetch_add(1, Ordering::Relaxed).to_be_bytes());
    bytes[8..12].copy_from_slice(&std::process::id().to_be_bytes());
    Attempt::new(bytes)
}

/// Reads the documents that are wanted.
pub fn snapshot(store: &dyn Store, wanted: &[Wanted<'_>]) -> Snapshot {
    store.read(&wanted.iter().map(|(document, _)| name(document)).collect::<Vec<_>>()).unwrap()
}

/// Makes the change of documents from what they were in `snapshot`.
pub fn change(of: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>]) -> Change {
    changed(of, snapshot, wanted, Erased::default())
}

/// Makes a change that erases what entries with these numbers say.
pub fn redaction(of: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>], seqs: &[u64]) -> Change {
    let runs: Runs = seqs.iter().map(|seq| Seq::new(*seq)).collect();
    changed(of, snapshot, wanted, Erased { bodies: runs.clone(), lookups: runs })
}

fn changed(of: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>], erased: Erased) -> Change {
    let kind = if erased.is_empty() { EntryKind::Edit } else { EntryKind::Redaction };
    let mut header = Header::new(kind, "test".parse::<Actor>().unwrap());
    (header.attempt, header.erased) = (Some(attempt()), erased);
    let change = |(document, text): &Wanted<'_>| {
        DocumentChange::between(snapshot.of(&name(document)).unwrap(), text.map(Content::from))
    };
    let documents = wanted.iter().map(change).collect();
    let body = Body::new(Salt::new([1; 16]));
    Change::new(request(of), header, body, documents).unwrap().at(SystemClock.now()).looked_to(snapshot.head.seq)
}

/// Changes documents from what they are now.
pub fn write(store: &dyn Store, of: &str, wanted: &[Wanted<'_>]) -> Outcome {
    store.commit(&change(of, &snapshot(store, wanted), wanted)).unwrap()
}

/// Changes documents from what they are now, and stops the test if that is not so.
pub fn written(store: &dyn Store, of: &str, wanted: &[Wanted<'_>]) {
    let outcome = write(store, of, wanted);
    assert!(matches!(outcome, Outcome::Committed(_)), "{outcome:?}");
}

/// Changes a document as a person does who edits its file: the journal gets an entry of kind `external`.
pub fn write_outside(store: &dyn Store, document: &DocName, text: Option<&str>) {
    let snapshot = store.read(std::slice::from_ref(document)).unwrap();
    let change = DocumentChange::between(&snapshot.documents[0], text.map(Content::from));
    let mut header = Header::new(EntryKind::External, "outside".parse::<Actor>().unwrap());
    header.attempt = Some(attempt());
    let change = Change::new(request("outside"), header, Body::new(Salt::new([1; 16])), vec![change]).unwrap();
    let outcome = store.commit(&change.at(SystemClock.now()).looked_to(snapshot.head.seq)).unwrap();
    assert!(matches!(outcome, Outcome::Committed(_)), "{outcome:?}");
}

/// Returns the text of a document.
pub fn text(store: &dyn Store, document: &str) -> Option<String> {
    let read = store.read(&[name(document)]).unwrap();
    read.documents[0].text.as_deref().map(str::to_owned)
}

/// Returns all entries.
pub fn entries(store: &dyn Store) -> Vec<Entry> {
    store.entries(Seq::FIRST, usize::MAX).unwrap()
}

/// Returns what verifying the journal finds.
pub fn problems(store: &dyn Store) -> Vec<String> {
    let mut verifier = Verifier::new();
    let mut read = |line: &[u8]| {
        verifier.line(line);
    };
    store.scan(&mut read).unwrap();
    verifier.finish().findings.iter().map(|finding| format!("{:?}", finding.problem)).collect()
}
