//! A text that somebody else has written for the place of another, as models write it: in a fence, with other line ends,
//! without the blank lines at its ends.

use super::super::{Argument, Refusal};
use crate::document::{MemoryDoc, SectionRef, fence_open, heading};
use crate::locate::Leniency;
use crate::text::{Lines, excerpt, fold_name, is_blank, visible};

/// The lines of a candidate, ready to be put in the place of those under a scope.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) lines: Vec<String>,
    pub(super) healed: Vec<Leniency>,
}

impl Candidate {
    /// Reads the text for the whole document, or for one section.
    pub(super) fn read(doc: &MemoryDoc, section: Option<SectionRef<'_>>, text: &str) -> Result<Self, Refusal> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut lines: Vec<&str> = Lines::of(text).map(|line| line.text.of(text)).collect();
        let mut healed = Vec::new();
        if let Some(inner) = without_fence(&lines).filter(|_| !begins_with_fence(doc, section)) {
            (lines, healed) = (inner.to_vec(), vec![Leniency::Envelope]);
        }
        let lines = match section {
            Some(section) => of_section(section, &lines)?,
            None => of_document(doc, &lines),
        };
        Ok(Self { lines, healed })
    }
}

/// Returns true if the text that is to be replaced, or the section's body, begins with a fence of its own.
fn begins_with_fence(doc: &MemoryDoc, section: Option<SectionRef<'_>>) -> bool {
    let span = section.map_or_else(|| doc.span(), |section| section.body);
    let first = Lines::within(doc.text(), span).map(|line| line.text.of(doc.text())).find(|line| !is_blank(line));
    first.is_some_and(|line| fence_open(line.trim()).is_some())
}

/// Returns lines without the blank ones at both ends.
fn trimmed<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    let start = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_blank(line)).map_or(start, |last| last + 1);
    lines.get(start..end).unwrap_or_default()
}

/// Returns what stands in the fence around all lines, if there is one around all.
fn without_fence<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let [first, inner @ .., last] = trimmed(lines) else { return None };
    let (first, last) = (first.trim(), last.trim());
    fence_open(first)?;
    let mark: String = first.chars().take_while(|c| matches!(c, '`' | '~')).collect();
    // A fence that ends before the last line is one of the text's own.
    let mut open = 0_usize;
    for line in inner.iter().filter(|line| line.trim_start().starts_with(&mark)) {
        match (line.trim() == mark, open) {
            (true, 0) => return None,
            (true, _) => open -= 1,
            (false, _) => open += 1,
        }
    }
    (last == mark && open == 0).then_some(inner)
}

fn of_document(doc: &MemoryDoc, lines: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    if let (true, Some(first)) = (doc.text().starts_with('\u{FEFF}'), lines.first_mut()) {
        first.insert(0, '\u{FEFF}');
    }
    lines
}

/// Reads the text of one section, with its heading or without. The blank lines behind the section stay.
///
/// # Errors
///
/// The text holds another section of its level, or its heading on a deeper level, where that would stand below itself.
fn of_section(section: SectionRef<'_>, lines: &[&str]) -> Result<Vec<String>, Refusal> {
    let (text, title) = (section.doc().text(), fold_name(section.title()));
    let lines = trimmed(lines);
    let is_alike =
        |line: &&str| heading(line).is_some_and(|own| own.level == section.level && fold_name(own.title) == title);
    let is_own = lines.first().is_some_and(is_alike);
    let below = lines.get(usize::from(is_own)..).unwrap_or_default();
    // Below a line, as it will stand: at the top of a text, `---` could open front matter, and hide a heading in it.
    let read = MemoryDoc::with_rules(format!("\n{}", below.join("\n")), section.doc().rules().clone());
    let is_first = |own: &SectionRef<'_>| !is_own && own.line.start() == 1;
    let is_nested = |own: &SectionRef<'_>| is_first(own) && fold_name(own.title()) == title;
    if let Some(stray) = read.sections().find(|own| own.level <= section.level || is_nested(own)) {
        let found = format!("the heading `{}`", visible(&excerpt(stray.line_text().trim(), 80)));
        return Err(Refusal::invalid(Argument::Candidate, "the text of that section alone", found));
    }
    let there: Vec<&str> = Lines::within(text, section.extent).map(|line| line.text.of(text)).collect();
    // Without its heading, it stands as far below that as the text before.
    let gap = there.iter().skip(1).take_while(|line| is_blank(line)).filter(|_| !is_own && !below.is_empty());
    let behind = there.iter().rev().take_while(|line| is_blank(line));
    let heading = section.line_text();
    Ok([&heading].into_iter().chain(gap).chain(below).chain(behind).map(|line| (*line).to_owned()).collect())
}
