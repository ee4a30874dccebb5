//! Equal bullets of one list, of which one is enough.

use std::collections::HashMap;

use super::ledger::Sayings;
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::Stretches;

/// Returns the groups of equal bullets among some of a document, given in its order: the ledger reads the same in them, but for
/// protected tags, and nothing but bullets stands between them. Steps of a list that counts repeat none.
pub(crate) fn equal_bullets<'d>(
    doc: &'d MemoryDoc,
    bullets: impl Iterator<Item = BulletRef<'d>>,
) -> Vec<Vec<BulletRef<'d>>> {
    let (readings, stretches) = (Sayings::default().read(doc), Stretches::new(doc));
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
        let list = (bullet.section(), bullet.block(), parent, stretches.number(bullet));
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
