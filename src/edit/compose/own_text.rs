//! [`OwnText`]: the new checkbox, tags and content of a bullet of the document.
//!
//! The children of a bullet stay as they are. If its content is replaced, its old lines after children are removed.

use super::tags::{head, reads_as};
use super::{Item, Mark, Tags, prefix_of, replacing_lines};
use crate::document::BulletRef;
use crate::edit::Promise;
use crate::locate::CheckboxState;
use crate::text::{Span, is_blank};

/// A change of text: the replaced span, the new text, and the promise of the splice.
pub(super) type TextChange = (Span, String, Promise);

/// The new text of a bullet, without its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnText<'a> {
    bullet: BulletRef<'a>,
    /// The new number of the bullet, in a list whose numbers are content.
    pub(super) marker: Option<String>,
    pub(crate) checkbox: Option<String>,
    pub(crate) tags: Tags,
    /// The lines of the new content, indented for the bullet; `None` if the content stays.
    lines: Option<Vec<String>>,
    /// The number at the beginning of the text of the new content.
    pub(super) number: Option<usize>,
}

impl<'a> OwnText<'a> {
    pub(super) fn of(bullet: BulletRef<'a>) -> Self {
        let checkbox = bullet.checkbox().map(str::to_owned);
        Self { bullet, marker: None, checkbox, tags: Tags::of(bullet), lines: None, number: None }
    }

    /// Replaces the content; checkbox and tags too, if the item has some.
    pub(super) fn update(&mut self, item: &Item) {
        if item.checkbox.is_some() {
            self.checkbox.clone_from(&item.checkbox);
        }
        if !item.tags.is_empty() {
            self.tags.replace(&item.tags);
        }
        self.marker = item.marker.clone().filter(|marker| marker != self.bullet.marker());
        let lines = item.content_lines(&prefix_of(self.bullet));
        let changes = content_changes(self.bullet, self.bullet.first_text().start(), "", &lines);
        self.lines = Some(lines).filter(|_| !changes.is_empty());
        self.number = item.number.filter(|_| self.lines.is_some());
    }

    /// Changes the checkbox or the tags.
    pub(super) fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Add(new) => self.tags.add(new),
            Mark::Remove(names) => self.tags.remove(names),
            Mark::Unpin => self.tags.unpin(),
            Mark::Checkbox(state) if self.checkbox.as_deref().is_some_and(|own| state.is_of(own)) => {}
            Mark::Checkbox(CheckboxState::Done) => self.checkbox = Some("[x]".to_owned()),
            Mark::Checkbox(CheckboxState::Open) => self.checkbox = Some("[ ]".to_owned()),
        }
    }

    /// Returns true if more than the pin or the lifetime changes.
    pub(super) fn changes_content(&self) -> bool {
        self.lines.is_some()
            || self.marker.is_some()
            || self.checkbox.as_deref() != self.bullet.checkbox()
            || self.tags.labels() != Tags::of(self.bullet).labels()
    }

    /// Returns the changes that give the bullet this text, in order.
    pub(super) fn changes(&self) -> Vec<TextChange> {
        let Self { bullet, marker, lines, .. } = self;
        let (text, marks) = (bullet.doc().text(), bullet.marks());
        let new_marker = marker.iter().map(|marker| (bullet.marker, marker.clone(), Promise::Marker));
        let mut changes: Vec<TextChange> = new_marker.collect();
        let (start, own_head) = match self.changes_head() {
            true => (marks.start(), self.head()),
            false => (bullet.first_text().start(), String::new()),
        };
        let head = if start == bullet.marker.end() { format!(" {own_head}") } else { own_head };
        if let Some(lines) = lines {
            changes.extend(content_changes(*bullet, start, &head, lines));
        } else if self.changes_head() {
            let is_last = is_blank(bullet.first_text().of(text));
            let head = if is_last { head.trim_end_matches(' ') } else { head.as_str() };
            changes.push((marks, head.to_owned(), Promise::Text));
        }
        changes
    }

    /// Returns true if the new text would be parsed with this checkbox and these tags.
    pub(super) fn reads_back(&self) -> bool {
        let own = || self.bullet.first_text().of(self.bullet.doc().text());
        let first = self.lines.as_ref().map_or_else(own, |lines| lines.first().map_or("", String::as_str));
        let is_changed = self.lines.is_some() || self.changes_head();
        // After a checkbox or tags, the opening of a fence is plain text, so the bullet would lose its fence.
        let start = self.bullet.line.start();
        let fence = self.bullet.doc().outline().fence_at(start).filter(|fence| fence.extent.start() == start);
        if fence.is_some() && self.lines.is_none() && is_changed {
            return false;
        }
        !is_changed || reads_as(self.checkbox.as_deref(), &self.tags, first)
    }

    fn changes_head(&self) -> bool {
        self.checkbox.as_deref() != self.bullet.checkbox() || self.tags != Tags::of(self.bullet)
    }

    fn head(&self) -> String {
        let own = self.bullet.tags_span().of(self.bullet.doc().text());
        if own.is_empty() || self.tags != Tags::of(self.bullet) {
            return head(self.checkbox.as_deref(), &self.tags);
        }
        // Tags that do not change keep their bytes.
        [&head(self.checkbox.as_deref(), &Tags::default()), own, " "].concat()
    }
}

/// Returns the changes that replace the content of a bullet by `lines`. The first line begins at `start` with `head`.
/// Returns none if the text is the same already.
fn content_changes(bullet: BulletRef<'_>, start: usize, head: &str, lines: &[String]) -> Vec<TextChange> {
    let (doc, text) = (bullet.doc(), bullet.doc().text());
    let mut gaps = gaps(bullet).into_iter();
    let mut replaced = doc.line_range(gaps.next().unwrap_or(bullet.line));
    while replaced.len() > 1 && is_blank(doc.line_text(replaced.end - 1)) {
        replaced.end -= 1;
    }
    let last = doc.line(replaced.end - 1);
    let written = replacing_lines(doc, &replaced, lines);
    let written = [head, written.strip_suffix(last.ending()).unwrap_or(&written)].concat();
    let first = (Span::new(start, last.text.end()), written, Promise::Text);
    let below = gaps.filter(|gap| !is_blank(gap.of(text).trim())).map(|gap| (gap, String::new(), Promise::Text));
    [first].into_iter().filter(|(span, written, _)| span.of(text) != written).chain(below).collect()
}

/// Returns the parts of a bullet that belong to none of its children: from its first line to the first child, between
/// children, and after the last one.
fn gaps(bullet: BulletRef<'_>) -> Vec<Span> {
    let children = bullet.children().map(|child| child.extent);
    let starts = std::iter::once(bullet.line.start()).chain(children.clone().map(Span::end));
    let ends = children.map(Span::start).chain(std::iter::once(bullet.extent.end()));
    starts.zip(ends).map(|(start, end)| Span::new(start, end)).collect()
}
