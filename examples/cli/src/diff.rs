//! `diff`: what changed between two moments.

use std::collections::BTreeSet;

use memdoc::memory::journal::Seq;
use memdoc::{DocName, Memory, MemoryDoc};
use serde_json::json;
use similar::{ChangeTag, TextDiff};

use crate::arguments::Diff;
use crate::failure::{Answer, Done, Failure};
use crate::moment::{after, entry_at, is_moment};
use crate::output::{Output, Style};
use crate::place::{Desk, document};

/// How many entries are read at once.
const PAGE: usize = 256;
/// The largest text whose words are compared.
const LARGEST: usize = 1 << 20;

pub(crate) fn diff(desk: &mut Desk, asked: &Diff) -> Done {
    let moments: Vec<&str> =
        asked.moments_and_documents.iter().map(String::as_str).take_while(|text| is_moment(text)).take(2).collect();
    let documents = asked.moments_and_documents.iter().skip(moments.len());
    let documents: Vec<DocName> = documents.map(|name| document(name)).collect::<Result<_, _>>()?;
    let from = entry_at(&desk.memory, moments.first().copied().unwrap_or("-1"))?;
    let to = moments.get(1).map(|moment| entry_at(&desk.memory, moment)).transpose()?;
    let is_asked = !documents.is_empty();
    let names: BTreeSet<DocName> = if documents.is_empty() {
        let (first, last) = (to.map_or(from, |to| from.min(to)), to.map(|to| from.max(to)));
        desk.memory.changed_between(first, last)?
    } else {
        documents.into_iter().collect()
    };
    let (mut changes, mut is_different) = (Vec::new(), false);
    for name in &names {
        let (old, new) = texts(&desk.memory, name, from, to)?;
        if old.is_none() && new.is_none() && is_asked {
            // Says that there is no such document.
            desk.memory.read(name)?;
        }
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        if old == new {
            continue;
        }
        is_different = true;
        let unified = desk.memory.diff(name, &after(from), to.map(after).as_ref())?;
        match (desk.output.is_json(), asked.stat, asked.words) {
            (true, ..) => changes.push(json!({"document": name.as_str(), "changes": unified})),
            (false, true, _) => {
                let added = unified.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++ ")).count();
                let removed = unified.lines().filter(|line| line.starts_with('-') && !line.starts_with("--- ")).count();
                desk.output.line(format!("  {name}  +{added} -{removed}"));
            }
            (false, false, true) => {
                let heading = heading(&desk.memory, name, from, to)?;
                let heading = desk.output.paint(Style::Bold, &heading);
                desk.output.line(heading);
                words(&mut desk.output, &old, &new);
            }
            (false, false, false) => desk.output.diff(&unified),
        }
    }
    if desk.output.is_json() {
        desk.output.json(&json!({"documents": changes}));
    }
    Ok(if asked.exit_code && is_different { Answer::No } else { Answer::Yes })
}

/// Returns the text of a document at both moments; `None` where it does not exist.
fn texts(
    memory: &Memory,
    name: &DocName,
    from: Seq,
    to: Option<Seq>,
) -> Result<(Option<String>, Option<String>), Failure> {
    let old = memory.text_at(name, &after(from))?;
    let new = match to {
        Some(to) => memory.text_at(name, &after(to))?,
        None => {
            memory.documents()?.contains(name).then(|| memory.read(name)).transpose()?.map(|doc| doc.text().to_owned())
        }
    };
    Ok((old, new))
}

/// Names the document, and the entries that changed it.
fn heading(memory: &Memory, name: &DocName, from: Seq, to: Option<Seq>) -> Result<String, Failure> {
    let (first, last) = (to.map_or(from, |to| from.min(to)), to.map_or(Seq::new(u64::MAX), |to| from.max(to)));
    let (mut next, mut entries) = (first.plus(1), Vec::new());
    loop {
        let page = memory.entries(next, PAGE)?;
        let Some(end) = page.last().map(memdoc::memory::journal::Entry::seq).filter(|_| next <= last) else { break };
        next = end.plus(1);
        let own = page.iter().filter(|entry| entry.seq() <= last && entry.link(name).is_some());
        entries.extend(own.map(|entry| entry.seq().to_string()));
    }
    let plural = if entries.len() == 1 { "entry" } else { "entries" };
    Ok(format!("{name}.md  ({plural} {})", entries.join(", ")))
}

/// Shows the changed lines with the words that differ, below their sections.
fn words(output: &mut Output, old: &str, new: &str) {
    if old.len().max(new.len()) > LARGEST {
        return output.line("  (too large to compare its words)");
    }
    let doc = MemoryDoc::parse(new);
    let lines = TextDiff::from_lines(old, new);
    let starts: Vec<usize> = memdoc::text::Line::all(new).map(|line| line.full.start()).collect();
    let mut section = None;
    for group in lines.grouped_ops(0) {
        for operation in &group {
            let start = starts.get(operation.new_range().start).copied().unwrap_or(new.len());
            let own = doc.section_at(start).map(|section| section.path());
            if section.as_ref() != Some(&own) {
                let title = own.clone().unwrap_or_default();
                let line = output.paint(Style::Accent, &format!("@@ {}", output.shown(&title)));
                output.line(line);
                section = Some(own);
            }
            let range = |text: &str, range: std::ops::Range<usize>| -> String {
                text.split_inclusive('\n').skip(range.start).take(range.len()).collect()
            };
            let (gone, come) = (range(old, operation.old_range()), range(new, operation.new_range()));
            let changed = changed_words(output, &gone, &come);
            for line in changed.lines() {
                output.line(format!("  {line}"));
            }
        }
    }
}

/// Marks what is gone `[-so-]` and what has come `{+so+}`, and by colors too.
fn changed_words(output: &Output, old: &str, new: &str) -> String {
    let (mut shown, mut gone, mut come) = (String::new(), String::new(), String::new());
    let flush = |shown: &mut String, gone: &mut String, come: &mut String| {
        for (text, style, [open, close]) in [(gone, Style::Removed, ["[-", "-]"]), (come, Style::Added, ["{+", "+}"])] {
            // A mark ends with its line.
            let pieces: Vec<String> = text
                .split('\n')
                .map(|piece| match piece.is_empty() {
                    true => String::new(),
                    false => output.paint(style, &format!("{open}{}{close}", output.shown(piece))),
                })
                .collect();
            *shown += &pieces.join("\n");
            text.clear();
        }
    };
    for change in TextDiff::from_unicode_words(old, new).iter_all_changes() {
        match change.tag() {
            ChangeTag::Delete => gone += change.value(),
            ChangeTag::Insert => come += change.value(),
            ChangeTag::Equal => {
                flush(&mut shown, &mut gone, &mut come);
                shown += &output.shown(change.value());
            }
        }
    }
    flush(&mut shown, &mut gone, &mut come);
    shown
}
