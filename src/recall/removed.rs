//! [`Removed`]: lines that stood in documents once, found by their words.

use std::collections::{BTreeMap, BTreeSet};

use super::index::{Index, Question, best_first};
use super::{Recall, SearchQuery};
use crate::memory::journal::Seq;
use crate::memory::{DocName, MemoryError};
use crate::text::{Content, Lines, Timestamp, excerpt_around, visible};

/// How many entries are looked at: the latest.
const REACH: usize = 10_000;
/// How many characters of a line are shown.
const SHOWN: usize = 160;

/// A line that was removed from a document, or rewritten, and does not stand there now.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Removed {
    /// The last entry that removed it.
    pub seq: Seq,
    /// When that was.
    pub time: Timestamp,
    /// The document.
    pub document: DocName,
    /// The line, cut around the words that were found.
    pub excerpt: Content,
    /// How good it is.
    pub score: f64,
}

impl Recall {
    /// Finds lines that the latest 10,000 entries removed and that share a word with the text of the query, the best first, among
    /// equals the newest. Only the text, the limit and the document of the query count.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn search_removed(&self, query: &SearchQuery) -> Result<Vec<Removed>, MemoryError> {
        let mut removed: Vec<(Removed, Content)> = Vec::new();
        let (mut present, mut index) = (BTreeMap::new(), Index::default());
        self.memory().changes(REACH, &mut |entry, changed| {
            let document = &changed.document;
            if query.document.as_ref().map_or(*document == DocName::activity(), |wanted| document != wanted) {
                return;
            }
            let lines = present.entry(document.clone()).or_insert_with(|| self.lines(document));
            for line in changed.removed {
                // What was removed twice is told once.
                if lines.insert(line.clone()) {
                    index.add_with_forms(&line);
                    let (seq, time, document) = (entry.seq(), entry.time(), document.clone());
                    removed.push((Removed { seq, time, document, excerpt: Content::default(), score: 0.0 }, line));
                }
            }
        })?;
        let question = Question::new(&query.text, std::iter::once(&index));
        let found = best_first(index.scores(&question)).take(query.limit).filter_map(|(at, score)| {
            let (removed, line) = removed.get(at)?;
            let offset = question.offset_in(line).unwrap_or_default();
            let excerpt = visible(&excerpt_around(line.trim_end(), offset, SHOWN)).into();
            Some(Removed { excerpt, score, ..removed.clone() })
        });
        Ok(found.collect())
    }

    /// Returns the lines that stand in a document now; none, if it is not there or cannot be read.
    fn lines(&self, document: &DocName) -> BTreeSet<Content> {
        let Ok(doc) = self.memory().read(document) else { return BTreeSet::new() };
        Lines::of(doc.text()).map(|line| line.text.of(doc.text()).into()).collect()
    }
}
