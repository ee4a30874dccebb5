//! What of a text must stand in a memory once it is written there: all of it, but for one marker.

use super::facts::Fact;
use super::readings::{begins_like_a_number, folded, groups, ordinal, sign};

/// Whether all that was to be written stands in the lines that were, but for one marker; tags may have moved before it.
pub fn holds(written: &str, spellings: &[String], markers: &[&str]) -> bool {
    let written = folded(written);
    spellings.iter().flat_map(|text| contents(text, markers, &written)).any(|text| {
        let (groups, content) = groups(&text);
        let content = folded(content);
        written.strip_suffix(content.as_str()).is_some_and(|head| {
            is_head(head) && groups.iter().all(|group| head.contains(folded(group).trim_matches(['[', ']'])))
        })
    })
}

/// Returns a text that is written as it is, and without a marker that it may lose in a list.
fn contents(text: &str, markers: &[&str], written: &str) -> Vec<String> {
    let text = text.trim_start();
    let mut all = vec![text.to_owned()];
    if let Some((marker, rest)) = sign(text)
        && (markers.contains(&marker) || !begins_like_a_number(rest))
    {
        all.push(rest.to_owned());
    }
    // A number may be the one that the item has in its list.
    if let (Some((number, rest)), Some((own, _))) = (ordinal(text), ordinal(written))
        && number == own
    {
        all.push(rest.to_owned());
    }
    all
}

/// Whether nothing stands here but a marker, a checkbox and tags.
fn is_head(head: &str) -> bool {
    let head = head.trim();
    let rest = sign(&format!("{head} ")).or(ordinal(&format!("{head} "))).map_or(head, |(_, rest)| rest).to_owned();
    groups(&format!("{} ", rest.trim())).1.trim().is_empty()
}

/// Whether a bullet is what a text would make: content, checkbox and tags, pins aside. `next` is the number that it would get.
pub fn is_same(text: &str, fact: &Fact, next: Option<&str>) -> bool {
    let (marker, body) = (fact.marker.as_str(), fact.body());
    let numbered =
        ordinal(text.trim_start()).filter(|(number, _)| Some(*number) == next).map(|(_, rest)| rest.to_owned());
    contents(text, &[marker], &format!("{marker} x")).iter().chain(&numbered).any(|text| {
        let (brought, content) = groups(text);
        let (own, _) = groups(&body);
        folded(content) == folded(&fact.content) && tags(&brought) == tags(&own)
    })
}

/// Returns the tags of groups but for pins, the checkbox among them, in order.
fn tags(groups: &[&str]) -> Vec<String> {
    let tags = groups.iter().flat_map(|group| group.trim_matches(['[', ']']).split(','));
    let mut tags: Vec<String> = tags.map(|tag| tag.trim().to_owned()).filter(|tag| tag != "pinned").collect();
    tags.sort();
    tags
}
