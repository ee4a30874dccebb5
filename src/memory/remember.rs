//! Entries that change no document: memories, decisions and identities, and consolidations that supersede older
//! entries.

use serde_json::json;

use super::commit::{Order, Remark};
use super::journal::{EntryKind, Record, Remembered, Runs, Seq, SeqRange, Tier};
use super::{DocName, Memory, MemoryError, Origin, Recorded, RequestId};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit, EditError};
use crate::locate::Code;
use crate::text::Content;

/// Something to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewMemory {
    /// The text.
    pub text: Content,
    /// What it is: a memory, a decision, or who the agent is.
    pub kind: EntryKind,
    /// For how long it is remembered.
    pub tier: Tier,
    /// How important it is, from 1 to 10; a number outside is taken as the nearest of them.
    pub importance: u8,
}

impl NewMemory {
    /// The importance of a memory for which none is given.
    pub const IMPORTANCE: u8 = 5;

    /// Remembers `text` for good, as a memory of middling importance.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), kind: EntryKind::Memory, tier: Tier::Committed, importance: Self::IMPORTANCE }
    }
}

impl Memory {
    /// Records something to remember, beside the documents.
    ///
    /// # Errors
    ///
    /// The text is blank, has characters that no document may get, or is larger than a document may be; an identity is
    /// recorded without the host's authority; the store failed.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::memory::{Actor, NewMemory};
    /// use memdoc::{InMemoryStore, Memory, Origin, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let origin = Origin::new(Actor::default(), "chat");
    /// let dark = memory.remember(&NewMemory::new("Prefers dark mode"), &origin)?;
    /// let code = memory.remember(&NewMemory::new("Uses VS Code"), &origin)?;
    /// let both = memory.rethink(&[dark.seq, code.seq], "Works in VS Code, in dark mode", &origin)?;
    /// assert_eq!(both.superseded, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remember(&self, memory: &NewMemory, origin: &Origin) -> Result<Recorded, MemoryError> {
        self.check_text(&memory.text)?;
        let kind = memory.kind.clone();
        match kind {
            EntryKind::Memory | EntryKind::Decision => {}
            EntryKind::Identity => origin.check_host()?,
            _ => return Err(MemoryError::refused(Code::InvalidArguments, "this kind of entry is not for remembering")),
        }
        let importance = memory.importance.clamp(1, 10);
        let arguments = json!([kind, memory.text.as_str(), memory.tier, importance]);
        let record = Record::Memory(Remembered { text: memory.text.clone(), tier: memory.tier, importance });
        let remark = Some(&Remark::recording(kind, record));
        self.record(&Order { remark, ..Order::new(origin, RequestId::new("memory_commit", &arguments)) })
    }

    /// Records a new understanding that supersedes entries, which stay in the journal as they are.
    ///
    /// # Errors
    ///
    /// No entry is named; one does not exist, cannot be superseded, or is superseded already; the text is refused as
    /// [`remember`](Self::remember) says; the store failed.
    pub fn rethink(&self, supersedes: &[Seq], text: &str, origin: &Origin) -> Result<Recorded, MemoryError> {
        self.check_text(text)?;
        if supersedes.is_empty() {
            return Err(MemoryError::refused(Code::InvalidArguments, "there is no entry to supersede"));
        }
        let numbers: Vec<_> = supersedes.iter().map(|seq| seq.get()).collect();
        let request = RequestId::new("memory_rethink", &json!([numbers, text]));
        let once: Runs = supersedes.iter().copied().collect();
        let supersedes = once.iter().flat_map(SeqRange::numbers).collect();
        let own = Remark::recording(EntryKind::Consolidation, Record::Consolidation(text.into()));
        self.record(&Order { remark: Some(&Remark { supersedes, ..own }), ..Order::new(origin, request) })
    }

    /// Returns true if recall shows an entry, and no other entry supersedes it.
    pub(crate) fn is_recalled(&self, seq: Seq) -> Result<bool, MemoryError> {
        Ok(self.derived()?.value.supersessions.check(&[seq]).is_ok())
    }

    /// Refuses a text that could not be a document's.
    fn check_text(&self, text: &str) -> Result<(), MemoryError> {
        if text.trim().is_empty() {
            return Err(MemoryError::refused(Code::InvalidArguments, "there is nothing to remember"));
        }
        let document = DocName::memory();
        let empty = MemoryDoc::with_rules("", self.rules.of(&document).clone());
        let edit = Edit::between(&empty, &MemoryDoc::with_rules(text, empty.rules().clone()));
        match empty.commit(&edit, Authority::Agent) {
            Ok(_) => Ok(()),
            Err(EditError::TooLarge { unit, would_be, limit, .. }) => {
                let why = format!("the text has {would_be} {unit}, the limit is {limit}");
                Err(MemoryError::refused(Code::TooLarge, why))
            }
            Err(error) => Err(MemoryError::Edit { document, error }),
        }
    }
}
