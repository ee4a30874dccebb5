//! Hunks without context whose runs stand apart: each is found once, in the order of the hunk and in one reading.

use std::rc::Rc;

use super::plain::{NumberMarker, is_marked};
use super::reading::{Form, ReadLine, Reading};
use super::scope::HunkScope;
use super::search::{Found, find};
use super::{Hunk, HunkLine, LineOp};
use crate::locate::DocLines;
use crate::text::is_blank;

/// Lines of a hunk that are looked for on their own.
type Piece<'h> = Rc<[ReadLine<'h>]>;

/// Returns where each run of a hunk stands, else each line of those that can be divided.
pub(super) fn find_apart<'h>(lines: &DocLines<'_>, hunk: &'h Hunk, scope: &HunkScope<'_>) -> Option<Vec<Found<'h>>> {
    let begins_with_delete = hunk.lines.first().is_some_and(|line| line.op == LineOp::Delete);
    let has_context = hunk.lines.iter().any(|line| line.op == LineOp::Context);
    if has_context || !begins_with_delete || hunk.is_at_end_of_file {
        return None;
    }
    let is_full = |line: &HunkLine| is_marked(line.text.trim_start(), NumberMarker::None);
    let mut readings = Reading::all(&hunk.lines);
    let may_be_contents = !hunk.lines.iter().any(is_full);
    readings.retain(|reading| match reading.form {
        Form::AsSent | Form::Spaced => true,
        Form::Contents => may_be_contents,
        Form::Prefixed => false,
    });
    for is_exact in [true, false] {
        for reading in &readings {
            let runs = reading.lines.chunk_by(|line, next| !(line.op == LineOp::Add && next.op == LineOp::Delete));
            let runs: Vec<Piece<'_>> = runs.map(Rc::from).collect();
            let single: Vec<Piece<'_>> = runs.iter().flat_map(|run| divided(run)).collect();
            for pieces in [runs, single].into_iter().filter(|pieces| pieces.len() > 1) {
                let count = pieces.len();
                let places = |piece: &Piece<'h>| {
                    let mut places = find(lines, piece, reading.form, &scope.range());
                    places.retain(|found| found.run.is_exact || !is_exact);
                    places
                };
                // At the first piece that stands nowhere, the reading has failed.
                let mut found = Vec::new();
                for piece in pieces {
                    match places(&piece).as_slice() {
                        [] => break,
                        [only] if !only.is_part_of_bullet(lines) => found.push(only.clone()),
                        _ => return None,
                    }
                }
                if found.len() == count && found.is_sorted_by(|a, b| a.run.first < b.run.first) {
                    return are_clear(&found).then_some(found);
                }
            }
        }
    }
    None
}

/// Divides a run into its `-` lines, if it writes nothing, or as many lines as it deletes: each with the line for it.
fn divided<'h>(run: &Piece<'h>) -> Vec<Piece<'h>> {
    let of = |op| run.iter().filter(|line| line.op == op).copied().collect::<Vec<_>>();
    let (deleted, added) = (of(LineOp::Delete), of(LineOp::Add));
    match added.len() {
        0 => deleted.into_iter().map(|line| Rc::from([line])).collect(),
        count if count == deleted.len() => {
            deleted.into_iter().zip(added).map(|(line, new)| Rc::from([line, new])).collect()
        }
        _ => vec![Rc::clone(run)],
    }
}

/// Reports whether no piece could be meant otherwise: read as contents, or deleted right beside one that writes, of which
/// it may be the context.
fn are_clear(found: &[Found<'_>]) -> bool {
    let writes = |found: &Found<'_>| found.lines.iter().any(|line| line.op == LineOp::Add && !is_blank(line.text));
    let touches = |pair: &[Found<'_>]| match pair {
        [one, next] => one.range().end == next.run.first && writes(one) != writes(next),
        _ => false,
    };
    !found.iter().any(Found::is_doubtful) && !found.windows(2).any(touches)
}
