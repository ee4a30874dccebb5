//! [`Lines`]: what the files need to know of the journal's own lines.

use super::super::DocName;
use super::super::journal::{Entry, Erased, Part, Side, text_after};
use super::placement::{Group, Line, Placement, Step};
use crate::text::SharedText;

/// Lines as the journal writes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines;

impl Placement for Lines {
    fn read(&self, line: &[u8]) -> Option<Line> {
        let entry = Entry::parse(line).ok()?;
        let group = entry.group();
        let documents = entry.header().documents.iter().filter_map(|link| step(&entry, &link.name)).collect();
        Some(Line {
            seq: entry.seq().get(),
            group: Group { first: group.first().get(), last: group.last().get() },
            documents,
        })
    }

    fn seq(&self, line: &[u8]) -> Option<u64> {
        let rest = line.strip_prefix(br#"{"seq":"#)?;
        let digits = rest.get(..memchr::memchr(b',', rest)?)?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    fn text(&self, line: &[u8], document: &DocName, base: Option<&str>) -> Option<SharedText> {
        let entry = Entry::parse(line).ok()?;
        text_after(&entry, document, base).ok().flatten().map(SharedText::from)
    }

    fn erased(&self, line: &[u8]) -> Erased {
        Entry::parse(line).map(|entry| entry.header().erased.clone()).unwrap_or_default()
    }

    fn without(&self, line: &[u8], erased: &Erased) -> Option<Vec<u8>> {
        let mut entry = Entry::parse(line).ok()?;
        let goes = |part| erased.of(part).contains(entry.seq());
        let content = goes(Part::Content) && entry.content().is_some();
        let states = goes(Part::States) && entry.states().is_some();
        if content {
            entry = entry.without(Part::Content);
        }
        if states {
            entry = entry.without(Part::States);
        }
        (content || states).then(|| entry.to_line().into_bytes())
    }
}

/// Returns what an entry does to a document; `None` if that was erased.
fn step(entry: &Entry, document: &DocName) -> Option<Step> {
    let (link, state) = (entry.link(document)?, entry.state(document)?);
    let withheld = if link.base == Side::Withheld { entry.previous_of(link) } else { None };
    Some(Step { name: document.clone(), base: state.base, new: state.new, withheld: withheld.map(|seq| seq.get()) })
}
