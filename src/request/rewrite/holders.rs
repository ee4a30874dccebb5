//! By which bullets of a new text those of an old one are still there, if what is said of several things is counted.
//!
//! - What bullets of one list say twice, one bullet says. What is said in several lists is said of different things: each list
//!   needs a bullet of its own, in whichever it stands.
//! - One bullet may hold several facts, but of each only one copy; unless it cites the keys of more.
//! - Of several bullets that may hold a copy, it is one in the same list, else the first.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::places::{Places, Spot};
use super::sayings::{Fact, Same, Saying, Sayings};
use super::twins::{List, Twins};
use crate::document::BulletRef;

/// The bullets by which those of an old text are still there.
#[derive(Debug)]
pub(super) struct Holders<'a>(HashMap<BulletRef<'a>, BulletRef<'a>>);

/// What is known of two texts.
#[derive(Debug)]
pub(super) struct Texts<'t, 'a> {
    pub(super) sayings: &'t Sayings<'a>,
    pub(super) places: &'t Places<'a>,
    /// The twins of the old one.
    pub(super) twins: &'t Twins<'a>,
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
        let mut holders = Self::none();
        for group in groups {
            let lists: HashSet<List<'a>> = group.iter().map(|old| texts.twins.list(old.bullet)).collect();
            if lists.len() > 1 {
                let mut copies = Copies::of(texts, &group);
                // A pinned one must be there anyway, and holds no other copy.
                let (pinned, free): (Vec<_>, Vec<_>) =
                    group.iter().partition(|old| old.bullet.is_pinned_with_parents());
                copies.hold(&pinned, &became);
                copies.hold(&free, &became);
                holders.0.extend(copies.held);
            } else {
                let held =
                    group.iter().map(|old| (old.bullet, became(old.bullet).or_else(|| texts.sayings.saying(old))));
                holders.0.extend(held.filter_map(|(old, new)| Some((old, new?))));
            }
        }
        holders
    }

    /// Returns that of none is anything known.
    pub(super) fn none() -> Self {
        Self(HashMap::new())
    }

    /// Returns the bullet by which one of the old text is still there.
    pub(super) fn holder(&self, old: BulletRef<'a>) -> Option<BulletRef<'a>> {
        self.0.get(&old).copied()
    }
}

/// Which bullets say the same, verbatim but for what says nothing: with the same end, and at one spot or anywhere.
type Alike<'a> = (Same<'a>, Vec<&'a str>, Option<Spot<'a>>);

/// Bullets of several lists that say the same, and what holds them.
struct Copies<'c, 'a> {
    texts: &'c Texts<'c, 'a>,
    /// The bullets that may hold one, the first last.
    there: HashMap<Alike<'a>, Vec<BulletRef<'a>>>,
    taken: HashSet<BulletRef<'a>>,
    /// What each list has, by its end; of those of one end, the first.
    lists: HashMap<List<'a>, BTreeMap<Vec<&'a str>, BulletRef<'a>>>,
    held: HashMap<BulletRef<'a>, BulletRef<'a>>,
}

impl<'c, 'a> Copies<'c, 'a> {
    fn of(texts: &'c Texts<'c, 'a>, olds: &[Saying<'a>]) -> Self {
        let mut there: HashMap<Alike<'a>, Vec<BulletRef<'a>>> = HashMap::new();
        let same: HashSet<Same<'a>> = olds.iter().map(Saying::same).collect();
        for same in same {
            for (lifetime, bullets) in texts.sayings.alike(&same).into_iter().flatten() {
                for bullet in bullets.iter().rev() {
                    for spot in [None, Some(texts.places.spot(*bullet))] {
                        there.entry((same.clone(), lifetime.clone(), spot)).or_default().push(*bullet);
                    }
                }
            }
        }
        Self { texts, there, taken: HashSet::new(), lists: HashMap::new(), held: HashMap::new() }
    }

    /// Looks for what holds each of some copies, the surest first.
    fn hold(&mut self, olds: &[&Saying<'a>], became: impl Fn(BulletRef<'a>) -> Option<BulletRef<'a>>) {
        let Texts { sayings, places, .. } = self.texts;
        // One that cites a copy by its own key holds that copy, and no other that it does not cite.
        self.pass(olds, |_, old| sayings.citing(old, old.bullet.key().as_str(), |_| true));
        self.pass(olds, |_, old| became(old.bullet));
        // A twin takes no second one: it may be what another list has.
        self.pass(olds, |copies, old| {
            let there = |copies: &mut Self| copies.take_alike(old, &old.lifetime, Some(places.spot(old.bullet)));
            copies.in_list(old).or_else(|| there(copies))
        });
        self.pass(olds, |copies, old| copies.in_list(old).or_else(|| copies.take_alike(old, &old.lifetime, None)));
        self.pass(olds, |copies, old| copies.in_list(old).or_else(|| copies.take_lasting(old)));
        self.pass(olds, |copies, old| {
            let is_free = |new: BulletRef<'a>| !copies.taken.contains(&new);
            let cites = || sayings.citing(old, &old.key_of_all(), is_free);
            copies.in_list(old).or_else(cites).or_else(|| sayings.containing(old, is_free))
        });
    }

    /// Looks for what holds each copy that nothing holds yet.
    fn pass(&mut self, olds: &[&Saying<'a>], find: impl Fn(&mut Self, &Saying<'a>) -> Option<BulletRef<'a>>) {
        for old in olds {
            if self.held.contains_key(&old.bullet) {
                continue;
            }
            let Some(new) = find(self, old) else { continue };
            self.held.insert(old.bullet, new);
            self.taken.insert(new);
            let saying = Saying::of(new, None);
            if saying.lasts_for(old) {
                let list = self.lists.entry(self.texts.twins.list(old.bullet)).or_default();
                list.entry(saying.lifetime).or_insert(new);
            }
        }
    }

    /// Returns what holds another copy of the same list, and this one as well.
    fn in_list(&self, old: &Saying<'a>) -> Option<BulletRef<'a>> {
        let list = self.lists.get(&self.texts.twins.list(old.bullet))?;
        self.texts.sayings.lasting(list, old).copied()
    }

    /// Takes one that says the same and has this end.
    fn take_alike(&mut self, old: &Saying<'a>, lifetime: &[&'a str], spot: Option<Spot<'a>>) -> Option<BulletRef<'a>> {
        let there = self.there.get_mut(&(old.same(), lifetime.to_vec(), spot))?;
        std::iter::from_fn(|| there.pop()).find(|new| !self.taken.contains(new))
    }

    /// Takes one that says the same and lasts no shorter.
    fn take_lasting(&mut self, old: &Saying<'a>) -> Option<BulletRef<'a>> {
        let ends = self.texts.sayings.ends_for(old);
        ends.into_iter().find_map(|end| self.take_alike(old, &end, None))
    }
}
