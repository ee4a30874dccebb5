//! [`conform`]: checks all rules for stores, each on a new memory, whose state is compared with that of an
//! [`InMemoryStore`].

use std::fmt;

use serde_json::Value;

use crate::memory::journal::{Body, Entry, EntryKind, Erased, Header, Runs, Salt, Seq, Verifier};
use crate::memory::{
    Actor, Change, Clock as _, DocName, DocumentChange, InMemoryStore, RequestId, Snapshot, Store, StoreError, Stored,
    SystemClock, random,
};
use crate::testing::rules::RULES;
use crate::text::Content;

/// The function that opens the memory with a name.
pub(super) type Opens<'a> = dyn Fn(&str) -> Box<dyn Store> + Sync + 'a;

/// How a store breaks a rule.
pub(super) type Broken = Box<dyn std::error::Error + Send + Sync>;

/// The result of checking a rule.
pub(super) type Checked<T = ()> = Result<T, Broken>;

/// A rule in words, and the function that checks it.
pub(super) type Rule = (&'static str, fn(&Subject<'_>) -> Checked);

/// A memory in the store under test, and a model: a memory in an [`InMemoryStore`] that gets the same calls. Both must
/// always give the same answers.
pub(super) struct Subject<'a> {
    pub(super) open: &'a Opens<'a>,
    memory: String,
    pub(super) store: Box<dyn Store>,
    pub(super) model: InMemoryStore,
    /// The documents that are compared, in the order of their names.
    pub(super) documents: [DocName; 3],
}

impl<'a> Subject<'a> {
    /// Begins the memory with this name.
    fn begin(open: &'a Opens<'a>, memory: String) -> Checked<Self> {
        let (store, model) = (open(&memory), InMemoryStore::new());
        store.begin()?;
        model.begin()?;
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

    /// Commits a change to the store and to the model. The outcomes must be the same, and of this kind.
    pub(super) fn commit(&self, kind: &str, change: &Change) -> Checked {
        let outcomes = [self.store.commit(change)?, self.model.commit(change)?];
        let [outcome, expected] = outcomes.map(|outcome| format!("{outcome:?}"));
        expect("what became of a commit", &outcome, &expected)?;
        expect("whether that is right", &outcome.starts_with(kind), &true)?;
        self.check()
    }

    /// Writes documents, based on their current state, and returns the number of the entry.
    pub(super) fn write(&self, called: &str, wanted: &[Wanted<'_>]) -> Checked<Seq> {
        self.commit("Committed", &change(called, &self.seen()?, wanted)?)?;
        Ok(self.store.head()?.seq)
    }

    /// Checks that a change based on an outdated snapshot is a conflict.
    pub(super) fn refuses(&self, seen: &Snapshot, wanted: &[Wanted<'_>]) -> Checked {
        self.commit("Conflict", &change("late", seen, wanted)?.looked_to(self.store.head()?.seq))
    }

    /// Compares the state of the store, through this handle and through a new one, with the model.
    pub(super) fn check(&self) -> Checked {
        let expected = self.view(&self.model)?;
        let handles = [&self.store, &self.opened()];
        handles.iter().try_for_each(|store| expect("what is seen", &self.view(&***store)?, &expected))
    }

    /// Returns the state of a store: heads, documents, revisions and entries.
    fn view(&self, store: &dyn Store) -> Checked<impl PartialEq + fmt::Debug + use<'a>> {
        let Snapshot { head, documents } = store.read(&self.documents)?;
        let entries = store.entries(Seq::FIRST, usize::MAX)?;
        let row = |entry: &Entry| (entry.header().clone(), entry.body().cloned(), entry.request(), entry.has_lookup());
        // The first entry is different in each memory.
        let entries: Vec<_> = entries.iter().skip(1).map(row).collect();
        Ok((head.seq, store.head()?.seq, documents, store.revisions(None, usize::MAX)?, entries))
    }

    /// Calls both the store and the model, and compares their answers.
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

/// Checks the journal: the chain of hashes, the head, that lines and entries are the same, and that each document has
/// the revision of its last entry.
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
    let written: Vec<_> =
        store.entries(Seq::FIRST, usize::MAX)?.iter().map(|entry| entry.to_line().into_bytes()).collect();
    expect("whether entries and lines are the same", &(written == lines), &true)?;
    expect("the head", &store.head()?, &verified.head)
}

/// A rule that a store breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The rule in words.
    pub rule: &'static str,
    /// How the store breaks it.
    pub what: String,
}

/// The rules that a store breaks: at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Iterates over the violations.
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

/// Checks every rule for stores, each on a memory of its own. `open` opens the memory with a name, which is empty at
/// first. It is called several times for each name.
///
/// It takes a few hundred commits, some of them by four threads at once.
///
/// # Errors
///
/// The rules that the store breaks.
pub fn conform<O>(open: O) -> Result<(), Violations>
where
    O: Fn(&str) -> Box<dyn Store> + Sync,
{
    let open: &Opens = &open;
    let broken = RULES.iter().zip(1..).filter_map(|((rule, check), number)| {
        let checked = Subject::begin(open, format!("rule-{number}")).and_then(|subject| {
            check(&subject)?;
            check_journal(&*subject.opened())
        });
        let what = checked.err()?.to_string();
        Some(Violation { rule, what })
    });
    let violations = Violations(broken.collect());
    if violations.0.is_empty() { Ok(()) } else { Err(violations) }
}

/// A document and its new text; `None` deletes it.
pub type Wanted<'a> = (&'a DocName, Option<&'a str>);

/// Returns the ID of a request with this name. The same name gives the same ID.
pub fn request(called: &str) -> RequestId {
    RequestId::new("testing", &Value::from(called))
}

/// Returns the change, with one entry, that gives documents these texts. It expects each document at its version in
/// `snapshot`. Each call returns another attempt of the request `called`. Without documents, the entry changes none.
///
/// # Errors
///
/// The system has no random bytes.
pub fn change(called: &str, snapshot: &Snapshot, wanted: &[Wanted<'_>]) -> Result<Change, StoreError> {
    redaction(called, snapshot, wanted, &[])
}

/// Returns a change that also erases the content of the entries with these numbers.
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
