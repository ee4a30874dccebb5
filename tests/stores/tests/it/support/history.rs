//! Histories of a register, and whether they are linearizable: whether each call seems to have been made at one moment between
//! its beginning and its end.

use std::collections::BTreeMap;
use std::io::{BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::{Arc, Mutex};
use std::thread;

use memdoc::memory::{Landed, Outcome, Snapshot, Stored, Version};
use memdoc::testing::change;
use memdoc::{DocName, Revision, Store};
use serde::{Deserialize, Serialize};
use stateright::semantics::{ConsistencyTester as _, LinearizabilityTester, SequentialSpec};

use super::children::{self, Setup};

/// What a document holds: which of the texts that are written, each once.
type Value = Option<u32>;

/// One document, as it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Register(Value);

/// What is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    Read,
    Replace { expected: Value, new: u32 },
}

/// What it answers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

const CALLERS: usize = 4;
const CALLS: usize = 4;

fn words(value: u32) -> String {
    format!("- The number is {value}.\n")
}

/// What makes the calls of one caller; `None` if it cannot be known what became of one.
pub trait Hand: Send {
    fn answer(&mut self, op: &Op) -> Option<Ret>;
}

/// Returns the hands of callers that are threads, each with a handle of its own.
pub fn threads(open: &dyn Fn() -> Box<dyn Store>) -> Vec<Box<dyn Hand>> {
    (0..CALLERS).map(|_| Box::new(Local::new(open())) as _).collect()
}

/// Lets callers read and replace the document of a memory that has begun, all at once, and checks the history.
pub fn check(hands: Vec<Box<dyn Hand>>) -> Result<(), String> {
    let tester = Mutex::new(LinearizabilityTester::new(Register::default()));
    thread::scope(|scope| {
        for (number, hand) in hands.into_iter().enumerate() {
            let tester = &tester;
            scope.spawn(move || Caller { number, tester, hand, lives: 0 }.work());
        }
    });
    let tester = tester.into_inner().unwrap();
    if tester.is_consistent() { Ok(()) } else { Err(format!("no order explains this history: {tester:#?}")) }
}

struct Caller<'a> {
    number: usize,
    tester: &'a Mutex<LinearizabilityTester<usize, Register>>,
    hand: Box<dyn Hand>,
    /// How many of its calls have no answer: who waits for one makes no other call, so that another makes them.
    lives: usize,
}

impl Caller<'_> {
    fn work(&mut self) {
        let mut value = None;
        for call in 0..CALLS {
            if call % 2 == 0 || value.is_none() {
                let Some(Ret::Value(found)) = self.call(Op::Read) else { continue };
                value = found;
            }
            let new = u32::try_from(self.number * 100 + call).unwrap();
            if self.call(Op::Replace { expected: value, new }).is_none() {
                value = None;
            }
        }
    }

    /// A call lasts from before it is handed over until after it is answered: whatever is between, it was made at a moment of that.
    fn call(&mut self, op: Op) -> Option<Ret> {
        let id = self.number + self.lives * CALLERS;
        self.tester.lock().unwrap().on_invoke(id, op.clone()).unwrap();
        let answer = self.hand.answer(&op);
        match &answer {
            Some(ret) => drop(self.tester.lock().unwrap().on_return(id, ret.clone()).map(drop)),
            None => self.lives += 1,
        }
        answer
    }
}

/// A hand of this process.
struct Local {
    store: Box<dyn Store>,
    /// What it has read last.
    version: Version,
}

impl Local {
    fn new(store: Box<dyn Store>) -> Self {
        Self { store, version: Version::default() }
    }

    fn read(&mut self) -> Ret {
        let Ok(read) = self.store.read(&[DocName::memory()]) else { return Ret::NotMade };
        let stored = &read.documents[0];
        let value = of(stored.version.revision);
        assert_eq!(stored.text.as_deref().map(str::to_owned), value.map(words));
        self.version = stored.version;
        Ret::Value(value)
    }

    fn replace(&self, expected: Value, new: u32) -> Option<Ret> {
        let document = DocName::memory();
        let stored = Stored::new(document.clone(), expected.map(|value| words(value).into()), self.version);
        let Ok(head) = self.store.head() else { return Some(Ret::NotMade) };
        let (seen, text) = (Snapshot::new(head, vec![stored]), words(new));
        let change = change(&new.to_string(), &seen, &[(&document, Some(&text))]).unwrap();
        match self.store.commit(&change) {
            Ok(Outcome::Committed(_)) => Some(Ret::Replaced),
            Ok(Outcome::Conflict { found, .. }) => Some(Ret::Conflict(of(found.revision))),
            Ok(other @ (Outcome::Repeated(_) | Outcome::HeadMoved(_))) => {
                panic!("it was made once, on any head: {other:?}")
            }
            Err(_) => Some(Ret::NotMade),
            Ok(Outcome::Indeterminate(_)) => match self.store.landed(change.attempt, head.seq) {
                Ok(Landed::At(_)) => Some(Ret::Replaced),
                Ok(Landed::Not) => Some(Ret::NotMade),
                Ok(Landed::Unknown) | Err(_) => None,
            },
        }
    }
}

impl Hand for Local {
    fn answer(&mut self, op: &Op) -> Option<Ret> {
        match *op {
            Op::Read => Some(self.read()),
            Op::Replace { expected, new } => self.replace(expected, new),
        }
    }
}

/// Answers what comes in, where this process was started for that.
pub fn serve() {
    let Some(setup) = children::task::<Setup>() else { return };
    let mut hand = Local::new(setup.open());
    children::tell(&None::<Ret>);
    for line in std::io::stdin().lines().map_while(Result::ok) {
        children::tell(&hand.answer(&serde_json::from_str(&line).unwrap()));
    }
}

/// Processes that make the calls of a history.
#[derive(Default)]
pub struct Crew([Arc<Mutex<Option<Child>>>; CALLERS]);

impl Crew {
    /// Starts them, and returns the hands of callers that they are.
    pub fn hands(&self, setup: &Setup) -> Vec<Box<dyn Hand>> {
        let hand = |child: &Arc<_>| {
            let mut hand = Remote { child: Arc::clone(child), pipes: None, setup: setup.clone() };
            hand.start();
            Box::new(hand) as _
        };
        self.0.iter().map(hand).collect()
    }

    /// Kills one of them.
    pub fn kill(&self, number: usize) {
        if let Some(child) = &mut *self.0[number % CALLERS].lock().unwrap() {
            child.kill().unwrap();
        }
    }
}

/// The hand of a caller in another process.
struct Remote {
    child: Arc<Mutex<Option<Child>>>,
    pipes: Option<(ChildStdin, BufReader<ChildStdout>)>,
    setup: Setup,
}

impl Remote {
    /// Starts a process that has the store open, if there is none.
    fn start(&mut self) {
        while self.pipes.is_none() {
            let (mut child, from) = children::spawned("linearizable::a_child_answers", &self.setup);
            let from = self.pipes.insert((child.stdin.take().unwrap(), from));
            *self.child.lock().unwrap() = Some(child);
            if children::heard::<Option<Ret>>(&mut from.1).is_none() {
                self.end();
            }
        }
    }

    /// Asks the process; `None` if it is dead.
    fn ask(&mut self, op: &Op) -> Option<Option<Ret>> {
        let (to, from) = self.pipes.as_mut()?;
        let line = serde_json::to_string(op).unwrap() + "\n";
        to.write_all(line.as_bytes()).ok()?;
        children::heard(from)
    }

    /// Sees the process off: it ends when nobody asks any more, if it was not killed.
    fn end(&mut self) {
        if let Some((to, mut from)) = self.pipes.take() {
            drop(to);
            // Its test harness has something to say at its end.
            std::io::copy(&mut from, &mut std::io::sink()).unwrap();
        }
        let ended = self.child.lock().unwrap().take().map(|mut child| child.wait().unwrap());
        assert!(ended.is_none_or(|ended| ended.success() || ended.code().is_none()), "a process failed");
    }
}

impl Hand for Remote {
    fn answer(&mut self, op: &Op) -> Option<Ret> {
        self.start();
        let answer = self.ask(op);
        if answer.is_none() {
            self.end();
        }
        answer.flatten()
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the value of which this is the revision.
fn of(revision: Option<Revision>) -> Value {
    let all: BTreeMap<_, _> = (0..1000).map(|value| (Revision::of(&words(value)).to_string(), value)).collect();
    revision.map(|revision| all[&revision.to_string()])
}
