//! The text against which a rewrite is measured besides the present one, so that many small losses do not add up unseen.

use std::time::Duration;

use super::history::TextWalk;
use super::journal::text_before;
use super::{DocName, Memory, MemoryError, Snapshot};

/// How far back rewrites are looked for.
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
/// The tool whose calls are rewrites. A session that holds one is recorded as made by this tool.
pub(crate) const REWRITE_TOOL: &str = "rewrite_memory";

impl Memory {
    /// Returns the text against which a rewrite of a document, as it stands, is measured besides.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(crate) fn window_text(&self, document: &DocName) -> Result<Option<String>, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        self.text_before_rewrites(document, &snapshot)
    }

    /// Returns the text of a document before the first rewrite of the last 24 hours; `None` if there was none, or the text
    /// before it was erased.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn text_before_rewrites(
        &self,
        document: &DocName,
        snapshot: &Snapshot,
    ) -> Result<Option<String>, MemoryError> {
        let now = self.now();
        let (mut before, mut walk) = (None, TextWalk::of(self.store()?, document, snapshot));
        loop {
            let entry = match walk.step() {
                Ok(Some((entry, _))) if entry.time().after(WINDOW) >= now => entry,
                Ok(_) | Err(MemoryError::UnknownEntry { .. } | MemoryError::Erased { .. }) => return Ok(before),
                Err(error) => return Err(error),
            };
            if entry.header().tool.as_deref() == Some(REWRITE_TOOL) {
                before = text_before(&entry, document, walk.text()).unwrap_or_default();
            }
        }
    }
}
