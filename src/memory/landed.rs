//! [`RequestId`], by which a retry after a lost answer is recognized; whether a request has landed, which is to say,
//! was committed; and how a commit is tried again.

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

    /// Returns the ID of the same request by this editor, made when `origin.since` was the last entry that it knew;
    /// `None` if that is not said.
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

/// Returns the digest of a JSON value, whatever the order of members.
pub(super) fn digest_of(value: &Value) -> Digest {
    let mut fields = Vec::new();
    add_fields(value, &[], &mut fields);
    Digest::of_fields(&fields)
}

/// Adds what a JSON value says, with the members of objects sorted: its serialisation depends on features of other crates. Of
/// the value's own members those of some names are left out.
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

/// How many entries are read at most: what lies further back is not known to have landed.
const REACH: u64 = 4096;

/// What a request is based on: of each document the revision that its operation names, else the current one.
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

    /// Returns the ID of the request on these bases. If none is named, and `origin` says what its editor knows, it is
    /// the ID by this editor.
    pub(super) fn identify(&self, request: RequestId, origin: &Origin) -> RequestId {
        if let Some(request) = request.by(origin).filter(|_| !self.name_any()) {
            return request;
        }
        self.0.iter().fold(request, |request, base| request.on(&base.document, &base.revision))
    }

    /// Returns the entry with which the request has landed. `head` is the last entry. Returns `None` if the request has
    /// not landed, or if one of its documents is again what it was based on: then the same call is meant anew.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or what would tell was erased.
    pub(super) fn landed(&self, memory: &Memory, head: Seq, asked: &Asked<'_>) -> Result<Option<Seq>, MemoryError> {
        if let Some(since) = asked.origin.since.filter(|_| !self.name_any()) {
            return Ok(memory.landed(asked.request, since, &[])?.map(|entry| entry.seq()));
        }
        // A request that does not name a revision of each document may be meant again. One whose bases are all
        // current has not landed.
        if !self.0.iter().all(|base| base.is_named) || self.0.iter().all(|base| base.is_current) {
            return Ok(None);
        }
        let found = memory.landed(asked.request, head.minus(REACH), &self.0)?;
        let has_come_back = |entry: &Entry| {
            let mut current = self.0.iter().filter(|base| base.is_current);
            current.any(|base| entry.link(&base.document).is_some())
        };
        Ok(found.filter(|entry| !has_come_back(entry)).map(|entry| entry.seq()))
    }
}

impl Memory {
    /// Looks for a request, latest entry first, back to `since`, or to the entry that made one of the bases that are
    /// no longer current. A request that was undone since has not landed, even if others have written since.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or what would tell was erased.
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
                    let why = format!("the request of entry {} was erased", entry.seq());
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

/// Answers for a request that is known to have been committed.
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
/// The first wait, which is doubled, and the longest.
pub(super) const WAITS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(250));

/// Sleeps before another try, between a half and the whole of a time that is doubled with each round, so that those who wait do not
/// meet again.
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
/// `Contended`: a document, or the journal, is another than was expected: it is to be planned again. The store failed, or cannot
/// tell.
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
