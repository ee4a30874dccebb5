//! [`Memory`]: plans what is asked for on the current documents, and commits all that changes as one.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::clock::{Clock, SystemClock};
use super::compactor::Compactor;
use super::error::MemoryError;
use super::name::DocName;
use super::operation::{Applied, AppliedStatus, Operation};
use super::origin::Origin;
use super::plan::{Documents, Planned, Share, plan};
use super::policies::{Policies, RuleBook};
use super::request_id::RequestId;
use super::store::{Change, Outcome, State, Store};
use super::terms::{Answers, Terms};
use crate::document::{InvalidSetting, MemoryDoc, Policy};
use crate::edit::{Authority, Preview};
use crate::request::Basis;
use crate::text::{RevisionPrefix, Timestamp, TokenCounter};

/// How often a commit is tried again when another writer was faster.
const TRIES: usize = 16;
/// How often, if the host's compactor is asked each time.
const TRIES_WITH_HOOK: usize = 3;

/// Named documents in a store. Shared by all editors of a memory: wrap it in an [`Arc`].
///
/// # Examples
///
/// ```
/// use memdoc::{Basis, DocName, InMemoryStore, Known, Memory, Operation, Origin, Policy, Replace, memory::Actor, memory::RequestId};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "- Lives in Denver\n");
/// let memory = Memory::new(store, Policy::default())?;
/// let known = Known::of(&memory.read(&DocName::memory())?);
///
/// let request = Replace::new("Denver", "Austin");
/// let operation = Operation::edit(DocName::memory(), Basis::Known(&known), &request);
/// let origin = Origin::new("importer".parse::<Actor>()?, "replace").with_reason("moved to Austin");
/// memory.apply(&[operation], &origin, RequestId::new("replace", &"Austin".into()))?;
/// assert_eq!(memory.read(&DocName::memory())?.text(), "- Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Memory {
    store: Box<dyn Store>,
    rules: RuleBook,
    clock: Box<dyn Clock>,
    compactor: Option<Box<dyn Compactor>>,
    /// The documents as last parsed, to parse a text only when it is another.
    parsed: Mutex<HashMap<DocName, MemoryDoc>>,
}

impl Memory {
    /// Opens the memory in `store`, under one policy or several.
    ///
    /// # Errors
    ///
    /// A value of a policy is out of its range.
    pub fn new(store: impl Store + 'static, policies: impl Into<Policies>) -> Result<Self, InvalidSetting> {
        Ok(Self {
            store: Box::new(store),
            rules: RuleBook::new(policies.into())?,
            clock: Box::new(SystemClock),
            compactor: None,
            parsed: Mutex::default(),
        })
    }

    /// Counts tokens with the host's own counter.
    #[must_use]
    pub fn with_counter(self, counter: impl TokenCounter + 'static) -> Self {
        let counter: Arc<dyn TokenCounter> = Arc::new(counter);
        Self { rules: self.rules.counted_by(&counter), parsed: Mutex::default(), ..self }
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

    /// Returns the policy of the documents that have none of their own.
    pub fn policy(&self) -> &Policy {
        self.rules.common().policy()
    }

    /// Returns the policy of a document.
    pub fn policy_of(&self, document: &DocName) -> &Policy {
        self.rules.of(document).policy()
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
        Ok(self.parse(document, &state))
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
        match document.is_built_in() || self.policy_of(document).allow_new_documents {
            true => Ok(Some(self.parse(document, &state))),
            false => Err(unknown(document, &state)),
        }
    }

    /// Plans every operation on its document, checks the results, and commits all that changes in one write.
    ///
    /// An edit whose basis is stale is refused or rebased, as the policy says; it is `AlreadyApplied` if the same request, on
    /// the same basis, is known to have been committed. `request` is what tells it from others.
    ///
    /// # Errors
    ///
    /// Every document's refusal, or the store's failure; nothing has been changed. `Indeterminate` if the store cannot tell
    /// whether the change was made, now or by an earlier try of the same request.
    pub fn apply(
        &self,
        operations: &[Operation<'_>],
        origin: &Origin,
        request: RequestId,
    ) -> Result<Vec<Applied>, MemoryError> {
        let (mut contended, mut with_hook) = (DocName::memory(), 0);
        for _ in 0..TRIES {
            let documents = self.documents_of(operations, &self.store.load()?);
            let bases = Bases::of(operations, &documents);
            let request = bases.identify(request);
            // A retry of what has landed must not be made again, not even where it would find its place.
            if bases.may_have_landed && self.store.landed(request).map_err(MemoryError::Indeterminate)? {
                return Ok(landed(operations, &documents));
            }
            let shares = self.plan(&documents, operations, origin.authority)?;
            let changes: Vec<_> = shares.iter().flat_map(|share| share.changes.clone()).collect();
            if changes.is_empty() {
                return Ok(self.settle(shares));
            }
            match self.commit(&Change::new(request, changes).with_bases(bases.revisions))? {
                None => return Ok(self.settle(shares)),
                Some(conflict) => contended = conflict,
            }
            with_hook += usize::from(shares.iter().any(|share| share.asked_hook));
            if with_hook == TRIES_WITH_HOOK {
                break;
            }
        }
        Err(MemoryError::Contended { document: contended })
    }

    /// Commits a change; returns the document in which it is in conflict, if it is.
    fn commit(&self, change: &Change) -> Result<Option<DocName>, MemoryError> {
        match self.store.commit(change)? {
            Outcome::Committed => Ok(None),
            Outcome::Conflict { document, .. } => Ok(Some(document)),
            Outcome::Indeterminate(lost) => match self.store.landed(change.request) {
                Ok(true) => Ok(None),
                Ok(false) => Err(MemoryError::Store(lost)),
                Err(_) => Err(MemoryError::Indeterminate(lost)),
            },
        }
    }

    /// Plans one edit as [`apply`](Self::apply) does, and renders what it would change. A compaction asks the host's
    /// compactor, which may write another text the next time.
    ///
    /// # Errors
    ///
    /// What `apply` would refuse it for.
    pub fn preview(
        &self,
        operation: &Operation<'_>,
        authority: Authority,
        preview: &Preview,
    ) -> Result<String, MemoryError> {
        let operations = std::slice::from_ref(operation);
        let documents = self.documents_of(operations, &self.store.load()?);
        let shares = self.plan(&documents, operations, authority)?;
        let Some((before, plan)) = shares.iter().find_map(|share| Some((&share.before, share.applied.plan.as_ref()?)))
        else {
            return Ok(String::new());
        };
        let draft = before.draft(plan, authority);
        let draft = draft.map_err(|error| MemoryError::Edit { document: operation.document().clone(), error })?;
        Ok(draft.preview(preview))
    }

    /// Plans, and asks the host's compactor for what planning needs of it.
    fn plan(
        &self,
        documents: &Documents,
        operations: &[Operation<'_>],
        authority: Authority,
    ) -> Result<Vec<Share>, MemoryError> {
        let (now, hook) = (self.now(), self.compactor.as_deref());
        let mut answers = Answers::default();
        loop {
            let terms = Terms { authority, now, answers: hook.map(|_| &answers) };
            match plan(documents, operations, &terms)? {
                Planned::Ready(shares) => return Ok(shares),
                Planned::Asks(questions) => {
                    for (question, hook) in questions.iter().zip(hook.into_iter().cycle()) {
                        answers.note(question.operation, hook.compact(&question.brief));
                    }
                }
            }
        }
    }

    /// Takes over what has been committed.
    fn settle(&self, shares: Vec<Share>) -> Vec<Applied> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        for applied in shares.iter().map(|share| &share.applied) {
            parsed.insert(applied.document.clone(), applied.doc.clone());
        }
        shares.into_iter().map(|share| share.applied).collect()
    }

    /// Reads the documents that the operations name.
    fn documents_of(&self, operations: &[Operation<'_>], state: &State) -> Documents {
        let named = operations.iter().flat_map(Operation::documents);
        let docs: BTreeMap<_, _> = named.map(|name| (name.clone(), self.parse(name, state))).collect();
        Documents { docs, names: state.documents.keys().cloned().collect() }
    }

    /// Reads a document; one that is not there is empty.
    fn parse(&self, document: &DocName, state: &State) -> MemoryDoc {
        let known = state.documents.get(document).map_or("", |text| text);
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(doc) = parsed.get(document).filter(|doc| doc.text() == known) {
            return doc.clone();
        }
        let doc = MemoryDoc::with_rules(known, self.rules.of(document).clone());
        parsed.insert(document.clone(), doc.clone());
        doc
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("policy", self.policy()).finish_non_exhaustive()
    }
}

/// What a request is based on.
struct Bases {
    /// Of each document the revision that its operation names, else the current one.
    revisions: Vec<(DocName, RevisionPrefix)>,
    /// Whether every operation names one, and one of them is no longer current: without a revision seen of each document, the same
    /// request may well be meant again, and on bases that are current it has not landed.
    may_have_landed: bool,
}

impl Bases {
    fn of(operations: &[Operation<'_>], documents: &Documents) -> Self {
        let mut bases = Self { revisions: Vec::with_capacity(operations.len()), may_have_landed: false };
        let mut name_all = true;
        for (name, operation) in operations.iter().map(|operation| (operation.document(), operation)) {
            let Some(current) = documents.docs.get(name).map(MemoryDoc::revision) else { continue };
            let named = operation.basis().and_then(Basis::revision);
            name_all &= named.is_some();
            bases.may_have_landed |= named.as_ref().is_some_and(|base| !base.matches(&current));
            bases.revisions.push((name.clone(), named.unwrap_or_else(|| current.into())));
        }
        bases.may_have_landed &= name_all;
        bases
    }

    /// Returns the ID of the request on these bases.
    fn identify(&self, request: RequestId) -> RequestId {
        self.revisions.iter().fold(request, |request, (document, revision)| request.on(document, revision))
    }
}

/// Answers for a request that is known to have been committed.
fn landed(operations: &[Operation<'_>], documents: &Documents) -> Vec<Applied> {
    let landed = |operation: &Operation<'_>| {
        let doc = documents.docs.get(operation.document())?.clone();
        Some(Applied::new(operation.document().clone(), AppliedStatus::AlreadyApplied, doc))
    };
    operations.iter().filter_map(landed).collect()
}

fn unknown(document: &DocName, state: &State) -> MemoryError {
    MemoryError::UnknownDocument { document: document.clone(), known: state.documents.keys().cloned().collect() }
}
