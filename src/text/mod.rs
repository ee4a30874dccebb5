//! The ground floor: spans, lines with their endings, folding, excerpts, hygiene, and the revision.

mod alike;
mod as_text;
mod chars;
mod content;
mod diff;
mod difference;
mod excerpt;
mod fence;
mod fold;
mod hex;
mod hygiene;
mod lines;
#[cfg(feature = "testing")]
pub(crate) mod lookups;
mod merge;
mod names;
mod revision;
mod shared;
mod span;
mod tally;
#[cfg(feature = "tiktoken")]
mod tiktoken;
mod time;
mod tokens;
mod unit;
mod unreadable;
mod whole_words;

pub use content::{Content, Revealed};
pub use excerpt::{excerpt, excerpt_around, visible};
pub use hygiene::Irregular;
pub use lines::{Ending, Line, Lines};
pub use revision::{Digest, Revision, RevisionPrefix};
pub use shared::SharedText;
pub use span::Span;
pub(crate) use span::narrow;
#[cfg(feature = "tiktoken")]
pub use tiktoken::{InvalidVocabulary, TiktokenCounter};
pub use time::Timestamp;
pub use tokens::{EstimatedTokens, TokenCounter};
pub use unit::{Excess, Unit};
pub use unreadable::Unreadable;

pub(crate) use alike::Pairs;
pub(crate) use as_text::{as_text, displayed_as_held, from_texts};
pub(crate) use chars::{code_point_name, is_digit, is_emblem, is_hidden, is_mark, is_point};
pub(crate) use diff::{differing, longest_increasing};
pub(crate) use difference::Difference;
pub(crate) use excerpt::{escaped, on_one_line, printable};
pub(crate) use fence::fenced;
pub(crate) use fold::{fold_name, fold_signs, fold_white_space, is_blank, normal_name};
pub(crate) use hex::{hex_digits, write_hex};
pub(crate) use hygiene::{Irregularities, irregularities};
pub(crate) use lines::LineTable;
pub(crate) use merge::{BothChanged, ChangedLines, LineTexts, Merged, Side, Stretch, Texts};
pub(crate) use names::names;
pub(crate) use revision::{Hashed, Hasher};
pub(crate) use tally::Tally;
pub(crate) use tokens::Kinds;
pub(crate) use whole_words::is_whole_words;
