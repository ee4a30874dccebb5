//! Which lines each part of a patch changes, and which it counts on as they stand.

use std::ops::Range;

use crate::edit::Overlap;
use crate::locate::DocLines;

/// What a part does with lines of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It rewrites them in their place.
    Rewrites,
    /// It removes them, or moves them away.
    Takes,
    /// It counts on them: its context, or what tells that it has been applied.
    Needs,
    /// It counts on their being there, by whatever words: its anchor, the section beside which it writes one.
    Names,
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
        let mut changed: Vec<Option<(usize, Use)>> = vec![None; lines.len()];
        for row in self.rows.iter().filter(|row| matches!(row.kind, Use::Rewrites | Use::Takes)) {
            for (at, line) in row.lines.clone().zip(changed.get_mut(row.lines.clone()).unwrap_or_default()) {
                match line {
                    Some((other, _)) if *other != row.part => return Err(overlap(lines, *other, row.part, at)),
                    _ => *line = Some((row.part, row.kind)),
                }
            }
        }
        let changed_by = |line: usize| changed.get(line).copied().flatten();
        for row in &self.rows {
            let other = |line: &usize| changed_by(*line).filter(|(other, _)| *other != row.part);
            let conflict = match row.kind {
                Use::Rewrites | Use::Takes => None,
                Use::Needs => row.lines.clone().find_map(|line| Some((line, other(&line)?.0))),
                Use::Names => {
                    let mut taken = row.lines.clone().filter_map(|line| Some((line, other(&line)?)));
                    taken.find(|(_, (_, kind))| *kind == Use::Takes).map(|(line, (part, _))| (line, part))
                }
                Use::Inserts => {
                    let at = row.lines.start;
                    let before = at.checked_sub(1).and_then(|before| other(&before));
                    before
                        .zip(other(&at))
                        .filter(|(before, behind)| before.0 == behind.0)
                        .map(|(before, _)| (at, before.0))
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
