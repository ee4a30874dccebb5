//! `show`, `read` and `at`: documents as they are, and as they were.

use std::collections::{BTreeMap, BTreeSet};

use memdoc::document::{SectionRef, TextView};
use memdoc::memory::journal::{Entry, Seq};
use memdoc::request::validate;
use memdoc::text::{Line, Span};
use memdoc::{DocName, Memory, MemoryDoc, MemoryError};
use serde_json::json;

use crate::arguments::{At, Read, Show};
use crate::failure::{Answer, Done, Failure};
use crate::moment::{after, entry_at, since};
use crate::output::Style;
use crate::place::{Desk, document, document_or_memory};

/// How many entries are read at once.
const PAGE: u64 = 256;

pub(crate) fn show(desk: &mut Desk, asked: &Show) -> Done {
    let at = asked.at.as_deref().map(|moment| entry_at(&desk.memory, moment)).transpose()?;
    let Some(name) = asked.document.as_deref() else {
        return match at {
            Some(at) => names_at(desk, at),
            None => table(desk),
        };
    };
    let name = document(name)?;
    let doc = match at {
        Some(at) => text_at(&desk.memory, &name, at)?,
        None => desk.memory.read(&name)?,
    };
    let span = match asked.section.as_deref() {
        Some(title) => section(&doc, title)?.extent,
        None => doc.span(),
    };
    print(desk, &name, &doc, span, asked.raw);
    Ok(Answer::Yes)
}

pub(crate) fn at(desk: &mut Desk, asked: &At) -> Done {
    let at = entry_at(&desk.memory, &asked.moment)?;
    let Some(name) = asked.document.as_deref() else { return names_at(desk, at) };
    let name = document(name)?;
    let doc = text_at(&desk.memory, &name, at)?;
    let span = doc.span();
    print(desk, &name, &doc, span, false);
    Ok(Answer::Yes)
}

/// Shows lines with their numbers, or with the keys of their bullets.
pub(crate) fn read(desk: &mut Desk, asked: &Read) -> Done {
    // `memdoc read 3-5` is about `memory`.
    let (name, lines) = match (&asked.document, &asked.lines) {
        (Some(lines), None) if range(lines).is_some() => (None, Some(lines)),
        (name, lines) => (name.as_deref(), lines.as_ref()),
    };
    let name = document_or_memory(name)?;
    let doc = desk.memory.read(&name)?;
    let count = Line::all(doc.text()).count();
    let span = match lines {
        None => doc.span(),
        Some(lines) => {
            let (first, last) = range(lines)
                .filter(|(first, last)| (1..=count).contains(first) && first <= last)
                .ok_or_else(|| Failure::usage(format!("expected lines such as 3-12 of {count}, found `{lines}`")))?;
            let mut wanted = Line::all(doc.text()).take(last).skip(first - 1);
            let start = wanted.next();
            let end = wanted.last().or(start);
            let start = start.map_or(0, |line| line.full.start());
            Span::new(start, end.map_or(start, |line| line.full.end()))
        }
    };
    let view = if asked.keys { TextView::Keyed } else { TextView::Numbered };
    let text = doc.render(span, view);
    if desk.output.is_json() {
        let value = json!({"document": name.as_str(), "text": text, "revision": doc.revision().short()});
        desk.output.json(&value);
    } else {
        print_lines(desk, &text);
    }
    Ok(Answer::Yes)
}

fn range(text: &str) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// Returns the text that a document had.
pub(crate) fn text_at(memory: &Memory, name: &DocName, seq: Seq) -> Result<MemoryDoc, Failure> {
    match memory.text_at(name, &after(seq))? {
        Some(text) => Ok(MemoryDoc::parse(text)),
        None => Err(Failure::refused("unknown_document", format!("there was no document `{name}` after entry {seq}"))),
    }
}

/// Finds the one section of a title or path; in any letter case, where none is written so.
fn section<'d>(doc: &'d MemoryDoc, title: &str) -> Result<SectionRef<'d>, Failure> {
    let names = |section: &SectionRef<'_>| [section.title().to_owned(), section.path(), section.name()];
    let exact: Vec<_> = doc.sections().filter(|section| names(section).iter().any(|name| name == title)).collect();
    let folded = title.to_lowercase();
    let alike = || doc.sections().filter(|section| names(section).iter().any(|name| name.to_lowercase() == folded));
    let found = if exact.is_empty() { alike().collect() } else { exact };
    match found.as_slice() {
        [section] => Ok(*section),
        [] => {
            let titles: Vec<String> = doc.sections().map(SectionRef::name).take(20).collect();
            let failure = Failure::refused("not_found", format!("there is no section `{title}`"));
            Err(if titles.is_empty() {
                failure
            } else {
                failure.with_hint(format!("there are: {}", titles.join(", ")))
            })
        }
        several => {
            let paths: Vec<String> = several.iter().map(|section| section.name()).collect();
            let message = format!("{} sections are called `{title}`", several.len());
            Err(Failure::refused("ambiguous", message).with_hint(format!("name one of {}", paths.join(", "))))
        }
    }
}

fn print(desk: &mut Desk, name: &DocName, doc: &MemoryDoc, span: Span, is_raw: bool) {
    let text = doc.render(span, TextView::Text);
    if desk.output.is_json() {
        let value = json!({"document": name.as_str(), "text": text, "revision": doc.revision().short()});
        desk.output.json(&value);
    } else if is_raw {
        desk.output.raw(&text);
    } else {
        print_lines(desk, &text);
    }
}

fn print_lines(desk: &mut Desk, text: &str) {
    let shown = desk.output.shown(text);
    for line in shown.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let style = if content.starts_with('#') { Style::Bold } else { Style::Plain };
        let painted = desk.output.paint(style, content);
        desk.output.raw(&painted);
        desk.output.raw(line.get(content.len()..).unwrap_or_default());
    }
}

/// Lists the documents that there were.
fn names_at(desk: &mut Desk, at: Seq) -> Done {
    let changed = desk.memory.changed_between(Seq::FIRST, Some(at))?;
    let mut names = Vec::new();
    for name in &changed {
        if desk.memory.text_at(name, &after(at))?.is_some() {
            names.push(name.to_string());
        }
    }
    if desk.output.is_json() {
        desk.output.json(&json!({"documents": names}));
    } else {
        names.iter().for_each(|name| desk.output.line(name));
    }
    Ok(Answer::Yes)
}

/// Lists the documents with what people want to know of each.
fn table(desk: &mut Desk) -> Done {
    let names = desk.memory.documents()?;
    let latest = latest(&desk.memory, &names)?;
    let now = desk.memory.now();
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for name in &names {
        let doc = match desk.memory.read(name) {
            Ok(doc) => doc,
            // One that cannot be read does not hide the others.
            Err(error @ MemoryError::Store(_)) => {
                desk.output.note(&format!("`{name}` is not shown: {error}"));
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let warnings = validate(&doc, now).len();
        let (bullets, bytes) = (doc.bullets().count(), doc.text().len());
        let entry = latest.get(name);
        values.push(json!({
            "document": name.as_str(), "bytes": bytes, "bullets": bullets, "warnings": warnings,
            "changed": entry.map(|entry| entry.time().to_string()), "by": entry.map(|entry| entry.header().actor.as_str()),
        }));
        rows.push(vec![
            name.to_string(),
            size(bytes),
            bullets.to_string(),
            entry.map_or_else(|| "-".to_owned(), |entry| since(now, entry.time())),
            entry.map_or_else(|| "-".to_owned(), |entry| desk.output.shown(entry.header().actor.as_str())),
            if warnings == 0 { "-".to_owned() } else { warnings.to_string() },
        ]);
    }
    if desk.output.is_json() {
        desk.output.json(&json!({"documents": values}));
    } else if rows.is_empty() {
        desk.output.note("there are no documents yet");
    } else {
        desk.output.table(&["DOCUMENT", ">SIZE", ">BULLETS", "CHANGED", "BY", "WARNINGS"], &rows);
    }
    Ok(Answer::Yes)
}

/// Finds the last entry that changed each document.
fn latest(memory: &Memory, names: &[DocName]) -> Result<BTreeMap<DocName, Entry>, Failure> {
    let (mut missing, mut latest): (BTreeSet<&DocName>, _) = (names.iter().collect(), BTreeMap::new());
    let mut end = memory.head()?.seq.plus(1);
    while end > Seq::FIRST && !missing.is_empty() {
        let start = end.minus(PAGE).max(Seq::FIRST);
        let limit = usize::try_from(end.get() - start.get()).unwrap_or(usize::MAX);
        let entries = memory.entries(start, limit)?;
        for entry in entries.iter().rev().filter(|entry| entry.seq() < end) {
            for link in &entry.header().documents {
                if missing.remove(&link.name) {
                    latest.insert(link.name.clone(), entry.clone());
                }
            }
        }
        end = start;
    }
    Ok(latest)
}

/// Writes a size as `ls -h` does.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..1_048_576 => format!("{}.{}K", bytes / 1024, bytes % 1024 * 10 / 1024),
        _ => format!("{}.{}M", bytes / 1_048_576, bytes % 1_048_576 * 10 / 1_048_576),
    }
}
