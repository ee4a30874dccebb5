//! Verification: whether the journal is what it was, and the documents what it made.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::handle::existing;
use crate::memory::journal::{Checkpoint, Finding, Head, Problem, Verified, Verifier};
use crate::memory::tries::Tries;
use crate::memory::{DocName, Memory, MemoryError, Store, Stored};
use crate::text::Revision;

/// How many documents are read at once.
const PAGE: usize = 64;

/// What a verification came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verification {
    /// How many lines were read.
    pub entries: u64,
    /// Where the journal ends.
    pub head: Head,
    /// All that is wrong, and what is only worth knowing.
    pub findings: Vec<Finding>,
    /// What to keep elsewhere, to tell later whether the journal was cut or written anew; `None` if its beginning is not there.
    pub checkpoint: Option<Checkpoint>,
}

impl Verification {
    /// Reports whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.problem.is_notice())
    }
}

impl Memory {
    /// Verifies the memory, and gives it back only if nothing is wrong: for a host that opens none which was tampered with. One that
    /// would rather be told what is wrong calls [`verify`](Self::verify) itself.
    ///
    /// # Errors
    ///
    /// `Unsound`: something is wrong. The store cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{InMemoryStore, Memory, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?.verified(None)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verified(self, checkpoint: Option<&Checkpoint>) -> Result<Self, MemoryError> {
        let found = self.verify(checkpoint)?;
        match found.findings.into_iter().find(|finding| !finding.problem.is_notice()) {
            Some(finding) => Err(MemoryError::Unsound { finding: Box::new(finding) }),
            None => Ok(self),
        }
    }

    /// Verifies the whole journal, and the documents against it. `checkpoint` is what the host kept of an earlier time.
    ///
    /// That a journal was cut or set back while a store knew of a later entry is found each time, until
    /// [`acknowledge_loss`](Self::acknowledge_loss).
    ///
    /// Linear in the length of the journal.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn verify(&self, checkpoint: Option<&Checkpoint>) -> Result<Verification, MemoryError> {
        let store = self.store()?;
        let lost = store.lost_head()?;
        let verifier = |verifier: Verifier| {
            let verifier = lost.into_iter().fold(verifier, Verifier::with_known);
            #[cfg(feature = "signing")]
            let verifier = match &self.signatures {
                Some(signatures) => verifier.with_signatures(signatures.clone()),
                None => verifier,
            };
            match checkpoint {
                Some(checkpoint) => verifier.with_checkpoint(checkpoint),
                None => verifier,
            }
        };
        let mut tries = Tries::default();
        loop {
            let before = store.head()?;
            let found = look(store, &verifier)?;
            // A writer may have been at work between the look at the documents and that at the journal.
            if found.is_sound() || store.head()? == before || !tries.wait()? {
                return Ok(found);
            }
        }
    }
}

impl Memory {
    /// Accepts the journal as it is, after a verification has told that it was cut or set back: from now on none tells it any more.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn acknowledge_loss(&self) -> Result<(), MemoryError> {
        Ok(self.store()?.acknowledge_loss()?)
    }
}

/// Reads the documents, and then the journal behind them.
fn look(store: &dyn Store, verifier: &dyn Fn(Verifier) -> Verifier) -> Result<Verification, MemoryError> {
    let documents = Documents::of(store)?;
    let (mut verifier, mut entries, mut findings) = (verifier(Verifier::new()), 0, Vec::new());
    store.scan(&mut |line| {
        entries += 1;
        findings.extend(verifier.line(line));
    })?;
    let verified = verifier.finish();
    findings.extend(verified.findings.iter().cloned());
    documents.compare(store, &verified, &mut findings);
    Ok(Verification { entries, head: verified.head, findings, checkpoint: verified.checkpoint() })
}

/// The documents, before the journal is read.
#[derive(Default)]
struct Documents {
    revisions: BTreeMap<DocName, Option<Revision>>,
    /// Those that were changed from outside, which the journal does not say.
    unrecorded: BTreeSet<DocName>,
}

impl Documents {
    /// Reads all documents, which records what came from outside and is finished.
    fn of(store: &dyn Store) -> Result<Self, MemoryError> {
        let mut documents = Self::default();
        for names in existing(store)?.chunks(PAGE) {
            store.read(names)?.documents.into_iter().for_each(|stored| documents.take(stored));
        }
        Ok(documents)
    }

    fn take(&mut self, stored: Stored) {
        if stored.is_unrecorded {
            self.unrecorded.insert(stored.name);
        } else {
            self.revisions.insert(stored.name, stored.version.revision);
        }
    }

    /// Compares the documents with what their last entries made.
    fn compare(mut self, store: &dyn Store, verified: &Verified, findings: &mut Vec<Finding>) {
        let of_none = |problem| Finding { line: None, entries: None, problem };
        for name in verified.documents() {
            if !self.revisions.contains_key(name) && !self.unrecorded.contains(name) {
                match store.read(std::slice::from_ref(name)) {
                    Ok(snapshot) => snapshot.documents.into_iter().for_each(|stored| self.take(stored)),
                    Err(_) => findings.push(of_none(Problem::Unusable { document: name.clone() })),
                }
            }
        }
        findings.extend(self.revisions.iter().filter_map(|(name, revision)| verified.compare(name, *revision)));
        findings.extend(self.unrecorded.into_iter().map(|document| of_none(Problem::Unrecorded { document })));
    }
}
