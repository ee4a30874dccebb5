//! Which parts of a request may change one bullet together: those that each change another thing of it.

use std::collections::BTreeMap;

use super::{Failure, Refusal};
use crate::document::{BulletRef, is_lifetime, is_pin};
use crate::edit::compose::Mark;
use crate::locate::Code;

/// What a part changes of a bullet, or needs of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Text,
    Tags,
    Checkbox,
    Pin,
    Lifetime,
    /// It moves it.
    Place,
    /// It deletes it.
    Whole,
    /// It names it as the place beside or below which it writes.
    Neighbor,
}

/// Why two parts that change one bullet cannot be one result.
type Clash = &'static str;

/// Both say the same kind of thing of it.
const TWICE: Clash = "both change it in the same way";
/// One deletes it, or what it is nested in.
const DELETED: Clash = "one changes it, the other deletes it or what it is nested in";
/// One moves it, or what it is nested in.
const MOVED: Clash = "one needs its place, the other moves what is there";

fn refusal(clash: Clash, bullet: BulletRef<'_>, part: usize, other: usize) -> Refusal {
    let (line, first, second) = (bullet.line_number(), part.min(other) + 1, part.max(other) + 1);
    let why = format!("parts {first} and {second} cannot be made together on the bullet of line {line}: {clash}");
    Refusal::impossible(Code::OverlappingEdits, why)
}

/// What the parts of one request change.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    claims: BTreeMap<BulletRef<'a>, Vec<(usize, Claim)>>,
}

impl<'a> Claims<'a> {
    /// Notes what `part` does with a bullet.
    ///
    /// # Errors
    ///
    /// Another part changes the same of it, or takes it away.
    pub(super) fn claim(&mut self, bullet: BulletRef<'a>, part: usize, claim: Claim) -> Result<(), Refusal> {
        let claims = self.claims.entry(bullet).or_default();
        for (other, before) in claims.iter().filter(|(other, _)| *other != part) {
            if let Some(clash) = before.clash(claim) {
                return Err(refusal(clash, bullet, *other, part));
            }
        }
        claims.push((part, claim));
        Ok(())
    }

    /// Returns the parts that change what is nested in a bullet which another part deletes or moves.
    pub(super) fn uprooted(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        // The bullets around the one that is looked at, from the outermost: where each ends, and the part that takes it.
        let mut around: Vec<(usize, usize, Clash)> = Vec::new();
        for (bullet, claims) in &self.claims {
            around.retain(|(end, ..)| *end > bullet.line.start());
            for (part, _) in claims {
                if let Some((_, root, clash)) = around.iter().find(|(_, root, _)| root != part) {
                    failures.push(Failure::new(*part, refusal(clash, *bullet, *part, *root)));
                }
            }
            around.extend(claims.iter().filter_map(|(part, claim)| match claim {
                Claim::Whole => Some((bullet.extent.end(), *part, DELETED)),
                Claim::Place => Some((bullet.extent.end(), *part, MOVED)),
                _ => None,
            }));
        }
        failures
    }
}

impl Claim {
    /// Returns what a change of these tags, or of those of these names, changes.
    pub(super) fn of_tags(tags: &[String]) -> Vec<Self> {
        let claim = |tag: &String| match tag.as_str() {
            tag if is_pin(tag) => Self::Pin,
            tag if is_lifetime(tag) || is_lifetime(&format!("{tag}:")) => Self::Lifetime,
            _ => Self::Tags,
        };
        tags.iter().map(claim).collect()
    }

    /// Returns what a mark changes.
    pub(super) fn of_mark(mark: &Mark) -> Vec<Self> {
        match mark {
            Mark::Add(tags) | Mark::Remove(tags) => Self::of_tags(tags),
            Mark::Check | Mark::Uncheck => vec![Self::Checkbox],
            Mark::Unpin => vec![Self::Pin],
            Mark::ClearLifetime => vec![Self::Lifetime],
        }
    }

    /// Returns why both cannot be made.
    fn clash(self, other: Self) -> Option<Clash> {
        match (self, other) {
            (Self::Neighbor, Self::Neighbor) => None,
            (one, other) if one == other => Some(TWICE),
            (Self::Whole, _) | (_, Self::Whole) => Some(DELETED),
            (Self::Neighbor, Self::Place) | (Self::Place, Self::Neighbor) => Some(MOVED),
            _ => None,
        }
    }
}
