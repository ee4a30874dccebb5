//! Equal bullets of one list, of which one is enough.

use std::collections::HashMap;

use super::ledger::Sayings;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, is_blank};

/// Returns the groups of equal bullets among some of a document, given in its order: the ledger reads the same in them, but for
/// protected tags, and nothing but bullets stands between them. Steps of a list that counts repeat none.
pub(crate) fn equal_bullets<'d>(
    doc: &'d MemoryDoc,
    bullets: impl Iterator<Item = BulletRef<'d>>,
) -> Vec<Vec<BulletRef<'d>>> {
    let (readings, stretches) = (Sayings::default().read(doc), stretches(doc));
    let mut groups: Vec<Vec<BulletRef<'d>>> = Vec::new();
    let mut numbers: HashMap<_, usize> = HashMap::new();
    // Of each bullet the number of its group: what is nested in equal bullets stands in one list.
    let mut group_of: HashMap<usize, usize> = HashMap::new();
    for bullet in bullets {
        let Some(saying) = readings.get(bullet.index()).map(|reading| reading.saying) else { continue };
        if saying.is_step || bullet.content().trim().is_empty() {
            continue;
        }
        let parent = bullet.parent().map(|parent| group_of.get(&parent.index()).copied().ok_or(parent.index()));
        let list = (parent, stretches.get(bullet.index()));
        let number = *numbers.entry((saying.unprotected, list)).or_insert(groups.len());
        group_of.insert(bullet.index(), number);
        match groups.get_mut(number) {
            Some(group) => group.push(bullet),
            None => groups.push(vec![bullet]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns of each bullet how many times other lines stand between the bullets before it that have its parent, and it:
/// they may set apart what is said of different things.
fn stretches(doc: &MemoryDoc) -> Vec<usize> {
    let mut lasts: HashMap<_, (usize, usize)> = HashMap::new();
    let stretch = |bullet: BulletRef<'_>| {
        let parent = bullet.parent().map(BulletRef::index);
        let (end, stretch) = lasts.entry(parent).or_insert((bullet.line.start(), 0));
        *stretch += usize::from(!is_blank(Span::new(*end, bullet.line.start()).of(doc.text())));
        *end = bullet.extent.end();
        *stretch
    };
    doc.bullets().map(stretch).collect()
}
