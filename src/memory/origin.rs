//! Whom a change comes from.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::MemoryError;
use super::journal::{Json, Seq};
use crate::edit::Authority;
use crate::locate::Code;
use crate::text::{Content, Span, Unreadable, display_inner, irregular};

/// Whom a change comes from, and why. The host says who acts and on what source; a tool's arguments never do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Origin {
    /// Who acts.
    pub actor: Actor,
    /// The tool, or what the host calls its own edit.
    pub tool: String,
    /// Why, in the words of who acts.
    pub reason: Option<Content>,
    /// The arguments that say what was asked for, if the tool's name alone does not.
    pub arguments: BTreeMap<Box<str>, Content>,
    /// The arguments of the call, which are kept if a write policy withholds it.
    pub call: Option<Json>,
    /// Where what is written comes from, as the host says: a conversation, a message, an import.
    pub source: Option<Content>,
    /// Whether reserved sections may be changed: only the host may.
    pub authority: Authority,
    /// The last entry that the editor knows. It is needed for calls that name their target by a key and no revision,
    /// such as a write of a note: if an equal call comes with the same `since`, it is a retry after a lost answer,
    /// and is not done again.
    pub since: Option<Seq>,
    /// Distinguishes editors of the same name who make the same call.
    pub editor: Option<u128>,
    /// Whether the request is only planned, and not written.
    pub(crate) is_trial: bool,
}

impl Origin {
    /// A change by a tool that `actor` has called.
    pub fn new(actor: Actor, tool: impl Into<String>) -> Self {
        Self { actor, tool: tool.into(), ..Self::default() }
    }

    /// A change by the host's own code, which may change reserved sections.
    pub fn host(what: impl Into<String>) -> Self {
        Self { authority: Authority::Host, ..Self::new(Actor::host(), what) }
    }

    /// Sets why.
    pub fn with_reason(mut self, reason: impl Into<Content>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Sets the last entry that whoever acts knows of.
    pub const fn knowing(mut self, since: Seq) -> Self {
        self.since = Some(since);
        self
    }

    /// Returns the same origin, for a request that is only planned.
    pub(crate) fn trial(&self) -> Self {
        Self { is_trial: true, ..self.clone() }
    }

    /// Sets where what is written comes from.
    pub fn with_source(mut self, source: impl Into<Content>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Refuses anybody but the host.
    pub(super) fn check_host(&self) -> Result<(), MemoryError> {
        match self.authority {
            Authority::Host => Ok(()),
            Authority::Agent => Err(MemoryError::refused(Code::InvalidArguments, "only the host may do this")),
        }
    }
}

/// Who acts, as the host calls them: 1 to 128 characters on one line, none of them invisible.
///
/// A name that is read from a journal is not checked: so a new rule makes no old entry unreadable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Actor(String);

display_inner!(Actor);

impl Actor {
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host's own code.
    pub(super) fn host() -> Self {
        Self("host".to_owned())
    }

    /// Whoever changed a document without this library.
    pub(super) fn outside() -> Self {
        Self("outside".to_owned())
    }
}

impl Default for Actor {
    /// The one agent of a host that does not tell several apart.
    fn default() -> Self {
        Self("agent".to_owned())
    }
}

impl FromStr for Actor {
    type Err = Unreadable;

    fn from_str(name: &str) -> Result<Self, Unreadable> {
        let is_clean = irregular(name, Span::new(0, name.len())).next().is_none() && !name.contains(['\n', '\t', '\r']);
        match is_clean && (1..=128).contains(&name.chars().count()) && !name.trim().is_empty() {
            true => Ok(Self(name.to_owned())),
            false => Err(Unreadable::new("the name of an actor, 1 to 128 visible characters on one line", name)),
        }
    }
}
