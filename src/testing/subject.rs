//! [`conform`]: all rules, one after the other, each on a memory of its own.

use std::fmt;

use serde_json::Value;

use crate::memory::journal::{Body, Entry, EntryKind, Erased, Header, Runs, Salt, Seq, Verifier};
use crate::memory::{
    Actor, Change, Clock as _, DocName, DocumentChange, EntryQuery, Outcome, RequestId, Snapshot, Store, StoreError,
    Stored, SystemClock, random,
};
use crate::testing::rules::RULES;
use crate::text::{Content, Digest};

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

/// Returns an error unless `found` is as expected.
pub(super) fn expect<T: PartialEq + fmt::Debug>(what: &str, found: &T, expected: &T) -> Checked {
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

/// Changes documents from what they are now.
pub(super) fn write(store: &dyn Store, called: &str, wanted: &[Wanted<'_>]) -> Checked {
    match store.commit(&change(called, &snapshot(store, wanted)?, wanted)?)? {
        Outcome::Committed(_) => Ok(()),
        other => Err(format!("expected a commit to be made, found {other:?}").into()),
    }
}

/// Returns all entries.
pub(super) fn entries(store: &dyn Store) -> Checked<Vec<Entry>> {
    Ok(store.entries(&EntryQuery::From { seq: Seq::FIRST, limit: usize::MAX })?)
}

/// Checks the journal: the chain, the head, that its lines are its entries, and that each document is what its last
/// entry made.
fn check_journal(store: &dyn Store) -> Checked {
    let (mut verifier, mut lines) = (Verifier::new(), Vec::new());
    store.scan(&mut |line| {
        verifier.line(line);
        lines.push(line.to_vec());
    })?;
    let verified = verifier.finish();
    let mut findings = verified.findings.clone();
    for (name, revision) in store.revisions(None, usize::MAX)? {
        findings.extend(verified.compare(&name, Some(revision)));
    }
    findings.retain(|finding| !finding.problem.is_notice());
    expect("what is wrong with the journal", &findings, &Vec::new())?;
    let written: Vec<_> = entries(store)?.iter().map(|entry| entry.to_line().into_bytes()).collect();
    expect("whether entries and lines are the same", &(written == lines), &true)?;
    expect("the head", &store.head()?, &verified.head)
}

/// A rule that a store does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// What was found instead.
    pub what: String,
}

/// The rules that a store does not keep: at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Iterates over them.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store does not keep {} of the rules", self.0.len())?;
        self.0.iter().try_for_each(|Violation { rule, what }| write!(f, "\n- {rule}: {what}"))
    }
}

impl std::error::Error for Violations {}

/// Holds a store to every rule, each on a memory of its own. `open` opens the memory of a name, which is empty at first; it is
/// called more than once for each.
///
/// It takes a few hundred commits, some of them by four threads at once.
///
/// # Errors
///
/// The rules that the store does not keep.
pub fn conform<O>(open: O) -> Result<(), Violations>
where
    O: Fn(&str) -> Box<dyn Store> + Sync,
{
    let open: &Opens = &open;
    let broken = RULES.iter().zip(1..).filter_map(|((rule, check), number)| {
        let subject = Subject { open, memory: format!("rule-{number}") };
        let checked = check(&subject).and_then(|()| check_journal(&*subject.opened()));
        let what = checked.err()?.to_string();
        Some(Violation { rule, what })
    });
    let violations = Violations(broken.collect());
    if violations.0.is_empty() { Ok(()) } else { Err(violations) }
}

/// A document, and the text that it gets; `None` deletes it.
pub type Wanted<'a> = (&'a DocName, Option<&'a str>);

/// Returns the ID of the request of this name: the same name, the same ID.
pub fn request(called: &str) -> RequestId {
    RequestId::new("testing", &Value::from(called))
}

/// Returns the change, with one entry, that gives documents these texts. Each document must be at its version in
/// `snapshot`. Each call makes another attempt. Without documents, the entry changes none.
///
/// # Errors
///
/// The system has no random bytes.
pub fn change(called: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>]) -> Result<Change, StoreError> {
    changed(called, snapshot, wanted, Erased::default())
}

/// Makes a change that erases what the entries of these numbers say.
///
/// # Errors
///
/// The system has no random bytes.
pub fn redaction(
    called: &str,
    snapshot: &Snapshot,
    wanted: &[Wanted<'_>],
    entries: &[Seq],
) -> Result<Change, StoreError> {
    let runs = entries.iter().copied().collect::<Runs>();
    changed(called, snapshot, wanted, Erased { bodies: runs.clone(), lookups: runs })
}

fn changed(called: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>], erased: Erased) -> Result<Change, StoreError> {
    let kind = if erased.is_empty() { EntryKind::Edit } else { EntryKind::Redaction };
    let header = Header { erased, ..Header::new(kind, Actor::default()) };
    let change = |(name, text): &Wanted<'_>| {
        DocumentChange::between(snapshot.of(name).unwrap_or(&Stored::missing(name)), text.map(Content::from))
    };
    let documents = wanted.iter().map(change).collect();
    Ok(Change::new(request(called), header, Body::new(Salt::new(random::bytes()?)), documents)?
        .at(SystemClock.now())
        .looked_to(snapshot.head.seq))
}
