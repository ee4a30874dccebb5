//! Changes, as a memory hands them to a store.

use serde_json::Value;

use crate::memory::journal::{DocumentDraft, Draft, EntryKind, Erased, Header, Runs, Seq, prepare};
use crate::memory::recording::{NewText, TextChange};
use crate::memory::{
    Actor, Change, Clock as _, DocName, DocumentChange, RequestId, Snapshot, StoreError, SystemClock, random,
};
use crate::text::Revision;

/// A document, and the text that it gets; `None` deletes it.
pub type Wanted<'a> = (&'a DocName, Option<&'a str>);

/// Returns the request that is called so.
pub fn request(called: &str) -> RequestId {
    RequestId::new("testing", &Value::from(called))
}

/// Makes the change by which documents get these texts from what they are in `snapshot`, by one entry, in an attempt of its own.
/// Without documents it is a record that changes none.
///
/// # Errors
///
/// The system has no random bytes.
pub fn change(called: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>]) -> Result<Change, StoreError> {
    changed(called, snapshot, wanted, Erased::default())
}

/// Makes a change that erases what the entries of these numbers say.
///
/// # Errors
///
/// The system has no random bytes.
pub fn redaction(
    called: &str,
    snapshot: &Snapshot,
    wanted: &[Wanted<'_>],
    entries: &[Seq],
) -> Result<Change, StoreError> {
    let runs = entries.iter().copied().collect::<Runs>();
    changed(called, snapshot, wanted, Erased { bodies: runs.clone(), lookups: runs })
}

fn changed(called: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>], erased: Erased) -> Result<Change, StoreError> {
    let kind = if erased.is_empty() { EntryKind::Edit } else { EntryKind::Redaction };
    let attempt = random::attempt()?;
    let header = Header { attempt: Some(attempt), erased: erased.clone(), ..Header::new(kind, Actor::default()) };
    let mut draft = Draft::new(header, random::salt()?);
    draft.request = Some(request(called));
    draft.documents = wanted.iter().map(|wanted| drafted(snapshot, wanted)).collect();
    let prepared = prepare(draft)?;
    let documents = wanted.iter().map(|(name, text)| {
        let expected = snapshot.of(name).map(|stored| stored.version).unwrap_or_default();
        match text {
            Some(text) => DocumentChange::new((*name).clone(), expected, (*text).into(), Revision::of(text)),
            None => DocumentChange::deletion((*name).clone(), expected),
        }
    });
    Ok(Change::new(request(called), attempt, prepared)
        .at(SystemClock.now())
        .looked_to(snapshot.head.seq)
        .erasing(erased)
        .with_documents(documents.collect()))
}

fn drafted(snapshot: &Snapshot, (name, text): &Wanted<'_>) -> DocumentDraft {
    let stored = snapshot.of(name);
    let version = stored.map(|stored| stored.version).unwrap_or_default();
    let base = stored.and_then(|stored| stored.text.as_deref());
    let new = text.map(|text| NewText { text, revision: Revision::of(text) });
    TextChange { name, version: &version, base, new }.by_difference()
}
