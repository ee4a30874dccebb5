//! [`BulletPlan`]: collects what the parts of a request do to bullets, and which parts fail. Two parts may change the
//! same bullet if they change different things, such as its text and its tags (see [`Claims`]).
//!
//! Each part may look at every bullet, so that the number of parts times bullets is limited. Only the first parts
//! that fail get help.

use std::borrow::Cow;
use std::cell::OnceCell;

use litemap::LiteMap;

use super::claims::{Claim, Claims, refusal};
use super::duplicates::{Fact, FactWords, WordIndex, near_duplicates};
use super::graft::graft;
use super::rewrite::plural;
use super::{Argument, Failure, Refusal, RequestError, View};
use crate::document::{BulletRef, ItemText, MemoryDoc, end_of, missing_start};
use crate::edit::compose::{BulletChanges, BulletPlace, Item, NewBlock, Spot, Tags, add_blocks, check_open_fence};
use crate::edit::guard::check_growth;
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Warning};
use crate::locate::{Code, Found, HELPED, Leniency, Names, Scope, normal_line, unescape};
use crate::text::fold_signs;

/// How many bullets all parts of a request may look at together.
const LOOKS: usize = 1_000_000;

/// What the parts of one request do to the bullets of a document.
pub(super) struct BulletPlan<'a> {
    pub(super) names: Names<'a>,
    pub(super) changes: BulletChanges<'a>,
    claims: Claims<'a>,
    /// The places at which bullets are written, with the parts that write there.
    written: LiteMap<ListPlace<'a>, Vec<usize>>,
    /// The bullets that already are where a part moves them.
    in_place: Vec<InPlace<'a>>,
    /// The bullets that are inserted so far.
    additions: Vec<(FactWords, Addition<'a>)>,
    /// The updates so far: the part, the bullet and its new content.
    updates: Vec<(usize, BulletRef<'a>, String)>,
    /// The number of bytes of indentation that are written so far.
    indentation: usize,
    words: OnceCell<WordIndex<'a>>,
    /// The parts that are planned so far, by their numbers.
    parts: LiteMap<usize, Part>,
    failures: Vec<Failure>,
    pub(super) view: View<'a>,
}

impl<'a> BulletPlan<'a> {
    /// Creates the plan of a request with this number of parts.
    ///
    /// # Errors
    ///
    /// Planning so many parts would take too long in a document of this size.
    pub(super) fn new(view: &View<'a>, parts: usize) -> Result<Self, RequestError> {
        let doc = view.doc;
        let bullets = doc.outline().bullets.len();
        // Parts are also compared with one another.
        if parts.saturating_mul(bullets.max(parts)) > LOOKS {
            return Err(too_many(parts, bullets).into());
        }
        Ok(Self {
            names: Names::new(doc),
            changes: BulletChanges::new(doc),
            claims: Claims::default(),
            written: LiteMap::new_vec(),
            in_place: Vec::new(),
            additions: Vec::new(),
            updates: Vec::new(),
            indentation: 0,
            words: OnceCell::new(),
            parts: LiteMap::new_vec(),
            failures: Vec::new(),
            view: *view,
        })
    }

    pub(super) fn doc(&self) -> &'a MemoryDoc {
        self.names.doc()
    }

    /// Records that a part makes this claim on a bullet.
    pub(super) fn claim(&mut self, part: usize, bullet: BulletRef<'a>, claim: Claim) -> Result<(), Refusal> {
        self.claims.claim(bullet, part, claim)
    }

    /// Replaces the content of a bullet by `text`, as `read` reads it.
    pub(super) fn update(
        &mut self,
        part: usize,
        found: Found<BulletRef<'a>>,
        text: &str,
        read: impl FnOnce(&str, &BulletPlace) -> Result<Item, Refusal>,
    ) -> Result<Part, Refusal> {
        let item = self.started(read(text, &self.changes.place_of(found.at, text))?)?;
        self.indent(item.line_count() - 1, found.at.indentation().len())?;
        self.claim(part, found.at, Claim::Text)?;
        if item.checkbox.is_some() {
            self.claim(part, found.at, Claim::Checkbox)?;
        }
        let tags: Vec<String> = item.tags.iter().map(str::to_owned).collect();
        if !tags.is_empty() {
            self.claim(part, found.at, Claim::Tags)?;
        }
        Claim::of_tags(&tags).into_iter().try_for_each(|claim| self.claim(part, found.at, claim))?;
        let status = self.changes.update(part, found.at, &item);
        let healed = [found.healed, item.healed].concat();
        if status == PartStatus::Applied {
            self.updates.push((part, found.at, item.folded_content));
        }
        Ok(Part::new(status).with_healed(healed))
    }

    /// Adds the start, which is now, of a TTL that comes without one.
    pub(super) fn started(&self, item: Item) -> Result<Item, Refusal> {
        match missing_start(&item.tags.iter().collect::<Vec<_>>(), self.view.now) {
            Some(since) => Ok(item.with_tags(&[since])?),
            None => Ok(item),
        }
    }

    /// Returns a warning if a bullet has expired, by the tags that it gets.
    pub(super) fn expired(&self, bullet: BulletRef<'a>) -> Option<Warning> {
        let tags = self.changes.text_of(bullet).tags;
        let end = end_of(&tags.iter().collect::<Vec<_>>()).filter(|end| *end <= self.view.now)?;
        Some(Warning::new("expired", format!("the bullet has been expired since {end}")))
    }

    /// Removes a bullet that has no children.
    pub(super) fn delete(&mut self, part: usize, found: Found<BulletRef<'a>>) -> Result<Part, Refusal> {
        let count = self.doc().bullets_within(found.at.extent).count().saturating_sub(1);
        if count > 0 {
            let why = format!("the bullet on line {} has {}", found.at.line_number(), plural(count, "nested bullet"));
            return Err(Refusal::impossible(Code::HasChildren, why));
        }
        self.claim(part, found.at, Claim::Whole)?;
        self.changes.remove(part, found.at);
        Ok(Part::new(PartStatus::Applied).with_healed(found.healed))
    }

    /// Removes a bullet. Its children take its place.
    pub(super) fn lift_children(&mut self, part: usize, bullet: BulletRef<'a>) {
        let in_place = |child| InPlace { part, bullet: child, spot: Spot::Before(bullet) };
        self.in_place.extend(bullet.children().next().map(in_place));
        self.changes.remove_alone(part, bullet);
    }

    /// Moves a bullet with its children to a spot, behind those that the same part has moved there. A bullet that is
    /// already there is not moved.
    pub(super) fn move_to(&mut self, part: usize, bullet: BulletRef<'a>, spot: Spot<'a>) -> PartStatus {
        let mut of_part = self.in_place.iter().rev().take_while(|in_place| in_place.part == part);
        let at = of_part.find(|last| last.spot == spot).map_or(spot, |last| Spot::After(last.bullet));
        let place = self.place(at);
        let is_in_front = place.0 >= bullet.extent.end();
        let comes_behind = self.written.get(&place).is_some_and(|parts| parts.contains(&part)) && is_in_front;
        if self.changes.is_at(bullet, at) && !comes_behind {
            self.in_place.push(InPlace { part, bullet, spot });
            return PartStatus::AlreadyApplied;
        }
        self.changes.move_to(part, bullet, at);
        self.written.entry(place).or_default().push(part);
        PartStatus::Applied
    }

    fn place(&self, spot: Spot<'a>) -> ListPlace<'a> {
        (spot.offset(self.doc()), spot.parent())
    }

    /// Returns a failure for each part whose bullet already is where it is to go, if another part writes beside that
    /// bullet: the order of both would not be clear.
    fn order_conflicts(&self) -> Vec<Failure> {
        let failure = |in_place: &InPlace<'a>| {
            let InPlace { part, bullet, spot } = *in_place;
            let parent = bullet.parent();
            let places = [self.place(spot), (bullet.extent.start(), parent), (bullet.extent.end(), parent)];
            let others = |place| self.written.get(place)?.iter().copied().filter(|other| *other != part).min();
            let other = places.iter().find_map(others)?;
            Some(Failure::new(part.max(other), refusal(bullet, part, other)))
        };
        self.in_place.iter().filter_map(failure).collect()
    }

    /// Refuses to write into a fence that nothing closes.
    pub(super) fn check_fence(&self, spot: Spot<'a>) -> Result<(), Refusal> {
        Ok(check_open_fence(self.doc(), spot.offset(self.doc()))?)
    }

    /// Adds the indentation, in bytes, of this number of lines to the sum that is written.
    ///
    /// # Errors
    ///
    /// The document would be far too large.
    pub(super) fn indent(&mut self, lines: usize, indentation: usize) -> Result<(), Refusal> {
        self.indentation = self.indentation.saturating_add(lines.saturating_mul(indentation));
        Ok(check_growth(self.names.doc(), self.indentation)?)
    }

    /// Writes a new bullet, unless it is there already.
    pub(super) fn add(&mut self, addition: Addition<'a>) -> Result<Part, Refusal> {
        let part = Part::new(PartStatus::AlreadyApplied).with_healed(addition.item.healed.clone());
        let sought = FactWords::of(Fact::of_item(&addition.item));
        if !addition.may_repeat && addition.is_there(&sought, self)? {
            return Ok(part);
        }
        self.check_fence(addition.spot)?;
        self.indent(addition.item.line_count(), addition.spot.indentation())?;
        self.changes.insert(addition.part, addition.spot, self.started(addition.item.clone())?);
        self.written.entry(self.place(addition.spot)).or_default().push(addition.part);
        self.additions.push((sought, addition));
        Ok(Part { status: PartStatus::Applied, ..part })
    }

    /// Records that a part is planned, or why it cannot be made.
    pub(super) fn record(&mut self, number: usize, planned: Result<Part, Refusal>) {
        match planned {
            Ok(part) => drop(self.parts.insert(number, part)),
            Err(refusal) => self.failures.push(Failure::new(number, refusal)),
        }
        self.names.helps.set(self.failures.len() < HELPED);
    }

    /// Composes the recorded parts and new blocks. Adds warnings for updated bullets that have expired and, unless this is
    /// a trial, for near duplicates of what a part writes.
    pub(super) fn compose(mut self, blocks: &[NewBlock]) -> Result<Edit, RequestError> {
        let mut failures = std::mem::take(&mut self.failures);
        failures.extend([self.claims.nested_conflicts(), self.order_conflicts(), self.unreadable()].concat());
        RequestError::from_failures(failures).map_or(Ok(()), Err)?;
        let (doc, mut edit) = (self.doc(), EditBuilder::new(self.view.doc));
        let expired = self.updates.iter().filter_map(|(part, own, _)| Some((*part, self.expired(*own)?)));
        let (expired, near) = (expired.collect::<Vec<_>>(), if self.view.is_trial { Vec::new() } else { self.near() });
        let misread = self.changes.compose(&mut edit);
        RequestError::from_failures(misread.into_iter().map(unclear_number).collect()).map_or(Ok(()), Err)?;
        add_blocks(doc, blocks, &mut edit);
        let edit = edit.finish()?;
        for (part, warning) in near_duplicates(doc, &edit, &near).into_iter().chain(expired) {
            if let Some(part) = self.parts.get_mut(&part) {
                part.warnings.push(warning);
            }
        }
        Ok(edit.with_parts(self.parts.into_iter().map(|(_, part)| part).collect()))
    }

    /// Returns the near duplicates: each part that writes nearly what an unchanged bullet says, with that bullet.
    fn near(&self) -> Vec<(usize, BulletRef<'a>)> {
        // An update of marks alone writes no text.
        let written = self.updates.iter().filter(|(_, own, content)| own.folded_content() != *content);
        let updated = written.map(|(part, own, content)| {
            let text = self.changes.text_of(*own);
            (*part, FactWords::of(Fact::new(content, text.checkbox.as_deref(), &text.tags)), Some(*own))
        });
        let added = self.additions.iter().map(|(sought, addition)| (addition.part, sought.clone(), None));
        let near = |(part, sought, own): (usize, FactWords, _)| {
            let stays = |bullet| Some(bullet) != own && !self.changes.changes_content(bullet);
            Some((part, self.words().near(&sought, stays)?))
        };
        updated.chain(added).filter_map(near).collect()
    }

    fn words(&self) -> &WordIndex<'a> {
        self.words.get_or_init(|| WordIndex::new(self.doc()))
    }

    /// Returns a failure for each part that changes the checkbox or tags of a bullet so that they would be read as
    /// something else.
    fn unreadable(&self) -> Vec<Failure> {
        let refusal = |(part, bullet): (usize, BulletRef<'a>)| {
            let expected =
                "tags that leave no other tag, such as `[x]`, to read as a checkbox, and none before a code fence";
            let found = format!("line {}, which would read as something else", bullet.line_number());
            Failure::new(part, Refusal::invalid(Argument::Tags, expected, found))
        };
        self.changes.unreadable().into_iter().map(refusal).collect()
    }
}

/// Returns the text to write over a bullet that was found by the texts of `sought`. If the bullet was found only without
/// the escapes of the request, `new` is unescaped too. If it was found in normal form, words that stay keep the
/// characters of the document.
pub(super) fn rewording<'t>(
    found: &Found<BulletRef<'_>>,
    sought: impl Iterator<Item = &'t str>,
    new: &'t str,
) -> Cow<'t, str> {
    let new = if found.healed.contains(&Leniency::Escapes) { unescape(new) } else { new.into() };
    if !found.healed.contains(&Leniency::Punctuation) {
        return new;
    }
    let there = found.at.wording();
    let marks = fold_signs(found.at.marks().of(found.at.doc().text()));
    let whole = |text: &str| [&*marks, ItemText::of_line(text).content].concat();
    let normal = normal_line(&there);
    let old = sought.map(whole).find(|old| normal_line(old) == normal);
    // If only a part of the bullet was sought, the rest is compared with its signs as a keyboard writes them.
    graft(&there, &old.unwrap_or_else(|| fold_signs(&there).into_owned()), &new).into()
}

/// A place in a list: its offset, and the parent of the bullets there.
type ListPlace<'a> = (usize, Option<BulletRef<'a>>);

/// A bullet that a part does not have to move, because it already is at the spot where it is to go. The first child of a
/// deleted bullet, which takes its place, is one too.
struct InPlace<'a> {
    part: usize,
    bullet: BulletRef<'a>,
    spot: Spot<'a>,
}

/// Refuses a request of too many parts for a document of so many bullets.
pub(super) fn too_many(parts: usize, bullets: usize) -> Refusal {
    let why = format!("{parts} operations at once are too many for a document of {bullets} bullets");
    Refusal::impossible(Code::InvalidArguments, why)
}

/// The failure of a part whose text begins with a number that may be the bullet's marker or part of its text.
fn unclear_number(part: usize) -> Failure {
    let why = "as other operations change the list, the number at the beginning of the text may be that of the item or a \
               part of what it says: leave the number of the item out";
    Failure::new(part, Refusal::impossible(Code::InvalidArguments, why))
}

/// A new bullet that a part of a request asks for.
#[derive(Clone)]
pub(super) struct Addition<'a> {
    pub(super) part: usize,
    /// The section or block that the bullet is added to.
    pub(super) list: Scope<'a>,
    pub(super) spot: Spot<'a>,
    pub(super) item: Item,
    /// Whether it is written even if the list has a duplicate.
    pub(super) may_repeat: bool,
}

/// Reads a text as a bullet at `spot`.
///
/// # Errors
///
/// The text brings no number, and the list at `spot` needs one; or `read` refuses the text.
pub(super) fn read_at<'a>(
    changes: &BulletChanges<'a>,
    spot: Spot<'a>,
    text: &str,
    read: impl FnOnce(&str, &BulletPlace) -> Result<Item, Refusal>,
) -> Result<Item, Refusal> {
    let place = changes.place_at(spot);
    let item = read(text, &place)?;
    if place.has_own_number && item.marker.is_none() {
        let beside = place.marker;
        let why = format!(
            "the numbers around `{beside}` do not count exactly 0 or 1, 2, 3 …, so a new bullet there must bring one"
        );
        return Err(Refusal::impossible(Code::InvalidArguments, why));
    }
    Ok(item)
}

impl<'a> Addition<'a> {
    /// Returns true if the bullet need not be written: its list has a duplicate that stays and has not expired, or another
    /// part writes one.
    ///
    /// # Errors
    ///
    /// The duplicate in the list lacks the pin or the lifetime of this bullet.
    fn is_there(&self, sought: &FactWords, plan: &BulletPlan<'a>) -> Result<bool, Refusal> {
        let words = plan.words();
        let is_like = |bullet: &BulletRef<'a>| {
            let has_marker = self.item.marker.as_deref().is_none_or(|marker| marker == bullet.marker());
            let stays = self.spot.is_beside(*bullet) && !plan.changes.changes_content(*bullet);
            let is_same = |other: &FactWords| other.fact == sought.fact && !bullet.is_expired(plan.view.now);
            has_marker && stays && words.fact_words(*bullet).is_some_and(is_same)
        };
        let alike: Vec<_> = words.candidates(sought).filter(is_like).collect();
        if let Some(first) = alike.first() {
            let missing = |bullet: BulletRef<'a>| Tags::of(bullet).missing(&self.item.tags);
            if alike.iter().any(|bullet| missing(*bullet).is_empty()) {
                return Ok(true);
            }
            let why = format!(
                "this bullet is there already, on line {}, without the pin or the lifetime that is asked for",
                first.line_number()
            );
            return Err(Refusal::impossible(Code::DuplicateBullet, why));
        }
        let is_twin = |(written, other): &(FactWords, Self)| {
            written.fact == sought.fact
                && other.list == self.list
                && other.spot.parent() == self.spot.parent()
                && other.item.marker == self.item.marker
        };
        Ok(plan.additions.iter().any(is_twin))
    }
}
