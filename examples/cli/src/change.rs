//! `undo`, `rename`, `delete` and `redact`.

use memdoc::edit::{Comparison, Preview, PreviewFormat};
use memdoc::memory::journal::{Entry, EntryKind, Redactor, Seq};
use memdoc::memory::{Applied, HistoryQuery, RequestId, Undo as Which, Undone};
use memdoc::{Authority, DocName, MemoryDoc, Operation};
use serde_json::json;

use crate::arguments::{Delete, Redact, Rename, Undo};
use crate::failure::{Answer, Done, Failure};
use crate::place::{Desk, document, look_at_all};

/// How many entries are looked at for one that can be undone.
const PAGE: usize = 100;

pub(crate) fn undo(desk: &mut Desk, asked: &Undo) -> Done {
    let entry = match asked.entry {
        Some(number) => desk.memory.entry(Seq::new(number))?,
        None => newest(desk)?,
    };
    let (seq, origin) = (entry.seq(), desk.origin("undo", asked.reason.as_deref()));
    let planned = desk.memory.would_undo(Which::Entry(seq), &origin)?;
    for applied in &planned {
        let now = current(desk, &applied.document)?;
        if !asked.reserved && reserved(&now) != reserved(&applied.doc) {
            return Err(kept_by_host(&applied.document));
        }
    }
    if !planned.is_empty() && !desk.output.is_json() {
        changes(desk, &planned)?;
    }
    if desk.is_dry {
        if desk.output.is_json() {
            let documents: Vec<_> = planned.iter().map(|applied| applied.document.as_str()).collect();
            desk.output.json(&json!({"status": "preview", "undoes": seq.get(), "documents": documents}));
        }
        return Ok(Answer::Yes);
    }
    let by = &entry.header().actor;
    if *by != desk.actor && !desk.is_sure && !planned.is_empty() {
        let question = format!("Entry {seq} is by {}, not by you. Take it back?", memdoc::text::visible(by.as_str()));
        if desk.output.is_json() || !desk.output.asks(&question)? {
            return Err(
                Failure::refused("not_confirmed", "nothing was changed").with_hint("`--yes` answers the question")
            );
        }
    }
    let what = entry.header().tool.as_deref().map_or_else(|| entry.header().kind.to_string(), str::to_owned);
    let (status, made, text) = match desk.memory.undo(Which::Entry(seq), &origin)? {
        Undone::Made(applied) => {
            let made = applied.iter().find_map(|applied| applied.seq);
            let number = made.map_or_else(String::new, |made| format!(", as entry {made}"));
            ("committed", made, format!("took back entry {seq} ({what}){number}"))
        }
        Undone::Already(by) => ("already_applied", Some(by), format!("entry {seq} is undone already, by entry {by}")),
        Undone::NoChange => ("no_change", None, format!("entry {seq} changed no document")),
    };
    if desk.output.is_json() {
        desk.output.json(&json!({"status": status, "undoes": seq.get(), "seq": made.map(Seq::get)}));
    } else {
        let text = desk.output.shown(&text);
        desk.output.line(text);
    }
    Ok(Answer::Yes)
}

/// Finds the newest entry that changed a document, is no undo, and is not undone.
fn newest(desk: &Desk) -> Result<Entry, Failure> {
    look_at_all(&desk.memory)?;
    let mut query = HistoryQuery::new();
    query.limit = PAGE;
    loop {
        let page = desk.memory.history(&query)?;
        query.before = page.entries.last().map(|row| row.entry.seq());
        let can_be = |entry: &Entry| {
            let header = entry.header();
            header.undoes.is_none() && header.kind != EntryKind::Redaction && !header.documents.is_empty()
        };
        match page.entries.into_iter().find(|row| row.undone_by.is_none() && can_be(&row.entry)) {
            Some(row) => return Ok(row.entry),
            None if page.more => {}
            None => return Err(Failure::refused("unknown_entry", "there is nothing to undo")),
        }
    }
}

/// Returns a document as it is now; an empty one if it is not there.
fn current(desk: &Desk, name: &DocName) -> Result<MemoryDoc, Failure> {
    let exists = desk.memory.documents()?.contains(name);
    Ok(if exists { desk.memory.read(name)? } else { MemoryDoc::parse("") })
}

/// Returns the texts of the reserved sections.
fn reserved(doc: &MemoryDoc) -> Vec<&str> {
    doc.sections()
        .filter(|section| section.reserved_name().is_some())
        .map(|section| section.extent.of(doc.text()).trim_end())
        .collect()
}

fn kept_by_host(name: &DocName) -> Failure {
    Failure::refused("reserved_section", format!("a reserved section of `{name}` would change; nothing was changed"))
        .with_hint("`--reserved` lets it")
}

/// Shows what would become of documents, line by line.
fn changes(desk: &mut Desk, planned: &[Applied]) -> Result<(), Failure> {
    for applied in planned {
        let now = current(desk, &applied.document)?;
        let unified = Comparison::between(&now, &applied.doc).unified(applied.document.as_str());
        let is_change = |line: &&str| {
            let is_heading = line.starts_with("--- ") || line.starts_with("+++ ");
            !is_heading && line.starts_with(['-', '+'])
        };
        if planned.len() > 1 {
            desk.output.line(format!("{}.md", applied.document));
        }
        let apart = |line: &str| line.split_at_checked(1).map(|(sign, rest)| format!("{sign} {rest}\n"));
        let lines: Vec<String> = unified.lines().skip(2).filter(is_change).filter_map(apart).collect();
        desk.output.diff(&lines.concat());
    }
    Ok(())
}

pub(crate) fn rename(desk: &mut Desk, asked: &Rename) -> Done {
    let (from, to) = (document(&asked.document)?, document(&asked.name)?);
    let request = RequestId::new("rename", &json!([from.as_str(), to.as_str()]));
    let done = format!("renamed `{from}` to `{to}`");
    commit(desk, &[Operation::rename(from.clone(), &to, None)], request, ("rename", asked.reason.as_deref()), &done)
}

pub(crate) fn delete(desk: &mut Desk, asked: &Delete) -> Done {
    let name = document(&asked.document)?;
    if !asked.reserved && !reserved(&current(desk, &name)?).is_empty() {
        return Err(kept_by_host(&name));
    }
    if !desk.is_sure && !desk.is_dry {
        desk.memory.read(&name)?;
        if desk.output.is_json() || !desk.output.asks(&format!("Delete `{name}`?"))? {
            return Err(
                Failure::refused("not_confirmed", "nothing was changed").with_hint("`--yes` answers the question")
            );
        }
    }
    let request = RequestId::new("delete", &json!(name.as_str()));
    let done = format!("deleted `{name}`");
    commit(desk, &[Operation::delete(name.clone())], request, ("delete", asked.reason.as_deref()), &done)
}

fn commit(
    desk: &mut Desk,
    operations: &[Operation<'_>],
    request: RequestId,
    (command, reason): (&str, Option<&str>),
    done: &str,
) -> Done {
    if desk.is_dry {
        let shown = Preview::new(PreviewFormat::Stats, "");
        for operation in operations {
            desk.memory.preview(operation, Authority::Host, &shown)?;
        }
        desk.output.preview(&format!("would have {done}"));
        return Ok(Answer::Yes);
    }
    let applied = desk.memory.apply(operations, &desk.origin(command, reason), request)?;
    let seq = applied.iter().find_map(|applied| applied.seq);
    if desk.output.is_json() {
        desk.output.json(&json!({"status": "committed", "seq": seq.map(Seq::get)}));
    } else {
        desk.output.line(format!("{done}{}", seq.map_or_else(String::new, |seq| format!(", as entry {seq}"))));
    }
    Ok(Answer::Yes)
}

/// Returns true if neither a document nor the journal holds a text or could tell it. What cannot be read may hold it.
fn is_nowhere(desk: &Desk, text: &str) -> Result<bool, Failure> {
    let is_known = desk.memory.unusable()?.is_empty() && desk.memory.verify(None)?.findings.is_empty();
    if !is_known {
        return Ok(false);
    }
    for name in desk.memory.documents()? {
        if desk.memory.read(&name)?.text().contains(text) {
            return Ok(false);
        }
    }
    let (mut redactor, mut next) = (Redactor::new(&[], &[text]), Seq::FIRST);
    loop {
        let page = desk.memory.entries(next, PAGE)?;
        let Some(last) = page.last() else { break };
        next = last.seq().plus(1);
        page.iter().for_each(|entry| redactor.entry(entry));
    }
    let found = redactor.finish();
    Ok(found.erased.is_empty() && found.headers.is_empty())
}

pub(crate) fn redact(desk: &mut Desk, asked: &Redact) -> Done {
    let text = if asked.text == "-" { crate::tools::input()? } else { asked.text.clone() };
    let text = text.trim_end_matches(['\n', '\r']);
    if desk.is_dry {
        return Err(Failure::usage(
            "`redact` has no dry run; `memdoc log --grep TEXT` shows which entries hold a text",
        ));
    }
    if !text.trim().is_empty() && is_nowhere(desk, text)? {
        return Err(Failure::refused("not_found", "nothing holds the text, byte for byte; nothing was erased"));
    }
    if !desk.is_sure {
        let question = "This cannot be undone: the text goes out of all documents, and whole entries out of the history. Erase it?";
        if desk.output.is_json() || !desk.output.asks(question)? {
            return Err(
                Failure::refused("not_confirmed", "nothing was changed").with_hint("`--yes` answers the question")
            );
        }
    }
    let redacted = desk.memory.redact(&[], &[text], &desk.origin("redact", asked.reason.as_deref()))?;
    let documents: Vec<_> = redacted.documents.iter().map(|name| name.as_str()).collect();
    let contents: Vec<_> = redacted.erased.bodies.iter().map(|run| run.to_string()).collect();
    let headers: Vec<_> = redacted.headers.iter().map(ToString::to_string).collect();
    if desk.output.is_json() {
        desk.output.json(&json!({"status": "committed", "seq": redacted.seq.get(), "documents": documents, "erased": contents, "headers": headers}));
        return Ok(Answer::Yes);
    }
    let list = |what: &[&str]| if what.is_empty() { "none".to_owned() } else { what.join(", ") };
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    desk.output.line(format!(
        "erased, as entry {}; documents: {}; entries emptied: {}",
        redacted.seq,
        list(&documents),
        list(&contents)
    ));
    if !headers.is_empty() {
        desk.output
            .note(&format!("these entries still name it, as an actor, a source or a document: {}", headers.join(", ")));
    }
    if !redacted.unreadable.is_empty() || !redacted.unusable.is_empty() {
        desk.output.note("parts of the journal or files could not be read, and may still hold it: `memdoc doctor`");
    }
    Ok(Answer::Yes)
}
