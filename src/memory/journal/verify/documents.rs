//! The histories of documents: whether each entry continues the one that it says, from the text that it says. And the parts of entries:
//! whether they are those that the headers commit to, and whether what is gone was erased.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::{Finding, Problem};
use crate::memory::DocName;
use crate::memory::journal::{DocumentLink, Entry, Erased, Part, ReplayError, Runs, Seq, text_after, text_before};
use crate::text::Revision;

/// What is known of documents. Its size grows with their number and their texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Documents {
    last: BTreeMap<DocName, Known>,
    /// Whether something before was not there: a document that is not in `last` may have an entry before.
    has_gap: bool,
}

/// What the last entry of a document made of it.
#[derive(Clone)]
struct Known {
    seq: Seq,
    exists: bool,
    /// The text, if what it takes to know it is there.
    text: Option<String>,
    /// Its revision, else the one that the entry claims.
    revision: Option<Revision>,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Known").field("seq", &self.seq).field("exists", &self.exists).finish_non_exhaustive()
    }
}

impl Documents {
    /// Forgets all: something in between is not known.
    pub(super) fn forget(&mut self) {
        self.last.clear();
        self.has_gap = true;
    }

    /// Takes the next entry whose place is known.
    pub(super) fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) {
        for link in &entry.header().documents {
            let known = self.last.remove(&link.name);
            let link_holds = match &known {
                Some(known) => link.previous == Some(known.seq),
                None => self.has_gap || link.previous.is_none(),
            };
            let was_there = known.as_ref().map(|known| known.exists).or((!self.has_gap).then_some(false));
            let is_based = was_there.is_none_or(|was_there| was_there != link.is_creation());
            let before = known.and_then(|known| known.text);
            let (text, fits) = replayed(entry, link, before.as_deref());
            let revision = text.as_deref().map(Revision::of);
            let claimed = entry.revision(&link.name);
            let document = || link.name.clone();
            if !link_holds {
                findings.push(Finding::at(entry.seq(), Problem::DocumentLink { document: document() }));
            } else if !is_based || !fits {
                findings.push(Finding::at(entry.seq(), Problem::DocumentBase { document: document() }));
            } else if entry.has(Part::Lookup) && (revision.is_some() || link.is_deletion()) && revision != claimed {
                findings.push(Finding::at(entry.seq(), Problem::PartTampered(Part::Lookup)));
            }
            let exists = !link.is_deletion();
            let next = Known { seq: entry.seq(), exists, text, revision: revision.or(claimed) };
            self.last.insert(document(), next);
        }
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
            None => (!self.has_gap && now.is_some()).then_some(Finding { line: None, entries: None, problem }),
        }
    }

    /// Iterates over the documents that the journal says exist, as far as it is known.
    pub(super) fn existing(&self) -> impl Iterator<Item = &DocName> + '_ {
        self.last.iter().filter(|(_, known)| known.exists).map(|(name, _)| name)
    }
}

/// Returns the text of a document after an entry, if it can be known, and whether the entry fits the text before, if that is known.
fn replayed(entry: &Entry, link: &DocumentLink, before: Option<&str>) -> (Option<String>, bool) {
    let is_known = before.is_some() || link.is_creation();
    let after = text_after(entry, &link.name, before);
    let fits = !is_known || after != Err(ReplayError::Misfit(entry.seq()));
    let after = after.ok().flatten();
    // Where the text after does not come of the splices, they are compared with it.
    let is_apart = link.is_deletion() || entry.text(&link.name).is_some();
    let leads_back = || match text_before(entry, &link.name, after.as_deref()) {
        Ok(text) => text.as_deref() == before,
        Err(error) => error == ReplayError::Erased(entry.seq()),
    };
    let fits = fits && (!is_apart || !is_known || leads_back());
    (after, fits)
}

/// What is gone and what was erased. Its size grows with what was erased, not with the journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    gone: Erased,
    erased: Erased,
}

impl Parts {
    /// Takes the next entry whose place is known, and returns it without what is not its own.
    pub(super) fn step<'a>(&mut self, entry: &'a Entry, findings: &mut Vec<Finding>) -> Cow<'a, Entry> {
        let mut believed = Cow::Borrowed(entry);
        for &part in Part::ALL {
            if entry.is_replaced(part) {
                findings.push(Finding::at(entry.seq(), Problem::PartTampered(part)));
                believed = Cow::Owned(believed.into_owned().without(part));
            } else if !entry.has(part) {
                self.gone.of_mut(part).insert(entry.seq());
            }
            for run in entry.header().erased.of(part).iter() {
                if run.last() >= entry.seq() {
                    findings.push(Finding::at(entry.seq(), Problem::ErasesLater));
                } else {
                    self.erased.of_mut(part).insert_run(run);
                }
            }
        }
        fit_documents(&believed, findings);
        believed
    }

    /// Ends the journal.
    pub(super) fn finish(self, findings: &mut Vec<Finding>) {
        for &part in Part::ALL {
            let (gone, erased) = (self.gone.of(part), self.erased.of(part));
            findings.extend(gone.without(erased).iter().map(|run| Finding::about(run, Problem::PartMissing(part))));
            // No entry has the number 0.
            let kept = erased.without(gone).without(&Runs::from_iter([Seq::default()]));
            findings.extend(kept.iter().map(|run| Finding::about(run, Problem::NotErased(part))));
        }
    }
}

/// Checks that the parts speak of the documents of the header.
fn fit_documents(entry: &Entry, findings: &mut Vec<Finding>) {
    let links = &entry.header().documents;
    let is_spliced = entry.body().is_none_or(|body| body.splices.len() == links.len());
    let is_looked_up = entry.lookup.revisions.as_ref().is_none_or(|revisions| revisions.len() == links.len());
    for (index, link) in links.iter().enumerate() {
        let is_named_once = entry.header().index_of(&link.name) == Some(index);
        if !(is_spliced && is_looked_up && is_named_once) {
            let problem = Problem::Unfitting { document: link.name.clone() };
            findings.push(Finding::at(entry.seq(), problem));
        }
    }
}
