//! Which bullet an operation means: index and text are cross-checked, after it is asked whether what it
//! wants is there already.
//!
//! The index names the bullet that stood there in the text last shown; the editor's own later edits are carried over.

use std::rc::Rc;

use super::super::{Argument, Enough, Known, Refusal, View};
use super::looked_up::{Lists, LookedUp};
use super::{SubMemoryIntent, SubMemoryOp};
use crate::document::{BlockRef, BulletRef};
use crate::edit::compose::{BulletPlace, Item};
use crate::edit::{Followed, Warning};
use crate::locate::{
    BulletTest, Fix, Found, LocateError, Names, Rung, Target, at_index, bullet_by_tests, bullets_by_tests, index_of,
    is_reworded, unescape,
};
use crate::text::fold_white_space;

/// What an operation comes to.
pub(super) enum Resolved<'a> {
    /// It changes this bullet.
    Bullet { bullet: Found<BulletRef<'a>>, warning: Option<Warning> },
    /// What it wants is there.
    Already,
}

/// A bullet that the editor was shown.
struct ShownBullet<'a> {
    says_so: Option<Vec<Rung>>,
    /// Where it stands now, if its editor has not removed it and it can be told.
    now: Option<BulletRef<'a>>,
    /// Whether its editor has removed it.
    is_removed: bool,
}

pub(super) struct Resolver<'r, 'a> {
    pub(super) view: &'a View<'a>,
    pub(super) names: &'r Names<'a>,
    /// The text last shown.
    pub(super) shown: Option<&'r Shown<'a>>,
    pub(super) looked_up: &'r LookedUp<'a>,
}

/// The text last shown, with what the editor knows beside it.
pub(super) struct Shown<'a> {
    names: Names<'a>,
    known: &'a Known,
}

impl<'a> Shown<'a> {
    pub(super) fn new(known: &'a Known) -> Self {
        Self { names: Names::new(known.shown()), known }
    }
}

/// One block, in the document and as it was shown.
struct Sides<'s, 'a> {
    op: &'s SubMemoryOp,
    text: &'s str,
    block: BlockRef<'a>,
    now: Rc<Lists<'a>>,
    /// In the text last shown, where that is another.
    shown: Option<(&'s Shown<'a>, BlockRef<'a>)>,
}

impl<'r, 'a> Resolver<'r, 'a> {
    /// Finds the bullet that an operation means; `new` is what an update writes.
    pub(super) fn resolve(
        &self,
        block: BlockRef<'a>,
        op: &SubMemoryOp,
        new: Option<&Item>,
    ) -> Result<Resolved<'a>, Refusal> {
        let sides = self.sides(block, op)?;
        let now = self.looked_up.saying(self.names, block, sides.text);
        let shown = op.index.and_then(|index| self.shown_at(&sides, index));
        if self.is_done(&sides, shown.as_ref(), &now, new) {
            return Ok(Resolved::Already);
        }
        let (target, warning) = match op.index {
            None => (None, None),
            Some(index) => self.cross_check(&sides, index, shown.as_ref(), &now),
        };
        let bullet = target.map_or_else(|| self.by_text(&sides), Ok)?;
        Ok(Resolved::Bullet { bullet, warning })
    }

    fn sides<'s>(&self, block: BlockRef<'a>, op: &'s SubMemoryOp) -> Result<Sides<'s, 'a>, Refusal>
    where
        'r: 's,
    {
        let now = self.looked_up.lists(block);
        let Some(text) = op.text.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Err(self.no_text(op, &now.counted));
        };
        let shown = self
            .shown
            .and_then(|shown| Some((shown, shown.names.block(block.id(), shown.names.doc().span()).ok()?.at)));
        Ok(Sides { op, text, block, now, shown })
    }

    fn no_text(&self, op: &SubMemoryOp, list: &[BulletRef<'_>]) -> Refusal {
        let argument = match op.intent {
            SubMemoryIntent::Update { .. } => Argument::OldBlockText,
            _ => Argument::BlockText,
        };
        let Some(index) = op.index else {
            return Refusal::invalid(argument, "the text of the bullet as it stands", "nothing");
        };
        let bullet = at_index(self.view.doc, list, index);
        let fix = bullet.map(|bullet| Fix::ExpectText(bullet.folded_content().into_owned().into()));
        Refusal::ContextTooThin { enough: Enough::TextBesideIndex(argument), fix }
    }

    /// Finds the bullet that stood at `index` in the text last shown.
    fn shown_at(&self, sides: &Sides<'_, 'a>, index: i64) -> Option<ShownBullet<'a>> {
        let doc = self.view.doc;
        let Some((shown, block)) = sides.shown else {
            let bullet = at_index(doc, &sides.now.counted, index)?;
            let says_so = sides.says_so(self.names, bullet);
            return Some(ShownBullet { says_so, now: Some(bullet), is_removed: false });
        };
        let believed = shown.known.believed();
        let bullet = at_index(doc, &self.looked_up.lists(block).counted, index)?;
        let carried = shown
            .known
            .own()
            .survivor(bullet.line.start())
            .and_then(|start| believed.bullet_at(start).filter(|carried| carried.line.start() == start));
        let now = carried.and_then(|carried| match believed.revision() == doc.revision() {
            true => {
                let own = &sides.now.all;
                own.get(own.partition_point(|bullet| bullet.line.start() < carried.line.start()))
                    .copied()
                    .filter(|bullet| bullet.line.start() == carried.line.start())
            }
            // Others have changed the document.
            false => self.counterpart(carried, sides.block),
        });
        let says_so = sides.says_so(&shown.names, bullet);
        Some(ShownBullet { says_so, now, is_removed: carried.is_none() })
    }

    /// Returns the bullet of `block` that is `bullet` of another text: of several that say the same, the one with the same place
    /// among them, if none has come or gone.
    fn counterpart(&self, bullet: BulletRef<'a>, block: BlockRef<'a>) -> Option<BulletRef<'a>> {
        let content = bullet.folded_content();
        let before = self.looked_up.with_content(bullet.block()?, &content);
        let after = self.looked_up.with_content(block, &content);
        let place = before.binary_search(&bullet).ok()?;
        if before.len() == after.len() { after.get(place).copied() } else { None }
    }

    /// Reports whether what the operation wants is there already.
    fn is_done(
        &self,
        sides: &Sides<'_, 'a>,
        shown: Option<&ShownBullet<'a>>,
        now: &[BulletRef<'a>],
        new: Option<&Item>,
    ) -> bool {
        if let Some(item) = new {
            let (content, escaped) = (item.folded_content(), sides.new_with_escapes());
            let says_new = |bullet: &BulletRef<'_>| {
                let own = bullet.folded_content();
                own == content || escaped.as_ref().is_some_and(|escaped| own == escaped.as_str())
            };
            let named = shown.filter(|shown| shown.says_so.is_some());
            let done_there = named.and_then(|shown| shown.now).or_else(|| self.carried_by_text(sides));
            let says = |content: &str| !self.looked_up.with_content(sides.block, content).is_empty();
            return (now.is_empty() && (says(content) || escaped.as_deref().is_some_and(says)))
                || done_there.is_some_and(|bullet| says_new(&bullet) && now.binary_search(&bullet).is_err());
        }
        let Some((was, block)) = sides.shown else { return false };
        let stood = self.looked_up.saying(&was.names, block, sides.text).len();
        // Where the index was followed against the text, its bullet is gone, and the text stands elsewhere.
        let is_gone = shown.is_some_and(|shown| shown.is_removed && (shown.says_so.is_none() || now.len() < stood));
        is_gone || (now.is_empty() && stood > 0)
    }

    /// Follows the one bullet of the text last shown that says the text to where it stands now.
    fn carried_by_text(&self, sides: &Sides<'_, 'a>) -> Option<BulletRef<'a>> {
        let (shown, block) = sides.shown.filter(|_| sides.op.index.is_none())?;
        let lists = self.looked_up.lists(block);
        let found = bullets_by_tests(&shown.names, &lists.counted, &[sides.test()]).at;
        let [only] = found.as_slice() else { return None };
        let place = lists.counted.iter().position(|bullet| bullet == only)?;
        self.shown_at(sides, index_of(self.view.doc, place))?.now
    }

    /// Returns the bullet that the index decides for, if it does, and what the editor should know.
    fn cross_check(
        &self,
        sides: &Sides<'_, 'a>,
        index: i64,
        shown: Option<&ShownBullet<'a>>,
        now: &[BulletRef<'a>],
    ) -> (Option<Found<BulletRef<'a>>>, Option<Warning>) {
        let at_shown = shown.and_then(|shown| shown.now);
        let at_present = at_index(self.view.doc, &sides.now.counted, index);
        let shown_agrees = shown.is_some_and(|shown| shown.says_so.is_some());
        for bullet in [at_shown.filter(|_| shown_agrees), at_present].into_iter().flatten() {
            if let Some(healed) = sides.says_so(self.names, bullet) {
                return (Some(Found { at: bullet, healed }), None);
            }
        }
        if shown.is_none() && at_present.is_none() {
            return (None, Some(Warning::IndexOutOfRange { index, count: sides.now.counted.len() }));
        }
        let mismatch = |followed| {
            let lines = now.iter().map(|bullet| bullet.line_number()).collect();
            Some(Warning::IndexTextMismatch { index, lines, followed })
        };
        if self.view.is_stale() {
            // Text that stood where the index says, and has moved since, agrees.
            return (None, if shown_agrees { None } else { mismatch(Followed::Text) });
        }
        let named = match shown {
            Some(shown) => shown.now,
            None => at_present,
        };
        let wins = |bullet: &BulletRef<'_>| {
            !now.is_empty() || is_reworded(&fold_white_space(sides.text), &bullet.folded_content())
        };
        match named.filter(wins) {
            Some(bullet) => {
                let stood = Followed::Index(bullet.wording().into());
                (Some(Found { at: bullet, healed: Vec::new() }), mismatch(stood))
            }
            None => (None, None),
        }
    }

    fn by_text(&self, sides: &Sides<'_, 'a>) -> Result<Found<BulletRef<'a>>, LocateError> {
        let test = sides.test();
        let what = Target::Bullet(test.to_string().into());
        let mut found = bullet_by_tests(self.names, &sides.now.all, &[test], what);
        if let Err(LocateError::Ambiguous { matches, .. }) = &mut found {
            // The index, not the key, tells bullets of one text apart.
            matches.offer(|nth, matches| {
                let span = matches.spans().get(nth)?;
                let place = sides.now.counted.iter().position(|bullet| bullet.line == *span)?;
                Some(Fix::UseIndex(index_of(self.view.doc, place)))
            });
        }
        found
    }
}

impl Sides<'_, '_> {
    /// Returns the content that an update writes if its old text is found by reading escapes; `None` if that has none.
    fn new_with_escapes(&self) -> Option<String> {
        let SubMemoryIntent::Update { new } = &self.op.intent else { return None };
        let item =
            Item::read(&unescape(new), &BulletPlace::plain()).ok().filter(|_| unescape(self.text) != self.text)?;
        Some(item.folded_content().to_owned())
    }

    fn test(&self) -> BulletTest {
        BulletTest::Equals(self.text.into())
    }

    /// Returns the rungs on which a bullet of the document of `names` says the text; `None` if it does not.
    fn says_so<'b>(&self, names: &Names<'b>, bullet: BulletRef<'b>) -> Option<Vec<Rung>> {
        let found = bullets_by_tests(names, &[bullet], &[self.test()]);
        (!found.at.is_empty()).then_some(found.healed)
    }
}
