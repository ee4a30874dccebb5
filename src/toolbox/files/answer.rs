//! What the tool answers: the words that the vendor's protocol expects, and memdoc's own behind them.

use crate::locate::Code;
use crate::memory::{Applied, MemoryError};
use crate::toolbox::answer::Refused;
use crate::toolbox::{Reply, Status, apply, refusal};

/// Answers a command that looks.
pub(super) fn looked(text: String) -> Reply {
    Reply::new(Status::Ok, &()).in_words(text)
}

/// Answers a command that edits.
pub(super) fn edited(text: String, applied: &[Applied]) -> Reply {
    apply::reply(applied).in_words(text)
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
        refused.reply().in_words(first_line)
    }
}
