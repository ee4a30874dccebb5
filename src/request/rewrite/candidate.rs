//! Reads a candidate: the new text of a document or a section, as a model or a host's compactor sends it.

use crate::document::{MemoryDoc, SectionRef, fence_open, heading};
use crate::edit::compose::without_blank_ends;
use crate::locate::{Found, Leniency};
use crate::request::{Argument, Refusal};
use crate::text::{Line, excerpt, fold_name, is_blank, visible};

/// Reads the lines of a candidate for the whole document, or for one section, without a fence around them.
pub(super) fn read_candidate<'t>(
    doc: &MemoryDoc,
    section: Option<SectionRef<'t>>,
    text: &'t str,
) -> Result<Found<Vec<&'t str>>, Refusal> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut lines: Vec<&str> = Line::texts(text).collect();
    let mut healed = Vec::new();
    if let Some(inner) = without_fence(&lines).filter(|_| !begins_with_fence(doc, section)) {
        (lines, healed) = (inner.to_vec(), vec![Leniency::Envelope]);
    }
    let at = section.map_or_else(|| Ok(lines.clone()), |section| of_section(section, &lines))?;
    Ok(Found { at, healed })
}

/// Returns true if the document, or the section's body, begins with a fence of its own.
fn begins_with_fence(doc: &MemoryDoc, section: Option<SectionRef<'_>>) -> bool {
    let span = section.map_or_else(|| doc.span(), |section| section.body);
    let first = Line::texts_within(doc.text(), span).find(|line| !is_blank(line));
    first.is_some_and(|line| fence_open(line.trim()).is_some())
}

/// Returns the lines inside of the fence around all lines; `None` if there is no such fence.
fn without_fence<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let [first, inner @ .., last] = without_blank_ends(lines) else { return None };
    let (first, last) = (first.trim(), last.trim());
    fence_open(first)?;
    let mark: String = first.chars().take_while(|c| matches!(c, '`' | '~')).collect();
    // A fence that ends before the last line belongs to the text.
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

/// Reads the new text of one section, with or without its heading. The blank lines behind the section stay.
///
/// # Errors
///
/// The text has a heading of the section's level or a higher one, or repeats the section's heading on a deeper level.
fn of_section<'t>(section: SectionRef<'t>, lines: &[&'t str]) -> Result<Vec<&'t str>, Refusal> {
    let (text, title) = (section.doc().text(), fold_name(section.title()));
    let lines = without_blank_ends(lines);
    let is_alike =
        |line: &&str| heading(line).is_some_and(|own| own.level == section.level && fold_name(own.title) == title);
    let is_own = lines.first().is_some_and(is_alike);
    let below = lines.get(usize::from(is_own)..).unwrap_or_default();
    // A blank line is put before the text, as it is not the top of the document: there, `---` would open front matter, and
    // could hide a heading.
    let read = MemoryDoc::with_rules(format!("\n{}", below.join("\n")), section.doc().rules().clone());
    let is_first = |own: &SectionRef<'_>| !is_own && own.line.start() == 1;
    let is_nested = |own: &SectionRef<'_>| is_first(own) && fold_name(own.title()) == title;
    if let Some(stray) = read.sections().find(|own| own.level <= section.level || is_nested(own)) {
        let found = format!("the heading `{}`", visible(&excerpt(stray.line_text().trim(), 80)));
        return Err(Refusal::invalid(Argument::Candidate, "the text of that section alone", found));
    }
    let there: Vec<&str> = Line::texts_within(text, section.extent).collect();
    // A text without the heading keeps the blank lines that are below the heading now.
    let gap = there.iter().skip(1).take_while(|line| is_blank(line)).filter(|_| !is_own && !below.is_empty());
    let behind = there.iter().rev().take_while(|line| is_blank(line));
    let heading = section.line_text();
    Ok([&heading].into_iter().chain(gap).chain(below).chain(behind).copied().collect())
}
