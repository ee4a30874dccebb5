//! The commands `view`, `str_replace` and `insert`.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::document::MemoryDoc;
use crate::edit::{Edit, line_after, line_changes};
use crate::locate::{Code, exact_occurrences};
use crate::memory::{Applied, DocName};
use crate::request::{InsertLines, Known, Place, Replace};
use crate::text::{Span, irregular, is_whole_words};
use crate::toolbox::files::change::{Shelf, by_memory, edit_reply, read_reply, stop};
use crate::toolbox::files::path::{AtPath, Path, missing};
use crate::toolbox::{Refused, Reply, bounded};

/// How many lines are shown above and below a change.
const AROUND: usize = 2;
/// How many changed lines are shown.
const MOST_CHANGED: usize = 40;
/// How much of a text that was not found is repeated, in characters.
const REPEATED: usize = 1_000;

/// Replaces a text that occurs once in a file.
pub(super) fn replace(shelf: &mut Shelf<'_>, path: &str, old: &str, new: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let AtPath::File(name) = shelf.tree.at(&path)? else { return Err(missing(&path)) };
    let (doc, known) = shelf.read(&path, &name)?;
    let refused = match shelf.edit(&name, Box::new(request(known.believed(), old, new))) {
        Ok(applied) => {
            let mut text = "The memory file has been edited.".to_owned();
            if let Some(snippet) = snippet(shelf, &name, &applied) {
                text.push_str(" Here is the snippet showing the change (with line numbers):\n");
                text.push_str(&snippet);
            }
            return Ok(edit_reply(text, &[applied]));
        }
        Err(refused) if refused.code == Code::NotFound && known.believed().revision() != doc.revision() => {
            shelf.refuse_stale(&name, &known, doc.clone())
        }
        Err(refused) => refused,
    };
    Err(not_replaced(&path.shown, &doc, old, refused))
}

/// Returns the request. A text that occurs only once in the file may be inside a longer word.
fn request(doc: &MemoryDoc, old: &str, new: &str) -> Replace {
    let request = Replace::new(old, new);
    match exact_occurrences(doc.text(), doc.span(), old).as_slice() {
        [only] if !is_whole_words(doc.text(), *only) => Replace { place: Some(Place::of(doc, *only)), ..request },
        _ => request,
    }
}

/// Refuses in the vendor's words.
fn not_replaced(path: &str, doc: &MemoryDoc, old: &str, refused: Box<Refused>) -> Box<Refused> {
    let sought = if old.chars().count() > REPEATED { &format!("{}…", bounded(old, REPEATED)) } else { old };
    match (refused.code, exact_occurrences(doc.text(), doc.span(), old).as_slice()) {
        (Code::NotFound | Code::Conflict | Code::StaleRevision, []) => refused
            .in_words(format!("No replacement was performed, old_str `{sought}` did not appear verbatim in {path}.")),
        (Code::CountMismatch | Code::Ambiguous, places @ [_, _, ..]) => {
            let lines = places.iter().take(50).map(|place| doc.line_number(place.start()).to_string());
            let lines = lines.collect::<Vec<_>>().join(", ");
            let words = format!(
                "No replacement was performed. Multiple occurrences of old_str `{sought}` in lines: {lines}. Please ensure it is unique"
            );
            refused.in_words(words).with_hint("send more of the lines around the one that is meant")
        }
        (Code::Conflict | Code::StaleRevision, _) => {
            refused.in_words(format!("No replacement was performed: {path} has changed since you viewed it."))
        }
        _ => refused.because(&format!("No replacement was performed in {path}")),
    }
}

/// Inserts lines after a line.
pub(super) fn insert(shelf: &mut Shelf<'_>, path: &str, line: i64, text: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let AtPath::File(name) = shelf.tree.at(&path)? else { return Err(missing(&path)) };
    let (doc, known) = shelf.read(&path, &name)?;
    let after = position(&path, &known, line)?;
    let changed = || format!("The file {} has changed since you viewed it.", path.shown);
    if after > 0 && known.believed().revision() != doc.revision() && !stands_there(known.believed(), &doc, after) {
        return Err(shelf.refuse_stale(&name, &known, doc).in_words(changed()));
    }
    let applied = shelf.edit(&name, Box::new(InsertLines::new(after, text)));
    let applied = applied.map_err(|refused| match refused.code {
        Code::StaleRevision | Code::Conflict => refused.in_words(changed()),
        _ => refused.because(&format!("Nothing was inserted into {}", path.shown)),
    })?;
    Ok(edit_reply(format!("The file {} has been edited.", path.shown), &[applied]))
}

/// Returns after how many lines to insert, in the text that the agent knows. It must have seen the line before or
/// after.
fn position(path: &Path, known: &Known, line: i64) -> Result<usize, Box<Refused>> {
    let doc = known.believed();
    let count = doc.lines().len();
    let Some(after) = usize::try_from(line).ok().filter(|after| *after <= count) else {
        let why = format!(
            "Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {count}]"
        );
        let last = doc.section_at(doc.lines().start(count.saturating_sub(1)));
        let hint = last.map(|section| format!("the last line is in the section `{}`", bounded(&section.path(), 80)));
        return Err(stop(Code::InvalidArguments, why).with_hint(hint.unwrap_or_default()));
    };
    let is_seen = |index: usize| index < count && known.has_seen_line(index);
    if after == 0 || is_seen(after - 1) || is_seen(after) {
        return Ok(after);
    }
    let why = format!("view {} first: the line that `insert_line` counts from has not been shown", path.shown);
    Err(stop(Code::MissingRevision, why))
}

/// Returns true if the two lines around the place in the text seen are still there as neighbors, and no other two in the
/// current text are the same.
fn stands_there(seen: &MemoryDoc, now: &MemoryDoc, after: usize) -> bool {
    let line = |doc: &MemoryDoc, index: usize| {
        let is_there = index < doc.lines().len();
        is_there.then(|| doc.lines().line(doc.text(), index).text.of(doc.text()).to_owned())
    };
    let pair = (line(seen, after - 1), line(seen, after));
    let all = 1..=now.lines().len();
    let found: Vec<usize> = all.filter(|after| (line(now, after - 1), line(now, *after)) == pair).collect();
    let changes = line_changes(seen, now, &Edit::between(seen, now));
    let now_at = |index| line_after(&changes, index);
    matches!(*found, [only] if now_at(after - 1) == Some(only - 1) && now_at(after) == Some(only))
}

/// Returns the changed lines and those around them, as they read now. They count as shown.
fn snippet(shelf: &mut Shelf<'_>, name: &DocName, applied: &Applied) -> Option<String> {
    let (doc, plan) = (&applied.doc, applied.plan.as_ref()?);
    let mut spans = plan.splices_in_result().map(|(_, span)| span);
    let first = spans.next()?;
    let last = spans.last().unwrap_or(first);
    let first = doc.line_number(first.start()).saturating_sub(AROUND).max(1);
    let end = last.end().saturating_sub(usize::from(!last.is_empty()));
    let last = (doc.line_number(end) + AROUND).min(first + MOST_CHANGED).min(doc.lines().len().max(1));
    shelf.desk.known.show_numbered(name, doc, span(doc, first, last));
    Some((first..=last).map(|number| numbered_line(doc, number)).collect::<Vec<_>>().join("\n"))
}

/// How many characters of a file are shown at once. The vendor's description of the tool says the same.
const MOST_CHARACTERS: usize = 16_000;
/// How many lines a file may have.
const MOST_LINES: usize = 999_999;

/// Shows what stands at a path.
pub(super) fn view(shelf: &mut Shelf<'_>, path: &str, range: Option<&[i64]>) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    match shelf.tree.at(&path)? {
        AtPath::Nothing => Err(missing(&path)),
        AtPath::Folder(documents) => {
            if range.is_some() {
                let why = format!("Invalid `view_range` parameter: {} is a folder", path.shown);
                return Err(stop(Code::InvalidArguments, why));
            }
            shelf.tree.listing(&path, &documents, shelf.desk.memory()).map(read_reply)
        }
        AtPath::File(name) => file(shelf, &path, &name, range),
    }
}

fn file(shelf: &mut Shelf<'_>, path: &Path, name: &DocName, range: Option<&[i64]>) -> Result<Reply, Box<Refused>> {
    let doc = shelf.desk.memory().read(name).map_err(|error| by_memory(&path.shown, &error))?;
    let count = doc.lines().len();
    if count > MOST_LINES {
        let why = format!("File {} exceeds maximum line limit of 999,999 lines.", path.shown);
        return Err(stop(Code::TooLarge, why));
    }
    let (first, last) = lines(range, count.max(1))?;
    let mut text = format!("Here's the content of {} with line numbers:", path.shown);
    let (mut shown, mut room) = (first, MOST_CHARACTERS);
    for number in first..=last {
        let line = numbered_line(&doc, number);
        let left = room.checked_sub(line.chars().count() + 1);
        if left.is_none() && number > first {
            break;
        }
        text.extend(["\n", &line]);
        (shown, room) = (number, left.unwrap_or_default());
    }
    if shown < last {
        let next = shown + 1;
        let _ = write!(text, "\nlines {first}–{shown} of {count}; view_range [{next}, {count}] shows more");
    }
    let part = span(&doc, first, shown);
    text.push_str(&invisible_characters(&doc, part));
    match (first, shown) {
        (1, shown) if shown >= count => shelf.desk.known.show(name, &doc),
        _ => shelf.desk.known.show_numbered(name, &doc, part),
    }
    Ok(read_reply(text).with_revision(doc.revision()))
}

/// Reads a range of lines, in a file of `count` lines.
fn lines(range: Option<&[i64]>, count: usize) -> Result<(usize, usize), Box<Refused>> {
    let Some(range) = range else { return Ok((1, count)) };
    let bounds = match range {
        [first, -1] => usize::try_from(*first).ok().map(|first| (first, count)),
        [first, last] => usize::try_from(*first).ok().zip(usize::try_from(*last).ok()),
        _ => None,
    };
    bounds.filter(|(first, last)| (1..=*last).contains(first) && *last <= count).ok_or_else(|| {
        let range: Vec<_> = range.iter().take(4).map(ToString::to_string).collect();
        let why = format!(
            "Invalid `view_range` parameter: [{}]. It should be within the range of lines of the file: [1, {count}]",
            range.join(", ")
        );
        stop(Code::InvalidArguments, why).with_hint("the second number may be -1: to the end")
    })
}

/// Returns a line after its number, from 1.
fn numbered_line(doc: &MemoryDoc, number: usize) -> String {
    let line = doc.lines().line(doc.text(), number.saturating_sub(1));
    // A byte order mark belongs to no line.
    format!("{number:>6}\t{}", doc.without_bom(line.text).of(doc.text()))
}

/// Returns the span of lines, from the number of the first to that of the last.
fn span(doc: &MemoryDoc, first: usize, last: usize) -> Span {
    Span::new(doc.lines().start(first.saturating_sub(1)), doc.lines().start(last))
}

/// Lists invisible characters in the lines that were shown.
fn invisible_characters(doc: &MemoryDoc, part: Span) -> String {
    let mut seen = HashSet::new();
    let firsts =
        irregular(doc.text(), doc.without_bom(part)).filter(|irregular| seen.insert(irregular.character)).take(5);
    let rows: Vec<_> =
        firsts.map(|irregular| format!("{irregular} on line {}", doc.line_number(irregular.offset))).collect();
    if rows.is_empty() { String::new() } else { format!("\n(hidden characters: {})", rows.join(", ")) }
}
