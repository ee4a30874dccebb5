//! Recall of records, search in documents, and the prompt that renders a memory within a budget. Everything here is
//! computed from the journal and the documents; nothing is stored.
//!
//! # What is found, and in which order
//!
//! - [`Recall::recall`] finds records: memories, decisions, consolidations and versions of core blocks.
//! - [`Recall::search`] finds bullets, notes, headings and paragraphs of documents.
//! - [`Recall::search_removed`] finds lines that were removed from documents.
//!
//! A text that shares no word with the question is not found. The score is the relevance by BM25, multiplied by factors
//! for recency, importance and tier:
//!
//! | factor | value |
//! |---|---|
//! | recency | 1 + 0.5 · 2^(-age / 30 days) |
//! | importance | 1 + 0.3 · (importance - 5) / 5, for an importance from 1 to 10 |
//! | tier | 1.1 for `relationship`, 0.8 for `ephemeral`, else 1 |
//!
//! A pinned bullet of a document has the importance 10, any other passage 5. The age of a bullet counts from its tag
//! `since`; a passage without one has the recency factor 1.
//!
//! Among equal scores, the newest record comes first, and passages come in document order. A host with embeddings can
//! replace BM25 by a [`Ranker`].
//!
//! Words are those of Unicode, in compatibility form and lower case. A Korean word is also found without its particles
//! (`서울` finds `서울에서`). There is no list of stop words, because such a list fits some languages only. In documents, a
//! word also finds its other forms, with half of its weight: two words are forms of one word if the longer one begins
//! with the shorter one, the shorter one has at least four letters, and the longer one at most three more (`seat` finds
//! `seats`).
//!
//! The weight of a word in a text is computed when the text is added, with a constant as the average length; the rarity
//! of a word is computed by each query. So the cost of adding an entry depends on its text only, and an index that was
//! updated for years is equal to one that is built anew.
//!
//! # How good it is
//!
//! The measurement uses 550 questions about facts that were updated, from the public set `core_memory_update`
//! (letta-ai/letta-evals). A row of the set has facts, an update that contradicts one of them, and a question. Each
//! week, the facts of one row are recorded, and three days later its update. A month later, the question is asked, over
//! everything that was recorded until then: nearly 6,000 entries at the end. The right answer is the update. `newer
//! first` is the share of questions for which the update is ranked before the fact that it contradicts, although both
//! have nearly the same words:
//!
//! | ranked by | recall@5 | MRR | newer first |
//! |---|---|---|---|
//! | recency alone (no question) | 0.033 | 0.060 | 0.998 |
//! | words and recency | 0.956 | 0.753 | 0.569 |
//!
//! A record that replaces an older one should be written by `memory_rethink`: then the older one is not found at all.
//!
//! # What it costs
//!
//! The figures are for entries of 15 words, in memory, on a small virtual machine with two cores. `read` is the first
//! query of a `Recall`, which reads the whole journal once. `one more` is what one new entry adds to the next query.
//! The other columns are queries by two rare words, by a sentence, and by the ten most common words, each of which is
//! in half of the entries or more:
//!
//! | entries | read | one more | rare words | sentence | common words |
//! |---|---|---|---|---|---|
//! | 1,000 | 7 ms | 8 µs | 2 µs | 16 µs | 27 µs |
//! | 10,000 | 72 ms | 11 µs | 7 µs | 0.2 ms | 0.4 ms |
//! | 100,000 | 770 ms | 24 µs | 50 µs | 3.3 ms | 7.4 ms |
//!
//! `cargo bench --bench recall` repeats both measurements.

mod handle;
mod index;
mod journal;
mod passages;
mod pieces;
mod prompt;
mod query;
mod search;
mod weights;

pub use handle::Recall;
pub use prompt::{HostPart, Prompt, PromptPart, Rendered};
pub use query::{LeftOut, RecallQuery, Recalled, RecalledMemory, WhyLeftOut};
pub use search::{Removed, SearchHit, SearchQuery};
pub use weights::{Passage, Ranker};
