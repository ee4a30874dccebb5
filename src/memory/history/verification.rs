//! Verification: whether the journal is what it was, and the documents what it made.

use std::collections::BTreeMap;

use super::super::handle::existing;
use super::super::journal::{Anchor, Finding, Head, Problem, Verified, Verifier};
use super::super::tries::Tries;
use super::super::{DocName, Memory, MemoryError, Store};
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
    pub anchor: Option<Anchor>,
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
    pub fn verified(self, anchor: Option<&Anchor>) -> Result<Self, MemoryError> {
        let found = self.verify(anchor)?;
        match found.findings.into_iter().find(|finding| !finding.problem.is_notice()) {
            Some(finding) => Err(MemoryError::Unsound { finding: Box::new(finding) }),
            None => Ok(self),
        }
    }

    /// Verifies the whole journal, and the documents against it. `anchor` is what the host kept of an earlier time.
    ///
    /// Linear in the length of the journal.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn verify(&self, anchor: Option<&Anchor>) -> Result<Verification, MemoryError> {
        let verifier = |verifier: Verifier| {
            #[cfg(feature = "signing")]
            let verifier = match &self.signatures {
                Some(signatures) => verifier.with_signatures(signatures.clone()),
                None => verifier,
            };
            match anchor {
                Some(anchor) => verifier.with_anchor(anchor),
                None => verifier,
            }
        };
        let (store, mut tries) = (self.store()?, Tries::default());
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

/// Reads the documents, and then the journal behind them.
fn look(store: &dyn Store, verifier: &dyn Fn(Verifier) -> Verifier) -> Result<Verification, MemoryError> {
    let documents = Documents::of(store)?;
    let (mut read, beginning) = Reading::of(store, verifier(Verifier::new()))?;
    if beginning != Head::START {
        read = Reading::of(store, verifier(Verifier::after(beginning)))?.0;
    }
    let Reading { entries, mut findings, verified } = read;
    findings.extend(verified.findings.iter().cloned());
    documents.compare(store, &verified, &mut findings);
    Ok(Verification { entries, head: verified.head, findings, anchor: verified.anchor() })
}

struct Reading {
    entries: u64,
    findings: Vec<Finding>,
    verified: Verified,
}

impl Reading {
    fn of(store: &dyn Store, mut verifier: Verifier) -> Result<(Self, Head), MemoryError> {
        let (mut entries, mut findings) = (0, Vec::new());
        let beginning = store.scan(&mut |line| {
            entries += 1;
            findings.extend(verifier.line(line));
        })?;
        Ok((Self { entries, findings, verified: verifier.finish() }, beginning))
    }
}

/// The revisions of the documents, before the journal is read.
struct Documents(BTreeMap<DocName, Option<Revision>>);

impl Documents {
    /// Reads all documents, which records what came from outside and is finished.
    fn of(store: &dyn Store) -> Result<Self, MemoryError> {
        let mut documents = BTreeMap::new();
        for names in existing(store)?.chunks(PAGE) {
            let stored = store.read(names)?.documents;
            documents.extend(stored.into_iter().map(|stored| (stored.name, stored.version.revision)));
        }
        Ok(Self(documents))
    }

    /// Compares the documents with what their last entries made.
    fn compare(&self, store: &dyn Store, verified: &Verified, findings: &mut Vec<Finding>) {
        findings.extend(self.0.iter().filter_map(|(name, revision)| verified.compare(name, *revision)));
        let missing = verified.documents().filter(|name| !self.0.contains_key(name));
        findings.extend(missing.filter_map(|name| match store.read(std::slice::from_ref(name)) {
            Ok(_) => verified.compare(name, None),
            Err(_) => {
                Some(Finding { line: None, entries: None, problem: Problem::Unusable { document: name.clone() } })
            }
        }));
    }
}
