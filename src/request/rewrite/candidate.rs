//! A text that somebody else has written for the place of another, as models write it: in a fence, with other line ends,
//! without the blank lines at its ends.

use super::super::{Argument, Refusal};
use super::brief::TAGS;
use crate::document::{MemoryDoc, SectionRef, fence_open};
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
        for unwrap in [without_tags, without_fence, without_tags] {
            if let Some(inner) = unwrap(&lines).filter(|_| !begins_wrapped(doc, section)) {
                lines = inner.to_vec();
                healed = vec![Leniency::Envelope];
            }
        }
        let lines = match section {
            Some(section) => of_section(section, &lines)?,
            None => of_document(doc, &lines),
        };
        Ok(Self { lines, healed })
    }
}

/// Returns true if the text that is to be replaced, or the section's body, begins with a fence or tag of its own.
fn begins_wrapped(doc: &MemoryDoc, section: Option<SectionRef<'_>>) -> bool {
    let span = section.map_or_else(|| doc.span(), |section| section.body);
    let first = Lines::within(doc.text(), span).map(|line| line.text.of(doc.text())).find(|line| !is_blank(line));
    first.is_some_and(|line| fence_open(line.trim()).is_some() || TAGS.contains(&line.trim()))
}

/// Returns what stands between the first and the last of some lines that say something, those two trimmed, and what is between.
fn inner<'l, 't>(lines: &'l [&'t str]) -> Option<(&'t str, &'l [&'t str], &'t str)> {
    let first = lines.iter().position(|line| !is_blank(line))?;
    let last = lines.iter().rposition(|line| !is_blank(line))?;
    Some((lines.get(first)?.trim(), lines.get(first + 1..last)?, lines.get(last)?.trim()))
}

/// Returns what stands between the tags that a prompt sets around a memory, if they are around all lines.
fn without_tags<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let (first, inner, last) = inner(lines)?;
    ([first, last] == TAGS).then_some(inner)
}

/// Returns what stands in the fence around all lines, if there is one around all.
fn without_fence<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let (first, inner, last) = inner(lines)?;
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
    let is_empty = |line: &String| is_blank(line);
    if !Lines::of(doc.text()).next().is_some_and(|line| is_blank(line.text.of(doc.text()))) {
        let blanks = lines.iter().take_while(|line| is_empty(line)).count();
        lines.drain(..blanks);
    }
    if let (true, Some(first)) = (doc.text().starts_with('\u{FEFF}'), lines.first_mut()) {
        first.insert(0, '\u{FEFF}');
    }
    lines
}

/// Reads the text of one section, with its heading or without. The blank lines behind the section stay.
fn of_section(section: SectionRef<'_>, lines: &[&str]) -> Result<Vec<String>, Refusal> {
    let text = section.doc().text();
    let start = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !is_blank(line)).map_or(start, |last| last + 1);
    let mut written: Vec<String> =
        lines.get(start..end).unwrap_or_default().iter().map(|line| (*line).to_owned()).collect();
    let heading = section.line_text().to_owned();
    match (begins_with_heading(section, &written)?, written.first_mut()) {
        // How the heading is spaced is no business of a compaction.
        (true, Some(first)) => *first = heading,
        // Without its heading, it stands as far below that as the text before.
        _ => {
            let below = Lines::within(text, section.body).map(|line| line.text.of(text));
            let blanks = below.take_while(|line| is_blank(line)).map(str::to_owned);
            let blanks = blanks.take(if written.is_empty() { 0 } else { usize::MAX });
            written.splice(0..0, [heading].into_iter().chain(blanks));
        }
    }
    let there: Vec<&str> = Lines::within(text, section.extent).map(|line| line.text.of(text)).collect();
    let blanks = there.iter().rev().take_while(|line| is_blank(line)).count();
    written.extend(there.iter().skip(there.len() - blanks).map(|line| (*line).to_owned()));
    Ok(written)
}

/// Reports whether the text of a section begins with its heading; refuses one that holds another section of its level.
fn begins_with_heading(section: SectionRef<'_>, written: &[String]) -> Result<bool, Refusal> {
    // Below a line, as it will stand: at the top of a text, `---` could open front matter, and hide a heading in it.
    let read = MemoryDoc::with_rules(format!("\n{}", written.join("\n")), section.doc().rules().clone());
    let is_alike = |own: SectionRef<'_>| fold_name(own.title()) == fold_name(section.title());
    let is_first = |own: SectionRef<'_>| own.line.start() == 1;
    let mut outer = read.sections().filter(|own| own.level <= section.level);
    let own = outer.next();
    let is_own = own.is_some_and(|own| is_first(own) && own.level == section.level && is_alike(own));
    // Its heading on a deeper level would stand below itself.
    let is_nested = |own: &SectionRef<'_>| is_first(*own) && is_alike(*own) && !has_child_alike(section);
    let nested = read.sections().next().filter(is_nested).filter(|_| !is_own);
    let Some(stray) = if is_own { outer.next() } else { own }.or(nested) else { return Ok(is_own) };
    let is_late = !is_own && is_alike(stray) && stray.level == section.level;
    let what = if is_late { "text above" } else { "the heading" };
    let found = format!("{what} `{}`", visible(&excerpt(stray.line_text().trim(), 80)));
    Err(Refusal::invalid(Argument::Candidate, "the text of that section alone", found))
}

/// Reports whether a section has the title of the one that it stands in.
fn has_child_alike(section: SectionRef<'_>) -> bool {
    let title = fold_name(section.title());
    let mut children = section.doc().sections().filter(|child| child.parent() == Some(section));
    children.any(|child| fold_name(child.title()) == title)
}
