//! Escapes that are written as they were sent, though they may have been meant for what they stand for.

use crate::document::MemoryDoc;
use crate::edit::Warning;

/// Warns of written lines that hold `\\n` literally, where the document holds none.
pub(super) fn literal_escape<T: AsRef<str>>(doc: &MemoryDoc, written: &[T]) -> Option<Warning> {
    let has_escape = |text: &str| text.contains("\\n");
    let is_new = written.iter().any(|line| has_escape(line.as_ref())) && !has_escape(doc.text());
    is_new.then_some(Warning::LiteralEscape)
}
