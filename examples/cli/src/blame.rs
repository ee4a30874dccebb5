//! `blame`: which entry wrote each bullet.

use memdoc::DocName;
use memdoc::document::BulletRef;
use memdoc::memory::HistoryQuery;
use memdoc::memory::journal::Entry;
use memdoc::text::excerpt;
use serde_json::json;

use crate::arguments::Blame;
use crate::failure::{Answer, Done, Failure};
use crate::log::diffs;
use crate::moment::{entry_at, local};
use crate::output::Style;
use crate::place::{Desk, document};
use crate::show::text_at;

/// How much of a bullet is shown.
const SHOWN: usize = 120;

pub(crate) fn blame(desk: &mut Desk, asked: &Blame) -> Done {
    let name = document(&asked.document)?;
    let at = asked.at.as_deref().map(|moment| entry_at(&desk.memory, moment)).transpose()?;
    let doc = match at {
        Some(at) => text_at(&desk.memory, &name, at)?,
        None => desk.memory.read(&name)?,
    };
    let writers = desk.memory.blame_all(&name, &doc, at)?;
    let is_asked = |bullet: &BulletRef<'_>| {
        asked.line.is_none_or(|line| {
            let last = doc.line_number(bullet.extent.end().saturating_sub(1).max(bullet.line.start()));
            (doc.line_number(bullet.line.start())..=last).contains(&line)
        })
    };
    // Of a line of a nested bullet, the innermost.
    let mut bullets: Vec<_> = doc.bullets().filter(is_asked).collect();
    if let Some(line) = asked.line {
        let innermost = bullets
            .pop()
            .ok_or_else(|| Failure::refused("not_found", format!("no bullet stands on line {line} of `{name}`")))?;
        bullets = vec![innermost];
    }
    if let ([bullet], true) = (bullets.as_slice(), asked.history) {
        return earlier(desk, &name, *bullet);
    }
    let mut rows = Vec::new();
    for bullet in bullets {
        let entry = writers.get(bullet.index()).and_then(Option::as_ref);
        let line = doc.line_number(bullet.line.start());
        if desk.output.is_json() {
            let value = json!({
                "line": line, "key": bullet.key().to_string(), "text": bullet.content(),
                "seq": entry.map(|entry| entry.seq().get()),
                "actor": entry.map(|entry| entry.header().actor.as_str()),
                "tool": entry.and_then(|entry| entry.header().tool.as_deref()),
                "time": entry.map(|entry| entry.time().to_string()),
            });
            rows.push((value, Vec::new()));
            continue;
        }
        let text = excerpt(bullet.line_text(), SHOWN);
        let cells = match entry {
            Some(entry) => vec![
                entry.seq().to_string(),
                desk.output.shown(entry.header().actor.as_str()),
                local(entry.time()),
                text,
            ],
            None => vec!["-".to_owned(), "erased".to_owned(), "-".to_owned(), text],
        };
        rows.push((json!(null), cells));
    }
    if desk.output.is_json() {
        desk.output.json(&json!({"document": name.as_str(), "bullets": rows.into_iter().map(|(value, _)| value).collect::<Vec<_>>()}));
    } else {
        if rows.is_empty() {
            desk.output.note("it has no bullets");
        }
        let rows: Vec<_> = rows.into_iter().map(|(_, cells)| cells).collect();
        desk.output.table(&[">", "", "", ""], &rows);
    }
    Ok(Answer::Yes)
}

/// Shows every entry that wrote or changed a bullet, with what it did.
fn earlier(desk: &mut Desk, name: &DocName, bullet: BulletRef<'_>) -> Done {
    let mut query = HistoryQuery::new();
    query.document = Some(name.clone());
    query.key = Some(bullet.key().as_str().into());
    query.limit = usize::MAX;
    let entries: Vec<Entry> = desk.memory.history(&query)?.entries.into_iter().map(|row| row.entry).collect();
    let mut name = name.clone();
    for entry in &entries {
        let diffs = diffs(&desk.memory, entry)?;
        // What it was called before it was renamed.
        let is_only = diffs.len() == 1;
        let own = diffs.into_iter().find(|(document, _)| *document == name || is_only);
        let patch = own.map(|(document, diff)| {
            name = document;
            diff.unwrap_or_default()
        });
        let patch = patch.unwrap_or_default();
        if desk.output.is_json() {
            let value = json!({"seq": entry.seq().get(), "actor": entry.header().actor.as_str(), "time": entry.time().to_string(), "patch": patch});
            desk.output.json(&value);
            continue;
        }
        let line =
            format!("{}  {}  {}", entry.seq(), desk.output.shown(entry.header().actor.as_str()), local(entry.time()));
        let line = desk.output.paint(Style::Accent, &line);
        desk.output.line(line);
        desk.output.diff(&patch);
    }
    Ok(Answer::Yes)
}
