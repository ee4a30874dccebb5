//! Hunks of `+` lines alone: they go to the end of their scope.

use super::error::numberless;
use super::item_text::{is_one_in, is_plain};
use super::lines::DocLines;
use super::reading::loses_space;
use super::scope::{HunkScope, Kind};
use super::write::{LineEdit, Marks, Model, Written, open_above, snap};
use super::{Hunk, Refusal};
use crate::document::{BulletRef, SectionRef, bullet_start, columns, fence_closes, fence_open, heading};
use crate::edit::compose::{append_point, competing_labels};
use crate::edit::{EditError, Flaw};
use crate::locate::{Diagnostic, LocateError, Reason, Rung, Scope, Target};
use crate::text::{Span, is_blank};

/// How many labels are named.
const LABELS: usize = 8;

/// What becomes of lines that are appended.
pub(super) enum Appended {
    Written(Written),
    /// Nothing says where they go.
    Nowhere {
        /// Whether they could go to the end of the document.
        end_is_open: bool,
    },
}

/// Returns what a hunk of `+` lines alone writes.
pub(super) fn append<'a>(
    lines: &DocLines<'a>,
    hunk: &Hunk,
    scope: &HunkScope<'a>,
    heals: bool,
) -> Result<Appended, Refusal> {
    let raw: Vec<&str> = hunk.lines.iter().map(|line| line.text.as_str()).collect();
    let mut is_spaced = heals && loses_space(raw.iter().copied());
    let without_space = |line: &&str| line.strip_prefix(' ').unwrap_or(line).to_owned();
    let spaced: Vec<String> = raw.iter().map(without_space).collect();
    let as_sent: Vec<String> = raw.iter().map(|line| (*line).to_owned()).collect();
    let mut texts = if is_spaced { spaced } else { as_sent.clone() };
    let is_headed = texts.iter().find(|line| !is_blank(line)).is_some_and(|line| heading(line).is_some());
    let mut written = Written::default();
    if is_headed && matches!(scope.kind, Kind::Document | Kind::Section(_)) {
        let at = lines.before_blanks(scope.start, scope.end);
        check_end(lines, hunk, at)?;
        let first = texts.iter().take_while(|line| is_blank(line)).count();
        texts.drain(..first);
        if at > 0 {
            texts.insert(0, String::new());
        }
        written.healed.extend(is_spaced.then_some(Rung::Spaced));
        written.edits.push(LineEdit { lines: at..at, texts });
        return Ok(Appended::Written(written));
    }
    if scope.kind == Kind::Document && !hunk.is_at_end_of_file {
        return Ok(Appended::Nowhere { end_is_open: ends_open(lines) });
    }
    let at = append_line(lines, scope)?;
    check_end(lines, hunk, at)?;
    check_open_fence(lines, at, texts.first().map_or("", String::as_str))?;
    let above = open_above(lines, at);
    is_spaced &= !above.iter().any(|bullet| is_one_in(bullet.line_text()));
    if !is_spaced {
        texts = as_sent;
    }
    written.healed.extend(is_spaced.then_some(Rung::Spaced));
    let is_inside = |bullet: &BulletRef<'_>| {
        scope.kind == Kind::Document || scope.start < lines.doc.lines().index_at(bullet.line.start())
    };
    let model = match scope.kind {
        Kind::Bullet(parent) => Some(child_model(parent)),
        _ => above.last().copied().filter(is_inside).map(Model::of),
    };
    let touches = scope.kind == Kind::Document || at.checked_sub(1).is_some_and(|above| !lines.is_blank(above));
    let begins_full = texts.first().is_some_and(|line| !is_blank(line));
    let are_plain =
        |model: &Model| texts.iter().filter(|line| !is_blank(line)).all(|line| is_plain(line, model.numbers()));
    if let Some(model) = model.filter(|model| is_spaced && begins_full && touches && are_plain(model)) {
        for (nth, text) in texts.iter_mut().enumerate().filter(|(_, text)| !is_blank(text)) {
            if model.is_ordered() {
                return Err(numberless(hunk.first_line + nth, text).into());
            }
            *text = model.item(text, Marks::default());
            written.healed.extend((nth == 0).then_some(Rung::BulletForm));
        }
    }
    if heals {
        written.healed.extend(snap(&mut texts, above.iter().map(|bullet| columns(bullet.line_text())).collect()));
    }
    written.edits.push(LineEdit { lines: at..at, texts });
    Ok(Appended::Written(written))
}

/// Refuses to write at the end of a document where lines stand below.
fn check_end(lines: &DocLines<'_>, hunk: &Hunk, at: usize) -> Result<(), LocateError> {
    let first_below = (at..lines.len()).find(|line| !is_blank(lines.text(*line)));
    match first_below.filter(|_| hunk.is_at_end_of_file) {
        Some(below) => {
            let reasons = vec![Reason::EndsBefore(below)];
            Err(LocateError::not_found(Target::End, Diagnostic { reasons, ..Diagnostic::default() }))
        }
        None => Ok(()),
    }
}

/// Returns how a child of a bullet is written.
fn child_model(parent: BulletRef<'_>) -> Model {
    if let Some(child) = parent.children().next_back() {
        return Model::of(child);
    }
    let own = Model::of(parent);
    let marker = if own.is_ordered() { "-".to_owned() } else { own.marker.clone() };
    Model { indentation: [own.indentation, " ".repeat(own.marker.len() + 1)].concat(), marker }
}

/// Returns the line before which lines appended to a scope go.
fn append_line(lines: &DocLines<'_>, scope: &HunkScope<'_>) -> Result<usize, Refusal> {
    let doc = lines.doc;
    let part = match scope.kind {
        Kind::Document => return Ok(lines.len()),
        Kind::FrontMatter => return Ok(scope.end.saturating_sub(1)),
        Kind::Slot => return Ok(scope.end),
        Kind::Section(section) => {
            check_labels(section)?;
            Scope::Section(section)
        }
        Kind::Block(block) => Scope::Block(block),
        Kind::Label(label) => Scope::Label(label),
        Kind::Bullet(bullet) => Scope::Bullet(bullet),
        Kind::Line => Scope::From(lines.span(&(scope.start..scope.end))),
    };
    let at = append_point(doc, part);
    Ok(if at >= doc.text().len() { lines.len() } else { doc.lines().index_at(at) })
}

/// Refuses to append to a section of which several labels own all bullets.
fn check_labels(section: SectionRef<'_>) -> Result<(), Refusal> {
    let labels = competing_labels(section);
    if labels.is_empty() {
        return Ok(());
    }
    let known = labels.into_iter().take(LABELS).map(|label| label.name().into()).collect();
    let help = Diagnostic { known, ..Diagnostic::default() };
    Err(Refusal::NeedsAnchor { help: Box::new(help), end_is_open: false })
}

/// Refuses to write into a fence that nothing closes, but for the line that closes it.
fn check_open_fence(lines: &DocLines<'_>, at: usize, first: &str) -> Result<(), Refusal> {
    let Some(above) = at.checked_sub(1) else { return Ok(()) };
    let fence = lines.doc.outline().fence_at(lines.start(above)).filter(|fence| !fence.is_closed);
    let Some(fence) = fence else { return Ok(()) };
    let opening = lines.text(lines.doc.lines().index_at(fence.extent.start()));
    let bare = bullet_start(opening).and_then(|start| opening.get(start.rest..)).unwrap_or(opening).trim_start();
    let closes = fence_open(bare).is_some_and(|open| fence_closes(first.trim_start(), open));
    match closes {
        true => Ok(()),
        false => Err(EditError::InvalidText(Flaw::InOpenFence(lines.doc.line_number(fence.extent.start()))).into()),
    }
}

/// Reports whether lines may be written at the end of the document: no reserved section stands there.
fn ends_open(lines: &DocLines<'_>) -> bool {
    let end = Span::at(lines.doc.text().len().saturating_sub(1));
    lines.doc.reserved_section_at(end.start()).is_none()
}
