//! Which lines each part of a patch changes, and which it counts on as they stand.

use std::ops::Range;

use crate::edit::Overlap;
use crate::locate::DocLines;

/// What a part does with lines of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It rewrites or removes them, or moves them away.
    Changes,
    /// It counts on them: its context, its anchor, the section beside which it writes one, or what tells that it has been
    /// applied.
    Needs,
    /// It writes before the first of them.
    Inserts,
}

/// The lines that one part uses in one way.
#[derive(Clone, Debug)]
struct Row {
    part: usize,
    lines: Range<usize>,
    kind: Use,
}

/// The lines that the parts of a patch use.
#[derive(Clone, Debug, Default)]
pub(super) struct LineUses {
    rows: Vec<Row>,
}

impl LineUses {
    pub(super) fn add(&mut self, part: usize, lines: Range<usize>, kind: Use) {
        self.rows.push(Row { part, lines, kind });
    }

    /// Checks that no part changes what another one changes or counts on, and that none writes into what another changes.
    pub(super) fn check(&self, lines: &DocLines<'_>) -> Result<(), Overlap> {
        if self.rows.iter().all(|row| row.part == self.rows.first().map_or(0, |first| first.part)) {
            return Ok(());
        }
        let mut changed: Vec<Option<usize>> = vec![None; lines.len()];
        for row in self.rows.iter().filter(|row| row.kind == Use::Changes) {
            for (at, line) in row.lines.clone().zip(changed.get_mut(row.lines.clone()).unwrap_or_default()) {
                match line.replace(row.part) {
                    Some(other) if other != row.part => return Err(overlap(lines, other, row.part, at)),
                    _ => {}
                }
            }
        }
        for row in &self.rows {
            let other = |line: usize| changed.get(line).copied().flatten().filter(|other| *other != row.part);
            let conflict = match row.kind {
                Use::Changes => None,
                Use::Needs => row.lines.clone().find_map(|line| Some((line, other(line)?))),
                Use::Inserts => {
                    let at = row.lines.start;
                    let around = at.checked_sub(1).and_then(other).zip(other(at));
                    around.filter(|(before, behind)| before == behind).map(|(before, _)| (at, before))
                }
            };
            if let Some((line, other)) = conflict {
                return Err(overlap(lines, other, row.part, line));
            }
        }
        Ok(())
    }
}

fn overlap(lines: &DocLines<'_>, one: usize, other: usize, line: usize) -> Overlap {
    Overlap { first: one.min(other), second: one.max(other), span: lines.span(&(line..line + 1)) }
}
