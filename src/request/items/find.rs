//! Finds the bullet that an edit names, checks it against the evidence, and finds the spot that a destination names.

use super::plan::ItemPlanner;
use super::{Destination, Evidence, ItemEdit, ItemOp, ItemPlace};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::EditError;
use crate::edit::compose::{Spot, are_siblings, indexed_except};
use crate::locate::{
    BulletTest, Code, Found, Leniency, LocateError, Names, Scope, Selector, Target, bullets_by_tests, indexed_bullets,
    other_text, place_of,
};
use crate::request::{Argument, Refusal, View, bullet_plan::BulletPlan, insert::check_labels};
use crate::text::Content;

/// The bullet itself, in messages that also name its neighbors.
const OWN: &str = "the bullet";
/// What helps if the editor's own edits have shifted the bullets of a list.
const SHIFTED: &str = "the `index` named another bullet before your last edits: read the list again, or send the key";
/// What helps if a place is an index in a list that was not shown as a whole.
const UNSEEN: &str = "the list of the `index` was not shown as a whole: read it, or name a bullet there by text or key";

impl<'a> ItemPlanner<'a> {
    /// Finds the bullet that an edit names, and checks it against the evidence.
    pub(super) fn find(&self, edit: &ItemEdit) -> Result<Found<BulletRef<'a>>, Refusal> {
        if edit.target.names_no_bullet() && edit.evidence.is_none() {
            let why = "no bullet is named, only its list; a whole section is moved or deleted by a patch";
            return Err(Refusal::impossible(Code::InvalidArguments, why));
        }
        let mut found = select(&edit.target, &self.bullets, Scope::Document)?;
        self.check_care(edit).map_err(|refusal| reserved(found.at).unwrap_or(refusal))?;
        found.healed.extend(self.check_evidence(edit, found.at)?);
        self.check_shifted(edit, found.at)?;
        Ok(found)
    }

    /// Refuses an index with evidence, or with a text or tag, if it named another bullet in the list as it was shown and all
    /// of this fits both: the editor's own edits have shifted it since.
    fn check_shifted(&self, edit: &ItemEdit, bullet: BulletRef<'a>) -> Result<(), Refusal> {
        let (doc, target) = (self.bullets.doc(), &edit.target);
        let says_more = !edit.evidence.is_none() || !target.says.is_empty();
        let is_counted = target.index.is_some() && target.key().is_none() && says_more;
        let known = self.bullets.view.known.filter(|known| known.may_count_as_shown(doc));
        let as_shown = known.filter(|_| is_counted).and_then(|known| {
            let then = target.find(&Names::new(known.shown()), Scope::Document).ok()?.at;
            doc.starting_at(doc.line_start(known.line_now(then.line_index())?))
        });
        let is_shifted = as_shown.is_some_and(|other| other != bullet && self.check_evidence(edit, other).is_ok());
        if is_shifted { Err(Refusal::too_thin(SHIFTED)) } else { Ok(()) }
    }

    /// Refuses to update or delete a bullet that is named only by an index or, under a strict policy, only by a text. Other
    /// operations are checked only if the index counts bullets that were not shown.
    pub(super) fn check_care(&self, edit: &ItemEdit) -> Result<(), Refusal> {
        let (doc, target) = (self.bullets.doc(), &edit.target);
        let is_in_care = matches!(edit.op, ItemOp::Update { .. } | ItemOp::Upsert { .. } | ItemOp::Delete { .. });
        if !is_in_care && !counts_unseen(target, &self.bullets, Scope::Document) {
            return Ok(());
        }
        let has_text = target.says.iter().any(|test| test.text().is_some());
        let is_enough = match doc.policy().strict {
            _ if !edit.evidence.is_none() || target.key().is_some() => true,
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

    /// Checks the bullet and its neighbors against the evidence.
    fn check_evidence(&self, edit: &ItemEdit, bullet: BulletRef<'a>) -> Result<Vec<Leniency>, Refusal> {
        let Evidence { expect, before, after } = &edit.evidence;
        let own = expect.as_ref().filter(|expect| !expect.trim().is_empty()).map(|seen| (seen, Some(bullet)));
        let siblings = || self.bullets.doc().bullets().filter(|other| are_siblings(*other, bullet));
        let before = before.as_ref().map(|seen| (seen, siblings().rfind(|other| *other < bullet)));
        let after = after.as_ref().map(|seen| (seen, siblings().find(|other| *other > bullet)));
        let mut healed = Vec::new();
        for (seen, which) in [(own, OWN), (before, "the bullet before"), (after, "the bullet after")] {
            let Some((seen, there)) = seen else { continue };
            match there {
                None if seen.trim().is_empty() => {}
                Some(there) if !seen.trim().is_empty() => healed.extend(self.begins(there, seen, which)?),
                other => {
                    let what = Target::Bullet(match other {
                        Some(_) => format!("has no {}", which.trim_start_matches("the ")).into(),
                        None => format!("is {which} and starts with `{seen}`").into(),
                    });
                    return Err(other_text(other.unwrap_or(bullet), seen, what).into());
                }
            }
        }
        Ok(healed)
    }

    /// Checks that the content of a bullet begins with `seen`.
    fn begins(&self, bullet: BulletRef<'a>, seen: &str, which: &str) -> Result<Vec<Leniency>, LocateError> {
        let test = BulletTest::StartsWith(seen.into());
        let found = bullets_by_tests(&self.bullets.names, &[bullet], std::slice::from_ref(&test));
        if found.at.is_empty() {
            let what = if which == OWN { test.to_string() } else { format!("is {which} and {test}") };
            let what = Target::Bullet(what.into());
            return Err(other_text(bullet, seen, what));
        }
        Ok(found.healed)
    }
}

/// Returns the refusal of an edit in a reserved section; `None` if the bullet is in no such section.
fn reserved(bullet: BulletRef<'_>) -> Option<Refusal> {
    let section = bullet.doc().reserved_section_at(bullet.line.start())?.reserved_name()?.to_owned();
    let what = "the edit would change the text of a reserved section".into();
    Some(EditError::ReservedSection { section, what }.into())
}

/// Returns true if a selector names a bullet only by its index in a list that was not shown as a whole.
fn counts_unseen<'a>(selector: &Selector, plan: &BulletPlan<'a>, within: Scope<'a>) -> bool {
    let is_named = selector.key().is_some() || selector.says.iter().any(|test| test.text().is_some());
    let list = selector.index.filter(|_| !is_named).and_then(|_| selector.scope(&plan.names, within).ok());
    list.is_some_and(|list| is_unseen(plan, list.at))
}

/// Returns true if a list was not shown as a whole.
fn is_unseen(plan: &BulletPlan<'_>, list: Scope<'_>) -> bool {
    let known = plan.view.known.filter(|known| known.believed() == plan.doc());
    known.is_some_and(|known| known.has_unseen(list.span(known.believed())))
}

/// Finds the one bullet that a selector names. A selector without a list looks in `within`.
pub(super) fn select<'a>(
    selector: &Selector,
    plan: &BulletPlan<'a>,
    within: Scope<'a>,
) -> Result<Found<BulletRef<'a>>, Refusal> {
    check_selector(selector, &plan.view, within)?;
    let mut found = selector.find(&plan.names, within);
    if let Err(LocateError::Ambiguous { matches, .. }) = &mut found {
        matches.replace_keys(|key| plan.view.check_key(key).is_ok());
    }
    Ok(found?)
}

/// Refuses a selector with an empty text, with an index but no list in which it counts, or with a key whose number may
/// have changed.
pub(super) fn check_selector(selector: &Selector, view: &View<'_>, within: Scope<'_>) -> Result<(), Refusal> {
    let doc = view.doc;
    selector.key().map_or(Ok(()), |key| view.check_key(key))?;
    for test in &selector.says {
        let argument = match test {
            BulletTest::Contains(text) if text.trim().is_empty() => Argument::Contains,
            BulletTest::StartsWith(text) if text.trim().is_empty() => Argument::StartsWith,
            _ => continue,
        };
        return Err(Refusal::invalid(argument, "a text", "an empty text"));
    }
    let Some(index) = selector.index else { return Ok(()) };
    let has_lists = !(doc.outline().sections.is_empty() && doc.outline().blocks.is_empty());
    if within == Scope::Document && has_lists && selector.names_no_list() {
        let expected = "a section or block beside the index, which counts its bullets";
        return Err(Refusal::invalid(Argument::Index, expected, "neither"));
    }
    check_base(doc, index)
}

/// Refuses an index below the base, or in a list that was not shown as a whole, as the place of a bullet.
pub(super) fn check_index(plan: &BulletPlan<'_>, list: Scope<'_>, index: i64) -> Result<(), Refusal> {
    check_base(plan.doc(), index)?;
    if is_unseen(plan, list) { Err(Refusal::too_thin(UNSEEN)) } else { Ok(()) }
}

/// Refuses an index below the index base of the policy, which is 0 or 1.
fn check_base(doc: &MemoryDoc, index: i64) -> Result<(), Refusal> {
    let base = doc.policy().index_base;
    let expected = if base == 0 { "an index of 0 or more" } else { "an index of 1 or more" };
    let is_below = i64::try_from(base).is_ok_and(|base| index < base);
    if is_below { Err(Refusal::invalid(Argument::Index, expected, index.to_string())) } else { Ok(()) }
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
        Ok(_) if counts_unseen(selector, plan, scope) => return Err(Refusal::too_thin(UNSEEN)),
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
