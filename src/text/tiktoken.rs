//! [`TiktokenCounter`]: the tokens of a text by a vocabulary of OpenAI's models.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use tiktoken_rs::CoreBPE;

use super::tokens::TokenCounter;

/// Counts the tokens of a text exactly, by a vocabulary of OpenAI's models (feature `tiktoken`).
///
/// The vocabularies are part of the program: no network, file or environment is read. Reading one
/// takes about 0.1 s and 50 MB of memory (`o200k_base`; half of that for `cl100k_base`), so make
/// one counter and clone it: clones share it.
///
/// All text is ordinary text: `<|endoftext|>` in a document is no special token, but counted as its characters. The time
/// grows linearly with the text: about 2 ms for 64 KiB of prose, and up to 10 ms for as long a run of one character. The
/// tokenizer gives up on a run of about a million characters of white space. Such a text counts one token for each byte,
/// which is never too low.
///
/// # Examples
///
/// ```
/// use memdoc::{InMemoryStore, Memory, Policy, text::TiktokenCounter, text::TokenCounter};
///
/// let counter = TiktokenCounter::o200k_base()?;
/// assert_eq!(counter.count("- Lives in Denver"), 4);
/// let policy = Policy::default().with_max_tokens(4_000);
/// let memory = Memory::new(InMemoryStore::new(), policy)?.with_counter(counter);
/// # let _ = memory;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TiktokenCounter(Arc<CoreBPE>);

impl fmt::Debug for TiktokenCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TiktokenCounter").finish_non_exhaustive()
    }
}

impl TiktokenCounter {
    /// Reads the vocabulary of GPT-4o and all later models.
    ///
    /// # Errors
    ///
    /// Fails if the embedded vocabulary is damaged, which it is not in a released version.
    pub fn o200k_base() -> Result<Self, InvalidVocabulary> {
        Ok(Self(Arc::new(tiktoken_rs::o200k_base().map_err(|error| InvalidVocabulary(error.into()))?)))
    }

    /// Reads the vocabulary of GPT-4, GPT-3.5 and the embedding models.
    ///
    /// # Errors
    ///
    /// As [`o200k_base`](Self::o200k_base).
    pub fn cl100k_base() -> Result<Self, InvalidVocabulary> {
        Ok(Self(Arc::new(tiktoken_rs::cl100k_base().map_err(|error| InvalidVocabulary(error.into()))?)))
    }
}

impl TokenCounter for TiktokenCounter {
    fn count(&self, text: &str) -> usize {
        // The empty set allows no special tokens. `count_ordinary` would be shorter, but panics where this one gives up.
        self.0.count(text, &HashSet::new()).unwrap_or(text.len())
    }
}

/// Why a [`TiktokenCounter`] could not be made.
#[derive(Debug, Error)]
#[error("the vocabulary cannot be read")]
#[non_exhaustive]
pub struct InvalidVocabulary(#[source] Box<dyn Error + Send + Sync>);
