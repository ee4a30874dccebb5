//! Which bullet an operation means: its text names it, and its index picks one of several equal ones.
//!
//! The index counts the block as the editor saw it last. Where the text was there several times and the one at the index is
//! gone, nothing else is meant.

use super::super::{Argument, Enough, Known, Refusal, View};
use super::{SubMemoryIntent, SubMemoryOp};
use crate::document::{BlockRef, BulletRef, NodeRef, SubMemoryIndex};
use crate::edit::{Edit, OffsetMap, Warning, named_lines};
use crate::locate::{
    BulletTest, Diagnostic, Fix, Found, LocateError, Names, Scope, Target, at_index, bullet_by_tests, bullets_by_tests,
    index_of, listed, stands_there,
};
use crate::text::excerpt;

/// The text that the editor saw last, where that is another than the document, and what leads from it there.
pub(super) struct SeenText<'a> {
    names: Names<'a>,
    since: Edit,
}

impl<'a> SeenText<'a> {
    pub(super) fn of(view: &View<'a>) -> Option<Self> {
        let shown = view.known.map(Known::shown).filter(|shown| shown.revision() != view.doc.revision())?;
        Some(Self { names: Names::new(shown), since: Edit::between(shown, view.doc) })
    }
}

/// One block, in the document and as it was seen.
pub(super) struct BlockSides<'s, 'a> {
    names: &'s Names<'a>,
    view: &'s View<'a>,
    seen: Option<&'s SeenText<'a>>,
    block: BlockRef<'a>,
    /// Its bullets that an index counts, then all.
    counted: Vec<BulletRef<'a>>,
    all: Vec<BulletRef<'a>>,
}

impl<'s, 'a> BlockSides<'s, 'a> {
    pub(super) fn new(
        names: &'s Names<'a>,
        view: &'s View<'a>,
        seen: Option<&'s SeenText<'a>>,
        block: BlockRef<'a>,
    ) -> Self {
        let (counted, all) = (listed(view.doc, Scope::Block(block)), block.bullets().collect());
        Self { names, view, seen, block, counted, all }
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
        // In a block that was not shown as a whole an index says nothing.
        let Some(index) = op.index.filter(|_| !self.has_unseen()) else {
            return Ok((self.by_text(&test, None)?, None));
        };
        let named = bullets_by_tests(self.names, &self.all, std::slice::from_ref(&test)).at;
        let (at, is_said) = self.at_index(index, &test)?;
        if let Some(bullet) = at.filter(|at| named.contains(at)) {
            return Ok((bullet_by_tests(self.names, &[bullet], &[test], self.target(text))?, None));
        }
        let (bullet, followed) = match at.filter(|_| !is_said && self.index_counts()) {
            Some(bullet) => {
                let text = excerpt(&bullet.wording(), 80);
                (Found::exactly(bullet), format!("the index was followed: `{text}` stood there"))
            }
            None => (self.by_text(&test, at)?, "the text was followed".to_owned()),
        };
        let lines: Vec<usize> = named.into_iter().map(NodeRef::line_number).collect();
        let warning = || {
            let on = format!("on {}", named_lines(&lines));
            let place = if lines.is_empty() { "nowhere in the block" } else { &on };
            let message = format!("the text does not stand at index {index} but {place}; {followed}");
            Warning::new("index_text_mismatch", message).about(lines)
        };
        Ok((bullet, (!is_said).then(warning)))
    }

    fn has_unseen(&self) -> bool {
        let known = self.view.known.filter(|known| known.believed() == self.view.doc);
        known.is_some_and(|known| known.has_unseen(self.block.extent))
    }

    /// Returns true if the index counts where text and index disagree.
    fn index_counts(&self) -> bool {
        self.view.doc.policy().sub_memory_index == SubMemoryIndex::Index && !self.view.is_stale()
    }

    /// Returns what stood at an index of the block as it was seen, if it is still there, and whether it had the text then; where
    /// nothing stood there, what stands there now.
    ///
    /// # Errors
    ///
    /// It was one of several that had the text, and is gone.
    fn at_index(&self, index: i64, test: &BulletTest) -> Result<(Option<BulletRef<'a>>, bool), Refusal> {
        let doc = self.view.doc;
        let was = || {
            let seen = self.seen?;
            let block = seen.names.doc().blocks().find(|block| block.id() == self.block.id())?;
            let list = listed(seen.names.doc(), Scope::Block(block));
            Some((seen, block, at_index(doc, &list, index).ok()?))
        };
        let Some((seen, block, was)) = was() else { return Ok((at_index(doc, &self.counted, index).ok(), false)) };
        let start = OffsetMap::of(&seen.since).survivor(was.line.start());
        let now = start.and_then(|start| self.all.iter().find(|now| now.line.start() == start).copied());
        let all: Vec<_> = block.bullets().collect();
        let named = bullets_by_tests(&seen.names, &all, std::slice::from_ref(test)).at;
        let is_said = named.contains(&was);
        if is_said && named.len() > 1 && now.is_none() {
            let text = test.text().unwrap_or_default();
            let what = Target::Bullet(format!("equals `{text}` and stood at index {index}").into());
            return Err(LocateError::not_found(what, Diagnostic::default()).into());
        }
        Ok((now, is_said))
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
