//! The own text of a bullet that stands in a document: what the parts of a request make of its
//! checkbox, tags and content.
//!
//! Children and marker stay. Lines of the old content that stand below children go when another
//! content is written.

use super::super::Promise;
use super::prefix::prefix_of;
use super::tags::{head, reads_as};
use super::{Item, Mark, Tags, replacing_lines};
use crate::document::BulletRef;
use crate::text::{Line, Lines, Span, is_blank};

/// A change of text: what goes, what comes, and what it may do to the structure.
pub(super) type Change = (Span, String, Promise);

/// The own text of a bullet, as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnText<'a> {
    bullet: BulletRef<'a>,
    /// The number that the bullet gets, where numbers are part of what a list says.
    pub(super) marker: Option<String>,
    checkbox: Option<String>,
    tags: Tags,
    /// The lines of another content, behind the indentation of the bullet.
    lines: Option<Vec<String>>,
}

impl<'a> OwnText<'a> {
    pub(super) fn of(bullet: BulletRef<'a>) -> Self {
        let checkbox = bullet.checkbox().map(str::to_owned);
        Self { bullet, marker: None, checkbox, tags: Tags::of(bullet), lines: None }
    }

    /// Writes another content; checkbox and tags too, if the item brings its own.
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
    }

    pub(super) fn mark(&mut self, mark: &Mark) {
        mark.apply(&mut self.checkbox, &mut self.tags);
    }

    /// Returns true if it says something else, or of something else.
    pub(super) fn changes_content(&self) -> bool {
        let own = Tags::of(self.bullet);
        self.lines.is_some()
            || self.marker.is_some()
            || self.checkbox.as_deref() != self.bullet.checkbox()
            || self.tags.labels() != own.labels()
    }

    /// Returns the changes that make it of what stands in the document, in order.
    pub(super) fn changes(&self) -> Vec<Change> {
        let Self { bullet, marker, lines, .. } = self;
        let (text, marks) = (bullet.doc().text(), bullet.marks());
        let mut changes: Vec<Change> =
            marker.iter().map(|marker| (bullet.marker, marker.clone(), Promise::Marker)).collect();
        let (start, head) = match self.changes_head() {
            true => (marks.start(), self.head()),
            false => (bullet.first_text().start(), String::new()),
        };
        let space = if start == bullet.marker.end() { " " } else { "" };
        let head = [space, &head].concat();
        if let Some(lines) = lines {
            changes.extend(content_changes(*bullet, start, &head, lines));
        } else if self.changes_head() {
            let is_last = is_blank(bullet.first_text().of(text));
            let head = if is_last { head.trim_end_matches(' ') } else { head.as_str() };
            changes.push((marks, head.to_owned(), Promise::Inline));
        }
        changes
    }

    /// Returns true if the text reads back with the checkbox and the tags that are meant.
    pub(super) fn reads_back(&self) -> bool {
        let text = self.bullet.doc().text();
        let first = match &self.lines {
            Some(lines) => lines.first().map_or("", String::as_str),
            None => self.bullet.first_text().of(text),
        };
        let is_changed = self.lines.is_some() || self.changes_head();
        // Behind a checkbox or tags, what opens a fence is text.
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
        // Tags that stay are written as they are.
        [&head(self.checkbox.as_deref(), &Tags::default()), own, " "].concat()
    }
}

/// Returns the changes that write `lines` over the content of a bullet, the first of them behind
/// `head` at `start`; none if it reads so already.
fn content_changes(bullet: BulletRef<'_>, start: usize, head: &str, lines: &[String]) -> Vec<Change> {
    let text = bullet.doc().text();
    let mut gaps = gaps(bullet).into_iter();
    let mut replaced: Vec<Line> = Lines::within(text, gaps.next().unwrap_or(bullet.line)).collect();
    while replaced.len() > 1 && replaced.last().is_some_and(|line| is_blank(line.text.of(text))) {
        replaced.pop();
    }
    let Some(last) = replaced.last() else { return Vec::new() };
    let written = replacing_lines(bullet.doc(), &replaced, lines);
    let written = [head, written.strip_suffix(last.ending()).unwrap_or(&written)].concat();
    let first = (Span::new(start, last.text.end()), written, Promise::Content);
    let below = gaps.filter(|gap| !is_blank(gap.of(text).trim())).map(|gap| (gap, String::new(), Promise::Content));
    [first].into_iter().filter(|(span, written, _)| span.of(text) != written).chain(below).collect()
}

/// Returns the parts of a bullet that belong to none of its children: from its first line to the
/// first child, between children, behind the last.
fn gaps(bullet: BulletRef<'_>) -> Vec<Span> {
    let children = bullet.children().map(|child| child.extent);
    let starts = std::iter::once(bullet.line.start()).chain(children.clone().map(Span::end));
    let ends = children.map(Span::start).chain(std::iter::once(bullet.extent.end()));
    starts.zip(ends).map(|(start, end)| Span::new(start, end)).collect()
}
