//! `create`, `str_replace`, `insert`: what becomes of the text of one file.

use crate::document::MemoryDoc;
use crate::locate::{Code, exactly};
use crate::memory::{Applied, DocName, MemoryError, NameRule, Operation};
use crate::request::{InsertLines, Known, Place as Occurrence, Replace, Rewrite};
use crate::text::{Content, Span, is_whole_words};
use crate::toolbox::definition::Requested;
use crate::toolbox::files::path::Path;
use crate::toolbox::files::shelf::{Shelf, by_memory, check_writable, edited, looked, stop};
use crate::toolbox::files::tool::Overwrite;
use crate::toolbox::files::tree::{Place, Tree, missing};
use crate::toolbox::files::view::Numbered;
use crate::toolbox::refused::{Refused, bounded};
use crate::toolbox::{Reply, refusal};

/// How many documents a memory may have, so that it can be listed.
const MOST_DOCUMENTS: usize = 2_000;
/// How many lines are shown above and below what was changed.
const AROUND: usize = 2;
/// How many changed lines are shown.
const MOST_CHANGED: usize = 40;
/// How much is repeated of a text that was not found, in characters.
const REPEATED: usize = 1_000;

/// Creates a file.
pub(super) fn create(shelf: &mut Shelf<'_>, path: &str, text: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let tree = shelf.tree()?;
    match tree.place(&path)? {
        Place::Folder(_) => Err(exists(&path).with_hint("it is a folder")),
        Place::File(name) => create_again(shelf, &path, &name, text),
        Place::Nothing => create_new(shelf, &path, &tree, text),
    }
}

fn exists(path: &Path) -> Box<Refused> {
    stop(Code::InvalidArguments, format!("File {} already exists", path.shown()))
}

fn create_new(shelf: &mut Shelf<'_>, path: &Path, tree: &Tree, text: &str) -> Result<Reply, Box<Refused>> {
    let name = path.document(shelf.root())?;
    check_writable(path, &name)?;
    check_new(path, &name, tree)?;
    if tree.len() >= MOST_DOCUMENTS {
        let why = format!("File {} was not created: a memory has at most {MOST_DOCUMENTS} files", path.shown());
        return Err(stop(Code::TooLarge, why));
    }
    let failed = |error: MemoryError| match error {
        MemoryError::DocumentExists { .. } => exists(path),
        error => by_memory(&format!("File {} was not created", path.shown()), &error),
    };
    shelf.memory().unwritten(&name).map_err(failed)?;
    let text = Content::from(text);
    let applied = shelf.commit(&[Operation::create(name.clone(), &text)]).map_err(failed)?;
    if let Some(applied) = applied.first().filter(|_| !shelf.desk.is_trial) {
        shelf.desk.known.show(&name, &applied.doc);
    }
    Ok(edited(format!("File created successfully at: {}", path.shown()), &applied))
}

/// Refuses a name that differs from another in letter case only.
pub(super) fn check_new(path: &Path, name: &DocName, tree: &Tree) -> Result<(), Box<Refused>> {
    let Some(other) = tree.in_other_case(name) else { return Ok(()) };
    let why = format!("Invalid path {}: expected a name {}", path.shown(), NameRule::Case);
    Err(stop(Code::InvalidArguments, why).with_hint(format!("there is {}", tree.path_of(other))))
}

/// Answers `create` where a file is: with the same text it is a call that was sent again.
fn create_again(shelf: &mut Shelf<'_>, path: &Path, name: &DocName, text: &str) -> Result<Reply, Box<Refused>> {
    let failed = |error| by_memory(&format!("File {} was not created", path.shown()), &error);
    if shelf.memory().read(name).map_err(failed)?.text() == text {
        return Ok(looked(format!("File created successfully at: {}", path.shown())));
    }
    if shelf.config().overwrite == Overwrite::Refuse {
        return Err(exists(path).with_hint("use str_replace, or view the file and delete it"));
    }
    check_writable(path, name)?;
    let rewrite = Rewrite::new("the whole file is written anew").with_candidate(text);
    match shelf.ask(name, Requested::Compaction(rewrite)) {
        Ok(applied) => Ok(edited(format!("File created successfully at: {}", path.shown()), &[applied])),
        Err(refused) => {
            let why = match refused.code {
                Code::MissingRevision => format!("view all of {} first", path.shown()),
                _ => refused.why.to_owned(),
            };
            Err(refused.in_words(format!("File {} already exists, and was not overwritten: {why}", path.shown())))
        }
    }
}

/// Replaces a text that stands in a file once.
pub(super) fn replace(shelf: &mut Shelf<'_>, path: &str, old: &str, new: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let Place::File(name) = shelf.tree()?.place(&path)? else { return Err(missing(&path)) };
    check_writable(&path, &name)?;
    let doc = shelf.found(&name).map_err(|error| gone(&path, &error))?;
    let believed = shelf.desk.known.latest(&name).map_or(&doc, Known::believed).clone();
    let request = request(&believed, old, new);
    match shelf.edit(&name, request.clone()) {
        Ok(applied) => {
            let snippet = snippet(shelf, &name, &applied);
            let shown =
                if snippet.is_empty() { "" } else { " Here is the snippet showing the change (with line numbers):\n" };
            Ok(edited(format!("The memory file has been edited.{shown}{snippet}"), &[applied]))
        }
        Err(refused) => {
            let is_unseen = refused.code == Code::NotFound && believed.revision() != doc.revision();
            let refused = if is_unseen { shelf.stale(&name, request.into(), doc) } else { refused };
            Err(not_replaced(shelf, &path, &name, old, refused))
        }
    }
}

/// Returns the request that replaces a text. One that stands once in the whole file is meant, inside of a longer word, too.
fn request(doc: &MemoryDoc, old: &str, new: &str) -> Replace {
    let request = Replace::new(old, new);
    match exactly(doc.text(), doc.span(), old).as_slice() {
        [only] if !is_whole_words(doc.text(), *only) => request.at(Occurrence::of(doc, *only)),
        _ => request,
    }
}

/// Says in the vendor's words why nothing was replaced.
fn not_replaced(shelf: &Shelf<'_>, path: &Path, name: &DocName, old: &str, refused: Box<Refused>) -> Box<Refused> {
    let shown = path.shown();
    let sought = if old.chars().count() > REPEATED { &format!("{}…", bounded(old, REPEATED)) } else { old };
    let text = shelf.memory().read(name).map(|doc| doc.text().to_owned()).unwrap_or_default();
    let places = exactly(&text, Span::new(0, text.len()), old);
    let why = match refused.code {
        Code::NotFound | Code::Conflict | Code::StaleRevision if places.is_empty() => {
            format!("No replacement was performed, old_str `{sought}` did not appear verbatim in {shown}.")
        }
        Code::CountMismatch | Code::Ambiguous if places.len() > 1 => {
            let line = |place: &Span| text.get(..place.start()).unwrap_or_default().matches('\n').count() + 1;
            let lines: Vec<_> = places.iter().take(50).map(|place| line(place).to_string()).collect();
            format!(
                "No replacement was performed. Multiple occurrences of old_str `{sought}` in lines: {}. Please ensure it is unique",
                lines.join(", ")
            )
        }
        Code::Conflict | Code::StaleRevision => {
            format!("No replacement was performed: {shown} has changed since you viewed it.")
        }
        _ => format!("No replacement was performed in {shown}: {}", refused.why),
    };
    let refused = refused.in_words(why);
    match places.len() {
        0 | 1 => refused,
        _ => refused.with_hint("send more of the lines around the one that is meant"),
    }
}

/// Adds lines behind a line of a file.
pub(super) fn insert(shelf: &mut Shelf<'_>, path: &str, line: i64, text: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let Place::File(name) = shelf.tree()?.place(&path)? else {
        return Err(stop(Code::UnknownDocument, format!("The path {} does not exist", path.shown())));
    };
    check_writable(&path, &name)?;
    let doc = shelf.found(&name).map_err(|error| gone(&path, &error))?;
    let known = shelf.known(&name).map_err(|error| gone(&path, &error))?;
    let after = position(&path, &known, line)?;
    let request = InsertLines::new(after, text);
    if after > 0 && known.believed().revision() != doc.revision() && !stands_there(known.believed(), &doc, after) {
        let refused = shelf.stale(&name, request.into(), doc);
        return Err(refused.in_words(format!("The file {} has changed since you viewed it.", path.shown())));
    }
    match shelf.edit(&name, request) {
        Ok(applied) => Ok(edited(format!("The file {} has been edited.", path.shown()), &[applied])),
        Err(refused) => {
            let why = match refused.code {
                Code::StaleRevision | Code::Conflict => {
                    format!("The file {} has changed since you viewed it.", path.shown())
                }
                _ => format!("Nothing was inserted into {}: {}", path.shown(), refused.why),
            };
            Err(refused.in_words(why))
        }
    }
}

/// Returns behind how many lines of the text that the agent knows a number means. It must have seen a line beside that place.
fn position(path: &Path, known: &Known, line: i64) -> Result<usize, Box<Refused>> {
    let doc = known.believed();
    let count = doc.lines().len();
    let Some(after) = usize::try_from(line).ok().filter(|after| *after <= count) else {
        let why = format!(
            "Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {count}]"
        );
        let stop = stop(Code::InvalidArguments, why);
        return Err(match count {
            0 => stop,
            _ => stop.with_hint(last_line(doc, count)),
        });
    };
    let is_seen = |index: usize| index < count && known.has_seen_line(index);
    if after == 0 || is_seen(after - 1) || is_seen(after) {
        return Ok(after);
    }
    let why = format!("view {} first: the line that `insert_line` counts from has not been shown", path.shown());
    Err(stop(Code::MissingRevision, why))
}

/// Says what the last line is, for who counts beyond it.
fn last_line(doc: &MemoryDoc, count: usize) -> String {
    let start = doc.lines().start(count - 1);
    let line = bounded(doc.lines().line(doc.text(), count - 1).text.of(doc.text()), 100);
    match doc.section_at(start) {
        Some(section) => {
            format!("line {count}, in the section `{}`, is the last: {line}", bounded(&section.path(), 80))
        }
        None => format!("line {count} is the last: {line}"),
    }
}

/// Returns true if the lines on both sides of a place of the text seen stand side by side in the text now, and there once only.
fn stands_there(seen: &MemoryDoc, now: &MemoryDoc, after: usize) -> bool {
    let line = |doc: &MemoryDoc, index: usize| {
        let is_there = index < doc.lines().len();
        is_there.then(|| doc.lines().line(doc.text(), index).text.of(doc.text()).to_owned())
    };
    let pair = (line(seen, after - 1), line(seen, after));
    let all = 1..=now.lines().len();
    all.filter(|after| (line(now, after - 1), line(now, *after)) == pair).count() == 1
}

/// Returns the lines that an edit has changed, with those around them, as the agent counts them: they are seen now.
fn snippet(shelf: &mut Shelf<'_>, name: &DocName, applied: &Applied) -> String {
    let spans = applied.plans().last().map(|edit| edit.result_spans()).unwrap_or_default();
    let Some(known) = shelf.desk.known.latest(name).filter(|_| !shelf.desk.is_trial) else { return String::new() };
    let doc = known.believed().clone();
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return String::new() };
    let first = doc.line_number(first.start()).saturating_sub(AROUND).max(1);
    let end = last.end().saturating_sub(usize::from(!last.is_empty()));
    let last = (doc.line_number(end) + AROUND).min(first + MOST_CHANGED).min(doc.lines().len().max(1));
    let numbered = Numbered { doc: &doc };
    shelf.desk.known.show_numbered(name, &doc, numbered.span(first, last));
    numbered.lines(first, last)
}

/// Refuses a file that was there a moment ago.
pub(super) fn gone(path: &Path, error: &MemoryError) -> Box<Refused> {
    match error {
        MemoryError::UnknownDocument { .. } => {
            let why =
                format!("The file {} no longer exists (may have been deleted or renamed concurrently).", path.shown());
            refusal::memory_error(error).in_words(why)
        }
        _ => by_memory(path.shown(), error),
    }
}
