//! Which bullet an operation means: index and text are cross-checked, after it is asked whether what it
//! wants is there already (§ 10.3).
//!
//! The index names the bullet that stood there in the text last shown; the editor's own later edits are carried over.

use super::super::{Refusal, Seen, View};
use super::reworded::is_reworded;
use super::{SubMemoryIntent, SubMemoryOp};
use crate::document::{BlockId, BulletId, MemoryDoc};
use crate::edit::compose::{BulletPlace, Item};
use crate::edit::{Followed, Trail, Warning};
use crate::locate::{
    BulletTest, Counting, Diagnostic, Fix, Found, LocateError, Names, Rung, Scope, Sought, bullet_by_tests,
    bullets_by_tests, listed, place_of, several_blocks, unescape,
};
use crate::text::{fold_name, fold_white_space};

/// What an operation comes to.
pub(super) enum Resolved {
    /// It changes this bullet.
    Bullet { bullet: Found<BulletId>, warning: Option<Warning> },
    /// What it wants is there.
    Already,
}

/// A bullet that the editor was shown.
struct ShownBullet {
    says_so: Option<Vec<Rung>>,
    /// Where it stands now, if its editor has not removed it and it can be told.
    now: Option<BulletId>,
    /// Whether its editor has removed it.
    is_removed: bool,
}

pub(super) struct Resolver<'a> {
    view: &'a View<'a>,
    names: Names<'a>,
    /// The text last shown, where it is another, with what leads from it to the text that the editor believes in.
    shown: Option<(Names<'a>, &'a Trail, &'a MemoryDoc)>,
}

/// One block, in the document and as it was shown.
struct Sides<'s> {
    op: &'s SubMemoryOp,
    text: &'s str,
    /// The bullets that an index counts now.
    list: Vec<BulletId>,
    /// All bullets, nested ones too.
    all: Vec<BulletId>,
    /// The bullets of the block in the text last shown, where that is another.
    shown: Option<(&'s MemoryDoc, Vec<BulletId>, Vec<BulletId>)>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(view: &'a View<'a>) -> Self {
        let shown = match view.seen {
            Seen::Older { shown, own, believed } => Some((Names::new(shown), own, believed)),
            Seen::Current => None,
        };
        Self { view, names: Names::new(view.doc), shown }
    }

    pub(super) const fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// Finds the block of this title; `None` if there is none.
    pub(super) fn block_by_title(&self, title: &str) -> Result<Option<Found<BlockId>>, LocateError> {
        let doc = self.view.doc;
        let titled = |same: &dyn Fn(&str) -> bool| -> Vec<_> {
            doc.outline().block_ids().filter(|id| same(doc.block_title(*id))).collect()
        };
        let exact = titled(&|own| fold_white_space(own) == fold_white_space(title));
        let (found, healed) = match exact.is_empty() {
            true => (titled(&|own| fold_name(own) == fold_name(title)), vec![Rung::Case]),
            false => (exact, Vec::new()),
        };
        match found.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(Found { at: *only, healed })),
            several => Err(several_blocks(doc, title, several)),
        }
    }

    /// The error for a title that no block has.
    pub(super) fn no_block(&self, title: &str) -> LocateError {
        LocateError::NotFound { what: Sought::Block(title.into()), help: Box::default() }
    }

    /// Finds the bullet that an operation means; `new` is what an update writes.
    pub(super) fn resolve(&self, block: BlockId, op: &SubMemoryOp, new: Option<&Item>) -> Result<Resolved, Refusal> {
        let sides = self.sides(block, op)?;
        let now = bullets_by_tests(self.view.doc, &sides.all, &[sides.test()]);
        let shown = op.index.and_then(|index| self.shown_at(&sides, index));
        if self.is_done(&sides, shown.as_ref(), &now.at, new) {
            return Ok(Resolved::Already);
        }
        let (target, warning) = match op.index {
            None => (None, None),
            Some(index) => self.cross_check(&sides, index, shown.as_ref(), &now.at),
        };
        match target {
            Some(bullet) => Ok(Resolved::Bullet { bullet, warning }),
            None => Ok(Resolved::Bullet { bullet: self.by_text(&sides)?, warning }),
        }
    }

    fn sides<'s>(&self, block: BlockId, op: &'s SubMemoryOp) -> Result<Sides<'s>, Refusal>
    where
        'a: 's,
    {
        let doc = self.view.doc;
        let lists = |doc: &MemoryDoc, block| {
            [Counting::TopLevel, Counting::Nested].map(|counting| listed(doc, Scope::Block(block), counting))
        };
        let [list, all] = lists(doc, block);
        let Some(text) = op.text.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Err(self.no_text(op, &list));
        };
        let shown = self.shown.as_ref().and_then(|(names, ..)| {
            let shown = names.doc();
            let [list, all] = lists(shown, names.block(doc.block_id(block), shown.span()).ok()?.at);
            Some((shown, list, all))
        });
        Ok(Sides { op, text, list, all, shown })
    }

    fn no_text(&self, op: &SubMemoryOp, list: &[BulletId]) -> Refusal {
        let argument = match op.intent {
            SubMemoryIntent::Update { .. } => "old_sub_memory",
            _ => "sub_memory",
        };
        let Some(index) = op.index else {
            return Refusal::InvalidArgument {
                argument,
                expected: "the text of the bullet as it stands",
                found: "nothing".into(),
            };
        };
        let bullet = place_of(self.view.doc, index, list.len()).ok().and_then(|place| list.get(place));
        let fix = bullet.map(|id| Fix::ExpectText(self.view.doc.folded_content(*id).into_owned().into()));
        Refusal::ContextTooThin { expected: format!("an index needs the text beside it, as `{argument}`").into(), fix }
    }

    /// Finds the bullet that stood at `index` in the text last shown.
    fn shown_at(&self, sides: &Sides<'_>, index: i64) -> Option<ShownBullet> {
        let doc = self.view.doc;
        let Some((shown, list, _)) = &sides.shown else {
            let bullet = *sides.list.get(place_of(doc, index, sides.list.len()).ok()?)?;
            let says_so = sides.says_so(doc, bullet);
            return Some(ShownBullet { says_so, now: Some(bullet), is_removed: false });
        };
        let (_, own, believed) = self.shown.as_ref()?;
        let bullet = *list.get(place_of(doc, index, list.len()).ok()?)?;
        let start = shown.outline().bullet(bullet)?.line.start();
        let starts_there = |doc: &MemoryDoc, id: BulletId, start: usize| {
            doc.outline().bullet(id).is_some_and(|bullet| bullet.line.start() == start)
        };
        let carried = own
            .survivor(start)
            .and_then(|start| believed.outline().bullet_at(start).filter(|id| starts_there(believed, *id, start)));
        let now = carried.and_then(|id| match believed.revision() == doc.revision() {
            true => Some(id).filter(|id| sides.all.contains(id)),
            false => self.same_in_present(sides, believed, id),
        });
        Some(ShownBullet { says_so: sides.says_so(shown, bullet), now, is_removed: carried.is_none() })
    }

    /// Finds in a document that others have changed the bullet which says what one of the believed document does.
    fn same_in_present(&self, sides: &Sides<'_>, believed: &MemoryDoc, id: BulletId) -> Option<BulletId> {
        let doc = self.view.doc;
        let content = believed.folded_content(id);
        let block = believed.outline().bullet(id)?.block?;
        let before: Vec<_> = listed(believed, Scope::Block(block), Counting::Nested)
            .into_iter()
            .filter(|other| believed.folded_content(*other) == content)
            .collect();
        let after: Vec<_> = sides.all.iter().copied().filter(|other| doc.folded_content(*other) == content).collect();
        // Of several that read alike, the one with the same place among them, if none has come or gone.
        let place = before.iter().position(|other| *other == id)?;
        if before.len() == after.len() { after.get(place).copied() } else { None }
    }

    /// Reports whether what the operation wants is there already.
    fn is_done(&self, sides: &Sides<'_>, shown: Option<&ShownBullet>, now: &[BulletId], new: Option<&Item>) -> bool {
        let doc = self.view.doc;
        let named = shown.filter(|shown| shown.says_so.is_some());
        match new {
            Some(item) => {
                let (content, escaped) = (item.folded_content(), sides.new_with_escapes());
                let says_new = |id: &BulletId| {
                    let own = doc.folded_content(*id);
                    own == content || escaped.as_ref().is_some_and(|escaped| own == escaped.as_str())
                };
                let is_done_there = named.and_then(|shown| shown.now).or_else(|| self.carried_by_text(sides));
                (now.is_empty() && sides.all.iter().any(says_new))
                    || is_done_there.is_some_and(|id| says_new(&id) && !now.contains(&id))
            }
            None => {
                let Some((shown_doc, _, all)) = &sides.shown else { return false };
                let stood = bullets_by_tests(shown_doc, all, &[sides.test()]).at.len();
                // Where the index was followed against the text, its bullet is gone, and the text stands elsewhere.
                let is_gone =
                    shown.is_some_and(|shown| shown.is_removed && (shown.says_so.is_none() || now.len() < stood));
                is_gone || (now.is_empty() && stood > 0)
            }
        }
    }

    /// Follows the one bullet of the text last shown that says the text to where it stands now.
    fn carried_by_text(&self, sides: &Sides<'_>) -> Option<BulletId> {
        let (shown, list, _) = sides.shown.as_ref().filter(|_| sides.op.index.is_none())?;
        let found = bullets_by_tests(shown, list, &[sides.test()]).at;
        let [only] = found.as_slice() else { return None };
        let place = list.iter().position(|id| id == only)?;
        self.shown_at(sides, crate::locate::index_of(self.view.doc, place))?.now
    }

    /// Returns the bullet that the index decides for, if it does, and what the editor should know.
    fn cross_check(
        &self,
        sides: &Sides<'_>,
        index: i64,
        shown: Option<&ShownBullet>,
        now: &[BulletId],
    ) -> (Option<Found<BulletId>>, Option<Warning>) {
        let doc = self.view.doc;
        let at_shown = shown.and_then(|shown| shown.now);
        let at_present = place_of(doc, index, sides.list.len()).ok().and_then(|place| sides.list.get(place)).copied();
        let shown_agrees = shown.is_some_and(|shown| shown.says_so.is_some());
        for bullet in [at_shown.filter(|_| shown_agrees), at_present].into_iter().flatten() {
            if let Some(healed) = sides.says_so(doc, bullet) {
                return (Some(Found { at: bullet, healed }), None);
            }
        }
        if shown.is_none() && at_present.is_none() {
            return (None, Some(Warning::IndexOutOfRange { index, count: sides.list.len() }));
        }
        let mismatch = |followed| {
            let line = |id: &BulletId| doc.outline().bullet(*id).map(|bullet| doc.line_number(bullet.line.start()));
            Some(Warning::IndexTextMismatch { index, lines: now.iter().filter_map(line).collect(), followed })
        };
        if self.view.changed_by_others() {
            // Text that stood where the index says, and has moved since, agrees.
            return (None, if shown_agrees { None } else { mismatch(Followed::Text) });
        }
        let named = match shown {
            Some(shown) => shown.now,
            None => at_present,
        };
        let wins = |bullet: &BulletId| {
            !now.is_empty() || is_reworded(&fold_white_space(sides.text), &doc.folded_content(*bullet))
        };
        match named.filter(wins) {
            Some(bullet) => (Some(Found { at: bullet, healed: Vec::new() }), mismatch(Followed::Index)),
            None => (None, None),
        }
    }

    fn by_text(&self, sides: &Sides<'_>) -> Result<Found<BulletId>, LocateError> {
        let test = sides.test();
        let what = Sought::Bullet(test.to_string().into());
        let mut found = bullet_by_tests(self.view.doc, &sides.all, &[test], &what);
        if let Err(LocateError::Ambiguous { help, .. }) = &mut found {
            self.offer_indices(sides, help);
        }
        found
    }

    /// The index, not the key, tells bullets of one text apart.
    fn offer_indices(&self, sides: &Sides<'_>, help: &mut Diagnostic) {
        let doc = self.view.doc;
        for candidate in &mut help.candidates {
            let starts = |id: &BulletId| doc.outline().bullet(*id).is_some_and(|bullet| bullet.line == candidate.span);
            let place = sides.list.iter().position(starts);
            candidate.fix = place.map(|place| Fix::UseIndex(crate::locate::index_of(doc, place)));
        }
    }
}

impl Sides<'_> {
    /// Returns the content that an update writes if its old text is found by reading escapes; `None` if that has none.
    fn new_with_escapes(&self) -> Option<String> {
        let SubMemoryIntent::Update { new } = &self.op.intent else { return None };
        let item =
            Item::read(&unescape(new), &BulletPlace::plain()).ok().filter(|_| unescape(self.text) != self.text)?;
        Some(item.folded_content())
    }

    fn test(&self) -> BulletTest {
        BulletTest::Equals(self.text.into())
    }

    /// Returns the rungs on which a bullet says the text; `None` if it does not.
    fn says_so(&self, doc: &MemoryDoc, bullet: BulletId) -> Option<Vec<Rung>> {
        let found = bullets_by_tests(doc, &[bullet], &[self.test()]);
        (!found.at.is_empty()).then_some(found.healed)
    }
}
