//! Selectors: one bullet by its list, its place in it, its key, its tags and what it says.

use super::target::Target;
use super::test::BulletTest;
use crate::text::Content;

/// What is said of one bullet; all that is given must hold.
///
/// # Examples
///
/// ```
/// use memdoc::locate::Selector;
///
/// let selector = Selector::in_section("Facts").containing("Denver");
/// assert_eq!(selector.section.as_deref(), Some("Facts"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Selector {
    /// It stands in this section, by title or path.
    pub section: Option<Content>,
    /// It stands in this block, by ID.
    pub block: Option<Content>,
    /// It has this index in its list, counted from the policy's index base.
    pub index: Option<i64>,
    /// All of this is so of the bullet itself.
    pub says: Vec<BulletTest>,
}

impl From<&str> for Selector {
    /// Selects by a text that the content contains.
    fn from(text: &str) -> Self {
        Self::default().containing(text)
    }
}

impl Selector {
    /// Selects in a section, by title or path.
    pub fn in_section(name: impl Into<Content>) -> Self {
        Self { section: Some(name.into()), ..Self::default() }
    }

    /// Selects by key.
    pub fn by_key(key: impl Into<Content>) -> Self {
        Self::default().saying(BulletTest::Key(key.into()))
    }

    /// Adds a text that the content contains.
    #[must_use]
    pub fn containing(self, text: impl Into<Content>) -> Self {
        self.saying(BulletTest::Contains(text.into()))
    }

    /// Adds what is so of the bullet itself.
    #[must_use]
    pub fn saying(mut self, test: BulletTest) -> Self {
        self.says.push(test);
        self
    }

    /// Returns the key that it names.
    pub(crate) fn key(&self) -> Option<&str> {
        self.says.iter().find_map(|test| if let BulletTest::Key(key) = test { Some(key.as_str()) } else { None })
    }

    /// Reports whether it says nothing but where to look.
    pub(crate) fn names_no_bullet(&self) -> bool {
        self.index.is_none() && self.says.is_empty()
    }

    /// Reports whether it names no section and no block.
    pub(crate) fn names_no_list(&self) -> bool {
        self.section.is_none() && self.block.is_none()
    }

    /// Returns what is sought, in words.
    pub(crate) fn target(&self) -> Target {
        let mut said: Vec<String> = self.says.iter().map(ToString::to_string).collect();
        said.extend(self.index.map(|index| format!("has index {index}")));
        if said.is_empty() {
            said.extend(self.section.as_ref().map(|name| format!("stands in section `{name}`")));
            said.extend(self.block.as_ref().map(|id| format!("stands in block `{id}`")));
        }
        Target::Bullet(if said.is_empty() { "stands anywhere".into() } else { said.join(" and ").into() })
    }
}
