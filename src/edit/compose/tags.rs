//! Tags of a bullet that stands in a document: added, changed and removed in their groups.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::document::{BulletRef, PINNED, TagGroup, is_attribute, is_lifetime, is_pin};
use crate::text::{Line, Span, fold_white_space, is_blank};

/// Reports whether `tags` are the group of pin and TTL, which stands apart from other tags.
pub(crate) fn is_mark_group<'t>(mut tags: impl Iterator<Item = &'t str>) -> bool {
    tags.all(|tag| is_pin(tag) || is_lifetime(tag))
}

/// A group as it stands in the document.
struct Group<'a> {
    span: Span,
    tags: Vec<&'a str>,
    /// From where the first tag starts to where the last one ends.
    inner: Span,
}

fn groups(bullet: BulletRef<'_>) -> Vec<Group<'_>> {
    let (text, start) = (bullet.tags_span().of(bullet.doc().text()), bullet.tags_span().start());
    let group = |group: TagGroup| Group {
        span: Span::new(start + group.span.start, start + group.span.end),
        inner: Span::new(
            start + group.tags.first().map_or(group.span.start, |tag| tag.start),
            start + group.tags.last().map_or(group.span.end, |tag| tag.end),
        ),
        tags: group.tags.into_iter().filter_map(|tag| text.get(tag)).collect(),
    };
    bullet.tag_groups().into_iter().map(group).collect()
}

/// Divides `new` tags, which stand beside `own`, into pin and lifetime, and all others.
pub(super) fn marks_and_others<'t>(own: &[&str], new: Vec<&'t str>) -> (Vec<&'t str>, Vec<&'t str>) {
    // A start without a TTL is another date.
    let has_ttl = own.iter().chain(&new).any(|tag| is_attribute(tag, "ttl"));
    new.into_iter().partition(|tag| is_pin(tag) || (is_lifetime(tag) && (has_ttl || !is_attribute(tag, "since"))))
}

/// Returns the splices that add the tags which the bullet does not have; none if it has them all.
///
/// Pin and lifetime go into their group, which stands first; others to the end of the last group that is not that one, else
/// into a new group behind it.
pub(super) fn adding(bullet: BulletRef<'_>, tags: &[String]) -> Vec<(Span, String)> {
    let own = bullet.tags();
    let mut known: HashSet<_> = own.iter().map(|tag| folded_tag(tag)).collect();
    let new = tags.iter().map(String::as_str).filter(|tag| known.insert(folded_tag(tag))).collect();
    let (marks, others) = marks_and_others(&own, new);
    let groups = groups(bullet);
    let mut splices = Vec::new();
    match mark_group(&groups) {
        Some(first) if !marks.is_empty() => {
            splices.push((Span::at(first.inner.end()), format!(", {}", marks.join(", "))));
        }
        None if !marks.is_empty() => splices.push(new_group(bullet, bullet.tags_span().start(), &marks.join(", "))),
        _ => {}
    }
    if !others.is_empty() {
        let last = groups.iter().rfind(|group| !is_mark_group(group.tags.iter().copied()));
        splices.push(match last {
            Some(group) => (Span::at(group.inner.end()), format!(", {}", others.join(", "))),
            None => new_group(bullet, bullet.first_text().start(), &others.join(", ")),
        });
    }
    splices
}

/// Returns the splices that pin a bullet, before all else in the group of pin and lifetime; none if it is pinned.
pub(super) fn pinning(bullet: BulletRef<'_>) -> Vec<(Span, String)> {
    match mark_group(&groups(bullet)) {
        Some(first) if !bullet.tags().into_iter().any(is_pin) => {
            vec![(Span::at(first.inner.start()), format!("{PINNED}, "))]
        }
        _ => adding(bullet, &[PINNED.to_owned()]),
    }
}

/// Returns the group of pin and lifetime, if it stands first.
fn mark_group<'g, 'a>(groups: &'g [Group<'a>]) -> Option<&'g Group<'a>> {
    groups.first().filter(|group| is_mark_group(group.tags.iter().copied()))
}

/// Returns the splice that writes a group of its own at `at`, which lies between the marker and the content.
fn new_group(bullet: BulletRef<'_>, at: usize, written: &str) -> (Span, String) {
    let text = bullet.doc().text();
    let line = Line::holding(text, bullet.line.start());
    let space = if Span::new(line.text.start(), at).of(text).ends_with([' ', '\t']) { "" } else { " " };
    let behind = if is_blank(Span::new(at, line.text.end()).of(text)) { "" } else { " " };
    (Span::at(at), format!("{space}[{written}]{behind}"))
}

/// Returns the splices that remove tags, each named in full or, with a colon, by what stands before it.
pub(super) fn removing(bullet: BulletRef<'_>, tags: &[String]) -> Vec<(Span, String)> {
    let meant: HashSet<_> = tags.iter().map(|tag| folded_tag(tag)).collect();
    let is_meant = |own: &str| names_of(own).any(|name| meant.contains(&name));
    rewriting(bullet, &mut |tag| (!is_meant(tag)).then_some(Cow::Borrowed(tag)))
}

/// Returns what a tag is named by, white space folded: itself and, with a colon, what stands before it.
pub(crate) fn names_of(tag: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let name = tag.split_once(':').map(|(name, _)| name);
    [Some(tag), name].into_iter().flatten().map(folded_tag)
}

/// Returns for each of several lists of tags whether it brings one that neither `own` tags nor the lists before it have.
pub(super) fn adds_to(own: &[&str], lists: &[&[String]]) -> Vec<bool> {
    let mut known: HashSet<_> = own.iter().map(|tag| folded_tag(tag)).collect();
    let mut adds = Vec::with_capacity(lists.len());
    for tags in lists {
        adds.push(tags.iter().filter(|tag| known.insert(folded_tag(tag))).count() > 0);
    }
    adds
}

/// Returns for each of several lists of tags whether it names one of `own` tags that no list before it names.
pub(super) fn takes_from(own: &[&str], lists: &[&[String]]) -> Vec<bool> {
    let mut first = HashMap::new();
    for (nth, tag) in lists.iter().enumerate().flat_map(|(nth, tags)| tags.iter().map(move |tag| (nth, tag))) {
        first.entry(folded_tag(tag)).or_insert(nth);
    }
    let mut takes = vec![false; lists.len()];
    for tag in own {
        let by = names_of(tag).filter_map(|name| first.get(&name).copied()).min();
        by.and_then(|by| takes.get_mut(by)).into_iter().for_each(|takes| *takes = true);
    }
    takes
}

/// Returns the splices that write each tag as `rewrite` does, from the first to the last. A tag without a text goes, and so
/// does a group that is left empty.
pub(super) fn rewriting<'a>(
    bullet: BulletRef<'a>,
    rewrite: &mut dyn FnMut(&'a str) -> Option<Cow<'a, str>>,
) -> Vec<(Span, String)> {
    let groups = groups(bullet);
    let (text, mut splices) = (bullet.doc().text(), Vec::new());
    for (nth, group) in groups.iter().enumerate() {
        let kept: Vec<_> = group.tags.iter().filter_map(|tag| rewrite(tag)).collect();
        if kept == group.tags {
            continue;
        }
        if kept.is_empty() {
            let end = groups.get(nth + 1).map_or(bullet.first_text().start(), |next| next.span.start());
            // Behind the last thing on a line no space stays, but for the one behind the marker.
            let before = nth.checked_sub(1).and_then(|before| groups.get(before)).map(|before| before.span.end());
            let before = before.or_else(|| bullet.checkbox_span().map(|checkbox| checkbox.end()));
            let line_end = Line::holding(text, bullet.line.start()).text.end();
            let is_last = nth + 1 == groups.len() && is_blank(Span::new(end.min(line_end), line_end).of(text));
            let taken = splices.last().map_or(0, |(span, _): &(Span, String)| span.end());
            let start = before.filter(|_| is_last).map_or(group.span.start(), |before| before.max(taken));
            splices.push((Span::new(start, end), String::new()));
        } else {
            splices.push((group.inner, kept.join(", ")));
        }
    }
    splices
}

/// Returns a tag as tags are compared: white space is folded, and a pin is one in any letter case.
pub(crate) fn folded_tag(tag: &str) -> Cow<'_, str> {
    if is_pin(tag) { Cow::Borrowed(PINNED) } else { fold_white_space(tag) }
}
