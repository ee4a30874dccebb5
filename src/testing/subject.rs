//! [`Subject`]: a memory in the store that is looked at, and what is asked of it again and again.

use crate::memory::journal::{Entry, Seq, Verifier};
use crate::memory::{Change, DocName, EntryQuery, Outcome, Snapshot, Store};
use crate::text::Digest;

use super::change::{Wanted, change};

/// What opens the memory of a name.
pub(super) type Opens<'a> = dyn Fn(&str) -> Box<dyn Store> + Sync + 'a;

/// What was found instead of what the rule says.
pub(super) type Broken = Box<dyn std::error::Error + Send + Sync>;

/// What checking a rule comes to.
pub(super) type Checked<T = ()> = Result<T, Broken>;

/// A rule, in words, and what checks it.
pub(super) type Rule = (&'static str, fn(&Subject<'_>) -> Checked);

/// A memory in the store that is looked at.
pub(super) struct Subject<'a> {
    pub(super) open: &'a Opens<'a>,
    pub(super) memory: String,
}

impl Subject<'_> {
    /// Opens a handle of the memory, as it is.
    pub(super) fn opened(&self) -> Box<dyn Store> {
        (self.open)(&self.memory)
    }

    /// Opens a handle, and begins the journal.
    pub(super) fn begun(&self) -> Checked<Box<dyn Store>> {
        let store = self.opened();
        store.begin(&Digest::of(b"policy"))?;
        Ok(store)
    }
}

/// Breaks the rule, unless something is as expected.
pub(super) fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Checked {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected:?}, found {found:?}").into()),
    }
}

/// Returns the name of a document.
pub(super) fn name(name: &str) -> Checked<DocName> {
    Ok(name.parse()?)
}

/// Reads documents.
pub(super) fn snapshot(store: &dyn Store, wanted: &[Wanted<'_>]) -> Checked<Snapshot> {
    let names: Vec<_> = wanted.iter().map(|(name, _)| (*name).clone()).collect();
    let read = store.read(&names)?;
    let found: Vec<_> = read.documents.iter().map(|stored| stored.name.clone()).collect();
    expect("the names of the documents that were read", &found, &names)?;
    Ok(read)
}

/// Returns the text of a document.
pub(super) fn text(store: &dyn Store, document: &DocName) -> Checked<Option<String>> {
    let read = snapshot(store, &[(document, None)])?;
    Ok(read.of(document).and_then(|stored| stored.text.as_deref()).map(str::to_owned))
}

/// Makes a change that must be committed, and returns its entry.
pub(super) fn commit(store: &dyn Store, change: &Change) -> Checked<Seq> {
    match store.commit(change)? {
        Outcome::Committed(made) => Ok(made),
        other => Err(format!("expected a commit to be made, found {other:?}").into()),
    }
}

/// Changes documents from what they are now.
pub(super) fn write(store: &dyn Store, called: &str, wanted: &[Wanted<'_>]) -> Checked<Seq> {
    commit(store, &change(called, &snapshot(store, wanted)?, wanted)?)
}

/// Returns all entries.
pub(super) fn entries(store: &dyn Store) -> Checked<Vec<Entry>> {
    Ok(store.entries(&EntryQuery::From { seq: Seq::FIRST, limit: usize::MAX })?)
}

/// Checks the journal: the chain, the head, and that its lines are its entries and its documents what their last entries made.
pub(super) fn check_journal(store: &dyn Store) -> Checked {
    let (mut verifier, mut lines, mut findings) = (Verifier::new(), Vec::new(), Vec::new());
    store.scan(&mut |line| {
        findings.extend(verifier.line(line));
        lines.push(line.to_vec());
    })?;
    let verified = verifier.finish();
    findings.extend(verified.findings.iter().cloned());
    for (name, revision) in store.revisions(None, usize::MAX)? {
        findings.extend(verified.compare(&name, Some(revision)));
    }
    findings.retain(|finding| !finding.problem.is_notice());
    expect("what is wrong with the journal", &findings, &Vec::new())?;
    let written: Vec<_> = entries(store)?.iter().map(|entry| entry.to_line().into_bytes()).collect();
    expect("whether entries and lines are the same", &(written == lines), &true)?;
    expect("the head", &store.head()?, &verified.head)
}
