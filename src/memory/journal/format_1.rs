//! Entries of format 1, which are read and verified, but no longer written.
//!
//! Their body is called `content`. Their request and revisions are in a part of their own, `states`, which may also hold
//! the whole text of a document. The header commits to it, too. A commit could be a group of entries.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Error, Value, json};

use super::entry::{JsonPart, Lookup};
use super::{Commitment, Header, LinkKind, Seq};
use crate::memory::DocName;
use crate::text::Content;

/// What only an entry of format 1 has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Old {
    /// The whole texts after it that are recorded.
    pub(super) texts: BTreeMap<DocName, Content>,
    pub(super) states: Option<Content>,
    /// The commitments to content and states.
    commitments: [Option<Commitment>; 2],
}

impl Old {
    pub(super) fn erase(&mut self) {
        (self.states, self.texts) = (None, BTreeMap::new());
    }

    /// Returns true if the header commits to content and states, unless they were erased.
    pub(super) fn is_committed(&self, content: Option<&str>) -> bool {
        let [of_content, of_states] = self.commitments;
        let is = |label, text: Option<&str>, commitment| {
            text.is_none_or(|text| commitment == Some(Commitment::to(label, text)))
        };
        is("memdoc journal content 1", content, of_content)
            && is("memdoc journal states 1", self.states.as_deref(), of_states)
    }
}

/// Reads header and states of entry `seq`.
pub(super) fn read(
    seq: Seq,
    header: &str,
    states: Option<&str>,
) -> Result<(JsonPart<Header>, Lookup, Option<Old>), Error> {
    let mut members = parsed(header)?;
    let commit = seq.minus(members["group"]["index"].as_u64().unwrap_or_default());
    for link in members.get_mut("documents").and_then(Value::as_array_mut).into_iter().flatten() {
        let previous = &link["previous"];
        let member = previous["member"].as_u64().map(|member| json!(commit.plus(member)));
        let previous = member.unwrap_or_else(|| previous["entry"].clone());
        let kind = LinkKind::between(!link["base"].is_null(), !link["new"].is_null());
        *link = json!({"name": link["name"], "previous": previous, "kind": kind});
    }
    let commitments = [read_value(&members["content"])?, read_value(&members["states"])?];
    // Today's header knows none of these members. Of its own members, this one lacks the commitment to a body.
    let value: Header = read_value(&members)?;
    let (mut lookup, mut texts) = (Lookup::default(), BTreeMap::new());
    if let Some(states) = states {
        let states = parsed(states)?;
        lookup.request = read_value(&states["request"])?;
        let documents = states["documents"].as_array().map(Vec::as_slice).unwrap_or_default();
        let revision = |document: &Value| read_value(&document["new"]);
        lookup.revisions = Some(documents.iter().map(revision).collect::<Result<_, _>>()?);
        let kept = value.documents.iter().zip(documents);
        texts.extend(kept.filter_map(|(link, kept)| Some((link.name.clone(), kept["keyframe"].as_str()?.into()))));
    }
    let old = Old { texts, states: states.map(Into::into), commitments };
    Ok((JsonPart::of(value, header), lookup, Some(old)))
}

/// Reads a value from its JSON text, as all other values are read.
fn read_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    serde_json::from_str(&value.to_string())
}

/// Parses a part of the line.
///
/// # Errors
///
/// It is no JSON, has blanks, or has an object with the same member twice: another reader may take the other one.
fn parsed(text: &str) -> Result<Value, Error> {
    let value: Value = serde_json::from_str(text)?;
    // `value` has each member once, in any order. If `text` has each member once and no blanks, both have the same
    // bytes, perhaps in another order.
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    if sorted(&value.to_string()) == sorted(text) {
        Ok(value)
    } else {
        Err(Error::custom("it has blanks, or a member twice"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_stands_twice_is_refused_however_numbers_are_spelled() {
        assert!(parsed(r#"{"b":1,"a":[2,"x"]}"#).is_ok());
        for text in [r#"{"a":1,"a":1}"#, r#"{"a": 1}"#, r#"{"a":1,"a":1,"n":1e6}"#, r#"{"a":1,"a":1,"n":1e12}"#] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }
}
