//! [`Failure`]: why a command did not do what was asked, and the exit code that says so.

use std::fmt;
use std::io;
use std::path::Path;

use memdoc::memory::StoreError;
use memdoc::{Code, MemoryError};

/// What a command returns.
pub(crate) type Done = Result<Answer, Failure>;

/// What a command that did its work has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    /// The answer is no: something was sought, compared or verified.
    No,
}

/// Why nothing was done.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    code: String,
    message: String,
    hint: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Refused,
    Usage,
    Store,
    ClosedPipe,
}

impl Failure {
    /// What was asked for is not done.
    pub(crate) fn refused(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind: Kind::Refused, code: code.into(), message: message.into(), hint: None }
    }

    /// The command line or the configuration cannot be followed.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, code: "usage".to_owned(), message: message.into(), hint: None }
    }

    /// A file beside the memory cannot be read or written.
    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        let message = format!("could not {what} `{}`: {error}", path.display());
        Self { kind: Kind::Store, code: "store".to_owned(), message, hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Reports whether nobody reads any more.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.kind == Kind::ClosedPipe
    }

    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    pub(crate) const fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::ClosedPipe => 0,
            Kind::Refused => 1,
            Kind::Usage => 2,
            Kind::Store => 3,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Refused => write!(f, "refused ({}): {}", self.code, self.message),
            _ => write!(f, "error: {}", self.message),
        }
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        let kind = match &error {
            MemoryError::Store(StoreError::NameTaken { .. }) => Kind::Refused,
            MemoryError::Store(_) | MemoryError::Indeterminate(_) | MemoryError::Contended { .. } => Kind::Store,
            error if error.code() == Code::ChainBroken => Kind::Store,
            _ => Kind::Refused,
        };
        let hint = match &error {
            MemoryError::UnknownDocument { known, .. } if !known.is_empty() => {
                let names: Vec<String> = known.iter().take(20).map(ToString::to_string).collect();
                Some(format!("there are: {}", names.join(", ")))
            }
            error if error.code() == Code::ChainBroken => {
                Some("`memdoc verify` says what is wrong with the journal".to_owned())
            }
            _ => None,
        };
        Self { kind, code: error.code().to_string(), message: error.to_string(), hint }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        MemoryError::from(error).into()
    }
}

/// Errors of standard output: all others name their file.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let kind = if error.kind() == io::ErrorKind::BrokenPipe { Kind::ClosedPipe } else { Kind::Store };
        Self { kind, code: "store".to_owned(), message: format!("could not write the output: {error}"), hint: None }
    }
}
