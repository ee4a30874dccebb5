//! Core blocks: texts that an agent needs in every conversation. Each has versions.
//!
//! A block is a section of the document `core`, with its label as the title; it is written as a note is. An update
//! makes a new version. An edit of the document by another tool, by an undo or by hand makes no version: the history
//! shows it as an edit.

use serde_json::json;

use super::commit::{Order, Remark, Response};
use super::journal::{BlockVersion, EntryKind, Record};
use super::tries::until_free;
use super::{Applied, AppliedStatus, DocName, Memory, MemoryError, Operation, Origin, RequestId};
use crate::locate::Code;
use crate::request::{Basis, NoteEdit};
use crate::text::{Content, Digest, excerpt, normal_name};

/// The blocks that every memory has. They are in every prompt, unless an update sets `is_core` to false.
pub const CORE_BLOCKS: [&str; 4] = ["persona", "user_profile", "goals", "knowledge"];

/// A core block, at one of its versions.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Block {
    /// Its label.
    pub label: String,
    /// The last version, or the one that was asked for, counted from 1; 0 if the block was never updated.
    pub version: u64,
    /// The text; `None` if it was never set, or its section was removed.
    pub text: Option<Content>,
    /// Whether it stands in every prompt; else it is recalled only.
    pub is_core: bool,
}

/// A block that was updated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Updated {
    /// What became of the document. If only `is_core` was changed, it has a `seq` and no `commit`.
    pub applied: Applied,
    /// The version that the block is at.
    pub version: u64,
    /// Whether it stands in every prompt; else it is recalled only.
    pub is_core: bool,
}

impl Memory {
    /// Writes a new version of a core block, with this text. `is_core` says whether it is in every prompt; `None` leaves
    /// that as it is, and at first only [`CORE_BLOCKS`] are. If the block has this text already, and `is_core` would not
    /// change, nothing is written.
    ///
    /// # Errors
    ///
    /// There is no block of this label; the text passes for a reserved section, or is refused; the store failed. Nothing has been
    /// changed, but for `Indeterminate`.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::memory::Actor;
    /// use memdoc::{InMemoryStore, Memory, Origin, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let origin = Origin::new(Actor::default(), "block_update");
    /// memory.update_block("persona", "I am Kite.", None, &origin)?;
    /// let updated = memory.update_block("persona", "I am Kite, a calm guide.", None, &origin)?;
    /// assert_eq!(updated.version, 2);
    /// assert_eq!(memory.block("persona", Some(1))?.text.as_deref(), Some("I am Kite."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_block(
        &self,
        label: &str,
        content: &str,
        is_core: Option<bool>,
        origin: &Origin,
    ) -> Result<Updated, MemoryError> {
        let (label, core) = (self.checked_label(label)?, DocName::core());
        let edit = NoteEdit::block(label, content);
        let arguments = json!({"label": label, "content": content, "is_core": is_core});
        let request = RequestId::new("block_update", &arguments);
        until_free(|| {
            let expected_head = Some(self.head()?.seq);
            let current = self.block(label, None)?;
            let remark = Some(&self.next_version(label, content, is_core.unwrap_or(current.is_core))?);
            let operation = Operation::edit(core.clone(), Basis::Anything, &edit);
            // If only `is_core` is new, the entry changes no document.
            let stands_alone = is_core.is_some_and(|wanted| wanted != current.is_core);
            let order = Order { expected_head, remark, stands_alone, ..Order::new(origin, request) };
            let Response { applied, entry } = self.apply_as(&[operation], &order)?;
            let mut applied = applied.into_iter().next().ok_or(MemoryError::Contended(core.clone()))?;
            if let Some(entry) = entry.filter(|_| applied.status == AppliedStatus::NoChange) {
                (applied.seq, applied.status) = (Some(entry.seq), AppliedStatus::Committed);
            }
            let derived = self.derived()?;
            let row = derived.value.supersessions.versions(label).iter().find(|row| Some(row.seq) == applied.seq);
            let (version, is_core) = row.map_or((current.version, current.is_core), |row| (row.number, row.is_core));
            Ok(Updated { applied, version, is_core })
        })
    }

    /// Returns what the journal entry of a new version of a block records.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn next_version(&self, label: &str, text: &str, is_core: bool) -> Result<Remark, MemoryError> {
        let derived = self.derived()?;
        let last = derived.value.supersessions.versions(label).last();
        let version = last.map_or(1, |last| last.number + 1);
        let record = Record::Block(BlockVersion { label: label.into(), version, text: text.into(), is_core });
        Ok(Remark { replaces: last.map(|last| last.seq), ..Remark::recording(EntryKind::Block, record) })
    }

    /// Returns a core block as it is now, or at an earlier version. The version of a block as it is now is the last
    /// version with the same text. If none has it, because an edit changed the text without an update, it is the last
    /// version.
    ///
    /// # Errors
    ///
    /// There is no block of this label, or it has no such version; there are several sections of it; the entry of the
    /// version was erased; the store cannot be read.
    pub fn block(&self, label: &str, version: Option<u64>) -> Result<Block, MemoryError> {
        let label = self.checked_label(label)?;
        let block = |version, text, is_core| Block { label: label.to_owned(), version, text, is_core };
        let derived = self.derived()?;
        let rows = derived.value.supersessions.versions(label);
        let Some(version) = version else {
            let document = DocName::core();
            let text = NoteEdit::read_block(&self.read(&document)?, label);
            let text = text.map_err(|refusal| MemoryError::of(document, refusal))?;
            let digest = text.as_ref().map(|text| Digest::of(text.trim().as_bytes()));
            let row = rows.iter().rfind(|row| digest.is_some() && row.text == digest).or(rows.last());
            let (version, is_core) = row.map_or((0, CORE_BLOCKS.contains(&label)), |row| (row.number, row.is_core));
            return Ok(block(version, text.map(Content::from), is_core));
        };
        let row = rows.iter().find(|row| row.number == version).ok_or_else(|| {
            MemoryError::refused(Code::UnknownEntry, format!("the block `{label}` has no version {version}"))
        })?;
        match self.entry(row.seq)?.record() {
            Some(Record::Block(record)) => Ok(block(version, Some(record.text.clone()), record.is_core)),
            _ => Err(MemoryError::erased(row.seq)),
        }
    }

    /// Returns the label in the spelling of [`block_labels`](Self::block_labels).
    fn checked_label(&self, label: &str) -> Result<&str, MemoryError> {
        let name = normal_name(label);
        let found = self.block_labels().iter().find(|own| **own == name).map(String::as_str);
        found.ok_or_else(|| {
            let (label, known) = (excerpt(label, 80), self.block_labels().join("`, `"));
            let why = format!("expected the label of a block, found `{label}`; there is `{known}`");
            MemoryError::refused(Code::InvalidArguments, why)
        })
    }
}
