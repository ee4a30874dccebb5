//! Tags of a bullet that stands in a document: added, removed, in their groups (SPEC §§ 9, 11).

use crate::document::{BulletId, MemoryDoc, TagGroup};
use crate::text::{Span, fold_white_space};

/// Reports whether `tags` are the group of pin and TTL, which stands apart from other tags.
pub(crate) fn is_mark_group<'t>(mut tags: impl Iterator<Item = &'t str>) -> bool {
    tags.all(|tag| tag == "pinned" || ["ttl:", "since:", "expires:"].iter().any(|name| tag.starts_with(name)))
}

/// A group as it stands in the document.
struct Group<'a> {
    span: Span,
    tags: Vec<&'a str>,
    /// Where the last tag ends.
    tags_end: usize,
}

fn groups(doc: &MemoryDoc, id: BulletId) -> Vec<Group<'_>> {
    let Some(bullet) = doc.outline().bullet(id) else { return Vec::new() };
    let (text, start) = (bullet.tags.of(doc.text()), bullet.tags.start());
    let group = |group: TagGroup| Group {
        span: Span::new(start + group.span.start, start + group.span.end),
        tags_end: start + group.tags.last().map_or(group.span.end, |tag| tag.end),
        tags: group.tags.into_iter().filter_map(|tag| text.get(tag)).collect(),
    };
    doc.tag_groups(bullet).into_iter().map(group).collect()
}

/// Returns the splice that adds the tags which the bullet does not have; `None` if it has them all.
///
/// They go to the end of the last group that is not the pin and TTL group, else into a new group behind it.
pub(super) fn adding(doc: &MemoryDoc, id: BulletId, tags: &[String]) -> Option<(Span, String)> {
    let bullet = doc.outline().bullet(id)?;
    let own = doc.tags(id);
    let mut new: Vec<&str> = Vec::new();
    for tag in tags {
        if !own.iter().any(|own| same(own, tag)) && !new.contains(&tag.as_str()) {
            new.push(tag);
        }
    }
    if new.is_empty() {
        return None;
    }
    let written = new.join(", ");
    let groups = groups(doc, id);
    if let Some(group) = groups.iter().rfind(|group| !is_mark_group(group.tags.iter().copied())) {
        return Some((Span::at(group.tags_end), format!(", {written}")));
    }
    let before = Span::new(bullet.line.start(), bullet.content_start).of(doc.text());
    let space = if before.ends_with([' ', '\t']) { "" } else { " " };
    let behind = if doc.folded_content(id).is_empty() { "" } else { " " };
    Some((Span::at(bullet.content_start), format!("{space}[{written}]{behind}")))
}

/// Returns the splices that remove tags, each named in full or, with a colon, by what stands before it; a group that is
/// left empty goes.
pub(super) fn removing(doc: &MemoryDoc, id: BulletId, tags: &[String]) -> Vec<(Span, String)> {
    let Some(bullet) = doc.outline().bullet(id) else { return Vec::new() };
    let is_meant = |own: &str| {
        let name = own.split_once(':').map(|(name, _)| name);
        tags.iter().any(|tag| same(own, tag) || name.is_some_and(|name| same(name, tag)))
    };
    let groups = groups(doc, id);
    let mut splices = Vec::new();
    for (nth, group) in groups.iter().enumerate() {
        let kept: Vec<_> = group.tags.iter().copied().filter(|tag| !is_meant(tag)).collect();
        if kept.len() == group.tags.len() {
            continue;
        }
        if kept.is_empty() {
            let end = groups.get(nth + 1).map_or(bullet.content_start, |next| next.span.start());
            splices.push((Span::new(group.span.start(), end), String::new()));
        } else {
            splices.push((group.span, format!("[{}]", kept.join(", "))));
        }
    }
    splices
}

fn same(own: &str, tag: &str) -> bool {
    fold_white_space(own) == fold_white_space(tag)
}
