//! [`Selector`]: names one bullet by its list, its index, its key, its tags or its text; the search for it; and the
//! help if it is not found.

use super::bullet_test::{BulletTest, bullet_by_tests, bullet_elsewhere, bullets_by_tests, shown_bullet};
use super::diagnostic::{Diagnostic, Fix, LocateError, NodeKind, Target};
use super::matches::{Found, Matches};
use super::names::Names;
use super::scope::{Scope, at_index, index_of, indexed_bullets};
use crate::document::BulletRef;
use crate::text::Content;

/// The description of one bullet. The bullet must meet all conditions that are given.
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
    /// It is in this section, by title or path.
    pub section: Option<Content>,
    /// It is in this block, by ID.
    pub block: Option<Content>,
    /// It has this index in its list, counted from the policy's index base.
    pub index: Option<i64>,
    /// Tests of the bullet itself; it must pass all of them.
    pub says: Vec<BulletTest>,
}

impl Selector {
    /// Finds the section or block that the selector names; `within` if it names none.
    pub(crate) fn scope<'a>(&self, names: &Names<'a>, within: Scope<'a>) -> Result<Found<Scope<'a>>, LocateError> {
        let everywhere = names.doc().span();
        let mut scope = Found::exact(within);
        if let Some(name) = &self.section {
            scope = names.scope(NodeKind::Section, name, everywhere)?;
        }
        if let Some(id) = &self.block {
            let inside = if self.section.is_some() { scope.at.span(names.doc()) } else { everywhere };
            scope = names.scope(NodeKind::Block, id, inside)?.with_earlier(scope.healed);
        }
        Ok(scope)
    }

    /// Returns all bullets of the section or block that the selector names; of the document if it names none.
    pub(crate) fn bullets<'a>(&self, names: &Names<'a>) -> Result<Found<Vec<BulletRef<'a>>>, LocateError> {
        let doc = names.doc();
        Ok(self.scope(names, Scope::Document)?.map(|scope| doc.bullets_within(scope.span(doc)).collect()))
    }

    /// Finds the one bullet that the selector describes. If it names no section or block, the search is limited to
    /// `within`.
    pub(crate) fn find<'a>(&self, names: &Names<'a>, within: Scope<'a>) -> Result<Found<BulletRef<'a>>, LocateError> {
        let doc = names.doc();
        let Found { at: scope, healed } = self.scope(names, within)?;
        let bullets: Vec<_> = match self.index {
            Some(index) => vec![at_index(doc, &indexed_bullets(doc, scope), index)?],
            None => doc.bullets_within(scope.span(doc)).collect(),
        };
        let mut found = bullet_by_tests(names, &bullets, &self.says, self.target());
        if let Err(LocateError::NotFound { help, .. }) = &mut found
            && names.helps.get()
        {
            self.add_help(help, names, scope, &bullets);
        }
        Ok(found?.with_earlier(healed))
    }

    /// Adds help if none of `bullets` passed the tests. With an index, `bullets` is the bullet at this index: the help
    /// shows it, and the index of the bullet that passes. Otherwise the help says where in the document the one bullet
    /// is that passes.
    fn add_help<'a>(&self, help: &mut Diagnostic, names: &Names<'a>, scope: Scope<'a>, bullets: &[BulletRef<'a>]) {
        if let (Some(_), [at]) = (self.index, bullets) {
            let list = indexed_bullets(names.doc(), scope);
            let sought = self.says.iter().find_map(BulletTest::text).unwrap_or_default();
            help.closest = vec![shown_bullet(*at, sought)];
            if let [only] = bullets_by_tests(names, &list, &self.says).at.as_slice() {
                let place = list.iter().position(|other| other == only);
                help.fix = place.map(|place| Fix::UseIndex(index_of(names.doc(), place)));
            }
        } else if scope != Scope::Document
            && let Some(there) = bullet_elsewhere(names, &self.says)
        {
            help.reasons = there.reasons;
        }
    }

    /// Finds all bullets that the selector describes.
    ///
    /// # Errors
    ///
    /// The section or block was not found exactly once, or the index names no bullet.
    pub(crate) fn find_all<'a>(&self, names: &Names<'a>) -> Result<Found<Vec<BulletRef<'a>>>, LocateError> {
        if self.index.is_some() {
            return Ok(self.find(names, Scope::Document)?.map(|bullet| vec![bullet]));
        }
        let bullets = self.bullets(names)?;
        Ok(bullets_by_tests(names, &bullets.at, &self.says).with_earlier(bullets.healed))
    }

    /// Returns the error that lists the bullets that have the texts in another letter case or inside words; `None` if
    /// there are none.
    pub(crate) fn likeness<'a>(&self, names: &Names<'a>) -> Option<LocateError> {
        let bullets = self.bullets(names).ok()?.at;
        let texts: Vec<_> = self.says.iter().filter(|test| test.text().is_some()).collect();
        let is_like = |bullet: &BulletRef<'_>| {
            let text = names.bullet_text(*bullet).filter(|_| !texts.is_empty());
            text.is_some_and(|text| texts.iter().all(|test| text.is_like(test)))
        };
        let spans: Vec<_> = bullets.into_iter().filter(is_like).map(|bullet| bullet.line).collect();
        let matches = Box::new(Matches::new(names.doc(), spans));
        (!matches.is_empty()).then(|| LocateError::Ambiguous { what: self.target(), matches })
    }

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

    /// Adds a test of the bullet itself.
    #[must_use]
    pub fn saying(mut self, test: BulletTest) -> Self {
        self.says.push(test);
        self
    }

    /// Returns the key, if the selector has one.
    pub(crate) fn key(&self) -> Option<&str> {
        self.says.iter().find_map(|test| if let BulletTest::Key(key) = test { Some(key.as_str()) } else { None })
    }

    /// Reports whether the selector describes no bullet: it names a section or block at most.
    pub(crate) fn names_no_bullet(&self) -> bool {
        self.index.is_none() && self.says.is_empty()
    }

    /// Reports whether the selector names no section and no block.
    pub(crate) fn names_no_list(&self) -> bool {
        self.section.is_none() && self.block.is_none()
    }

    /// Returns a description of the bullet in words, for messages.
    pub(crate) fn target(&self) -> Target {
        let mut conditions: Vec<String> = self.says.iter().map(ToString::to_string).collect();
        conditions.extend(self.index.map(|index| format!("has index {index}")));
        if conditions.is_empty() {
            conditions.extend(self.section.as_ref().map(|name| format!("stands in section `{name}`")));
            conditions.extend(self.block.as_ref().map(|id| format!("stands in block `{id}`")));
        }
        Target::Bullet(if conditions.is_empty() { "stands anywhere".into() } else { conditions.join(" and ").into() })
    }
}

impl From<&str> for Selector {
    /// Selects by a text that the content contains.
    fn from(text: &str) -> Self {
        Self::default().containing(text)
    }
}
