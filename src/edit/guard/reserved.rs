//! Reserved sections stay as they are, byte for byte, and nothing passes for them.
//!
//! The blank lines behind a reserved section are part of its extent, so that they stay too.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::carry::Carry;
use super::super::compose::before_trailing_blanks;
use super::super::draft::merged;
use super::super::splice::{Origin, Whose};
use super::super::{Draft, EditError, Promise, ReservedBreach};
use super::promises::within;
use crate::document::{MemoryDoc, Paths, SectionRef};
use crate::text::{Lines, Span, Tally, fold_name, is_blank};

/// Checks that reserved sections stay as they are, where they are and to be seen, and that nothing passes for them.
pub(crate) fn check(draft: &Draft<'_>) -> Result<(), EditError> {
    let (before, after) = (reserved_sections(draft.old), reserved_sections(&draft.new));
    check_extents(draft, &before, &after)?;
    check_places(draft, &before, &after)?;
    // What an agent took from above one, and nobody has written since, it may put back.
    if draft.edit.origin() != Origin::Inversion(Whose::Own) {
        check_top(draft, &before, &after)?;
    }
    check_look_alikes(draft, &after)?;
    check_hidden(draft, &before, &after)
}

/// A reserved section.
struct Reserved<'a> {
    section: SectionRef<'a>,
    /// The name that its title passes for.
    name: &'a str,
}

impl<'a> Reserved<'a> {
    fn text(&self) -> &'a str {
        self.section.extent.of(self.section.doc().text())
    }

    fn refused(&self, breach: ReservedBreach) -> EditError {
        EditError::ReservedSection { section: self.name.to_owned(), breach }
    }
}

fn reserved_sections(doc: &MemoryDoc) -> Vec<Reserved<'_>> {
    doc.reserved_sections().map(|(section, name)| Reserved { section, name }).collect()
}

fn check_extents(draft: &Draft<'_>, before: &[Reserved<'_>], after: &[Reserved<'_>]) -> Result<(), EditError> {
    if let Some(first) = after.first().filter(|_| after.len() > before.len()) {
        // Of several, the one that was not there is told by what it says.
        let known: HashSet<_> = before.iter().map(Reserved::text).collect();
        let is_new = |new: &&Reserved<'_>| !known.contains(new.text());
        let new = after.iter().find(is_new).unwrap_or(first);
        return Err(new.refused(ReservedBreach::Added(new.section.line_number())));
    }
    if let Some(first) = before.first().filter(|_| after.len() < before.len()) {
        return Err(first.refused(ReservedBreach::Removed));
    }
    if let Some((old, _)) = before.iter().zip(after).find(|(old, new)| old.text() != new.text()) {
        return Err(old.refused(ReservedBreach::Changed));
    }
    // A section that is taken out and put back elsewhere has the same bytes, but has been changed all the same. Of the blank lines at
    // its end, as many as stood there are there again.
    let removed = draft.splices().filter(|(_, _, promise)| *promise != Promise::Whole).map(|(removed, ..)| removed);
    // What is taken of one that stands in another is taken of that, too.
    let mut outermost: Vec<&Reserved<'_>> = Vec::new();
    for old in before {
        if outermost.last().is_none_or(|last| last.section.extent.end() <= old.section.extent.start()) {
            outermost.push(old);
        }
    }
    let taken = |span: Span| {
        let first = outermost.partition_point(|old| old.section.extent.end() <= span.start());
        let words = |old: &Reserved<'_>| {
            Span::new(old.section.extent.start(), before_trailing_blanks(draft.old, old.section.extent))
        };
        outermost.get(first).filter(|old| words(old).overlaps(span))
    };
    match removed.filter_map(taken).next() {
        Some(old) => Err(old.refused(ReservedBreach::Changed)),
        None => Ok(()),
    }
}

/// Refuses a document written anew in which a reserved section stands below another heading, or on the other side of a section
/// that has stayed.
fn check_places(draft: &Draft<'_>, before: &[Reserved<'_>], after: &[Reserved<'_>]) -> Result<(), EditError> {
    if before.is_empty() || !draft.splices().any(|(_, _, promise)| promise == Promise::Whole) {
        return Ok(());
    }
    // A section has stayed if its path is that of one section before and after.
    let mut numbers = Paths::new(|title| fold_name(title).into());
    let (olds, news) = (places(&mut numbers, draft.old), places(&mut numbers, &draft.new));
    let stayed = olds.iter().filter_map(|(path, old)| Some(((*old)?, (*news.get(path)?)?)));
    let mut stayed: Vec<_> = stayed.collect();
    stayed.sort_unstable();
    // Where the last stands in the new text of the first so many, and where the first stands of the last so many.
    let last_of = running(stayed.iter().map(|(_, start)| *start), usize::max);
    let first_of = running(stayed.iter().rev().map(|(_, start)| *start), usize::min);
    let mut exact = Paths::new(Cow::Borrowed);
    let (old_paths, new_paths) = (exact.of(draft.old), exact.of(&draft.new));
    let path_above = |paths: &[usize], section: SectionRef<'_>| paths.get(section.parent()?.index()).copied();
    for (old, new) in before.iter().zip(after) {
        let new_start = new.section.extent.start();
        let above = stayed.partition_point(|(start, _)| *start < old.section.extent.start());
        let below = stayed.len() - above;
        let last_above = above.checked_sub(1).and_then(|last| last_of.get(last));
        let first_below = below.checked_sub(1).and_then(|first| first_of.get(first));
        let keeps_place = last_above.is_none_or(|start| *start < new_start)
            && first_below.is_none_or(|start| *start >= new_start)
            && path_above(&old_paths, old.section) == path_above(&new_paths, new.section);
        if !keeps_place {
            return Err(old.refused(ReservedBreach::Moved));
        }
    }
    Ok(())
}

/// Returns for each of `offsets` what `join` makes of it and all before it.
fn running(offsets: impl Iterator<Item = usize>, join: fn(usize, usize) -> usize) -> Vec<usize> {
    let joined = offsets.scan(None, |all: &mut Option<usize>, offset| {
        *all = Some(all.map_or(offset, |all| join(all, offset)));
        *all
    });
    joined.collect()
}

/// Returns where the section of each path starts; `None` for a path that several have.
fn places<'t>(numbers: &mut Paths<'t>, doc: &'t MemoryDoc) -> HashMap<usize, Option<usize>> {
    let mut places = HashMap::new();
    for (section, path) in doc.sections().zip(numbers.of(doc)) {
        let start = Some(section.line.start());
        places.entry(path).and_modify(|place| *place = None).or_insert(start);
    }
    places
}

/// Refuses text above a reserved section that stood at the top, but for front matter of slots.
fn check_top(draft: &Draft<'_>, before: &[Reserved<'_>], after: &[Reserved<'_>]) -> Result<(), EditError> {
    let stands_at_top = |reserved: &Reserved<'_>| {
        let (doc, start) = (reserved.section.doc(), reserved.section.extent.start());
        is_blank(Span::new(doc.outline().body_start().min(start), start).of(doc.text()))
    };
    match (before.first(), after.first()) {
        (Some(old), Some(new)) if stands_at_top(old) && (!stands_at_top(new) || gains_prose_in_front(draft)) => {
            Err(old.refused(ReservedBreach::Above))
        }
        _ => Ok(()),
    }
}

/// Reports whether the front matter has a line that is neither a slot nor stood in it before: a text of its own.
fn gains_prose_in_front(draft: &Draft<'_>) -> bool {
    let lines = |doc: &MemoryDoc| {
        let front = doc.outline().front_matter().unwrap_or_default();
        let lines: Vec<Span> = Lines::within(doc.text(), front).map(|line| line.text).collect();
        // Without the lines that begin and end it.
        lines.into_iter().skip(1).rev().skip(1)
    };
    let (old, new) = (draft.old.text(), draft.new.text());
    let slots = draft.new.outline().slots();
    let is_slot = |line: Span| slots.binary_search_by_key(&line.start(), |slot| slot.line.start()).is_ok();
    let mut known: Tally<&str> = lines(draft.old).map(|line| line.of(old)).collect();
    let mut own = lines(&draft.new).filter(|line| !is_blank(line.of(new)) && !is_slot(*line));
    own.any(|line| !known.take(line.of(new)))
}

/// Refuses an edit that makes a line which passes for a reserved heading. What stands on a line that the edit writes is made by
/// it, whatever the line was before.
fn check_look_alikes(draft: &Draft<'_>, reserved: &[Reserved<'_>]) -> Result<(), EditError> {
    let made = match contexts_may_change(draft) {
        true => made_look_alike(draft, reserved, |doc, _| doc.look_alikes().to_vec()),
        false => made_look_alike(draft, reserved, look_alikes_near),
    };
    match made {
        Some(span) => {
            let name = draft.new.rules().reserved_name(span.of(draft.new.text()));
            let section = name.or(draft.new.policy().reserved_sections.first().map(String::as_str));
            let breach = ReservedBreach::LookAlike(draft.new.line_number(span.start()));
            Err(EditError::ReservedSection { section: section.unwrap_or_default().to_owned(), breach })
        }
        None => Ok(()),
    }
}

/// Returns the first line that the edit makes and that passes for a reserved heading, of those that `passing` finds in each text
/// near the lines that it touches.
fn made_look_alike(
    draft: &Draft<'_>,
    reserved: &[Reserved<'_>],
    passing: impl Fn(&MemoryDoc, Vec<Span>) -> Vec<Span>,
) -> Option<Span> {
    let after = passing(&draft.new, draft.new_lines());
    if after.is_empty() {
        return None;
    }
    let before = passing(draft.old, draft.old_lines());
    let carry = Carry::of(draft);
    let standing = before.iter().filter_map(|span| {
        let start = carry.survivor(span.start())?;
        Some((start, span.of(draft.old.text())))
    });
    let standing: HashMap<usize, &str> = standing.collect();
    // A true heading is told by the sections: as many, and with the same text, as there were.
    let headings: HashSet<usize> = reserved.iter().map(|new| new.section.extent.start()).collect();
    let is_made = |span: &&Span| {
        if headings.contains(&span.start()) {
            return false;
        }
        // One that was underlined may stand without.
        !standing.get(&span.start()).is_some_and(|text| text.starts_with(span.of(draft.new.text())))
            || first_behind(&draft.written, span.start()).is_some_and(|written| written.overlaps(**span))
    };
    after.iter().find(is_made).copied()
}

/// Returns the first of spans in a row that ends behind `offset`.
fn first_behind(spans: &[Span], offset: usize) -> Option<Span> {
    spans.get(spans.partition_point(|span| span.end() <= offset)).copied()
}

/// Refuses an edit that opens HTML above a reserved section which hides it.
fn check_hidden(draft: &Draft<'_>, before: &[Reserved<'_>], after: &[Reserved<'_>]) -> Result<(), EditError> {
    let hidden = |doc: &MemoryDoc, sections: &[Reserved<'_>]| {
        doc.hidden_by(&sections.iter().map(|reserved| reserved.section.extent.start()).collect::<Vec<_>>())
    };
    let (was, is) = (hidden(draft.old, before), hidden(&draft.new, after));
    let newly =
        was.into_iter().zip(is).zip(after).find_map(|((was, is), new)| Some((is.filter(|_| was.is_none())?, new)));
    match newly {
        Some((at, new)) => Err(new.refused(ReservedBreach::Hidden(draft.new.line_number(at)))),
        None => Ok(()),
    }
}

/// Reports whether the edit may bring text into or out of a fence or the front matter that it does not write itself. Of a text
/// that is written anew, nothing else tells that front matter of the same length is the same.
fn contexts_may_change(draft: &Draft<'_>) -> bool {
    let touches = |doc: &MemoryDoc, span: Span| {
        let fences = doc.outline().fences();
        let first = fences.partition_point(|fence| fence.extent.end() < span.start());
        fences.get(first).is_some_and(|fence| fence.extent.start() <= span.end())
    };
    let front = |doc: &MemoryDoc| doc.outline().front_matter().map(Span::len);
    let body = draft.old.outline().body_start();
    front(draft.old) != front(&draft.new)
        || fences_differ(draft)
        || draft.splices().any(|(removed, written, promise)| {
            (promise == Promise::Whole && removed.start() <= body)
                || touches(draft.old, removed)
                || touches(&draft.new, written)
        })
}

/// Reports whether a fence is there no more, is new or has become another, such as by the marker of the bullet that it is in.
fn fences_differ(draft: &Draft<'_>) -> bool {
    let carry = Carry::of(draft);
    let before = draft.parsed_of_old().flat_map(|span| fences_within(draft.old, span));
    let after = draft.parsed_of_new().flat_map(|span| fences_within(&draft.new, span));
    before.map(|span| (carry.survivor(span.start()), span.len())).ne(after.map(|span| (Some(span.start()), span.len())))
}

fn fences_within(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = Span> {
    within(doc.outline().fences(), span, |fence| fence.extent.start()).map(|fence| fence.extent)
}

/// Returns the look-alikes under `spans` and two lines around each, which may be shown as one with them.
fn look_alikes_near(doc: &MemoryDoc, spans: Vec<Span>) -> Vec<Span> {
    let table = doc.lines();
    let wider = |span: Span| {
        let (first, last) = (table.index_at(span.start()), table.index_at(span.end()));
        Span::new(table.start(first.saturating_sub(2)), table.start(last + 3).max(span.end()))
    };
    merged(spans.into_iter().map(wider)).into_iter().flat_map(|span| doc.look_alikes_within(span)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::super::Edit;
    use super::*;

    const LINES: [&str; 16] = [
        "## System/Policy",
        "System/Policy",
        "Sys",
        "tem/",
        "Policy",
        "  Policy",
        "- System/",
        "  ```",
        "```",
        "---",
        "a: b",
        "## Facts",
        "- Likes tea",
        "",
        "Prose",
        "\u{FEFF}System/Policy",
    ];

    fn text(length: usize) -> impl Strategy<Value = Vec<&'static str>> {
        prop::collection::vec(select(&LINES[..]), 0..length)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn look_alikes_that_are_made_stand_near_what_is_written(
            start in text(6),
            [old, new] in [text(4), text(4)],
            end in text(6),
        ) {
            let doc = |middle: &[&str]| MemoryDoc::parse([&*start, middle, &*end].concat().join("\n"));
            let (old, new) = (doc(&old), doc(&new));
            let edit = Edit::between(&old, &new);
            let draft = Draft::between(&old, &edit, new.clone());
            let reserved = reserved_sections(&new);
            if !contexts_may_change(&draft) {
                let anywhere = made_look_alike(&draft, &reserved, |doc, _| doc.look_alikes().to_vec());
                prop_assert_eq!(made_look_alike(&draft, &reserved, look_alikes_near), anywhere);
            }
        }
    }
}
