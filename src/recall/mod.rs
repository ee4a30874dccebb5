//! Recall: memories that are found by their words, search in documents, and the prompt that tells an agent of its
//! memory within a budget. Everything here is computed from the journal and the documents; nothing is stored.
//!
//! # What is found, and in which order
//!
//! [`Recall::recall`] draws from memories, decisions, consolidations and versions of core blocks; [`Recall::search`] from bullets,
//! notes, headings and paragraphs of documents; [`Recall::search_removed`] from lines that stood there once. What shares no word
//! with the question is not found. A score is the relevance by BM25, times what else counts: recency, importance and tier, as
//! [`Weights`] say. Among equals the newest memory comes first, and of documents what stands first. A host that has embeddings puts
//! its [`Ranker`] in the place of BM25.
//!
//! A word is what Unicode takes for one, in compatibility form and lower case; one of Korean is found without its
//! particles, too (`서울` finds `서울에서`). There is no list of stop words, which would be that of some languages. In
//! documents a word is found in its other forms, too, for half of its weight: two words are forms of one if the
//! longer begins with the shorter, which has four letters or more, and has up to three letters more (`seat` finds
//! `seats`). What a word weighs in a text is worked out once, when the text is added, against an average length that
//! is a constant; how rare a word is, when it is asked for. So adding an entry costs what its text costs, and an
//! index that has followed a memory for years is the one that would be built anew.
//!
//! # How good it is
//!
//! Measured with 550 questions on facts that were updated, from the public set `core_memory_update`
//! (letta-ai/letta-evals). A row of the set has facts, an update that contradicts one of them, and a question. Each
//! week, the facts of a row are recorded, and three days later its update. A month later the question is asked of all
//! that was recorded until then, nearly 6,000 entries in the end. The right answer is the update. `newer first` is
//! the share of questions for which it is ranked before the fact that it contradicts, whose words are nearly the
//! same:
//!
//! | ranked by | recall@5 | MRR | newer first |
//! |---|---|---|---|
//! | words alone ([`Weights::NONE`]) | 0.955 | 0.692 | 0.456 |
//! | recency alone (no question) | 0.033 | 0.060 | 0.998 |
//! | the default weights | 0.956 | 0.753 | 0.569 |
//!
//! What supersedes an older memory should say so, by `memory_rethink`: then the older one is not found at all.
//!
//! # What it costs
//!
//! Entries of 15 words, in memory, on a small virtual machine (two cores): `read` is the first question of a handle, which reads the
//! whole journal, once; the others are what one more entry adds to the next question, and questions by two rare words, by a sentence,
//! and by the ten most common words, each of which half of the entries or more share:
//!
//! | entries | read | one more | rare words | sentence | common words |
//! |---|---|---|---|---|---|
//! | 1,000 | 7 ms | 8 µs | 2 µs | 16 µs | 27 µs |
//! | 10,000 | 72 ms | 11 µs | 7 µs | 0.2 ms | 0.4 ms |
//! | 100,000 | 770 ms | 24 µs | 50 µs | 3.3 ms | 7.4 ms |
//!
//! `cargo bench --bench recall` measures both anew.

mod handle;
mod index;
mod journal;
mod lines;
mod passages;
mod pieces;
mod prompt;
mod query;
mod search;
mod weights;

pub use handle::Recall;
pub use prompt::{HostPart, NotRendered, Prompt, PromptPart, Rendered};
pub use query::{LeftOut, RecallQuery, Recalled, RecalledMemory, WhyLeftOut};
pub use search::{Found, Removed, SearchQuery};
pub use weights::{Passage, Ranker, Weights};

pub(crate) use lines::hanging;
