//! [`Entry`]: one link of the chain.

use super::super::{DocName, RequestId};
use super::head::entry_hash;
use super::ids::Hex;
use super::written::Written;
use super::{
    Commitment, DocumentLink, DocumentState, EntryContent, EntryHash, Head, Header, Part, Previous, Seq, SeqRange,
    Splice, States,
};
use crate::text::{Digest, Timestamp};

/// An entry as it stands in a journal: sealed, or claiming to be.
///
/// A clone shares its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) seq: Seq,
    pub(super) time: Timestamp,
    pub(super) previous: EntryHash,
    pub(super) header: Written<Header>,
    pub(super) content: Option<Written<EntryContent>>,
    pub(super) states: Option<Written<States>>,
    pub(super) hash: EntryHash,
    pub(super) signature: Option<Hex<64>>,
}

impl Entry {
    /// Returns its number.
    pub const fn seq(&self) -> Seq {
        self.seq
    }

    /// Returns when it was sealed.
    pub const fn time(&self) -> Timestamp {
        self.time
    }

    /// Returns the hash of the entry before it.
    pub const fn previous(&self) -> EntryHash {
        self.previous
    }

    /// Returns its hash, as it claims.
    pub const fn hash(&self) -> EntryHash {
        self.hash
    }

    /// Returns the head of a journal that ends with it.
    pub const fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }

    /// Returns what stays of it, whatever is erased.
    pub fn header(&self) -> &Header {
        self.header.value()
    }

    /// Returns what it says; `None` if that was erased or never was.
    pub fn content(&self) -> Option<&EntryContent> {
        self.content.as_ref().map(Written::value)
    }

    /// Returns what follows from whole documents; `None` if that was erased or never was.
    pub fn states(&self) -> Option<&States> {
        self.states.as_ref().map(Written::value)
    }

    /// Reports whether it was made for this request; not, if what tells it was erased.
    pub fn is_of(&self, request: RequestId) -> bool {
        self.states().is_some_and(|states| states.request == Some(request))
    }

    /// Returns the numbers of the group that it is in; of one that stands alone, its own.
    pub fn group(&self) -> SeqRange {
        self.header().group.map_or(SeqRange::one(self.seq), |member| {
            let first = self.seq.minus(u64::from(member.index));
            SeqRange::new(first, first.plus(u64::from(member.count.saturating_sub(1))))
        })
    }

    /// Returns the number of the entry that changed a document of its header before it.
    pub fn previous_of(&self, link: &DocumentLink) -> Option<Seq> {
        Some(match link.previous? {
            Previous::Entry(seq) => seq,
            Previous::Member(index) => self.group().first().plus(u64::from(index)),
        })
    }

    /// Returns how it continues the history of `document`; `None` if it did not change it.
    pub fn link(&self, document: &DocName) -> Option<&DocumentLink> {
        self.header().documents.get(self.header().index_of(document)?)
    }

    /// Returns the name that `document` had before this entry, which gave it this one; `None` if it did not. No other entry ends one
    /// document and begins another.
    pub fn renamed_from(&self, document: &DocName) -> Option<&DocName> {
        let [one, other] = self.header().documents.as_slice() else { return None };
        let (new, old) = if one.name == *document { (one, other) } else { (other, one) };
        let is_renaming = new.name == *document && new.base.is_absent() && old.new.is_absent();
        (is_renaming && !new.new.is_absent()).then_some(&old.name)
    }

    /// Returns the revisions of `document` before and after; `None` if it did not change it, or if they are not there.
    pub fn state(&self, document: &DocName) -> Option<&DocumentState> {
        self.states()?.documents.get(self.header().index_of(document)?)
    }

    /// Returns the splices that changed `document`; `None` if it did not change it, or if they are not there.
    pub fn splices(&self, document: &DocName) -> Option<&[Splice]> {
        let index = self.header().index_of(document)?;
        self.content()?.splices.get(index)?.as_deref()
    }

    /// Returns the entry without a part of it. Header, hash and signature are as before, and the chain still verifies.
    #[must_use]
    pub fn without(mut self, part: Part) -> Self {
        match part {
            Part::Content => self.content = None,
            Part::States => self.states = None,
        }
        self
    }

    /// Returns the JSON text of a part.
    pub(super) fn part(&self, part: Part) -> Option<&str> {
        match part {
            Part::Content => self.content.as_ref().map(Written::text),
            Part::States => self.states.as_ref().map(Written::text),
        }
    }

    /// Returns the hash that it must have.
    pub(super) fn computed_hash(&self) -> EntryHash {
        entry_hash(self.seq, self.time, self.previous, Digest::of(self.header.text().as_bytes()))
    }

    /// Reports whether a part that is there is the one that the header commits to.
    pub(super) fn is_part_genuine(&self, part: Part) -> bool {
        let commitment = self.part(part).map(|text| Commitment::to_part(part, text));
        commitment.is_none() || commitment == self.header().commitment(part)
    }
}
