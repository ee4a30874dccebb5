//! Whether what a hunk writes stands below its anchor in the result.

use super::Refusal;
use super::lines::DocLines;
use super::scope::{HunkScope, Kind};
use crate::document::{MemoryDoc, bullet_start, heading, is_block_line};
use crate::edit::{Edit, EditError, Flaw};
use crate::text::{Lines, Span, is_blank};

/// Checks that what a hunk wrote stands in its scope, unless a heading or block line that it wrote ends that.
pub(super) fn check(
    lines: &DocLines<'_>,
    edit: &Edit,
    new: &MemoryDoc,
    hunk: (usize, &HunkScope<'_>),
) -> Result<(), Refusal> {
    let (part, scope) = hunk;
    let anchor = lines.start(scope.start);
    let Some(extent) = anchor_in_result(lines, edit, anchor).and_then(|at| extent(new, at, scope.kind)) else {
        let covers = |splice: &&crate::edit::Splice| splice.span.contains(anchor);
        let other = edit.splices().iter().find(covers).map_or(part, |splice| splice.part);
        return Err(match other == part {
            true => EditError::InvalidText(Flaw::OutsideAnchor(scope.start + 1)).into(),
            false => Refusal::OutOfAnchor { hunk: part, line: scope.start + 1, is_removed: true, other },
        });
    };
    for (splice, written) in edit.splices().iter().zip(edit.result_spans()) {
        if splice.part != part {
            continue;
        }
        for line in Lines::within(new.text(), written) {
            let text = line.text.of(new.text());
            if is_blank(text) || extent.contains(line.full.start()) {
                continue;
            }
            let is_end = heading(text).is_some() || is_block_line(text);
            if is_end && !matches!(scope.kind, Kind::Bullet(_)) {
                return Ok(());
            }
            return Err(EditError::InvalidText(Flaw::OutsideAnchor(new.line_number(line.full.start()))).into());
        }
    }
    Ok(())
}

/// Returns where the line at `anchor`, or the one line of its kind that was written over it, starts in the result.
fn anchor_in_result(lines: &DocLines<'_>, edit: &Edit, anchor: usize) -> Option<usize> {
    let mut start = anchor;
    for (splice, written) in edit.splices().iter().zip(edit.result_spans()) {
        if splice.span.start() > anchor {
            break;
        }
        if !splice.span.contains(anchor) {
            start = (start + written.len()).saturating_sub(splice.span.len());
            continue;
        }
        let old = lines.text(lines.doc.lines().index_at(anchor));
        let kind = kind_of(old);
        let own = Lines::of(&splice.text).filter(|line| kind_of(line.text.of(&splice.text)) == kind);
        let mut own = own.map(|line| (line.text.of(&splice.text), line.full.start()));
        let same = own.clone().filter(|(text, _)| text.trim() == old.trim()).count() == 1;
        let one = if same {
            own.find(|(text, _)| text.trim() == old.trim())
        } else {
            own.next().filter(|_| own.next().is_none())
        };
        return one.map(|(_, offset)| written.start() + offset);
    }
    Some(start)
}

/// What a line begins, as far as its text tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineHead {
    Heading,
    Block,
    Bullet,
    Other,
}

fn kind_of(line: &str) -> LineHead {
    match () {
        () if heading(line).is_some() => LineHead::Heading,
        () if is_block_line(line) => LineHead::Block,
        () if bullet_start(line).is_some() => LineHead::Bullet,
        () => LineHead::Other,
    }
}

/// Returns the bytes of the node of this kind that begins at `start`.
fn extent(doc: &MemoryDoc, start: usize, kind: Kind<'_>) -> Option<Span> {
    match kind {
        Kind::Section(_) => {
            doc.section_at(start).filter(|section| section.line.start() == start).map(|section| section.extent)
        }
        Kind::Block(_) => doc.block_at(start).filter(|block| block.line.start() == start).map(|block| block.extent),
        Kind::Bullet(_) => {
            doc.bullet_at(start).filter(|bullet| bullet.line.start() == start).map(|bullet| bullet.extent)
        }
        Kind::Label(_) => {
            let mut labels = doc.outline().labels().iter();
            labels.find(|label| label.line.start() == start).map(|label| label.extent)
        }
        Kind::Document | Kind::Slot | Kind::FrontMatter | Kind::Line => Some(doc.span()),
    }
}
