//! `pin_items`, `unpin_items`, `set_ttl`, `clear_ttl`: marks on bullets.
//!
//! All targets of a request are located in the document as it was seen, and marked together. What is not obvious:
//!
//! - Only the tag `pinned` is written and removed, whatever other tags the policy protects.
//! - A group of pin and TTL that does not stand first stays where it is; a mark that is new goes into a group before it.
//! - A bare index is enough: what a bullet says stays as it is.
//! - A `since` without a TTL is another date: an end leaves it where it is, and a TTL takes its place.
//! - An end that has passed is written, and warned of: what is recorded late is as true as what is recorded in time.
//! - A TTL that is set again with the same words counts from then on; on the same day, or in the same second, nothing changes.
//! - A TTL of no time is refused.

use super::bound::check_parts;
use super::{Failure, Refusal, Request, RequestError, View};
use crate::document::Expiry;
use crate::edit::compose::BulletChanges;
use crate::edit::{Edit, EditBuilder, Part, Warning};
use crate::locate::{HELPED, Names, Scope, Selector};
use crate::text::Timestamp;

/// Puts a mark on bullets, or takes it away.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, Mark, Marks, MemoryDoc, Request, Selector, View};
///
/// let doc = MemoryDoc::parse("## Facts\n- [work] Lives in Denver\n");
/// let target = Selector::in_section("Facts").containing("Denver");
/// let view = View::current(&doc, "2026-11-21".parse()?);
/// let edit = Marks::new(Mark::SetTtl("7d".parse()?), [target]).plan(&view)?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
/// assert_eq!(commit.doc.text(), "## Facts\n- [ttl: 7d, since: 2026-11-21] [work] Lives in Denver\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Marks {
    /// The bullets, each a part of the request.
    pub targets: Vec<Selector>,
    /// What becomes of each.
    pub mark: Mark,
}

/// What becomes of a bullet's marks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// It is pinned.
    Pin,
    /// It is no longer pinned.
    Unpin,
    /// It expires then.
    SetTtl(Expiry),
    /// It does not expire.
    ClearTtl,
}

/// The marks that are put so far.
struct Marking<'a> {
    names: Names<'a>,
    changes: BulletChanges<'a>,
    now: Timestamp,
}

impl Marks {
    /// Creates the request for these bullets.
    pub fn new(mark: Mark, targets: impl IntoIterator<Item = Selector>) -> Self {
        Self { targets: targets.into_iter().collect(), mark }
    }

    /// Finds a target and marks it.
    fn part<'a>(&self, number: usize, target: &Selector, marking: &mut Marking<'a>) -> Result<Part, Refusal> {
        let Marking { names, changes, now } = marking;
        let (found, now) = (target.find(names, Scope::Document)?, *now);
        changes.claim(number, found.at)?;
        let status = match &self.mark {
            Mark::Pin => changes.pin(number, found.at),
            Mark::Unpin => changes.unpin(number, found.at),
            Mark::SetTtl(expiry) => changes.keep_for(number, found.at, &expiry.tags(now)),
            Mark::ClearTtl => changes.keep_forever(number, found.at),
        };
        if let Some(tag) = changes.made_checkbox(found.at) {
            return Err(Refusal::InvalidArgument {
                argument: "targets",
                expected: "a bullet without a tag that would read as a checkbox",
                found: tag,
            });
        }
        let end = if let Mark::SetTtl(expiry) = &self.mark { Some(expiry.end(now)) } else { None };
        let expired = end.filter(|end| *end <= now).map(|end| Warning::Expired { end });
        Ok(Part::new(status).with_healed(found.healed).with_warnings(expired))
    }
}

impl Request for Marks {
    fn depends_on_places(&self) -> bool {
        self.targets.iter().any(Selector::is_bare_index)
    }

    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let invalid =
            |argument, expected, found| RequestError::of(0, Refusal::InvalidArgument { argument, expected, found });
        if self.targets.is_empty() {
            return Err(invalid("targets", "at least one selector", "none".to_owned()));
        }
        if let Mark::SetTtl(expiry) = &self.mark
            && expiry.is_nothing()
        {
            return Err(invalid("ttl", "a duration of more than 0", format!("`{expiry}`")));
        }
        check_parts(self.targets.len(), view.doc)?;
        let (names, changes) = (Names::new(view.doc), BulletChanges::new(view.doc));
        let mut marking = Marking { names, changes, now: view.now };
        let mut edit = EditBuilder::new(view.doc);
        let mut failures = Vec::new();
        for (number, target) in self.targets.iter().enumerate() {
            match self.part(number, target, &mut marking) {
                Ok(part) => {
                    edit.part(part);
                }
                Err(refusal) => failures.push(Failure::new(number, refusal)),
            }
            if failures.len() >= HELPED {
                marking.names.withhold_help();
            }
        }
        if let Some(error) = RequestError::from_failures(failures) {
            return Err(error);
        }
        marking.changes.compose(&mut edit);
        edit.finish().map_err(|overlap| RequestError::of(overlap.first, overlap))
    }
}
