//! What a host does with whole documents: it creates, seeds, renames and deletes them.
//!
//! All of it goes the way of every edit, with the host's authority: reserved sections may be written, and go with their document.

use serde_json::{Value, json};

use super::{Applied, DocName, Memory, MemoryError, Operation, Origin, RequestId};
use crate::document::MemoryDoc;

impl Memory {
    /// Creates a document with this text, which is checked like any that is written.
    ///
    /// # Errors
    ///
    /// There is one of this name already; the text is refused; the store failed. Nothing has been changed, but for
    /// `Indeterminate`: then creating it again tells whether it is there.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{InMemoryStore, Memory, MemoryError, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let projects = "projects".parse()?;
    /// memory.create(&projects, "## Open\n")?;
    /// assert!(matches!(memory.create(&projects, ""), Err(MemoryError::DocumentExists { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create(&self, document: &DocName, text: &str) -> Result<MemoryDoc, MemoryError> {
        self.made(Operation::create(document.clone(), &text.into()), "create_document", &json!(text))
    }

    /// Creates a document with this text unless there is one already, and returns what stands there.
    ///
    /// # Errors
    ///
    /// The text is refused; the store failed. Nothing has been changed, but for `Indeterminate`: then the document may be there,
    /// and seeding it again is right.
    pub fn seed(&self, document: &DocName, text: &str) -> Result<MemoryDoc, MemoryError> {
        match self.create(document, text) {
            Err(MemoryError::DocumentExists { .. }) => self.read(document),
            created => created,
        }
    }

    /// Replaces the text of a document, which is created if there is none. The text is checked like any that is written, but that
    /// reserved sections may be others.
    ///
    /// # Errors
    ///
    /// The text is refused; the store failed. Nothing has been changed, but for `Indeterminate`: then writing it again is right.
    pub fn write(&self, document: &DocName, text: &str) -> Result<Applied, MemoryError> {
        let (text, arguments) = (text.into(), json!(text));
        let operation = Operation::write(document.clone(), &text);
        let request = RequestId::new("write_document", &arguments);
        let applied = self.apply(&[operation], &Origin::host("write_document"), request)?;
        applied.into_iter().next().ok_or_else(|| MemoryError::Contended { document: document.clone() })
    }

    /// Gives a document another name. Its text stays byte for byte, whatever the policy of the new name says of it.
    ///
    /// # Errors
    ///
    /// There is no such document; there is one of the new name; the store failed. Nothing has been changed, but for
    /// `Indeterminate`: then it has the one name or the other.
    pub fn rename(&self, document: &DocName, to: &DocName) -> Result<MemoryDoc, MemoryError> {
        self.made(Operation::rename(document.clone(), to), "rename_document", &json!(to.as_str()))
    }

    /// Deletes a document, reserved sections and all.
    ///
    /// # Errors
    ///
    /// There is no such document; the store failed. Nothing has been changed, but for `Indeterminate`: then deleting it again
    /// tells whether it was there.
    pub fn delete(&self, document: &DocName) -> Result<(), MemoryError> {
        self.made(Operation::delete(document.clone()), "delete_document", &Value::Null).map(drop)
    }

    fn made(&self, operation: Operation<'_>, what: &str, arguments: &Value) -> Result<MemoryDoc, MemoryError> {
        let document = operation.document().clone();
        let applied = self.apply(&[operation], &Origin::host(what), RequestId::new(what, arguments))?;
        applied.into_iter().next().map_or_else(|| self.read(&document), |applied| Ok(applied.doc))
    }
}
