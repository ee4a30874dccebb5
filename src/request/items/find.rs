//! Which bullet an edit means: its selector, and what its editor saw there.

use super::super::{Enough, Refusal};
use super::plan::Planner;
use super::{Evidence, ItemEdit, ItemOp};
use crate::document::BulletRef;
use crate::edit::compose::are_siblings;
use crate::locate::{BulletTest, Code, Found, Leniency, LocateError, Scope, Target, bullets_by_tests, stands_there};

/// How the bullet itself is called, beside its neighbors.
const OWN: &str = "the bullet";

impl<'a> Planner<'a> {
    /// Finds the bullet that an edit names, and compares it with what was seen.
    pub(super) fn find(&self, edit: &ItemEdit) -> Result<Found<BulletRef<'a>>, Refusal> {
        if edit.target.names_no_bullet() && edit.evidence.is_none() {
            return Err(Refusal::impossible(Code::InvalidArguments, "no bullet is named"));
        }
        let mut found = edit.target.find(self.names(), Scope::Document)?;
        self.check_care(edit)?;
        found.healed.extend(self.check_evidence(edit, found.at)?);
        Ok(found)
    }

    /// Returns true if the target counts bullets of a list that was not shown as a whole.
    fn counts_unseen(&self, edit: &ItemEdit) -> bool {
        let list = || edit.target.scope(self.names(), Scope::Document).ok();
        let known = self.known.filter(|known| edit.target.index.is_some() && known.believed() == self.doc());
        known.zip(known.and_then(|_| list())).is_some_and(|(known, list)| known.has_unseen(list.at.span(self.doc())))
    }

    /// Refuses to update or delete what is named by an index alone; under a strict policy, by a text alone too.
    pub(super) fn check_care(&self, edit: &ItemEdit) -> Result<(), Refusal> {
        let (doc, target) = (self.doc(), &edit.target);
        let is_in_care = matches!(edit.op, ItemOp::Update { .. } | ItemOp::Upsert { .. } | ItemOp::Delete { .. });
        if !is_in_care && !self.counts_unseen(edit) {
            return Ok(());
        }
        let has_text = target.says.iter().any(|test| test.text().is_some());
        let is_enough = match doc.policy().strict {
            _ if !edit.evidence.is_none() || target.key().is_some() => true,
            true => self.has_unique_tag(edit)?,
            false => has_text || target.index.is_none(),
        };
        if is_enough {
            return Ok(());
        }
        Err(Refusal::ContextTooThin { enough: if has_text { Enough::BesideText } else { Enough::BesideIndex } })
    }

    fn has_unique_tag(&self, edit: &ItemEdit) -> Result<bool, Refusal> {
        let is_tag = |test: &&BulletTest| matches!(test, BulletTest::Tag(_));
        let Some(tag) = edit.target.says.iter().find(is_tag) else { return Ok(false) };
        let doc = self.doc();
        let span = edit.target.scope(self.names(), Scope::Document)?.at.span(doc);
        let bullets: Vec<_> = doc.bullets_within(span).collect();
        Ok(bullets_by_tests(self.names(), &bullets, std::slice::from_ref(tag)).at.len() == 1)
    }

    /// Compares the bullet and its neighbors with what was seen.
    fn check_evidence(&self, edit: &ItemEdit, bullet: BulletRef<'a>) -> Result<Vec<Leniency>, Refusal> {
        let Evidence { expect, before, after } = &edit.evidence;
        let expect = expect.as_ref().filter(|expect| !expect.trim().is_empty());
        let siblings: Vec<_> = siblings(bullet).collect();
        let own = siblings.iter().position(|sibling| *sibling == bullet);
        let sibling = |place: Option<usize>| place.and_then(|place| siblings.get(place)).copied();
        let mut healed = Vec::new();
        for (seen, there, which) in [
            (expect, Some(bullet), OWN),
            (before.as_ref(), sibling(own.and_then(|own| own.checked_sub(1))), "the bullet before"),
            (after.as_ref(), sibling(own.map(|own| own + 1)), "the bullet after"),
        ] {
            let Some(seen) = seen else { continue };
            match there {
                None if seen.trim().is_empty() => {}
                Some(there) if !seen.trim().is_empty() => healed.extend(self.begins(there, seen, which)?),
                other => {
                    let what = Target::Bullet(match other {
                        Some(_) => format!("has no {}", which.trim_start_matches("the ")).into(),
                        None => format!("is {which} and starts with `{seen}`").into(),
                    });
                    return Err(stands_there(other.unwrap_or(bullet), seen, what).into());
                }
            }
        }
        Ok(healed)
    }

    /// Checks that the content of a bullet begins with `seen`.
    fn begins(&self, bullet: BulletRef<'a>, seen: &str, which: &str) -> Result<Vec<Leniency>, LocateError> {
        let test = BulletTest::StartsWith(seen.into());
        let found = bullets_by_tests(self.names(), &[bullet], std::slice::from_ref(&test));
        if found.at.is_empty() {
            let what = if which == OWN { test.to_string() } else { format!("is {which} and {test}") };
            let what = Target::Bullet(what.into());
            return Err(stands_there(bullet, seen, what));
        }
        Ok(found.healed)
    }
}

/// Iterates over the bullets of the list that a bullet stands in.
fn siblings(bullet: BulletRef<'_>) -> impl Iterator<Item = BulletRef<'_>> {
    bullet.doc().bullets().filter(move |other| are_siblings(*other, bullet))
}
