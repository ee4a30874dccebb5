//! A text that somebody else has written for the place of another, as models write it: in a fence, with other line ends,
//! without the blank lines at its ends (SPEC § 12).

use super::super::Refusal;
use crate::document::{MemoryDoc, SectionId, fence_open};
use crate::locate::Rung;
use crate::text::{LineTable, Lines, Span, excerpt, fold_name, is_blank, visible};

/// The lines of a candidate, ready to be put in the place of those under a scope.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) lines: Vec<String>,
    pub(super) healed: Vec<Rung>,
}

impl Candidate {
    /// Reads the text for the whole document, or for one section.
    pub(super) fn read(doc: &MemoryDoc, section: Option<SectionId>, text: &str) -> Result<Self, Refusal> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut lines: Vec<&str> = Lines::of(text).map(|line| line.text.of(text)).collect();
        let mut healed = Vec::new();
        // A document that is itself one fence may well be answered with one.
        if lines.iter().find(|line| !is_blank(line)).is_some_and(|line| fence_open(line).is_some()) {
            let own = Lines::of(doc.text()).next().is_some_and(|line| fence_open(line.text.of(doc.text())).is_some());
            if !own && unwrap(&mut lines) {
                healed.push(Rung::Envelope);
            }
        }
        let lines = match section {
            Some(section) => of_section(doc, section, &lines)?,
            None => of_document(doc, &lines),
        };
        Ok(Self { lines, healed })
    }
}

/// Takes away the fence around all lines, if there is one around all.
fn unwrap(lines: &mut Vec<&str>) -> bool {
    let first = lines.iter().position(|line| !is_blank(line));
    let last = lines.iter().rposition(|line| !is_blank(line));
    let (Some(first), Some(last)) = (first, last) else { return false };
    let fence = |index: usize| lines.get(index).map_or("", |line| line.trim());
    let mark: String = fence(first).chars().take_while(|c| matches!(c, '`' | '~')).collect();
    let is_closed = first < last && fence(last) == mark;
    // A fence that ends before the last line is one of the text's own.
    let inner = lines.get(first + 1..last).unwrap_or_default();
    let mut open = 0_usize;
    for line in inner.iter().filter(|line| line.trim_start().starts_with(&mark)) {
        let is_bare = line.trim() == mark;
        match (is_bare, open) {
            (true, 0) => return false,
            (true, _) => open -= 1,
            (false, _) => open += 1,
        }
    }
    if is_closed && open == 0 {
        *lines = inner.to_vec();
    }
    is_closed && open == 0
}

fn of_document(doc: &MemoryDoc, lines: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let is_empty = |line: &String| is_blank(line);
    if !Lines::of(doc.text()).next().is_some_and(|line| is_blank(line.text.of(doc.text()))) {
        let blanks = lines.iter().take_while(|line| is_empty(line)).count();
        lines.drain(..blanks);
    }
    restore_reserved(doc, &mut lines);
    if let (true, Some(first)) = (doc.text().starts_with('\u{FEFF}'), lines.first_mut()) {
        first.insert(0, '\u{FEFF}');
    }
    lines
}

/// Gives reserved sections back the blank lines behind them, which belong to them.
fn restore_reserved(doc: &MemoryDoc, lines: &mut Vec<String>) {
    let reserved = |doc: &MemoryDoc| -> Vec<Span> {
        let ids = doc.outline().section_ids().filter(|id| doc.reserved_name_of(*id).is_some());
        ids.filter_map(|id| doc.outline().section(id).map(|section| section.extent)).collect()
    };
    let before = reserved(doc);
    if before.is_empty() {
        return;
    }
    // Each line with its ending, so that the text has as many lines, the last ones blank or not.
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    let new_doc = MemoryDoc::with_rules(text, doc.rules().clone());
    let after = reserved(&new_doc);
    if before.len() != after.len() {
        return;
    }
    let table = LineTable::new(new_doc.text());
    for (old, new) in before.iter().zip(&after).rev() {
        let texts = |doc: &MemoryDoc, span: Span| -> Vec<String> {
            Lines::within(doc.text(), span).map(|line| line.text.of(doc.text()).to_owned()).collect()
        };
        let (old, range) = (texts(doc, *old), table.range(*new));
        let new = lines.get(range.clone()).unwrap_or_default().to_vec();
        let without_blanks = |lines: &[String]| {
            let end = lines.iter().rposition(|line| !is_blank(line)).map_or(0, |last| last + 1);
            lines.get(..end).unwrap_or_default().to_vec()
        };
        if without_blanks(&old) == without_blanks(&new) {
            lines.splice(range, old);
        }
    }
}

/// Reads the text of one section, with its heading or without. The blank lines behind the section stay.
fn of_section(doc: &MemoryDoc, id: SectionId, lines: &[&str]) -> Result<Vec<String>, Refusal> {
    let Some(section) = doc.outline().section(id) else { return Ok(Vec::new()) };
    let text = doc.text();
    let start = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_blank(line)).map_or(start, |last| last + 1);
    let mut written: Vec<String> =
        lines.get(start..end).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect();
    let read = MemoryDoc::with_rules(written.join("\n"), doc.rules().clone());
    let mut outer = read
        .outline()
        .section_ids()
        .filter(|id| read.outline().section(*id).is_some_and(|own| own.level <= section.level));
    let own = outer.next();
    let is_own = own.is_some_and(|own| {
        let starts = read.outline().section(own).is_some_and(|own| own.line.start() == 0 && own.level == section.level);
        starts && fold_name(read.section_title(own)) == fold_name(doc.section_title(id))
    });
    let stray = if is_own { outer.next() } else { own };
    if let Some(stray) = stray {
        return Err(Refusal::InvalidArgument {
            argument: "candidate",
            expected: "the text of that section alone",
            found: format!("the heading `{}`", visible(&excerpt(read.section_title(stray), 80))),
        });
    }
    let heading = section.line.of(text).trim_end_matches(['\r', '\n']).to_owned();
    match (is_own, written.first_mut()) {
        // How the heading is spaced is no business of a compaction.
        (true, Some(first)) => *first = heading,
        _ => written.insert(0, heading),
    }
    let there: Vec<&str> = Lines::within(text, section.extent).map(|line| line.text.of(text)).collect();
    let blanks = there.iter().rev().take_while(|line| is_blank(line)).count();
    written.extend(there.iter().skip(there.len() - blanks).map(|line| (*line).to_owned()));
    Ok(written)
}
