//! Entries of format 1, which are read and verified, and written no more.
//!
//! Their body is called `content`; what they are looked up by stands in a part of its own, `states`, to which the header commits as
//! well, and which may hold the whole text of a document. A commit could be a group of entries.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::entry::{Lookup, Written};
use super::line::wrong;
use super::{Body, Commitment, DocumentLink, Entry, EntryHash, Header, LineError, LinkKind, Seq};
use crate::memory::{DocName, RequestId};
use crate::text::{Content, Hex, Revision, Timestamp};

/// What only an entry of format 1 has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Old {
    /// The first entry of its group.
    pub(super) commit: Seq,
    /// The whole texts after it that are recorded.
    pub(super) texts: BTreeMap<DocName, Content>,
    states: Option<Content>,
    /// Of content and states.
    commitments: [Option<Commitment>; 2],
}

impl Old {
    pub(super) fn erase(&mut self) {
        (self.states, self.texts) = (None, BTreeMap::new());
    }

    /// Returns the text of the states.
    pub(super) fn states(&self) -> Option<&str> {
        self.states.as_deref()
    }

    /// Reports whether content and states, where they are there, are those that the header commits to.
    pub(super) fn is_committed(&self, content: Option<&str>) -> bool {
        let [of_content, of_states] = self.commitments;
        let is = |label, text: Option<&str>, commitment| {
            text.is_none_or(|text| commitment == Some(Commitment::to(label, text)))
        };
        is("memdoc journal content 1", content, of_content) && is("memdoc journal states 1", self.states(), of_states)
    }
}

/// A line as it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    seq: Seq,
    time: Timestamp,
    previous: EntryHash,
    #[serde(borrow)]
    header: &'a RawValue,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    states: Option<&'a RawValue>,
    hash: EntryHash,
    #[serde(default)]
    signature: Option<Hex<64>>,
}

#[derive(Deserialize)]
struct OldHeader {
    #[serde(default)]
    group: Option<Member>,
    #[serde(default)]
    documents: Vec<OldLink>,
    content: Option<Commitment>,
    states: Option<Commitment>,
    #[serde(flatten)]
    rest: Header,
}

#[derive(Deserialize)]
struct Member {
    index: u32,
}

#[derive(Deserialize)]
struct OldLink {
    name: DocName,
    #[serde(default)]
    base: Option<Box<str>>,
    #[serde(default)]
    new: Option<Box<str>>,
    #[serde(default)]
    previous: Option<Previous>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Previous {
    Entry(Seq),
    Member(u32),
}

#[derive(Deserialize)]
struct OldStates {
    #[serde(default)]
    request: Option<RequestId>,
    #[serde(default)]
    documents: Vec<OldState>,
}

#[derive(Deserialize)]
struct OldState {
    #[serde(default)]
    new: Option<Revision>,
    #[serde(default)]
    keyframe: Option<Content>,
}

/// Reads a line of format 1; `None` if it is none.
pub(super) fn parse(line: &str) -> Option<Result<Entry, LineError>> {
    let read: Line<'_> = serde_json::from_str(line).ok()?;
    Some(entry(read))
}

fn entry(read: Line<'_>) -> Result<Entry, LineError> {
    let old: OldHeader = serde_json::from_str(read.header.get()).map_err(wrong("header"))?;
    let commit = read.seq.minus(old.group.map_or(0, |member| u64::from(member.index)));
    let links = old.documents.into_iter().map(|link| DocumentLink {
        kind: LinkKind::between(link.base.is_some(), link.new.is_some()),
        previous: link.previous.map(|previous| match previous {
            Previous::Entry(seq) => seq,
            Previous::Member(index) => commit.plus(u64::from(index)),
        }),
        name: link.name,
    });
    let header = Header { documents: links.collect(), ..old.rest };
    let (mut lookup, mut texts) = (Lookup::default(), BTreeMap::new());
    if let Some(states) = read.states {
        let states: OldStates = serde_json::from_str(states.get()).map_err(wrong("states"))?;
        lookup.request = states.request;
        lookup.revisions = Some(states.documents.iter().map(|state| state.new).collect());
        let kept = header.documents.iter().zip(states.documents);
        texts.extend(kept.filter_map(|(link, state)| Some((link.name.clone(), state.keyframe?))));
    }
    let body: Option<Written<Body>> =
        read.content.map(|raw| Written::read(raw.get())).transpose().map_err(wrong("content"))?;
    let states = read.states.map(|raw| raw.get().into());
    let old = Old { commit, texts, states, commitments: [old.content, old.states] };
    let header = Written::of(header, read.header.get());
    let Line { seq, time, previous, hash, signature, .. } = read;
    Ok(Entry { seq, time, previous, header, body, lookup, old: Some(old), hash, signature })
}
