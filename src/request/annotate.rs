//! `pin_items`, `unpin_items`, `set_ttl`, `clear_ttl`: annotations of bullets.
//!
//! All targets of a request are located in the document as it was seen, and annotated together. What is not obvious:
//!
//! - Only the tag `pinned` is written and removed, whatever other tags the policy protects.
//! - A group of pin and TTL that does not stand first stays where it is; an annotation that is new goes into a group before it.
//! - A bare index is enough: what a bullet says stays as it is.
//! - A `since` without a TTL is another date: an end leaves it where it is, and a TTL takes its place.
//! - An end that has passed is written, and warned of: what is recorded late is as true as what is recorded in time.
//! - A TTL that is set again with the same words counts from then on; on the same day, or in the same second, nothing changes.
//! - A TTL of no time is refused.

use super::bound::check_parts;
use super::claims::{Claim, Claims};
use super::{Argument, Failure, Refusal, Request, RequestError, View};
use crate::document::Expiry;
use crate::edit::compose::BulletChanges;
use crate::edit::{Edit, EditBuilder, Part, Warning};
use crate::locate::{HELPED, Names, Scope, Selector};
use crate::text::Timestamp;

/// Pins bullets, lets them expire, or takes either back.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, View, locate::Selector, request::Annotate, request::Annotation};
///
/// let doc = MemoryDoc::parse("## Facts\n- [work] Lives in Denver\n");
/// let target = Selector::in_section("Facts").containing("Denver");
/// let view = View::current(&doc, "2026-11-21".parse()?);
/// let edit = Annotate::new(Annotation::SetTtl("7d".parse()?), [target]).plan(&view)?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
/// assert_eq!(commit.doc.text(), "## Facts\n- [ttl: 7d, since: 2026-11-21] [work] Lives in Denver\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Annotate {
    /// The bullets, each a part of the request.
    pub targets: Vec<Selector>,
    /// What becomes of each.
    pub annotation: Annotation,
}

/// What becomes of a bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Annotation {
    /// It is pinned.
    Pin,
    /// It is no longer pinned.
    Unpin,
    /// It expires then.
    SetTtl(Expiry),
    /// It does not expire.
    ClearTtl,
}

/// What is annotated so far.
struct Annotated<'a> {
    names: Names<'a>,
    changes: BulletChanges<'a>,
    claims: Claims<'a>,
    now: Timestamp,
}

impl Annotate {
    /// Creates the request for these bullets.
    pub fn new(annotation: Annotation, targets: impl IntoIterator<Item = Selector>) -> Self {
        Self { targets: targets.into_iter().collect(), annotation }
    }

    /// Finds a target and annotates it.
    fn part<'a>(&self, number: usize, target: &Selector, annotated: &mut Annotated<'a>) -> Result<Part, Refusal> {
        let Annotated { names, changes, claims, now } = annotated;
        let (found, now) = (target.find(names, Scope::Document)?, *now);
        claims.claim(found.at, number, Claim::Annotate)?;
        let status = match &self.annotation {
            Annotation::Pin => changes.pin(number, found.at),
            Annotation::Unpin => changes.unpin(number, found.at),
            Annotation::SetTtl(expiry) => changes.keep_for(number, found.at, &expiry.tags(now)),
            Annotation::ClearTtl => changes.keep_forever(number, found.at),
        };
        if let Some(tag) = changes.made_checkbox(found.at) {
            return Err(Refusal::invalid(
                Argument::Bullets,
                "a bullet without a tag that would read as a checkbox",
                tag,
            ));
        }
        let end = if let Annotation::SetTtl(expiry) = &self.annotation { Some(expiry.end(now)) } else { None };
        let expired = end.filter(|end| *end <= now).map(|end| Warning::Expired { end });
        Ok(Part::new(status).with_healed(found.healed).with_warnings(expired))
    }
}

impl Request for Annotate {
    fn depends_on_places(&self) -> bool {
        self.targets.iter().any(Selector::is_bare_index)
    }

    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        if self.targets.is_empty() {
            return Err(Refusal::invalid(Argument::Bullets, "at least one selector", "none").into());
        }
        if let Annotation::SetTtl(expiry) = &self.annotation
            && expiry.is_nothing()
        {
            return Err(Refusal::invalid(Argument::Lifetime, "a duration of more than 0", format!("`{expiry}`")).into());
        }
        check_parts(self.targets.len(), view.doc)?;
        let (names, changes) = (Names::new(view.doc), BulletChanges::new(view.doc));
        let mut annotated = Annotated { names, changes, claims: Claims::default(), now: view.now };
        let mut edit = EditBuilder::new(view.doc);
        let mut failures = Vec::new();
        for (number, target) in self.targets.iter().enumerate() {
            match self.part(number, target, &mut annotated) {
                Ok(part) => {
                    edit.part(part);
                }
                Err(refusal) => failures.push(Failure::new(number, refusal)),
            }
            if failures.len() >= HELPED {
                annotated.names.withhold_help();
            }
        }
        RequestError::from_failures(failures).map_or(Ok(()), Err)?;
        annotated.changes.compose(&mut edit);
        Ok(edit.finish()?)
    }
}
