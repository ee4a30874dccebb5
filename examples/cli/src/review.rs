//! `pending`, `approve` and `reject`: writes of agents that wait until a person has looked at them.

use memdoc::memory::journal::{Record, Seq, WithheldEdit};
use memdoc::memory::{Moment, Quarantined};
use memdoc::{Memory, MemoryDoc, edit::Comparison};
use serde_json::json;

use crate::arguments::{Approve, Pending, Reject};
use crate::failure::{Answer, Done, Failure};
use crate::moment::local;
use crate::output::Style;
use crate::place::Desk;

pub(crate) fn pending(desk: &mut Desk, asked: &Pending) -> Done {
    let waiting: Vec<Quarantined> = desk.memory.quarantined()?;
    let is_asked = |write: &&Quarantined| asked.entry.is_none_or(|entry| write.entry.seq().get() == entry);
    let waiting: Vec<&Quarantined> = waiting.iter().filter(is_asked).collect();
    if waiting.is_empty() {
        desk.output.note("nothing waits");
        return Ok(Answer::No);
    }
    for write in waiting {
        let (header, seq) = (write.entry.header(), write.entry.seq());
        let reason = write.entry.body().and_then(|content| content.reason.as_deref());
        let changes = changes(&desk.memory, write)?;
        if desk.output.is_json() {
            let documents: Vec<_> = write.withheld.documents.iter().map(|edit| edit.name.as_str()).collect();
            desk.output.json(&json!({
                "seq": seq.get(), "time": write.entry.time().to_string(), "actor": header.actor.as_str(),
                "tool": header.tool.as_deref(), "reason": reason, "why": &*write.withheld.why,
                "documents": documents, "changes": changes,
            }));
            continue;
        }
        let tool = crate::log::tool(&write.entry);
        let mut line = format!("{seq}  {}  {}  {tool}", local(write.entry.time()), header.actor);
        if let Some(reason) = reason {
            line += &format!("  \"{}\"", memdoc::text::excerpt(reason, 80));
        }
        let line = desk.output.paint(Style::Accent, &desk.output.shown(&line));
        desk.output.line(line);
        desk.output.diff(&changes);
    }
    Ok(Answer::Yes)
}

/// Returns what a write would change, as unified diffs, or what it would record.
fn changes(memory: &Memory, write: &Quarantined) -> Result<String, Failure> {
    let mut changes = String::new();
    for edit in &write.withheld.documents {
        let before = match edit.previous {
            Some(previous) => memory.text_at(&edit.name, &Moment::After(previous))?.unwrap_or_default(),
            None => String::new(),
        };
        let after = MemoryDoc::parse(text_after(edit, &before));
        changes += &Comparison::between(&MemoryDoc::parse(before), &after).unified(edit.name.as_str());
    }
    match write.withheld.record.as_deref() {
        Some(Record::Memory(memory)) => changes += &format!("+ {}\n", memory.text.replace('\n', "\n+ ")),
        Some(Record::Consolidation(text)) => changes += &format!("+ {}\n", text.replace('\n', "\n+ ")),
        _ => {}
    }
    Ok(changes)
}

/// Returns the text that an edit makes of the one on which it was planned; nothing, if the document was to go.
fn text_after(edit: &WithheldEdit, before: &str) -> String {
    let (mut after, mut copied) = (String::new(), 0);
    let Some(splices) = &edit.splices else { return after };
    for splice in splices {
        after += before.get(copied..splice.at).unwrap_or_default();
        after += &splice.added;
        copied = splice.covered().end();
    }
    after + before.get(copied..).unwrap_or_default()
}

pub(crate) fn approve(desk: &mut Desk, asked: &Approve) -> Done {
    let origin = desk.origin("approve", asked.reason.as_deref());
    let entries = match asked.all {
        true => desk.memory.quarantined()?.iter().map(|write| write.entry.seq()).collect(),
        false => asked.entries.iter().copied().map(Seq::new).collect::<Vec<_>>(),
    };
    if entries.is_empty() {
        desk.output.note("nothing waits");
        return Ok(Answer::No);
    }
    for seq in entries {
        if desk.is_dry {
            is_waiting(desk, seq)?;
            desk.output.preview(&format!("would approve {seq}"));
            continue;
        }
        let made = desk.memory.release(seq, &origin)?;
        if desk.output.is_json() {
            desk.output.json(&json!({"status": "committed", "approved": seq.get(), "seq": made.map(Seq::get)}));
        } else {
            let what = made.map_or_else(|| "nothing was left to do".to_owned(), |made| format!("as entry {made}"));
            desk.output.line(format!("approved {seq}, {what}"));
        }
        // What was done stays done, whatever becomes of the next one.
        desk.output.flush()?;
    }
    Ok(Answer::Yes)
}

pub(crate) fn reject(desk: &mut Desk, asked: &Reject) -> Done {
    let origin = desk.origin("reject", asked.reason.as_deref());
    for seq in asked.entries.iter().copied().map(Seq::new) {
        // Only what waits is thrown away: the history is not.
        is_waiting(desk, seq)?;
        if desk.is_dry {
            desk.output.preview(&format!("would reject {seq}"));
            continue;
        }
        let redacted = desk.memory.redact(&[seq], &[], &origin)?;
        if desk.output.is_json() {
            desk.output.json(&json!({"status": "committed", "rejected": seq.get(), "seq": redacted.seq.get()}));
        } else {
            desk.output.line(format!("rejected {seq}: its text is erased"));
        }
        desk.output.flush()?;
    }
    Ok(Answer::Yes)
}

fn is_waiting(desk: &Desk, seq: Seq) -> Result<(), Failure> {
    let is_there = desk.memory.quarantined()?.iter().any(|write| write.entry.seq() == seq);
    let failure = || Failure::refused("unknown_entry", format!("no write waits under the number {seq}"));
    is_there.then_some(()).ok_or_else(|| failure().with_hint("`memdoc pending` lists them"))
}
