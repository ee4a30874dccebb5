//! Hunks without context whose runs stand apart: each is found once, in the order of the hunk and in one reading.

use super::item_text::{NumberMarker, is_marked};
use super::lines::{Comparison, DocLines};
use super::reading::{Form, Reading};
use super::scope::HunkScope;
use super::search::{Found, find, goes_on, is_doubtful};
use super::{Hunk, HunkLine, LineOp};
use crate::text::is_blank;

/// The runs of a hunk without context, and the lines of those that can be divided.
pub(super) struct Pieces {
    runs: Vec<Vec<HunkLine>>,
    single: Vec<Vec<HunkLine>>,
    readings: Vec<Reading>,
}

impl Pieces {
    /// Divides a hunk, if it can be looked for apart.
    pub(super) fn of(hunk: &Hunk) -> Option<Self> {
        let begins_with_delete = hunk.lines.first().is_some_and(|line| line.op == LineOp::Delete);
        let has_context = hunk.lines.iter().any(|line| line.op == LineOp::Context);
        if has_context || !begins_with_delete || hunk.is_at_end_of_file {
            return None;
        }
        let runs = hunk.lines.chunk_by(|line, next| !(line.op == LineOp::Add && next.op == LineOp::Delete));
        let runs: Vec<Vec<HunkLine>> = runs.map(<[HunkLine]>::to_vec).collect();
        let is_full = |line: &HunkLine| is_marked(line.text.trim_start(), NumberMarker::None);
        let mut readings = Reading::all(&hunk.lines);
        readings.retain(|reading| reading.form != Form::Contents || !hunk.lines.iter().any(is_full));
        Some(Self { single: runs.iter().flat_map(|run| divided(run)).collect(), runs, readings })
    }

    /// Returns where each run stands, else each line.
    pub(super) fn search(&self, lines: &DocLines<'_>, scope: &HunkScope<'_>) -> Option<Vec<Found<'_>>> {
        for comparison in [Comparison::Exact, Comparison::Normal] {
            for reading in &self.readings {
                for pieces in [&self.runs, &self.single].into_iter().filter(|pieces| pieces.len() > 1) {
                    let found: Vec<Vec<Found<'_>>> =
                        pieces.iter().map(|piece| find(lines, piece, scope, *reading, comparison)).collect();
                    let is_part =
                        |found: &Found<'_>| found.contents.iter().any(|line| lines.bullet(*line).is_some_and(goes_on));
                    if found.iter().flatten().any(is_part) || found.iter().any(|places| places.len() > 1) {
                        return None;
                    }
                    let found: Option<Vec<Found<'_>>> = found.into_iter().map(|mut places| places.pop()).collect();
                    if let Some(found) = found.filter(|found| found.is_sorted_by(|one, next| one.first < next.first)) {
                        return are_clear(&found).then_some(found);
                    }
                }
            }
        }
        None
    }
}

/// Divides a run into its `-` lines, if it writes nothing, or as many lines as it deletes: each with the line for it.
fn divided(run: &[HunkLine]) -> Vec<Vec<HunkLine>> {
    let of = |op| run.iter().filter(move |line| line.op == op).cloned();
    let (deleted, added) = (of(LineOp::Delete), of(LineOp::Add));
    match (deleted.clone().count(), added.clone().count()) {
        (_, 0) => deleted.map(|line| vec![line]).collect(),
        (gone, come) if gone == come => deleted.zip(added).map(|(line, new)| vec![line, new]).collect(),
        _ => vec![run.to_vec()],
    }
}

/// Reports whether no piece could be meant otherwise: read as contents, or deleted right beside one that writes, of which
/// it may be the context.
fn are_clear(found: &[Found<'_>]) -> bool {
    let writes = |found: &Found<'_>| found.lines.iter().any(|line| line.op == LineOp::Add && !is_blank(&line.text));
    let touches = |pair: &[Found<'_>]| match pair {
        [one, next] => one.range().end == next.first && writes(one) != writes(next),
        _ => false,
    };
    !found.iter().any(is_doubtful) && !found.windows(2).any(touches)
}
