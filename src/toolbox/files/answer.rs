//! What the tool answers: the words that the vendor's protocol expects, and memdoc's own behind them.

use std::fmt;

use serde::Serialize;

use crate::edit::Receipt;
use crate::locate::Code;
use crate::memory::MemoryError;
use crate::toolbox::answer::{Done, Edited, Refused};
use crate::toolbox::{Reply, Status, refusal};

/// The answer of a command that was carried out.
#[derive(Clone, Serialize)]
pub(super) struct Carried {
    /// What the model reads first.
    text: String,
    #[serde(flatten)]
    done: Done<Edited>,
}

impl Carried {
    /// Answers a command that looks.
    pub(super) fn looked(text: String) -> Reply {
        Self::of(text, Done::new(Status::Ok, Edited::default()), None)
    }

    /// Answers a command that edits.
    pub(super) fn of(text: String, done: Done<Edited>, receipt: Option<Receipt>) -> Reply {
        Reply::of(done.head.status, Self { text, done }).with_receipt(receipt)
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.done.head.fmt_notes(f)
    }
}

/// Why a command is not carried out: what the model reads first, and what is known beside that.
pub(super) struct Stop {
    first_line: String,
    refused: Box<Refused>,
}

impl Stop {
    /// Refuses with these words and no others.
    pub(super) fn new(code: Code, first_line: impl Into<String>) -> Self {
        Self { first_line: first_line.into(), refused: Refused::plain(code, "") }
    }

    /// Refuses with these words and what is known beside them.
    pub(super) fn of(first_line: impl Into<String>, refused: Box<Refused>) -> Self {
        Self { first_line: first_line.into(), refused }
    }

    /// Refuses what the memory refuses, with its own words.
    pub(super) fn by_memory(what: &str, error: &MemoryError) -> Self {
        let refused = refusal::memory_error(error);
        Self { first_line: format!("{what}: {}", refused.why()), refused }
    }

    /// Says what to do instead.
    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.refused.hint = hint.into();
        self
    }

    #[cfg(test)]
    pub(super) fn first_line(&self) -> &str {
        &self.first_line
    }

    pub(super) fn into_reply(self) -> Reply {
        let Self { first_line, mut refused } = self;
        refused.message.clone_from(&first_line);
        Reply::of(Status::Error, Rejected { refused })
    }
}

/// The answer of a command that was not carried out.
#[derive(Clone, Serialize)]
struct Rejected {
    #[serde(flatten)]
    refused: Box<Refused>,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.refused.message)?;
        self.refused.fmt_help(f)
    }
}
