//! [`SearchQuery`] and [`Found`]: what the documents say, found by its words.

use std::collections::BinaryHeap;

use super::Recall;
use super::handle::ranked;
use super::index::{Question, Scored, best_first};
use super::passages::{DocPassage, Passages};
use crate::document::BulletRef;
use crate::locate::{NodeKind, scope_by_name};
use crate::memory::{DocName, MemoryError};
use crate::request::{Refusal, RequestError};
use crate::text::{Content, Span, Timestamp, excerpt_around, visible};

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
    /// Only what stands in this section, by title or path, of the documents that have it.
    pub section: Option<Content>,
    /// Only bullets that have this tag, in any letter case.
    pub tag: Option<Content>,
}

impl SearchQuery {
    /// How many results there are unless a query says otherwise.
    pub const LIMIT: usize = 10;

    /// Asks for what shares a word with `text`.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), limit: Self::LIMIT, document: None, section: None, tag: None }
    }

    fn is_met_by(&self, passage: &DocPassage, scope: &Within<'_>) -> bool {
        let has_tag = |tag: &Content| {
            let tags = scope.passages.bullet(passage).map(BulletRef::tags).unwrap_or_default();
            tags.iter().any(|own| own.to_lowercase() == tag.trim().to_lowercase())
        };
        scope.span.is_none_or(|within| within.contains(passage.start)) && self.tag.as_ref().is_none_or(has_tag)
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
    /// There is no such document; no document has the section; the store cannot be read.
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
        let documents = known.documents.iter(query.document.as_ref());
        let scopes = scopes(query, documents.clone())?;
        let question = Question::new(&query.text, documents.map(|(_, passages)| &passages.index));
        let now = self.memory().now();
        let (mut all, mut scored) = (Vec::new(), BinaryHeap::new());
        for scope in &scopes {
            for (at, relevance) in self.relevance_in(query, scope, &question) {
                let Some(passage) = scope.passages.all.get(at) else { continue };
                let score = relevance * self.weights.factor(&scope.passages.standing(passage), now);
                // Among equals, what stands first is the best.
                scored.push(Scored { score, at: usize::MAX - all.len() });
                all.push((scope, passage));
            }
        }
        let best = best_first(scored).take(query.limit);
        let found = best.filter_map(|Scored { score, at }| Some((all.get(usize::MAX - at)?, score)));
        Ok(found.map(|((scope, passage), score)| Found { score, ..found_at(scope, passage, &question, now) }).collect())
    }

    fn relevance_in(&self, query: &SearchQuery, scope: &Within<'_>, question: &Question) -> Vec<(usize, f64)> {
        let all = &scope.passages.all;
        let scores = scope.passages.index.scores(question);
        let Some(ranker) = &self.ranker else {
            let is_met = |at: usize| all.get(at).is_some_and(|passage| query.is_met_by(passage, scope));
            return scores.into_iter().filter(|(at, _)| is_met(*at)).collect();
        };
        let met = all.iter().enumerate().filter(|(_, passage)| query.is_met_by(passage, scope));
        let texts: Vec<(usize, &str)> = met.map(|(at, passage)| (at, passage.text.as_str())).collect();
        ranked(&**ranker, &query.text, &texts, scores)
    }
}

/// A document that is searched, or a section of it.
struct Within<'a> {
    name: &'a DocName,
    passages: &'a Passages,
    span: Option<Span>,
}

fn scopes<'a>(
    query: &SearchQuery,
    documents: impl Iterator<Item = (&'a DocName, &'a Passages)>,
) -> Result<Vec<Within<'a>>, MemoryError> {
    let (mut scopes, mut refused) = (Vec::new(), None);
    for (name, passages) in documents {
        let found =
            query.section.as_ref().map(|section| scope_by_name(&passages.doc, NodeKind::Section, section)).transpose();
        match found {
            Ok(found) => scopes.push(Within { name, passages, span: found.map(|found| found.at.span(&passages.doc)) }),
            // What `memory` has instead helps most.
            Err(error) if refused.is_none() || *name == DocName::memory() => refused = Some((name, error)),
            Err(_) => {}
        }
    }
    match refused.filter(|_| scopes.is_empty()) {
        Some((name, error)) => {
            let error = RequestError::of(0, Refusal::from(error));
            Err(MemoryError::Request { document: name.clone(), error })
        }
        None => Ok(scopes),
    }
}

fn found_at(scope: &Within<'_>, passage: &DocPassage, question: &Question, now: Timestamp) -> Found {
    let doc = &scope.passages.doc;
    let mut best = (0, "", f32::NEG_INFINITY);
    for (index, line) in passage.text.split('\n').enumerate() {
        let weight = question.weight_of(line);
        if weight > best.2 {
            best = (index, line, weight);
        }
    }
    let (index, line, _) = best;
    let bullet = scope.passages.bullet(passage);
    let key = bullet.map(|bullet| bullet.key().to_string().into()).or_else(|| passage.note.clone());
    let below = if key.is_some() { 0 } else { index };
    let at = question.offset_in(line).unwrap_or_default();
    Found {
        document: scope.name.clone(),
        section: doc.section_at(passage.start).map(|section| section.name().into()),
        key,
        line: doc.line_number(passage.start) + below,
        score: 0.0,
        excerpt: visible(&excerpt_around(line.trim_end_matches(['\r', ' ', '\t']), at, SHOWN)).into(),
        is_expired: bullet.is_some_and(|bullet| bullet.ancestors().any(|own| own.is_expired(now))),
    }
}
