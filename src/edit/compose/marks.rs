//! Marks of a bullet that stands in a document: its tags, its pin and its time to live.
//!
//! Pin and lifetime are written into the first group of tags if that holds nothing else, else into a new group before all
//! others. A lifetime that stands in any group is changed there.

use std::borrow::Cow;

use super::super::PartStatus;
use super::tags::{adding, adds_to, pinning, removing, rewriting, takes_from};
use crate::document::{BulletRef, attribute, is_attribute, is_lifetime, is_pin};
use crate::text::Span;

/// What becomes of the marks of a bullet.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// It gets the tags that it does not have.
    Add(Vec<String>),
    /// It loses the tags that it has.
    Remove(Vec<String>),
    /// It is pinned.
    Pin,
    /// It loses its pin.
    Unpin,
    /// It gets the lifetime that these tags say.
    Keep(Vec<String>),
    /// It loses its lifetime.
    KeepForever,
}

impl Mark {
    /// Reports whether it is made at once with one that follows.
    pub(super) const fn is_made_with(&self, next: &Self) -> bool {
        matches!((self, next), (Self::Add(_), Self::Add(_)) | (Self::Remove(_), Self::Remove(_)))
    }

    /// Returns the splices that make some which are made at once, and for each whether it does anything behind those before it.
    pub(super) fn splices_of(marks: &[Self], bullet: BulletRef<'_>) -> (Vec<(Span, String)>, Vec<bool>) {
        let lists: Vec<_> = marks.iter().filter_map(Self::tags).collect();
        match marks.first() {
            Some(Self::Add(_)) => (adding(bullet, &lists.concat()), adds_to(&bullet.tags(), &lists)),
            Some(Self::Remove(_)) => (removing(bullet, &lists.concat()), takes_from(&bullet.tags(), &lists)),
            other => {
                let splices = other.map(|mark| mark.splices(bullet)).unwrap_or_default();
                let does = vec![!splices.is_empty()];
                (splices, does)
            }
        }
    }

    /// Returns the tags that come or go.
    fn tags(&self) -> Option<&[String]> {
        match self {
            Self::Add(tags) | Self::Remove(tags) => Some(tags),
            _ => None,
        }
    }

    /// Returns the splices that make it; none if it is so already.
    fn splices(&self, bullet: BulletRef<'_>) -> Vec<(Span, String)> {
        match self {
            Self::Add(tags) => adding(bullet, tags),
            Self::Remove(tags) => removing(bullet, tags),
            Self::Pin => pinning(bullet),
            Self::Unpin => rewriting(bullet, &mut |tag| (!is_pin(tag)).then_some(Cow::Borrowed(tag))),
            Self::Keep(lifetime) => keeping(bullet, lifetime),
            Self::KeepForever => {
                let has_ttl = has_ttl(bullet);
                // A `since` without a `ttl` is another date.
                let is_meant = |tag: &str| is_lifetime(tag) && (has_ttl || !is_attribute(tag, "since"));
                rewriting(bullet, &mut |tag| (!is_meant(tag)).then_some(Cow::Borrowed(tag)))
            }
        }
    }

    /// Returns what it comes to where nothing is to be done.
    pub(super) const fn status_of_nothing(&self) -> PartStatus {
        match self {
            Self::Add(_) | Self::Pin | Self::Keep(_) => PartStatus::AlreadyApplied,
            Self::Remove(_) | Self::Unpin | Self::KeepForever => PartStatus::NoChange,
        }
    }
}

/// Returns the splices that give a bullet the lifetime which `lifetime` says in tags; none if its own tags say the same.
fn keeping(bullet: BulletRef<'_>, lifetime: &[String]) -> Vec<(Span, String)> {
    // A start that belongs to no TTL, and would belong to none, is another date.
    let is_another = |tag: &str| is_attribute(tag, "since") && !has_ttl(bullet);
    let has_start = lifetime.iter().any(|tag| is_attribute(tag, "since"));
    let is_meant = |tag: &str| is_lifetime(tag) && (has_start || !is_another(tag));
    let own: Vec<_> = bullet.tags().into_iter().filter(|tag| is_meant(tag)).collect();
    if own.is_empty() {
        return adding(bullet, lifetime);
    }
    let says = |own: &&str, tag: &String| match (attribute(own), attribute(tag)) {
        (Some((own, own_value)), Some((name, value))) => own.eq_ignore_ascii_case(name) && own_value == value,
        _ => false,
    };
    if own.len() == lifetime.len() && own.iter().zip(lifetime).all(|(own, tag)| says(own, tag)) {
        return Vec::new();
    }
    let mut written = Some(lifetime.join(", "));
    rewriting(bullet, &mut |tag| if is_meant(tag) { written.take().map(Cow::Owned) } else { Some(Cow::Borrowed(tag)) })
}

fn has_ttl(bullet: BulletRef<'_>) -> bool {
    bullet.tags().into_iter().any(|tag| is_attribute(tag, "ttl"))
}
