//! What a bullet says: its content, without marker, checkbox, tags and children.

use std::borrow::Cow;

use super::doc::MemoryDoc;
use super::outline::{Bullet, BulletId};
use super::tags::{TagGroup, tag_groups};
use crate::text::{Lines, Span, fold_white_space, is_blank};

impl MemoryDoc {
    /// Returns the content of a bullet: its continuation lines follow by `\n`, without the indentation that the list
    /// gives them; empty for a name of another document.
    pub fn content(&self, id: BulletId) -> Cow<'_, str> {
        let Some(bullet) = self.outline().bullet(id) else { return Cow::Borrowed("") };
        let first = self.first_line_of_content(bullet);
        if bullet.extent == bullet.line {
            return Cow::Borrowed(first);
        }
        let indentation = columns(bullet.indentation().of(self.text())) + 2;
        let mut content = first.to_owned();
        for line in self.continuation_lines(id) {
            content.push('\n');
            content.push_str(without_columns(line.of(self.text()), indentation));
        }
        Cow::Owned(content)
    }

    /// Returns the content of a bullet as keys and comparisons see it: white space runs are one space.
    pub fn folded_content(&self, id: BulletId) -> Cow<'_, str> {
        match self.content(id) {
            Cow::Borrowed(content) => fold_white_space(content),
            Cow::Owned(content) => Cow::Owned(fold_white_space(&content).into_owned()),
        }
    }

    /// Returns what a bullet says, verbatim: its checkbox, its tags and its content, as they are written; only its marker, the
    /// indentation that its list gives it, and the blank lines before its children are left out.
    pub(crate) fn wording(&self, id: BulletId) -> String {
        let Some(bullet) = self.outline().bullet(id) else { return String::new() };
        let start = bullet.checkbox.map_or(bullet.tags.start(), |checkbox| checkbox.start());
        let marks = Span::new(start.min(bullet.content_start), bullet.content_start).of(self.text());
        let content = self.content(id);
        let mut said: &str = &content;
        while let Some((before, _)) = said.rsplit_once('\n').filter(|(_, line)| is_blank(line)) {
            said = before;
        }
        [marks, said].concat()
    }

    /// Returns a bullet's tags, in order, attributes included.
    pub fn tags(&self, id: BulletId) -> Vec<&str> {
        let Some(bullet) = self.outline().bullet(id) else { return Vec::new() };
        let text = bullet.tags.of(self.text());
        self.tag_groups(bullet).into_iter().flat_map(|group| group.tags).filter_map(|tag| text.get(tag)).collect()
    }

    /// Reports whether a bullet counts as pinned: it has one of the policy's protected tags.
    pub fn is_pinned(&self, id: BulletId) -> bool {
        self.tags(id).into_iter().any(|tag| self.policy().protects(tag))
    }

    /// Returns the groups of a bullet's tags, by offsets into the text under [`Bullet::tags`].
    pub(crate) fn tag_groups(&self, bullet: &Bullet) -> Vec<TagGroup> {
        tag_groups(bullet.tags.of(self.text())).0
    }

    /// Returns the texts of the lines behind the first that belong to a bullet and to none of its children.
    pub(crate) fn continuation_lines(&self, id: BulletId) -> impl Iterator<Item = Span> + '_ {
        let (start, end) = self.outline().bullet(id).map_or((0, 0), |bullet| (bullet.line.end(), bullet.extent.end()));
        let mut children = self.outline().children(id).filter_map(|child| self.outline().bullet(child)).peekable();
        let mut next = start;
        std::iter::from_fn(move || {
            while let Some(child) = children.next_if(|child| child.line.start() == next) {
                next = child.extent.end();
            }
            let line = Lines::within(self.text(), Span::new(next.min(end), end)).next()?;
            next = line.full.end();
            Some(line.text)
        })
    }

    fn first_line_of_content(&self, bullet: &Bullet) -> &str {
        let line = Lines::within(self.text(), bullet.line).next();
        let end = line.map_or(bullet.line.end(), |line| line.text.end());
        Span::new(bullet.content_start.min(end), end).of(self.text())
    }
}

fn columns(indentation: &str) -> usize {
    super::syntax::indentation(indentation.as_bytes()).1
}

/// Drops up to `limit` columns of white space from the start of `line`.
fn without_columns(line: &str, limit: usize) -> &str {
    let mut at = 0;
    let mut column = 0;
    for byte in line.bytes() {
        column += match byte {
            b' ' => 1,
            b'\t' => 4 - column % 4,
            _ => break,
        };
        if column > limit && byte == b' ' {
            break;
        }
        at += 1;
        if column >= limit {
            break;
        }
    }
    line.get(at..).unwrap_or_default()
}
