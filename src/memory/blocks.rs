//! Core blocks: what an agent is to know in every conversation, in versions.
//!
//! Each is a section of the document `core`; its title is the label, and its content is kept as a note's is. An update makes a
//! version. An edit of the document by another tool, an undo, or a person's hand is an edit in the history, and makes none.

use serde_json::json;

use super::journal::{BlockVersion, EntryKind, Record, Seq};
use super::operation::Remark;
use super::versions::{version_of, versions_at};
use super::{Applied, DocName, Memory, MemoryError, Operation, Origin, RequestId};
use crate::request::{Basis, NoteEdit};
use crate::text::{Content, excerpt, normal_name};

/// The blocks that every memory has, which stand in every prompt unless something else is said.
pub const CORE_BLOCKS: [&str; 4] = ["persona", "user_profile", "goals", "knowledge"];

/// Reports whether a block stands in every prompt where nothing else was said.
fn is_core_by_default(label: &str) -> bool {
    CORE_BLOCKS.contains(&label)
}

/// A core block, at one of its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// Its label.
    pub label: String,
    /// The last version, from 1, or the one that was asked for; 0 of a block that was never updated.
    pub version: u64,
    /// The text; `None` if it was never set, or its section was removed.
    pub text: Option<Content>,
    /// Whether it stands in every prompt; else it is recalled only.
    pub is_core: bool,
}

/// What a block is to become.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockUpdate {
    /// The block.
    pub label: Content,
    /// Its text.
    pub content: Content,
    /// Whether it stands in every prompt. Unless said, it is as before; at first, the blocks that every memory has do.
    pub is_core: Option<bool>,
}

impl BlockUpdate {
    /// Gives a block this text.
    pub fn new(label: impl Into<Content>, content: impl Into<Content>) -> Self {
        Self { label: label.into(), content: content.into(), is_core: None }
    }
}

/// A block that was updated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Updated {
    /// What became of the document. If only its standing in the prompt was changed, there is a `seq` and no `commit`.
    pub applied: Applied,
    /// The version that the block is at.
    pub version: u64,
    /// Whether it stands in every prompt; else it is recalled only.
    pub is_core: bool,
}

impl Memory {
    /// Writes a new version of a core block. The same text again is no change, unless it is to stand in every prompt and did not,
    /// or the other way round.
    ///
    /// # Errors
    ///
    /// There is no block of this label; the text passes for a reserved section, or is refused; the store failed. Nothing has been
    /// changed, but for `Indeterminate`.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::memory::{Actor, BlockUpdate};
    /// use memdoc::{InMemoryStore, Memory, Origin, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let origin = Origin::new(Actor::default(), "block_update");
    /// memory.update_block(&BlockUpdate::new("persona", "I am Kite."), &origin)?;
    /// let updated = memory.update_block(&BlockUpdate::new("persona", "I am Kite, a calm guide."), &origin)?;
    /// assert_eq!(updated.version, 2);
    /// assert_eq!(memory.block("persona", Some(1))?.text.as_deref(), Some("I am Kite."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_block(&self, update: &BlockUpdate, origin: &Origin) -> Result<Updated, MemoryError> {
        let label = self.checked_label(&update.label)?;
        let edit = NoteEdit::set(label, update.content.as_str());
        let version = BlockVersion {
            label: label.into(),
            version: 0,
            text: update.content.clone(),
            is_core: update.is_core.unwrap_or_else(|| is_core_by_default(label)),
        };
        let remark =
            Remark { record: Some(Record::Block(version)), is_core: update.is_core, ..Remark::of(EntryKind::Block) };
        let operation = Operation::edit(DocName::core(), Basis::Anything, &edit).remarked(remark);
        let arguments = json!({"label": label, "content": update.content.as_str(), "is_core": update.is_core});
        let applied = self.apply(&[operation], origin, RequestId::new("block_update", &arguments))?;
        let applied = applied.into_iter().next().ok_or(MemoryError::Contended { document: DocName::core() })?;
        let (version, is_core) = self.standing_of(label, applied.seq)?;
        Ok(Updated { applied, version, is_core })
    }

    /// Returns a core block as it stands, or at an earlier version.
    ///
    /// # Errors
    ///
    /// There is no block of this label, or it has no such version; what it takes was erased; the store cannot be read.
    pub fn block(&self, label: &str, version: Option<u64>) -> Result<Block, MemoryError> {
        let (label, core) = (self.checked_label(label)?, DocName::core());
        let snapshot = self.store()?.read(std::slice::from_ref(&core))?;
        let tip = snapshot.of(&core).and_then(|stored| stored.version.tip);
        let table = versions_at(self.store()?, tip)?;
        let row = table.row(label);
        let is_core = row.map_or_else(|| is_core_by_default(label), |row| row.is_core);
        let Some(version) = version else {
            let text = NoteEdit::read(&self.parse(&core, snapshot.of(&core)), label).map(Content::from);
            return Ok(Block { label: label.to_owned(), version: row.map_or(0, |row| row.version), text, is_core });
        };
        let unknown = || MemoryError::UnknownVersion { label: label.to_owned(), version };
        let entry = version_of(self.store()?, tip, label, version)?.ok_or_else(unknown)?;
        let is_core =
            entry.header().blocks.as_ref().and_then(|table| table.row(label)).map_or(is_core, |row| row.is_core);
        let Some(Record::Block(made)) = entry.body().and_then(|body| body.record.as_ref()) else {
            return Err(MemoryError::Erased { entry: entry.seq() });
        };
        let text = Some(made.text.clone());
        Ok(Block { label: label.to_owned(), version, text, is_core })
    }

    /// Returns all core blocks as they stand, those that were never set included.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn blocks(&self) -> Result<Vec<Block>, MemoryError> {
        self.block_labels().iter().map(|label| self.block(label, None)).collect()
    }

    /// Returns the label as it is defined.
    fn checked_label(&self, label: &str) -> Result<&str, MemoryError> {
        let name = normal_name(label);
        let found = self.block_labels().iter().find(|own| **own == name);
        let unknown =
            || MemoryError::UnknownBlock { label: excerpt(label, 80).into(), known: self.block_labels().to_vec() };
        found.map(String::as_str).ok_or_else(unknown)
    }

    /// Returns the version that a block was at after an entry, or is at now, and whether it stood in every prompt.
    fn standing_of(&self, label: &str, seq: Option<Seq>) -> Result<(u64, bool), MemoryError> {
        let table = seq.map(|seq| self.entry(seq)).transpose()?.and_then(|entry| entry.header().blocks.clone());
        match table.and_then(|table| table.row(label).map(|row| (row.version, row.is_core))) {
            Some(standing) => Ok(standing),
            None => self.block(label, None).map(|block| (block.version, block.is_core)),
        }
    }
}
