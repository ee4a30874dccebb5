//! `log` and `watch`: what was done to the memory, and what is done to it now.

use std::thread;
use std::time::Duration;

use memdoc::edit::Comparison;
use memdoc::memory::journal::{Entry, Seq};
use memdoc::memory::{Actor, DocName, HistoryQuery, HistoryRow, MemoryError};
use memdoc::{Memory, MemoryDoc};
use serde_json::{Value, json};

use crate::arguments::{Log, Watch};
use crate::failure::{Answer, Done, Failure};
use crate::moment::{after, instant_of, is_moment, local};
use crate::output::{Output, Style};
use crate::place::{Desk, document, look_at_all};

/// How many entries are listed where there is no screen.
const MOST: usize = 50;
/// How many entries are read at once.
const PAGE: usize = 200;
/// How often is looked for new entries.
const PERIOD: Duration = Duration::from_millis(500);

pub(crate) fn log(desk: &mut Desk, asked: &Log) -> Done {
    look_at_all(&desk.memory)?;
    let mut query = HistoryQuery::new();
    let mut count = asked.count.unwrap_or_else(|| screen(&desk.output));
    // `memdoc log -p 12` is about one entry.
    let one = asked.document.as_deref().filter(|name| {
        is_moment(name) && desk.memory.documents().is_ok_and(|names| !names.iter().any(|own| own.as_str() == *name))
    });
    match one {
        Some(number) => {
            let seq = crate::moment::entry_at(&desk.memory, number)?;
            desk.memory.entry(seq)?;
            query.before = Some(seq.plus(1));
            count = 1;
        }
        None => query.document = asked.document.as_deref().map(document).transpose()?,
    }
    let actor = |name: &String| name.parse::<Actor>().map_err(|error| Failure::usage(error.to_string()));
    query.actor = asked.by.as_ref().map(actor).transpose()?;
    query.tool.clone_from(&asked.tool);
    query.since = asked.since.as_deref().map(|text| instant_of(&desk.memory, text)).transpose()?;
    query.until = asked.until.as_deref().map(|text| instant_of(&desk.memory, text)).transpose()?;
    let rows = rows(&desk.memory, query, count, asked.grep.as_deref())?;
    if rows.is_empty() {
        desk.output.note("nothing was done that fits");
        return Ok(Answer::No);
    }
    let patches = match asked.patch {
        true => rows.iter().map(|row| patch(&desk.memory, &row.entry)).collect::<Result<_, _>>()?,
        false => Vec::new(),
    };
    if desk.output.is_json() {
        for (nth, row) in rows.iter().enumerate() {
            let mut value = value(&row.entry, row.undone_by);
            if let Some(patch) = patches.get(nth) {
                value["patch"] = json!(patch);
            }
            desk.output.json(&value);
        }
    } else if asked.patch {
        for (row, patch) in rows.iter().zip(&patches) {
            let cells = cells(&desk.output, &row.entry, row.undone_by);
            let line = desk.output.paint(Style::Accent, cells.join("  ").trim());
            desk.output.line(line);
            desk.output.diff(patch);
        }
    } else {
        let cells: Vec<_> = rows.iter().map(|row| cells(&desk.output, &row.entry, row.undone_by)).collect();
        desk.output.table(&[">", "", "", "", "", ""], &cells);
    }
    Ok(Answer::Yes)
}

fn screen(output: &Output) -> usize {
    output.screen_lines().map_or(MOST, |lines| lines.saturating_sub(2).max(1))
}

/// Lists entries that hold a text.
fn rows(
    memory: &Memory,
    mut query: HistoryQuery,
    count: usize,
    text: Option<&str>,
) -> Result<Vec<HistoryRow>, Failure> {
    let Some(text) = text.map(str::to_lowercase) else {
        query.limit = count;
        return Ok(memory.history(&query)?.entries);
    };
    // A splice holds what differs; the text may go on beside it, in the same line.
    let is_in_lines = |row: &HistoryRow| {
        let mut lines = row.changes.iter().flat_map(|changed| changed.removed.iter().chain(&changed.added));
        lines.any(|line| line.to_lowercase().contains(&text))
    };
    query.limit = usize::MAX;
    let rows = memory.history(&query)?.entries.into_iter();
    Ok(rows.filter(|row| is_in_lines(row) || holds(&row.entry, &text)).take(count).collect())
}

fn holds(entry: &Entry, text: &str) -> bool {
    let Some(content) = entry.body() else { return false };
    let splices = content.splices.iter().flatten().flatten();
    let written = splices.flat_map(|splice| [splice.removed.as_str(), splice.added.as_str()]);
    let record = content.record.as_ref().and_then(|record| serde_json::to_string(record).ok());
    let mut all = written
        .chain(content.reason.as_deref())
        .chain(content.sections.iter().map(|path| path.as_str()))
        .chain(record.as_deref());
    all.any(|written| written.to_lowercase().contains(text))
}

/// Returns an entry as the tool `memory_history` tells it, and its documents.
pub(crate) fn value(entry: &Entry, undone_by: Option<Seq>) -> Value {
    let (header, content) = (entry.header(), entry.body());
    let documents: Vec<_> = header.documents.iter().map(|link| link.name.as_str()).collect();
    let mut value = json!({
        "seq": entry.seq().get(),
        "type": header.kind.to_string(),
        "time": entry.time().to_string(),
        "actor": header.actor.as_str(),
        "documents": documents,
        "sections": content.map(|content| content.sections.iter().map(|path| path.as_str()).collect::<Vec<_>>()).unwrap_or_default(),
        "counts": content.map(|content| json!(content.counts)).unwrap_or_else(|| json!({})),
    });
    if let Some(content) = content.filter(|content| !content.arguments.is_empty()) {
        value["arguments"] = json!(content.arguments);
    }
    let reason = content.and_then(|content| content.reason.as_deref());
    for (name, text) in [("tool", header.tool.as_deref()), ("source", header.source.as_deref()), ("reason", reason)] {
        if let Some(text) = text {
            value[name] = json!(text);
        }
    }
    if let Some(by) = undone_by {
        value["undone_by"] = json!(by.get());
    }
    value
}

/// Returns an entry as a row of a table.
pub(crate) fn cells(output: &Output, entry: &Entry, undone_by: Option<Seq>) -> Vec<String> {
    let (header, content) = (entry.header(), entry.body());
    let documents: Vec<_> = header.documents.iter().map(|link| link.name.as_str()).collect();
    let sections: Vec<_> =
        content.into_iter().flat_map(|content| &content.sections).map(|path| memdoc::text::excerpt(path, 60)).collect();
    let mut remarks = sections.join(", ");
    if let Some(reason) = content.and_then(|content| content.reason.as_deref()) {
        remarks += &format!("  \"{}\"", memdoc::text::excerpt(reason, 80));
    }
    if let Some(by) = undone_by {
        remarks += &format!("  (undone by {by})");
    }
    let cell = |text: &str| output.shown(text);
    vec![
        entry.seq().to_string(),
        local(entry.time()),
        cell(header.actor.as_str()),
        cell(&tool(entry)),
        documents.join(", "),
        remarks.trim_start().to_owned(),
    ]
}

/// Returns what made an entry: the tool, and the command where it has several.
pub(crate) fn tool(entry: &Entry) -> String {
    let (header, body) = (entry.header(), entry.body());
    let tool = header.tool.as_deref().map_or_else(|| header.kind.to_string(), str::to_owned);
    let command = body.and_then(|body| body.arguments.get("command"));
    command.map_or_else(|| tool.to_owned(), |command| format!("{tool} {command}"))
}

/// Returns what an entry changed in each document, as a unified diff; `None` where an entry that is needed was erased. A
/// document that was renamed is listed once, under its new name.
pub(crate) fn diffs(memory: &Memory, entry: &Entry) -> Result<Vec<(DocName, Option<String>)>, Failure> {
    let links = &entry.header().documents;
    let is_renamed = |name: &DocName| links.iter().any(|link| entry.renamed_from(&link.name) == Some(name));
    let names = links.iter().map(|link| &link.name).filter(|name| !is_renamed(name));
    let diff = |name: &DocName| -> Result<String, MemoryError> {
        let old_name = entry.renamed_from(name).unwrap_or(name);
        let old = match entry.previous_of(old_name) {
            Some(previous) => memory.text_at(old_name, &after(previous))?,
            None => None,
        };
        let [old, new] = [old, memory.text_at(name, &after(entry.seq()))?].map(Option::unwrap_or_default);
        Ok(Comparison::between(&MemoryDoc::parse(old), &MemoryDoc::parse(new)).unified(name.as_str()))
    };
    let of_document = |name: &DocName| match diff(name) {
        Err(error @ MemoryError::Store(_)) => Err(error.into()),
        diff => Ok((name.clone(), diff.ok())),
    };
    names.map(of_document).collect()
}

/// Returns what an entry changed, as unified diffs.
fn patch(memory: &Memory, entry: &Entry) -> Result<String, Failure> {
    let text = |(name, diff): (DocName, Option<String>)| {
        diff.unwrap_or_else(|| format!("--- {name}\n(what it changed was erased)\n"))
    };
    Ok(diffs(memory, entry)?.into_iter().map(text).collect())
}

/// Shows new entries until the process is stopped, or nobody reads any more.
pub(crate) fn watch(desk: &mut Desk, asked: &Watch) -> Done {
    let name = asked.document.as_deref().map(document).transpose()?;
    let mut next = desk.memory.head()?.seq.plus(1);
    desk.output.note("waiting for edits; Ctrl-C ends it");
    let mut left = asked.count.unwrap_or(usize::MAX);
    while left > 0 {
        look_at_all(&desk.memory)?;
        let page = desk.memory.entries(next, PAGE)?;
        next = page.last().map_or(next, |last| last.seq().plus(1));
        let is_asked = |entry: &&Entry| name.as_ref().is_none_or(|name| entry.link(name).is_some());
        for entry in page.iter().filter(is_asked).take(left) {
            show_entry(desk, entry)?;
            left -= 1;
        }
        if page.is_empty() {
            thread::sleep(PERIOD);
        }
    }
    Ok(Answer::Yes)
}

fn show_entry(desk: &mut Desk, entry: &Entry) -> Result<(), Failure> {
    let patch = patch(&desk.memory, entry)?;
    if desk.output.is_json() {
        let mut value = value(entry, None);
        value["patch"] = patch.into();
        desk.output.json(&value);
    } else {
        let cells = cells(&desk.output, entry, None);
        let line = desk.output.paint(Style::Accent, cells.join("  ").trim());
        desk.output.line(line);
        desk.output.diff(&patch);
    }
    Ok(desk.output.flush()?)
}
