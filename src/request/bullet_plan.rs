//! A plan of changes to bullets that is being made: what the parts of a request do to them, and what becomes of parts that fail.
//!
//! Each part may look at every bullet, so that their product is bounded, and help is looked for only for the first that fail.

use std::collections::HashMap;

use super::claims::{Claim, Claims};
use super::new_bullet::{Addition, tags_taken};
use super::{Argument, BulletRefusal, Failure, Refusal, RequestError, literal_escape};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{BulletChanges, BulletPlace, Item, Mark};
use crate::edit::guard::Indented;
use crate::edit::{EditBuilder, Part, PartStatus, Warning};
use crate::locate::{Found, HELPED, Names, Rung, unescape};
use crate::text::sort_by_key;

/// How many bullets all parts of a request may look at together.
const LOOKS: usize = 1_000_000;

/// What the parts of one request do to the bullets of a document.
pub(super) struct BulletPlan<'a> {
    pub(super) names: Names<'a>,
    pub(super) changes: BulletChanges<'a>,
    claims: Claims<'a>,
    /// What is inserted so far.
    pub(super) additions: Vec<Addition<'a>>,
    indented: Indented,
    /// Whether a text has been warned of that holds `\\n` literally: once is enough.
    is_warned: bool,
}

impl<'a> BulletPlan<'a> {
    /// Begins the plan of a request of so many parts.
    ///
    /// # Errors
    ///
    /// Looking for so many would take too long in a document of this size.
    pub(super) fn new(doc: &'a MemoryDoc, parts: usize) -> Result<Self, RequestError> {
        let bullets = doc.outline().bullets().len();
        // Parts are compared with one another, too.
        if parts.saturating_mul(bullets.max(parts)) > LOOKS {
            return Err(RequestError::of(0, Refusal::TooManyParts { parts, bullets }));
        }
        let (names, changes) = (Names::new(doc), BulletChanges::new(doc));
        let (claims, indented) = (Claims::default(), Indented::default());
        Ok(Self { names, changes, claims, additions: Vec::new(), indented, is_warned: false })
    }

    pub(super) fn doc(&self) -> &'a MemoryDoc {
        self.names.doc()
    }

    /// Notes what a part does with a bullet.
    pub(super) fn claim(&mut self, part: usize, bullet: BulletRef<'a>, claim: Claim) -> Result<(), Refusal> {
        self.claims.claim(bullet, part, claim)
    }

    /// Returns a part that removes a bullet or gives it another text.
    pub(super) fn taker(&self, bullet: BulletRef<'a>) -> Option<usize> {
        self.claims.taker(bullet)
    }

    /// Reports whether a part does anything with a bullet.
    pub(super) fn is_changed(&self, bullet: BulletRef<'a>) -> bool {
        self.claims.is_claimed(bullet)
    }

    /// Notes that a part moves a bullet, below another one if there is any.
    pub(super) fn claim_move(
        &mut self,
        part: usize,
        bullet: BulletRef<'a>,
        below: Option<BulletRef<'a>>,
    ) -> Result<(), Refusal> {
        self.claims.claim_move(bullet, part, below)
    }

    /// Writes what `read` makes of a text over the content of a bullet.
    pub(super) fn update(
        &mut self,
        part: usize,
        found: Found<BulletRef<'a>>,
        text: &str,
        read: impl FnOnce(&str, &BulletPlace) -> Result<Item, Refusal>,
    ) -> Result<Part, Refusal> {
        // What was sought with escapes is written with escapes, too.
        let text = if found.healed.contains(&Rung::Escapes) { unescape(text) } else { text.into() };
        let item = read(&text, &self.changes.place_of(found.at, &text))?;
        self.indent(item.line_count() - 1, found.at.indentation().len())?;
        self.claim(part, found.at, Claim::Update(item.groups.concat()))?;
        let status = self.changes.update(part, found.at, &item);
        let healed = [&*found.healed, item.healed()].concat();
        let warnings = tags_taken(&item).into_iter().chain(self.literal_escape(item.folded_content()));
        Ok(Part::new(status).with_healed(healed).with_warnings(warnings))
    }

    /// Removes a bullet that has no children.
    pub(super) fn delete(&mut self, part: usize, found: Found<BulletRef<'a>>) -> Result<Part, Refusal> {
        let nested = || self.doc().bullets_within(found.at.extent).skip(1);
        let count = nested().count();
        if count > 0 {
            let are_changed = nested().any(|child| self.is_changed(child));
            return Err(BulletRefusal::HasChildren { line: found.at.line_number(), count, are_changed }.into());
        }
        self.claim(part, found.at, Claim::Delete)?;
        self.changes.remove(part, found.at);
        Ok(Part::new(PartStatus::Applied).with_healed(found.healed))
    }

    /// Notes that so many lines are written behind an indentation of so many bytes.
    ///
    /// # Errors
    ///
    /// The document would be far too large for it.
    pub(super) fn indent(&mut self, lines: usize, indentation: usize) -> Result<(), Refusal> {
        Ok(self.indented.add(self.names.doc(), lines, indentation)?)
    }

    /// Warns of the first content that holds `\\n` literally, where the document holds none.
    pub(super) fn literal_escape(&mut self, content: &str) -> Option<Warning> {
        if self.is_warned {
            return None;
        }
        let warning = literal_escape(self.doc(), &[content]);
        // What the document holds is looked for once as well.
        self.is_warned = content.contains("\\n");
        warning
    }

    /// Writes a new bullet, and returns what its editor should know.
    pub(super) fn add(&mut self, addition: Addition<'a>) -> Result<Option<Warning>, Refusal> {
        if let Some(parent) = addition.new.spot.parent() {
            self.claim(addition.part, parent, Claim::Fill)?;
        }
        let spot = addition.new.spot;
        self.indent(addition.new.item.line_count(), spot.indentation())?;
        addition.new.clone().insert(&mut self.changes, addition.part);
        let warning = self.literal_escape(addition.new.item.folded_content());
        self.additions.push(addition);
        Ok(warning)
    }

    /// Makes the marks that parts have asked for, notes in `parts` what became of them, and returns those that cannot be made.
    fn make_marks(&mut self, parts: &mut [(usize, Part)]) -> Vec<Failure> {
        let mut marked = HashMap::new();
        for made in self.changes.make_marks() {
            // Of several marks of one part, one that does something tells what became of it.
            match marked.get_mut(&made.part) {
                None => drop(marked.insert(made.part, made)),
                Some(known) if made.status == PartStatus::Applied => *known = made,
                Some(_) => {}
            }
        }
        let mut failures = Vec::new();
        for (number, part) in parts {
            let Some(made) = marked.remove(number) else { continue };
            part.status = made.status;
            let (argument, fix) = match made.mark {
                Mark::Remove(_) => (Argument::Tags, "tags beside which no tag is left alone that reads as a checkbox"),
                _ => (Argument::Bullets, "a bullet without a tag that would read as a checkbox"),
            };
            let refusal = |tag: String| Failure::new(*number, Refusal::invalid(argument, fix, tag));
            failures.extend(made.checkbox.map(refusal));
        }
        failures
    }

    /// Writes the parts of the request, and all that they do.
    pub(super) fn compose(self, parts: impl IntoIterator<Item = Part>, edit: &mut EditBuilder) {
        for part in parts {
            edit.part(part);
        }
        self.changes.compose(edit);
    }
}

/// Who plans a request whose parts change bullets.
pub(super) trait PlanParts<'a> {
    /// A part, as it is asked for.
    type Asked: ?Sized;

    /// Returns what is planned so far.
    fn bullets(&mut self) -> &mut BulletPlan<'a>;

    /// Plans one part.
    fn part(&mut self, number: usize, asked: &Self::Asked) -> Result<Part, Refusal>;

    /// Plans these parts, each with its number, in their order, and returns them in the request's.
    fn parts(&mut self, asked: &[(usize, &Self::Asked)]) -> Result<Vec<(usize, Part)>, RequestError> {
        let (mut parts, mut failures) = (Vec::new(), Vec::new());
        self.bullets().names.withhold_help();
        for (number, asked) in asked {
            match self.part(*number, asked) {
                Ok(part) => parts.push((*number, part)),
                Err(refusal) => failures.push(Failure::new(*number, refusal)),
            }
        }
        failures.extend(self.bullets().claims.uprooted());
        failures.extend(self.bullets().make_marks(&mut parts));
        sort_by_key(&mut failures, |failure| failure.part);
        self.bullets().names.give_help();
        for failure in failures.iter_mut().take(HELPED) {
            let Some((_, asked)) = asked.iter().find(|(number, _)| *number == failure.part) else { continue };
            if let (Refusal::Locate(_), Err(helped @ Refusal::Locate(_))) =
                (&failure.refusal, self.part(failure.part, asked))
            {
                failure.refusal = helped;
            }
        }
        sort_by_key(&mut parts, |(number, _)| *number);
        RequestError::from_failures(failures).map_or(Ok(parts), Err)
    }
}
