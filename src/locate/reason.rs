//! Why a text was not found, as data.

use std::fmt;

use super::fix::NodeKind;
use crate::document::SectionRef;
use crate::text::{Content, excerpt, visible};

/// Why a text was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It differs in letter case.
    Case,
    /// It differs in white space.
    Space,
    /// It differs in a sign that looks alike; the code points found.
    Punctuation(Content),
    /// It differs in the bullet's tags; those that stand there, empty if there are none.
    Tags(Content),
    /// It differs in a digit.
    Digit,
    /// It differs in its words.
    Text,
    /// It reads so, but is not what was asked for.
    Same,
    /// It reads so behind this text, which belongs to what the line says.
    Behind(Content),
    /// The new text stands there already.
    AlreadyApplied,
    /// It stands on this line, which is not meant.
    At {
        /// The number of the line, from 1.
        line: usize,
        /// Why that is not meant: where the line stands, or what it is.
        what: Content,
    },
    /// It stands in a reserved section, by path.
    Reserved(Content),
    /// Something else is called so.
    Called {
        /// What it is.
        what: NodeKind,
        /// The number of its line.
        line: usize,
    },
    /// Its lines stand there, but not next to one another, or not in that order.
    NotAdjacent,
    /// Its lines stand there in their order, but this line stands between them.
    Between {
        /// The number of the line, from 1.
        line: usize,
        /// How it reads, as it is shown.
        text: Content,
    },
    /// Most of its lines stand where this one differs.
    Differs {
        /// The number of the line, from 1.
        line: usize,
        /// How it reads, as it is shown.
        text: Content,
    },
}

impl Reason {
    pub(crate) fn at(line: usize, what: impl Into<Content>) -> Self {
        Self::At { line, what: what.into() }
    }

    /// Tells a line outside of the place that was named, with its section.
    pub(super) fn elsewhere(line: usize, section: Option<SectionRef<'_>>) -> Self {
        let inside = |section: SectionRef<'_>| format!("in section `{}`", visible(&excerpt(&section.name(), 80)));
        Self::at(line, section.map_or_else(|| "before the first section".to_owned(), inside))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case => f.write_str("differs in letter case"),
            Self::Space => f.write_str("differs in white space"),
            Self::Punctuation(names) => write!(f, "differs in a quote, dash or space that looks alike: {names}"),
            Self::Tags(tags) if tags.is_empty() => f.write_str("differs in tags: the bullet has none"),
            Self::Tags(tags) => write!(f, "differs in tags: the bullet has `{tags}`"),
            Self::Digit => f.write_str("differs in a digit"),
            Self::Text => f.write_str("differs in the text"),
            Self::Same => f.write_str("reads so, but is not what was asked for"),
            Self::Behind(before) => write!(f, "reads so behind `{before}`, which is left out"),
            Self::AlreadyApplied => f.write_str("the new text stands there: already applied?"),
            Self::At { line, what } => write!(f, "it stands on line {line}, {what}"),
            Self::Reserved(path) => {
                write!(f, "found in the reserved section `{}`, which tools cannot change", visible(&excerpt(path, 80)))
            }
            Self::Called { what, line } => write!(f, "a {what} of that name stands on line {line}"),
            Self::NotAdjacent => f.write_str("the lines are there, but not next to one another in this order"),
            Self::Between { line, text } => {
                write!(f, "the lines are there, but between them stands line {line}: `{text}`")
            }
            Self::Differs { line, text } => write!(f, "line {line} differs: `{text}`"),
        }
    }
}
