//! What an edit makes of a document is what its text would be read as.

use memdoc::edit::{EditBuilder, Promise};
use memdoc::text::Span;
use memdoc::{MemoryDoc, testing};

/// Reads any bytes as edits and a document, between which stands a NUL, and makes them one after the other. An edit is a character
/// for where it begins, one for where it ends, in fortieths of the text, and what it writes; between two stands a U+1.
pub fn check_updates(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (edits, text) = text.split_once('\0').unwrap_or(("", &text));
    let mut doc = MemoryDoc::parse(text);
    for edit in edits.split('\u{1}').take(8) {
        let mut characters = edit.chars();
        let Some((from, to)) = characters.next().zip(characters.next()) else { continue };
        let span = Span::new(place(doc.text(), from), place(doc.text(), to));
        let mut edit = EditBuilder::new(&doc);
        edit.replace(span, characters.as_str(), Promise::Lines);
        let edit = edit.finish().expect("one splice overlaps no other");
        doc = testing::made(&doc, &edit).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// Returns a boundary of characters of `text` that a character stands for.
fn place(text: &str, character: char) -> usize {
    let at = text.len() * (character as usize % 41) / 40;
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
