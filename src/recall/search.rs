//! [`SearchQuery`] and [`Found`]: what the documents say, found by its words.

use super::Recall;
use super::index::{Question, best_first};
use super::passages::{DocPassage, Passages};
use crate::memory::{DocName, MemoryError};
use crate::text::{Content, Timestamp, excerpt_around, visible};

/// How many characters of a passage are shown.
const SHOWN: usize = 160;

/// What to find in documents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchQuery {
    /// What is sought, in words.
    pub text: Content,
    /// How many results at most.
    pub limit: usize,
    /// The document to search; without one, all but `activity`.
    pub document: Option<DocName>,
}

impl SearchQuery {
    /// How many results there are unless a query says otherwise.
    pub const LIMIT: usize = 10;

    /// Asks for what shares a word with `text`.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), limit: Self::LIMIT, document: None }
    }
}

/// A place in a document that was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The document.
    pub document: DocName,
    /// The shortest path that names the section; `None` above the first one.
    pub section: Option<Content>,
    /// The key of the bullet, or of the note; prose has none.
    pub key: Option<Content>,
    /// The number of the line, from 1: where a bullet or a note begins, or where prose has most of the words.
    pub line: usize,
    /// How good it is.
    pub score: f64,
    /// The line that has most of the words, cut around them.
    pub excerpt: Content,
    /// Whether it is a bullet whose time is over, or stands below one.
    pub is_expired: bool,
}

impl Recall {
    /// Finds bullets, notes, headings and prose that share a word with the text of the query, the best first, among equals in the
    /// order in which they stand, document by document.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
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
    pub fn search(&self, query: &SearchQuery) -> Result<Vec<Found>, MemoryError> {
        if let Some(document) = &query.document {
            self.memory().read(document)?;
        }
        let mut known = self.known();
        known.documents.follow(self.memory(), query.document.as_ref())?;
        let documents = || known.documents.iter(query.document.as_ref());
        let question = Question::new(&query.text, documents().map(|passages| &passages.index));
        let (now, mut scored) = (self.memory().now(), Vec::new());
        for passages in documents() {
            let text_of = |at: usize| passages.all.get(at).map(|passage| passage.text.as_str());
            let scores = passages.index.scores(&question);
            for (at, relevance) in self.relevant(&query.text, scores, passages.all.len(), text_of) {
                let Some(passage) = passages.all.get(at) else { continue };
                let score = relevance * self.weights.factor(&passages.standing(passage), now);
                scored.push((Hit { passages, passage }, score));
            }
        }
        Ok(best_first(scored).take(query.limit).map(|(hit, score)| hit.found(score, &question, now)).collect())
    }
}

/// A passage that was found.
#[derive(Clone, Copy)]
struct Hit<'a> {
    passages: &'a Passages,
    passage: &'a DocPassage,
}

impl Hit<'_> {
    fn found(self, score: f64, question: &Question, now: Timestamp) -> Found {
        let Self { passages, passage } = self;
        let mut best = (0, "", f32::NEG_INFINITY);
        for (index, line) in passage.text.split('\n').enumerate() {
            let weight = question.weight_of(line);
            if weight > best.2 {
                best = (index, line, weight);
            }
        }
        let (index, line, _) = best;
        let bullet = passages.bullet(passage);
        let key = bullet.map(|bullet| bullet.key().to_string().into()).or_else(|| passage.note.clone());
        let below = if key.is_some() { 0 } else { index };
        let at = question.offset_in(line).unwrap_or_default();
        Found {
            document: passages.name.clone(),
            section: passages.doc.section_at(passage.start).map(|section| section.name().into()),
            key,
            line: passages.doc.line_number(passage.start) + below,
            score,
            excerpt: visible(&excerpt_around(line.trim_end_matches(['\r', ' ', '\t']), at, SHOWN)).into(),
            is_expired: bullet.is_some_and(|bullet| bullet.ancestors().any(|own| own.is_expired(now))),
        }
    }
}
