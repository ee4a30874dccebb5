//! The lines of bullets by what they say: their markers, checkboxes, tags, indentation and letter case overlooked.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::closest::said;
use super::same_lines::line_text;
use crate::document::MemoryDoc;
use crate::text::{fold_name, is_blank};

/// The first lines of a document's bullets by what they say, once that is asked for.
#[derive(Debug)]
pub(crate) struct SaidLines<'a> {
    doc: &'a MemoryDoc,
    by_text: OnceCell<HashMap<String, Vec<usize>>>,
}

impl<'a> SaidLines<'a> {
    pub(crate) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, by_text: OnceCell::new() }
    }

    /// Reports whether a bullet on a line inside `range`, and not among `others`, says what `text` does, with or without marks of its
    /// own.
    pub(crate) fn say(&self, text: &str, range: &Range<usize>, others: &Range<usize>) -> bool {
        [said(text), text].into_iter().filter_map(|text| self.by_text().get(&fold_name(text))).any(|lines| {
            let first = lines.partition_point(|line| *line < range.start);
            let mut inside = lines.iter().skip(first).take_while(|line| **line < range.end);
            inside.any(|line| !others.contains(line))
        })
    }

    fn by_text(&self) -> &HashMap<String, Vec<usize>> {
        self.by_text.get_or_init(|| {
            let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
            for bullet in self.doc.bullets() {
                let line = self.doc.lines().index_at(bullet.line.start());
                let text = said(line_text(self.doc, line));
                if !is_blank(text) {
                    by_text.entry(fold_name(text)).or_default().push(line);
                }
            }
            by_text
        })
    }
}
