//! What became of one part of a request: a hunk, an operation, a row.

use std::fmt;

use serde::Serialize;

use crate::locate::Leniency;
use crate::text::{Content, Timestamp, Unit, excerpt, names};

/// One part of a request, as planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use]
pub struct Part {
    /// Whether it changes anything.
    pub status: PartStatus,
    /// The leniencies that it took to find its place.
    pub healed: Vec<Leniency>,
    /// What the editor should know.
    pub warnings: Vec<Warning>,
    /// The ID of the block that it made, if the request left that open.
    pub made_block: Option<Content>,
}

impl Part {
    /// Creates a part without healing and warnings.
    pub const fn new(status: PartStatus) -> Self {
        Self { status, healed: Vec::new(), warnings: Vec::new(), made_block: None }
    }

    /// Adds the leniencies that were needed.
    pub fn with_healed(mut self, healed: Vec<Leniency>) -> Self {
        self.healed.extend(healed);
        self
    }

    /// Adds what the editor should know.
    pub fn with_warnings(mut self, warnings: impl IntoIterator<Item = Warning>) -> Self {
        self.warnings.extend(warnings);
        self
    }
}

names! {
    /// Whether a part changes anything.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PartStatus {
        /// It changes the text.
        Applied = "applied",
        /// The wanted state is already there.
        AlreadyApplied = "already_applied",
        /// It asks for no change.
        NoChange = "no_change",
    }
}

/// Something that the editor should know, though nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// The document had changed; the edit was planned anew and every part stands where it was
    /// meant.
    Rebased,
    /// The line numbers of a unified diff were ignored: places are found by their text.
    LineNumbersIgnored,
    /// An ordered list that counted does not any more: its numbers were written as they were sent.
    Numbering {
        /// The lines of the result, from 1, whose numbers are out of sequence.
        lines: Vec<usize>,
    },
    /// A bullet was written that is near another one: the same content with another checkbox or
    /// other tags, or nearly the same words.
    NearDuplicate {
        /// The line, from 1, of the other one as it was seen.
        line: usize,
        /// Its key.
        key: Content,
        /// How it begins.
        text: Content,
    },
    /// The text of an operation does not stand at its index.
    IndexTextMismatch {
        /// The index.
        index: i64,
        /// The lines, from 1, on which the text stands.
        lines: Vec<usize>,
        /// Which of the two was followed.
        followed: Followed,
    },
    /// The edit made the document too large, and a compaction made room for it in the same write.
    Compacted {
        /// How many bullets another one says now.
        merged: usize,
        /// How many bullets are gone.
        gone: usize,
        /// How many bullets had expired, and are gone.
        expired: usize,
    },
    /// The built-in compactor made the text, and it cannot read.
    InstructionsIgnored,
    /// A bullet was given an end that has passed: it is expired already.
    Expired {
        /// The instant from which it is.
        end: Timestamp,
        /// Whether it, or what it is nested in, is pinned: then it stays all the same.
        is_pinned: bool,
    },
    /// A number lay outside its range, and was taken as the nearest inside.
    Clamped {
        /// What it was taken as.
        value: i64,
    },
    /// Bullets that were pinned, or nested in one that was, are changed, unpinned or gone.
    Pinned {
        /// The lines, from 1, on which they stood.
        lines: Vec<usize>,
    },
    /// The log of notes had no room for another line, and its oldest were dropped.
    ActivityTrimmed {
        /// How many lines were dropped.
        lines: usize,
    },
    /// No line was added to the log of notes, which is full, or ends in a code fence.
    NotLogged,
    /// Bullets that the target of a merge has already were not moved there.
    DuplicatesDropped {
        /// The lines, from 1, on which they stood.
        lines: Vec<usize>,
    },
    /// The document has crossed its soft limit.
    NearLimit {
        /// What is counted.
        unit: Unit,
        /// How much is used.
        used: usize,
        /// The hard limit.
        limit: usize,
        /// The lines of the largest bullets that are not pinned, from 1.
        largest: Vec<usize>,
    },
}

/// What was followed where index and text disagree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Followed {
    /// The index, to the bullet that said this.
    Index(Content),
    /// The text.
    Text,
}

impl Warning {
    /// Returns the stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rebased => "rebased",
            Self::LineNumbersIgnored => "line_numbers_ignored",
            Self::Numbering { .. } => "numbering",
            Self::NearDuplicate { .. } => "near_duplicate",
            Self::IndexTextMismatch { .. } => "index_text_mismatch",
            Self::Compacted { .. } => "compacted",
            Self::InstructionsIgnored => "instructions_ignored",
            Self::Expired { .. } => "expired",
            Self::Clamped { .. } => "clamped",
            Self::Pinned { .. } => "pinned",
            Self::ActivityTrimmed { .. } | Self::NotLogged => "activity_trimmed",
            Self::DuplicatesDropped { .. } => "duplicates_dropped",
            Self::NearLimit { .. } => "near_limit",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rebased => {
                f.write_str("the document had changed since you saw it; the edit was made where you meant it")
            }
            Self::LineNumbersIgnored => f.write_str("line numbers were ignored; places are found by their text"),
            Self::Numbering { lines } => {
                write!(f, "the numbers of the list do not count on {}", named(lines))
            }
            Self::NearDuplicate { line, key, text } => {
                write!(f, "line {line} says nearly the same: `{text}` (key {key})")
            }
            Self::IndexTextMismatch { index, lines, followed } => {
                let place =
                    if lines.is_empty() { "nowhere in the block".to_owned() } else { format!("on {}", named(lines)) };
                write!(f, "the text does not stand at index {index} but {place}; {followed}")
            }
            Self::Compacted { merged, gone, expired } => {
                let outcomes = outcomes([(merged, "merged"), (gone, "gone"), (expired, "expired")]);
                write!(f, "the document had outgrown its limit and was compacted in the same write{outcomes}")
            }
            Self::InstructionsIgnored => f.write_str(
                "the built-in compactor cannot follow instructions: it dropped what had expired, duplicates and, over \
                 the budget, the oldest bullets; to have more done, send the new text as `candidate`",
            ),
            Self::Expired { end, is_pinned } => {
                let then = if *is_pinned { "it is pinned, so that it stays" } else { "the next clean-up drops it" };
                write!(f, "the bullet has been expired since {end}; {then}")
            }
            Self::Clamped { value } => write!(f, "the number lies outside its range, and was taken as {value}"),
            Self::Pinned { lines } => {
                write!(f, "what stood on {} was pinned, and is changed, unpinned or gone", named(lines))
            }
            Self::ActivityTrimmed { lines } => {
                write!(f, "the document `activity` was full; its oldest lines went ({lines}), memory_history has them")
            }
            Self::NotLogged => f.write_str(
                "no line was added to the document `activity`: it is full, or a code fence there is not closed; \
                 memory_history has it",
            ),
            Self::DuplicatesDropped { lines } => {
                write!(f, "what the target has already was dropped: {}", named(lines))
            }
            Self::NearLimit { unit, used, limit, largest } => {
                write!(f, "the document uses {used} of {limit} {unit}")?;
                if largest.is_empty() {
                    Ok(())
                } else {
                    write!(f, "; its largest unpinned bullets: {}", named(largest))
                }
            }
        }
    }
}

impl fmt::Display for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(text) => write!(f, "the index was followed: `{}` stood there", excerpt(text, 80)),
            Self::Text => f.write_str("the text was followed"),
        }
    }
}

/// Names lines by their numbers, ten at most.
fn named(lines: &[usize]) -> String {
    let numbers = lines.iter().take(10).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = if lines.len() > 10 { ", …" } else { "" };
    format!("{} {numbers}{more}", if lines.len() == 1 { "line" } else { "lines" })
}

/// Says what became of bullets, as far as anything did.
fn outcomes(counts: [(&usize, &str); 3]) -> String {
    let said: Vec<_> = counts.iter().filter(|(count, _)| **count > 0).map(|(n, what)| format!("{n} {what}")).collect();
    if said.is_empty() { String::new() } else { format!(": bullets {}", said.join(", ")) }
}
