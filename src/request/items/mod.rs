//! `edit_items`, and the tools that pin bullets and let them expire: bullets are inserted, updated, deleted, moved and
//! tagged.
//!
//! All edits of a request are located in the document as it was seen, and made together. What is not obvious:
//!
//! - Two edits may change the same bullet if they change different things: text, tags, checkbox, pin, TTL or place.
//! - An update with tags, in its text or beside it, replaces the bullet's tags. Pin and TTL stay.
//! - `untag` of a tag that is not there is `no_change`. An attribute may be named without its value: `ttl` for `ttl: 7d`.
//! - A new bullet counts as there already if a bullet of its list with the same parent, or an earlier insertion of
//!   the request, has the same content, checkbox and tags (pin and TTL aside). A bullet that the request removes or
//!   changes does not count.
//! - A bullet that moves to another list gets the marker and indentation of that list. Inside its list it keeps its marker.
//! - The first child of a bullet is indented by two columns, or by the width of a longer marker. It gets the parent's
//!   marker; below a number, `-`.
//! - If the numbers of a list do not count exactly 0 or 1, 2, 3 …, they are part of the text: they stay with their bullets,
//!   and a new bullet must bring its number.
//! - A `since` without a TTL is no start of a lifetime: it stays when an end is set. A TTL of 0 is refused. Setting the
//!   same TTL again starts it anew; on the same day, or in the same second for units below a day, nothing changes. An end
//!   in the past is written, with a warning.

mod find;
mod plan;

use crate::document::Expiry;
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
    /// The number of bullets that the target must name, if the operation is for all of them; `None` for one bullet.
    pub count: Option<usize>,
    /// What the editor saw at the bullet.
    pub evidence: Evidence,
    /// The operation.
    pub op: ItemOp,
}

/// What the editor saw at the bullet: it is checked before the edit. Each text is the content of a bullet or its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The bullet's own text.
    pub expect: Option<Content>,
    /// The text of the sibling before it; empty if it is the first.
    pub before: Option<Content>,
    /// The text of the sibling behind it; empty if it is the last.
    pub after: Option<Content>,
}

/// An operation on a bullet.
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
        /// Whether its children are deleted too.
        children: Children,
    },
    /// It is moved, with its children.
    Reorder {
        /// Where.
        to: Destination,
    },
    /// Its content is replaced. If there is no such bullet, a new one is written.
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
    /// It is checked, unchecked, pinned or unpinned, or its time to live is set or cleared.
    Annotate(Annotation),
}

/// A change of the checkbox, the pin or the time to live of a bullet.
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
    /// The content. A marker before it is dropped. A checkbox and tags before it become those of the bullet.
    pub text: Content,
    /// More tags.
    pub tags: Vec<Content>,
    /// Whether a new bullet is written even if its list has a duplicate.
    pub allow_duplicate: bool,
}

/// What happens to the children of a deleted bullet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Children {
    /// The deletion is refused if there are any.
    #[default]
    Refuse,
    /// They are deleted too.
    Delete,
    /// They move up a level.
    Keep,
}

impl Items {
    /// The most bullets that one edit may name.
    const MOST: usize = 500;

    /// Creates the request for these edits.
    pub fn new(edits: impl IntoIterator<Item = ItemEdit>) -> Self {
        Self { edits: edits.into_iter().collect() }
    }

    /// Creates the request that makes the same annotation at each of these bullets.
    pub fn annotating(annotation: Annotation, targets: impl IntoIterator<Item = Selector>) -> Self {
        Self::new(targets.into_iter().map(|target| ItemEdit::new(target, ItemOp::Annotate(annotation.clone()))))
    }
}

impl ItemEdit {
    /// Creates an edit without evidence.
    pub fn new(target: Selector, op: ItemOp) -> Self {
        Self { target, count: None, evidence: Evidence::default(), op }
    }
}

impl Evidence {
    fn is_none(&self) -> bool {
        let is_blank = self.expect.as_deref().is_none_or(|expect| expect.trim().is_empty());
        is_blank && self.before.is_none() && self.after.is_none()
    }
}

impl NewItem {
    /// Creates a bullet with no other tags than those in `text`.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), ..Self::default() }
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
    /// The place in that list. Default: behind all others; a duplicate that is already in the list may stay where it is.
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
    /// The bullet gets this index, if nothing else in the list changes.
    Index(i64),
    /// Before this bullet, as its sibling.
    Before(Box<Selector>),
    /// Behind this bullet, as its sibling.
    After(Box<Selector>),
    /// Below this bullet, as the last of its children.
    Under(Box<Selector>),
}

impl Destination {
    /// Creates the destination at a place of the target's list.
    pub fn at(place: ItemPlace) -> Self {
        Self { place: Some(place), ..Self::default() }
    }

    /// Returns true if it names a section or block.
    const fn names_list(&self) -> bool {
        self.section.is_some() || self.block.is_some()
    }

    /// Returns true if the place is beside or below a named bullet.
    const fn is_by_bullet(&self) -> bool {
        matches!(self.place, Some(ItemPlace::Before(_) | ItemPlace::After(_) | ItemPlace::Under(_)))
    }
}
