//! Hunks of `+` lines alone: they go to the end of their scope.

use super::anchor::HunkScope;
use super::reading::{is_one_in, loses_space};
use super::write::{LineEdit, Model, Written, open_above, snap};
use super::{Hunk, Refusal};
use crate::document::{BulletRef, columns, heading};
use crate::edit::compose::{append_point, check_open_fence, competing_labels};
use crate::locate::{Diagnostic, DocLines, Leniency, LocateError, Reason, Scope, Target};
use crate::text::is_blank;

/// How many labels are named.
const LABELS: usize = 8;

/// Returns what a hunk of `+` lines alone writes; `None` if nothing says where.
pub(super) fn append<'a>(
    lines: &DocLines<'a>,
    hunk: &Hunk,
    scope: &HunkScope<'a>,
    heals: bool,
) -> Result<Option<Written>, Refusal> {
    let as_sent = || hunk.lines.iter().map(|line| line.text.as_str());
    let mut is_spaced = heals && loses_space(as_sent());
    let texts = |is_spaced: bool| -> Vec<String> {
        as_sent().map(|line| line.strip_prefix(' ').filter(|_| is_spaced).unwrap_or(line).to_owned()).collect()
    };
    let mut written = texts(is_spaced);
    let first = written.iter().position(|line| !is_blank(line)).unwrap_or_default();
    let is_headed = written.get(first).is_some_and(|line| heading(line).is_some());
    let mut healed = Vec::new();
    let at = if is_headed && matches!(scope.part, Scope::Document | Scope::Section(_)) {
        let at = lines.before_blanks(scope.start, scope.full);
        check_end(lines, hunk, at)?;
        // A heading is set apart.
        written.drain(..first);
        if at > 0 {
            written.insert(0, String::new());
        }
        at
    } else if scope.is_document() && !hunk.is_at_end_of_file {
        return Ok(None);
    } else {
        let at = append_line(lines, scope)?;
        check_end(lines, hunk, at)?;
        check_open_fence(lines.doc, lines.start(at))?;
        let above = open_above(lines, at);
        is_spaced &= !above.iter().any(|bullet| is_one_in(bullet.line_text()));
        written = texts(is_spaced);
        let model = model(lines, scope, &above);
        let touches = scope.is_document() || at.checked_sub(1).is_some_and(|above| !lines.is_blank(above));
        if let Some(model) = model.filter(|_| is_spaced && touches) {
            healed.extend(model.make_items(&mut written, hunk.first_line)?);
        }
        if heals {
            let columns = above.iter().map(|bullet| columns(bullet.line_text())).collect();
            healed.extend(snap(&mut written, columns));
        }
        at
    };
    healed.extend(is_spaced.then_some(Leniency::Spaced));
    let edit = LineEdit { lines: at..at, texts: written };
    Ok(Some(Written { edits: vec![edit], healed, needed: Vec::new() }))
}

/// Returns the bullet that appended lines are written like: a child of the scope, else the outermost one above that is inside.
fn model<'a>(lines: &DocLines<'a>, scope: &HunkScope<'a>, above: &[BulletRef<'a>]) -> Option<Model> {
    let Scope::Bullet(parent) = scope.part else {
        let is_inside = |bullet: &BulletRef<'_>| {
            scope.is_document() || scope.start < lines.doc.lines().index_at(bullet.line.start())
        };
        return above.last().copied().filter(is_inside).map(Model::of);
    };
    if let Some(child) = parent.children().next_back() {
        return Some(Model::of(child));
    }
    let own = Model::of(parent);
    let marker = if own.is_ordered() { "-".to_owned() } else { own.marker.clone() };
    Some(Model { indentation: [own.indentation, " ".repeat(own.marker.len() + 1)].concat(), marker })
}

/// Refuses to write at the end of a document where lines stand below.
fn check_end(lines: &DocLines<'_>, hunk: &Hunk, at: usize) -> Result<(), LocateError> {
    let below = (at..lines.len()).find(|line| !is_blank(lines.text(*line)));
    let Some(_) = below.filter(|_| hunk.is_at_end_of_file) else { return Ok(()) };
    let help = Diagnostic { reasons: vec![Reason::at(at, "not at the end of the document")], ..Diagnostic::default() };
    Err(LocateError::not_found(Target::End, help))
}

/// Returns the line before which lines appended to a scope go.
fn append_line(lines: &DocLines<'_>, scope: &HunkScope<'_>) -> Result<usize, Refusal> {
    let labels = competing_labels(lines.doc, scope.part);
    if !labels.is_empty() && matches!(scope.part, Scope::Section(_)) {
        // Several labels own all bullets of the section.
        let known = labels.into_iter().take(LABELS).map(|label| label.name().into()).collect();
        return Err(Refusal::NeedsAnchor { help: Box::new(Diagnostic { known, ..Diagnostic::default() }) });
    }
    let at = append_point(lines.doc, scope.part);
    Ok(if at >= lines.doc.text().len() { lines.len() } else { lines.doc.lines().index_at(at) })
}
