//! Whether a request has *landed*, that is, was committed before; and how a commit is tried again.

use std::time::Duration;

use crate::memory::history::Undoings;
use crate::memory::journal::{Entry, Seq};
use crate::memory::operation::{Asked, Response};
use crate::memory::plan::Documents;
use crate::memory::{
    Applied, AppliedStatus, Change, DocName, Landed, Memory, MemoryError, Operation, Origin, Outcome, Recorded,
    RequestId, Store, StoreError, random,
};
use crate::request::Basis;
use crate::text::RevisionPrefix;

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

    /// Returns the entry with which the request has landed. `head` is the last entry. The search goes back to the
    /// entry that the editor knew, or to one that made a base that is no longer current: the request came after it.
    ///
    /// Returns `None` if the request has not landed, or was undone since, even if others have written since; or if one
    /// of its documents has returned to the revision that the request was based on: then the caller wants the same
    /// change once more.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or an entry that would tell was erased.
    pub(super) fn landed(&self, memory: &Memory, head: Seq, asked: &Asked<'_>) -> Result<Option<Entry>, MemoryError> {
        let since = match asked.origin.since.filter(|_| !self.name_any()) {
            Some(since) => since,
            // If a document's revision is not named, the caller may want the same change once more. If all bases are
            // current, the request has not landed.
            None if !self.0.iter().all(|base| base.is_named) || self.0.iter().all(|base| base.is_current) => {
                return Ok(None);
            }
            None => head.minus(REACH),
        };
        let lost = |error| match error {
            MemoryError::Store(error) => MemoryError::Indeterminate(error),
            other => other,
        };
        let mut undoings = Undoings::default();
        for entry in memory.latest_first(since).map_err(lost)? {
            let entry = entry.map_err(lost)?;
            undoings.see(&entry);
            let (current, older): (Vec<_>, Vec<_>) =
                self.0.iter().filter(|base| entry.link(&base.document).is_some()).partition(|base| base.is_current);
            for base in older {
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
            if entry.is_of(asked.request) {
                let has_returned = current.iter().any(|base| base.is_named);
                return Ok(Some(entry).filter(|entry| !has_returned && undoings.by(entry).is_none()));
            }
        }
        Ok(None)
    }
}

/// Returns the response to a request that was committed before, with this entry.
pub(super) fn already_applied(operations: &[Operation<'_>], documents: &Documents, entry: Recorded) -> Response {
    let landed = |operation: &Operation<'_>| {
        let doc = documents.get(&operation.document)?.clone();
        let applied = Applied::new(operation.document.clone(), AppliedStatus::AlreadyApplied, doc.clone(), doc);
        Some(Applied { seq: Some(entry.seq), ..applied })
    };
    Response { applied: operations.iter().filter_map(landed).collect(), entry: Some(entry) }
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
    let superseded = change.entry.header().supersedes.len();
    let recorded = |seq, is_repeated| Ok(Recorded { seq, is_repeated, superseded });
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
