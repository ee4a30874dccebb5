//! Fixes: changes of a request that make it work, as data.

use crate::document::SectionRef;
use crate::text::{Content, Span, names};

/// A change of the request that makes it work. Each tool words it in its own syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fix {
    /// Name this section, by title or path.
    NameSection(Content),
    /// Name this block, by ID.
    NameBlock(Content),
    /// Name this slot.
    NameSlot(Content),
    /// Name this bullet, by key.
    UseKey(Content),
    /// Name this bullet, by index.
    UseIndex(i64),
    /// Go beside, or below, the bullet with this key, which stands in this list.
    Beside {
        /// The section, by title or path, where it is not the one that was named.
        section: Option<Content>,
        /// The block, by ID, likewise.
        block: Option<Content>,
        /// Where of it.
        side: Relation,
        /// The key of the bullet.
        key: Content,
    },
    /// Put these lines, copied from the document, before what is to be found.
    AddContext(Vec<Content>),
    /// Put one space more before each context line of a hunk: the first one that was sent was read
    /// as its operator.
    IndentContext,
    /// Leave out the argument by which something else of that name was sought, and make this
    /// change.
    Instead {
        /// What was called by it; a bullet by its key.
        of: NodeKind,
        /// The change.
        fix: Box<Self>,
    },
    /// Leave out what says where to look: section and block, or the text to look behind.
    DropScope,
    /// Say that this many places are meant.
    Expect(usize),
    /// Say that whole words and numbers are meant.
    WholeWords,
    /// Send this text as what is to be found, copied from the document.
    CopyText(Content),
    /// Send these texts, which are longer and therefore unique, as what is to be found and what
    /// replaces it.
    Widen {
        /// What is to be found.
        old: Content,
        /// What replaces it.
        new: Content,
    },
    /// Make this change, and say that one place is meant.
    Once(Box<Self>),
}

impl Fix {
    /// Names a section, if it has a name of its own.
    pub(super) fn section(section: Option<SectionRef<'_>>) -> Option<Self> {
        section?.asked_name().map(|name| Self::NameSection(name.into()))
    }

    /// Sends all that stands under `wide` as the old text, and as the new one the same with `new`
    /// in the place of `span`.
    pub(crate) fn widened(text: &str, wide: Span, span: Span, new: &str) -> Self {
        let before = Span::new(wide.start(), span.start()).of(text);
        let after = Span::new(span.end(), wide.end().max(span.end())).of(text);
        Self::Widen { old: wide.of(text).into(), new: [before, new, after].concat().into() }
    }
}

names! {
    /// How a place is told by another section or bullet.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Relation {
        /// Before one of the same parent.
        Before = "before",
        /// After one of the same parent.
        After = "after",
        /// Below one, which becomes the parent.
        Under = "under",
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
        /// A bullet.
        Bullet = "bullet",
    }
}
