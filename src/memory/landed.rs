//! [`RequestId`], by which a retry after a lost answer is recognized; whether a request has *landed*, that is, was
//! committed; and how a commit is tried again.

use std::time::Duration;

use serde_json::Value;

use crate::memory::history::Undoings;
use crate::memory::journal::{Entry, Seq};
use crate::memory::operation::Asked;
use crate::memory::plan::Documents;
use crate::memory::{
    Applied, AppliedStatus, Change, DocName, Landed, Memory, MemoryError, Operation, Origin, Outcome, Recorded, Store,
    StoreError, random,
};
use crate::request::Basis;
use crate::text::{Digest, RevisionPrefix, as_text, displayed_as_held, read_as_held};

/// Names a request: a digest of the tool, of its arguments, and of the documents and revisions that it is based on.
///
/// The same request against the same revisions has the same ID, whatever the order of its JSON members. Whoever
/// guesses the arguments can compute the ID, and so learn that the guess is right. So the journal keeps it where it
/// can be erased, and `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Digest);

impl RequestId {
    /// Names the call of `tool` with `arguments`, on whatever basis.
    pub fn new(tool: &str, arguments: &Value) -> Self {
        Self::leaving_out(&[], tool, arguments)
    }

    /// Names the call of `tool` with all `arguments` but those of these names.
    pub(crate) fn leaving_out(names: &[&str], tool: &str, arguments: &Value) -> Self {
        let mut fields = vec!["tool".to_owned(), tool.to_owned()];
        add_fields(arguments, names, &mut fields);
        Self(Digest::of_fields(&fields))
    }

    /// Names the same request on this revision of a document.
    #[must_use]
    pub fn on(self, document: &DocName, revision: &RevisionPrefix) -> Self {
        Self(Digest::of_fields(&[&*self.to_string(), document.as_str(), revision.as_str()]))
    }

    /// Returns the ID of the same request by one editor, who knows the entries up to `origin.since`; `None` if
    /// `origin` has no `since`.
    pub(super) fn by(self, origin: &Origin) -> Option<Self> {
        let (own, since) = (self.to_string(), origin.since?.get().to_be_bytes());
        let (actor, editor) = (origin.actor.as_str(), origin.editor.unwrap_or_default().to_be_bytes());
        Some(Self(Digest::of_fields(&[own.as_bytes(), &since, actor.as_bytes(), &editor])))
    }
}

as_text!(RequestId);
displayed_as_held!(RequestId);
not_shown!(RequestId);
read_as_held!(RequestId);

/// Returns the digest of a JSON value, whatever the order of its members.
pub(super) fn digest_of(value: &Value) -> Digest {
    let mut fields = Vec::new();
    add_fields(value, &[], &mut fields);
    Digest::of_fields(&fields)
}

/// Adds the fields by which a JSON value is hashed, with the members of objects sorted. Its serialized text is not
/// hashed, because that depends on features of other crates. Members of `value` itself that `left_out` names are left
/// out.
fn add_fields(value: &Value, left_out: &[&str], fields: &mut Vec<String>) {
    match value {
        Value::Null => fields.push("null".to_owned()),
        Value::Bool(value) => fields.push(value.to_string()),
        Value::Number(number) => fields.extend(["number".to_owned(), number.to_string()]),
        Value::String(text) => fields.extend(["string".to_owned(), text.clone()]),
        Value::Array(items) => {
            fields.push(format!("array {}", items.len()));
            items.iter().for_each(|item| add_fields(item, &[], fields));
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().filter(|(name, _)| !left_out.contains(&name.as_str())).collect();
            members.sort_by_key(|(name, _)| name.as_str());
            fields.push(format!("object {}", members.len()));
            for (name, value) in members {
                fields.push(name.clone());
                add_fields(value, &[], fields);
            }
        }
    }
}

/// How many entries are searched at most. A request that landed further back is not found.
const REACH: u64 = 4096;

/// What a request is based on: for each document, the revision that its operation names, else the current one.
pub(super) struct Bases(Vec<Base>);

pub(super) struct Base {
    document: DocName,
    revision: RevisionPrefix,
    is_named: bool,
    is_current: bool,
}

impl Bases {
    pub(super) fn of(operations: &[Operation<'_>], documents: &Documents) -> Self {
        let base = |operation: &Operation<'_>| {
            let current = documents.get(&operation.document)?.revision();
            let named = operation.basis().and_then(Basis::revision);
            let (is_named, is_current) = (named.is_some(), named.as_ref().is_none_or(|named| named.matches(&current)));
            let revision = named.unwrap_or_else(|| current.into());
            Some(Base { document: operation.document.clone(), revision, is_named, is_current })
        };
        Self(operations.iter().filter_map(base).collect())
    }

    fn name_any(&self) -> bool {
        self.0.iter().any(|base| base.is_named)
    }

    /// Returns the ID of the request on these bases. If no operation names a revision, and `origin` has a `since`, it
    /// is the ID by that editor instead.
    pub(super) fn identify(&self, request: RequestId, origin: &Origin) -> RequestId {
        if let Some(request) = request.by(origin).filter(|_| !self.name_any()) {
            return request;
        }
        self.0.iter().fold(request, |request, base| request.on(&base.document, &base.revision))
    }

    /// Returns the entry with which the request has landed. `head` is the last entry. Returns `None` if the request
    /// has not landed, or if one of its documents has returned to the revision that the request was based on: then the
    /// caller wants the same change once more.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or an entry that would tell was erased.
    pub(super) fn landed(&self, memory: &Memory, head: Seq, asked: &Asked<'_>) -> Result<Option<Seq>, MemoryError> {
        if let Some(since) = asked.origin.since.filter(|_| !self.name_any()) {
            return Ok(memory.landed(asked.request, since, &[])?.map(|entry| entry.seq()));
        }
        // If a document's revision is not named, the caller may want the same change once more. If all bases are
        // current, the request has not landed.
        if !self.0.iter().all(|base| base.is_named) || self.0.iter().all(|base| base.is_current) {
            return Ok(None);
        }
        let found = memory.landed(asked.request, head.minus(REACH), &self.0)?;
        let has_returned = |entry: &Entry| {
            let mut current = self.0.iter().filter(|base| base.is_current);
            current.any(|base| entry.link(&base.document).is_some())
        };
        Ok(found.filter(|entry| !has_returned(entry)).map(|entry| entry.seq()))
    }
}

impl Memory {
    /// Searches for the entry of a request, latest first. The search ends at `since`, or at an entry that made one of
    /// the bases that are no longer current: the request came after it. A request that was undone since counts as not
    /// landed, even if others have written since.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or an entry that would tell was erased.
    pub(super) fn landed(&self, request: RequestId, since: Seq, bases: &[Base]) -> Result<Option<Entry>, MemoryError> {
        let lost = |error| match error {
            MemoryError::Store(error) => MemoryError::Indeterminate(error),
            other => other,
        };
        let mut undoings = Undoings::default();
        for entry in self.latest_first(since).map_err(lost)? {
            let entry = entry.map_err(lost)?;
            undoings.see(&entry);
            for base in bases.iter().filter(|base| !base.is_current && entry.link(&base.document).is_some()) {
                if entry.revision(&base.document).is_some_and(|made| base.revision.matches(&made)) {
                    return Ok(None);
                }
                if !entry.has_lookup() {
                    let why = format!(
                        "the request of entry {} was erased, so it is not known whether this one was made",
                        entry.seq()
                    );
                    return Err(MemoryError::Indeterminate(StoreError::Other(why.into())));
                }
            }
            if entry.is_of(request) {
                return Ok(Some(entry).filter(|entry| undoings.by(entry).is_none()));
            }
        }
        Ok(None)
    }
}

/// Returns the answer to a request that was committed before, with entry `seq`.
pub(super) fn already_applied(operations: &[Operation<'_>], documents: &Documents, seq: Seq) -> Vec<Applied> {
    let landed = |operation: &Operation<'_>| {
        let doc = documents.get(&operation.document)?.clone();
        let applied = Applied::new(operation.document.clone(), AppliedStatus::AlreadyApplied, doc.clone(), doc);
        Some(Applied { seq: Some(seq), ..applied })
    };
    operations.iter().filter_map(landed).collect()
}

/// How often something is tried.
pub(super) const TRIES: u32 = 16;
/// The first wait, which doubles with each round, and the longest.
pub(super) const WAITS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(250));

/// Sleeps before another try. The time doubles with each round. At random, between a half and the whole of it is
/// slept, so that writers who have collided do not collide again.
///
/// # Errors
///
/// The system has no random numbers.
pub(super) fn nap((first, longest): (Duration, Duration), round: u32) -> Result<(), StoreError> {
    let wait = longest.min(first.saturating_mul(1 << round.min(8)));
    let [share] = random::bytes()?;
    std::thread::sleep(wait.saturating_mul(256_u32.saturating_add(share.into())) / 512);
    Ok(())
}

/// Calls `act` until it returns something else than `Contended`, with pauses, at most [`TRIES`] times.
///
/// # Errors
///
/// Those of `act`; `Contended` if others get in its way each time.
pub(super) fn until_free<T>(mut act: impl FnMut() -> Result<T, MemoryError>) -> Result<T, MemoryError> {
    for round in 1..TRIES {
        match act() {
            Err(MemoryError::Contended { .. }) => nap(WAITS, round.saturating_sub(1))?,
            done => return done,
        }
    }
    act()
}

/// Commits a change that was planned when entry `last` was the last one. If the answer is lost, asks the store
/// whether it was made.
///
/// # Errors
///
/// `Contended`: a document or the journal has changed since, and the change must be planned again. The store failed,
/// or cannot tell.
pub(super) fn commit(store: &dyn Store, change: &Change, last: Seq) -> Result<Recorded, MemoryError> {
    let recorded = |seq, is_repeated| Ok(Recorded { seq, is_repeated, superseded: 0 });
    match store.commit(change)? {
        Outcome::Committed(seq) => recorded(seq, false),
        Outcome::Repeated(seq) => recorded(seq, true),
        Outcome::Conflict { document, .. } => Err(MemoryError::Contended(document)),
        Outcome::HeadMoved(_) => Err(MemoryError::Contended(DocName::memory())),
        Outcome::Indeterminate(lost) => match store.landed(change.attempt, last) {
            Ok(Landed::At(seq)) => recorded(seq, false),
            Ok(Landed::Not) => Err(MemoryError::Store(lost)),
            Ok(Landed::Unknown) | Err(_) => Err(MemoryError::Indeterminate(lost)),
        },
    }
}
