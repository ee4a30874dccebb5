//! Histories of a register, and whether they are linearizable: whether each call seems to have been made at one moment between
//! its beginning and its end.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread;

use memdoc::memory::{Landed, Outcome, Version};
use memdoc::testing::change;
use memdoc::{DocName, Revision, Store};
use stateright::semantics::{ConsistencyTester as _, LinearizabilityTester, SequentialSpec};

/// What a document holds: which of the texts that are written, each once.
type Value = Option<u32>;

/// One document, as it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Register(Value);

/// What is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Read,
    Replace { expected: Value, new: u32 },
}

/// What it answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ret {
    Value(Value),
    Replaced,
    Conflict(Value),
    /// An error, or a lost answer that was settled so: nothing was changed.
    NotMade,
}

impl SequentialSpec for Register {
    type Op = Op;
    type Ret = Ret;

    fn invoke(&mut self, op: &Op) -> Ret {
        match op {
            Op::Read => Ret::Value(self.0),
            Op::Replace { expected, new } if *expected == self.0 => {
                self.0 = Some(*new);
                Ret::Replaced
            }
            Op::Replace { .. } => Ret::Conflict(self.0),
        }
    }

    fn is_valid_step(&mut self, op: &Op, ret: &Ret) -> bool {
        *ret == Ret::NotMade || self.invoke(op) == *ret
    }
}

const THREADS: usize = 4;
const CALLS: usize = 4;

fn words(value: u32) -> String {
    format!("- The number is {value}.\n")
}

/// Lets threads read and replace the document of a memory that has begun, each by a handle of its own, and checks the history.
pub fn check(open: &(dyn Fn() -> Box<dyn Store> + Sync)) -> Result<(), String> {
    let tester = Mutex::new(LinearizabilityTester::new(Register::default()));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let tester = &tester;
            scope.spawn(move || Caller { thread, tester, store: open(), lives: 0 }.work());
        }
    });
    let tester = tester.into_inner().unwrap();
    if tester.is_consistent() { Ok(()) } else { Err(format!("no order explains this history: {tester:#?}")) }
}

struct Caller<'a> {
    thread: usize,
    tester: &'a Mutex<LinearizabilityTester<usize, Register>>,
    store: Box<dyn Store>,
    /// How many of its calls have no answer: who waits for one makes no other call, so that another makes them.
    lives: usize,
}

impl Caller<'_> {
    fn work(&mut self) {
        let (mut version, mut value) = (Version::default(), None);
        for call in 0..CALLS {
            if call % 2 == 0 || value.is_none() {
                let Some(found) = self.read() else { continue };
                (version, value) = found;
            }
            let new = u32::try_from(self.thread * 100 + call).unwrap();
            self.replace(version, value, new);
        }
    }

    fn call(&mut self, op: Op, answer: impl FnOnce(&dyn Store) -> Option<Ret>) -> Option<Ret> {
        let id = self.thread + self.lives * THREADS;
        self.tester.lock().unwrap().on_invoke(id, op).unwrap();
        let answer = answer(&*self.store);
        match &answer {
            Some(ret) => drop(self.tester.lock().unwrap().on_return(id, ret.clone()).map(drop)),
            None => self.lives += 1,
        }
        answer
    }

    fn read(&mut self) -> Option<(Version, Value)> {
        let mut found = None;
        self.call(Op::Read, |store| {
            let Ok(read) = store.read(&[DocName::memory()]) else { return Some(Ret::NotMade) };
            let stored = &read.documents[0];
            let value = of(stored.version.revision);
            assert_eq!(stored.text.as_deref().map(str::to_owned), value.map(words));
            found = Some((stored.version, value));
            Some(Ret::Value(value))
        });
        found
    }

    fn replace(&mut self, version: Version, expected: Value, new: u32) {
        let op = Op::Replace { expected, new };
        self.call(op, |store| {
            let document = DocName::memory();
            let stored =
                memdoc::memory::Stored::new(document.clone(), expected.map(|value| words(value).into()), version);
            let head = store.head().ok();
            let Some(head) = head else { return Some(Ret::NotMade) };
            let seen = memdoc::memory::Snapshot::new(head, vec![stored]);
            let text = words(new);
            let change = change(&new.to_string(), &seen, &[(&document, Some(&text))]).unwrap();
            match store.commit(&change) {
                Ok(Outcome::Committed(_)) => Some(Ret::Replaced),
                Ok(Outcome::Conflict { found, .. }) => Some(Ret::Conflict(of(found.revision))),
                Ok(Outcome::Repeated(seq)) => panic!("a request that was made once was repeated: {seq}"),
                Err(_) => Some(Ret::NotMade),
                Ok(Outcome::Indeterminate(_)) => match store.landed(change.attempt, head.seq) {
                    Ok(Landed::At(_)) => Some(Ret::Replaced),
                    Ok(Landed::Not) => Some(Ret::NotMade),
                    Ok(Landed::Unknown) | Err(_) => None,
                },
            }
        });
    }
}

/// Returns the value of which this is the revision.
fn of(revision: Option<Revision>) -> Value {
    let all: BTreeMap<_, _> = (0..1000).map(|value| (Revision::of(&words(value)).to_string(), value)).collect();
    revision.map(|revision| all[&revision.to_string()])
}
