//! The rules for stores: the library's own keep them, and stores that are bad in one way each do not.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memdoc::memory::journal::{Attempt, Body, Entry, Erased, Head, Header, Salt, Seq};
use memdoc::memory::{Change, Landed, Outcome, Snapshot, StoreError, Version};
use memdoc::testing::{Violations, conform};
use memdoc::{DocName, InMemoryStore, Revision, Store};

/// What a store does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    /// It asks nothing of the documents.
    LastOneWins,
    /// It compares texts, and not versions.
    ComparesTexts,
    /// It compares the head, and not documents.
    ComparesHead,
    /// It changes the documents that are as expected, and leaves the others.
    IsPartial,
    /// It tells that an attempt was not made, and makes it later.
    IsNotFinal,
    /// It gives up what it is asked about, and all that comes.
    GivesUpAll,
    /// It does not look whether the request has landed.
    MakesAgain,
    /// It reads documents one by one.
    ReadsTorn,
    /// It answers before it has written, and now and then does not.
    Loses,
    /// It leaves what should be erased.
    Keeps,
    /// It does not look whether the last entry is the one that is expected.
    IgnoresHead,
    /// It takes a lost answer for one that says no.
    GuessesNo,
}

/// The store that has nothing wrong but one flaw.
struct Flawed {
    inner: Arc<InMemoryStore>,
    flaw: Flaw,
    commits: AtomicUsize,
    /// Whether the next commit is given up.
    gives_up: Arc<Mutex<bool>>,
}

impl Flawed {
    fn spoiled(&self, change: &Change) -> Change {
        let mut change = change.clone();
        let names: Vec<_> = change.documents.iter().map(|document| document.name.clone()).collect();
        let now = self.inner.read(&names).unwrap();
        let current = |document: &DocName| now.of(document).unwrap().version;
        let head = self.inner.head().unwrap().seq;
        for document in &mut change.documents {
            let found = current(&document.name);
            let is_same_text = document.expected.revision == found.revision;
            let is_overlooked = match self.flaw {
                Flaw::LastOneWins => true,
                Flaw::ComparesTexts => is_same_text,
                _ => false,
            };
            if is_overlooked {
                document.expected = found;
            }
        }
        match self.flaw {
            Flaw::IsPartial => change.documents.retain(|document| document.expected == current(&document.name)),
            Flaw::MakesAgain => change.looked_to = head,
            Flaw::Keeps => {
                let header = Header { erased: Erased::default(), ..change.entry.header().clone() };
                let documents = std::mem::take(&mut change.documents);
                let keeping = Change::new(change.request, header, Body::new(Salt::new([1; 16])), documents).unwrap();
                change = keeping.looked_to(change.looked_to);
            }
            Flaw::IgnoresHead => change.expected_head = None,
            _ => {}
        }
        change
    }
}

impl Store for Flawed {
    fn begin(&self) -> Result<(), StoreError> {
        self.inner.begin()
    }

    fn head(&self) -> Result<Head, StoreError> {
        self.inner.head()
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        self.inner.revisions(after, limit)
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        if self.flaw == Flaw::ReadsTorn {
            let documents = names.iter().flat_map(|name| {
                // Who only reads waits until somebody comes between, if anybody is there.
                let head = self.inner.head().unwrap();
                let most = if self.commits.load(Ordering::SeqCst) == 0 && *name != names[0] { 10_000 } else { 0 };
                (0..most).take_while(|_| self.inner.head().unwrap() == head).for_each(|_| std::thread::yield_now());
                self.inner.read(std::slice::from_ref(name)).unwrap().documents
            });
            let documents = documents.collect();
            return Ok(Snapshot::new(self.inner.head()?, documents));
        }
        self.inner.read(names)
    }

    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.entries(from, limit)
    }

    fn entries_of(&self, document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.entries_of(document, last, limit)
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        self.inner.scan(visit)
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let is_given_up = std::mem::take(&mut *self.gives_up.lock().unwrap());
        let count = self.commits.fetch_add(1, Ordering::SeqCst);
        let head = self.inner.head()?.seq;
        match self.flaw {
            Flaw::GivesUpAll if is_given_up => return Err(StoreError::Fenced),
            Flaw::ComparesHead if head != change.looked_to => {
                let document = change.documents.first().map_or_else(DocName::memory, |document| document.name.clone());
                let (expected, found) = (Version::default(), Version::default());
                return Ok(Outcome::Conflict { document, expected, found });
            }
            // Somebody else may come between.
            Flaw::LastOneWins => std::thread::yield_now(),
            Flaw::Loses if count % 7 == 6 => {
                let first = head.plus(1);
                return Ok(Outcome::Committed(first));
            }
            _ => {}
        }
        self.inner.commit(&self.spoiled(change))
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        let is_there = |entry: &Entry| entry.header().attempt == Some(attempt);
        match self.flaw {
            Flaw::GuessesNo => Ok(Landed::Not),
            Flaw::IsNotFinal => {
                let entries = self.inner.entries(after.plus(1), usize::MAX)?;
                let found = entries.iter().find(|entry| is_there(entry)).map(Entry::seq);
                Ok(found.map_or(Landed::Not, Landed::At))
            }
            _ => {
                let landed = self.inner.landed(attempt, after)?;
                *self.gives_up.lock().unwrap() |= landed == Landed::Not;
                Ok(landed)
            }
        }
    }
}

/// A store, and whether its next commit is given up.
type Kept = (Arc<InMemoryStore>, Arc<Mutex<bool>>);

fn flawed(flaw: Flaw) -> Result<(), Violations> {
    let memories: Mutex<HashMap<String, Kept>> = Mutex::default();
    conform(|name| {
        let (inner, gives_up) = memories.lock().unwrap().entry(name.to_owned()).or_default().clone();
        Box::new(Flawed { inner, flaw, commits: AtomicUsize::new(0), gives_up })
    })
}

#[test]
fn the_store_in_memory_keeps_the_rules() {
    let memories: Mutex<HashMap<String, Arc<InMemoryStore>>> = Mutex::default();
    let open = |name: &str| -> Box<dyn Store> {
        Box::new(memories.lock().unwrap().entry(name.to_owned()).or_default().clone())
    };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}

#[cfg(unix)]
#[test]
fn the_store_in_files_keeps_the_rules() {
    let scratch = crate::support::scratch::Scratch::create();
    let open = |name: &str| -> Box<dyn Store> { Box::new(memdoc::FileStore::open(scratch.join(name)).unwrap()) };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}

/// Checks that a flaw is flagged, by the rules that it breaks.
#[track_caller]
fn flagged(flaw: Flaw, rules: &[&str]) {
    let violations = flawed(flaw).expect_err("a store that does this keeps the rules");
    for rule in rules {
        assert!(violations.iter().any(|violation| violation.rule.contains(rule)), "{flaw:?}: {violations}");
    }
}

#[test]
fn a_store_that_expects_nothing_of_documents_is_flagged() {
    // That its writers lose something, too, depends on when they meet.
    flagged(Flaw::LastOneWins, &["as a whole"]);
    flagged(Flaw::ComparesTexts, &["changed back"]);
    flagged(Flaw::ComparesHead, &["nothing else"]);
}

#[test]
fn a_store_that_commits_a_part_is_flagged() {
    flagged(Flaw::IsPartial, &["as a whole"]);
}

#[test]
fn a_store_that_makes_what_it_has_given_up_is_flagged() {
    flagged(Flaw::IsNotFinal, &["never is"]);
    flagged(Flaw::GivesUpAll, &["no other"]);
    flagged(Flaw::GuessesNo, &["is found"]);
}

#[test]
fn a_store_that_makes_a_request_again_is_flagged() {
    flagged(Flaw::MakesAgain, &["not made again"]);
}

#[test]
fn a_store_that_reads_documents_of_several_moments_is_flagged() {
    flagged(Flaw::ReadsTorn, &["one moment"]);
}

#[test]
fn a_store_that_loses_what_it_acknowledged_is_flagged() {
    flagged(Flaw::Loses, &["lose nothing"]);
}

#[test]
fn a_store_that_erases_nothing_is_flagged() {
    flagged(Flaw::Keeps, &["is gone"]);
}

#[test]
fn a_store_that_lets_others_between_is_flagged() {
    flagged(Flaw::IgnoresHead, &["last entry"]);
}
