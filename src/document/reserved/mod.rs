//! Look-alikes: lines that pass for the heading of a reserved section, such as `## ѕystem / policy`.
//!
//! Each line, both as it is written and as CommonMark renders it, is compared with each reserved name by its
//! skeleton. `tests/it/look_alikes.rs` measures the quality, with the table of confusable characters of
//! `unicode-security`:
//!
//! | | tried | wrong |
//! |---|---|---|
//! | one to three letters of `System/Policy`, `Private Rules`, `Политика/Система` replaced by letters of the table | 2,545 | 0 written |
//! | letters of `System/Policy` replaced in the same way in 1 to 12 random places | 4,000 | 0 written |
//! | words of this repository, titles in 25 scripts and languages, random words in 13 alphabets | 100,000 | 0 refused |

mod names;
mod rendered;
mod skeleton;

pub(crate) use names::ReservedNames;

use self::rendered::{hidden, rendered};
use super::content::{ItemText, attribute, tags_in};
use super::doc::MemoryDoc;
use super::syntax::{bullet_line, columns, fence_open};
use crate::text::{Line, Span, is_blank};

/// Iterates over the names of the tags of a bullet that begins on `line`.
fn tag_names(line: &str) -> impl Iterator<Item = &str> {
    let tags = bullet_line(line).map_or("", |line| ItemText::of(line.rest).tags);
    tags_in(tags).map(|tag| attribute(tag).map_or(tag, |(name, _)| name))
}

/// How many consecutive lines of a paragraph are read together as one name.
const JOINED: usize = 3;

/// Lines that pass for the heading of a reserved section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LookAlike<'a> {
    /// The lines, without the ending of the last one.
    pub(crate) lines: Span,
    /// The reserved name.
    pub(crate) name: &'a str,
}

impl ReservedNames {
    /// Returns the reserved name that a title passes for, as it is written or as CommonMark renders it.
    pub(crate) fn matching_title(&self, title: &str) -> Option<&str> {
        let has_markup = title.contains(['&', '<', '[']);
        let rendered = || rendered(title).iter().find_map(|line| self.matching(&line.text));
        self.matching(title).or_else(|| if has_markup { rendered() } else { None })
    }
}

impl MemoryDoc {
    /// Reports whether CommonMark may show text that is code for this crate. That can be so if a fence has a line that
    /// is indented less than the fence. If CommonMark sees the fence as part of a list item, this line ends both; then
    /// the line that closes the fence for this crate opens another fence for CommonMark.
    pub(crate) fn may_show_code(&self) -> bool {
        self.outline().fences.iter().filter(|fence| !fence.is_comment).any(|fence| {
            let mut lines = Line::texts_within(self.text(), fence.extent);
            let opening = lines.next().unwrap_or_default();
            let before = opening.split(['`', '~']).next().unwrap_or_default();
            let width = before.chars().fold(0, |width, c| if c == '\t' { width + 4 - width % 4 } else { width + 1 });
            width > 0 && lines.any(|line| !is_blank(line) && columns(line) < width)
        })
    }

    /// Returns the lines under `span` that pass for a reserved heading, true reserved headings included. Lines of code
    /// fences do not count. `span` covers whole Markdown blocks.
    pub(crate) fn look_alikes(&self, span: Span) -> Vec<LookAlike<'_>> {
        let are_absent = self.rules().reserved_names().are_absent_from(span.of(self.text()));
        if are_absent { Vec::new() } else { self.read_look_alikes(span) }
    }

    /// Returns the same as [`look_alikes`](Self::look_alikes), without the quick test first.
    fn read_look_alikes(&self, span: Span) -> Vec<LookAlike<'_>> {
        let (text, outline) = (self.text(), self.outline());
        let body = outline.body_start;
        let lines: Vec<Span> = Line::all_within(text, span).map(|line| self.without_bom(line.text)).collect();
        let (front, lines) = lines.split_at(lines.partition_point(|line| line.start() < body));
        let mut found: Vec<LookAlike<'_>> = front.iter().filter_map(|line| self.slot_alike(*line)).collect();
        let is_fenced = |line: &Span| outline.is_code(line.start());
        found.extend(lines.iter().filter(|line| !is_fenced(line)).filter_map(|line| self.line_alike(*line)));
        // If only a part of the text is read, the opening line of a fence may be outside of it, and CommonMark would
        // read code as text: fenced lines are left out.
        let is_code = |line: &Span| span != self.span() && is_fenced(line);
        let as_written: Vec<&str> = lines.iter().map(|line| if is_code(line) { "" } else { line.of(text) }).collect();
        // CommonMark may read an indented line as code, which is text in its list: read all lines unindented, too.
        let unindented = |line: &Span| {
            let own = line.of(text).trim_start_matches([' ', '\t']);
            if is_fenced(line) || fence_open(own).is_some() { "" } else { own }
        };
        let unindented: Vec<&str> = lines.iter().map(unindented).collect();
        self.add_shown(lines, &as_written, &mut found);
        if unindented != as_written {
            self.add_shown(lines, &unindented, &mut found);
        }
        found.sort_unstable_by_key(|found| (found.lines.start(), found.lines.end()));
        found.dedup_by_key(|found| found.lines);
        found
    }

    /// Returns, for each of `headings` (line starts, ascending), the start of the HTML or code block that hides it in
    /// CommonMark; `None` if the heading is shown.
    pub(crate) fn hidden_by(&self, headings: &[usize]) -> Vec<Option<usize>> {
        let start = self.line_start(0);
        let end = headings.last().map_or(start, |last| self.lines().around(Span::at(*last)).end());
        let above = Span::new(start, end).of(self.text());
        // Only HTML and fences can hide a heading. Fences can, because CommonMark may end a fence at another line than
        // this crate.
        if !["<", "```", "~~~"].iter().any(|mark| above.contains(mark)) {
            return vec![None; headings.len()];
        }
        let headings: Vec<usize> = headings.iter().map(|heading| heading - start).collect();
        hidden(above, &headings).into_iter().map(|at| at.map(|at| at + start)).collect()
    }

    fn line_alike(&self, line: Span) -> Option<LookAlike<'_>> {
        let (names, written) = (self.rules().reserved_names(), line.of(self.text()));
        let name = names.matching(written).or_else(|| tag_names(written).find_map(|tag| names.matching(tag)))?;
        Some(LookAlike { lines: line, name })
    }

    /// Reads a line of front matter. The key before the colon may pass for a name, too.
    fn slot_alike(&self, line: Span) -> Option<LookAlike<'_>> {
        let name = line.of(self.text()).split(':').next().unwrap_or_default();
        let slot = self.rules().reserved_names().matching(name).map(|name| LookAlike { lines: line, name });
        slot.or_else(|| self.line_alike(line))
    }

    /// Adds the look-alikes in the rendered text of `written`, which has one text for each of `lines`.
    fn add_shown<'a>(&'a self, lines: &[Span], written: &[&str], found: &mut Vec<LookAlike<'a>>) {
        let names = self.rules().reserved_names();
        let source = written.join("\n");
        let starts: Vec<usize> = Line::all(&source).map(|line| line.full.start()).collect();
        let line_at = |offset: usize| lines.get(starts.partition_point(|start| *start <= offset).checked_sub(1)?);
        let rendered = rendered(&source);
        for (count, last) in (1..).zip(&rendered) {
            let mut text = String::new();
            // Lines are added upwards, from the last one, until they match: a number above a name is no part of it.
            for first in rendered.iter().take(count).rev().take(JOINED).take_while(|line| line.block == last.block) {
                text = [&first.text, " ", &text].concat();
                let lines = line_at(first.source.start).zip(line_at(last.source.end.saturating_sub(1)));
                if let (Some(name), Some((start, end))) = (names.matching(&text), lines) {
                    found.push(LookAlike { lines: Span::new(start.start(), end.end().max(start.end())), name });
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::document::{Policy, Rules};

    const PIECES: [&str; 43] = [
        "P", "o", "l", "Sys", "tem", "System", "/Pol", "Policy", "lcy", "p0licy", "5ystem", "\n", "\n\n", "\n  ", " ",
        "# ", "- ", "1. ", "> ", "[", "]", "](", "][", ")", "(ID: ", "[a]: ", ": ", "*", "**", "`", "```\n", "~~~\n",
        "\\", "\\\n", "!", "|", "&sol;", "<b>", "---\n", "===\n", "\t", "х", "_",
    ];

    proptest! {
        /// A text that cannot hold a name has none when all of its lines are read.
        #[test]
        fn no_look_alike_is_passed_over(pieces in vec(select(&PIECES[..]), 1..14)) {
            let reserved = ["System/Policy", "Pol"].map(str::to_owned).to_vec();
            let rules = Rules::new(Policy { reserved_sections: reserved, ..Policy::default() });
            let rules = rules.map_err(|error| TestCaseError::fail(error.to_string()))?;
            let doc = MemoryDoc::with_rules(pieces.concat(), Arc::new(rules));
            prop_assert_eq!(doc.look_alikes(doc.span()), doc.read_look_alikes(doc.span()));
            for line in Line::all(doc.text()) {
                prop_assert_eq!(doc.look_alikes(line.full), doc.read_look_alikes(line.full));
            }
        }
    }
}
