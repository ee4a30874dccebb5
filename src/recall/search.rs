//! Search in documents: [`Recall::search`] finds passages, [`Recall::search_removed`] finds lines that were removed.

use std::collections::HashSet;
use std::ops::Not;

use litemap::LiteMap;
use serde::Serialize;

use crate::memory::journal::Seq;
use crate::memory::{DocName, HistoryQuery, MemoryError};
use crate::recall::Recall;
use crate::recall::index::{Index, Question, best_first};
use crate::recall::passages::{DocPassage, Passages, is_wanted};
use crate::text::{Content, Line, Timestamp, excerpt_around, on_one_line, visible};

/// How many characters of a passage an excerpt shows.
const SHOWN: usize = 160;

/// A query for passages of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchQuery {
    /// The question. A passage must share a word with it.
    pub text: Content,
    /// The most results.
    pub limit: usize,
    /// The document to search. Without one, all documents but `activity` are searched.
    pub document: Option<DocName>,
}

impl SearchQuery {
    /// The default of [`limit`](Self::limit).
    pub const LIMIT: usize = 10;

    /// Creates a query for passages that share a word with `text`.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), limit: Self::LIMIT, document: None }
    }
}

/// A passage that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchHit {
    /// The document.
    pub document: DocName,
    /// The shortest name of the section, with invisible characters made visible; `None` before the first section.
    pub section: Option<Content>,
    /// The key of the bullet or of the note; prose has none.
    pub key: Option<Content>,
    /// The number of the line, from 1: the first line of a bullet or a note, or the best line of prose.
    pub line: usize,
    /// The score.
    #[serde(skip)]
    pub score: f64,
    /// The line that matches best, cut around the words of the question.
    pub excerpt: Content,
    /// Whether it is an expired bullet, or nested in one.
    #[serde(rename = "expired", skip_serializing_if = "Not::not")]
    pub is_expired: bool,
}

impl Recall {
    /// Finds bullets, notes, headings and prose that share a word with the text of the query. The best comes first;
    /// among equal scores, the order is that of the documents and their lines.
    ///
    /// # Errors
    ///
    /// The document does not exist, or the store cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::recall::{Recall, SearchQuery};
    /// use memdoc::{DocName, InMemoryStore, Memory, Policy};
    ///
    /// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n- Has a cat\n");
    /// let recall = Recall::new(Memory::new(store, Policy::default())?);
    /// let found = recall.search(&SearchQuery::new("where in Denver?"))?;
    /// assert_eq!((found[0].section.as_deref(), found[0].line), (Some("Facts"), 2));
    /// let doc = recall.memory().read(&DocName::memory())?;
    /// assert_eq!(found[0].key.as_deref(), doc.bullets().next().map(|bullet| bullet.key().to_string()).as_deref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search(&self, query: &SearchQuery) -> Result<Vec<SearchHit>, MemoryError> {
        if let Some(document) = &query.document {
            self.memory().read(document)?;
        }
        let mut known = self.known();
        known.documents.follow(self.memory(), query.document.as_ref())?;
        let documents = || known.documents.iter(query.document.as_ref());
        let question = Question::new(&query.text, &documents().map(|passages| &passages.index).collect::<Vec<_>>());
        let (now, mut scored) = (self.memory().now(), Vec::new());
        for passages in documents() {
            let text_of = |at: usize| passages.all.get(at).map(|passage| passage.text.as_str());
            let scores = passages.index.scores(&question);
            for (at, relevance) in self.relevant(&query.text, scores, passages.all.len(), text_of) {
                let Some(passage) = passages.all.get(at) else { continue };
                let score = relevance * passages.factor(passage, now);
                scored.push(((passages, passage), score));
            }
        }
        let best = best_first(scored).take(query.limit);
        Ok(best.map(|((passages, passage), score)| passages.hit(passage, score, &question, now)).collect())
    }
}

impl Passages {
    fn hit(&self, passage: &DocPassage, score: f64, question: &Question, now: Timestamp) -> SearchHit {
        let weighed = passage.text.split('\n').enumerate().map(|(index, line)| (index, line, question.weight_of(line)));
        let best = weighed.reduce(|best, next| if next.2 > best.2 { next } else { best });
        let (index, line, _) = best.unwrap_or_default();
        let bullet = self.bullet(passage);
        let key = bullet.map(|bullet| bullet.key().to_string().into()).or_else(|| passage.note.clone());
        let below = if key.is_some() { 0 } else { index };
        let at = question.offset_in(line).unwrap_or_default();
        SearchHit {
            document: self.name.clone(),
            section: self.doc.section_at(passage.start).map(|section| on_one_line(&section.name()).into()),
            key,
            line: self.doc.line_number(passage.start) + below,
            score,
            excerpt: visible(&excerpt_around(line.trim_end_matches(['\r', ' ', '\t']), at, SHOWN)).into(),
            is_expired: bullet.is_some_and(|bullet| bullet.ancestors().any(|own| own.is_expired(now))),
        }
    }
}

/// How many entries, the latest ones, a search for removed lines reads.
const REACH: usize = 10_000;

/// A line that was removed from a document, or rewritten, and is not there now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Removed {
    /// The last entry that removed it.
    pub seq: Seq,
    /// The time of that entry.
    pub time: Timestamp,
    /// The document.
    pub document: DocName,
    /// The line, cut around the words of the question.
    pub excerpt: Content,
}

impl Recall {
    /// Finds lines that the latest 10,000 entries removed, that are not in the document now, and that share a word with
    /// the text of the query. The best comes first; among equal scores, the newest.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn search_removed(&self, query: &SearchQuery) -> Result<Vec<Removed>, MemoryError> {
        let mut removed: Vec<(Removed, Content)> = Vec::new();
        let (mut present, mut index) = (LiteMap::new_vec(), Index::default());
        let latest = self.memory().history(&HistoryQuery { limit: REACH, ..HistoryQuery::new() })?;
        for (row, changed) in
            latest.entries.iter().flat_map(|row| row.changes.iter().map(move |changed| (row, changed)))
        {
            let document = &changed.document;
            if !is_wanted(document, query.document.as_ref()) {
                continue;
            }
            let lines = present.entry(document.clone()).or_insert_with(|| self.lines(document));
            for line in &changed.removed {
                // A line that was removed twice is listed once. Lines that are there now are in `lines` already.
                if lines.insert(line.clone()) {
                    index.add_with_forms(line);
                    let (seq, time, document) = (row.entry.seq(), row.entry.time(), document.clone());
                    removed.push((Removed { seq, time, document, excerpt: Content::default() }, line.clone()));
                }
            }
        }
        let question = Question::new(&query.text, &[&index]);
        let found = best_first(index.scores(&question)).take(query.limit).filter_map(|(at, _)| {
            let (removed, line) = removed.get(at)?;
            let offset = question.offset_in(line).unwrap_or_default();
            let excerpt = visible(&excerpt_around(line.trim_end(), offset, SHOWN)).into();
            Some(Removed { excerpt, ..removed.clone() })
        });
        Ok(found.collect())
    }

    /// Returns the lines that are in a document now; none if the document does not exist or cannot be read.
    fn lines(&self, document: &DocName) -> HashSet<Content> {
        let Ok(doc) = self.memory().read(document) else { return HashSet::new() };
        Line::texts(doc.text()).map(Into::into).collect()
    }
}
