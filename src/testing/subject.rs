//! [`conform`]: all rules, one after the other, each on a memory of its own, which is compared with one of the store in
//! memory.

use std::fmt;

use serde_json::Value;

use crate::memory::journal::{Body, Entry, EntryKind, Erased, Header, Runs, Salt, Seq, Verifier};
use crate::memory::{
    Actor, Change, Clock as _, DocName, DocumentChange, EntryQuery, InMemoryStore, RequestId, Snapshot, Store,
    StoreError, Stored, SystemClock, random,
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

/// A memory in the store that is looked at, and beside it the one in memory, which is asked for the same: what is seen
/// of the two must be the same.
pub(super) struct Subject<'a> {
    pub(super) open: &'a Opens<'a>,
    memory: String,
    pub(super) store: Box<dyn Store>,
    pub(super) model: InMemoryStore,
    /// The documents that are looked at, in the order of their names.
    pub(super) documents: [DocName; 3],
}

impl<'a> Subject<'a> {
    /// Begins the memory of this name.
    fn begun(open: &'a Opens<'a>, memory: String) -> Checked<Self> {
        let (store, model) = (open(&memory), InMemoryStore::new());
        store.begin(&Digest::of(b"policy"))?;
        model.begin(&Digest::of(b"policy"))?;
        let documents = [DocName::memory(), "other".parse()?, "people/Über mich".parse()?];
        Ok(Self { open, memory, store, model, documents })
    }

    /// Opens another handle.
    pub(super) fn opened(&self) -> Box<dyn Store> {
        (self.open)(&self.memory)
    }

    pub(super) fn seen(&self) -> Checked<Snapshot> {
        Ok(self.store.read(&self.documents)?)
    }

    /// Asks both for a commit. What becomes of it must be the same, and of this kind.
    pub(super) fn commit(&self, kind: &str, change: &Change) -> Checked {
        let outcomes = [self.store.commit(change)?, self.model.commit(change)?];
        let [outcome, expected] = outcomes.map(|outcome| format!("{outcome:?}"));
        expect("what became of a commit", &outcome, &expected)?;
        expect("whether that is right", &outcome.starts_with(kind), &true)?;
        self.check()
    }

    /// Changes documents from what they are now, and returns the number of the entry.
    pub(super) fn write(&self, called: &str, wanted: &[Wanted<'_>]) -> Checked<Seq> {
        self.commit("Committed", &change(called, &self.seen()?, wanted)?)?;
        Ok(self.store.head()?.seq)
    }

    /// Checks that a change based on a snapshot that is outdated is a conflict.
    pub(super) fn refuses(&self, seen: &Snapshot, wanted: &[Wanted<'_>]) -> Checked {
        self.commit("Conflict", &change("late", seen, wanted)?.looked_to(self.store.head()?.seq))
    }

    /// Compares what is seen by this handle, and by another.
    pub(super) fn check(&self) -> Checked {
        let expected = self.view(&self.model)?;
        let handles = [&self.store, &self.opened()];
        handles.iter().try_for_each(|store| expect("what is seen", &self.view(&***store)?, &expected))
    }

    /// Returns what is seen of a store.
    fn view(&self, store: &dyn Store) -> Checked<impl PartialEq + fmt::Debug + use<'a>> {
        let Snapshot { head, documents } = store.read(&self.documents)?;
        let entries = store.entries(&ALL)?;
        let told = |entry: &Entry| (entry.header().clone(), entry.body().cloned(), entry.request(), entry.has_lookup());
        // The first entry differs from memory to memory.
        let entries: Vec<_> = entries.iter().skip(1).map(told).collect();
        Ok((head.seq, store.head()?.seq, documents, store.revisions(None, usize::MAX)?, entries))
    }

    /// Asks both, and compares what they say.
    pub(super) fn same<T>(&self, what: &str, ask: impl Fn(&dyn Store) -> Result<T, StoreError>) -> Checked
    where
        T: PartialEq + fmt::Debug,
    {
        expect(what, &ask(&*self.store)?, &ask(&self.model)?)
    }
}

/// Returns an error unless `found` is as expected.
pub(super) fn expect<T: PartialEq + fmt::Debug>(what: &str, found: &T, expected: &T) -> Checked {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: expected {expected:?}, found {found:?}").into()),
    }
}

/// All entries.
pub(super) const ALL: EntryQuery<'static> = EntryQuery::From { seq: Seq::FIRST, limit: usize::MAX };

/// Checks the journal: the chain, the head, that its lines are its entries, and that each document is what its last
/// entry made.
fn check_journal(store: &dyn Store) -> Checked {
    let (mut verifier, mut lines) = (Verifier::new(), Vec::new());
    store.scan(&mut |line| {
        verifier.line(line);
        lines.push(line.to_vec());
    })?;
    let mut verified = verifier.finish();
    for (name, revision) in store.revisions(None, usize::MAX)? {
        verified.findings.extend(verified.compare(&name, Some(revision)));
    }
    verified.findings.retain(|finding| !finding.problem.is_notice());
    expect("what is wrong with the journal", &verified.findings, &Vec::new())?;
    let written: Vec<_> = store.entries(&ALL)?.iter().map(|entry| entry.to_line().into_bytes()).collect();
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
        let checked = Subject::begun(open, format!("rule-{number}")).and_then(|subject| {
            check(&subject)?;
            check_journal(&*subject.opened())
        });
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
    redaction(called, snapshot, wanted, &[])
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
    let kind = if runs.is_empty() { EntryKind::Edit } else { EntryKind::Redaction };
    let header =
        Header { erased: Erased { bodies: runs.clone(), lookups: runs }, ..Header::new(kind, Actor::default()) };
    let change = |(name, text): &Wanted<'_>| {
        DocumentChange::between(snapshot.of(name).unwrap_or(&Stored::missing(name)), text.map(Content::from))
    };
    let documents = wanted.iter().map(change).collect();
    Ok(Change::new(request(called), header, Body::new(Salt::new(random::bytes()?)), documents)?
        .at(SystemClock.now())
        .looked_to(snapshot.head.seq))
}
