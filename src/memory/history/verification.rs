//! Verification: whether the journal is what it was, and the documents what it made.

use std::collections::BTreeSet;

use crate::memory::handle::existing;
use crate::memory::journal::{Checkpoint, Finding, Head, Problem, Verifier};
use crate::memory::landed::{TRIES, WAITS, nap};
use crate::memory::{DocName, Memory, MemoryError, Store};

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
    /// Verifies the whole journal, and the documents against it. `checkpoint` is what the host kept of an earlier time.
    ///
    /// That a journal was cut or set back while a store knew of a later entry is found each time, until
    /// [`acknowledge_loss`](Self::acknowledge_loss).
    ///
    /// Linear in the length of the journal. A host that opens no memory which was tampered with looks at
    /// [`is_sound`](Verification::is_sound) before it goes on.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn verify(&self, checkpoint: Option<&Checkpoint>) -> Result<Verification, MemoryError> {
        let store = self.store()?;
        let lost = store.lost_head()?;
        let mut verifier = lost.into_iter().fold(Verifier::new(), Verifier::with_known);
        #[cfg(feature = "signing")]
        if let Some(signatures) = &self.signatures {
            verifier = verifier.with_signatures(signatures.clone());
        }
        if let Some(checkpoint) = checkpoint {
            verifier = verifier.with_checkpoint(checkpoint);
        }
        for round in 1..TRIES {
            let before = store.head()?;
            let found = look(store, verifier.clone())?;
            // A writer may have been at work between the look at the journal and that at the documents; the look itself records what
            // came from outside.
            if found.is_sound() || store.head()? == before {
                return Ok(found);
            }
            nap(WAITS, round.saturating_sub(1))?;
        }
        look(store, verifier)
    }

    /// Accepts the journal as it is, after a verification has told that it was cut or set back: from now on none tells it any more.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn acknowledge_loss(&self) -> Result<(), MemoryError> {
        Ok(self.store()?.acknowledge_loss()?)
    }
}

/// Reads the journal, and compares the documents with what it made.
fn look(store: &dyn Store, verifier: Verifier) -> Result<Verification, MemoryError> {
    let (mut verifier, mut entries, mut findings) = (verifier, 0, Vec::new());
    store.scan(&mut |line| {
        entries += 1;
        findings.extend(verifier.line(line));
    })?;
    let verified = verifier.finish();
    findings.extend(verified.findings.iter().cloned());
    let existing = existing(store)?;
    let names: BTreeSet<&DocName> = existing.iter().chain(verified.documents()).collect();
    for name in names {
        let snapshot = match store.read(std::slice::from_ref(name)) {
            // It is left out of those that exist.
            Err(_) if !existing.contains(name) => {
                findings.push(Finding::beside(Problem::Unusable { document: name.clone() }));
                continue;
            }
            snapshot => snapshot?,
        };
        if snapshot.of(name).is_some_and(|stored| stored.is_unrecorded) {
            findings.push(Finding::beside(Problem::Unrecorded { document: name.clone() }));
        } else {
            findings.extend(verified.compare(name, snapshot.version(name).revision));
        }
    }
    Ok(Verification { entries, head: verified.head, findings, checkpoint: verified.checkpoint() })
}
