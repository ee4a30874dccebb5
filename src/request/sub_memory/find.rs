//! Which bullet an operation means: its text names it, and its index picks one of several equal ones.
//!
//! The index counts the block as the editor saw it last. Where the block has changed since, by the editor's own edits too, it
//! says nothing; and a text that was there several times then, sent with an index, names none.

use super::super::{Argument, Enough, Known, Refusal, View};
use super::{SubMemoryIntent, SubMemoryOp};
use crate::document::{BlockRef, BulletRef, MemoryDoc, NodeRef, SubMemoryIndex};
use crate::edit::{Warning, named_lines};
use crate::locate::{
    BulletTest, Diagnostic, Fix, Found, LocateError, Names, Scope, Target, at_index, bullet_by_tests, bullets_by_tests,
    index_of, listed, stands_there,
};
use crate::text::excerpt;

/// The bullets of one block.
pub(super) struct BlockBullets<'s, 'a> {
    names: &'s Names<'a>,
    view: &'s View<'a>,
    block: BlockRef<'a>,
    /// Those that an index counts; `None` if the block is not as the editor saw it, or was not shown as a whole.
    counted: Option<Vec<BulletRef<'a>>>,
    all: Vec<BulletRef<'a>>,
}

impl<'s, 'a> BlockBullets<'s, 'a> {
    pub(super) fn new(names: &'s Names<'a>, view: &'s View<'a>, block: BlockRef<'a>) -> Self {
        let is_as_seen = view.known.is_none_or(|known| has_seen(known, view.doc, block));
        let counted = is_as_seen.then(|| listed(view.doc, Scope::Block(block)));
        Self { names, view, block, counted, all: block.bullets().collect() }
    }

    /// Returns the bullets that have a text already which an update writes, if none has the one that it replaces.
    pub(super) fn having(&self, new: &str, old: &str) -> Vec<BulletRef<'a>> {
        let having = |text: &str| bullets_by_tests(self.names, &self.all, &[BulletTest::Equals(text.into())]).at;
        if having(old).is_empty() { having(new) } else { Vec::new() }
    }

    /// Finds the bullet that an operation means, and what its editor should know.
    pub(super) fn find(&self, op: &SubMemoryOp) -> Result<(Found<BulletRef<'a>>, Option<Warning>), Refusal> {
        let Some(text) = op.text.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Err(Self::no_text(op));
        };
        let test = BulletTest::Equals(text.into());
        let Some((index, counted)) = op.index.zip(self.counted.as_ref()) else {
            let found = self.by_text(&test, None)?;
            let Some(index) = op.index.filter(|_| self.was_repeated(&test)) else { return Ok((found, None)) };
            let what = Target::Bullet(format!("equals `{text}` and stood at index {index}").into());
            return Err(LocateError::not_found(what, Diagnostic::default()).into());
        };
        let named = bullets_by_tests(self.names, &self.all, std::slice::from_ref(&test)).at;
        let at = at_index(self.view.doc, counted, index).ok();
        if let Some(bullet) = at.filter(|at| named.contains(at)) {
            return Ok((bullet_by_tests(self.names, &[bullet], &[test], self.target(text))?, None));
        }
        let (bullet, followed) = match at.filter(|_| self.index_counts()) {
            Some(bullet) => {
                let text = excerpt(&bullet.wording(), 80);
                (Found::exactly(bullet), format!("the index was followed: `{text}` stood there"))
            }
            None => (self.by_text(&test, at)?, "the text was followed".to_owned()),
        };
        let lines: Vec<usize> = named.into_iter().map(NodeRef::line_number).collect();
        let on = format!("on {}", named_lines(&lines));
        let place = if lines.is_empty() { "nowhere in the block" } else { &on };
        let message = format!("the text does not stand at index {index} but {place}; {followed}");
        Ok((bullet, Some(Warning::new("index_text_mismatch", message).about(lines))))
    }

    /// Returns true if several bullets of the block had a text when the editor saw it last.
    fn was_repeated(&self, test: &BulletTest) -> bool {
        let Some(shown) = self.view.known.map(Known::shown) else { return false };
        let mut blocks = shown.blocks().filter(|block| block.id() == self.block.id());
        let all: Vec<_> = blocks.next().into_iter().flat_map(BlockRef::bullets).collect();
        bullets_by_tests(&Names::new(shown), &all, std::slice::from_ref(test)).at.len() > 1
    }

    /// Returns true if the index counts where text and index disagree.
    fn index_counts(&self) -> bool {
        self.view.doc.policy().sub_memory_index == SubMemoryIndex::Index && !self.view.is_stale()
    }

    /// Finds the one bullet that has the text; the help shows what stands at the index.
    fn by_text(&self, test: &BulletTest, at: Option<BulletRef<'a>>) -> Result<Found<BulletRef<'a>>, LocateError> {
        let text = test.text().unwrap_or_default();
        let mut found = bullet_by_tests(self.names, &self.all, std::slice::from_ref(test), self.target(text));
        match &mut found {
            // The index, not the key, tells bullets of one text apart.
            Err(LocateError::Ambiguous { matches, .. }) => matches.offer(|nth, matches| {
                let span = matches.spans().get(nth)?;
                let place = self.counted.as_ref()?.iter().position(|bullet| bullet.line == *span)?;
                Some(Fix::UseIndex(index_of(self.view.doc, place)))
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

/// Returns true if a block of a document reads as its editor saw it last, as a whole.
fn has_seen(known: &Known, doc: &MemoryDoc, block: BlockRef<'_>) -> bool {
    let mut shown = known.shown().blocks().filter(|shown| shown.id() == block.id());
    let is_alike = |shown: BlockRef<'_>| shown.extent.of(known.shown().text()) == block.extent.of(doc.text());
    shown.next().is_some_and(is_alike) && !(known.believed() == doc && known.has_unseen(block.extent))
}
