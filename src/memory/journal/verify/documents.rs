//! What entries say of documents, and of what was erased: whether each continues the history of a document from the text that the entry
//! before it made, and whether bodies are those that the headers commit to, or were erased.

use std::collections::BTreeMap;

use super::{Finding, Problem};
use crate::memory::DocName;
use crate::memory::journal::{DocumentLink, Entry, ReplayError, Runs, Seq, text_after, text_before};
use crate::text::{Content, Revision};

/// What is known of documents. Its size grows with their number and their texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Documents {
    last: BTreeMap<DocName, Known>,
    /// Whether something before was not there: a document that is not in `last` may have an entry before.
    has_gap: bool,
}

/// What the last entry of a document made of it.
#[derive(Clone, Debug)]
struct Known {
    seq: Seq,
    exists: bool,
    /// The text, if what it takes to know it is there.
    text: Option<Content>,
    /// Its revision, else the one that the entry claims.
    revision: Option<Revision>,
}

impl Documents {
    /// Forgets all: something in between is not known.
    pub(super) fn forget(&mut self) {
        self.last.clear();
        self.has_gap = true;
    }

    /// Takes the next entry whose place is known.
    pub(super) fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) {
        let links = &entry.header().documents;
        let is_whole = entry.body().is_none_or(|body| body.splices.len() == links.len())
            && entry.lookup.revisions.as_ref().is_none_or(|revisions| revisions.len() == links.len());
        for link in links {
            let known = self.last.remove(&link.name);
            let is_next = match &known {
                Some(known) => link.previous == Some(known.seq) && known.exists != link.is_creation(),
                None => self.has_gap || (link.previous.is_none() && link.is_creation()),
            };
            let before = known.and_then(|known| known.text);
            let (text, fits) = replayed(entry, link, before.as_deref());
            let (revision, claimed) = (text.as_deref().map(Revision::of), entry.revision(&link.name));
            let is_known = revision.is_some() || link.is_deletion();
            let is_claimed = !entry.has_lookup() || !is_known || revision == claimed;
            if !(is_whole && is_next && fits && is_claimed) {
                findings.push(Finding::at(entry.seq(), Problem::Document { document: link.name.clone() }));
            }
            let (exists, text) = (!link.is_deletion(), text.map(Content::from));
            let known = Known { seq: entry.seq(), exists, text, revision: revision.or(claimed) };
            self.last.insert(link.name.clone(), known);
        }
    }

    /// Returns what is wrong with a document that has the revision `now`, or does not exist; `None` if nothing can be told.
    pub(super) fn compare(&self, document: &DocName, now: Option<Revision>) -> Option<Finding> {
        let problem = Problem::DocumentNow { document: document.clone() };
        let Some(known) = self.last.get(document) else {
            return (!self.has_gap && now.is_some()).then_some(Finding { line: None, entries: None, problem });
        };
        let is_other = known.revision.is_some_and(|made| now.is_some_and(|now| now != made));
        (known.exists != now.is_some() || is_other).then(|| Finding::at(known.seq, problem))
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

/// Which bodies are gone and which were erased. Its size grows with what was erased, not with the journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    gone: Runs,
    erased: Runs,
}

impl Bodies {
    /// Takes the next entry whose place is known. Returns whether its body can be believed.
    pub(super) fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) -> bool {
        let is_genuine = entry.is_committed();
        if !is_genuine {
            findings.push(Finding::at(entry.seq(), Problem::BodyTampered));
        } else if entry.body().is_none() {
            self.gone.insert(entry.seq());
        }
        // None can erase what comes after it.
        let runs = entry.header().erased.bodies.iter().filter(|run| run.last() < entry.seq());
        runs.for_each(|run| self.erased.insert_run(run));
        is_genuine
    }

    /// Ends the journal.
    pub(super) fn finish(self, findings: &mut Vec<Finding>) {
        let missing = self.gone.without(&self.erased);
        findings.extend(missing.iter().map(|run| Finding::about(run, Problem::BodyMissing)));
        // No entry has the number 0.
        let kept = self.erased.without(&self.gone).without(&Runs::from_iter([Seq::default()]));
        findings.extend(kept.iter().map(|run| Finding::about(run, Problem::NotErased)));
    }
}
