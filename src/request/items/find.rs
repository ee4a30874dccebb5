//! Finds the bullet that an edit names, checks it against the evidence, and finds the spot that a destination names.

use super::plan::ItemPlanner;
use super::{Destination, Evidence, ItemEdit, ItemOp, ItemPlace};
use crate::document::BulletRef;
use crate::edit::compose::{Spot, are_siblings, indexed_except};
use crate::locate::{
    BulletTest, Code, Found, Leniency, LocateError, Names, Scope, Selector, Target, bullets_by_tests, indexed_bullets,
    other_text, place_of,
};
use crate::request::{Argument, Refusal, bullet_plan::BulletPlan, insert::check_labels};
use crate::text::Content;

/// What helps if the editor's own edits have shifted the bullets of a list.
const SHIFTED: &str = "the `index` named another bullet before your last edits: read the list again, or send the key";
/// What helps if an index counts in a list that was not shown as a whole.
const UNSEEN: &str = "the list of the `index` was not shown as a whole: read it, or name a bullet there by text or key";

impl<'a> ItemPlanner<'a> {
    /// Finds the bullet that an edit names, and checks it against the evidence.
    pub(super) fn find(&self, edit: &ItemEdit) -> Result<Found<BulletRef<'a>>, Refusal> {
        if edit.target.names_no_bullet() && edit.evidence.is_none() {
            let why = "no bullet is named, only its list; a whole section is moved or deleted by a patch";
            return Err(Refusal::impossible(Code::InvalidArguments, why));
        }
        let mut found = select(&edit.target, &self.bullets, Scope::Document)?;
        self.check_care(edit)?;
        found.healed.extend(self.check_evidence(edit, found.at)?);
        self.check_shifted(edit, found.at)?;
        Ok(found)
    }

    /// Refuses an index with evidence, or with a text or tag, if it named another bullet in the list as it was shown, that
    /// bullet is still there, and all of this fits both: the editor's own edits have shifted the list since.
    fn check_shifted(&self, edit: &ItemEdit, bullet: BulletRef<'a>) -> Result<(), Refusal> {
        let doc = self.bullets.doc();
        let is_counted = edit.target.index.is_some() && !(edit.evidence.is_none() && edit.target.says.is_empty());
        let known = self.bullets.view.known.filter(|known| is_counted && known.believed() == doc);
        let as_shown = known.and_then(|known| {
            let then = edit.target.find(&Names::new(known.shown()), Scope::Document).ok()?.at;
            doc.starting_at(doc.line_start(known.line_now(then.line_index())?))
        });
        let is_shifted = as_shown.is_some_and(|other| other != bullet && self.check_evidence(edit, other).is_ok());
        if is_shifted { Err(Refusal::too_thin(SHIFTED)) } else { Ok(()) }
    }

    /// Refuses to update or delete a bullet that is named only by an index or, under a strict policy, only by a text.
    pub(super) fn check_care(&self, edit: &ItemEdit) -> Result<(), Refusal> {
        let target = &edit.target;
        let is_in_care = matches!(edit.op, ItemOp::Update { .. } | ItemOp::Upsert { .. } | ItemOp::Delete { .. });
        if !is_in_care || !edit.evidence.is_none() || target.key().is_some() {
            return Ok(());
        }
        let has_text = target.says.iter().any(|test| test.text().is_some());
        let is_enough = match self.bullets.doc().policy().strict {
            true => self.has_unique_tag(edit)?,
            false => has_text || target.index.is_none(),
        };
        let needed = if has_text {
            "this memory asks for what was seen there, a key or a unique tag"
        } else {
            "an `index` needs `expect` beside it, the text that was seen there or its beginning, or a key or a text instead"
        };
        if is_enough { Ok(()) } else { Err(Refusal::too_thin(needed)) }
    }

    fn has_unique_tag(&self, edit: &ItemEdit) -> Result<bool, Refusal> {
        let is_tag = |test: &&BulletTest| matches!(test, BulletTest::Tag(_));
        let Some(tag) = edit.target.says.iter().find(is_tag) else { return Ok(false) };
        let bullets = edit.target.bullets(&self.bullets.names)?.at;
        Ok(bullets_by_tests(&self.bullets.names, &bullets, std::slice::from_ref(tag)).at.len() == 1)
    }

    /// Checks that a bullet and its neighbors begin with the texts of the evidence. A blank text for a neighbor says that
    /// there is none.
    fn check_evidence(&self, edit: &ItemEdit, bullet: BulletRef<'a>) -> Result<Vec<Leniency>, Refusal> {
        let Evidence { expect, before, after } = &edit.evidence;
        let expect = expect.as_ref().filter(|expect| !expect.trim().is_empty());
        let siblings = || self.bullets.doc().bullets().filter(|other| are_siblings(*other, bullet));
        // A neighbor is looked for among all bullets, so only where it is named.
        let previous = before.as_ref().and_then(|_| siblings().rfind(|other| *other < bullet));
        let next = after.as_ref().and_then(|_| siblings().find(|other| *other > bullet));
        let mut healed = Vec::new();
        for (seen, there, which) in [
            (expect, Some(bullet), "starts with"),
            (before.as_ref(), previous, "stands behind one that starts with"),
            (after.as_ref(), next, "stands before one that starts with"),
        ] {
            let Some(seen) = seen else { continue };
            let test = BulletTest::StartsWith(seen.clone());
            let found = bullets_by_tests(&self.bullets.names, there.as_slice(), &[test]);
            let is_as_seen = if seen.trim().is_empty() { there.is_none() } else { !found.at.is_empty() };
            if !is_as_seen {
                let what = Target::Bullet(format!("{which} `{seen}`").into());
                return Err(other_text(there.unwrap_or(bullet), seen, what).into());
            }
            healed.extend(found.healed);
        }
        Ok(healed)
    }
}

/// Finds the one bullet that a selector names. A selector without a list looks in `within`.
pub(super) fn select<'a>(
    selector: &Selector,
    plan: &BulletPlan<'a>,
    within: Scope<'a>,
) -> Result<Found<BulletRef<'a>>, Refusal> {
    check_selector(selector, plan, within)?;
    Ok(selector.find(&plan.names, within)?)
}

/// Refuses a selector with an empty text, with a key whose number may have changed, or with an index that counts in no
/// list or in one that was not shown as a whole.
pub(super) fn check_selector<'a>(selector: &Selector, plan: &BulletPlan<'a>, within: Scope<'a>) -> Result<(), Refusal> {
    selector.key().map_or(Ok(()), |key| plan.view.check_key(key))?;
    for test in &selector.says {
        let argument = match test {
            BulletTest::Contains(text) if text.trim().is_empty() => Argument::Contains,
            BulletTest::StartsWith(text) if text.trim().is_empty() => Argument::StartsWith,
            _ => continue,
        };
        return Err(Refusal::invalid(argument, "a text", "an empty text"));
    }
    let Some(index) = selector.index else { return Ok(()) };
    let outline = plan.doc().outline();
    let has_lists = !(outline.sections.is_empty() && outline.blocks.is_empty());
    if within == Scope::Document && has_lists && selector.names_no_list() {
        let expected = "a section or block beside the index, which counts its bullets";
        return Err(Refusal::invalid(Argument::Index, expected, "neither"));
    }
    check_index(plan, selector.scope(&plan.names, within)?.at, index)
}

/// Refuses an index below the index base of the policy, which is 0 or 1, or in a list that was not shown as a whole.
pub(super) fn check_index(plan: &BulletPlan<'_>, list: Scope<'_>, index: i64) -> Result<(), Refusal> {
    let base = plan.doc().policy().index_base;
    if i64::try_from(base).is_ok_and(|base| index < base) {
        let expected = if base == 0 { "an index of 0 or more" } else { "an index of 1 or more" };
        return Err(Refusal::invalid(Argument::Index, expected, index.to_string()));
    }
    let known = plan.view.known.filter(|known| known.believed() == plan.doc());
    let is_unseen = known.is_some_and(|known| known.has_unseen(list.span(known.believed())));
    if is_unseen { Err(Refusal::too_thin(UNSEEN)) } else { Ok(()) }
}

impl Destination {
    /// Returns the list that the destination names, else the one that `target` names; `None` if neither names one.
    pub(super) fn scope<'a>(&self, names: &Names<'a>, target: &Selector) -> Result<Option<Found<Scope<'a>>>, Refusal> {
        let named = if self.names_list() { (&self.section, &self.block) } else { (&target.section, &target.block) };
        let list = Selector { section: named.0.clone(), block: named.1.clone(), ..Selector::default() };
        if list.names_no_list() { Ok(None) } else { Ok(Some(list.scope(names, Scope::Document)?)) }
    }

    /// Finds the spot in `scope`. The bullets in `moving`, in document order, are not counted, as they move away.
    pub(super) fn spot<'a>(
        &self,
        plan: &BulletPlan<'a>,
        scope: Scope<'a>,
        moving: &[BulletRef<'a>],
    ) -> Result<Found<Spot<'a>>, Refusal> {
        let doc = plan.doc();
        let beside = |selector| beside(plan, scope, selector);
        let at = match &self.place {
            Some(ItemPlace::Before(selector)) => return Ok(beside(selector)?.map(Spot::Before)),
            Some(ItemPlace::After(selector)) => return Ok(beside(selector)?.map(Spot::After)),
            Some(ItemPlace::Under(selector)) => {
                return Ok(beside(selector)?.map(|bullet| Spot::under(bullet, moving)));
            }
            Some(ItemPlace::First) => {
                if scope == Scope::Document {
                    check_labels(doc, scope)?;
                }
                Spot::at_place(doc, scope, moving, 0)
            }
            Some(ItemPlace::Last) | None => {
                check_labels(doc, scope)?;
                Spot::last(doc, scope, moving)
            }
            Some(ItemPlace::Index(index)) => {
                let others = indexed_except(doc, scope, moving);
                check_index(plan, scope, *index)?;
                let place = place_of(doc, *index, others.len() + 1, indexed_bullets(doc, scope).len())?;
                check_border(&others, place)?;
                Spot::at_place(doc, scope, moving, place)
            }
        };
        Ok(Found::exact(at))
    }
}

/// Finds the bullet that a place names. An error offers no fix: a fix would change the target, not the place.
fn beside<'a>(plan: &BulletPlan<'a>, scope: Scope<'a>, selector: &Selector) -> Result<Found<BulletRef<'a>>, Refusal> {
    if selector.names_no_bullet() {
        let expected = "a bullet to go before, after or under";
        return Err(Refusal::invalid(Argument::Place, expected, "a selector that names none"));
    }
    let mut error = match select(selector, plan, scope) {
        Err(Refusal::Locate(error)) => error,
        Ok(found) if !scope.span(plan.doc()).covers(found.at.line) => return Err(different_lists()),
        other => return other,
    };
    match &mut error {
        LocateError::Ambiguous { what: Target::Bullet(_), matches } => matches.offer(|_, _| None),
        LocateError::Ambiguous { .. } => {}
        LocateError::NotFound { help, .. } => help.fix = None,
    }
    Err(error.into())
}

/// The refusal of a target and a place that name different lists.
pub(super) fn different_lists() -> Refusal {
    Refusal::impossible(Code::InvalidArguments, "the target and the place of the bullet name different lists")
}

/// Refuses a place by index between two bullets of different labels or blocks: it is not clear which owns the new bullet.
fn check_border(list: &[BulletRef<'_>], place: usize) -> Result<(), Refusal> {
    let before = place.checked_sub(1).and_then(|before| list.get(before));
    match before.zip(list.get(place)) {
        Some((before, behind)) if !has_owner_of(*before, *behind) => Err(between_owners(&[*before, *behind])),
        _ => Ok(()),
    }
}

/// Returns true if two bullets are in the same section and block, and below the same label.
pub(super) fn has_owner_of(bullet: BulletRef<'_>, other: BulletRef<'_>) -> bool {
    (bullet.section(), bullet.block(), bullet.label()) == (other.section(), other.block(), other.label())
}

/// The refusal of a place among bullets of several labels or blocks. It names these.
pub(super) fn between_owners(bullets: &[BulletRef<'_>]) -> Refusal {
    let owner = |bullet: &BulletRef<'_>| {
        let label = bullet.label().map(|label| label.name().into());
        label.or_else(|| bullet.block().map(|block| block.id().into()))
    };
    let mut owners: Vec<Content> = bullets.iter().filter_map(owner).collect();
    owners.dedup();
    Refusal::needs_anchor(owners, None)
}
