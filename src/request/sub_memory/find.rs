//! Which bullet an operation means: its text names it, and its index picks one of several equal ones.
//!
//! The index counts the block as the editor saw it last. Where the text was there several times and the one at the index is
//! gone, nothing else is meant.

use super::super::{Argument, Enough, Refusal, View};
use super::{SubMemoryIntent, SubMemoryOp};
use crate::document::{BlockRef, BulletRef, MemoryDoc, SubMemoryIndex};
use crate::edit::{Edit, Followed, OffsetMap, Warning};
use crate::locate::{
    BulletTest, Counting, Diagnostic, Fix, Found, LocateError, Names, Scope, Target, at_index, bullet_by_tests,
    bullets_by_tests, index_of, listed, stands_there,
};

/// The bullet that an operation changes, and what its editor should know.
pub(super) struct Meant<'a> {
    pub(super) bullet: Found<BulletRef<'a>>,
    pub(super) warning: Option<Warning>,
}

/// The text that the editor saw last.
pub(super) struct SeenText<'a> {
    names: Names<'a>,
    believed: &'a MemoryDoc,
    /// What leads from it to the document.
    since: Edit,
}

impl<'a> SeenText<'a> {
    /// Returns it where it is another than the document.
    pub(super) fn of(view: &View<'a>) -> Option<Self> {
        let known = view.known.filter(|known| known.shown().revision() != view.doc.revision())?;
        let since = Edit::between(known.shown(), view.doc);
        Some(Self { names: Names::new(known.shown()), believed: known.believed(), since })
    }

    fn block(&self, id: &str) -> Option<BlockRef<'a>> {
        self.names.without_help(|| self.names.block(id, self.names.doc().span())).ok().map(|found| found.at)
    }
}

/// One block, in the document and as it was seen.
pub(super) struct Sides<'s, 'a> {
    names: &'s Names<'a>,
    view: &'s View<'a>,
    seen: Option<&'s SeenText<'a>>,
    block: BlockRef<'a>,
    /// Its bullets that an index counts, then all.
    counted: Vec<BulletRef<'a>>,
    all: Vec<BulletRef<'a>>,
    seen_block: Option<BlockRef<'a>>,
}

impl<'s, 'a> Sides<'s, 'a> {
    pub(super) fn new(
        names: &'s Names<'a>,
        view: &'s View<'a>,
        seen: Option<&'s SeenText<'a>>,
        block: BlockRef<'a>,
    ) -> Self {
        let [counted, all] =
            [Counting::TopLevel, Counting::Nested].map(|counting| listed(view.doc, Scope::Block(block), counting));
        Self { names, view, seen, block, counted, all, seen_block: seen.and_then(|seen| seen.block(block.id())) }
    }

    /// Returns the bullets that have a text already which an update writes, if none has the one that it replaces.
    pub(super) fn having(&self, new: &str, old: &str) -> Vec<BulletRef<'a>> {
        let having = |text: &str| bullets_by_tests(self.names, &self.all, &[BulletTest::Equals(text.into())]).at;
        if having(old).is_empty() { having(new) } else { Vec::new() }
    }

    /// Finds the bullet that an operation means.
    pub(super) fn find(&self, op: &SubMemoryOp) -> Result<Meant<'a>, Refusal> {
        let Some(text) = op.text.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Err(Self::no_text(op));
        };
        let test = BulletTest::Equals(text.into());
        let named = bullets_by_tests(self.names, &self.all, std::slice::from_ref(&test)).at;
        // In a block that was not shown as a whole an index says nothing.
        let Some(index) = op.index.filter(|_| !self.has_unseen()) else {
            return Ok(Meant { bullet: self.by_text(&test, None)?, warning: None });
        };
        let (indexed, was) = (self.indexed(index), self.seen_named(&test));
        let at = indexed.as_ref().and_then(|indexed| indexed.now);
        let is_said = indexed.as_ref().is_some_and(|indexed| indexed.is_one_of(&named, &was));
        let lines = || named.iter().map(|bullet| bullet.line_number()).collect();
        let mismatch = |followed| Warning::IndexTextMismatch { index, lines: lines(), followed };
        if let Some(bullet) = at.filter(|_| !is_said && self.index_counts()) {
            let followed = Followed::Index(bullet.wording().into());
            return Ok(Meant { bullet: Found::exactly(bullet), warning: Some(mismatch(followed)) });
        }
        let bullet = match at.filter(|at| is_said && named.contains(at)) {
            Some(bullet) => bullet_by_tests(self.names, &[bullet], &[test], self.target(text))?,
            // It was one of several, and is gone.
            None if is_said && was.len() > 1 => return Err(self.gone(text, index).into()),
            None => self.by_text(&test, at)?,
        };
        Ok(Meant { bullet, warning: (!is_said).then(|| mismatch(Followed::Text)) })
    }

    fn has_unseen(&self) -> bool {
        let known = self.view.known.filter(|known| known.believed() == self.view.doc);
        known.is_some_and(|known| known.has_unseen(self.block.extent))
    }

    /// Returns true if the index counts where text and index disagree.
    fn index_counts(&self) -> bool {
        let policy = self.view.doc.policy().sub_memory_index;
        let block_of = |doc: &'a MemoryDoc| {
            let block = doc.blocks().find(|block| block.id() == self.block.id())?;
            Some(block.extent.of(doc.text()))
        };
        let believed = self.seen.map_or(self.view.doc, |seen| seen.believed);
        policy == SubMemoryIndex::Index && !self.view.is_stale() && block_of(believed) == block_of(self.view.doc)
    }

    /// Returns what stood at an index of the block as it was seen, else what stands there.
    fn indexed(&self, index: i64) -> Option<Indexed<'a>> {
        let doc = self.view.doc;
        let present = || at_index(doc, &self.counted, index).map(|now| Indexed { seen: now, now: Some(now) });
        let Some((seen, block)) = self.seen.zip(self.seen_block) else { return present() };
        let list = listed(seen.names.doc(), Scope::Block(block), Counting::TopLevel);
        let Some(bullet) = at_index(doc, &list, index) else { return present() };
        let start = OffsetMap::of(&seen.since).survivor(bullet.line.start());
        let now = start.and_then(|start| self.all.iter().find(|now| now.line.start() == start).copied());
        Some(Indexed { seen: bullet, now })
    }

    /// Returns the bullets of the block as it was seen that have a text.
    fn seen_named(&self, test: &BulletTest) -> Vec<BulletRef<'a>> {
        let Some((seen, block)) = self.seen.zip(self.seen_block) else { return Vec::new() };
        let list = listed(seen.names.doc(), Scope::Block(block), Counting::Nested);
        bullets_by_tests(&seen.names, &list, std::slice::from_ref(test)).at
    }

    /// Finds the one bullet that has the text; the help shows what stands at the index.
    fn by_text(&self, test: &BulletTest, at: Option<BulletRef<'a>>) -> Result<Found<BulletRef<'a>>, LocateError> {
        let text = test.text().unwrap_or_default();
        let mut found = bullet_by_tests(self.names, &self.all, std::slice::from_ref(test), self.target(text));
        match &mut found {
            // The index, not the key, tells bullets of one text apart.
            Err(LocateError::Ambiguous { matches, .. }) => matches.offer(|nth, matches| {
                let span = matches.spans().get(nth)?;
                let place = self.counted.iter().position(|bullet| bullet.line == *span)?;
                self.seen.is_none().then(|| Fix::UseIndex(index_of(self.view.doc, place)))
            }),
            Err(LocateError::NotFound { help, .. }) if self.names.may_help() => {
                **help = match (self.outside(test), at) {
                    (Some(help), _) => help,
                    (None, Some(at)) => return Err(stands_there(at, text, self.target(text))),
                    (None, None) => std::mem::take(help),
                };
            }
            _ => {}
        }
        found
    }

    /// Tells where a text stands outside of the block.
    fn outside(&self, test: &BulletTest) -> Option<Diagnostic> {
        let doc = self.view.doc;
        let everywhere: Vec<_> = doc.bullets().collect();
        let found = bullets_by_tests(self.names, &everywhere, std::slice::from_ref(test)).at;
        let [only] = found.as_slice() else { return None };
        let block = only.block().map(|block| Fix::NameBlock(block.id().into()));
        Some(Diagnostic::elsewhere(doc, only.line.start(), |_| block))
    }

    /// The error for a text that was there several times, and no more at its index.
    fn gone(&self, text: &str, index: i64) -> LocateError {
        let what = Target::Bullet(format!("equals `{text}` and stood at index {index}").into());
        LocateError::not_found(what, Diagnostic::default())
    }

    fn target(&self, text: &str) -> Target {
        Target::Bullet(BulletTest::Equals(text.into()).to_string().into())
    }

    fn no_text(op: &SubMemoryOp) -> Refusal {
        let argument = match op.intent {
            SubMemoryIntent::Update { .. } => Argument::OldBlockText,
            _ => Argument::BlockText,
        };
        match op.index {
            Some(_) => Refusal::ContextTooThin { enough: Enough::TextBesideIndex(argument) },
            None => Refusal::invalid(argument, "the text of the bullet as it stands", "nothing"),
        }
    }
}

/// A bullet that an index counts.
struct Indexed<'a> {
    /// In the text that was seen.
    seen: BulletRef<'a>,
    /// In the document, if it is still there.
    now: Option<BulletRef<'a>>,
}

impl<'a> Indexed<'a> {
    /// Returns true if it has the text that these bullets have, now or when it was seen.
    fn is_one_of(&self, named: &[BulletRef<'a>], was: &[BulletRef<'a>]) -> bool {
        was.contains(&self.seen) || self.now.is_some_and(|now| named.contains(&now))
    }
}
