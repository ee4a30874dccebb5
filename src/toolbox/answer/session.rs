//! [`InSession`]: what every tool of editing sessions tells: whether a session is open, and what is pending in it.

use std::fmt;

use serde::Serialize;

use super::quote::Quote;
use super::{Places, SessionState, Tell, fmt_places};

/// What every tool of editing sessions tells.
#[derive(Clone, Serialize)]
pub(crate) struct InSession {
    #[serde(flatten)]
    pub(crate) session: SessionState,
    /// What is pending, in the order of the letters, as it stands in the drafts.
    pub(crate) pending_changes: Option<Vec<ChangeRow>>,
    /// What may be called next.
    pub(crate) next_actions: Option<Vec<&'static str>>,
    /// What to send next.
    pub(crate) hint: Option<String>,
    /// What was asked to be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<Quote>,
    /// The session as a model reads it that has no structured results.
    #[serde(skip)]
    pub(crate) rendered: Option<String>,
}

/// A pending change.
#[derive(Clone, Serialize)]
pub(crate) struct ChangeRow {
    pub(crate) change_id: String,
    pub(crate) kind: &'static str,
    pub(crate) document: String,
    pub(crate) section: Option<String>,
    /// Its line in the draft, from 1.
    pub(crate) line: usize,
    /// Its position in the draft, in characters from 0.
    pub(crate) position: usize,
    /// By how many characters the text grows or shrinks.
    pub(crate) delta: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) preview: Option<String>,
}

impl InSession {
    pub(crate) const fn new(session: SessionState) -> Self {
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
#[derive(Clone, Serialize)]
pub(crate) struct Choice {
    #[serde(flatten)]
    pub(crate) session: InSession,
    /// The places that may be meant.
    #[serde(flatten)]
    pub(crate) places: Option<Places>,
}

impl Tell for Choice {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.places.as_ref().map_or(Ok(()), |places| fmt_places(places, f))?;
        self.session.fmt_own(f)
    }
}
