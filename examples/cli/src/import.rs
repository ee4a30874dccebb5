//! `import` and `export`: memory that comes from other programs, and goes to them.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memdoc::document::Rules;
use memdoc::memory::journal::{Entry, Record, Seq};
use memdoc::memory::{Applied, NewMemory, RequestId};
use memdoc::request::Rewrite;
use memdoc::text::Content;
use memdoc::{Authority, Basis, DocName, Edit, Known, MemoryDoc, Operation, Request, Timestamp, View};
use serde_json::{Value, json};

use crate::arguments::{Export, Form, Import};
use crate::checks::count;
use crate::editor::Handwritten;
use crate::failure::{Answer, Done, Failure};
use crate::formats::{self, Lost};
use crate::merge::{Missing, merged};
use crate::output::Style;
use crate::page;
use crate::place::{Desk, document};

/// How many entries are read at once.
const PAGE: usize = 256;

/// What is to become of a document.
struct Planned {
    name: DocName,
    before: Option<MemoryDoc>,
    after: MemoryDoc,
    state: &'static str,
    /// The edit of a document that is there.
    request: Option<Box<dyn Request>>,
}

/// What an import comes to.
struct Outcome {
    planned: Vec<Planned>,
    applied: Vec<Applied>,
    /// How many memories there are, and how many of them were not remembered already.
    memories: usize,
    new_memories: usize,
    lost: Lost,
}

pub(crate) fn import(desk: &mut Desk, asked: &Import) -> Done {
    let rules = Rules::new(desk.memory.policy().clone()).map_err(|error| Failure::usage(error.to_string()))?;
    let incoming = formats::read(asked, MemoryDoc::with_rules("", Arc::new(rules)))?;
    let mut lost = incoming.lost;
    let planned = plan(desk, asked, incoming.documents, &mut lost)?;
    let memories = incoming.memories.len();
    let new = new_memories(desk, incoming.memories)?;
    list_lost(desk, &lost)?;
    let mut applied = Vec::new();
    if !desk.is_dry {
        applied = apply(desk, asked, &planned)?;
        for (text, source) in &new {
            let source = source.clone().unwrap_or_else(|| asked.path.display().to_string());
            desk.memory.remember(&NewMemory::new(&**text), &desk.origin("import", None).with_source(source))?;
        }
    }
    report(desk, asked, &Outcome { planned, applied, memories, new_memories: new.len(), lost })
}

/// Says what becomes of each document, or refuses all if one is there and differs.
fn plan(
    desk: &Desk,
    asked: &Import,
    documents: Vec<(DocName, String)>,
    lost: &mut Lost,
) -> Result<Vec<Planned>, Failure> {
    let existing = desk.memory.documents()?;
    let (mut planned, mut differing) = (Vec::new(), Vec::new());
    for (name, text) in documents {
        let name = match asked.into.as_deref() {
            None => name,
            Some(folder) => document(&format!("{}/{name}", folder.trim_end_matches('/')))?,
        };
        let before = existing.contains(&name).then(|| desk.memory.read(&name)).transpose()?;
        let base = match &before {
            Some(before) => before.clone(),
            None => desk.memory.unwritten(&name)?.unwrap_or_else(|| MemoryDoc::parse("")),
        };
        let parsed = || MemoryDoc::with_rules(&*text, base.rules().clone());
        let (after, state) = match &before {
            None => (parsed(), "new"),
            Some(before) if before.text() == text => (before.clone(), "unchanged"),
            Some(before) if before.text().trim().is_empty() => (parsed(), "new"),
            Some(before) if asked.merge => {
                let (after, missing) = merged(before, &parsed(), desk.memory.now());
                for Missing { noun, why, text } in missing {
                    lost.add(noun, why, format!("{name}: {text}"));
                }
                (after, "merged")
            }
            Some(_) if asked.replace => (parsed(), "replaced"),
            Some(_) => {
                differing.push(name.to_string());
                continue;
            }
        };
        let state = if before.as_ref() == Some(&after) { "unchanged" } else { state };
        let request: Option<Box<dyn Request>> = match &before {
            None => None,
            Some(_) if state == "replaced" => Some(Box::new(Rewrite::new("import").with_candidate(&*text))),
            Some(before) => Some(Box::new(Handwritten(Edit::between(before, &after)))),
        };
        // What no agent may write is not let in by way of an import.
        match written(&base, &after, request.as_deref(), desk.memory.now()) {
            Ok(after) => {
                let state = if before.as_ref() == Some(&after) { "unchanged" } else { state };
                planned.push(Planned { name, before, after, state, request });
            }
            Err(why) => lost.add("document", "refused", format!("{name}: {why}")),
        }
    }
    if differing.is_empty() {
        return Ok(planned);
    }
    let message = format!("these documents are there and differ: {}", differing.join(", "));
    Err(Failure::refused("document_exists", message)
        .with_hint("`--merge` adds what is missing, `--replace` rewrites them, `--into FOLDER` puts all beside them"))
}

/// Returns a document as the import leaves it, or why it may not.
fn written(
    base: &MemoryDoc,
    after: &MemoryDoc,
    request: Option<&dyn Request>,
    now: Timestamp,
) -> Result<MemoryDoc, String> {
    let edit = match request {
        Some(request) => request.plan(&View::current(base, now)).map_err(|error| error.to_string())?,
        None => Edit::between(base, after),
    };
    let written = base.commit(&edit, Authority::Agent).map_err(|error| error.to_string())?.doc;
    let lines =
        |doc: &MemoryDoc| doc.text().trim_start_matches('\u{FEFF}').lines().map(str::to_owned).collect::<Vec<_>>();
    if lines(&written) == lines(after) { Ok(written) } else { Err("it would not be written as it is".to_owned()) }
}

fn report(desk: &mut Desk, asked: &Import, outcome: &Outcome) -> Done {
    let Outcome { planned, applied, memories, new_memories, lost } = outcome;
    let answer = if planned.is_empty() && *memories == 0 { Answer::No } else { Answer::Yes };
    let (mut rows, mut values) = (Vec::new(), Vec::new());
    for Planned { name, after, state, .. } in planned {
        let seq = applied.iter().find(|applied| applied.document == *name).and_then(|applied| applied.seq);
        let bullets = after.bullets().count();
        values.push(
            json!({"document": name.as_str(), "bullets": bullets, "state": state, "seq": seq.map(|seq| seq.get())}),
        );
        let entry = seq.map_or_else(String::new, |seq| format!("entry {seq}"));
        rows.push(vec![name.to_string(), count(bullets, "bullet"), (*state).to_owned(), entry]);
    }
    if desk.output.is_json() {
        let lost = lost.lines();
        desk.output
            .json(&json!({"documents": values, "memories": new_memories, "lost": lost, "is_dry_run": desk.is_dry}));
        return Ok(answer);
    }
    desk.output.table(&["", ">", "", ""], &rows);
    if asked.form == Some(Form::Memories) {
        desk.output.line(format!("  {new_memories} of {memories} facts are new"));
    }
    if answer == Answer::No {
        desk.output.note("nothing was imported");
    } else if desk.is_dry {
        desk.output.note("nothing was written: a dry run");
    }
    Ok(answer)
}

/// Returns the entries that record a memory.
fn remembered(desk: &Desk) -> Result<Vec<Entry>, Failure> {
    let (mut entries, mut next) = (Vec::new(), Seq::FIRST);
    loop {
        let page = desk.memory.entries(next, PAGE)?;
        let Some(end) = page.last().map(Entry::seq) else { return Ok(entries) };
        next = end.plus(1);
        entries.extend(page.into_iter().filter(|entry| memory(entry).is_some()));
    }
}

fn memory(entry: &Entry) -> Option<&str> {
    match entry.body()?.record.as_ref()? {
        Record::Memory(memory) => Some(memory.text.as_str()),
        _ => None,
    }
}

/// Returns what is not remembered already, each text once.
fn new_memories(
    desk: &Desk,
    memories: Vec<(String, Option<String>)>,
) -> Result<Vec<(String, Option<String>)>, Failure> {
    if memories.is_empty() {
        return Ok(memories);
    }
    let mut seen: HashSet<String> = remembered(desk)?.iter().filter_map(memory).map(str::to_owned).collect();
    Ok(memories.into_iter().filter(|(text, _)| seen.insert(text.clone())).collect())
}

/// Writes all documents in one commit, each only if it still is what the plan was made for.
fn apply(desk: &Desk, asked: &Import, planned: &[Planned]) -> Result<Vec<Applied>, Failure> {
    let changed: Vec<&Planned> = planned.iter().filter(|planned| planned.state != "unchanged").collect();
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<Content> = changed.iter().map(|planned| planned.after.text().into()).collect();
    let known: Vec<Option<Known>> = changed.iter().map(|planned| planned.before.as_ref().map(Known::of)).collect();
    let operations: Vec<Operation<'_>> = changed
        .iter()
        .zip(&texts)
        .zip(&known)
        .map(|((planned, text), known)| match (known, &planned.request) {
            (Some(known), Some(request)) => {
                Operation::edit(planned.name.clone(), Basis::Known(known), request.as_ref())
            }
            _ => Operation::create(planned.name.clone(), text),
        })
        .collect();
    let mut origin = desk.origin("import", None).with_source(asked.path.display().to_string());
    origin.authority = Authority::Agent;
    let id =
        RequestId::new("import", &json!([asked.format, texts.iter().map(|text| text.as_str()).collect::<Vec<_>>()]));
    Ok(desk.memory.apply(&operations, &origin, id)?)
}

/// Says what is lost before anything is written.
fn list_lost(desk: &mut Desk, lost: &Lost) -> Result<(), Failure> {
    if desk.output.is_json() {
        return Ok(());
    }
    for line in lost.lines() {
        let line = desk.output.shown(&format!("Lost: {line}"));
        let line = desk.output.paint(Style::Removed, &line);
        desk.output.line(line);
    }
    Ok(desk.output.flush()?)
}

pub(crate) fn export(desk: &mut Desk, asked: &Export) -> Done {
    let (Some(format), Some(to)) = (&asked.format, &asked.path) else {
        return page::export(desk, asked);
    };
    let mut documents = Vec::new();
    for name in desk.memory.documents()? {
        let text = desk.memory.read(&name)?.text().to_owned();
        documents.push((name, text));
    }
    let outgoing = formats::write(format, &documents, remembered(desk)?.iter().filter_map(row))?;
    let path = |below: &str| if below.is_empty() { to.clone() } else { to.join(below) };
    let mut wanted: Vec<(PathBuf, &str)> = Vec::new();
    for (below, text) in &outgoing.files {
        let path = path(below);
        match fs::read(&path) {
            Ok(there) if there == text.as_bytes() => {}
            Ok(_) => {
                return Err(Failure::refused(
                    "file_exists",
                    format!("`{}` is there, with another text", path.display()),
                ));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => wanted.push((path, text)),
            Err(error) => return Err(Failure::file("read", &path, &error)),
        }
    }
    list_lost(desk, &outgoing.lost)?;
    if !desk.is_dry {
        for (path, text) in &wanted {
            create(path, text).map_err(|error| Failure::file("write", path, &error))?;
        }
    }
    let files: Vec<String> = wanted.iter().map(|(path, _)| path.display().to_string()).collect();
    if desk.output.is_json() {
        desk.output.json(&json!({"files": files, "lost": outgoing.lost.lines(), "is_dry_run": desk.is_dry}));
    } else {
        let verb = if desk.is_dry { "would write" } else { "wrote" };
        desk.output.line(format!("{verb} {} to {}", count(files.len(), "file"), to.display()));
    }
    Ok(Answer::Yes)
}

/// Returns a memory that stands beside the documents, as mem0 has it.
fn row(entry: &Entry) -> Option<Value> {
    let metadata =
        json!({"seq": entry.seq().get(), "time": entry.time().to_string(), "actor": entry.header().actor.as_str()});
    Some(json!({"memory": memory(entry)?, "metadata": metadata}))
}

fn create(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}
