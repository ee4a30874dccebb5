//! [`Tags`]: the tags of a bullet, which are written with pin and lifetime as the first group.

use std::borrow::Cow;
use std::collections::HashSet;

use super::ItemFlaw;
use crate::document::{
    BulletRef, ItemText, LIFETIME, PINNED, attribute, bullet_line, flawed_lifetime, is_attribute, is_lifetime, is_pin,
    tags_in,
};
use crate::locate::CheckboxState;
use crate::text::fold_white_space;

/// The tags of a bullet: the marks (pin and lifetime), and the other tags in their groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    // Invariant: in the order in which they are written, `[pinned, ttl: 7d, since: 2026-11-21]`.
    marks: Vec<String>,
    // Invariant: no group is empty.
    groups: Vec<Vec<String>>,
}

impl Tags {
    /// Divides tags into marks and other tags.
    fn of_groups(groups: Vec<Vec<String>>) -> Self {
        let has_ttl = groups.iter().flatten().any(|tag| is_attribute(tag, "ttl"));
        let mut tags = Self::default();
        for group in groups {
            let (marks, others): (Vec<_>, Vec<_>) = group.into_iter().partition(|tag| is_mark(tag, has_ttl));
            tags.marks.extend(marks);
            tags.groups.extend(Some(others).filter(|others| !others.is_empty()));
        }
        let order = |tag: &String| LIFETIME.iter().position(|name| is_attribute(tag, name));
        tags.marks.sort_by_key(order);
        tags
    }

    /// Reads tags from `text`, which consists of groups such as `[a, b] [c]`.
    pub(super) fn read(text: &str) -> Self {
        let groups = text.split_inclusive(']').map(|group| tags_in(group).map(str::to_owned).collect());
        Self::of_groups(groups.collect())
    }

    /// Returns the tags of a bullet.
    pub(crate) fn of(bullet: BulletRef<'_>) -> Self {
        Self::read(bullet.tags_span().of(bullet.doc().text()))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.marks.iter().chain(self.groups.iter().flatten()).map(String::as_str)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.marks.is_empty() && self.groups.is_empty()
    }

    /// Returns the tags without pin and lifetime, folded, sorted, and each once. Two bullets with equal content and
    /// other labels are different facts.
    pub(crate) fn labels(&self) -> Vec<String> {
        let mut labels: Vec<_> = self.groups.iter().flatten().map(|tag| fold_white_space(tag).into_owned()).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// Returns the tags of `others` that these tags lack.
    pub(crate) fn missing<'t>(&self, others: &'t Self) -> Vec<&'t str> {
        let own: HashSet<_> = self.iter().map(folded_tag).collect();
        others.iter().filter(|tag| !own.contains(&folded_tag(tag))).collect()
    }

    /// Refuses a lifetime tag whose value cannot be parsed, or that is one too many.
    pub(super) fn check_lifetime(&self) -> Result<(), ItemFlaw> {
        flawed_lifetime(&self.iter().collect::<Vec<_>>()).map_or(Ok(()), |tag| Err(ItemFlaw::lifetime(tag)))
    }

    /// Adds the tags that are missing. A new `ttl` or `expires` replaces the old end; a new `since` replaces the old
    /// start.
    pub(crate) fn add(&mut self, tags: &[String]) {
        let mut known: HashSet<String> = self.iter().map(|tag| folded_tag(tag).into_owned()).collect();
        let new: Vec<_> = tags.iter().filter(|tag| known.insert(folded_tag(tag).into_owned())).cloned().collect();
        let has_ttl = self.iter().chain(tags.iter().map(String::as_str)).any(|tag| is_attribute(tag, "ttl"));
        let sent: Vec<_> = tags.iter().filter(|tag| is_mark(tag, has_ttl)).collect();
        let is_replaced = |own: &str| {
            sent.iter().any(|new| takes_place_of(new, own))
                && !sent.iter().any(|new| folded_tag(new) == folded_tag(own))
        };
        self.groups.insert(0, std::mem::take(&mut self.marks));
        if let Some(last) = self.groups.last_mut() {
            last.extend(new);
        }
        *self = Self::of_groups(std::mem::take(&mut self.groups));
        self.marks.retain(|own| !is_replaced(own));
    }

    /// Removes the tags with these names. An attribute such as `due: May` is named in full, or by `due`.
    pub(super) fn remove(&mut self, names: &[String]) {
        let names: HashSet<_> = names.iter().map(|name| folded_tag(name)).collect();
        let is_named = |tag: &str| {
            let tag = folded_tag(tag);
            names.contains(&tag) || tag.split_once(':').is_some_and(|(name, _)| names.contains(name.trim()))
        };
        // The start of a TTL is removed with it.
        let removes_ttl = self.iter().any(|tag| is_attribute(tag, "ttl") && is_named(tag));
        self.retain(|tag| !(is_named(tag) || removes_ttl && is_attribute(tag, "since")));
    }

    /// Removes the pin.
    pub(super) fn unpin(&mut self) {
        self.marks.retain(|tag| !is_pin(tag));
    }

    /// Replaces the tags by those of an update. Pin and lifetime stay, unless the update has its own.
    pub(super) fn replace(&mut self, new: &Self) {
        self.groups.clone_from(&new.groups);
        self.marks.retain(|own| !new.iter().any(|new| takes_place_of(new, own)));
        self.add(&new.marks);
    }

    fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.marks.retain(|tag| is_kept(tag));
        self.groups.iter_mut().for_each(|group| group.retain(|tag| is_kept(tag)));
        self.groups.retain(|group| !group.is_empty());
    }

    /// Returns the groups as they are written, each followed by a space.
    pub(super) fn write(&self) -> String {
        let groups = std::iter::once(&self.marks).chain(&self.groups).filter(|group| !group.is_empty());
        groups.map(|group| format!("[{}] ", group.join(", "))).collect()
    }
}

/// A change of a bullet's checkbox or tags.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// Adds these tags, such as `pinned` or those of a lifetime, if they are missing.
    Add(Vec<String>),
    /// Removes the tags with these names.
    Remove(Vec<String>),
    /// Removes the pin.
    Unpin,
    /// Sets the state of the checkbox. A bullet without a checkbox gets one.
    Checkbox(CheckboxState),
}

/// Returns checkbox and tags as they are written before the content, with a space after each.
pub(super) fn head(checkbox: Option<&str>, tags: &Tags) -> String {
    let checkbox = checkbox.map(|checkbox| format!("{checkbox} ")).unwrap_or_default();
    checkbox + &tags.write()
}

/// Returns true if a line with this checkbox, these tags and this content is parsed as just these.
pub(super) fn reads_as(checkbox: Option<&str>, tags: &Tags, content: &str) -> bool {
    let line = format!("- {}{content}", head(checkbox, tags));
    let Some(read) = bullet_line(&line).map(|line| ItemText::of(line.rest)) else { return false };
    let is_content = read.content.trim() == content.trim();
    is_content && read.checkbox == checkbox.unwrap_or_default() && Tags::read(read.tags) == *tags
}

/// Returns the tags of a bullet with the tags `own` after an update that has the tags `new`, as [`Tags::replace`] does.
pub(crate) fn updated_tags<'t>(own: &'t str, new: &'t str) -> Cow<'t, str> {
    if own.is_empty() || new.is_empty() {
        return Cow::Borrowed(if new.is_empty() { own } else { new });
    }
    let mut tags = Tags::read(own);
    tags.replace(&Tags::read(new));
    Cow::Owned(tags.write().trim_end().to_owned())
}

/// Returns true for a pin and for the tags of a lifetime. `since` is one only together with `ttl`.
fn is_mark(tag: &str, has_ttl: bool) -> bool {
    is_pin(tag) || (is_lifetime(tag) && (has_ttl || !is_attribute(tag, "since")))
}

/// Returns true if a bullet that gets the tag `new` must lose the tag `own`.
fn takes_place_of(new: &str, own: &str) -> bool {
    let of = |tag: &str| LIFETIME.into_iter().find(|name| is_attribute(tag, name));
    match of(new) {
        Some("expires") => of(own).is_some(),
        Some("ttl") => matches!(of(own), Some("ttl" | "expires")),
        _ => of(new).is_some() && matches!(of(own), Some("since" | "expires")),
    }
}

/// Returns a tag in the form in which tags are compared: white space is folded, and a pin and the names of lifetime
/// tags are in lower case.
fn folded_tag(tag: &str) -> Cow<'_, str> {
    match attribute(tag).filter(|_| is_lifetime(tag)) {
        Some((name, value)) => format!("{}: {value}", name.to_ascii_lowercase()).into(),
        None if is_pin(tag) => Cow::Borrowed(PINNED),
        None if is_lifetime(&format!("{tag}:")) => tag.trim().to_ascii_lowercase().into(),
        None => fold_white_space(tag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str, new: &[&str]) -> String {
        let mut tags = Tags::read(text);
        tags.add(&new.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>());
        tags.write()
    }

    #[test]
    fn pin_and_lifetime_are_one_group_before_the_others() {
        assert_eq!(added("[work] [x]", &["home", "pinned"]), "[pinned] [work] [x, home] ");
        assert_eq!(
            added("[work, pinned]", &["ttl: 7d", "since: 2026-11-21"]),
            "[pinned, ttl: 7d, since: 2026-11-21] [work] "
        );
        assert_eq!(added("[Pinned, work]", &["pinned"]), "[Pinned] [work] ");
        assert_eq!(added("[since: 2019, a]", &["b"]), "[since: 2019, a, b] ");
    }

    #[test]
    fn one_end_takes_the_place_of_another() {
        assert_eq!(added("[ttl: 7d, since: 2026-11-21]", &["expires: 2027-01-01"]), "[expires: 2027-01-01] ");
        assert_eq!(added("[ttl: 7d, since: 2026-11-21]", &["ttl: 9d"]), "[ttl: 9d, since: 2026-11-21] ");
        assert_eq!(added("[expires: 2027-01-01] [a]", &["ttl: 9d"]), "[ttl: 9d] [a] ");
        assert_eq!(added("[ttl: 7d] [ttl: 9d]", &["ttl: 7d", "since: 2026-11-21"]), "[ttl: 7d, since: 2026-11-21] ");
        assert_eq!(added("[ttl: 7d] [ttl: 9d, a]", &["ttl: 9d"]), "[ttl: 9d] [a] ");
    }

    #[test]
    fn an_update_keeps_pin_and_lifetime() {
        let mut own = Tags::read("[pinned, ttl: 7d] [a] [b]");
        own.replace(&Tags::read("[c] [d]"));
        assert_eq!(own.write(), "[pinned, ttl: 7d] [c] [d] ");
    }

    #[test]
    fn a_group_that_is_left_empty_goes() {
        let mut own = Tags::read("[a, due: may] [b]");
        own.remove(&["due".to_owned(), "a".to_owned()]);
        assert_eq!(own.write(), "[b] ");
    }
}
