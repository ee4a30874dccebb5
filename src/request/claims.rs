//! Which parts of a request may change one bullet together: those that each change another thing of it.

use std::collections::BTreeMap;

use super::{Failure, Refusal};
use crate::document::{BulletRef, is_lifetime, is_pin};
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
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clash {
    /// Both say the same kind of thing of it.
    Twice,
    /// One deletes it, or what it is nested in.
    Deleted,
    /// One moves it, or what it is nested in.
    Moved,
}

impl Clash {
    fn refusal(self, bullet: BulletRef<'_>, part: usize, other: usize) -> Refusal {
        let line = bullet.line_number();
        let why = match self {
            Self::Twice => format!("both change the same of the bullet on line {line}"),
            Self::Deleted => {
                format!("one changes the bullet on line {line}, the other deletes it or what it is nested in")
            }
            Self::Moved => format!("one needs the place of the bullet on line {line}, the other moves what is there"),
        };
        let (first, second) = (part.min(other) + 1, part.max(other) + 1);
        let parts = format!("parts {first} and {second} cannot be made together: {why}");
        Refusal::impossible(Code::OverlappingEdits, parts)
    }
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
                return Err(clash.refusal(bullet, *other, part));
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
                    failures.push(Failure::new(*part, clash.refusal(*bullet, *part, *root)));
                }
            }
            around.extend(claims.iter().filter_map(|(part, claim)| match claim {
                Claim::Whole => Some((bullet.extent.end(), *part, Clash::Deleted)),
                Claim::Place => Some((bullet.extent.end(), *part, Clash::Moved)),
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

    /// Returns why both cannot be made.
    fn clash(self, other: Self) -> Option<Clash> {
        match (self, other) {
            (Self::Neighbor, Self::Neighbor) => None,
            (one, other) if one == other => Some(Clash::Twice),
            (Self::Whole, _) | (_, Self::Whole) => Some(Clash::Deleted),
            (Self::Neighbor, Self::Place) | (Self::Place, Self::Neighbor) => Some(Clash::Moved),
            _ => None,
        }
    }
}
