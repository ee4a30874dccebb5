//! Which parts of a request may change one bullet together: those that can be one result.

use std::collections::BTreeMap;

use super::{Failure, Refusal};
use crate::document::BulletRef;
use crate::text::fold_white_space;

/// What a part does with a bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It writes another content, and these tags.
    Update(Vec<String>),
    /// It adds tags.
    Tag(Vec<String>),
    /// It removes tags.
    Untag(Vec<String>),
    /// It moves it.
    Move,
    /// It removes it.
    Delete,
    /// It writes a bullet among its children.
    Fill,
}

/// Why two parts that change one bullet cannot be one result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clash {
    /// Both say the same kind of thing of it.
    Twice,
    /// The second deletes it, or what it is nested in.
    Deleted,
    /// The second moves what the bullet of the first is nested in.
    Moved,
    /// One adds a tag that the other removes.
    Tag,
}

/// What the parts of one request do with bullets.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    claims: BTreeMap<BulletRef<'a>, Vec<(usize, Claim)>>,
}

impl<'a> Claims<'a> {
    /// Notes what `part` does with a bullet.
    ///
    /// # Errors
    ///
    /// Another part does what cannot be done together with it.
    pub(super) fn claim(&mut self, bullet: BulletRef<'a>, part: usize, claim: Claim) -> Result<(), Refusal> {
        let known = self.claims.entry(bullet).or_default();
        let clash = known.iter().find_map(|(other, before)| {
            let clash = before.clash(&claim)?;
            let is_ordered = matches!(clash, Clash::Deleted | Clash::Moved);
            let (first, second) = match is_ordered {
                true if before.comes_last() => (part, *other),
                true => (*other, part),
                false => (part.min(*other), part.max(*other)),
            };
            Some(Refusal::SameBullet { line: bullet.line_number(), first, second, clash })
        });
        if let Some(refusal) = clash {
            return Err(refusal);
        }
        known.push((part, claim));
        Ok(())
    }

    /// Returns the parts that change what is nested in a bullet which another part removes from its place.
    pub(super) fn uprooted(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        // The bullets around the one that is looked at, from the outermost, each with the part that removes it.
        let mut around: Vec<(usize, usize, Clash)> = Vec::new();
        for (bullet, claims) in &self.claims {
            around.retain(|(end, ..)| *end > bullet.line.start());
            for (part, claim) in claims {
                let root = around.iter().find(|(_, _, clash)| *clash == Clash::Deleted || claim.needs_place());
                if let Some((_, root, clash)) = root {
                    let (line, clash) = (bullet.line_number(), clash.clone());
                    let refusal = Refusal::SameBullet { line, first: *part, second: *root, clash };
                    failures.push(Failure::new(*part, refusal));
                }
            }
            let moved = claims.iter().find_map(|(part, claim)| match claim {
                Claim::Delete => Some((bullet.extent.end(), *part, Clash::Deleted)),
                Claim::Move => Some((bullet.extent.end(), *part, Clash::Moved)),
                _ => None,
            });
            around.extend(moved);
        }
        failures
    }
}

impl Claim {
    /// Returns why both cannot be one result.
    fn clash(&self, other: &Self) -> Option<Clash> {
        match (self, other) {
            (Self::Fill, Self::Fill) => None,
            (Self::Update(_), Self::Update(_)) | (Self::Move, Self::Move) | (Self::Delete, Self::Delete) => {
                Some(Clash::Twice)
            }
            (Self::Delete, _) | (_, Self::Delete) => Some(Clash::Deleted),
            (Self::Fill, Self::Move) | (Self::Move, Self::Fill) => Some(Clash::Moved),
            (Self::Update(added) | Self::Tag(added), Self::Untag(removed))
            | (Self::Untag(removed), Self::Update(added) | Self::Tag(added)) => {
                let is_removed = |added: &String| removed.iter().any(|removed| is_meant(added, removed));
                added.iter().any(is_removed).then_some(Clash::Tag)
            }
            _ => None,
        }
    }

    /// Reports whether it is made last where two parts are sent one after the other.
    const fn comes_last(&self) -> bool {
        matches!(self, Self::Delete | Self::Move)
    }

    /// Reports whether it needs the place where a bullet stands, not only its text.
    const fn needs_place(&self) -> bool {
        matches!(self, Self::Move | Self::Delete | Self::Fill)
    }
}

/// Reports whether `removed` names the tag `added`, in full or by what stands before its colon.
fn is_meant(added: &str, removed: &str) -> bool {
    let name = added.split_once(':').map_or(added, |(name, _)| name);
    [added, name].iter().any(|added| fold_white_space(added) == fold_white_space(removed))
}
