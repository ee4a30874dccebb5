//! [`Innermost`]: which bullet holds a byte, where bullets are nested so deep that none is looked for from the inside outwards.

use super::outline::Bullet;

/// From where on which bullet is the innermost, for all bullets of a document.
#[derive(Debug)]
pub(super) struct Innermost {
    // Invariant: in the order of the offsets; of those at one offset, the last holds.
    changes: Vec<(usize, Option<usize>)>,
}

impl Innermost {
    /// Creates it of the bullets of a document.
    pub(super) fn of(bullets: &[Bullet]) -> Self {
        let mut changes = Vec::with_capacity(2 * bullets.len());
        let mut open: Vec<(usize, usize)> = Vec::new();
        let close = |open: &mut Vec<(usize, usize)>, changes: &mut Vec<_>, start: usize| {
            while let Some((end, _)) = open.pop_if(|(end, _)| *end <= start) {
                changes.push((end, open.last().map(|(_, index)| *index)));
            }
        };
        for (index, bullet) in bullets.iter().enumerate() {
            close(&mut open, &mut changes, bullet.extent.start());
            open.push((bullet.extent.end(), index));
            changes.push((bullet.extent.start(), Some(index)));
        }
        close(&mut open, &mut changes, usize::MAX);
        Self { changes }
    }

    /// Returns the index of the innermost bullet whose extent holds the byte at `offset`.
    pub(super) fn at(&self, offset: usize) -> Option<usize> {
        let behind = self.changes.partition_point(|(start, _)| *start <= offset);
        self.changes.get(behind.checked_sub(1)?)?.1
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::MemoryDoc;
    use super::*;

    proptest! {
        #[test]
        fn the_innermost_bullet_is_the_last_that_holds_a_byte(
            lines in prop::collection::vec("( {0,6}- )?( {0,4}[ab#`]{0,3})", 1..20),
        ) {
            let doc = MemoryDoc::parse(lines.join("\n"));
            let bullets = doc.outline().bullets();
            let innermost = Innermost::of(bullets);
            for offset in 0..=doc.text().len() {
                let last = bullets.iter().rposition(|bullet| bullet.extent.contains(offset));
                prop_assert_eq!(innermost.at(offset), last, "{}", offset);
                prop_assert_eq!(doc.bullet_at(offset).map(|bullet| bullet.index()), last, "{}", offset);
            }
        }
    }
}
