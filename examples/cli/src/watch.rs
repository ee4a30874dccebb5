//! `watch`: each edit as it comes.

use std::thread;
use std::time::Duration;

use memdoc::memory::EntryQuery;
use memdoc::memory::journal::Entry;

use crate::arguments::Watch;
use crate::failure::{Answer, Done, Failure};
use crate::log::{cells, patches, value};
use crate::output::Style;
use crate::place::{Desk, document};

/// How often the journal is looked at.
const PERIOD: Duration = Duration::from_millis(500);
/// How many entries are read at once.
const PAGE: usize = 100;

/// Shows new entries until the process is stopped, or nobody reads any more.
pub(crate) fn watch(desk: &mut Desk, asked: &Watch) -> Done {
    let name = asked.document.as_deref().map(document).transpose()?;
    let mut next = desk.memory.head()?.seq.plus(1);
    desk.output.note("waiting for edits; Ctrl-C ends it");
    let mut left = asked.count.unwrap_or(usize::MAX);
    while left > 0 {
        // What was changed outside is recorded by who looks.
        for name in desk.memory.documents()? {
            let _ = desk.memory.read(&name);
        }
        let page = desk.memory.entries(&EntryQuery::From { seq: next, limit: PAGE })?;
        next = page.last().map_or(next, |last| last.seq().plus(1));
        let is_asked = |entry: &&Entry| name.as_ref().is_none_or(|name| entry.link(name).is_some());
        for entry in page.iter().filter(is_asked).take(left) {
            show(desk, entry)?;
            left -= 1;
        }
        if page.is_empty() {
            thread::sleep(PERIOD);
        }
    }
    Ok(Answer::Yes)
}

fn show(desk: &mut Desk, entry: &Entry) -> Result<(), Failure> {
    let patch = patches(&desk.memory, &[entry])?.concat();
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
