//! The parts of entries: whether they are those that the headers commit to, and whether what is gone was erased.

use std::borrow::Cow;

use super::super::{Entry, Erased, Part, Seq, SeqRange};
use super::{Finding, Problem};

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

    /// Ends the journal, which was verified from behind the entry `start`.
    pub(super) fn finish(self, start: Seq, findings: &mut Vec<Finding>) {
        for &part in Part::ALL {
            let (gone, erased) = (self.gone.of(part), self.erased.of(part));
            findings.extend(gone.without(erased).iter().map(|run| Finding::about(run, Problem::PartMissing(part))));
            let kept = erased.without(gone);
            let kept = kept.iter().filter(|run| run.last() > start);
            let kept = kept.map(|run| SeqRange::new(run.first().max(start.plus(1)), run.last()));
            findings.extend(kept.map(|run| Finding::about(run, Problem::NotErased(part))));
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
