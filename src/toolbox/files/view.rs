//! `view`: a folder as a list, a file as numbered lines, and what of it counts as seen.

use std::fmt::Write as _;

use crate::document::MemoryDoc;
use crate::locate::Code;
use crate::memory::DocName;
use crate::text::{Irregularities, Span, irregularities};
use crate::toolbox::Reply;
use crate::toolbox::files::path::Path;
use crate::toolbox::files::shelf::{Shelf, by_memory, looked, stop};
use crate::toolbox::files::tree::{Place, missing};
use crate::toolbox::refused::Refused;

/// How many characters of a file are shown at once, as the vendor's description of the tool says.
const MOST_CHARACTERS: usize = 16_000;
/// How many lines a file may have.
const MOST_LINES: usize = 999_999;

/// Shows what stands at a path.
pub(super) fn view(shelf: &mut Shelf<'_>, path: &str, range: Option<&[i64]>) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let tree = shelf.tree()?;
    match tree.place(&path)? {
        Place::Nothing => {
            let other = path.document(shelf.root()).ok().and_then(|name| tree.in_other_case(&name).cloned());
            let hint = other.map(|other| format!("there is {}", tree.path_of(&other)));
            Err(hint.into_iter().fold(missing(&path), Refused::with_hint))
        }
        Place::Folder(documents) => {
            if range.is_some() {
                let why = format!("Invalid `view_range` parameter: {} is a folder", path.shown());
                return Err(stop(Code::InvalidArguments, why));
            }
            tree.listing(&path, &documents, shelf.memory()).map(looked)
        }
        Place::File(name) => file(shelf, &path, &name, range),
    }
}

fn file(shelf: &mut Shelf<'_>, path: &Path, name: &DocName, range: Option<&[i64]>) -> Result<Reply, Box<Refused>> {
    let doc = shelf.memory().read(name).map_err(|error| by_memory(path.shown(), &error))?;
    let count = doc.lines().len();
    if count > MOST_LINES {
        let why = format!("File {} exceeds maximum line limit of 999,999 lines.", path.shown());
        return Err(stop(Code::TooLarge, why));
    }
    let (first, last) = lines(range, count.max(1))?;
    let mut text = format!("Here's the content of {} with line numbers:", path.shown());
    let numbered = Numbered { doc: &doc };
    let mut shown = first;
    let mut room = MOST_CHARACTERS;
    for number in first..=last {
        let line = numbered.line(number);
        let characters = line.chars().count() + 1;
        if characters > room && number > first {
            break;
        }
        room = room.saturating_sub(characters);
        text.push('\n');
        text.push_str(&line);
        shown = number;
    }
    if shown < last {
        let next = shown + 1;
        let _ = write!(text, "\nlines {first}–{shown} of {count}; view_range [{next}, {count}] shows more");
    }
    let part = numbered.span(first, shown);
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

/// The lines of a document with their numbers, as the tool shows them.
pub(super) struct Numbered<'a> {
    pub(super) doc: &'a MemoryDoc,
}

impl Numbered<'_> {
    /// Returns a line behind its number, from 1.
    fn line(&self, number: usize) -> String {
        let text = self.doc.text();
        let line = self.doc.lines().line(text, number.saturating_sub(1));
        // A mark of byte order belongs to no line.
        format!("{number:>6}\t{}", self.doc.without_mark(line.text).of(text))
    }

    /// Returns where lines stand, given by the numbers of the first and the last.
    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        let start = |number: usize| self.doc.lines().start(number);
        Span::new(start(first.saturating_sub(1)), start(last))
    }

    /// Returns lines behind their numbers, given by the first and the last.
    pub(super) fn lines(&self, first: usize, last: usize) -> String {
        let last = last.min(self.doc.lines().len().max(1));
        (first..=last).map(|number| self.line(number)).collect::<Vec<_>>().join("\n")
    }
}

/// Says what cannot be seen in the lines that were shown.
fn hidden(doc: &MemoryDoc, part: Span) -> String {
    let mut found = Irregularities::default();
    irregularities(doc.text(), part, &mut found);
    let told = |(irregular, _): (crate::text::Irregular, usize)| {
        format!("{irregular} on line {}", doc.line_number(irregular.offset))
    };
    let told: Vec<_> = found.iter().take(5).map(told).collect();
    if told.is_empty() { String::new() } else { format!("\n(hidden characters: {})", told.join(", ")) }
}
