//! What the parts of one request do to bullets: two parts may change the same bullet if they change different things of it,
//! such as its text and its tags.

use litemap::LiteMap;

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

/// The refusal of two parts that cannot be made together on a bullet.
pub(super) fn refusal(bullet: BulletRef<'_>, part: usize, other: usize) -> Refusal {
    let (line, first, second) = (bullet.line_number(), part.min(other) + 1, part.max(other) + 1);
    let why = format!(
        "parts {first} and {second} cannot be made together on the bullet of line {line}: both change the same \
         thing of it, one deletes or moves it or a bullet around it, or one writes beside it and the other leaves or \
         lifts it there"
    );
    Refusal::impossible(Code::OverlappingEdits, why)
}

/// What the parts of one request change.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    claims: LiteMap<BulletRef<'a>, Vec<(usize, Claim)>>,
}

impl<'a> Claims<'a> {
    /// Notes what `part` does with a bullet.
    ///
    /// # Errors
    ///
    /// Another part changes the same of it, or takes it away.
    pub(super) fn claim(&mut self, bullet: BulletRef<'a>, part: usize, claim: Claim) -> Result<(), Refusal> {
        let claims = self.claims.entry(bullet).or_default();
        if let Some((other, _)) = claims.iter().find(|(other, before)| *other != part && before.clashes_with(claim)) {
            return Err(refusal(bullet, *other, part));
        }
        claims.push((part, claim));
        Ok(())
    }

    /// Returns the parts that change what is nested in a bullet which another part deletes or moves.
    pub(super) fn uprooted(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        // The bullets around the one that is looked at, from the outermost: where each ends, and the part that takes it.
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
    /// Returns the claims of a part that adds or removes these tags; a tag may be given by its name alone.
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
            Mark::Checkbox(_) => vec![Self::Checkbox],
            Mark::Unpin => vec![Self::Pin],
        }
    }

    /// Returns true if both cannot be made.
    fn clashes_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Neighbor, Self::Neighbor) => false,
            (Self::Neighbor, Self::Place) | (Self::Place, Self::Neighbor) => true,
            (one, other) => one == other || one == Self::Whole || other == Self::Whole,
        }
    }
}
