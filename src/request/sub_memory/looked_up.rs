//! [`LookedUp`]: what the operations of a request have looked up in blocks.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::document::{BlockRef, BulletRef};
use crate::locate::{BulletTest, Counting, Names, Scope, bullets_by_tests, listed, with_content};

/// The bullets of a block.
#[derive(Debug)]
pub(super) struct Lists<'a> {
    /// Those that an index counts.
    pub(super) counted: Vec<BulletRef<'a>>,
    /// Nested ones too.
    pub(super) all: Vec<BulletRef<'a>>,
}

impl<'a> Lists<'a> {
    fn of(block: BlockRef<'a>) -> Self {
        let [counted, all] =
            [Counting::TopLevel, Counting::Nested].map(|counting| listed(block.doc(), Scope::Block(block), counting));
        Self { counted, all }
    }
}

/// What has been looked up in blocks, of the document and of the text last shown: the same is asked for by many operations.
#[derive(Debug, Default)]
pub(super) struct LookedUp<'a> {
    lists: RefCell<HashMap<BlockRef<'a>, Rc<Lists<'a>>>>,
    by_text: RefCell<HashMap<(BlockRef<'a>, String), Bullets<'a>>>,
    by_content: RefCell<HashMap<(BlockRef<'a>, String), Bullets<'a>>>,
}

/// Bullets of one document, in its order.
type Bullets<'a> = Rc<[BulletRef<'a>]>;

impl<'a> LookedUp<'a> {
    pub(super) fn lists(&self, block: BlockRef<'a>) -> Rc<Lists<'a>> {
        self.lists.borrow_mut().entry(block).or_insert_with(|| Rc::new(Lists::of(block))).clone()
    }

    /// Returns the bullets of a block that say a text.
    pub(super) fn saying(&self, names: &Names<'a>, block: BlockRef<'a>, text: &str) -> Bullets<'a> {
        let found = || bullets_by_tests(names, &self.lists(block).all, &[BulletTest::Equals(text.into())]).at.into();
        self.by_text.borrow_mut().entry((block, text.to_owned())).or_insert_with(found).clone()
    }

    /// Returns the bullets of a block that have a content, folded.
    pub(super) fn with_content(&self, block: BlockRef<'a>, content: &str) -> Bullets<'a> {
        let found = || with_content(&self.lists(block).all, content).into();
        self.by_content.borrow_mut().entry((block, content.to_owned())).or_insert_with(found).clone()
    }
}
