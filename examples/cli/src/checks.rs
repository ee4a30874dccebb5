//! `init`, `backup`, `verify`, `checkpoint` and `doctor`.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use memdoc::memory::journal;
use memdoc::request::{Violation, validate};
use memdoc::text::Content;
use memdoc::{DocName, FileStore, MemoryDoc, Status};
use serde_json::json;

use crate::arguments::{Backup, Checkpoint, Doctor, Init, Options, Verify};
use crate::failure::{Answer, Done, Failure};
use crate::output::{Output, Style};
use crate::place::{self, Desk, TestClock, document};
use crate::tools;

/// The policy that a new memory begins with.
const POLICY: &str = "\
# The rules of this memory. Every program reads them when it opens the memory.
allow_new_documents = true
allow_folders = true

# What happens to an edit of a text that somebody else has changed meanwhile: \"refuse\" or \"rebase\".
on_stale = \"rebase\"

# Sections that no agent changes.
reserved_sections = [\"System/Policy\"]

# The largest document, in bytes.
max_bytes = 65536
";

pub(crate) fn init(options: &Options, asked: &Init, mut output: Output) -> Done {
    if options.database.is_some() {
        return Err(Failure::usage("a memory in a database needs no `init`"));
    }
    let here = || env::current_dir().map_err(|error| Failure::usage(format!("the current directory: {error}")));
    let directory = match asked.place.clone().or_else(|| options.directory.clone()) {
        Some(directory) => directory,
        None => here()?,
    };
    let was_there = directory.join(".memdoc").is_dir();
    if options.dry_run {
        let what = if was_there { "there is a memory already" } else { "would make a memory" };
        output.preview(&format!("{what} in {}", directory.display()));
        output.finish()?;
        return Ok(Answer::Yes);
    }
    let store = FileStore::open(&directory)?;
    write_new(&directory.join("policy.toml"), POLICY)?;
    write_new(&directory.join(".gitignore"), ".memdoc/\n")?;
    let memory = place::memory(store, place::policies(&directory)?, TestClock::new())?;
    let documents = memory.documents()?.len();
    if output.is_json() {
        output.json(&json!({"status": if was_there { "no_change" } else { "ok" }, "directory": directory.display().to_string(), "documents": documents}));
    } else {
        let what = if was_there { "there is a memory already" } else { "made a memory" };
        output.line(format!("{what} in {}, with {}", directory.display(), count(documents, "document")));
    }
    output.finish()?;
    Ok(Answer::Yes)
}

/// Writes a file unless it is there.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let created = OpenOptions::new().write(true).create_new(true).open(path);
    match created.and_then(|mut file| file.write_all(text.as_bytes())) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Failure::file("write", path, &error)),
        _ => Ok(()),
    }
}

/// Writes a count with its noun.
pub(crate) fn count(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

pub(crate) fn backup(desk: &mut Desk, asked: &Backup) -> Done {
    if is_inside_of_a_memory(&asked.place) {
        let message = format!("`{}` is inside a memory: the copies would be documents of it", asked.place.display());
        return Err(Failure::usage(message));
    }
    if desk.is_dry {
        desk.output.preview(&format!("would copy the memory to {}", asked.place.display()));
        return Ok(Answer::Yes);
    }
    desk.memory.backup(&asked.place)?;
    let (head, documents) = (desk.memory.head()?.seq, desk.memory.documents()?.len());
    if desk.output.is_json() {
        desk.output.json(&json!({"status": "ok", "entries": head.get(), "documents": documents}));
    } else {
        desk.output.line(format!(
            "copied {} and {} to {}",
            count(usize::try_from(head.get()).unwrap_or(usize::MAX), "entry"),
            count(documents, "document"),
            asked.place.display()
        ));
    }
    Ok(Answer::Yes)
}

/// Reports whether a directory, which need not be there, is below that of a memory.
fn is_inside_of_a_memory(place: &Path) -> bool {
    let Ok(place) = std::path::absolute(place) else { return false };
    let there = place.ancestors().skip(1).find_map(|above| fs::canonicalize(above).ok());
    there.is_some_and(|there| there.ancestors().any(|above| above.join(".memdoc").is_dir()))
}

pub(crate) fn verify(desk: &mut Desk, asked: &Verify) -> Done {
    let checkpoint = asked.checkpoint.as_deref().map(read_checkpoint).transpose()?;
    let found = desk.memory.verify(checkpoint.as_ref())?;
    let documents = desk.memory.documents()?.len();
    let (notices, bad): (Vec<_>, Vec<_>) = found.findings.iter().partition(|finding| finding.problem.is_notice());
    let lines = |findings: &[&journal::Finding]| findings.iter().map(ToString::to_string).collect::<Vec<_>>();
    if desk.output.is_json() {
        desk.output.json(&json!({
            "status": if bad.is_empty() { "sound" } else { "unsound" }, "entries": found.entries, "documents": documents,
            "bad": lines(&bad), "notices": lines(&notices),
        }));
    } else {
        for line in lines(&bad) {
            let line = desk.output.paint(Style::Removed, &desk.output.shown(&line));
            desk.output.line(line);
        }
        for line in lines(&notices) {
            desk.output.note(&format!("notice: {line}"));
        }
        let anchored = checkpoint
            .map_or_else(String::new, |checkpoint| format!(", and as it was at entry {}", checkpoint.head.seq));
        desk.output.line(match bad.len() {
            0 => format!("sound: {} entries, {}{anchored}", found.entries, count(documents, "document")),
            bad => format!("unsound: {} in {} entries", count(bad, "finding"), found.entries),
        });
    }
    Ok(if bad.is_empty() { Answer::Yes } else { Answer::No })
}

fn read_checkpoint(path: &Path) -> Result<journal::Checkpoint, Failure> {
    let text = tools::file(path)?;
    text.parse().map_err(|error| Failure::usage(format!("`{}`: {error}", path.display())))
}

pub(crate) fn checkpoint(desk: &mut Desk, asked: &Checkpoint) -> Done {
    let found = desk.memory.verify(None)?;
    let checkpoint = found.checkpoint.filter(|_| found.findings.iter().all(|finding| finding.problem.is_notice()));
    let Some(checkpoint) = checkpoint else {
        return Err(Failure::refused("chain_broken", "the journal is not sound").with_hint("`memdoc verify` says why"));
    };
    let line = format!("{checkpoint}\n");
    match asked.output.as_deref() {
        Some(path) if desk.is_dry => desk.output.preview(&format!("would write {}", path.display())),
        Some(path) => fs::write(path, &line).map_err(|error| Failure::file("write", path, &error))?,
        None if desk.output.is_json() => desk.output.json(&json!({"checkpoint": checkpoint.to_string()})),
        None => desk.output.raw(&line),
    }
    Ok(Answer::Yes)
}

/// How bad something is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ok,
    Warning,
    Error,
}

impl Mark {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Takes out of a document what needs no judgement, in one commit.
fn repaired(
    desk: &Desk,
    name: &DocName,
    doc: MemoryDoc,
    rows: &mut Vec<(Mark, String, String)>,
) -> Result<MemoryDoc, Failure> {
    // What stands in a reserved section is the host's to repair, by hand.
    let is_free = |key: &Content| {
        let mut bullets = doc.bullets_by_key(key).into_iter();
        bullets.all(|bullet| doc.reserved_section_at(bullet.line.start()).is_none())
    };
    let gone = |violation: Violation| violation.key.filter(|key| violation.may_go && is_free(key));
    let keys: BTreeSet<_> = validate(&doc, desk.memory.now()).into_iter().filter_map(gone).collect();
    if keys.is_empty() {
        return Ok(doc);
    }
    let count = count(keys.len(), "bullet");
    if desk.is_dry {
        rows.push((Mark::Ok, name.to_string(), format!("would delete {count} (expired, or said by another)")));
        return Ok(doc);
    }
    let edits: Vec<_> = keys.iter().map(|key| json!({"op": "delete", "target": {"key": key}})).collect();
    let mut toolbox = tools::toolbox(desk);
    let _ = toolbox.show(name);
    let reply = toolbox.call("edit_items", &json!({"document": name.as_str(), "edits": edits}));
    rows.push(match reply.status() {
        Status::Error => (Mark::Error, name.to_string(), reply.to_string()),
        _ => (Mark::Ok, name.to_string(), format!("deleted {count} (expired, or said by another)")),
    });
    Ok(desk.memory.read(name)?)
}

pub(crate) fn doctor(desk: &mut Desk, asked: &Doctor) -> Done {
    let mut rows: Vec<(Mark, String, String)> = Vec::new();
    let only: Vec<DocName> = asked.documents.iter().map(|name| document(name)).collect::<Result<_, _>>()?;
    if only.is_empty() {
        let head = desk.memory.head()?.seq;
        rows.push((Mark::Ok, "store".to_owned(), format!("{head} entries")));
        let found = desk.memory.verify(None)?;
        if found.findings.is_empty() {
            rows.push((Mark::Ok, "journal".to_owned(), "sound".to_owned()));
        }
        for finding in &found.findings {
            let mark = if finding.problem.is_notice() { Mark::Warning } else { Mark::Error };
            rows.push((mark, "journal".to_owned(), finding.to_string()));
        }
        for unusable in desk.memory.unusable()? {
            rows.push((Mark::Error, PathBuf::from(&unusable.file).display().to_string(), unusable.why.to_string()));
        }
    }
    let names = if only.is_empty() { desk.memory.documents()? } else { only };
    for name in names {
        let doc = match desk.memory.read(&name) {
            Ok(doc) => doc,
            Err(error) => {
                rows.push((Mark::Error, name.to_string(), error.to_string()));
                continue;
            }
        };
        let doc = if asked.fix { repaired(desk, &name, doc, &mut rows)? } else { doc };
        let violations = validate(&doc, desk.memory.now());
        if violations.is_empty() {
            rows.push((Mark::Ok, name.to_string(), "nothing is wrong".to_owned()));
        }
        for violation in &violations {
            let line = violation.line.map_or_else(String::new, |line| format!("line {line}: "));
            rows.push((Mark::Warning, name.to_string(), format!("{line}{}", violation.kind)));
        }
    }
    let is_bad = rows.iter().any(|(mark, ..)| *mark == Mark::Error);
    if desk.output.is_json() {
        let rows: Vec<_> = rows
            .iter()
            .map(|(mark, check, message)| json!({"result": mark.name(), "check": check, "message": message}))
            .collect();
        desk.output.json(&json!({"checks": rows}));
    } else {
        let rows: Vec<_> = rows
            .iter()
            .map(|(mark, check, message)| {
                vec![mark.name().to_owned(), desk.output.shown(check), desk.output.shown(message)]
            })
            .collect();
        desk.output.table(&["RESULT", "CHECK", "MESSAGE"], &rows);
    }
    Ok(if is_bad { Answer::No } else { Answer::Yes })
}
