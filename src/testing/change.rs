//! Changes, as a memory hands them to a store.

use serde_json::Value;

use crate::memory::journal::{Draft, EntryKind, Erased, Header, Runs, Seq};
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
    let mut draft = Draft::new(Header { erased, ..Header::new(kind, Actor::default()) }, random::salt()?);
    let mut documents = Vec::with_capacity(wanted.len());
    for (name, text) in wanted {
        let new = text.map(|text| (text.into(), Revision::of(text)));
        let document = DocumentChange::new((*name).clone(), snapshot.version(name), new);
        let base = snapshot.of(name).and_then(|stored| stored.text.as_deref());
        draft.documents.push(document.by_difference(base));
        documents.push(document);
    }
    Ok(Change::new(request(called), draft, documents)?.at(SystemClock.now()).looked_to(snapshot.head.seq))
}
