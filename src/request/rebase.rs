//! Rebase: a request made against an older text is planned anew against the current one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::{Failure, Known, Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::{Displaced, Edit, Namesakes, Naming, Owners, PartStatus, Reach, SameLines, displaced, made};
use crate::text::{Content, Line, Lines, Span, excerpt, is_blank};

/// A request that was planned anew.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rebased {
    /// The plan on the text that the editor believes in.
    pub seen: Edit,
    /// The plan on the current text.
    pub current: Edit,
}

/// Plans `request` on the current document `view.doc`, and accepts the plan only if every splice of each part stands among the
/// text that the editor believes in: the rest of the lines that it touches, and the section, the block and the bullets that they
/// are in. Lines that are inserted touch no others, so that two editors may append to one list, unless a number says where: then
/// they stand between the lines that they would have stood between. Where several lines, sections or bullets read the
/// same, the one must be the other's counterpart. What others have written since must stay in the section, the block
/// and the bullet that they put it in.
///
/// # Errors
///
/// What the request is refused for on the text that was seen; `Conflict` for parts that no longer resolve there.
pub fn rebase(request: &dyn Request, view: &View<'_>) -> Result<Rebased, RequestError> {
    let believed = view.known.map_or(view.doc, Known::believed);
    let seen = request.plan(&view.on(believed))?;
    accepted(seen, request.plan(view), request.is_placed_by_index(), view)
}

/// Accepts what a request comes to on the current document, if it is the same as on the one that was seen.
///
/// # Errors
///
/// As [`rebase`].
pub(crate) fn accepted(
    seen: Edit,
    current: Result<Edit, RequestError>,
    is_placed_by_index: bool,
    view: &View<'_>,
) -> Result<Rebased, RequestError> {
    let believed = view.known.map_or(view.doc, Known::believed);
    let current = match current {
        Ok(current) => current,
        Err(error) => return Err(lost_parts(&seen, view, &error)),
    };
    let (expected, result) = (made(believed, &seen), made(view.doc, &current));
    let (old, new) = (surroundings(&seen, [believed, &expected]), surroundings(&current, [view.doc, &result]));
    // What others have done already needs no place.
    let is_done = |part: usize| current.parts().get(part).is_some_and(|part| part.status == PartStatus::AlreadyApplied);
    let (mut failures, mut strangers, mut refused) = (Vec::new(), Vec::new(), HashSet::new());
    let mut namesakes = Namesakes::new(Reach::Around);
    let (mut lines, mut written) = (SameLines::new([believed, view.doc]), SameLines::new([&expected, &result]));
    // Others may have changed the order in which the parts stand, but not that of the places of one part.
    let (mut old, new) = (by_part(old), by_part(new));
    old.retain(|(part, _), _| !is_done(*part));
    for rank in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let (before, place) = (old.get(rank), new.get(rank));
        let is_like = before.zip(place).is_some_and(|(before, place)| {
            before.is_like(place, &mut namesakes)
                && (!is_placed_by_index || before.is_between_the_same(place, &mut lines))
        });
        let is_same =
            before.zip(place).is_some_and(|(before, place)| before.is_among_the_same(place, &mut lines, &mut written));
        if !is_like || !is_same {
            let part = place.or(before).map_or(0, |place| place.part);
            if !refused.insert(part) {
                continue;
            }
            let now = place.map(|place| excerpt(place.lines.of(view.doc.text()), 160)).unwrap_or_default();
            let kind = if is_like { &mut strangers } else { &mut failures };
            kind.push(Failure::new(part, Refusal::Conflict { span: place.map(|place| place.lines), now: now.into() }));
        }
    }
    if failures.is_empty()
        && let Some(Displaced { line, part }) = displaced(believed, view.doc, &current, &result, Naming::Kept)
    {
        let now = excerpt(line.of(view.doc.text()), 160).into();
        failures.push(Failure::new(part, Refusal::Conflict { span: Some(line), now }));
    }
    if failures.is_empty() {
        failures = strangers;
    }
    RequestError::from_failures(failures).map_or(Ok(()), Err)?;
    drop((old, new, namesakes, lines, written));
    Ok(Rebased { seen, current })
}

/// Names the parts whose surroundings are gone, or those for which `error` says that they have no place any more.
fn lost_parts(seen: &Edit, view: &View<'_>, error: &RequestError) -> RequestError {
    let believed = view.known.map_or(view.doc, Known::believed);
    let conflict = |part| Failure::new(part, Refusal::Conflict { span: None, now: Content::default() });
    let expected = made(believed, seen);
    let gone =
        surroundings(seen, [believed, &expected]).into_iter().filter(|place| !view.doc.text().contains(place.text));
    let mut parts: Vec<_> = gone.map(|place| place.part).collect();
    if parts.is_empty() {
        parts.extend(error.failures().iter().map(|failure| failure.part));
    }
    parts.sort_unstable();
    parts.dedup();
    let failures = parts.into_iter().map(conflict).collect();
    RequestError::from_failures(failures).unwrap_or_else(|| error.clone())
}

/// What one splice, or several in the same lines, stand among.
struct Place<'a> {
    part: usize,
    lines: Span,
    text: &'a str,
    owners: Owners<'a>,
    /// Whether its owners are those of what is written.
    is_written: bool,
    /// Where the first of the lines with words starts, if there is one.
    first: Option<usize>,
    /// Where the line before starts, and the one behind, if they have words.
    beside: [Option<usize>; 2],
    /// Where in the lines something is removed, how much, and what is written there.
    changes: Vec<(usize, usize, &'a str)>,
}

impl<'a> Place<'a> {
    /// Reports whether what touches no line stands between the same lines.
    fn is_between_the_same(&self, other: &Self, lines: &mut SameLines<'_>) -> bool {
        let mut beside = self.beside.iter().zip(&other.beside);
        !self.text.is_empty()
            || beside.all(|(own, other)| match (own, other) {
                (None, None) => true,
                _ => lines.read_the_same([*own, *other]) && lines.are([*own, *other]),
            })
    }

    /// Reports whether the lines are the same ones, and what they are written in. `lines` are those of the documents before the
    /// edit, `written` those of the results.
    fn is_among_the_same(&self, other: &Self, lines: &mut SameLines<'_>, written: &mut SameLines<'_>) -> bool {
        let owners = [self.owners.innermost(), other.owners.innermost()];
        let places = self.first.zip(other.first);
        places.is_none_or(|(own, other)| lines.are_at_one_place([own, other]))
            && if self.is_written { written.are(owners) } else { lines.are(owners) }
    }

    /// Reports whether the same is done among the same text. How lines end is no part of it.
    fn is_like(&self, other: &Self, namesakes: &mut Namesakes<'a>) -> bool {
        fn lines(text: &str) -> impl Iterator<Item = &str> {
            Lines::of(text).map(move |line| line.text.of(text))
        }
        namesakes.are(self.owners, other.owners)
            && lines(self.text).eq(lines(other.text))
            && self.changes.len() == other.changes.len()
            && self.changes.iter().zip(&other.changes).all(
                |((at, length, text), (other_at, other_length, other_text))| {
                    let same_length = length == other_length || lines(self.text).count() > 1;
                    at == other_at && same_length && lines(text).eq(lines(other_text))
                },
            )
    }
}

/// Returns places by their part, and by how many of that part stand before them.
fn by_part(places: Vec<Place<'_>>) -> BTreeMap<(usize, usize), Place<'_>> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let ranked = places.into_iter().map(|place| {
        let count = counts.entry(place.part).or_default();
        *count += 1;
        ((place.part, *count - 1), place)
    });
    ranked.collect()
}

/// Returns where the lines before and behind `lines` start, if they have words.
fn beside(doc: &MemoryDoc, lines: Span) -> [Option<usize>; 2] {
    let line = |offset: Option<usize>| {
        let index = doc.lines().index_at(offset.filter(|offset| *offset < doc.text().len())?);
        Some(doc.lines().start(index))
            .filter(|start| !is_blank(Line::starting_at(doc.text(), *start).text.of(doc.text())))
    };
    [line(lines.start().checked_sub(1)), line(Some(lines.end()))]
}

/// Returns what the splices of an edit stand among, in the document that it was planned on; what they write is in what the second
/// document, its result, has above it.
fn surroundings<'a>(edit: &'a Edit, [doc, result]: [&'a MemoryDoc; 2]) -> Vec<Place<'a>> {
    let (text, table) = (doc.text(), doc.lines());
    let mut places: Vec<Place<'a>> = Vec::new();
    for (splice, written) in edit.splices().iter().zip(edit.result_spans()) {
        let span = splice.span;
        let is_start = span.start() == 0 || text.as_bytes().get(span.start() - 1) == Some(&b'\n');
        let lines = if span.is_empty() && (is_start || span.start() == text.len()) {
            // Whole lines that are inserted touch no line that is there.
            span
        } else {
            let last = span.end().saturating_sub(1).max(span.start());
            Span::new(table.start(table.index_at(span.start())), table.start(table.index_at(last) + 1))
        };
        let change = (span.start() - lines.start(), span.len(), &*splice.text);
        match places.last_mut().filter(|place| place.lines == lines && place.part == splice.part) {
            Some(place) => place.changes.push(change),
            None => {
                let is_written = !is_blank(&splice.text);
                let owners = if is_written { owners(result, written) } else { owners(doc, span) };
                let beside = beside(doc, lines);
                let with_words = Lines::within(text, lines).map(|line| line.text).find(|line| !is_blank(line.of(text)));
                let first = with_words.map(Span::start);
                let text = lines.of(text);
                places.push(Place {
                    part: splice.part,
                    lines,
                    text,
                    owners,
                    is_written,
                    first,
                    beside,
                    changes: vec![change],
                });
            }
        }
    }
    places
}

/// Returns what the first line with words in `span` is in; without any, what the line before is in.
fn owners(doc: &MemoryDoc, span: Span) -> Owners<'_> {
    let words = span.of(doc.text());
    let first = match words.len() - words.trim_start_matches(['\r', '\n']).len() {
        _ if words.is_empty() => span.start().saturating_sub(1),
        blank => span.start() + blank,
    };
    Owners::of(doc, doc.lines().start(doc.lines().index_at(first)))
}
