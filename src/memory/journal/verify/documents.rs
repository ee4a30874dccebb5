//! The histories of documents: whether each entry continues the one that it says.

use std::collections::BTreeMap;

use super::super::super::DocName;
use super::super::{DocumentLink, DocumentState, Entry, Seq, Side};
use super::{Finding, Problem};
use crate::text::Revision;

/// What is known of documents. Its size grows with their number.
#[derive(Clone, Debug)]
pub(super) struct Documents {
    last: BTreeMap<DocName, Known>,
    /// Whether a document that is not in `last` has no entry before.
    is_complete: bool,
}

/// The last entry of a document.
#[derive(Clone, Copy, Debug)]
struct Known {
    seq: Seq,
    exists: bool,
    /// The revision that it made, if that is told.
    revision: Option<Revision>,
}

impl Documents {
    /// Creates what is known at the beginning of a journal, or in its midst.
    pub(super) const fn after(seq: Seq) -> Self {
        Self { last: BTreeMap::new(), is_complete: seq.get() == 0 }
    }

    /// Forgets all: something in between is not known.
    pub(super) fn forget(&mut self) {
        self.last.clear();
        self.is_complete = false;
    }

    /// Takes the next entry whose place is known.
    pub(super) fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) {
        for (index, link) in entry.header().documents.iter().enumerate() {
            let state = entry.states().and_then(|states| states.documents.get(index));
            let known = self.last.get(&link.name).copied();
            let link_holds = match known {
                Some(known) => entry.previous_of(link) == Some(known.seq),
                None => !self.is_complete || link.previous.is_none(),
            };
            if !link_holds {
                findings.push(Finding::at(entry.seq(), Problem::DocumentLink { document: link.name.clone() }));
            } else if !self.is_based_on(known, link, state) {
                findings.push(Finding::at(entry.seq(), Problem::DocumentBase { document: link.name.clone() }));
            }
            let revision = state.and_then(|state| state.new);
            let next = Known { seq: entry.seq(), exists: !link.new.is_absent(), revision };
            self.last.insert(link.name.clone(), next);
        }
    }

    /// Reports whether an entry changed what the one before it made, as far as both are told.
    fn is_based_on(&self, known: Option<Known>, link: &DocumentLink, state: Option<&DocumentState>) -> bool {
        let exists = match known {
            Some(known) => known.exists,
            None if self.is_complete => false,
            None => return true,
        };
        let made = known.and_then(|known| known.revision);
        let base = state.and_then(|state| state.base);
        let same = made.is_none() || base.is_none() || made == base;
        exists != link.base.is_absent() && (same || link.base == Side::Withheld)
    }

    /// Returns what is wrong with a document that has the revision `now`, or does not exist; `None` if nothing can be told.
    pub(super) fn compare(&self, document: &DocName, now: Option<Revision>) -> Option<Finding> {
        let problem = Problem::DocumentNow { document: document.clone() };
        match self.last.get(document) {
            Some(known) if known.exists != now.is_some() => Some(Finding::at(known.seq, problem)),
            Some(Known { seq, revision: Some(made), .. }) => {
                now.is_some_and(|now| now != *made).then(|| Finding::at(*seq, problem))
            }
            Some(_) => None,
            None => (self.is_complete && now.is_some()).then_some(Finding { line: None, entries: None, problem }),
        }
    }

    /// Iterates over the documents that the journal says exist, as far as it is known.
    pub(super) fn existing(&self) -> impl Iterator<Item = &DocName> + '_ {
        self.last.iter().filter(|(_, known)| known.exists).map(|(name, _)| name)
    }
}
