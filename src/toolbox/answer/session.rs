//! [`InSession`]: what every tool of editing sessions tells: whether a session is open, and what is pending in it.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::quote::Quote;
use super::{Places, SessionState, Tell, fmt_places};

/// What every tool of editing sessions tells.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct InSession {
    #[serde(flatten)]
    pub(in super::super) session: SessionState,
    /// What is pending, in the order of the letters, as it stands in the drafts.
    #[schemars(with = "Option<Vec<Value>>")]
    pub(in super::super) pending_changes: Option<Vec<ChangeRow>>,
    /// What may be called next.
    #[schemars(with = "Option<Vec<Value>>")]
    pub(in super::super) next_actions: Option<Vec<&'static str>>,
    /// What to send next.
    pub(in super::super) hint: Option<String>,
    /// What was asked to be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(in super::super) text: Option<Quote>,
    /// The session as a model reads it that has no structured results.
    #[serde(skip)]
    #[schemars(skip)]
    pub(in super::super) rendered: Option<String>,
}

/// A pending change.
#[derive(Clone, Serialize)]
pub(in super::super) struct ChangeRow {
    pub(in super::super) change_id: String,
    pub(in super::super) kind: &'static str,
    pub(in super::super) document: String,
    pub(in super::super) section: Option<String>,
    /// Its line in the draft, from 1.
    pub(in super::super) line: usize,
    /// Its position in the draft, in characters from 0.
    pub(in super::super) position: usize,
    /// By how many characters the text grows or shrinks.
    pub(in super::super) delta: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) preview: Option<String>,
}

impl InSession {
    pub(in super::super) const fn new(session: SessionState) -> Self {
        Self { session, pending_changes: None, next_actions: None, hint: None, text: None, rendered: None }
    }
}

impl Tell for InSession {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.as_ref().map_or(Ok(()), |text| write!(f, "{text}"))?;
        self.rendered.as_ref().map_or(Ok(()), |text| write!(f, "\n{}", text.trim_end_matches('\n')))?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "\nhint: {hint}"))
    }
}

/// What a tool tells that looks for the one place of a text.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct Choice {
    #[serde(flatten)]
    pub(in super::super) session: InSession,
    /// The places that may be meant.
    #[serde(flatten)]
    pub(in super::super) places: Option<Places>,
}

impl Tell for Choice {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.places.as_ref().map_or(Ok(()), |places| fmt_places(places, f))?;
        self.session.fmt_own(f)
    }
}
