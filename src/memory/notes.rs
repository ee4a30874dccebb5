//! Notes: what an agent keeps by a key, the handoff from one conversation to the next, and the scratchpad.
//!
//! All of them are sections of the document `notes`. A call names its target by the key, so that no text need have
//! been seen. A retry after a lost answer is recognized by the last entry that the caller knows, which is set by
//! [`Origin::knowing`].

use serde_json::json;

use super::commit::{Order, Remark};
use super::journal::EntryKind;
use super::{Applied, DocName, Memory, MemoryError, Operation, Origin, RequestId};
use crate::request::{ActivityLine, Basis, NoteEdit};
use crate::text::names;

/// The key of the handoff: a note for the agent of the next conversation.
pub const SESSION_HANDOFF_KEY: &str = "session-handoff";
/// The key of the scratchpad: a note about the work in progress.
pub const SCRATCHPAD_KEY: &str = "scratchpad";

names! {
    /// How a content gets into a note.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum NoteMode {
        /// In the place of what stands there.
        #[default]
        Replace = "replace",
        /// Behind it, on a line of its own.
        Append = "append",
    }
}

impl NoteMode {
    pub(crate) fn edit(self, key: &str, content: &str) -> NoteEdit {
        match self {
            Self::Replace => NoteEdit::set(key, content),
            Self::Append => NoteEdit::append(key, content),
        }
    }
}

impl Memory {
    /// Writes a note, and a line about it into the document `activity`, as one commit. Returns first what became of
    /// the note, then of `activity`. A write that changes nothing logs nothing.
    ///
    /// # Errors
    ///
    /// The key cannot be the title of a section; it, or the content, passes for a reserved section; the result is refused; the
    /// store failed. Nothing has been changed, but for `Indeterminate`.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::memory::{Actor, NoteMode};
    /// use memdoc::{InMemoryStore, Memory, Origin, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let origin = Origin::new(Actor::default(), "write_memory");
    /// memory.write_note("plan", "# Ship it", NoteMode::Replace, &origin)?;
    /// memory.write_note("plan", "# Rest", NoteMode::Append, &origin)?;
    /// assert_eq!(memory.note("plan")?.as_deref(), Some("# Ship it\n# Rest"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_note(
        &self,
        key: &str,
        content: &str,
        mode: NoteMode,
        origin: &Origin,
    ) -> Result<Vec<Applied>, MemoryError> {
        let edit = mode.edit(key, content);
        // An invalid key is refused once, for the note. The line about the note must not be refused as well.
        let (title, count) = (NoteEdit::title(key).unwrap_or_default(), content.chars().count());
        let line = ActivityLine::new(format!("{title} ({}, {count} characters)", mode.as_str()));
        let arguments = json!({"key": key, "content": content, "mode": mode.as_str()});
        self.edit_note(&edit, Some(&line), &Order::new(origin, RequestId::new("write_memory", &arguments)))
    }

    /// Returns the content of a note; `None` if there is no note of this key. A note that was emptied has an empty
    /// content.
    ///
    /// # Errors
    ///
    /// There are several of this key; the store cannot be read.
    pub fn note(&self, key: &str) -> Result<Option<String>, MemoryError> {
        let document = DocName::notes();
        NoteEdit::read(&self.read(&document)?, key).map_err(|refusal| MemoryError::of(document, refusal))
    }

    /// Writes the handoff, in the place of the last one. It stays until the host acknowledges it.
    ///
    /// # Errors
    ///
    /// Those of [`write_note`](Self::write_note).
    pub fn write_handoff(&self, content: &str, origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        let edit = NoteEdit::set(SESSION_HANDOFF_KEY, content);
        let request = RequestId::new("write_session_handoff", &json!(content));
        self.edit_note(&edit, None, &Order::new(origin, request))
    }

    /// Returns the handoff that nobody has acknowledged.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn handoff(&self) -> Result<Option<String>, MemoryError> {
        Ok(self.note(SESSION_HANDOFF_KEY)?.filter(|content| !content.is_empty()))
    }

    /// Empties the handoff, once the work has been taken over. That the handoff was shown to an agent is not enough.
    ///
    /// # Errors
    ///
    /// The store failed. Nothing has been changed, but for `Indeterminate`: then acknowledging it again is right.
    pub fn acknowledge_handoff(&self) -> Result<Vec<Applied>, MemoryError> {
        let edit = NoteEdit::clear(SESSION_HANDOFF_KEY);
        let request = RequestId::new("acknowledge_handoff", &json!({}));
        let origin = Origin::host("acknowledge_handoff");
        self.edit_note(&edit, None, &Order::new(&origin, request))
    }

    /// Writes the scratchpad.
    ///
    /// # Errors
    ///
    /// Those of [`write_note`](Self::write_note).
    pub fn write_scratchpad(
        &self,
        content: &str,
        mode: NoteMode,
        origin: &Origin,
    ) -> Result<Vec<Applied>, MemoryError> {
        let edit = mode.edit(SCRATCHPAD_KEY, content);
        let request = RequestId::new("scratch_note", &json!({"content": content, "mode": mode.as_str()}));
        self.edit_note(&edit, None, &Order::new(origin, request))
    }

    /// Empties the scratchpad.
    ///
    /// # Errors
    ///
    /// Those of [`write_note`](Self::write_note).
    pub fn clear_scratchpad(&self, origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        let edit = NoteEdit::clear(SCRATCHPAD_KEY);
        let request = RequestId::new("scratch_note", &json!({"mode": "clear"}));
        self.edit_note(&edit, None, &Order::new(origin, request))
    }

    /// Returns what stands in the scratchpad.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn scratchpad(&self) -> Result<String, MemoryError> {
        Ok(self.note(SCRATCHPAD_KEY)?.unwrap_or_default())
    }

    /// Edits a note. `line` is the line about it in `activity`.
    fn edit_note(
        &self,
        edit: &NoteEdit,
        line: Option<&ActivityLine>,
        order: &Order<'_>,
    ) -> Result<Vec<Applied>, MemoryError> {
        let remark = Some(&Remark::of(EntryKind::Note));
        let mut operations = vec![Operation::edit(DocName::notes(), Basis::Anything, edit)];
        if let Some(line) = line {
            let logged = Operation::edit(DocName::activity(), Basis::Anything, line);
            operations.push(Operation { accompanies: true, ..logged });
        }
        Ok(self.apply_as(&operations, &Order { remark, ..*order })?.applied)
    }
}
