//! What the bullets of a text say, and whether another bullet is still said there: the same, contained in a longer one, or cited
//! by its key.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use memchr::memmem;

use crate::document::{BulletId, MemoryDoc};
use crate::text::fold_loosely;

/// How many bytes may be searched for bullets that are contained in others. What is left then counts as not said.
const SEARCHED: usize = 1 << 30;
/// How many bytes are searched in the time that it takes to look at a place where a content is found.
const LOOK: usize = 64;

/// The bullets of a document outside its reserved sections, ready to be asked for what they say.
#[derive(Debug)]
pub(super) struct Sayings<'a> {
    doc: &'a MemoryDoc,
    /// The contents, folded, a line each.
    joined: String,
    /// Where each bullet's line starts.
    starts: Vec<(usize, BulletId)>,
    exact: HashMap<String, BulletId>,
    /// The words that could be keys, each with the first bullet that has it.
    cited: HashMap<String, BulletId>,
    searched: Cell<usize>,
    /// What has been looked for already: of many bullets that say the same, one is searched for.
    contained: RefCell<HashMap<String, Option<BulletId>>>,
}

impl<'a> Sayings<'a> {
    pub(super) fn of(doc: &'a MemoryDoc) -> Self {
        let mut sayings = Self {
            doc,
            joined: String::new(),
            starts: Vec::new(),
            exact: HashMap::new(),
            cited: HashMap::new(),
            searched: Cell::new(0),
            contained: RefCell::default(),
        };
        for id in free_bullets(doc) {
            let content = fold_loosely(&doc.content(id));
            let wording = doc.wording(id).to_lowercase();
            let words = wording.split(|c: char| !c.is_ascii_alphanumeric() && c != '#').filter(|word| is_key(word));
            for word in words {
                sayings.cited.entry(word.to_owned()).or_insert(id);
            }
            sayings.starts.push((sayings.joined.len(), id));
            sayings.joined.push_str(&content);
            sayings.joined.push('\n');
            sayings.exact.entry(content).or_insert(id);
        }
        sayings
    }

    /// Returns a bullet that says what a bullet of `doc` says: the same, more, or that it cites its key.
    pub(super) fn saying(&self, doc: &MemoryDoc, id: BulletId) -> Option<BulletId> {
        let content = fold_loosely(&doc.content(id));
        let same = self.exact.get(&content).copied();
        same.or_else(|| self.citing(doc, id)).or_else(|| {
            let known = self.contained.borrow().get(&content).copied();
            known.unwrap_or_else(|| {
                let found = self.containing(&content);
                self.contained.borrow_mut().insert(content, found);
                found
            })
        })
    }

    fn citing(&self, doc: &MemoryDoc, id: BulletId) -> Option<BulletId> {
        let key = doc.key(id)?.to_string();
        let bare = key.split('#').next().unwrap_or_default();
        [key.as_str(), bare].into_iter().find_map(|key| self.cited.get(key).copied())
    }

    /// Finds `content` as whole words of a bullet. What closes a sentence may be gone: `Likes tea; has a cat` says `Likes tea.`.
    fn containing(&self, content: &str) -> Option<BulletId> {
        let content = content.trim_end_matches(['.', ',', ';', ':', '!']);
        if content.is_empty() {
            return None;
        }
        let mut found = memmem::find_iter(self.joined.as_bytes(), content.as_bytes());
        let at = loop {
            if self.searched.get() > SEARCHED {
                return None;
            }
            let at = found.next();
            self.searched.set(self.searched.get() + at.map_or(self.joined.len(), |_| content.len() + LOOK));
            let at = at?;
            if self.is_whole(at, content.len()) {
                break at;
            }
        };
        let line = self.starts.partition_point(|(start, _)| *start <= at).checked_sub(1)?;
        self.starts.get(line).map(|(_, id)| *id)
    }

    /// Reports whether no word goes on at either end.
    fn is_whole(&self, at: usize, length: usize) -> bool {
        let (before, rest) = self.joined.split_at_checked(at).unwrap_or_default();
        let (inner, after) = rest.split_at_checked(length).unwrap_or_default();
        let joins =
            |left: Option<char>, right: Option<char>| left.is_some_and(is_letter) && right.is_some_and(is_letter);
        !joins(before.chars().next_back(), inner.chars().next())
            && !joins(inner.chars().next_back(), after.chars().next())
    }

    /// Returns the document.
    pub(super) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }
}

/// Iterates over the bullets outside reserved sections.
pub(super) fn free_bullets(doc: &MemoryDoc) -> impl Iterator<Item = BulletId> + '_ {
    let reserved: HashSet<_> = doc
        .outline()
        .section_ids()
        .filter(|id| doc.outline().ancestors(*id).any(|ancestor| doc.reserved_name_of(ancestor).is_some()))
        .collect();
    let bullets = doc.outline().bullets_within(doc.span());
    bullets.filter(move |id| {
        let section = doc.outline().bullet(*id).and_then(|bullet| bullet.section);
        section.is_none_or(|section| !reserved.contains(&section))
    })
}

/// Reports whether a word may be the key of a bullet.
fn is_key(word: &str) -> bool {
    let digits = word.split('#').next().unwrap_or_default();
    matches!(digits.len(), 6 | 8)
}

/// Reports whether words of the character's script are set apart by spaces.
fn is_letter(c: char) -> bool {
    c.is_numeric() || c.is_lowercase() || c.is_uppercase()
}
