//! What an edit makes of a document is what its text would be read as.

use memdoc::edit::{EditBuilder, Promise};
use memdoc::text::Span;
use memdoc::{MemoryDoc, testing};

/// Reads any bytes as edits and a document, between which stands a NUL, and makes them one after the other; between two stands a U+1.
/// An edit has places, between which stands a U+2: a character for where one begins, one for where it ends, in fortieths of the text,
/// and what it writes. One that changes what another changes is left out.
pub fn check_updates(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (edits, text) = text.split_once('\0').unwrap_or(("", &text));
    let mut doc = MemoryDoc::parse(text);
    for edit in edits.split('\u{1}').take(8) {
        let mut changed: Vec<Span> = Vec::new();
        let mut builder = EditBuilder::new(&doc);
        for splice in edit.split('\u{2}').take(8) {
            let mut characters = splice.chars();
            let Some((from, to)) = characters.next().zip(characters.next()) else { continue };
            let span = Span::new(place(doc.text(), from), place(doc.text(), to));
            if changed.iter().all(|other| other.end() < span.start() || span.end() < other.start()) {
                builder.replace(span, characters.as_str(), Promise::Lines);
                changed.push(span);
            }
        }
        let edit = builder.finish().expect("no splice overlaps another");
        doc = testing::made(&doc, &edit).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// Returns a boundary of characters of `text` that a character stands for.
fn place(text: &str, character: char) -> usize {
    let at = text.len() * (character as usize % 41) / 40;
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
