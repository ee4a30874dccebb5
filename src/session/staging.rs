//! [`Session`]: staged edits of documents, which are committed as one write or dropped.

use litemap::LiteMap;
use thiserror::Error;

use super::{Intent, Letter, PendingChange};
use crate::document::{AutoCompact, MemoryDoc};
use crate::edit::{Authority, Edit, EditError};
use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::{Basis, Known, Request, View};
use crate::text::Timestamp;

/// Staged edits of one or several documents.
///
/// Nothing is written until [`commit`](Self::commit); dropping a session reverts it. A clone is a savepoint.
///
/// # Examples
///
/// ```
/// use memdoc::session::{Intent, Session};
/// use memdoc::{DocName, InMemoryStore, Memory, Origin, Policy, Replace, Timestamp};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "- Lives in Denver\n");
/// let memory = Memory::new(store, Policy::default())?;
/// let name = DocName::memory();
///
/// let mut session = Session::begin(name.clone(), &memory.read(&name)?);
/// let now = Timestamp::default();
/// session.stage(&name, Intent::replace("Denver", "Austin"), &Replace::new("Denver", "Austin"), now)?;
/// assert_eq!(memory.read(&name)?.text(), "- Lives in Denver\n");
/// assert_eq!(session.draft(&name).unwrap().text(), "- Lives in Austin\n");
///
/// session.commit(&memory, &Origin::host("session").with_reason("moved"))?;
/// assert_eq!(memory.read(&name)?.text(), "- Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Session {
    pub(super) documents: LiteMap<DocName, Known>,
    // Invariant: sorted by letter, then by document; each is planned on the result of the earlier changes of the same
    // document.
    pub(super) changes: Vec<PendingChange>,
    /// How many letters have been used, those of unstaged changes included.
    lettered: usize,
    limit: usize,
}

impl Default for Session {
    fn default() -> Self {
        let (documents, changes) = (LiteMap::new(), Vec::new());
        Self { documents, changes, lettered: 0, limit: Letter::COUNT }
    }
}

/// A change to stage.
pub(crate) struct Wanted<'r> {
    /// The letter, if the change is part of one that has a letter already, in another document.
    pub(crate) letter: Option<Letter>,
    pub(crate) document: DocName,
    pub(crate) intent: Intent,
    pub(crate) request: &'r dyn Request,
    /// The time for planning.
    pub(crate) time: Timestamp,
    /// The text before earlier rewrites. The loss of a rewrite is also measured against this text.
    pub(crate) earlier: Option<MemoryDoc>,
}

/// The outcome of staging a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is pending.
    Pending(Letter),
    /// The text would stay the same. The change has no letter.
    NoChange,
    /// The requested state is there already. The change has no letter.
    AlreadyThere,
}

impl Outcome {
    /// Returns the letter of a pending change.
    pub const fn letter(self) -> Option<Letter> {
        match self {
            Self::Pending(letter) => Some(letter),
            Self::NoChange | Self::AlreadyThere => None,
        }
    }
}

impl Session {
    /// Begins a session with a document as it was shown.
    pub fn begin(document: DocName, doc: &MemoryDoc) -> Self {
        let mut session = Self::default();
        session.open(document, Known::of(doc));
        session
    }

    /// Sets how many changes may be pending, 26 at most.
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit.min(Letter::COUNT);
        self
    }

    /// Opens another document, as the editor knows it. If it is open already, nothing changes.
    pub fn open(&mut self, document: DocName, known: Known) {
        self.documents.entry(document).or_insert(known);
    }

    /// Returns the pending changes, in the order of their letters.
    pub fn changes(&self) -> &[PendingChange] {
        &self.changes
    }

    /// Iterates over the open documents, each with its base: the text that the first change of it is planned on.
    pub fn documents(&self) -> impl Iterator<Item = (&DocName, &MemoryDoc)> {
        self.documents.iter().map(|(name, known)| (name, known.believed()))
    }

    /// Returns the base of a document: the text that the first change of it is planned on. `None` if it is not open.
    pub fn base(&self, document: &DocName) -> Option<&MemoryDoc> {
        self.documents.get(document).map(Known::believed)
    }

    /// Returns what the editor knows of an open document.
    pub(crate) fn known(&self, document: &DocName) -> Option<&Known> {
        self.documents.get(document)
    }

    /// Returns the draft of a document: its text with all pending changes. `None` if it is not open.
    pub fn draft(&self, document: &DocName) -> Option<&MemoryDoc> {
        let last = self.changes.iter().rev().find(|change| change.document == *document);
        last.map(|change| &change.after).or_else(|| self.base(document))
    }

    /// Returns one edit for all pending changes of a document, in which each change is a part; `None` if it is not
    /// open.
    pub fn edit(&self, document: &DocName) -> Option<Edit> {
        let changes: Vec<_> = self.of(document).collect();
        if let [only] = changes[..] {
            return Some(only.edit.clone());
        }
        let parts = changes.into_iter().flat_map(|change| change.edit.parts()).cloned();
        Some(Edit::between(self.base(document)?, self.draft(document)?).with_parts(parts.collect()))
    }

    pub(super) fn of<'s>(&'s self, document: &'s DocName) -> impl Iterator<Item = &'s PendingChange> + Clone {
        self.changes.iter().filter(move |change| change.document == *document)
    }

    /// Returns what the editor knows of the draft.
    pub(crate) fn known_draft(&self, document: &DocName) -> Result<Known, SessionError> {
        let known = self.known(document).ok_or_else(|| not_open(document))?;
        Ok(known.after(self.of(document).map(|change| &change.edit)))
    }

    /// Stages a change: plans it on the draft and checks the result.
    ///
    /// # Errors
    ///
    /// The document is not open, too many changes are pending, or the request or its result is refused.
    pub fn stage(
        &mut self,
        document: &DocName,
        intent: Intent,
        request: &dyn Request,
        now: Timestamp,
    ) -> Result<Outcome, SessionError> {
        let known = self.known_draft(document)?;
        let wanted = Wanted { letter: None, document: document.clone(), intent, request, time: now, earlier: None };
        self.stage_wanted(wanted, &known)
    }

    /// Stages a change. `known` is what the editor knows of the draft.
    ///
    /// # Errors
    ///
    /// As `stage`.
    pub(crate) fn stage_wanted(&mut self, wanted: Wanted<'_>, known: &Known) -> Result<Outcome, SessionError> {
        let Wanted { letter, document, intent, request, time, earlier } = wanted;
        let view = View::new(known.believed(), &Basis::Known(known), time).since(earlier.as_ref());
        let edit = request.plan(&view);
        let edit = edit.map_err(|error| MemoryError::Request { document: document.clone(), error })?.into_one_part();
        let before = self.draft(&document).ok_or_else(|| not_open(&document))?.clone();
        let after = check(&document, &before, &edit)?;
        if edit.splices().is_empty() {
            return Ok(if edit.is_already_applied() { Outcome::AlreadyThere } else { Outcome::NoChange });
        }
        let letter = letter.map_or_else(|| self.next_letter(), Ok)?;
        self.changes.push(PendingChange { letter, document, intent, before, after, edit });
        self.changes.sort_by(|a, b| (a.letter, &a.document).cmp(&(b.letter, &b.document)));
        Ok(Outcome::Pending(letter))
    }

    /// Returns the next letter.
    fn next_letter(&mut self) -> Result<Letter, SessionError> {
        let limit = self.limit;
        let pending = self.changes.chunk_by(|a, b| a.letter == b.letter).count();
        let letter = Letter::nth(self.lettered).filter(|_| pending < limit);
        self.lettered += 1;
        letter.ok_or(SessionError::TooMany { limit })
    }

    /// Returns the text of a document before its first pending rewrite.
    pub(crate) fn text_before_rewrites(&self, document: &DocName) -> Option<&MemoryDoc> {
        let is_rewrite = |change: &&PendingChange| change.document == *document && change.is_rewrite();
        self.changes.iter().find(is_rewrite).map(|change| &change.before)
    }

    /// Drops all changes since a savepoint, which is an earlier clone of the session. Their letters are not used again.
    pub fn return_to(&mut self, savepoint: Self) {
        *self = Self { lettered: self.lettered.max(savepoint.lettered), ..savepoint };
    }
}

/// Why a change was not staged or not unstaged. The session is as before.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The edit is refused on the draft.
    #[error(transparent)]
    Refused(#[from] MemoryError),
    /// There are too many changes, or no letter is left.
    #[error("there can be no more changes in this session: at most {limit} may be pending, and letters are used once")]
    TooMany {
        /// How many there may be.
        limit: usize,
    },
    /// No pending change has this letter.
    #[error("there is no pending change {letter}")]
    UnknownChange {
        /// The letter.
        letter: Letter,
    },
    /// A later change builds on the one to unstage: it changes the same lines, or is refused without it.
    #[error("change {by} builds on change {letter}")]
    BuiltOn {
        /// The change to unstage.
        letter: Letter,
        /// The change that builds on it.
        by: Letter,
    },
}

impl SessionError {
    /// Returns the stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(error) => error.code(),
            Self::TooMany { .. } => Code::TooManyChanges,
            Self::UnknownChange { .. } => Code::UnknownChange,
            Self::BuiltOn { .. } => Code::Conflict,
        }
    }
}

/// Checks an edit of a draft and returns its result. A result that is too large is accepted if the policy allows
/// compaction, because the commit may compact it.
pub(super) fn check(document: &DocName, draft: &MemoryDoc, edit: &Edit) -> Result<MemoryDoc, MemoryError> {
    match draft.checked(edit, Authority::Agent) {
        Err(EditError::TooLarge { .. }) if draft.policy().auto_compact != AutoCompact::Off => Ok(edit.result(draft)),
        Err(error) => Err(MemoryError::Edit { document: document.clone(), error }),
        Ok(checked) => Ok(checked.new),
    }
}

fn not_open(document: &DocName) -> SessionError {
    MemoryError::UnknownDocument { document: document.clone(), known: Vec::new() }.into()
}
