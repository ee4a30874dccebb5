//! `edit_items` and the tools that pin bullets and let them expire: bullets inserted, updated, deleted, moved and tagged.
//!
//! All edits of a request are located in the document as it was seen, and made together. What is not obvious:
//!
//! - Two edits of one bullet are made together if each changes another thing of it: text, tags, checkbox, pin, TTL, place.
//! - Tags given beside the text of an update are, like tags that the text brings, the bullet's tags from then on; pin and TTL stay.
//! - `untag` of a tag that is not there is `no_change`; an attribute may be named without its value.
//! - A new bullet counts as there already if a bullet of its list with the same parent, or an earlier insertion of
//!   the request, has the same content, checkbox and tags (pin and TTL aside). A bullet that the request removes or
//!   changes does not count.
//! - A bullet that moves to another list takes its marker and indentation; inside its list it keeps its marker.
//! - The first child of a bullet stands two columns deeper, or as many as the marker takes, and has the parent's marker; below a
//!   number, `-`.
//! - Numbers of a list that does not count exactly 0 or 1, 2, 3 … are part of what is said: they stay with their bullets, and a new
//!   bullet there brings its number.
//! - A `since` without a TTL is another date: it stays when an end is set. A TTL of 0 is refused. Setting the same
//!   TTL again starts it anew; on the same day, or in the same second for units below a day, nothing changes. An end
//!   in the past is written, with a warning.

mod find;
mod plan;

use super::{Request, RequestError, View};
use crate::document::Expiry;
use crate::edit::Edit;
use crate::locate::Selector;
use crate::text::Content;

/// Edits bullets.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, locate::Selector, request::ItemEdit, request::ItemOp, request::Items, request::NewItem};
///
/// let doc = MemoryDoc::parse("## Facts\n- [home] Lives in Denver\n");
/// let target = Selector::in_section("Facts").containing("Denver");
/// let items = Items::new([ItemEdit::new(target, ItemOp::Update { item: NewItem::new("Lives in Austin") })]);
/// let edit = items.plan(&View::current(&doc, Timestamp::default()))?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
/// assert_eq!(commit.doc.text(), "## Facts\n- [home] Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Items {
    /// The edits, each a part of the request.
    pub edits: Vec<ItemEdit>,
}

/// One edit of one bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ItemEdit {
    /// The bullet; for an insertion, the section or block.
    pub target: Selector,
    /// How many bullets the target names, where the same is done with several.
    pub count: Option<usize>,
    /// What the editor saw there.
    pub evidence: Evidence,
    /// What is done.
    pub op: ItemOp,
}

/// What an editor says that it saw at the bullet, each the content or its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The bullet's own text.
    pub expect: Option<Content>,
    /// The text of the sibling before it; empty if it is the first.
    pub before: Option<Content>,
    /// The text of the sibling behind it; empty if it is the last.
    pub after: Option<Content>,
}

/// What is done with a bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemOp {
    /// A new bullet is written.
    Insert {
        /// The bullet.
        item: NewItem,
        /// Where.
        to: Destination,
    },
    /// Its content is replaced.
    Update {
        /// The content, and the tags if they change.
        item: NewItem,
    },
    /// It is removed.
    Delete {
        /// What becomes of its children.
        children: Children,
    },
    /// It is moved, with its children.
    Reorder {
        /// Where.
        to: Destination,
    },
    /// Its content is replaced, or it is written if there is none.
    Upsert {
        /// The bullet.
        item: NewItem,
        /// Where it is written.
        to: Destination,
    },
    /// Tags are added.
    Tag {
        /// The tags.
        tags: Vec<Content>,
    },
    /// Tags are removed.
    Untag {
        /// The tags.
        tags: Vec<Content>,
    },
    /// It is checked, pinned or gets a time to live, or one of these is taken back.
    Annotate(Annotation),
}

/// A checkbox, a pin or a time to live that a bullet gets, or loses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Annotation {
    /// Its checkbox is checked; it gets one if it has none.
    Check,
    /// Its checkbox is unchecked; it gets one if it has none.
    Uncheck,
    /// It is pinned.
    Pin,
    /// It is no longer pinned.
    Unpin,
    /// It expires then.
    SetTtl(Expiry),
    /// It does not expire.
    ClearTtl,
}

/// A bullet's text and tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewItem {
    /// The content; a marker that it brings is dropped, tags and checkbox at its beginning are the bullet's.
    pub text: Content,
    /// More tags.
    pub tags: Vec<Content>,
    /// Whether it is written although its content is there already.
    pub allow_duplicate: bool,
}

/// What becomes of the children of a bullet that is deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Children {
    /// There must be none.
    #[default]
    Refuse,
    /// They are deleted too.
    Delete,
    /// They move up a level.
    Keep,
}

impl Items {
    /// How many bullets one edit may name.
    const MOST: usize = 500;

    /// Creates the request for these edits.
    pub fn new(edits: impl IntoIterator<Item = ItemEdit>) -> Self {
        Self { edits: edits.into_iter().collect() }
    }

    /// Creates the request that does the same to each of these bullets.
    pub fn annotating(annotation: Annotation, targets: impl IntoIterator<Item = Selector>) -> Self {
        Self::new(targets.into_iter().map(|target| ItemEdit::new(target, ItemOp::Annotate(annotation.clone()))))
    }
}

impl ItemEdit {
    /// Creates an edit that says nothing of what was seen.
    pub fn new(target: Selector, op: ItemOp) -> Self {
        Self { target, count: None, evidence: Evidence::default(), op }
    }

    /// Adds what was seen.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Evidence) -> Self {
        self.evidence = evidence;
        self
    }
}

impl Evidence {
    fn is_none(&self) -> bool {
        let is_blank = self.expect.as_deref().is_none_or(|expect| expect.trim().is_empty());
        is_blank && self.before.is_none() && self.after.is_none()
    }
}

impl NewItem {
    /// Creates a bullet without tags of its own.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds tags.
    #[must_use]
    pub fn with_tags<T: Into<Content>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags.extend(tags.into_iter().map(Into::into));
        self
    }
}

/// Where a bullet goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Destination {
    /// The section, by title or path. Default: that of the target.
    pub section: Option<Content>,
    /// The block, by ID. Default: that of the target.
    pub block: Option<Content>,
    /// The place in it. Default: behind all others; what is there already may stay where it is.
    pub place: Option<ItemPlace>,
}

/// A place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemPlace {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// The place that has this index afterwards, if nothing else changes.
    Index(i64),
    /// Before this bullet, as its sibling.
    Before(Box<Selector>),
    /// Behind this bullet, as its sibling.
    After(Box<Selector>),
    /// Below this bullet, as the last of its children.
    Under(Box<Selector>),
}

impl Destination {
    /// Goes to a place of the target's list.
    pub fn at(place: ItemPlace) -> Self {
        Self { place: Some(place), ..Self::default() }
    }

    /// Returns true if it names a section or block.
    const fn names_list(&self) -> bool {
        self.section.is_some() || self.block.is_some()
    }

    /// Reports whether it names the bullet beside or below which the other goes.
    const fn is_by_bullet(&self) -> bool {
        matches!(self.place, Some(ItemPlace::Before(_) | ItemPlace::After(_) | ItemPlace::Under(_)))
    }
}

impl Request for Items {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        plan::plan(self, view)
    }
}
