//! Claims: what the parts of one request change in bullets. Two parts may change the same bullet if they change different
//! things, such as its text and its tags.

use litemap::LiteMap;

use super::{Failure, Refusal};
use crate::document::{BulletRef, is_lifetime, is_pin};
use crate::edit::compose::Mark;
use crate::locate::Code;

/// What a part changes in a bullet, or needs unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Text,
    Tags,
    Checkbox,
    Pin,
    Lifetime,
    /// The part moves the bullet.
    Place,
    /// The part deletes the bullet.
    Whole,
    /// The part writes beside or below the bullet.
    Neighbor,
}

/// The refusal of two parts that conflict at a bullet.
pub(super) fn refusal(bullet: BulletRef<'_>, part: usize, other: usize) -> Refusal {
    let (line, first, second) = (bullet.line_number(), part.min(other) + 1, part.max(other) + 1);
    let why = format!(
        "parts {first} and {second} cannot be made together on the bullet of line {line}: both change the same \
         thing of it, one deletes or moves it or a bullet around it, or one writes beside it and the other leaves or \
         lifts it there"
    );
    Refusal::impossible(Code::OverlappingEdits, why)
}

/// The claims of all parts of one request, by bullet.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    claims: LiteMap<BulletRef<'a>, Vec<(usize, Claim)>>,
}

impl<'a> Claims<'a> {
    /// Records that `part` makes this claim on a bullet.
    ///
    /// # Errors
    ///
    /// The claim conflicts with that of another part: for example, both change the text, or one deletes the bullet.
    pub(super) fn claim(&mut self, bullet: BulletRef<'a>, part: usize, claim: Claim) -> Result<(), Refusal> {
        let claims = self.claims.entry(bullet).or_default();
        if let Some((other, _)) = claims.iter().find(|(other, before)| *other != part && before.clashes_with(claim)) {
            return Err(refusal(bullet, *other, part));
        }
        claims.push((part, claim));
        Ok(())
    }

    /// Returns a failure for each part that claims a bullet nested in one that another part deletes or moves.
    pub(super) fn nested_conflicts(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        // The bullets around the current one that a part deletes or moves, outermost first: the end of each, and the part.
        let mut around: Vec<(usize, usize)> = Vec::new();
        for (bullet, claims) in &self.claims {
            around.retain(|(end, _)| *end > bullet.line.start());
            for (part, _) in claims {
                if let Some((_, root)) = around.iter().find(|(_, root)| root != part) {
                    failures.push(Failure::new(*part, refusal(*bullet, *part, *root)));
                }
            }
            let takes = claims.iter().filter(|(_, claim)| matches!(claim, Claim::Whole | Claim::Place));
            around.extend(takes.map(|(part, _)| (bullet.extent.end(), *part)));
        }
        failures
    }
}

impl Claim {
    /// Returns the claims of a part that adds or removes these tags. A tag to remove may be only a name, such as `ttl`.
    pub(super) fn of_tags(tags: &[String]) -> Vec<Self> {
        let claim = |tag: &String| match tag.as_str() {
            tag if is_pin(tag) => Self::Pin,
            tag if is_lifetime(tag) || is_lifetime(&format!("{tag}:")) => Self::Lifetime,
            _ => Self::Tags,
        };
        tags.iter().map(claim).collect()
    }

    /// Returns the claims of a part that makes this mark.
    pub(super) fn of_mark(mark: &Mark) -> Vec<Self> {
        match mark {
            Mark::Add(tags) | Mark::Remove(tags) => Self::of_tags(tags),
            Mark::Checkbox(_) => vec![Self::Checkbox],
            Mark::Unpin => vec![Self::Pin],
        }
    }

    /// Returns true if two parts cannot make these claims on the same bullet.
    fn clashes_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Neighbor, Self::Neighbor) => false,
            (Self::Neighbor, Self::Place) | (Self::Place, Self::Neighbor) => true,
            (one, other) => one == other || one == Self::Whole || other == Self::Whole,
        }
    }
}
