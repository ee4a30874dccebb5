//! [`Memory`]: plans requests on the current documents, and commits what they change as one.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::clock::{Clock, SystemClock};
use super::commit_id::CommitId;
use super::compaction::{self, Compactor, Fitted, NotPlanned};
use super::error::MemoryError;
use super::name::DocName;
use super::sight::Sight;
use super::store::{Change, DocumentChange, Outcome, State, Store};
use crate::document::{MemoryDoc, OnStale, Policy, Rules};
use crate::edit::{Authority, Commit, Edit, PartStatus, Preview, Warning};
use crate::request::{CompactionReport, Request, View, rebase};
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

impl Base<'_> {
    /// Returns the revision that the request is based on.
    fn revision(&self) -> Option<RevisionPrefix> {
        match self {
            Self::Any => None,
            Self::Seen(sight) => Some(sight.revision().into()),
            Self::Named(prefix) => Some(prefix.clone()),
        }
    }
}

impl<'a> Work<'a> {
    /// Asks for a change of `document`.
    pub const fn new(document: DocName, base: Base<'a>, request: &'a dyn Request) -> Self {
        Self { document, base, request }
    }
}

/// What a commit is made for: it is part of the commit's ID, by which a retry is known.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call {
    /// The tool, or what the host calls its own edit.
    pub tool: String,
    /// What tells this call from others: the tool's arguments.
    pub arguments: Value,
    /// Whether reserved sections are out of reach.
    pub authority: Authority,
}

impl fmt::Debug for Call {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("tool", &self.tool).field("authority", &self.authority).finish_non_exhaustive()
    }
}

impl Call {
    /// A call on behalf of a model.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self { tool: tool.into(), arguments, authority: Authority::Agent }
    }

    /// Makes it a call of the host's own code, which may change reserved sections.
    #[must_use]
    pub const fn by_host(mut self) -> Self {
        self.authority = Authority::Host;
        self
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
    /// What became of every bullet, if the document was compacted.
    pub report: Option<CompactionReport>,
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
    report: Option<CompactionReport>,
    asked_hook: bool,
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
    /// A request whose base is stale is refused or rebased, as the policy says. One that is stale or would be refused is
    /// `AlreadyApplied` if the same call, on the same base, is known to have been committed.
    ///
    /// # Errors
    ///
    /// Every document's refusal, or the store's failure; nothing has been changed.
    pub fn apply(&self, work: &[Work<'_>], call: &Call) -> Result<Vec<Applied>, MemoryError> {
        let names: Vec<_> = work.iter().map(|work| &work.document).collect();
        let is_named_before = |at: usize, name: &&DocName| names.get(..at).is_some_and(|before| before.contains(name));
        if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| is_named_before(*at, name)) {
            return Err(MemoryError::NamedTwice { document: (*twice).clone() });
        }
        let bases: Vec<_> =
            work.iter().filter_map(|work| Some((work.document.clone(), work.base.revision()?))).collect();
        let id = CommitId::new(&bases, &call.tool, &call.arguments);
        // Without a revision seen of each document, the same call may well be meant again.
        let is_known = |store: &dyn Store| bases.len() == work.len() && store.landed(id).unwrap_or(false);
        let mut contended = None;
        let mut with_hook = 0;
        for _ in 0..TRIES {
            let state = self.store.load()?;
            // A retry of what has landed must not be made again, not even where it would find its place.
            if self.is_stale(&bases, &state) && is_known(&*self.store) {
                return Ok(self.landed(work, &state));
            }
            let plan = |work: &Work<'_>| self.plan_work(work, &state, call.authority);
            let (planned, refused): (Vec<_>, Vec<_>) = work.iter().map(plan).partition(Result::is_ok);
            if let Some(refusal) = MemoryError::joined(refused.into_iter().filter_map(Result::err).collect()) {
                return if is_known(&*self.store) { Ok(self.landed(work, &state)) } else { Err(refusal) };
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
        let planned = self.plan_work(work, &self.store.load()?, authority)?;
        let draft = planned.doc.draft(&planned.plan, authority);
        let draft = draft.map_err(|error| MemoryError::Edit { document: work.document.clone(), error })?;
        Ok(draft.preview(preview))
    }

    fn plan_work(&self, work: &Work<'_>, state: &State, authority: Authority) -> Result<Planned, MemoryError> {
        let document = work.document.clone();
        let (doc, exists) = self.parse(&document, state);
        let may_create = document.is_built_in() || self.policy().allow_new_documents || authority == Authority::Host;
        if !exists && !may_create {
            return Err(unknown(&document, state));
        }
        let refused = |error| MemoryError::Request { document: document.clone(), error };
        let hook = self.compactor.as_deref();
        let asks_hook = compaction::asks(hook, work.request);
        let planned = |view: &View<'_>| {
            compaction::plan(hook, work.request, view).map_err(|error| match error {
                NotPlanned::Refused(error) => refused(error),
                NotPlanned::HookFailed(error) => MemoryError::HookFailed { document: document.clone(), error },
            })
        };
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
                plan = planned(&View::current(&doc, self.now()))?;
            }
            Base::Seen(sight) => {
                let view = View::new(&doc, sight.seen(), self.now());
                if sight.believed().revision() == doc.revision() {
                    plan = planned(&view)?;
                } else if self.policy().on_stale == OnStale::Rebase && asks_hook {
                    // The text is yet to be written: from what stands there now.
                    plan = planned(&View::current(&doc, self.now()))?;
                    is_rebased = true;
                } else if self.policy().on_stale == OnStale::Rebase {
                    match rebase(work.request, sight.believed(), &view) {
                        Ok(rebased) => {
                            plan = rebased.current;
                            (on_believed, is_rebased) = (Some(rebased.seen), true);
                        }
                        Err(error) => plan = settled(work.request, &view).ok_or_else(|| refused(error))?,
                    }
                } else {
                    plan = settled(work.request, &view).ok_or_else(|| stale(&sight.revision().short()))?;
                }
            }
        }
        let is_compaction = work.request.rewrite().is_some();
        let mut planned =
            Planned { document, doc, exists, plan, on_believed, commit: None, report: None, asked_hook: asks_hook };
        if !planned.plan.splices().is_empty() {
            planned.commit(hook, (authority, self.now()), is_compaction)?;
            if let Some(commit) = planned.commit.as_mut().filter(|_| is_rebased) {
                commit.receipt.warnings.push(Warning::Rebased);
            }
        }
        if is_compaction {
            let now = planned.commit.as_ref().map_or(&planned.doc, |commit| &commit.doc);
            planned.report = Some(CompactionReport::new(&planned.doc, now, self.now()));
        }
        Ok(planned)
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
    /// Makes the commit, with a compaction in it where an edit needs the room.
    fn commit(
        &mut self,
        hook: Option<&dyn Compactor>,
        (authority, now): (Authority, Timestamp),
        is_compaction: bool,
    ) -> Result<(), MemoryError> {
        let made = match is_compaction {
            true => self.doc.commit(&self.plan, authority).map(|commit| (None, commit, None)),
            false => compaction::commit(hook, &self.doc, self.plan.clone(), (authority, now))
                .map(|Fitted { plan, commit, report }| (Some(plan), commit, report)),
        };
        let made = made.map_err(|error| MemoryError::Edit { document: self.document.clone(), error })?;
        let (plan, commit, report) = made;
        self.asked_hook |= report.is_some() && hook.is_some();
        self.plan = plan.unwrap_or_else(|| self.plan.clone());
        self.commit = Some(commit).filter(|made| made.doc != self.doc);
        self.report = report;
        Ok(())
    }

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
        let Self { document, plan, on_believed, commit, report, .. } = self;
        Applied { document, status, doc, plan: Some(plan), commit, report, on_believed }
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
