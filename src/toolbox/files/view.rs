//! `view`: a folder as a list, a file as numbered lines, and what of it counts as seen.

use std::fmt::Write as _;

use crate::document::MemoryDoc;
use crate::locate::Code;
use crate::memory::DocName;
use crate::text::{Irregularities, Span, irregularities};
use crate::toolbox::Reply;
use crate::toolbox::files::change::{Shelf, by_memory, looked, stop};
use crate::toolbox::files::path::Path;
use crate::toolbox::files::tree::{Place, missing};
use crate::toolbox::refused::Refused;

/// How many characters of a file are shown at once, as the vendor's description of the tool says.
const MOST_CHARACTERS: usize = 16_000;
/// How many lines a file may have.
const MOST_LINES: usize = 999_999;

/// Shows what stands at a path.
pub(super) fn view(shelf: &mut Shelf<'_>, path: &str, range: Option<&[i64]>) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    match shelf.tree.place(&path)? {
        Place::Nothing => Err(missing_file(&path)),
        Place::Folder(documents) => {
            if range.is_some() {
                let why = format!("Invalid `view_range` parameter: {} is a folder", path.shown());
                return Err(stop(Code::InvalidArguments, why));
            }
            shelf.tree.listing(&path, &documents, shelf.desk.memory()).map(looked)
        }
        Place::File(name) => file(shelf, &path, &name, range),
    }
}

/// Refuses a path at which no file stands.
pub(super) fn missing_file(path: &Path) -> Box<Refused> {
    missing(path).in_words(format!("The path {} does not exist. Please provide a valid path.", path.shown()))
}

fn file(shelf: &mut Shelf<'_>, path: &Path, name: &DocName, range: Option<&[i64]>) -> Result<Reply, Box<Refused>> {
    let doc = shelf.desk.memory().read(name).map_err(|error| by_memory(path.shown(), &error))?;
    let count = doc.lines().len();
    if count > MOST_LINES {
        let why = format!("File {} exceeds maximum line limit of 999,999 lines.", path.shown());
        return Err(stop(Code::TooLarge, why));
    }
    let (first, last) = lines(range, count.max(1))?;
    let mut text = format!("Here's the content of {} with line numbers:", path.shown());
    let (mut shown, mut room) = (first, MOST_CHARACTERS);
    for number in first..=last {
        let line = numbered(&doc, number);
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
    text.push_str(&hidden(&doc, part));
    match (first, shown) {
        (1, shown) if shown >= count => shelf.desk.known.show(name, &doc),
        _ => shelf.desk.known.show_numbered(name, &doc, part),
    }
    Ok(looked(text).with_revision(doc.revision()))
}

/// Reads the range of lines that a call names, of so many.
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

/// Returns a line behind its number, from 1, as the tool shows it.
fn numbered(doc: &MemoryDoc, number: usize) -> String {
    let line = doc.lines().line(doc.text(), number.saturating_sub(1));
    // A mark of byte order belongs to no line.
    format!("{number:>6}\t{}", doc.without_mark(line.text).of(doc.text()))
}

/// Returns where lines stand, given by the numbers of the first and the last.
pub(super) fn span(doc: &MemoryDoc, first: usize, last: usize) -> Span {
    Span::new(doc.lines().start(first.saturating_sub(1)), doc.lines().start(last))
}

/// Returns lines behind their numbers, given by the first and the last.
pub(super) fn numbered_lines(doc: &MemoryDoc, first: usize, last: usize) -> String {
    (first..=last).map(|number| numbered(doc, number)).collect::<Vec<_>>().join("\n")
}

/// Says what cannot be seen in the lines that were shown.
fn hidden(doc: &MemoryDoc, part: Span) -> String {
    let mut found = Irregularities::default();
    irregularities(doc.text(), part, &mut found);
    let first = found.iter().take(5);
    let rows: Vec<_> =
        first.map(|(irregular, _)| format!("{irregular} on line {}", doc.line_number(irregular.offset))).collect();
    if rows.is_empty() { String::new() } else { format!("\n(hidden characters: {})", rows.join(", ")) }
}
