//! What the tests share: one server for all that do not stop it, changes of one document, histories.

pub mod children;
pub mod history;
pub mod proxy;

use std::sync::OnceLock;

use memdoc::memory::{Change, Outcome};
use memdoc::testing::change;
use memdoc::{DocName, Store};
use memdoc_stores::Cluster;

/// Returns by how much the rounds of a long test are multiplied: what the environment variable `MEMDOC_SOAK` says.
pub fn soak() -> usize {
    std::env::var("MEMDOC_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

/// Returns the server that all share; none where there is no PostgreSQL.
pub fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(|| Cluster::start(&["fsync = off"])).as_ref()
}

/// Begins the journal, as soon as the server answers.
pub fn begun<S: Store>(store: S) -> S {
    while store.begin().is_err() {}
    store
}

/// Makes the change by which the document gets a text, from what it is now.
pub fn wanted(store: &dyn Store, called: &str, text: &str) -> Change {
    let document = DocName::memory();
    let seen = store.read(std::slice::from_ref(&document)).unwrap();
    change(called, &seen, &[(&document, Some(text))]).unwrap()
}

/// Gives the document a text.
pub fn written(store: &dyn Store, called: &str, text: &str) {
    let outcome = store.commit(&wanted(store, called, text)).unwrap();
    assert!(matches!(outcome, Outcome::Committed(_)), "{outcome:?}");
}

/// Returns the text of the document.
pub fn text(store: &dyn Store) -> String {
    let read = store.read(&[DocName::memory()]).unwrap();
    read.documents[0].text.as_deref().unwrap_or_default().to_owned()
}
