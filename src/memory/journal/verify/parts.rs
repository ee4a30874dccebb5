//! Contents and states: whether they are those that the headers commit to, and whether what is gone was erased.

use std::borrow::Cow;

use super::super::commitment::Role;
use super::super::{
    Commitment, DocumentLink, DocumentState, Entry, EntryKind, Erased, Part, Salt, Seq, SeqRange, Side,
};
use super::{Finding, Problem};
use crate::text::Revision;

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
        for part in [Part::Content, Part::States] {
            if !entry.is_part_genuine(part) {
                findings.push(Finding::at(entry.seq(), Problem::PartTampered(part)));
                believed = Cow::Owned(believed.into_owned().without(part));
            } else if entry.part(part).is_none() && entry.header().commitment(part).is_some() {
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
        for part in [Part::Content, Part::States] {
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
    let withheld = entry.header().kind == EntryKind::Redaction;
    for (index, link) in links.iter().enumerate() {
        let spliced = entry.content().is_none_or(|content| content.splices.len() == links.len());
        let stated = entry.states().is_none_or(|states| {
            let state = states.documents.get(index);
            states.documents.len() == links.len() && state.is_some_and(|state| fits(link, state, states.salt))
        });
        let told = withheld || (link.base != Side::Withheld && link.new != Side::Withheld);
        let once = entry.header().index_of(&link.name) == Some(index);
        if !(spliced && stated && told && once) {
            let problem = Problem::Unfitting { document: link.name.clone() };
            findings.push(Finding::at(entry.seq(), problem));
        }
    }
}

/// Reports whether the revisions of a document are those that its link commits to.
fn fits(link: &DocumentLink, state: &DocumentState, salt: Salt) -> bool {
    let side = |side: &Side, role, revision: Option<&Revision>| match (side, revision) {
        (Side::To(commitment), Some(revision)) => {
            *commitment == Commitment::to_revision(salt, &link.name, role, revision)
        }
        (Side::Absent | Side::Withheld, None) => true,
        _ => false,
    };
    side(&link.base, Role::Base, state.base.as_ref()) && side(&link.new, Role::New, state.new.as_ref())
}
