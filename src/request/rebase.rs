//! Rebase: a request made against an older text is planned anew against the current one (SPEC § 5.6).

use super::{Failure, Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::{Edit, PartStatus, Splice};
use crate::text::{Line, Span, excerpt};

/// A request that was planned anew.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rebased {
    /// The plan on the text that the editor believes in.
    pub seen: Edit,
    /// The plan on the current text.
    pub current: Edit,
}

/// Plans `request` on the current document `view.doc`, and accepts the plan only if every splice stands among the text
/// that the editor saw: the rest of the lines that it touches, and the section that they stand in.
///
/// # Errors
///
/// What the request is refused for on the text that was seen; `Conflict` for parts that no longer resolve there.
pub fn rebase(request: &dyn Request, believed: &MemoryDoc, view: &View<'_>) -> Result<Rebased, RequestError> {
    let seen = request.plan(&view.on(believed))?;
    let Ok(current) = request.plan(view) else {
        return Err(lost_parts(&seen, believed, view.doc));
    };
    let (mut old, new) = (surroundings(&seen, believed), surroundings(&current, view.doc));
    // What others have done already needs no place.
    let is_done = |part: usize| current.parts().get(part).is_some_and(|part| part.status == PartStatus::AlreadyApplied);
    old.retain(|place| !is_done(place.part));
    let mut failures = Vec::new();
    for index in 0..old.len().max(new.len()) {
        if old.get(index).map(|place| &place.text) != new.get(index).map(|place| &place.text) {
            let place = new.get(index);
            let part = place.or(old.get(index)).map_or(0, |place| place.part);
            let now = place.map(|place| excerpt(place.lines.of(view.doc.text()), 160)).unwrap_or_default();
            failures.push(Failure::new(part, Refusal::Conflict { span: place.map(|place| place.lines), now }));
        }
    }
    match RequestError::from_failures(failures) {
        Some(error) => Err(error),
        None => Ok(Rebased { seen, current }),
    }
}

/// Names the parts whose surroundings are gone, or the first if that cannot be told.
fn lost_parts(seen: &Edit, believed: &MemoryDoc, current: &MemoryDoc) -> RequestError {
    let conflict = |part| Failure::new(part, Refusal::Conflict { span: None, now: String::new() });
    let gone = surroundings(seen, believed).into_iter().filter(|place| !current.text().contains(&place.text.0));
    let mut parts: Vec<_> = gone.map(|place| place.part).collect();
    parts.dedup();
    let failures = parts.into_iter().map(conflict).collect();
    RequestError::from_failures(failures)
        .unwrap_or_else(|| RequestError::of(0, Refusal::Conflict { span: None, now: String::new() }))
}

/// The text that a splice stands among.
struct Place {
    part: usize,
    lines: Span,
    text: (String, Option<String>, String),
}

fn surroundings(edit: &Edit, doc: &MemoryDoc) -> Vec<Place> {
    let text = doc.text();
    let place = |splice: &Splice| {
        let last = splice.span.end().saturating_sub(1).max(splice.span.start());
        // An insertion at a line's start stands below the line before it.
        let first = if splice.span.is_empty() { splice.span.start().saturating_sub(1) } else { splice.span.start() };
        let lines = Span::new(Line::holding(text, first).full.start(), Line::holding(text, last).full.end());
        let lines = if splice.span.is_empty() { Line::holding(text, first).full } else { lines };
        let section = doc.outline().section_at(lines.start()).map(|section| doc.section_path(section));
        Place { part: splice.part, lines, text: (lines.of(text).to_owned(), section, splice.text.to_string()) }
    };
    edit.splices().iter().map(place).collect()
}
