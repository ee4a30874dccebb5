//! By which bullets of a new text those of an old one are still there, if what is said of several things is counted.
//!
//! - What bullets of one list say twice, one bullet says. What is said in several lists is said of different things: each list
//!   needs a bullet of its own, in whichever it stands.
//! - One bullet may hold several facts, but of each only one copy; unless it cites the keys of more.
//! - Of several bullets that may hold a copy, it is one in the same list, else the first.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::places::{Places, Spot};
use super::sayings::{Fact, Same, Saying, Sayings};
use super::twins::Twins;
use crate::document::BulletRef;

/// The bullets by which those of an old text are still there, by the index of those.
#[derive(Debug, Default)]
pub(super) struct Holders<'a>(Vec<Option<BulletRef<'a>>>);

/// What is known of two texts.
#[derive(Debug)]
pub(super) struct Texts<'t, 'a> {
    pub(super) sayings: &'t Sayings<'a>,
    pub(super) places: &'t Places<'a>,
    /// The twins of the old one.
    pub(super) twins: &'t Twins,
}

impl<'a> Holders<'a> {
    /// Finds what holds some bullets of the old text, of which `became` tells those that are known to be others of the new one.
    pub(super) fn of(
        texts: &Texts<'_, 'a>,
        olds: impl Iterator<Item = BulletRef<'a>>,
        became: impl Fn(BulletRef<'a>) -> Option<BulletRef<'a>>,
    ) -> Self {
        let mut numbers: HashMap<Fact<'a>, usize> = HashMap::new();
        let mut groups: Vec<Vec<Saying<'a>>> = Vec::new();
        for old in olds.map(|bullet| texts.sayings.asked(bullet)) {
            let nth = *numbers.entry(old.fact()).or_insert(groups.len());
            match groups.get_mut(nth) {
                Some(group) => group.push(old),
                None => groups.push(vec![old]),
            }
        }
        let mut holders = Self::default();
        for group in groups {
            let lists: HashSet<Option<usize>> = group.iter().map(|old| texts.twins.list(old.bullet)).collect();
            if lists.len() > 1 {
                let mut copies = Copies::of(texts, &mut holders, &group);
                // A pinned one must be there anyway, and holds no other copy.
                let (pinned, free): (Vec<_>, Vec<_>) =
                    copies.all.iter().copied().partition(|old| old.saying.bullet.is_pinned_with_parents());
                copies.hold(&pinned, &became);
                copies.hold(&free, &became);
            } else {
                for old in &group {
                    let new = became(old.bullet).or_else(|| texts.sayings.saying(old));
                    new.into_iter().for_each(|new| holders.hold(old.bullet, new));
                }
            }
        }
        holders
    }

    fn hold(&mut self, old: BulletRef<'a>, new: BulletRef<'a>) {
        let least = old.index() + 1;
        if self.0.len() < least {
            self.0.resize(least, None);
        }
        self.0.get_mut(old.index()).into_iter().for_each(|holder| *holder = Some(new));
    }

    /// Returns the bullet by which one of the old text is still there.
    pub(super) fn holder(&self, old: BulletRef<'a>) -> Option<BulletRef<'a>> {
        self.0.get(old.index()).copied().flatten()
    }
}

/// Which bullets say the same, verbatim but for what says nothing, by a number for that: with the same end, and at one spot or
/// anywhere.
type Alike<'a> = (usize, Vec<&'a str>, Option<Spot<'a>>);

/// A bullet of several that say the same, of several lists.
#[derive(Clone, Copy)]
struct Copied<'c, 'a> {
    saying: &'c Saying<'a>,
    /// The number of what it says.
    same: usize,
    /// The number of its list, if that has another copy.
    list: Option<usize>,
}

/// Bullets of several lists that say the same, and what holds them.
struct Copies<'c, 'a> {
    texts: &'c Texts<'c, 'a>,
    holders: &'c mut Holders<'a>,
    all: Vec<Copied<'c, 'a>>,
    /// The ends of what says the same, by the number of that.
    ends: Vec<Vec<&'c [&'a str]>>,
    /// The bullets that may hold one, the first last.
    there: HashMap<Alike<'a>, Vec<BulletRef<'a>>>,
    taken: HashSet<BulletRef<'a>>,
    /// What each list has, by its end; of those of one end, the first.
    lists: HashMap<usize, BTreeMap<Vec<&'a str>, BulletRef<'a>>>,
}

impl<'c, 'a> Copies<'c, 'a> {
    fn of(texts: &'c Texts<'c, 'a>, holders: &'c mut Holders<'a>, olds: &'c [Saying<'a>]) -> Self {
        let mut counts: HashMap<usize, usize> = HashMap::new();
        let lists: Vec<_> = olds.iter().map(|old| texts.twins.list(old.bullet)).collect();
        lists.iter().flatten().for_each(|list| *counts.entry(*list).or_default() += 1);
        let mut numbers: HashMap<Same<'a>, usize> = HashMap::new();
        let mut all = Vec::with_capacity(olds.len());
        for (saying, list) in olds.iter().zip(lists) {
            let next = numbers.len();
            let same = *numbers.entry(saying.same()).or_insert(next);
            all.push(Copied {
                saying,
                same,
                list: list.filter(|list| counts.get(list).is_some_and(|count| *count > 1)),
            });
        }
        let mut there: HashMap<Alike<'a>, Vec<BulletRef<'a>>> = HashMap::new();
        let mut ends = vec![Vec::new(); numbers.len()];
        for (same, number) in numbers {
            for (lifetime, bullets) in texts.sayings.alike(&same).into_iter().flatten() {
                ends.get_mut(number).into_iter().for_each(|ends| ends.push(lifetime.as_slice()));
                for bullet in bullets.iter().rev() {
                    for spot in [None, Some(texts.places.spot(*bullet))] {
                        there.entry((number, lifetime.clone(), spot)).or_default().push(*bullet);
                    }
                }
            }
        }
        Self { texts, holders, all, ends, there, taken: HashSet::new(), lists: HashMap::new() }
    }

    /// Looks for what holds each of some copies, the surest first.
    fn hold(&mut self, olds: &[Copied<'c, 'a>], became: &dyn Fn(BulletRef<'a>) -> Option<BulletRef<'a>>) {
        let Texts { sayings, places, .. } = self.texts;
        // One that cites a copy by its own key holds that copy, and no other that it does not cite.
        self.pass(olds, &|_, old| {
            sayings.citing(old.saying, &|| old.saying.bullet.key().as_str().to_owned(), &|_| true)
        });
        self.pass(olds, &|_, old| became(old.saying.bullet));
        // A twin takes no second one: it may be what another list has.
        self.pass(olds, &|copies, old| {
            let spot = Some(places.spot(old.saying.bullet));
            copies.in_list(old).or_else(|| copies.take_alike(old, &old.saying.lifetime, spot))
        });
        self.settle_twins(olds);
        self.pass(olds, &|copies, old| {
            copies.in_list(old).or_else(|| copies.take_alike(old, &old.saying.lifetime, None))
        });
        self.pass(olds, &|copies, old| copies.in_list(old).or_else(|| copies.take_lasting(old)));
        self.pass(olds, &|copies, old| {
            let spot = places.spot(old.saying.bullet);
            let is_beside = |new: BulletRef<'a>| !copies.taken.contains(&new) && places.spot(new) == spot;
            copies.in_list(old).or_else(|| sayings.containing(old.saying, &is_beside))
        });
        self.pass(olds, &|copies, old| {
            let is_free = |new: BulletRef<'a>| !copies.taken.contains(&new);
            let cites = || sayings.citing(old.saying, &|| old.saying.key_of_all(), &is_free);
            copies.in_list(old).or_else(cites).or_else(|| sayings.containing(old.saying, &is_free))
        });
    }

    /// Looks for what holds each copy that nothing holds yet.
    fn pass(&mut self, olds: &[Copied<'c, 'a>], find: &dyn Fn(&mut Self, Copied<'c, 'a>) -> Option<BulletRef<'a>>) {
        for old in olds {
            let bullet = old.saying.bullet;
            if self.holders.holder(bullet).is_some() {
                continue;
            }
            let Some(new) = find(self, *old) else { continue };
            self.holders.hold(bullet, new);
            self.taken.insert(new);
            if let Some(list) = old.list {
                let saying = Saying::of(new, None);
                if saying.lasts_for(old.saying) {
                    self.lists.entry(list).or_default().entry(saying.lifetime).or_insert(new);
                }
            }
        }
    }

    /// Gives twins what stands where they stood, so that it is not taken for what another list had.
    fn settle_twins(&mut self, olds: &[Copied<'c, 'a>]) {
        let mut holding: HashSet<BulletRef<'a>> = HashSet::new();
        for old in olds {
            let bullet = old.saying.bullet;
            let is_twin = self.holders.holder(bullet).is_some_and(|new| !holding.insert(new));
            if is_twin
                && let Some(own) = self.take_alike(*old, &old.saying.lifetime, Some(self.texts.places.spot(bullet)))
            {
                self.holders.hold(bullet, own);
                self.taken.insert(own);
            }
        }
    }

    /// Returns what holds another copy of the same list, and this one as well.
    fn in_list(&self, old: Copied<'c, 'a>) -> Option<BulletRef<'a>> {
        self.texts.sayings.lasting(self.lists.get(&old.list?)?, old.saying).copied()
    }

    /// Takes one that says the same and has this end.
    fn take_alike(&mut self, old: Copied<'c, 'a>, end: &[&'a str], spot: Option<Spot<'a>>) -> Option<BulletRef<'a>> {
        let there = self.there.get_mut(&(old.same, end.to_vec(), spot))?;
        std::iter::from_fn(|| there.pop()).find(|new| !self.taken.contains(new))
    }

    /// Takes one that says the same and lasts no shorter.
    fn take_lasting(&mut self, old: Copied<'c, 'a>) -> Option<BulletRef<'a>> {
        let ends = self.texts.sayings.ends_for(self.ends.get(old.same)?, old.saying);
        ends.into_iter().find_map(|end| self.take_alike(old, end, None))
    }
}
