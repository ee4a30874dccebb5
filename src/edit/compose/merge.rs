//! [`Merge`]: moves the text below one heading to the end of another section, unchanged and in its order.

use super::spot::{before_trailing_blanks, end_of_content, is_separator};
use super::{NewSection, arrange_sections, with_headings_deeper};
use crate::document::{BulletRef, MemoryDoc, SectionRef, bullet_line, is_ordered};
use crate::edit::owners::{Owner, Owners};
use crate::edit::{Edit, EditBuilder, OffsetMap, Promise};
use crate::text::{Line, Span, is_blank};

/// The merge of a source section into a target section.
pub(crate) struct Merge<'a> {
    pub(crate) source: SectionRef<'a>,
    /// It is not inside the source.
    pub(crate) target: SectionRef<'a>,
    /// Top-level bullets of the source's body that are dropped, in their order.
    pub(crate) dropped: Vec<BulletRef<'a>>,
}

impl<'a> Merge<'a> {
    /// Plans the merge.
    ///
    /// # Errors
    ///
    /// A line would get another meaning at the end of the target. The message names it.
    pub(crate) fn edit(&self) -> Result<Edit, String> {
        let doc = self.source.doc();
        let point = end_of_content(doc, self.target.body);
        let lines = self.lines(point);
        self.check_end(point, &lines)?;
        self.check_numbers()?;
        let mut edit = EditBuilder::new(doc);
        let written = self.written(point, &lines);
        if !written.is_empty() {
            edit.for_part(0).insert_lines(doc, point, &written, Promise::Lines);
        }
        let subsections = Span::new(self.source.body.end(), self.source.extent.end());
        let end = before_trailing_blanks(doc, subsections);
        let lines_below = with_headings_deeper(doc, Span::new(subsections.start(), end), self.deeper());
        let below = NewSection { part: 0, at: self.target.extent.end(), lines: lines_below, promise: Promise::Lines };
        let below = Some(below).filter(|below| !below.lines.is_empty());
        arrange_sections(doc, &[(0, self.source)], below.into_iter().collect(), &mut edit);
        let heading = self.source.line.start();
        let edit = edit.finish().map_err(|_| self.becomes_part(heading, point.saturating_sub(1)))?;
        self.check_owners(&edit, point, &lines)?;
        Ok(edit)
    }

    /// Returns the message that the line at offset `line` would become part of the node that begins at offset `of`.
    fn becomes_part(&self, line: usize, of: usize) -> String {
        let doc = self.source.doc();
        let [line, of] = [line, of].map(|at| doc.line_number(at));
        format!(
            "line {line} would become part of the bullet, block, code fence or subsection on line {of}, in which the target ends"
        )
    }

    /// Returns by how many levels the headings of the source's subsections must be shifted to fit below the target.
    pub(crate) fn deeper(&self) -> i16 {
        i16::from(self.target.level) - i16::from(self.source.level)
    }

    /// Refuses a target whose body ends in a block or a label.
    fn check_end(&self, point: usize, lines: &[Line]) -> Result<(), String> {
        let (doc, text) = (self.source.doc(), self.source.doc().text());
        let last = point.checked_sub(1).filter(|_| point > self.target.body.start());
        let block = last.and_then(|last| doc.block_at(last)).filter(|block| !block.is_section);
        let label = last.and_then(|last| doc.label_at(last));
        let of = block.map(|block| block.line.start()).or(label.map(|label| label.line.start()));
        let joined = of.zip(lines.iter().find(|line| !is_blank(line.text.of(text))));
        joined.map_or(Ok(()), |(of, first)| Err(self.becomes_part(first.full.start(), of)))
    }

    /// Refuses if both sections have ordered lists, or if only some bullets of an ordered list are dropped. The numbers
    /// would continue those of the other list, repeat them, or have a gap.
    fn check_numbers(&self) -> Result<(), String> {
        let ordered = |bullet: &BulletRef<'a>| is_ordered(bullet.marker());
        let source =
            loose_bullets(self.source).filter(|bullet| self.dropped.binary_search(bullet).is_err()).find(ordered);
        let other = loose_bullets(self.target).chain(self.dropped.iter().copied()).find(ordered);
        source.zip(other).map_or(Ok(()), |(source, other)| {
            let lines = format!("on line {} and on line {}", source.line_number(), other.line_number());
            Err(format!("ordered lists are merged only whole, and into a section that has none: {lines}"))
        })
    }

    /// Returns the lines of the source's body that are kept, without blank lines at both ends. A rule `---` at the end
    /// is left out, too, if the target has one after `point`, where the lines are written.
    fn lines(&self, point: usize) -> Vec<Line> {
        let doc = self.source.doc();
        let text = doc.text();
        let is_dropped = |line: &Line| {
            let bullet = doc.bullet_at(line.full.start());
            bullet.is_some_and(|bullet| self.dropped.binary_search(&bullet.outermost()).is_ok())
        };
        let is_code = |line: &Line| doc.outline().is_fenced(line.full.start());
        let is_rule = |line: &Line| is_separator(line.text.of(text)) && !is_code(line);
        let has_rule = Line::all_within(text, Span::new(point, self.target.body.end())).any(|line| is_rule(&line));
        let separates = |line: &Line| is_blank(line.text.of(text)) || (has_rule && is_rule(line));
        let kept = Line::all_within(text, self.source.body).filter(|line| !is_dropped(line));
        let mut lines: Vec<Line> = kept.skip_while(|line| is_blank(line.text.of(text))).collect();
        while lines.pop_if(|line| separates(line) && !is_code(line)).is_some() {}
        lines
    }

    /// Returns the texts to write. A blank line comes first, unless the lines continue a list of the target.
    fn written(&self, point: usize, lines: &[Line]) -> Vec<&'a str> {
        let doc = self.source.doc();
        let mut written: Vec<&str> = lines.iter().map(|line| line.text.of(doc.text())).collect();
        let begins_with_bullet = written.first().is_some_and(|first| bullet_line(first).is_some());
        let last = point.checked_sub(1).and_then(|last| doc.bullet_at(last));
        let continues_list = begins_with_bullet && last.is_some_and(|last| last.extent.end() == point);
        if point > self.target.body.start() && !continues_list && !written.is_empty() {
            written.insert(0, "");
        }
        written
    }

    /// Checks that each written line keeps its owner, where the target's heading replaces the source's, and that no
    /// other heading is lost.
    fn check_owners(&self, edit: &Edit, point: usize, lines: &[Line]) -> Result<(), String> {
        let doc = self.source.doc();
        let (new, offsets) = (edit.result(doc), OffsetMap::of(edit));
        let texts = lines.iter().map(|line| line.text.of(doc.text()));
        let alone = MemoryDoc::parse(std::iter::once("#").chain(texts).collect::<Vec<_>>().join("\n"));
        let (before, after) = (Owners::of(&alone), Owners::of(&new));
        let mut spans = edit.splices_in_result();
        let written = spans.find(|(splice, _)| splice.span == Span::at(point)).map(|(_, written)| written);
        let first = new.line_range(written.unwrap_or_default()).end.saturating_sub(lines.len());
        let target = offsets.survivor(self.target.line.start()).map(|at| new.line_index(at));
        for (nth, line) in lines.iter().enumerate().filter(|(nth, _)| !before.is_blank(nth + 1)) {
            let there = |owner: Owner| owner.line.checked_sub(1).map_or(target, |line| Some(first + line));
            let expected = before.owner(nth + 1).map(|owner| (owner.kind, there(owner)));
            let owner = after.owner(first + nth);
            if before.head(nth + 1) != after.head(first + nth)
                || expected != owner.map(|owner| (owner.kind, Some(owner.line)))
            {
                let of = owner.and_then(|owner| offsets.origin(new.line_start(owner.line)));
                return Err(self.becomes_part(line.full.start(), of.unwrap_or(point.saturating_sub(1))));
            }
        }
        let loses_one = new.sections().count() + 1 == doc.sections().count();
        if loses_one { Ok(()) } else { Err(self.becomes_part(self.source.line.start(), point.saturating_sub(1))) }
    }
}

/// Iterates over the top-level bullets of a section's body that belong to no block in it.
pub(crate) fn loose_bullets(section: SectionRef<'_>) -> impl Iterator<Item = BulletRef<'_>> {
    section.bullets().filter(move |bullet| bullet.depth() == 0 && bullet.block() == section.block())
}
