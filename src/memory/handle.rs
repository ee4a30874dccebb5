//! [`Memory`]: plans requests on the current documents, and commits what they change as one.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::clock::{Clock, SystemClock};
use super::commit_id::CommitId;
use super::compaction::Compactor;
use super::error::MemoryError;
use super::name::DocName;
use super::plan::{Planned, Planner};
use super::store::{Change, Outcome, State, Store};
use super::work::{Applied, AppliedStatus, Call, Work};
use crate::document::{MemoryDoc, Policy, Rules};
use crate::edit::{Authority, Preview};
use crate::text::{RevisionPrefix, Timestamp};

/// How often a commit is tried again when another writer was faster.
const TRIES: usize = 16;
/// How often, if the host's compactor is asked each time.
const TRIES_WITH_HOOK: usize = 3;

/// Named documents in a store. Shared by all editors of a memory: wrap it in an [`Arc`].
///
/// # Examples
///
/// ```
/// use memdoc::{Base, Call, DocName, InMemoryStore, Memory, Policy, Replace, Sight, Work};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "- Lives in Denver\n");
/// let memory = Memory::new(store, Policy::default());
/// let seen = Sight::of(&memory.read(&DocName::memory())?);
///
/// let request = Replace::new("Denver", "Austin");
/// let work = [Work::new(DocName::memory(), Base::Seen(&seen), &request)];
/// memory.apply(&work, &Call::new("host", "move to Austin".into()))?;
/// assert_eq!(memory.read(&DocName::memory())?.text(), "- Lives in Austin\n");
/// # Ok::<(), memdoc::MemoryError>(())
/// ```
pub struct Memory {
    store: Box<dyn Store>,
    rules: Arc<Rules>,
    clock: Box<dyn Clock>,
    compactor: Option<Box<dyn Compactor>>,
    /// The documents as last parsed, to parse a text only when it is another.
    parsed: Mutex<HashMap<DocName, MemoryDoc>>,
}

impl Memory {
    /// Opens the memory in `store`.
    pub fn new(store: impl Store + 'static, policy: Policy) -> Self {
        Self::with_rules(store, Rules::new(policy))
    }

    /// Opens the memory in `store` under rules with the host's token counter.
    pub fn with_rules(store: impl Store + 'static, rules: Rules) -> Self {
        Self {
            store: Box::new(store),
            rules: Arc::new(rules),
            clock: Box::new(SystemClock),
            compactor: None,
            parsed: Mutex::default(),
        }
    }

    /// Lets the host write the texts of compactions; without it, the built-in compactor does.
    #[must_use]
    pub fn with_compactor(mut self, compactor: impl Compactor + 'static) -> Self {
        self.compactor = Some(Box::new(compactor));
        self
    }

    /// Takes the time from the host.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Box::new(clock);
        self
    }

    /// Returns the policy of all documents.
    pub fn policy(&self) -> &Policy {
        self.rules.policy()
    }

    /// Returns the host's time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the names of all documents.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn documents(&self) -> Result<Vec<DocName>, MemoryError> {
        Ok(self.store.load()?.documents.into_keys().collect())
    }

    /// Reads a document. `memory` and the other built-in documents read as empty until they are first written.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
    pub fn read(&self, document: &DocName) -> Result<MemoryDoc, MemoryError> {
        let state = self.store.load()?;
        if !state.documents.contains_key(document) && !document.is_built_in() {
            return Err(unknown(document, &state));
        }
        Ok(self.parse(document, &state).0)
    }

    /// Returns the empty text that a document begins with, if there is none yet and a tool may create it: an editor need not
    /// have been shown what is not there.
    ///
    /// # Errors
    ///
    /// There is no such document, and tools may not create it; the store cannot be read.
    pub fn unwritten(&self, document: &DocName) -> Result<Option<MemoryDoc>, MemoryError> {
        let state = self.store.load()?;
        if state.documents.contains_key(document) {
            return Ok(None);
        }
        match document.is_built_in() || self.policy().allow_new_documents {
            true => Ok(Some(self.parse(document, &state).0)),
            false => Err(unknown(document, &state)),
        }
    }

    /// Plans every request on its document, checks the results, and commits all that changes in one write.
    ///
    /// A request whose base is stale is refused or rebased, as the policy says; it is `AlreadyApplied` if the same call, on
    /// the same base, is known to have been committed.
    ///
    /// # Errors
    ///
    /// Every document's refusal, or the store's failure; nothing has been changed. `Indeterminate` if the store cannot tell
    /// whether the same call was committed before.
    pub fn apply(&self, work: &[Work<'_>], call: &Call) -> Result<Vec<Applied>, MemoryError> {
        let names: Vec<_> = work.iter().map(|work| &work.document).collect();
        let is_named_before = |at: usize, name: &&DocName| names.get(..at).is_some_and(|before| before.contains(name));
        if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| is_named_before(*at, name)) {
            return Err(MemoryError::NamedTwice { document: (*twice).clone() });
        }
        let bases: Vec<_> =
            work.iter().filter_map(|work| Some((work.document.clone(), work.base.revision()?))).collect();
        let id = CommitId::new(&bases, &call.tool, &call.arguments);
        let mut contended = None;
        let mut with_hook = 0;
        for _ in 0..TRIES {
            let state = self.store.load()?;
            // A retry of what has landed must not be made again, not even where it would find its place. Without a revision
            // seen of each document, the same call may well be meant again; on a base that is current it has not landed.
            let may_be_retry = bases.len() == work.len() && self.is_stale(&bases, &state);
            if may_be_retry && self.store.landed(id).map_err(MemoryError::Indeterminate)? {
                return Ok(self.landed(work, &state));
            }
            let plan = |work: &Work<'_>| self.plan(work, &state, call.authority);
            let (planned, refused): (Vec<_>, Vec<_>) = work.iter().map(plan).partition(Result::is_ok);
            if let Some(refusal) = MemoryError::joined(refused.into_iter().filter_map(Result::err).collect()) {
                return Err(refusal);
            }
            let planned: Vec<_> = planned.into_iter().filter_map(Result::ok).collect();
            let documents: Vec<_> = planned.iter().filter_map(Planned::change).collect();
            if documents.is_empty() {
                return Ok(planned.into_iter().map(Planned::finish).collect());
            }
            match self.store.commit(&Change::new(id, documents).with_bases(bases.clone()))? {
                Outcome::Committed => return Ok(self.finish(planned)),
                Outcome::Conflict { document, .. } => {
                    contended = Some(document);
                    with_hook += usize::from(planned.iter().any(|planned| planned.asked_hook));
                    if with_hook == TRIES_WITH_HOOK {
                        break;
                    }
                }
                Outcome::Indeterminate(lost) => {
                    return match self.store.landed(id) {
                        Ok(true) => Ok(self.finish(planned)),
                        Ok(false) => Err(MemoryError::Store(lost)),
                        Err(_) => Err(MemoryError::Indeterminate(lost)),
                    };
                }
            }
        }
        let document = contended.unwrap_or_else(DocName::memory);
        Err(MemoryError::Contended { document })
    }

    /// Plans one request as [`apply`](Self::apply) does, and renders what it would change. A compaction asks the host's
    /// compactor, which may write another text the next time.
    ///
    /// # Errors
    ///
    /// What `apply` would refuse it for.
    pub fn preview(&self, work: &Work<'_>, authority: Authority, preview: &Preview) -> Result<String, MemoryError> {
        let planned = self.plan(work, &self.store.load()?, authority)?;
        let draft = planned.doc.draft(&planned.plan, authority);
        let draft = draft.map_err(|error| MemoryError::Edit { document: work.document.clone(), error })?;
        Ok(draft.preview(preview))
    }

    fn plan(&self, work: &Work<'_>, state: &State, authority: Authority) -> Result<Planned, MemoryError> {
        let document = &work.document;
        let (doc, exists) = self.parse(document, state);
        let may_create = document.is_built_in() || self.policy().allow_new_documents || authority == Authority::Host;
        if !exists && !may_create {
            return Err(unknown(document, state));
        }
        let planner = Planner { hook: self.compactor.as_deref(), authority, now: self.now() };
        planner.plan(work, doc, exists)
    }

    fn is_stale(&self, bases: &[(DocName, RevisionPrefix)], state: &State) -> bool {
        bases.iter().any(|(document, base)| !base.matches(&self.parse(document, state).0.revision()))
    }

    /// Answers for a call that is known to have been committed.
    fn landed(&self, work: &[Work<'_>], state: &State) -> Vec<Applied> {
        let landed = |work: &Work<'_>| Applied {
            document: work.document.clone(),
            status: AppliedStatus::AlreadyApplied,
            doc: self.parse(&work.document, state).0,
            plan: None,
            commit: None,
            report: None,
            on_believed: None,
        };
        work.iter().map(landed).collect()
    }

    fn finish(&self, planned: Vec<Planned>) -> Vec<Applied> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        for planned in &planned {
            if let Some(commit) = &planned.commit {
                parsed.insert(planned.document().clone(), commit.doc.clone());
            }
        }
        planned.into_iter().map(Planned::finish).collect()
    }

    fn parse(&self, document: &DocName, state: &State) -> (MemoryDoc, bool) {
        let text = state.documents.get(document);
        let known = text.map_or("", |text| text);
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(doc) = parsed.get(document).filter(|doc| doc.text() == known) {
            return (doc.clone(), text.is_some());
        }
        let doc = MemoryDoc::with_rules(known, self.rules.clone());
        parsed.insert(document.clone(), doc.clone());
        (doc, text.is_some())
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("policy", self.policy()).finish_non_exhaustive()
    }
}

fn unknown(document: &DocName, state: &State) -> MemoryError {
    MemoryError::UnknownDocument { document: document.clone(), known: state.documents.keys().cloned().collect() }
}
