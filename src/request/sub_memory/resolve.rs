//! Which bullet an operation means: index and text are cross-checked, after it is asked whether what it
//! wants is there already.
//!
//! The index names the bullet that stood there in the text last shown; the editor's own later edits are carried over. The few lines that
//! the reply to an edit shows are no such text: they count no bullets.

use std::cell::OnceCell;
use std::rc::Rc;

use super::super::{Argument, Enough, Known, LastEdit, Refusal, View};
use super::looked_up::{Lists, LookedUp};
use super::others::Others;
use super::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
use crate::document::{BlockRef, BulletRef, MemoryDoc};
use crate::edit::compose::{BulletPlace, Item};
use crate::edit::{Followed, Warning};
use crate::locate::{
    BulletTest, Fix, Found, LocateError, Matches, Names, Reason, Rung, Target, at_index, bullet_by_tests,
    bullets_by_tests, index_of, is_reworded, stands_there, unescape,
};
use crate::text::{fold_white_space, sort_by_key};

/// What an operation comes to.
pub(super) enum Resolved<'a> {
    /// It changes this bullet.
    Bullet {
        bullet: Found<BulletRef<'a>>,
        warning: Option<Warning>,
        /// The index of the text that it gives, where its own index was followed against it.
        text_at: Option<i64>,
    },
    /// What it wants is there: an update's new text in these bullets.
    Already(Vec<BulletRef<'a>>),
}

/// A bullet that the editor was shown.
struct ShownBullet<'a> {
    shown: BulletRef<'a>,
    says_so: Option<Vec<Rung>>,
    /// Where it stands now, if its editor has not removed it and it can be told.
    now: Option<BulletRef<'a>>,
    own: OwnEdits,
}

/// What an editor's own edits have done with a bullet that it was shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnEdits {
    Removed,
    /// They have written something else over it.
    Replaced,
    Reworded,
    Left,
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
    request: &'a SubMemoryOps,
    others: OnceCell<Others<'a>>,
    /// The last of the editor's own edits, with the names of the text before it.
    last: Option<(Names<'a>, &'a LastEdit)>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(known: &'a Known, request: &'a SubMemoryOps) -> Self {
        let last = known.last().map(|last| (Names::new(last.before()), last));
        Self { names: Names::new(known.shown()), known, request, others: OnceCell::new(), last }
    }

    /// Returns where the editor's own edits have left a bullet of it; `None` if they have removed it.
    fn carried(&self, bullet: BulletRef<'_>) -> Option<BulletRef<'a>> {
        let start = self.known.own().survivor(bullet.line.start())?;
        self.known.believed().bullet_at(start).filter(|carried| carried.line.start() == start)
    }

    /// Tells what the editor's own edits have done with a bullet of it.
    fn own_edits(&self, bullet: BulletRef<'_>) -> OwnEdits {
        match self.carried(bullet) {
            Some(carried) if carried.folded_content() == bullet.folded_content() => OwnEdits::Left,
            Some(_) => OwnEdits::Reworded,
            None if self.known.has_replaced(bullet) => OwnEdits::Replaced,
            None => OwnEdits::Removed,
        }
    }

    /// Reports whether a bullet of it, which stands in `doc` no more where it stood, has been removed: by the editor's own edits or
    /// by others, who have reworded it if another stands in its place.
    fn is_gone(&self, bullet: BulletRef<'a>, doc: &'a MemoryDoc) -> bool {
        let others = || self.others.get_or_init(|| Others::between([self.known.believed(), doc], self.request));
        match self.own_edits(bullet) {
            OwnEdits::Removed => true,
            OwnEdits::Left => self.carried(bullet).is_some_and(|carried| others().have_removed(carried)),
            OwnEdits::Replaced | OwnEdits::Reworded => false,
        }
    }
}

impl OwnEdits {
    /// Reports whether the line of the bullet is gone.
    const fn have_taken(self) -> bool {
        matches!(self, Self::Removed | Self::Replaced)
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
            return Ok(Resolved::Already(new.map_or_else(Vec::new, |item| self.saying_new(&sides, item))));
        }
        let (target, warning) = match op.index {
            None => (None, None),
            Some(index) => self.cross_check(&sides, index, shown.as_ref(), &now)?,
        };
        let bullet = match target {
            Some(bullet) => bullet,
            None => self.by_text(&sides, shown.as_ref().filter(|_| new.is_none()))?,
        };
        let text_at = match (&warning, &*now) {
            (Some(Warning::IndexTextMismatch { followed: Followed::Index(_), .. }), [only]) => {
                self.index_of(&sides, *only)
            }
            _ => None,
        };
        Ok(Resolved::Bullet { bullet, warning, text_at })
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
            return Some(ShownBullet { shown: bullet, says_so, now: Some(bullet), own: OwnEdits::Left });
        };
        let bullet = at_index(doc, &self.looked_up.lists(block).counted, index)?;
        let carried = shown.carried(bullet);
        let now = carried.and_then(|carried| match shown.known.believed().revision() == doc.revision() {
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
        Some(ShownBullet { shown: bullet, says_so, now, own: shown.own_edits(bullet) })
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
        let named = shown.filter(|shown| shown.says_so.is_some());
        if now.is_empty() && named.is_none() && self.is_last_removed(sides) {
            return true;
        }
        let Some((was, block)) = sides.shown else { return false };
        let stood = self.looked_up.saying(&was.names, block, sides.text);
        if named.is_some_and(|named| named.own == OwnEdits::Removed && now.len() < stood.len()) {
            return true;
        }
        // What has been given another text stands there still.
        let is_gone = |bullet: &BulletRef<'a>| was.is_gone(*bullet, self.view.doc);
        now.is_empty() && named.map_or_else(|| stood.iter().any(is_gone), |named| is_gone(&named.shown))
    }

    /// Returns the bullets of the block that say what an update writes.
    fn saying_new(&self, sides: &Sides<'_, 'a>, item: &Item) -> Vec<BulletRef<'a>> {
        let escaped = sides.new_with_escapes();
        let contents = [item.folded_content()].into_iter().chain(escaped.as_deref());
        contents.flat_map(|content| self.looked_up.with_content(sides.block, content).to_vec()).collect()
    }

    /// Reports whether the last of the editor's own edits removed a bullet that says the text: what it has written itself it knows,
    /// as if that had been shown to it.
    fn is_last_removed(&self, sides: &Sides<'_, 'a>) -> bool {
        let Some((names, last)) = self.shown.and_then(|shown| shown.last.as_ref()) else { return false };
        let block = names.without_help(|| names.block(sides.block.id(), names.doc().span()));
        block.is_ok_and(|block| {
            let stood = self.looked_up.saying(names, block.at, sides.text);
            stood.iter().any(|bullet| last.has_removed(*bullet))
        })
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
    ) -> Result<(Option<Found<BulletRef<'a>>>, Option<Warning>), LocateError> {
        let at_shown = shown.and_then(|shown| shown.now);
        let at_present = at_index(self.view.doc, &sides.now.counted, index);
        let shown_agrees = shown.is_some_and(|shown| shown.says_so.is_some());
        for bullet in [at_shown.filter(|_| shown_agrees), at_present].into_iter().flatten() {
            if let Some(healed) = sides.says_so(self.names, bullet) {
                return Ok((Some(Found { at: bullet, healed }), None));
            }
        }
        let Some(shown) = shown else {
            let block = sides.shown.map_or(sides.block, |(_, block)| block);
            let count = self.looked_up.lists(block).counted.len();
            return Ok((None, Some(Warning::IndexOutOfRange { index, count })));
        };
        let mismatch = |followed| {
            let lines = now.iter().map(|bullet| bullet.line_number()).collect();
            Some(Warning::IndexTextMismatch { index, lines, followed })
        };
        // Text that stood where the index says, and has moved since, agrees.
        let text = |followed| if shown_agrees { None } else { mismatch(followed) };
        // Where only what others have changed was shown, the index may be that of the text which was read before.
        if self.view.is_stale() || self.view.known.is_some_and(Known::is_by_changes) {
            return Ok((None, text(Followed::Text)));
        }
        let wins = |bullet: &BulletRef<'_>| {
            !now.is_empty() || is_reworded(&fold_white_space(sides.text), &bullet.folded_content())
        };
        let Some(bullet) = shown.now.filter(wins) else { return Ok((None, text(Followed::Gone))) };
        if !now.contains(&bullet) {
            if now.iter().any(|other| bullet.extent.contains(other.line.start())) {
                return Ok((None, mismatch(Followed::Inside)));
            }
            if self.is_counted_through(sides, index, now) {
                return Err(self.either(sides, index, bullet, now));
            }
        }
        let stood = Followed::Index(bullet.wording().into());
        Ok((Some(Found { at: bullet, healed: Vec::new() }), mismatch(stood)))
    }

    /// Reports whether the text stands at the index if nested bullets are counted as well, in the text shown or in the present one.
    fn is_counted_through(&self, sides: &Sides<'_, 'a>, index: i64, now: &[BulletRef<'a>]) -> bool {
        let doc = self.view.doc;
        let was_there = || {
            let (shown, block) = sides.shown?;
            let bullet = at_index(doc, &self.looked_up.lists(block).all, index)?;
            sides.says_so(&shown.names, bullet)
        };
        at_index(doc, &sides.now.all, index).is_some_and(|bullet| now.contains(&bullet)) || was_there().is_some()
    }

    /// The error for an index that names `bullet` and a text that `now` say, where either may be meant.
    fn either(&self, sides: &Sides<'_, 'a>, index: i64, bullet: BulletRef<'a>, now: &[BulletRef<'a>]) -> LocateError {
        let mut places: Vec<_> = now.iter().copied().chain([bullet]).collect();
        sort_by_key(&mut places, |place| place.line.start());
        let mut matches = Matches::new(self.view.doc, places.iter().map(|place| place.line).collect());
        matches.offer(|nth, _| match *places.get(nth)? {
            named if named == bullet => Some(Fix::CopyText(named.folded_content().into_owned().into())),
            said => self.index_of(sides, said).map(Fix::UseIndex).or((now.len() == 1).then_some(Fix::DropIndex)),
        });
        let what = Target::Bullet(format!("{} or stands at index {index}", sides.test()).into());
        LocateError::Ambiguous { what, matches: Box::new(matches) }
    }

    /// Finds the one bullet that says the text. What is to be deleted is none but `shown`, which stood at the index of the text
    /// last shown: where its editor has removed that one, the same operation may have done so.
    fn by_text(
        &self,
        sides: &Sides<'_, 'a>,
        shown: Option<&ShownBullet<'a>>,
    ) -> Result<Found<BulletRef<'a>>, LocateError> {
        let test = sides.test();
        let what = Target::Bullet(test.to_string().into());
        let mut found = bullet_by_tests(self.names, &sides.now.all, &[test], what);
        match &mut found {
            // The index, not the key, tells bullets of one text apart.
            Err(LocateError::Ambiguous { matches, .. }) => matches.offer(|nth, matches| {
                let span = matches.spans().get(nth)?;
                let bullet = sides.now.counted.iter().find(|bullet| bullet.line == *span)?;
                self.index_of(sides, *bullet).map(Fix::UseIndex)
            }),
            Err(LocateError::NotFound { what, .. }) => {
                if let Some(bullet) = shown.filter(|shown| shown.says_so.is_some()).and_then(|shown| shown.now) {
                    return Err(stands_there(bullet, sides.text, what.clone()));
                }
                if let Some(bullet) = self.outside(sides) {
                    return Err(self.stands_outside(sides, bullet, what.clone()));
                }
            }
            Ok(found) if shown.is_some_and(|shown| shown.says_so.is_none() && shown.own.have_taken()) => {
                let what = format!("{} and stands at the index given", sides.test());
                let mut error = stands_there(found.at, sides.text, Target::Bullet(what.into()));
                if let LocateError::NotFound { help, .. } = &mut error {
                    help.fix = Some(self.index_of(sides, found.at).map_or(Fix::DropIndex, Fix::UseIndex));
                }
                return Err(error);
            }
            _ => {}
        }
        found
    }

    /// Finds the one bullet of the document that says a text which none of the block says.
    fn outside(&self, sides: &Sides<'_, 'a>) -> Option<BulletRef<'a>> {
        let everywhere: Vec<_> = self.view.doc.bullets().filter(|_| self.names.may_help()).collect();
        let found = bullets_by_tests(self.names, &everywhere, &[sides.test()]).at;
        if let [only] = found.as_slice() { Some(*only) } else { None }
    }

    /// The error for a text that stands outside of the block: says where, and how to name that.
    fn stands_outside(&self, sides: &Sides<'_, 'a>, bullet: BulletRef<'a>, what: Target) -> LocateError {
        let doc = self.view.doc;
        let mut error = stands_there(bullet, sides.text, what);
        let LocateError::NotFound { help, .. } = &mut error else { return error };
        if let Some(reserved) = doc.reserved_section_at(bullet.line.start()) {
            help.reasons.push(Reason::Reserved(reserved.name().into()));
            return error;
        }
        // An index would be counted in the other block.
        let block = bullet.block().filter(|_| sides.op.index.is_none());
        let block = block.filter(|block| self.names.block(block.id(), doc.span()).is_ok());
        help.reasons.push(Reason::OutsideBlock(bullet.line_number()));
        help.fix = Some(match block {
            Some(block) => Fix::NameBlock(block.id().into()),
            None => Fix::ByText(bullet.folded_content().into_owned().into()),
        });
        error
    }

    /// Returns the index that names a bullet which says the text: that of the present text, unless another bullet stood there
    /// which said the same.
    fn index_of(&self, sides: &Sides<'_, 'a>, bullet: BulletRef<'a>) -> Option<i64> {
        let place = sides.now.counted.binary_search(&bullet).ok()?;
        let index = index_of(self.view.doc, place);
        let names_another = |shown: ShownBullet<'a>| shown.says_so.is_some() && shown.now != Some(bullet);
        if !self.shown_at(sides, index).is_some_and(names_another) {
            return Some(index);
        }
        let (_, block) = sides.shown?;
        let indices = (0..self.looked_up.lists(block).counted.len()).map(|place| index_of(self.view.doc, place));
        let names_it = |shown: ShownBullet<'a>| shown.says_so.is_some() && shown.now == Some(bullet);
        indices.into_iter().find(|index| self.shown_at(sides, *index).is_some_and(names_it))
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
