//! Verification: whether the journal is unchanged, and whether the documents are as it made them.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::memory::journal::{Checkpoint, Finding, Problem, Verification, Verifier};
use crate::memory::tries::{TRIES, WAITS, is_late, nap};
use crate::memory::{DocName, Memory, MemoryError, Store};

impl Memory {
    /// Verifies the whole journal, and the documents against it. `checkpoint` is one that the host kept earlier.
    ///
    /// A store may know an entry that is missing from the journal, because the journal was cut or rolled back. Each
    /// verification reports it, until [`acknowledge_loss`](Self::acknowledge_loss).
    ///
    /// Linear in the length of the journal. A host that must not open a memory that was tampered with checks
    /// [`is_sound`](Verification::is_sound) first.
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
        let started = Instant::now();
        for round in 1..TRIES {
            let before = store.head()?;
            let found = self.verification(store, verifier.clone())?;
            // Somebody may have written between the reading of the journal and that of the documents. The reading itself
            // also records edits from outside.
            if found.is_sound() || store.head()? == before || is_late(round, started) {
                return Ok(found);
            }
            nap(WAITS, round.saturating_sub(1))?;
        }
        self.verification(store, verifier)
    }

    /// Accepts that the journal was cut or rolled back, after a verification has reported it: later ones report it no
    /// more.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn acknowledge_loss(&self) -> Result<(), MemoryError> {
        Ok(self.store()?.acknowledge_loss()?)
    }

    /// Verifies the journal once, and compares the documents with it.
    fn verification(&self, store: &dyn Store, mut verifier: Verifier) -> Result<Verification, MemoryError> {
        store.scan(&mut |line| {
            verifier.line(line);
        })?;
        let mut verified = verifier.finish();
        let existing = self.documents()?;
        let names: BTreeSet<DocName> = existing.iter().chain(verified.documents()).cloned().collect();
        for document in names {
            let found = match store.read(std::slice::from_ref(&document)) {
                // The store does not list the document, because its file cannot be used.
                Err(_) if !existing.contains(&document) => Some(Finding::beside(Problem::Unusable(document))),
                snapshot => match snapshot?.of(&document) {
                    Some(stored) if stored.is_unrecorded => Some(Finding::beside(Problem::Unrecorded(document))),
                    stored => verified.compare(&document, stored.and_then(|stored| stored.version.revision)),
                },
            };
            verified.findings.extend(found);
        }
        Ok(verified)
    }
}
