//! The hooks of a host: its [`Clock`], a [`Compactor`] that writes shorter texts, and a [`WritePolicy`] that judges
//! each write.

use std::sync::Arc;
use std::time::SystemTime;

use crate::memory::{DocName, Origin};
use crate::request::CompactionRequest;
use crate::text::{Content, Line, Tally, Timestamp, is_blank};

/// Tells the time. Planning does not ask it, but gets the time as a value. A closure is a clock, too.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from(SystemTime::now())
    }
}

/// The clock of a store: that of the machine, until a memory sets the host's.
#[derive(Clone)]
pub(crate) struct HostClock(pub(crate) Arc<dyn Clock>);

not_shown!(HostClock);

impl Default for HostClock {
    fn default() -> Self {
        Self(Arc::new(SystemClock))
    }
}

impl<F: Fn() -> Timestamp + Send + Sync> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// Why a compactor has no text: what the host's model or network said.
pub type CompactorError = Box<dyn std::error::Error + Send + Sync>;

/// Writes shorter texts for a memory: the host's hook, which calls a model. A closure is one, too.
///
/// It is called while no lock is held, and may take its time; what it returns is checked before anything is written.
///
/// # Examples
///
/// ```
/// use memdoc::{Basis, DocName, InMemoryStore, Memory, Operation, Origin, Policy, memory::RequestId, request::BulletOutcome, request::CompactionRequest, request::Rewrite};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Likes tea\n- Likes green tea\n- Has a cat\n");
/// let model = |request: &CompactionRequest| {
///     assert!(request.prompt().contains("- Likes green tea"));
///     Ok("## Facts\n- Likes green tea\n- Has a cat\n".to_owned())
/// };
/// let memory = Memory::new(store, Policy::default())?.with_compactor(model);
///
/// let rewrite = Rewrite::new("merge what says the same");
/// let operation = Operation::edit(DocName::memory(), Basis::Anything, &rewrite);
/// let applied = memory.apply(&[operation], &Origin::host("tidy"), RequestId::new("tidy", &"nightly".into()))?;
/// let report = applied[0].report.as_ref().expect("a rewrite is reported");
/// assert_eq!(report.count(BulletOutcome::Kept), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Compactor: Send + Sync {
    /// Returns the new text for what the request is about: the whole document, or the section with its heading.
    ///
    /// # Errors
    ///
    /// There is no text. A call of `rewrite_memory` is refused with `hook_failed`; an edit that would have been compacted is refused
    /// with `too_large`. Nothing has been changed.
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError>;
}

impl<F: Fn(&CompactionRequest) -> Result<String, CompactorError> + Send + Sync> Compactor for F {
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError> {
        self(request)
    }
}

/// Judges each write before it is made: edits, undos, compactions, and entries beside the documents. A closure is one,
/// too.
///
/// It is asked after the library's own checks, once for each document that a commit would change, and again if other
/// writers were faster. The store may be locked meanwhile: the policy should be quick, and must not use the memory.
///
/// # Examples
///
/// ```
/// use memdoc::{InMemoryStore, Memory, Policy, Toolbox, Code};
/// use memdoc::memory::{PlannedWrite, Verdict};
/// use serde_json::json;
///
/// let no_keys = |write: &PlannedWrite<'_>| match write.added().any(|line| line.contains("sk-")) {
///     true => Verdict::Refuse("API keys are not kept here".into()),
///     false => Verdict::Allow,
/// };
/// let memory = Memory::new(InMemoryStore::new(), Policy::default())?.with_write_policy(no_keys);
/// let mut toolbox = Toolbox::new(memory);
/// let reply = toolbox.call("write_memory", &json!({"key": "keys", "content": "sk-4711"}));
/// assert_eq!(reply.code(), Some(Code::RefusedByPolicy));
/// # Ok::<(), memdoc::document::InvalidSetting>(())
/// ```
pub trait WritePolicy: Send + Sync {
    /// Judges one write.
    fn judge(&self, write: &PlannedWrite<'_>) -> Verdict;
}

impl<F: Fn(&PlannedWrite<'_>) -> Verdict + Send + Sync> WritePolicy for F {
    fn judge(&self, write: &PlannedWrite<'_>) -> Verdict {
        self(write)
    }
}

/// A write that a policy judges before it is made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlannedWrite<'a> {
    /// The document; `None` if it is an entry that stands beside the documents, such as a memory.
    pub document: Option<&'a DocName>,
    /// The paths of the sections that it would change.
    pub sections: &'a [String],
    /// Whom it comes from, by which tool, why, on what source, and with whose authority.
    pub origin: &'a Origin,
    /// The text before the write; empty if there is none.
    pub before: &'a str,
    /// The text after the write; empty if the write deletes the document.
    pub after: &'a str,
}

impl<'a> PlannedWrite<'a> {
    /// Iterates over the lines that the new text has and the old one lacks, or has less often. They come without line
    /// endings, and blank lines are left out.
    pub fn added(&self) -> impl Iterator<Item = &'a str> {
        let lines = |text: &'a str| Line::texts(text).filter(|line| !is_blank(line));
        let mut before: Tally<&str> = lines(self.before).collect();
        lines(self.after).filter(move |line| !before.take(line))
    }
}

/// A policy's judgment of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It is made.
    Allow,
    /// It is not made. The caller gets `refused_by_policy` with this reason, a short sentence without a full stop.
    Refuse(Content),
    /// It is not made, and the caller gets `refused_by_policy` with this reason. The journal keeps it until the host
    /// [releases](super::Memory::release) it; until then no prompt and no recall shows it. The same request, made
    /// again, is not kept twice.
    Quarantine(Content),
}
