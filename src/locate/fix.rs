//! Fixes: changes of a request that make it work, as data.

use std::fmt;

use crate::text::Size;

/// A change of the request that makes it work. Each tool words it in its own syntax.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// Name this section, by title or path.
    NameSection(String),
    /// Name this block, by ID.
    NameBlock(String),
    /// Name this slot.
    NameSlot(String),
    /// Give the title that the new block of this ID is to have, or name a block that is there.
    NameTitle,
    /// Name this bullet, by key.
    UseKey(String),
    /// Name this bullet, by index.
    UseIndex(i64),
    /// Go beside, or below, the bullet with this key, which stands in this list.
    Beside {
        /// The section, by title or path, where it is not the one that was named.
        section: Option<String>,
        /// The block, by ID, likewise.
        block: Option<String>,
        /// On which side: `before`, `after` or `under`.
        side: &'static str,
        /// The key of the bullet.
        key: String,
    },
    /// Say that the bullet begins with this text.
    ExpectText(String),
    /// Put these lines, copied from the document, before what is to be found.
    AddContext(Vec<String>),
    /// Leave out the argument by which something else of that name was sought, and make this change.
    Instead {
        /// The argument: `section`, `block` or `key`.
        of: &'static str,
        /// The change.
        fix: Box<Self>,
    },
    /// Name the bullet that says this as the place, and the section that it stands in, if that has a name of its own.
    Under {
        /// The section.
        section: Option<String>,
        /// What the bullet says.
        text: String,
    },
    /// Give this place of a section.
    Place(Relation, String),
    /// Leave section and block out.
    DropScope,
    /// Say that this many places are meant.
    Expect(usize),
    /// Send this text as what is to be found, copied from the document.
    CopyText(String),
    /// Send these texts, which are longer and therefore unique, as what is to be found and what replaces it.
    Widen {
        /// What is to be found.
        old: String,
        /// What replaces it.
        new: String,
    },
    /// Make this change, and say that one place is meant.
    Once(Box<Self>),
    /// Read the document, then decide again.
    ReadFirst,
}

/// How a place among sections is told by another section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Before a section of the same parent.
    Before,
    /// After a section of the same parent.
    After,
    /// Below a section, which becomes the parent.
    Under,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Under => "under",
        })
    }
}

impl fmt::Debug for Fix {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameSection(name) => write!(f, "NameSection({:?})", Size(name)),
            Self::NameBlock(id) => write!(f, "NameBlock({:?})", Size(id)),
            Self::NameSlot(name) => write!(f, "NameSlot({:?})", Size(name)),
            Self::NameTitle => f.write_str("NameTitle"),
            Self::UseKey(key) => write!(f, "UseKey({:?})", Size(key)),
            Self::UseIndex(index) => write!(f, "UseIndex({index})"),
            Self::Beside { side, .. } => write!(f, "Beside({side})"),
            Self::ExpectText(text) => write!(f, "ExpectText({:?})", Size(text)),
            Self::AddContext(lines) => write!(f, "AddContext({} lines)", lines.len()),
            Self::Instead { of, fix } => write!(f, "Instead(of {of}, {fix:?})"),
            Self::Under { section, text } => {
                write!(f, "Under({:?}, {:?})", section.as_deref().map(Size), Size(text))
            }
            Self::Place(relation, section) => write!(f, "Place({relation} {:?})", Size(section)),
            Self::DropScope => f.write_str("DropScope"),
            Self::Expect(count) => write!(f, "Expect({count})"),
            Self::CopyText(text) => write!(f, "CopyText({:?})", Size(text)),
            Self::Widen { old, new } => write!(f, "Widen({:?} to {:?})", Size(old), Size(new)),
            Self::Once(fix) => f.debug_tuple("Once").field(fix).finish(),
            Self::ReadFirst => f.write_str("ReadFirst"),
        }
    }
}
