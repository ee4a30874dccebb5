//! The ground floor: spans, lines with their endings, folding, excerpts, hygiene, and the revision.

mod as_text;
mod content;
mod diff;
mod excerpt;
mod fold;
mod hygiene;
mod lines;
mod merge;
mod revision;
mod span;
#[cfg(feature = "tiktoken")]
mod tiktoken;
mod time;
mod tokens;
mod whole_words;

pub use as_text::Unreadable;
pub use content::Content;
pub use excerpt::{excerpt, excerpt_around, visible};
pub use hygiene::Irregular;
pub use lines::Line;
pub use revision::{Digest, Hex, Revision, RevisionPrefix};
pub use span::Span;
#[cfg(feature = "testing")]
pub use span::lookups;
pub(crate) use span::narrow;
#[cfg(feature = "tiktoken")]
pub use tiktoken::{InvalidVocabulary, TiktokenCounter};
pub use time::Timestamp;
pub use tokens::{EstimatedTokens, TokenCounter};

pub(crate) use as_text::{as_text, display_inner, names, parse_inner};
pub(crate) use diff::{ChangedRange, Difference, Tally, diff_ranges};
pub(crate) use excerpt::{escaped, fenced, hanging, on_one_line, printable};
pub(crate) use fold::{fold_again, fold_name, fold_signs, fold_white_space, is_blank, is_composed, normal_name};
pub(crate) use hygiene::{code_point_name, irregular, is_digit, is_hidden, is_mark};
pub(crate) use lines::LineTable;
pub(crate) use merge::{LineTexts, Merged, Side, Stretch, Texts};
pub(crate) use tokens::ByteCounts;
pub(crate) use whole_words::{is_whole_words, with_marked_groups};
