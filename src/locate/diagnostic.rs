//! [`LocateError`]: a place that was not found exactly once. It has what was sought, and either the matches, or why
//! there are none and which change of the request would work.

use std::fmt;

use thiserror::Error;

use super::closest::Closest;
use super::code::Code;
use super::matches::{COUNTED, Matches};
use crate::document::{MemoryDoc, SectionRef};
use crate::text::{Content, excerpt, names, visible};

/// The help for a request whose place was not found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The lines most like the one sought, best first.
    pub closest: Vec<Closest>,
    /// Why the text was not found, apart from how the closest lines differ.
    pub reasons: Vec<Reason>,
    /// If a name was not found: a few names that exist, those like it first.
    pub known: Vec<Content>,
    /// A change of the request that would work.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Creates the help that gives one reason.
    pub(crate) fn because(reason: Reason) -> Self {
        Self { reasons: vec![reason], ..Self::default() }
    }

    /// Says that the text is found at `offset` only, outside of the named scope. There is no fix: a request that names
    /// one place does not mean another.
    pub(crate) fn elsewhere(doc: &MemoryDoc, offset: usize) -> Self {
        Self::because(match doc.reserved_section_at(offset) {
            Some(reserved) => Reason::Reserved(reserved.name().into()),
            None => Reason::elsewhere(doc.line_number(offset), doc.section_at(offset)),
        })
    }
}

/// A place that was not found exactly once. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LocateError {
    /// No place matches.
    #[error("{what} was not found")]
    NotFound {
        /// What was sought.
        what: Target,
        /// The help.
        help: Box<Diagnostic>,
    },
    /// Several places match, or places that overlap.
    #[error("{what} matches {}{}", counted(what, matches), if matches.is_overlapping() { " that overlap one another" } else { "" })]
    Ambiguous {
        /// What was sought.
        what: Target,
        /// The places.
        matches: Box<Matches>,
    },
}

/// Says how many places match. The search for lines stops after [`COUNTED`] places, so there it says `or more`.
fn counted(what: &Target, matches: &Matches) -> String {
    let or_more = if matches!(what, Target::Lines(_)) && matches.len() == COUNTED { " or more" } else { "" };
    let places = if matches.len() == 1 { "place" } else { "places" };
    format!("{}{or_more} {places}", matches.len())
}

impl LocateError {
    /// Creates the error for a place that was not found.
    pub(crate) fn not_found(what: Target, help: Diagnostic) -> Self {
        Self::NotFound { what, help: Box::new(help) }
    }

    /// Reports whether nothing was found.
    pub(crate) const fn is_absence(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        if self.is_absence() { Code::NotFound } else { Code::Ambiguous }
    }

    /// Returns the help, if nothing was found.
    pub const fn help(&self) -> Option<&Diagnostic> {
        if let Self::NotFound { help, .. } = self { Some(help) } else { None }
    }

    /// Returns the places, if several match.
    pub const fn matches(&self) -> Option<&Matches> {
        if let Self::Ambiguous { matches, .. } = self { Some(matches) } else { None }
    }
}

/// How many characters of a sought text a message quotes.
const QUOTED: usize = 80;

/// What a request looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A literal text.
    Text(Content),
    /// A literal text after which the search begins.
    Anchor(Content),
    /// A section, by title or path.
    Section(Content),
    /// A block, by ID.
    Block(Content),
    /// A slot, by name.
    Slot(Content),
    /// A bullet, by its description in words.
    Bullet(Content),
    /// A bullet, or a place for one, by its index in a list of this many.
    Index {
        /// The index.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// Whole lines, in order.
    Lines(Vec<Content>),
    /// The end of the document, in a scope.
    End,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "text `{}`", visible(&excerpt(text, QUOTED))),
            Self::Anchor(text) => write!(f, "text to look behind `{}`", visible(&excerpt(text, QUOTED))),
            Self::Section(name) => write!(f, "section `{}`", visible(&excerpt(name, QUOTED))),
            Self::Block(id) => write!(f, "block `{}`", visible(&excerpt(id, QUOTED))),
            Self::Slot(name) => write!(f, "slot `{}`", visible(&excerpt(name, QUOTED))),
            Self::Bullet(what) => write!(f, "bullet that {}", visible(&excerpt(what, 2 * QUOTED))),
            Self::Index { index, count } => write!(f, "index {index} in a list of {count}"),
            Self::End => f.write_str("end of the document in the hunk's scope"),
            Self::Lines(lines) => match lines.as_slice() {
                [only] => write!(f, "line `{}`", visible(&excerpt(only, QUOTED))),
                several => {
                    let first = several.iter().find(|line| !line.trim().is_empty()).map_or("", Content::as_str);
                    write!(f, "run of {} lines with `{}`", several.len(), visible(&excerpt(first, QUOTED)))
                }
            },
        }
    }
}

/// Why a text was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It differs in letter case.
    Case,
    /// It differs in white space.
    Space,
    /// It differs in a sign that looks alike. The value names the code points in the document.
    Punctuation(Content),
    /// It differs in the bullet's tags. The value is the bullet's tags, empty if it has none.
    Tags(Content),
    /// It differs in a digit.
    Digit,
    /// It differs in its words.
    Text,
    /// The line has this text, but does not meet the other conditions.
    Same,
    /// The new text is in the document already.
    AlreadyApplied,
    /// It is on this line, which does not match all the same.
    At {
        /// The number of the line, from 1.
        line: usize,
        /// Why the line does not match: where it is, or what it is.
        what: Content,
    },
    /// It is in a reserved section. The value is the path.
    Reserved(Content),
    /// Another node has this name.
    Called {
        /// What it is.
        what: NodeKind,
        /// The number of its line.
        line: usize,
    },
    /// Its lines are there, but not next to one another, or in another order.
    NotAdjacent,
    /// Some of its lines are there in this order, but other lines are between them.
    Between {
        /// The number of the first of these lines, from 1.
        line: usize,
        /// The texts of the first of these lines, with invisible characters made visible.
        texts: Vec<Content>,
    },
}

impl Reason {
    pub(crate) fn at(line: usize, what: impl Into<Content>) -> Self {
        Self::At { line, what: what.into() }
    }

    /// Names a line outside of the named scope, and its section.
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
            Self::Same => f.write_str("has this text, but not all that was asked for"),
            Self::AlreadyApplied => f.write_str("the new text stands there: already applied?"),
            Self::At { line, what } => write!(f, "it stands on line {line}, {what}"),
            Self::Reserved(path) => {
                write!(f, "found in the reserved section `{}`, which tools cannot change", visible(&excerpt(path, 80)))
            }
            Self::Called { what, line } => write!(f, "a {what} of that name stands on line {line}"),
            Self::NotAdjacent => f.write_str("the lines are there, but not next to one another in this order"),
            Self::Between { line, texts } => {
                let texts = texts.join("`, `");
                write!(f, "other lines stand between those found, from line {line} on, to be sent too: `{texts}`")
            }
        }
    }
}

/// A change of the request with which it would work. Each tool puts it into its own arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// Name this section, by title or path.
    NameSection(Content),
    /// Name this block, by ID.
    NameBlock(Content),
    /// Name this bullet, by key.
    UseKey(Content),
    /// Name this bullet, by index.
    UseIndex(i64),
    /// Add these lines, copied from the document, before the sought lines.
    AddContext(Vec<Content>),
    /// Expect this many matches.
    Expect(usize),
    /// Match whole words and numbers only.
    WholeWords,
    /// Let bullets that compare equal keep their order.
    KeepTies,
    /// Search for this text, copied from the document.
    CopyText(Content),
    /// Search for a longer text, which is unique, and replace it by a longer text.
    Widen {
        /// The text to search for.
        old: Content,
        /// The text that replaces it.
        new: Content,
    },
    /// Make this change, and expect one match.
    Once(Box<Self>),
}

impl Fix {
    /// Names a section, if a name finds it and no other.
    pub(crate) fn section(section: Option<SectionRef<'_>>) -> Option<Self> {
        section?.unique_name().map(|name| Self::NameSection(name.into()))
    }
}

names! {
    /// A kind of node of a document.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NodeKind {
        /// A section.
        Section = "section",
        /// A block.
        Block = "block",
        /// A label.
        Label = "label",
        /// A bullet.
        Bullet = "bullet",
    }
}
