//! What is asked of a memory, and what became of it: each document's share of a commit.

use std::fmt;

use serde_json::Value;

use super::name::DocName;
use super::sight::Sight;
use crate::document::MemoryDoc;
use crate::edit::{Authority, Commit, Edit};
use crate::request::{CompactionReport, Request};
use crate::text::RevisionPrefix;

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
    pub(super) fn revision(&self) -> Option<RevisionPrefix> {
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
    pub(super) on_believed: Option<Edit>,
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
