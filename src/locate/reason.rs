//! Why a text was not found, as data.

use std::fmt;

use super::fix::NodeKind;
use super::ladder::Rung;
use crate::text::{Content, excerpt, visible};

/// Why a text was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It differs in letter case.
    Case,
    /// It differs in white space at a line's end.
    TrailingSpace,
    /// It differs in line endings.
    LineEndings,
    /// It differs in a quote; the code points found.
    Quote(Content),
    /// It differs in a dash; the code points found.
    Dash(Content),
    /// It differs in another character that looks alike; the code points found.
    LookAlike(Content),
    /// It differs in white space at its beginning.
    LeadingSpace,
    /// It differs in white space inside: a tab, or a run of spaces.
    Tab,
    /// It differs in the bullet's marker.
    Marker,
    /// It differs in the bullet's checkbox.
    Checkbox,
    /// It differs in the bullet's tags; those that stand there, empty if there are none.
    Tags(Content),
    /// It differs in a digit.
    Digit,
    /// It reads so, but what else was asked for does not hold there.
    Same,
    /// It reads so behind this text, which belongs to what the line says.
    Behind(Content),
    /// It reads so in a code fence, where nothing is structure.
    Fenced,
    /// It holds escapes that were written literally.
    Escapes,
    /// It carries the line numbers or keys of a rendered view.
    ViewPrefix,
    /// The new text stands there already.
    AlreadyApplied,
    /// It would be found if this were healed.
    Overlooked(Vec<Rung>),
    /// It stands in another section, by path, and nowhere else; `None` before the first section.
    OtherSection(Option<Content>),
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
    /// These lines stand between its own, as they are shown.
    StandsBetween(Content),
    /// So many of its lines differ from the lines in their places, of which each is like its own.
    SeveralDiffer(usize),
    /// What it adds would stand before the scope, not inside.
    BeforeScope,
    /// It stands on this line, from 1, inside a longer word or number.
    InsideWord(usize),
    /// It stands on this line, from 1, which belongs to no bullet.
    NoBullet(usize),
    /// It stands on this line, from 1, which does not belong to the block.
    OutsideBlock(usize),
    /// It stands on this line, from 1, which does not belong to the bullet.
    OutsideBullet(usize),
    /// It stands on this line, from 1, which does not belong to the scope.
    OutsideScope(usize),
    /// It begins on a line of the scope, and goes on behind the scope's last one.
    GoesPast {
        /// The number of the line that it begins on, from 1.
        line: usize,
        /// The number of the scope's last line, from 1.
        end: usize,
    },
    /// It stands on this line, from 1, which is not the document's last.
    NotAtEnd(usize),
    /// The scope ends with this line, from 1, which is not the document's last.
    EndsBefore(usize),
    /// It stands on this line, from 1, but not behind the text that was sought before it.
    NotBehind(usize),
    /// It stands in this many places, but in none behind the text that was named.
    NoneBehind(usize),
    /// No section is called so, and one can be added.
    Addable,
    /// It differs in its words.
    Text,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case => f.write_str("differs in letter case"),
            Self::TrailingSpace => f.write_str("differs in trailing space"),
            Self::LineEndings => f.write_str("differs in line endings"),
            Self::Quote(names) => write!(f, "differs in a quote: {names}"),
            Self::Dash(names) => write!(f, "differs in a dash: {names}"),
            Self::LookAlike(names) => write!(f, "differs in a character that looks alike: {names}"),
            Self::LeadingSpace => f.write_str("differs in white space at its beginning"),
            Self::Tab => f.write_str("differs in a tab or a run of spaces"),
            Self::Marker => f.write_str("differs in the bullet's marker"),
            Self::Checkbox => f.write_str("differs in the checkbox"),
            Self::Tags(tags) if tags.is_empty() => f.write_str("differs in tags: the bullet has none"),
            Self::Tags(tags) => write!(f, "differs in tags: the bullet has `{tags}`"),
            Self::Digit => f.write_str("differs in a digit"),
            Self::Same => f.write_str("reads so, but what else was asked for does not hold there"),
            Self::Behind(before) => write!(f, "reads so behind `{before}`, which is left out"),
            Self::Fenced => f.write_str("reads so in a code fence, where no line is a bullet"),
            Self::Escapes => f.write_str("is written with escapes such as `\\n`"),
            Self::ViewPrefix => f.write_str("carries the line numbers or keys of a view"),
            Self::AlreadyApplied => f.write_str("the new text stands there: already applied?"),
            Self::Overlooked(rungs) => {
                let codes: Vec<_> = rungs.iter().map(|rung| rung.to_string()).collect();
                write!(f, "it would match if {} were overlooked", codes.join(", "))
            }
            Self::OtherSection(None) => f.write_str("found once elsewhere: before the first section"),
            Self::OtherSection(Some(path)) => {
                write!(f, "found once in another section: `{}`", visible(&excerpt(path, 80)))
            }
            Self::Reserved(path) => {
                write!(f, "found in the reserved section `{}`, which tools cannot change", visible(&excerpt(path, 80)))
            }
            Self::Called { what, line } => write!(f, "a {what} of that name stands on line {line}"),
            Self::Addable => f.write_str("it can be added"),
            Self::NotAdjacent => f.write_str("the lines are there, but not next to one another in this order"),
            Self::StandsBetween(lines) => write!(f, "between them stands `{lines}`"),
            Self::SeveralDiffer(count) => write!(f, "{count} of the lines differ from those that they are like"),
            Self::BeforeScope => f.write_str("the lines that it adds would stand before the scope, not inside"),
            Self::InsideWord(line) => write!(f, "it stands on line {line}, inside a longer word or number"),
            Self::NoBullet(line) => write!(f, "it stands on line {line}, which is no bullet"),
            Self::OutsideBlock(line) => write!(f, "it stands on line {line}, outside of the block"),
            Self::OutsideBullet(line) => write!(f, "it stands on line {line}, outside of that bullet"),
            Self::OutsideScope(line) => write!(f, "it stands on line {line}, outside of that place"),
            Self::GoesPast { line, end } => {
                write!(f, "it begins on line {line}, but goes on behind line {end}, with which the scope ends")
            }
            Self::NotAtEnd(line) => write!(f, "it stands at line {line}, but not at the end of the document"),
            Self::EndsBefore(line) => write!(f, "the scope ends with line {line}"),
            Self::NotBehind(line) => write!(f, "it stands at line {line}, but not behind the text to begin with"),
            Self::NoneBehind(1) => f.write_str("it stands once, but not behind the text to look behind"),
            Self::NoneBehind(count) => {
                write!(f, "it stands in {count} places, but in none behind the text to look behind")
            }
            Self::Text => f.write_str("differs in the text"),
        }
    }
}
