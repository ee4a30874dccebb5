//! Which parts of a request may change one bullet together: those that can be one result.

use std::collections::{BTreeMap, HashMap};

use super::{BulletRefusal, Clash, Failure, Refusal};
use crate::document::BulletRef;
use crate::edit::compose::{folded_tag, names_of};

/// What a part does with a bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// It writes another content, and these tags.
    Update(Vec<String>),
    /// It adds tags.
    Tag(Vec<String>),
    /// It removes tags.
    Untag(Vec<String>),
    /// It pins it or lets it expire, or takes either back.
    Annotate,
    /// It moves it.
    Move,
    /// It removes it.
    Delete,
    /// It writes a bullet among its children.
    Fill,
}

/// What the parts of one request do with bullets.
#[derive(Debug, Default)]
pub(super) struct Claims<'a> {
    claims: BTreeMap<BulletRef<'a>, Claimed>,
    /// The bullets that move, each with the part that says so and the bullet that it comes below, if any.
    // Invariant: none comes below itself by them.
    moves: HashMap<BulletRef<'a>, (usize, Option<BulletRef<'a>>)>,
}

/// What the parts do with one bullet.
#[derive(Debug, Default)]
struct Claimed {
    claims: Vec<(usize, Claim)>,
    /// What the tags that come are named by, each with the first claim that brings it.
    come: HashMap<String, usize>,
    /// The names of tags that go, each with the first claim that takes it.
    go: HashMap<String, usize>,
}

impl<'a> Claims<'a> {
    /// Notes what `part` does with a bullet.
    ///
    /// # Errors
    ///
    /// Another part does what cannot be done together with it.
    pub(super) fn claim(&mut self, bullet: BulletRef<'a>, part: usize, claim: Claim) -> Result<(), Refusal> {
        let known = self.claims.entry(bullet).or_default();
        let opposed = known.opposed_to(&claim);
        let clash = known.claims.iter().enumerate().find_map(|(nth, (other, before))| {
            let clash = before.clash(&claim).or_else(|| (opposed == Some(nth)).then_some(Clash::Tag))?;
            let is_ordered = matches!(clash, Clash::Deleted | Clash::Moved);
            let (first, second) = match is_ordered {
                true if before.turn() > claim.turn() => (part, *other),
                true => (*other, part),
                false => (part.min(*other), part.max(*other)),
            };
            Some(BulletRefusal::SameBullet { line: bullet.line_number(), first, second, clash })
        });
        if let Some(refusal) = clash {
            return Err(refusal.into());
        }
        known.push(part, claim);
        Ok(())
    }

    /// Notes that `part` moves a bullet, below another one if there is any.
    ///
    /// # Errors
    ///
    /// Another part does what cannot be done together with it, before it or after it.
    pub(super) fn claim_move(
        &mut self,
        bullet: BulletRef<'a>,
        part: usize,
        below: Option<BulletRef<'a>>,
    ) -> Result<(), Refusal> {
        if let Some(other) = self.closes_circle(bullet, below) {
            let (line, first, second) = (bullet.line_number(), part.min(other), part.max(other));
            return Err(BulletRefusal::SameBullet { line, first, second, clash: Clash::Circle }.into());
        }
        self.moves.insert(bullet, (part, below));
        self.claim(bullet, part, Claim::Move)?;
        below.map_or(Ok(()), |parent| self.claim(parent, part, Claim::Fill))
    }

    /// Returns a part that writes another content over a bullet, or removes it or one that it is nested in.
    pub(super) fn taker(&self, bullet: BulletRef<'a>) -> Option<usize> {
        let taken = |around: BulletRef<'a>| {
            let is_taken = |claim: &Claim| match claim {
                Claim::Delete => true,
                Claim::Update(_) => around == bullet,
                _ => false,
            };
            let claims = &self.claims.get(&around)?.claims;
            claims.iter().find_map(|(part, claim)| is_taken(claim).then_some(*part))
        };
        bullet.ancestors().find_map(taken)
    }

    /// Reports whether a part does anything with a bullet.
    pub(super) fn is_claimed(&self, bullet: BulletRef<'a>) -> bool {
        self.claims.contains_key(&bullet) || self.moves.contains_key(&bullet)
    }

    /// Returns a part by whose move a bullet that comes below another one would come below itself.
    fn closes_circle(&self, bullet: BulletRef<'a>, below: Option<BulletRef<'a>>) -> Option<usize> {
        let (mut below, mut part) = (below, None);
        loop {
            let around = below?.ancestors().find(|around| *around == bullet || self.moves.contains_key(around))?;
            if around == bullet {
                return part;
            }
            (part, below) = self.moves.get(&around).map(|(part, below)| (Some(*part), *below))?;
        }
    }

    /// Returns the parts that change what is nested in a bullet which another part removes from its place.
    pub(super) fn uprooted(&self) -> Vec<Failure> {
        let mut failures = Vec::new();
        // The bullets around the one that is looked at, from the outermost, each with the part that removes it.
        let mut around: Vec<(usize, usize, Clash)> = Vec::new();
        for (bullet, Claimed { claims, .. }) in &self.claims {
            around.retain(|(end, ..)| *end > bullet.line.start());
            for (part, claim) in claims {
                let root = around.iter().find(|(_, _, clash)| *clash == Clash::Deleted || claim.needs_place());
                if let Some((_, root, clash)) = root {
                    let (line, clash) = (bullet.line_number(), clash.clone());
                    let refusal = BulletRefusal::SameBullet { line, first: *part, second: *root, clash };
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

impl Claimed {
    /// Returns the index of the first claim that takes a tag which this one brings, or brings one which it takes.
    fn opposed_to(&self, claim: &Claim) -> Option<usize> {
        match claim {
            Claim::Update(tags) | Claim::Tag(tags) => {
                tags.iter().flat_map(|tag| names_of(tag)).filter_map(|name| self.go.get(&*name).copied()).min()
            }
            Claim::Untag(names) => names.iter().filter_map(|name| self.come.get(&*folded_tag(name)).copied()).min(),
            _ => None,
        }
    }

    fn push(&mut self, part: usize, claim: Claim) {
        let nth = self.claims.len();
        match &claim {
            Claim::Update(tags) | Claim::Tag(tags) => {
                for name in tags.iter().flat_map(|tag| names_of(tag)) {
                    self.come.entry(name.into_owned()).or_insert(nth);
                }
            }
            Claim::Untag(names) => {
                for name in names {
                    self.go.entry(folded_tag(name).into_owned()).or_insert(nth);
                }
            }
            _ => {}
        }
        self.claims.push((part, claim));
    }
}

impl Claim {
    /// Returns why both cannot be one result, but for tags that come and go.
    fn clash(&self, other: &Self) -> Option<Clash> {
        match (self, other) {
            (Self::Fill, Self::Fill) => None,
            (Self::Update(_), Self::Update(_))
            | (Self::Annotate, Self::Annotate)
            | (Self::Move, Self::Move)
            | (Self::Delete, Self::Delete) => Some(Clash::Twice),
            (Self::Delete, _) | (_, Self::Delete) => Some(Clash::Deleted),
            (Self::Fill, Self::Move) | (Self::Move, Self::Fill) => Some(Clash::Moved),
            _ => None,
        }
    }

    /// Returns when it is made where two parts are sent one after the other: what removes the bullet last.
    const fn turn(&self) -> usize {
        match self {
            Self::Delete => 2,
            Self::Move => 1,
            _ => 0,
        }
    }

    /// Reports whether it needs the place where a bullet stands, not only its text.
    const fn needs_place(&self) -> bool {
        matches!(self, Self::Move | Self::Delete | Self::Fill)
    }
}
