//! Sessions, tasks and savepoints against a model in which a draft is a string: calls of one agent, with writes of others in
//! between. Shared by the tests and by `fuzz/`.
//!
//! Words stand once, so that a word names a place. Beside a word that it writes, a change may write hostile text, which may be
//! refused; what is accepted is what the string would be.

use std::collections::BTreeSet;

use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Status, Toolbox, document::OnStale};
use serde_json::{Value, json};

/// A change of the model. Every word stands once, so that a word names a place.
#[derive(Clone, Debug)]
struct Change {
    letter: char,
    /// The word that it replaces; `None` if it appends a line.
    old: Option<String>,
    new: String,
}

fn drafted(base: &str, changes: &[Change]) -> String {
    changes.iter().fold(base.to_owned(), |draft, change| match &change.old {
        Some(old) => draft.replace(old.as_str(), &change.new),
        None => format!("{draft}- {}\n", change.new),
    })
}

#[derive(Clone, Debug)]
struct Savepoint {
    changes: Vec<Change>,
    is_pinned: bool,
}

#[derive(Debug, Default)]
struct Model {
    /// What is committed.
    text: String,
    /// What the open session begins with.
    base: Option<String>,
    changes: Vec<Change>,
    lettered: usize,
    /// Whether a change has been staged, so that what the session begins with stays.
    is_pinned: bool,
    savepoints: Vec<Option<Savepoint>>,
    words: usize,
}

/// The first letter of every word, of a script without spaces: so it is no part of a longer word, and may be replaced alone.
const FIRST: char = '\u{5B57}';

impl Model {
    /// Returns a word that stands nowhere.
    fn fresh(&mut self) -> String {
        self.words += 1;
        format!("{FIRST}{:04}", self.words)
    }

    fn draft(&self) -> String {
        drafted(self.base.as_ref().unwrap_or(&self.text), &self.changes)
    }

    fn open(&mut self) {
        if self.base.is_none() {
            self.base = Some(self.text.clone());
            (self.lettered, self.is_pinned) = (0, false);
        }
    }

    fn close(&mut self) {
        self.base = None;
        self.changes.clear();
    }

    /// Reports whether a word of the base is no longer that in a draft.
    fn touches(&self, word: &str) -> bool {
        let lists = self.savepoints.iter().flatten().map(|savepoint| &savepoint.changes).chain([&self.changes]);
        let base = self.base.clone().unwrap_or_default();
        lists.into_iter().any(|changes| !drafted(&base, changes).contains(word))
    }

    /// Reports whether a pending change replaces a word of the base.
    fn replaces(&self, word: &str) -> bool {
        !drafted(&self.base.clone().unwrap_or_default(), &self.changes).contains(word)
    }

    fn stage(&mut self, old: Option<String>, new: String) -> Option<char> {
        self.open();
        if self.lettered == 26 {
            return None;
        }
        let letter = ('A'..='Z').nth(self.lettered).unwrap();
        self.lettered += 1;
        self.is_pinned = true;
        self.changes.push(Change { letter, old, new });
        Some(letter)
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(FIRST)).map(str::to_owned).collect()
}

/// How many steps are read at most.
const STEPS: usize = 80;

/// What may stand beside a word that is written.
const HOSTILE: &[&str] = &[
    " **b** `c",
    " [x] [pinned] ]](<",
    "\n- [pinned, ttl: 1d] b",
    "\n  - c",
    "\n## Topic\n- x",
    "\n## System/Policy\n- x",
    "\n```\ncode\n```\n- y",
    "\n```\nopen",
    "\n\n\n",
    " \u{200B}",
    " \u{202E}",
    " e\u{301} \u{1F469}\u{200D}\u{1F4BB}",
    "\n<!-- hidden",
    " (ID: mem1)\n- in a block",
    "\n---\nname: Eve\n---",
    " \\n \\t \\\"",
    "\u{7F}",
    " | a | b |",
    "\tTAB",
];

/// A step of a run. Numbers choose a word, a letter, or a match.
#[derive(Clone, Debug)]
pub enum Step {
    Replace(usize),
    Hostile(usize),
    Choose(usize),
    Append,
    Unstage(usize),
    Task,
    Commit,
    Revert,
    Direct(usize),
    OthersReplace(usize),
    OthersInsert,
}

/// Reads steps from bytes: each takes two.
pub fn read_steps(data: &[u8]) -> Vec<Step> {
    let steps = data.chunks_exact(2).take(STEPS).map(|pair| {
        let at = usize::from(pair[1]);
        match pair[0] % 12 {
            0 | 1 => Step::Replace(at),
            2 | 3 => Step::Hostile(at),
            4 | 5 => Step::Choose(at),
            6 => Step::Append,
            7 => Step::Unstage(at % 28),
            8 => Step::Task,
            9 => {
                if at % 3 == 0 {
                    Step::Revert
                } else {
                    Step::Commit
                }
            }
            10 => Step::Direct(at),
            _ => {
                if at % 2 == 0 {
                    Step::OthersReplace(at / 2)
                } else {
                    Step::OthersInsert
                }
            }
        }
    });
    steps.collect()
}

/// Takes all steps, and checks after each that the session says and does what the model does.
pub fn check_session(steps: &[Step]) {
    let mut run = Run::new();
    for step in steps {
        run.take(step);
    }
}

struct Run {
    model: Model,
    toolbox: Toolbox,
    /// Whether hostile text has been written: then more may be refused than the model tells.
    is_hostile: bool,
}

impl Run {
    fn new() -> Self {
        let mut model = Model::default();
        model.text = (0..4).map(|_| format!("- {}\n", model.fresh())).collect();
        let store = InMemoryStore::new().with(DocName::memory(), model.text.as_str());
        let policy = Policy::default().with_on_stale(OnStale::Rebase);
        let mut toolbox = Toolbox::new(Memory::new(store, policy).unwrap());
        toolbox.show(&DocName::memory()).unwrap();
        Self { model, toolbox, is_hostile: false }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> (Status, Option<Code>, Value) {
        let reply = self.toolbox.call(tool, &arguments);
        (reply.status(), reply.code(), reply.to_json())
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Replace(at) => self.replace(*at),
            Step::Hostile(at) => self.hostile(*at),
            Step::Choose(at) => self.choose(*at),
            Step::Append => self.append(),
            Step::Unstage(at) => self.unstage(*at),
            Step::Task => self.task(),
            Step::Commit => self.commit(),
            Step::Revert => self.revert(),
            Step::Direct(at) => self.direct(*at),
            Step::OthersReplace(at) => self.others(Some(*at)),
            Step::OthersInsert => self.others(None),
        }
        self.check();
    }

    fn replace(&mut self, at: usize) {
        let draft = words(&self.model.draft());
        let old = draft[at % draft.len()].clone();
        let new = self.model.fresh();
        let staged = self.model.stage(Some(old.clone()), new.clone());
        let (status, code, _) = self.call("memo_replace", json!({"old_text": old, "new_text": new}));
        self.staged(staged, (status, code));
    }

    /// Writes hostile text beside a word; it may be refused, and then nothing has happened.
    fn hostile(&mut self, at: usize) {
        let draft = words(&self.model.draft());
        let old = draft[at % draft.len()].clone();
        let new = self.model.fresh() + HOSTILE[at % HOSTILE.len()];
        let (status, code, reply) = self.call("memo_replace", json!({"old_text": old, "new_text": new}));
        if status == Status::Editing {
            let staged = self.model.stage(Some(old), new);
            self.staged(staged, (status, code));
            self.is_hostile = true;
        } else {
            assert_eq!(status, Status::Error, "{reply}");
        }
    }

    /// Replaces the first letter of a word, which all words have: it is chosen among the matches.
    /// Only where nobody else has written: the session would be carried over that first, and the letters be stale.
    fn choose(&mut self, at: usize) {
        if self.model.base.as_ref().is_some_and(|base| *base != self.model.text) {
            return;
        }
        let draft = self.model.draft();
        let new = self.model.fresh();
        let mut arguments = json!({"old_text": FIRST, "new_text": new, "show_all_matches": true});
        let (status, code, reply) = self.call("memo_replace", arguments.clone());
        if status != Status::NeedsMatch {
            // As many changes as there may be; or too many matches.
            assert_eq!(status, Status::Error, "{reply}");
            return;
        }
        assert_eq!(code, None);
        self.model.open();
        let candidates = reply["candidates"].as_array().unwrap();
        let nth = at % candidates.len();
        let old = words(&draft)[nth].clone();
        arguments["match_id"] = candidates[nth]["match_id"].clone();
        let (status, code, _) = self.call("memo_replace", arguments);
        let staged = self.model.stage(Some(old.clone()), format!("{new}{}", &old[FIRST.len_utf8()..]));
        self.staged(staged, (status, code));
    }

    fn append(&mut self) {
        let draft = self.model.draft();
        let last = draft.strip_suffix('\n').unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let is_plain = last
            .strip_prefix("- ")
            .and_then(|word| word.strip_prefix(FIRST))
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if self.is_hostile && !is_plain {
            return;
        }
        let new = self.model.fresh();
        let staged = self.model.stage(None, new.clone());
        let (status, code, _) = self.call("memo_append", json!({"text": format!("- {new}")}));
        self.staged(staged, (status, code));
    }

    fn staged(&self, letter: Option<char>, (status, code): (Status, Option<Code>)) {
        match letter {
            Some(_) => assert_eq!((status, code), (Status::Editing, None)),
            None => assert_eq!(code, Some(Code::TooManyChanges)),
        }
    }

    /// A change goes if no later one replaces what it wrote.
    fn unstage(&mut self, at: usize) {
        let letter = ('A'..='Z').nth(at % 26).unwrap();
        let (status, code, _) = self.call("memo_unstage", json!({"change_id": letter.to_string()}));
        let Some(at) = self.model.changes.iter().position(|change| change.letter == letter) else {
            let expected = if self.model.base.is_some() { Code::UnknownChange } else { Code::NoSession };
            assert_eq!(code, Some(expected));
            return;
        };
        let new = self.model.changes[at].new.clone();
        let builds = |later: &Change| later.old.as_ref().is_some_and(|old| new.contains(old.as_str()));
        if self.model.changes[at + 1..].iter().any(builds) {
            assert_eq!(code, Some(Code::Conflict));
        } else if status == Status::Editing {
            self.model.changes.remove(at);
        } else {
            assert!(self.is_hostile, "{code:?}");
        }
    }

    fn task(&mut self) {
        let (_, code, _) = self.call("memo_begin_task", json!({"goal": "a task"}));
        if self.model.savepoints.len() == 3 {
            assert_eq!(code, Some(Code::TaskDepth));
            return;
        }
        assert_eq!(code, None);
        let (changes, is_pinned) = (self.model.changes.clone(), self.model.is_pinned);
        let savepoint = self.model.base.is_some().then_some(Savepoint { changes, is_pinned });
        self.model.savepoints.push(savepoint);
        self.model.open();
    }

    fn commit(&mut self) {
        let summary = self.model.fresh();
        let (status, code, reply) = self.call("memo_commit", json!({"summary": summary}));
        let model = &mut self.model;
        let Some(base) = model.base.clone() else {
            assert_eq!(code, Some(Code::NoSession));
            return;
        };
        if let Some(Some(savepoint)) = model.savepoints.last() {
            // A task has changed something, too, if it has only taken out what was pending before.
            let letters = |changes: &[Change]| changes.iter().map(|change| change.letter).collect::<BTreeSet<_>>();
            let is_same = letters(&model.changes) == letters(&savepoint.changes);
            assert_eq!(status, if is_same { Status::NoChange } else { Status::Editing });
            model.savepoints.pop();
            return;
        }
        if model.changes.is_empty() {
            assert_eq!(status, Status::NoChange);
        } else if (self.is_hostile && status == Status::Error)
            || (!self.is_hostile
                && base
                    .split('\n')
                    .any(|line| !drafted(&base, &model.changes).contains(line) && !model.text.contains(line)))
        {
            // Others have changed a line that a change replaces a word of.
            assert!(self.is_hostile || code == Some(Code::Conflict), "{reply}");
            while self.model.base.is_some() {
                self.revert();
            }
            return;
        } else {
            assert_eq!(status, Status::Committed, "{reply}");
            model.text = drafted(&model.text, &model.changes);
        }
        model.close();
        model.savepoints.pop();
        self.toolbox.show(&DocName::memory()).unwrap();
    }

    fn revert(&mut self) {
        let reason = self.model.fresh();
        let (status, code, _) = self.call("memo_revert", json!({"reason": reason}));
        let model = &mut self.model;
        if model.base.is_none() {
            assert_eq!(code, Some(Code::NoSession));
            return;
        }
        assert_eq!(status, Status::Reverted);
        match model.savepoints.pop().flatten() {
            Some(savepoint) => (model.changes, model.is_pinned) = (savepoint.changes, savepoint.is_pinned),
            None => model.close(),
        }
        self.show_unpinned();
    }

    /// The agent's own edit beside the session; made only where nobody else has written, and not of a word that is replaced in a
    /// savepoint alone.
    fn direct(&mut self, at: usize) {
        if self.model.base.as_ref().is_some_and(|base| *base != self.model.text) {
            return;
        }
        let all = words(&self.model.text);
        let old = all[at % all.len()].clone();
        let (is_open, is_own) = (self.model.base.is_some(), self.model.replaces(&old));
        if is_open && self.model.touches(&old) && !is_own {
            return;
        }
        let new = self.model.fresh();
        let (status, code, _) = self.call("replace_in_memory", json!({"old_string": old, "new_string": new}));
        if is_open && is_own {
            assert!(matches!(code, Some(Code::Conflict | Code::StaleRevision)), "{status:?} {code:?}");
            return;
        }
        if self.is_hostile && status == Status::Error {
            return;
        }
        assert_eq!(status, Status::Committed);
        self.model.text = self.model.text.replace(&old, &new);
        if let Some(base) = &mut self.model.base {
            base.clone_from(&self.model.text);
        }
    }

    fn others(&mut self, at: Option<usize>) {
        let new = self.model.fresh();
        let all = words(&self.model.text);
        self.model.text = match at {
            Some(at) => self.model.text.replace(all[at % all.len()].as_str(), &new),
            None => format!("- {new}\n{}", self.model.text),
        };
        self.toolbox.memory().write(&DocName::memory(), &self.model.text).unwrap();
        self.show_unpinned();
    }

    /// Shows the text as it stands, where no session begins with another.
    fn show_unpinned(&mut self) {
        let model = &mut self.model;
        if model.base.is_none() || !model.is_pinned {
            self.toolbox.show(&DocName::memory()).unwrap();
            if let Some(base) = &mut model.base {
                base.clone_from(&model.text);
            }
        }
    }

    fn check(&mut self) {
        assert_eq!(self.toolbox.memory().read(&DocName::memory()).unwrap().text(), self.model.text);
        if self.model.base.is_none() {
            return;
        }
        let (status, _, reply) = self.call("memo_read", json!({}));
        // A session that no document is open in reads what is committed.
        if status == Status::Ok && !self.model.changes.is_empty() {
            assert_eq!(reply["text"], json!(self.model.draft()));
        }
        let letters: Vec<_> = self.model.changes.iter().map(|change| change.letter.to_string()).collect();
        let rows = reply["pending_changes"].as_array().unwrap();
        let told: Vec<_> = rows.iter().map(|row| row["change_id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(told, letters);
        for (row, change) in rows.iter().zip(&self.model.changes) {
            let draft = self.model.draft();
            let Some(at) = draft.find(&change.new) else { continue };
            assert_eq!(row["line"], json!(draft[..at].matches('\n').count() + 1), "{row} in {draft}");
        }
    }
}
