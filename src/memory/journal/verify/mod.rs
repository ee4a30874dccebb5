//! [`Verifier`]: reads a journal once, line by line, and finds every entry that was changed, moved or lost.

mod finding;

use std::collections::BTreeMap;

pub use finding::{Finding, Problem};

use crate::memory::DocName;
use crate::memory::journal::{
    Checkpoint, DocumentLink, Entry, EntryHash, EntryKind, Genesis, Head, MemoryId, ReplayError, Runs, Seq, SeqRange,
    text_after, text_before,
};
use crate::text::{Content, Revision};

#[cfg(feature = "signing")]
use crate::memory::journal::signing::Signatures;

/// Verifies a journal, and replays the documents. Its use of memory grows with the documents, redactions and findings,
/// not with the entries.
///
/// Without a [`Checkpoint`] or a known head, a journal whose tail was cut, or that was rewritten as a whole, cannot be
/// told from a genuine one, unless its entries are signed.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Verifier {
    line: u64,
    findings: Vec<Finding>,
    sequence: Sequence,
    bodies: Bodies,
    documents: ReplayedDocuments,
    memory: Option<MemoryId>,
    expected_memory: Option<MemoryId>,
    known: Vec<Head>,
    #[cfg(feature = "signing")]
    signatures: Option<Signatures>,
}

impl Verifier {
    /// Creates a verifier.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares the journal with a checkpoint. Several may be given.
    pub fn with_checkpoint(mut self, checkpoint: &Checkpoint) -> Self {
        self.expected_memory = Some(checkpoint.memory);
        self.with_known(checkpoint.head)
    }

    /// Compares the journal with an entry that once was its last one, according to a store.
    pub fn with_known(mut self, head: Head) -> Self {
        self.known.push(head);
        self
    }

    /// Verifies signatures, too.
    #[cfg(feature = "signing")]
    pub fn with_signatures(mut self, signatures: Signatures) -> Self {
        self.signatures = Some(signatures);
        self
    }

    /// Takes the next line, without its line feed, and returns what is wrong with it.
    pub fn line(&mut self, line: &[u8]) -> &[Finding] {
        let before = self.findings.len();
        self.line += 1;
        match Entry::parse(line) {
            Ok(entry) => self.entry(&entry),
            Err(_) => {
                self.documents.forget();
                self.findings.push(Finding::beside(Problem::Unreadable));
            }
        }
        let found = self.findings.get_mut(before..).unwrap_or_default();
        found.iter_mut().for_each(|finding| finding.line = Some(self.line));
        found
    }

    fn entry(&mut self, entry: &Entry) {
        let place = self.sequence.step(entry, &mut self.findings);
        if place != Position::Next {
            // Something before it was missing, or not genuine.
            self.documents.forget();
        }
        if place != Position::Nowhere {
            self.beginning(entry);
            self.compare_with_known(entry.head());
            match self.bodies.step(entry, &mut self.findings) {
                true => self.documents.step(entry, &mut self.findings),
                false => self.documents.step(&entry.clone().without_body().without_lookup(), &mut self.findings),
            }
            #[cfg(feature = "signing")]
            if self.signatures.as_ref().is_some_and(|signatures| !signatures.hold(entry)) {
                self.findings.push(Finding::at(entry.seq(), Problem::Signature));
            }
        }
    }

    /// Returns the result, after the last line. Only this finds a tail that was cut.
    pub fn finish(self) -> Verification {
        let (head, mut findings) = (Head { seq: self.sequence.last, hash: self.sequence.hashes[0] }, self.findings);
        self.bodies.finish(&mut findings);
        for known in self.known.iter().filter(|known| known.seq > Seq::default()) {
            let problem = if known.seq > head.seq { Problem::CutShort(head.seq) } else { Problem::Diverged };
            findings.push(Finding::at(known.seq, problem));
        }
        let checkpoint = self.memory.map(|memory| Checkpoint { head, memory });
        Verification { entries: self.line, head, findings, checkpoint, documents: self.documents }
    }

    fn beginning(&mut self, entry: &Entry) {
        let (header, is_first) = (entry.header(), entry.seq() == Seq::FIRST);
        let is_genesis = header.kind == EntryKind::Genesis;
        let problem = match header.genesis.as_ref().filter(|_| is_genesis && is_first) {
            Some(Genesis { format, memory, .. }) => {
                self.memory = Some(*memory);
                match self.expected_memory {
                    Some(expected) if expected != *memory => Problem::OtherMemory { expected, found: *memory },
                    _ if *format > Genesis::FORMAT => Problem::UnknownFormat(*format),
                    _ => return,
                }
            }
            None if is_genesis || is_first => Problem::Beginning,
            None => return,
        };
        self.findings.push(Finding::at(entry.seq(), problem));
    }

    fn compare_with_known(&mut self, head: Head) {
        let here = |known: &Head| known.seq == head.seq;
        if self.known.iter().any(|known| here(known) && known.hash != head.hash) {
            self.findings.push(Finding::at(head.seq, Problem::Diverged));
        }
        self.known.retain(|known| !here(known));
    }
}

/// The result of a verification.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verification {
    /// How many lines were read.
    pub entries: u64,
    /// The last entry whose place is known.
    pub head: Head,
    /// All that is wrong, and notices, which are no sign of harm.
    pub findings: Vec<Finding>,
    /// A checkpoint to keep elsewhere. It shows later whether the journal was cut or rewritten. `None` if the journal's
    /// beginning is missing.
    pub checkpoint: Option<Checkpoint>,
    documents: ReplayedDocuments,
}

impl Verification {
    /// Reports whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.problem.is_notice())
    }

    /// Compares a document with what its last entry made. `now` is its revision, `None` if it does not exist. Returns
    /// what is wrong; `None` if nothing is wrong, or the journal's part is not known.
    pub fn compare(&self, document: &DocName, now: Option<Revision>) -> Option<Finding> {
        let (ReplayedDocuments { last, has_gap }, problem) = (&self.documents, Problem::DocumentNow(document.clone()));
        let Some(known) = last.get(document) else {
            return (!has_gap && now.is_some()).then(|| Finding::beside(problem));
        };
        let is_other = known.revision.is_some_and(|known| now.is_some_and(|now| now != known));
        (known.exists != now.is_some() || is_other).then(|| Finding::at(known.seq, problem))
    }

    /// Iterates over the documents that exist according to the journal, as far as it is known, in the order of their
    /// names.
    pub fn documents(&self) -> impl Iterator<Item = &DocName> {
        self.documents.last.iter().filter(|(_, known)| known.exists).map(|(name, _)| name)
    }
}

/// How far the verification has come in the journal.
#[derive(Clone, Debug, Default)]
struct Sequence {
    /// The last entry whose place is known.
    last: Seq,
    /// The hashes of entry `last`: the one that it claims, and the computed one. The next entry may name either as its
    /// predecessor, so that it is not blamed if entry `last` was changed.
    hashes: [EntryHash; 2],
}

/// What is known of an entry's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// It is genuine, and follows what was verified before.
    Next,
    /// It is genuine, and something before it is missing or not genuine.
    AfterGap,
    /// It is not genuine or not at its place, and is ignored.
    Nowhere,
}

impl Sequence {
    /// Finds out the place of `entry`, and moves on to it.
    fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) -> Position {
        let (seq, next, computed) = (entry.seq(), self.last.plus(1), entry.computed_hash());
        let place = if entry.hash() != computed {
            findings.push(Finding::at(seq, Problem::Tampered));
            Position::Nowhere
        } else if seq < next {
            findings.push(Finding::at(seq, Problem::OutOfOrder(next)));
            Position::Nowhere
        } else if seq > next {
            findings.push(Finding::about(SeqRange::new(next, seq.minus(1)), Problem::Missing));
            Position::AfterGap
        } else if !self.hashes.contains(&entry.previous()) {
            findings.push(Finding::at(seq, Problem::Unlinked(self.last)));
            Position::AfterGap
        } else {
            Position::Next
        };
        // An entry that was changed stands at its place if it has the number of that place.
        if place != Position::Nowhere || seq == next {
            (self.last, self.hashes) = (seq, [entry.hash(), computed]);
        }
        place
    }
}

/// The documents, as far as they are known. The size grows with their number and their texts.
#[derive(Clone, Debug, Default)]
struct ReplayedDocuments {
    last: BTreeMap<DocName, ReplayedDocument>,
    /// Whether something was missing before: a document that is not in `last` may then have an earlier entry.
    has_gap: bool,
}

/// A document after the last entry that changed it.
#[derive(Clone, Debug)]
struct ReplayedDocument {
    seq: Seq,
    exists: bool,
    /// The text, if all entries that are needed to compute it are there.
    text: Option<Content>,
    /// Its revision, else the one that the entry claims.
    revision: Option<Revision>,
}

impl ReplayedDocuments {
    /// Forgets all documents, because an entry in between is not known.
    fn forget(&mut self) {
        self.last.clear();
        self.has_gap = true;
    }

    /// Takes the next entry whose place is known.
    fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) {
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
                findings.push(Finding::at(entry.seq(), Problem::Document(link.name.clone())));
            }
            let (exists, text) = (!link.is_deletion(), text.map(Content::from));
            let known = ReplayedDocument { seq: entry.seq(), exists, text, revision: revision.or(claimed) };
            self.last.insert(link.name.clone(), known);
        }
    }
}

/// Returns the text of a document after an entry, if it can be computed; and whether the entry fits the text before. If
/// that text is not known, the entry fits.
fn replayed(entry: &Entry, link: &DocumentLink, before: Option<&str>) -> (Option<String>, bool) {
    let is_known = before.is_some() || link.is_creation();
    let after = text_after(entry, &link.name, before);
    let fits = !is_known || after != Err(ReplayError::Misfit(entry.seq()));
    let after = after.ok().flatten();
    // If the text after the entry was not computed from its splices, the splices are checked against it.
    let is_apart = link.is_deletion() || entry.text(&link.name).is_some();
    let leads_back = || match text_before(entry, &link.name, after.as_deref()) {
        Ok(text) => text.as_deref() == before,
        Err(error) => error == ReplayError::Erased(entry.seq()),
    };
    let fits = fits && (!is_apart || !is_known || leads_back());
    (after, fits)
}

/// Which bodies are there, which are missing, and which a redaction erased.
#[derive(Clone, Debug, Default)]
struct Bodies {
    kept: Runs,
    missing: Runs,
    erased: Runs,
}

impl Bodies {
    /// Takes the next entry whose place is known. Returns whether its body is genuine.
    fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) -> bool {
        let is_genuine = entry.is_committed();
        if !is_genuine {
            findings.push(Finding::at(entry.seq(), Problem::BodyTampered));
        }
        let known = if entry.body().is_some() { &mut self.kept } else { &mut self.missing };
        known.insert(entry.seq());
        // A redaction erases earlier entries only.
        let runs = entry.header().erased.bodies.iter().filter(|run| run.last() < entry.seq());
        runs.for_each(|run| self.erased.insert_run(run));
        is_genuine
    }

    /// Adds the findings about bodies, after the last entry.
    fn finish(self, findings: &mut Vec<Finding>) {
        let missing = self.missing.filtered(|seq| !self.erased.contains(seq));
        findings.extend(missing.iter().map(|run| Finding::about(run, Problem::BodyMissing)));
        let kept = self.kept.filtered(|seq| self.erased.contains(seq));
        findings.extend(kept.iter().map(|run| Finding::about(run, Problem::NotErased)));
    }
}
