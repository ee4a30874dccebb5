//! Names that pass for one another, and what hides one: the look-alikes of reserved sections.
//!
//! Names are told by what is left of them when characters that look alike are written the same, and marks, white space,
//! punctuation, symbols and what cannot be seen are taken away. A line passes for a name if one way of reading it does: a
//! tag, a number or a character reference may be text, or not be there. A line is passed over once.
//!
//! Measured by `tests/it/look_alikes.rs`, with Unicode's table of confusable characters as `unicode-security` has it:
//!
//! | | tried | wrong |
//! |---|---|---|
//! | one to three letters of `System/Policy`, `Private Rules`, `Политика/Система` replaced by one of the table | 2,545 | 0 written |
//! | letters of `System/Policy` replaced so in 1 to 12 places, at random | 4,000 | 0 written |
//! | words of this repository, titles in 25 scripts and languages, random words in 13 alphabets | 100,000 | 0 refused |
//! | words of the lists `wamerican` and `wbritish` of Debian, and pairs of them | 159,240 | 0 refused |
//! | the same words, each against ten names of one word, such as `Policy`, that they are not | 1,061,000 | 0 refused |
//!
//! The word lists are not part of the repository: `MEMDOC_WORDS` names them to the test, which else says that it is skipped.

mod bones;
mod fold;
mod hiding;
mod lines;
mod names;
mod reader;

pub(crate) use names::ReservedNames;
pub(crate) use reader::Place;
