//! [`Memory`]: plans requests on the current documents, and commits what they change as one.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::clock::{Clock, SystemClock};
use super::commit_id::CommitId;
use super::error::MemoryError;
use super::name::DocName;
use super::sight::Sight;
use super::store::{Change, DocumentChange, Outcome, State, Store};
use crate::document::{MemoryDoc, OnStale, Policy, Rules};
use crate::edit::{Authority, Commit, Edit, PartStatus, Preview, Warning};
use crate::request::{Request, View, rebase};
use crate::text::{RevisionPrefix, Timestamp};

/// How often a commit is tried again when another writer was faster.
const TRIES: usize = 16;

/// Named documents in a store. Shared by all editors of a memory: wrap it in an [`Arc`].
///
/// # Examples
///
/// ```
/// use memdoc::{Base, CommitId, DocName, InMemoryStore, Memory, Origin, Policy, Replace, Sight, Work};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "- Lives in Denver\n");
/// let memory = Memory::new(store, Policy::default());
/// let seen = Sight::of(&memory.read(&DocName::memory())?);
///
/// let request = Replace::new("Denver", "Austin");
/// let work = [Work::new(DocName::memory(), Base::Seen(&seen), &request)];
/// let id = CommitId::new([("memory", seen.revision().short())], "host", &"move to Austin".into());
/// memory.apply(&work, id, &Origin::default())?;
/// assert_eq!(memory.read(&DocName::memory())?.text(), "- Lives in Austin\n");
/// # Ok::<(), memdoc::MemoryError>(())
/// ```
pub struct Memory {
    store: Box<dyn Store>,
    rules: Arc<Rules>,
    clock: Box<dyn Clock>,
    /// The documents as last parsed, to parse a text only when it is another.
    parsed: Mutex<HashMap<DocName, MemoryDoc>>,
}

/// One document's share of a commit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Work<'a> {
    /// The document.
    pub document: DocName,
    /// What the editor bases it on.
    pub base: Base<'a>,
    /// What is asked for.
    pub request: &'a dyn Request,
}

/// What an editor bases a request on.
#[derive(Clone, Debug)]
pub enum Base<'a> {
    /// Whatever is there: the request names its target and needs no text seen.
    Any,
    /// What it has seen.
    Seen(&'a Sight),
    /// A revision that it names; it must be the current one.
    Named(RevisionPrefix),
}

impl<'a> Work<'a> {
    /// Asks for a change of `document`.
    pub const fn new(document: DocName, base: Base<'a>, request: &'a dyn Request) -> Self {
        Self { document, base, request }
    }
}

/// On whose behalf a commit is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// Whether reserved sections are out of reach.
    pub authority: Authority,
}

impl Origin {
    /// The host's own code, which may change reserved sections.
    pub const fn host() -> Self {
        Self { authority: Authority::Host }
    }
}

/// What became of one document's share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The document.
    pub document: DocName,
    /// Whether it was changed.
    pub status: AppliedStatus,
    /// The document as it stands now.
    pub doc: MemoryDoc,
    /// The plan, with a part for each part of the request; `None` if only the ID is known to have landed.
    pub plan: Option<Edit>,
    /// The commit, if the document was changed.
    pub commit: Option<Commit>,
    /// The plan on the text that the editor believes in, where that is another text.
    on_believed: Option<Edit>,
}

impl Applied {
    /// Notes in `sight` what the editor now knows of the document.
    pub fn update(&self, sight: &mut Sight) {
        match self.status {
            AppliedStatus::Committed => sight.edited(self.on_believed.as_ref().or(self.plan.as_ref()), &self.doc),
            AppliedStatus::NoChange | AppliedStatus::AlreadyApplied => {}
        }
    }
}

/// Whether a document was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliedStatus {
    /// It was.
    Committed,
    /// The request asks for no change.
    NoChange,
    /// The wanted state was there already, or the same request is known to have been committed.
    AlreadyApplied,
}

struct Planned {
    document: DocName,
    doc: MemoryDoc,
    exists: bool,
    plan: Edit,
    on_believed: Option<Edit>,
    commit: Option<Commit>,
}

impl Memory {
    /// Opens the memory in `store`.
    pub fn new(store: impl Store + 'static, policy: Policy) -> Self {
        Self::with_rules(store, Rules::new(policy))
    }

    /// Opens the memory in `store` under rules with the host's token counter.
    pub fn with_rules(store: impl Store + 'static, rules: Rules) -> Self {
        Self { store: Box::new(store), rules: Arc::new(rules), clock: Box::new(SystemClock), parsed: Mutex::default() }
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

    /// Plans every request on its document, checks the results, and commits all that changes in one write.
    ///
    /// A request whose base is stale is refused or rebased, as the policy says. One that would be refused is
    /// `AlreadyApplied` if a commit with this `id` has landed.
    ///
    /// # Errors
    ///
    /// The first document's refusal, or the store's failure; nothing has been changed.
    pub fn apply(&self, work: &[Work<'_>], id: CommitId, origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        let names: Vec<_> = work.iter().map(|work| &work.document).collect();
        if let Some(twice) =
            names.iter().enumerate().find_map(|(at, name)| names.get(..at)?.contains(name).then_some(*name))
        {
            return Err(MemoryError::NamedTwice { document: twice.clone() });
        }
        let mut contended = None;
        for _ in 0..TRIES {
            let state = self.store.load()?;
            let planned = work.iter().map(|work| self.plan_work(work, &state, origin)).collect::<Result<Vec<_>, _>>();
            let planned = match planned {
                Ok(planned) => planned,
                Err(refusal) => return self.already_landed(work, id, refusal),
            };
            let documents: Vec<_> = planned.iter().filter_map(Planned::change).collect();
            if documents.is_empty() {
                return Ok(planned.into_iter().map(Planned::finish).collect());
            }
            match self.store.commit(&Change::new(id, documents))? {
                Outcome::Committed => return Ok(self.finish(planned)),
                Outcome::Conflict { document, .. } => contended = Some(document),
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

    /// Plans one request as [`apply`](Self::apply) does, and renders what it would change.
    ///
    /// # Errors
    ///
    /// What `apply` would refuse it for.
    pub fn preview(&self, work: &Work<'_>, origin: &Origin, preview: &Preview) -> Result<String, MemoryError> {
        let planned = self.plan_work(work, &self.store.load()?, origin)?;
        let draft = planned.doc.draft(&planned.plan, origin.authority);
        let draft = draft.map_err(|error| MemoryError::Edit { document: work.document.clone(), error })?;
        Ok(draft.preview(preview))
    }

    fn plan_work(&self, work: &Work<'_>, state: &State, origin: &Origin) -> Result<Planned, MemoryError> {
        let document = work.document.clone();
        let (doc, exists) = self.parse(&document, state);
        let may_create =
            document.is_built_in() || self.policy().allow_new_documents || origin.authority == Authority::Host;
        if !exists && !may_create {
            return Err(unknown(&document, state));
        }
        let refused = |error| MemoryError::Request { document: document.clone(), error };
        let plan;
        let (mut on_believed, mut is_rebased) = (None, false);
        let stale = |seen: &str| {
            let (document, current) = (document.clone(), doc.revision());
            MemoryError::StaleRevision { document, seen: seen.to_owned(), current }
        };
        match &work.base {
            Base::Named(prefix) if !prefix.matches(&doc.revision()) => {
                plan = settled(work.request, &View::current(&doc, self.now())).ok_or_else(|| stale(prefix.as_str()))?;
            }
            Base::Any | Base::Named(_) => {
                plan = work.request.plan(&View::current(&doc, self.now())).map_err(refused)?
            }
            Base::Seen(sight) => {
                let view = View::new(&doc, sight.seen(), self.now());
                if sight.revision() == doc.revision() {
                    plan = work.request.plan(&view).map_err(refused)?;
                    if sight.believed().revision() != doc.revision() {
                        on_believed = work.request.plan(&view.on(sight.believed())).ok();
                    }
                } else if self.policy().on_stale == OnStale::Rebase {
                    let rebased = rebase(work.request, sight.believed(), &view).map_err(refused)?;
                    plan = rebased.current;
                    (on_believed, is_rebased) = (Some(rebased.seen), true);
                } else {
                    plan = settled(work.request, &view).ok_or_else(|| stale(&sight.revision().short()))?;
                }
            }
        }
        let mut commit = None;
        if !plan.splices().is_empty() {
            let made = doc.commit(&plan, origin.authority);
            let mut made = made.map_err(|error| MemoryError::Edit { document: document.clone(), error })?;
            if is_rebased {
                made.receipt.warnings.push(Warning::Rebased);
            }
            commit = Some(made).filter(|made| made.doc != doc);
        }
        Ok(Planned { document, doc, exists, plan, on_believed, commit })
    }

    fn already_landed(
        &self,
        work: &[Work<'_>],
        id: CommitId,
        refusal: MemoryError,
    ) -> Result<Vec<Applied>, MemoryError> {
        if matches!(refusal, MemoryError::Store(_)) || !self.store.landed(id)? {
            return Err(refusal);
        }
        let state = self.store.load()?;
        let landed = |work: &Work<'_>| Applied {
            document: work.document.clone(),
            status: AppliedStatus::AlreadyApplied,
            doc: self.parse(&work.document, &state).0,
            plan: None,
            commit: None,
            on_believed: None,
        };
        Ok(work.iter().map(landed).collect())
    }

    fn finish(&self, planned: Vec<Planned>) -> Vec<Applied> {
        let mut parsed = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        for planned in &planned {
            if let Some(commit) = &planned.commit {
                parsed.insert(planned.document.clone(), commit.doc.clone());
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

impl Planned {
    fn change(&self) -> Option<DocumentChange> {
        let commit = self.commit.as_ref()?;
        let expected = self.exists.then(|| self.doc.revision());
        Some(DocumentChange::new(self.document.clone(), expected, commit.doc.text()))
    }

    fn finish(self) -> Applied {
        let wants_nothing = self.plan.parts().iter().any(|part| part.status == PartStatus::AlreadyApplied);
        let (status, doc) = match &self.commit {
            Some(commit) => (AppliedStatus::Committed, commit.doc.clone()),
            None if wants_nothing => (AppliedStatus::AlreadyApplied, self.doc),
            None => (AppliedStatus::NoChange, self.doc),
        };
        let Self { document, plan, on_believed, commit, .. } = self;
        Applied { document, status, doc, plan: Some(plan), commit, on_believed }
    }
}

/// Returns the plan of a stale request all of whose parts find what they ask for there already: a retry after a lost answer
/// is harmless.
fn settled(request: &dyn Request, view: &View<'_>) -> Option<Edit> {
    let plan = request.plan(view).ok()?;
    let is_settled =
        !plan.parts().is_empty() && plan.parts().iter().all(|part| part.status == PartStatus::AlreadyApplied);
    is_settled.then_some(plan)
}

fn unknown(document: &DocName, state: &State) -> MemoryError {
    MemoryError::UnknownDocument { document: document.clone(), known: state.documents.keys().cloned().collect() }
}
