//! `export --html`: one page with the memory, who wrote each line, the history, and the difference between two moments.
//!
//! It needs no network. The texts of the past are made in the page of the newest text and the changes of lines. Without scripts
//! the newest texts and the latest entries are there.

mod history;
mod markup;

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use memdoc::DocName;
use memdoc::memory::journal::{Entry, Record, Seq};
use memdoc::request::validate;
use serde_json::{Value, json};

use crate::arguments::Export;
use crate::failure::{Answer, Done, Failure};
use crate::moment::local;
use crate::place::Desk;
use history::{History, Lines};

/// How a page begins: only a file that begins so is overwritten.
const BEGINNING: &str = "<!doctype html>\n<!-- memdoc page -->\n";

pub(crate) fn export(desk: &mut Desk, asked: &Export) -> Done {
    let Some(path) = asked.html.as_deref() else {
        return Err(Failure::usage("expected a format and a path, or `--html FILE`"));
    };
    let history = history::read(&desk.memory, asked.last.max(1))?;
    let data = data(desk, &history)?;
    let page = format!("{BEGINNING}{}", markup::page(&data, &history));
    if !desk.is_dry {
        write(path, &page)?;
    }
    let (documents, entries) = (history.documents.len(), history.entries.len());
    if desk.output.is_json() {
        let file = path.display().to_string();
        desk.output.json(&json!({"file": file, "bytes": page.len(), "entries": entries, "is_dry_run": desk.is_dry}));
    } else {
        let verb = if desk.is_dry { "would write" } else { "wrote" };
        let count = crate::checks::count;
        let documents = count(documents, "document");
        desk.output.line(format!("{verb} {}, with {documents} and {entries} entries", path.display()));
    }
    Ok(Answer::Yes)
}

/// Writes the page for its owner alone, in the place of an older one.
fn write(path: &Path, page: &str) -> Result<(), Failure> {
    let failure = |error: io::Error| Failure::file("write", path, &error);
    match fs::File::open(path) {
        Ok(file) => {
            let mut beginning = Vec::new();
            file.take(BEGINNING.len() as u64).read_to_end(&mut beginning).map_err(failure)?;
            if beginning != BEGINNING.as_bytes() {
                return Err(Failure::refused("file_exists", format!("`{}` is there, and no page", path.display())));
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failure(error)),
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside);
    let written = made.and_then(|mut file| {
        file.write_all(page.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    written.map_err(|error| {
        // Nobody else has a file of this name.
        let _ = fs::remove_file(&beside);
        failure(error)
    })
}

/// Returns what the page is made of.
fn data(desk: &Desk, history: &History) -> Result<Value, Failure> {
    let found = desk.memory.verify(None)?;
    let is_sound = found.is_sound();
    let checkpoint = found.checkpoint.filter(|_| is_sound).map(|checkpoint| checkpoint.to_string());
    let head = desk.memory.head()?.seq;
    let oldest = history.entries.last().map_or(Seq::FIRST, Entry::seq);
    let documents: Vec<Value> =
        history.documents.iter().map(|(name, lines)| document(desk, name, lines)).collect::<Result<_, _>>()?;
    let undone = undone(history);
    let entries: Vec<Value> = history.entries.iter().map(|entry| of_entry(entry, history, &undone)).collect();
    Ok(json!({
        "made": local(desk.memory.now()),
        "sound": is_sound,
        "checkpoint": checkpoint,
        "head": head.get(),
        "oldest": oldest.get(),
        "waiting": desk.memory.quarantined()?.len(),
        "documents": documents,
        "entries": entries,
    }))
}

/// Returns the entries that are taken back, and by which.
fn undone(history: &History) -> Vec<(Seq, Seq)> {
    let undoes = |entry: &Entry| entry.header().undoes.map(|undone| (undone, entry.seq()));
    let mut pairs: Vec<(Seq, Seq)> = Vec::new();
    // Newest first: an undo that is itself taken back takes nothing back.
    for (undone, by) in history.entries.iter().filter_map(undoes) {
        if !pairs.iter().any(|(undone, _)| *undone == by) {
            pairs.push((undone, by));
        }
    }
    pairs
}

fn document(desk: &Desk, name: &DocName, lines: &Lines) -> Result<Value, Failure> {
    let writers: Vec<Option<u64>> = lines.writers.iter().map(|seq| seq.map(Seq::get)).collect();
    let mut value = json!({
        "name": name.as_str(), "text": lines.text, "writers": writers, "since": lines.since.get(),
        "bytes": lines.text.len(), "marks": {}, "deleted": true,
    });
    if !desk.memory.documents()?.contains(name) {
        return Ok(value);
    }
    let doc = desk.memory.read(name)?;
    let policy = doc.policy();
    let mut marks = serde_json::Map::new();
    let mut mark = |line: usize, word: &str| {
        let words = marks.entry(line.to_string()).or_insert_with(|| json!([]));
        if let Value::Array(words) = words {
            words.push(word.into());
        }
    };
    for bullet in doc.bullets().filter(|bullet| bullet.is_pinned()) {
        mark(bullet.line_number(), "pinned");
    }
    let reserved = |title: &str| policy.reserved_sections.iter().any(|own| own.eq_ignore_ascii_case(title));
    for section in doc.sections().filter(|section| reserved(section.title())) {
        mark(section.line_number(), "reserved");
    }
    let violations = validate(&doc, desk.memory.now());
    for violation in &violations {
        if let Some(line) = violation.line {
            mark(line, &violation.kind.to_string());
        }
    }
    value["deleted"] = json!(false);
    value["bullets"] = json!(doc.bullets().count());
    value["limit"] = json!(policy.max_bytes);
    value["tokens"] = json!(doc.tokens());
    value["warnings"] = json!(violations.len());
    value["marks"] = Value::Object(marks);
    Ok(value)
}

fn of_entry(entry: &Entry, history: &History, undone: &[(Seq, Seq)]) -> Value {
    let (header, content) = (entry.header(), entry.body());
    let record = content.and_then(|content| content.record.as_ref());
    // What is withheld is counted only.
    let text = match record {
        Some(Record::Memory(memory)) => Some(&*memory.text),
        Some(Record::Consolidation(text)) => Some(&**text),
        _ => None,
    };
    let is_withheld = matches!(record, Some(Record::Withheld(_)));
    let content = content.filter(|_| !is_withheld);
    let sections: Vec<&str> = content.iter().flat_map(|content| &content.sections).map(|path| path.as_str()).collect();
    let changes: serde_json::Map<String, Value> = history
        .changes
        .get(&entry.seq())
        .into_iter()
        .flatten()
        .map(|(name, ops)| (name.to_string(), ops.iter().map(history::Op::to_json).collect()))
        .collect();
    let documents: Vec<&str> = header.documents.iter().map(|link| link.name.as_str()).collect();
    let by = undone.iter().find(|(undone, _)| *undone == entry.seq()).map(|(_, by)| by.get());
    json!({
        "seq": entry.seq().get(), "time": local(entry.time()), "actor": header.actor.as_str(),
        "tool": header.tool.as_deref().map_or_else(|| header.kind.to_string(), str::to_owned), "source": header.source.as_deref(),
        "reason": content.and_then(|content| content.reason.as_deref()), "sections": sections, "text": text,
        "documents": documents, "undoes": header.undoes.map(Seq::get), "undone_by": by, "changes": changes,
    })
}
