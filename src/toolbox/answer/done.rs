//! [`Done`]: the answer of a call that was not refused.

use std::fmt;

use serde::Serialize;

use super::{Edited, Tell};
use crate::edit::{Receipt, Warning};
use crate::locate::Leniency;
use crate::text::{Revision, escaped, on_one_line};
use crate::toolbox::{Reply, Status};

/// What every reply has.
#[derive(Clone, Serialize)]
pub(crate) struct Head {
    pub(crate) status: Status,
    /// The revision of the document, for `base_revision`.
    pub(crate) revision: Option<String>,
    /// What happened.
    pub(crate) message: Option<String>,
    /// How the call was read less exactly than written.
    pub(crate) healed: Option<Vec<Leniency>>,
    /// What succeeded, and should be known nevertheless.
    pub(crate) warnings: Option<Vec<WarningRow>>,
}

impl Head {
    /// Adds leniencies to those reported, each once.
    fn heal(&mut self, leniencies: &[Leniency]) {
        for leniency in leniencies {
            let healed = self.healed.get_or_insert_default();
            if !healed.contains(leniency) {
                healed.push(*leniency);
            }
        }
    }

    /// Writes what every reply has, and what was written to documents, if any was.
    fn fmt_with(&self, edited: Option<&Edited>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, revision, message, healed, warnings } = self;
        f.write_str(status.as_str())?;
        let seq = edited.and_then(|edited| edited.seq).map(|seq| format!("seq {seq}"));
        let marks: Vec<_> = revision.iter().map(|revision| format!("revision {revision}")).chain(seq).collect();
        if !marks.is_empty() {
            write!(f, " ({})", marks.join(", "))?;
        }
        if let Some(message) = message {
            write!(f, ": {message}")?;
        }
        if let Some(edited) = edited {
            edited.fmt_written(f)?;
        }
        fmt_read(healed.as_deref().unwrap_or_default(), warnings.as_deref().unwrap_or_default(), edited.is_some(), f)
    }

    /// Writes what happened behind an answer in other words.
    pub(crate) fn fmt_notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, healed, warnings, .. } = self;
        if let Some(message) = message {
            write!(f, "\n({message})")?;
        }
        fmt_read(healed.as_deref().unwrap_or_default(), warnings.as_deref().unwrap_or_default(), true, f)
    }
}

/// Writes how a call was read, and what should be known.
fn fmt_read(healed: &[Leniency], warnings: &[WarningRow], is_edit: bool, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let healed: Vec<_> = healed.iter().map(|leniency| told(*leniency, is_edit)).collect();
    if !healed.is_empty() {
        write!(f, "\nread less exactly than written: {}", healed.join(", "))?;
    }
    warnings.iter().try_for_each(|WarningRow { code, message }| write!(f, "\nwarning {code}: {message}"))
}

/// Names a leniency. Where text was written, it may differ from what stood there by more than was meant.
fn told(leniency: Leniency, is_edit: bool) -> String {
    match leniency {
        Leniency::Punctuation if is_edit => {
            format!("{leniency} (other quotes, dashes or spaces stood there; they stay where you change nothing else)")
        }
        _ => leniency.to_string(),
    }
}

#[derive(Clone, Serialize)]
pub(crate) struct WarningRow {
    code: &'static str,
    message: String,
}

impl From<&Warning> for WarningRow {
    fn from(warning: &Warning) -> Self {
        Self { code: warning.code(), message: escaped(&warning.to_string()) }
    }
}

/// The answer of a call that was not refused: what every reply has, and what the tool tells.
#[derive(Clone, Serialize)]
pub(crate) struct Done<T> {
    #[serde(flatten)]
    pub(crate) head: Head,
    #[serde(flatten)]
    pub(crate) own: T,
    /// The receipt of what was committed, for the host.
    #[serde(skip)]
    receipt: Option<Receipt>,
}

impl<T> Done<T> {
    pub(crate) const fn new(status: Status, own: T) -> Self {
        Self { head: Head { status, revision: None, message: None, healed: None, warnings: None }, own, receipt: None }
    }

    pub(crate) fn with_revision(mut self, revision: impl Into<Option<Revision>>) -> Self {
        self.head.revision = revision.into().map(|revision| revision.short());
        self
    }

    pub(crate) fn with_message(self, message: impl AsRef<str>) -> Self {
        self.with_message_if_any(Some(message))
    }

    pub(crate) fn with_message_if_any(mut self, message: Option<impl AsRef<str>>) -> Self {
        self.head.message = message.map(|message| on_one_line(message.as_ref()));
        self
    }

    /// Reports how an edit was read and what should be known of it, even if that is nothing.
    pub(crate) fn with_notes(mut self, healed: Vec<Leniency>, warnings: &[Warning]) -> Self {
        self.head.healed = Some(Vec::new());
        self.head.warnings = Some(warnings.iter().map(WarningRow::from).collect());
        self.with_healed(&healed)
    }

    /// Adds what should be known.
    pub(crate) fn with_warning(mut self, warning: &Warning) -> Self {
        self.head.warnings.get_or_insert_default().push(warning.into());
        self
    }

    /// Adds leniencies to those reported, each once.
    pub(crate) fn with_healed(mut self, leniencies: &[Leniency]) -> Self {
        self.head.heal(leniencies);
        self
    }

    /// Puts what the tool tells in the place of what every such tool tells.
    pub(crate) fn map<U>(self, tell: impl FnOnce(T) -> U) -> Done<U> {
        Done { head: self.head, own: tell(self.own), receipt: self.receipt }
    }

    /// Adds the receipt of what was committed.
    pub(crate) fn with_receipt(mut self, receipt: Option<Receipt>) -> Self {
        self.receipt = receipt;
        self
    }
}

impl<T: Tell> Done<T> {
    pub(crate) fn into_reply(mut self) -> Reply {
        let receipt = self.receipt.take();
        Reply::of(self.head.status, self).with_receipt(receipt)
    }
}

impl<T: Tell> fmt::Display for Done<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head.fmt_with(self.own.edited(), f)?;
        self.own.fmt_own(f)?;
        self.own.edited().map_or(Ok(()), |edited| edited.fmt_reports(f))
    }
}
