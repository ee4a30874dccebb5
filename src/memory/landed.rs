//! The identity of a request, by which a retry after a lost answer is known; whether it has landed; and how a commit is tried again.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_json::Value;

use crate::document::MemoryDoc;
use crate::memory::history::{EntriesBack, Undoings};
use crate::memory::journal::{Entry, Seq};
use crate::memory::plan::Documents;
use crate::memory::{
    Applied, AppliedStatus, Change, DocName, EntryQuery, Landed, MemoryError, Operation, Origin, Outcome, Snapshot,
    Store, StoreError, random,
};
use crate::request::Basis;
use crate::text::{Digest, Hasher, Revision, RevisionPrefix, Unreadable, as_text, displayed_as_held};

/// Names a request: a digest of the tool, of its arguments, and of the documents and revisions that it is based on.
///
/// The same request against the same revisions has the same ID, whatever the order of its JSON members. Who guesses the arguments
/// can compute it, so that the journal keeps it where it can be erased, and `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Digest);

impl RequestId {
    /// Names the call of `tool` with `arguments`, on whatever basis.
    pub fn new(tool: &str, arguments: &Value) -> Self {
        Self::leaving_out(&[], tool, arguments)
    }

    /// Names the call of `tool` with all `arguments` but those of these names.
    pub(crate) fn leaving_out(names: &[&str], tool: &str, arguments: &Value) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(b"tool");
        hasher.field(tool.as_bytes());
        hash_value(arguments, names, &mut hasher);
        Self(hasher.finish())
    }

    /// Names the same request on this revision of a document.
    #[must_use]
    pub fn on(self, document: &DocName, revision: &RevisionPrefix) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(self.to_string().as_bytes());
        hasher.field(document.as_str().as_bytes());
        hasher.field(revision.as_str().as_bytes());
        Self(hasher.finish())
    }
}

impl RequestId {
    /// Names the same request by this editor, who knows of entries up to a certain one; `None` if it is not said up to which.
    pub(super) fn by(self, origin: &Origin) -> Option<Self> {
        let since = origin.since?;
        let mut hasher = Hasher::default();
        hasher.field(self.to_string().as_bytes());
        hasher.field(&since.get().to_be_bytes());
        hasher.field(origin.actor.as_str().as_bytes());
        hasher.field(&origin.editor.unwrap_or_default().to_be_bytes());
        Some(Self(hasher.finish()))
    }
}

impl FromStr for RequestId {
    type Err = Unreadable;

    fn from_str(digits: &str) -> Result<Self, Unreadable> {
        digits.parse::<Revision>().map(|revision| Self(*revision.digest()))
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestId(..)")
    }
}

as_text!(RequestId);
displayed_as_held!(RequestId);

/// Returns the digest of a JSON value, whatever the order of members.
pub(super) fn digest_of(value: &Value) -> Digest {
    let mut hasher = Hasher::default();
    hash_value(value, &[], &mut hasher);
    hasher.finish()
}

/// Hashes a JSON value with the members of objects sorted: its serialisation depends on features of other crates. Of the value's
/// own members those of some names are left out.
fn hash_value(value: &Value, left_out: &[&str], hasher: &mut Hasher) {
    match value {
        Value::Null => hasher.field(b"null"),
        Value::Bool(value) => hasher.field(if *value { b"true" } else { b"false" }),
        Value::Number(number) => {
            hasher.field(b"number");
            hasher.field(number.to_string().as_bytes());
        }
        Value::String(text) => {
            hasher.field(b"string");
            hasher.field(text.as_bytes());
        }
        Value::Array(items) => {
            hasher.field(format!("array {}", items.len()).as_bytes());
            items.iter().for_each(|item| hash_value(item, &[], hasher));
        }
        Value::Object(members) => {
            let mut told: Vec<_> = members.iter().filter(|(name, _)| !left_out.contains(&name.as_str())).collect();
            told.sort_by_key(|(name, _)| name.as_str());
            hasher.field(format!("object {}", told.len()).as_bytes());
            for (name, value) in told {
                hasher.field(name.as_bytes());
                hash_value(value, &[], hasher);
            }
        }
    }
}

/// How many entries are read at once.
const PAGE: usize = 16;
/// How many are read at most: what lies further back is not known to have landed.
const REACH: usize = 4096;

/// What a request is based on.
pub(super) struct Bases {
    /// Of each document the revision that its operation names, else the current one.
    revisions: Vec<Base>,
    /// Whether every operation names one, and one of them is no longer current: without a revision seen of each document, the same
    /// request may well be meant again, and on bases that are current it has not landed.
    may_have_landed: bool,
    /// Whether any operation names one.
    name_any: bool,
}

struct Base {
    document: DocName,
    revision: RevisionPrefix,
    is_current: bool,
}

impl Bases {
    pub(super) fn of(operations: &[Operation<'_>], documents: &Documents) -> Self {
        let mut bases =
            Self { revisions: Vec::with_capacity(operations.len()), may_have_landed: false, name_any: false };
        let mut name_all = true;
        for (name, operation) in operations.iter().map(|operation| (operation.document(), operation)) {
            let Some(current) = documents.get(name).map(MemoryDoc::revision) else { continue };
            let named = operation.basis().and_then(Basis::revision);
            name_all &= named.is_some();
            bases.name_any |= named.is_some();
            let is_current = named.as_ref().is_none_or(|base| base.matches(&current));
            let revision = named.unwrap_or_else(|| current.into());
            bases.revisions.push(Base { document: name.clone(), revision, is_current });
        }
        bases.may_have_landed = name_all && bases.revisions.iter().any(|base| !base.is_current);
        bases
    }

    /// Returns the ID of the request on these bases; of one that names none, by whoever acts.
    pub(super) fn identify(&self, request: RequestId, origin: &Origin) -> RequestId {
        if let Some(request) = request.by(origin).filter(|_| !self.name_any) {
            return request;
        }
        self.revisions.iter().fold(request, |request, base| request.on(&base.document, &base.revision))
    }

    /// Returns the entry with which the request has landed; `None` if it has not, or if one of its documents has come back to
    /// what it was based on: then the same call is a new one.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or what would tell was erased.
    pub(super) fn landed(
        &self,
        store: &dyn Store,
        snapshot: &Snapshot,
        request: RequestId,
        since: Option<Seq>,
    ) -> Result<Option<Seq>, MemoryError> {
        match since {
            Some(since) if !self.name_any => return later(store, since, request),
            _ if !self.may_have_landed => return Ok(None),
            _ => {}
        }
        for base in self.revisions.iter().filter(|base| !base.is_current) {
            let tip = snapshot.of(&base.document).and_then(|stored| stored.version.tip);
            let Some(tip) = tip else { continue };
            if let Some(entry) = base.search(store, tip, request)? {
                let has_come_back = |base: &Base| base.is_current && entry.link(&base.document).is_some();
                return Ok((!self.revisions.iter().any(has_come_back)).then_some(entry.seq()));
            }
        }
        Ok(None)
    }
}

/// Looks for the request among all entries behind `since`.
///
/// # Errors
///
/// `Indeterminate`: the store cannot be read.
pub(super) fn later(store: &dyn Store, since: Seq, request: RequestId) -> Result<Option<Seq>, MemoryError> {
    let mut next = since.plus(1);
    loop {
        let page = store.entries(&EntryQuery::From { seq: next, limit: PAGE }).map_err(MemoryError::Indeterminate)?;
        let Some(last) = page.last() else { return Ok(None) };
        next = last.seq().plus(1);
        if let Some(found) = page.iter().find(|entry| entry.is_of(request)) {
            return Ok(Some(found.seq()));
        }
    }
}

impl Base {
    /// Looks for the request among the entries of the document, from its last one back to this base. One that was taken back since has
    /// not landed, even if others have written since.
    fn search(&self, store: &dyn Store, tip: Seq, request: RequestId) -> Result<Option<Entry>, MemoryError> {
        let mut undoings = Undoings::default();
        for step in EntriesBack::of(store, &self.document, Some(tip)).take(REACH) {
            let (entry, name) = match step {
                Ok(step) => step,
                Err(MemoryError::Store(error)) => return Err(MemoryError::Indeterminate(error)),
                // What lies further back was dropped, or cannot be read.
                Err(_) => return Ok(None),
            };
            undoings.see(&entry);
            if entry.revision(&name).is_some_and(|made| self.revision.matches(&made)) {
                return Ok(None);
            }
            if entry.is_of(request) {
                return Ok(Some(entry).filter(|entry| undoings.by(entry).is_none()));
            }
            if !entry.has_lookup() {
                return Err(MemoryError::Indeterminate(StoreError::RequestErased(entry.seq())));
            }
        }
        Ok(None)
    }
}

/// Answers for a request that is known to have been committed.
pub(super) fn landed(operations: &[Operation<'_>], documents: &Documents, seq: Seq) -> Vec<Applied> {
    let landed = |operation: &Operation<'_>| {
        let doc = documents.get(operation.document())?.clone();
        let applied = Applied::new(operation.document().clone(), AppliedStatus::AlreadyApplied, doc);
        Some(Applied { seq: Some(seq), ..applied })
    };
    operations.iter().filter_map(landed).collect()
}

/// How often something is tried.
const MOST: u32 = 16;
/// The first wait, which is doubled, and the longest.
const WAITS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(250));

/// The tries of one call.
#[derive(Debug, Default)]
pub(super) struct Tries {
    done: u32,
}

impl Tries {
    /// Waits for the next try, not as long as others do; false if there is none.
    ///
    /// # Errors
    ///
    /// The system has no random numbers.
    pub(super) fn wait(&mut self) -> Result<bool, StoreError> {
        self.done = self.done.saturating_add(1);
        if self.done >= MOST {
            return Ok(false);
        }
        nap(WAITS, self.done.saturating_sub(1))?;
        Ok(true)
    }
}

/// Sleeps before another try, between a half and the whole of a time that is doubled with each round, so that those who wait do not
/// meet again.
///
/// # Errors
///
/// The system has no random numbers.
pub(super) fn nap((first, longest): (Duration, Duration), round: u32) -> Result<(), StoreError> {
    let wait = longest.min(first.saturating_mul(1 << round.min(8)));
    std::thread::sleep(wait.saturating_mul(256_u32.saturating_add(random::byte()?.into())) / 512);
    Ok(())
}

/// Does something until nobody else gets in its way, or as often as it is tried.
///
/// # Errors
///
/// Those of `act`; `Contended` if others get in its way each time.
pub(super) fn until_free<T>(mut act: impl FnMut() -> Result<T, MemoryError>) -> Result<T, MemoryError> {
    let mut tries = Tries::default();
    loop {
        match act() {
            Err(MemoryError::Contended { .. }) if tries.wait()? => {}
            done => return done,
        }
    }
}

/// A change that was made.
pub(super) struct Made {
    /// The number of its entry.
    pub(super) seq: Seq,
    /// Whether the same request had made it before.
    pub(super) is_repeated: bool,
}

/// Commits a change that was planned when entry `last` was the last one, and finds out what has become of it.
///
/// # Errors
///
/// `Contended`: a document, or the journal, is another than was expected: it is to be planned again. The store failed, or cannot
/// tell.
pub(super) fn commit(store: &dyn Store, change: &Change, last: Seq) -> Result<Made, MemoryError> {
    match store.commit(change)? {
        Outcome::Committed(seq) => Ok(Made { seq, is_repeated: false }),
        Outcome::Repeated(seq) => Ok(Made { seq, is_repeated: true }),
        Outcome::Conflict { document, .. } => Err(MemoryError::Contended { document }),
        Outcome::HeadMoved(_) => Err(MemoryError::Contended { document: DocName::memory() }),
        Outcome::Indeterminate(lost) => match store.landed(change.attempt, last) {
            Ok(Landed::At(seq)) => Ok(Made { seq, is_repeated: false }),
            Ok(Landed::Not) => Err(MemoryError::Store(lost)),
            Ok(Landed::Unknown) | Err(_) => Err(MemoryError::Indeterminate(lost)),
        },
    }
}
