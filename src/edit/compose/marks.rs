//! Pin and TTL of a bullet that stands in a document.
//!
//! They are written into the first group of tags if that holds nothing else, else into a new group before all others. A
//! lifetime that stands in any group is changed there.

use std::borrow::Cow;

use super::tags::{groups, is_mark_group, new_group, rewriting, same};
use crate::document::{BulletRef, PINNED, attribute, is_attribute, is_lifetime};
use crate::text::Span;

/// Returns the splices that pin a bullet; none if it is pinned.
pub(super) fn pinning(bullet: BulletRef<'_>) -> Vec<(Span, String)> {
    if bullet.tags().into_iter().any(is_pin) {
        return Vec::new();
    }
    let before = |inner: Span| (Span::at(inner.start()), format!("{PINNED}, "));
    marking(bullet, before, PINNED)
}

/// Returns the splices that unpin a bullet; none if it is not pinned.
pub(super) fn unpinning(bullet: BulletRef<'_>) -> Vec<(Span, String)> {
    rewriting(bullet, |tag| (!is_pin(tag)).then_some(Cow::Borrowed(tag)))
}

/// Returns the splices that give a bullet the lifetime which `lifetime` says in tags; none if its own tags say the same.
pub(super) fn keeping(bullet: BulletRef<'_>, lifetime: &[String]) -> Vec<(Span, String)> {
    // A start that belongs to no TTL, and would belong to none, is another date.
    let is_another = |tag: &str| is_attribute(tag, "since") && !has_ttl(bullet);
    let has_start = lifetime.iter().any(|tag| is_attribute(tag, "since"));
    let is_meant = |tag: &str| is_lifetime(tag) && (has_start || !is_another(tag));
    let own: Vec<_> = bullet.tags().into_iter().filter(|tag| is_meant(tag)).collect();
    let says = |own: &&str, tag: &String| match (attribute(own), attribute(tag)) {
        (Some((own, own_value)), Some((name, value))) => own.eq_ignore_ascii_case(name) && own_value == value,
        _ => false,
    };
    if own.len() == lifetime.len() && own.iter().zip(lifetime).all(|(own, tag)| says(own, tag)) {
        return Vec::new();
    }
    let written = lifetime.join(", ");
    if own.is_empty() {
        let behind = |inner: Span| (Span::at(inner.end()), format!(", {written}"));
        return marking(bullet, behind, &written);
    }
    let mut written = Some(written);
    rewriting(bullet, |tag| if is_meant(tag) { written.take().map(Cow::Owned) } else { Some(Cow::Borrowed(tag)) })
}

/// Returns the splices that take a bullet's lifetime away; none if it has none. A `since` without a `ttl` is another date.
pub(super) fn clearing(bullet: BulletRef<'_>) -> Vec<(Span, String)> {
    let has_ttl = has_ttl(bullet);
    let is_meant = |tag: &str| is_lifetime(tag) && (has_ttl || !is_attribute(tag, "since"));
    rewriting(bullet, |tag| (!is_meant(tag)).then_some(Cow::Borrowed(tag)))
}

/// Returns the splice that `into` makes of the tags of the first group, if that is the one of pin and TTL, else the one that
/// writes a group before all others.
fn marking(bullet: BulletRef<'_>, into: impl FnOnce(Span) -> (Span, String), written: &str) -> Vec<(Span, String)> {
    let groups = groups(bullet);
    let first = groups.first().filter(|group| is_mark_group(group.tags.iter().copied()));
    vec![first.map_or_else(|| new_group(bullet, bullet.tags.start(), written), |group| into(group.inner))]
}

fn has_ttl(bullet: BulletRef<'_>) -> bool {
    bullet.tags().into_iter().any(|tag| is_attribute(tag, "ttl"))
}

fn is_pin(tag: &str) -> bool {
    same(tag, PINNED)
}
