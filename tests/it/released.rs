//! What is released is what was withheld, as it was asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memdoc::memory::journal::{EntryKind, Record, Seq};
use memdoc::memory::{MemoryError, NoteMode, PlannedWrite, Undo, Undone, Verdict};
use memdoc::{Code, DocName, InMemoryStore, Memory, Origin, Policy, Store};

const TEXT: &str = "## Facts\n- Lives in Denver\n";

fn agent() -> Origin {
    Origin::new("ada".parse().unwrap(), "test")
}

fn host() -> Origin {
    Origin::host("looked at")
}

/// A memory that withholds whatever is done while the switch is on.
struct Guarded {
    memory: Memory,
    store: Arc<InMemoryStore>,
    withholds: Arc<AtomicBool>,
}

impl Guarded {
    fn new() -> Self {
        Self::with(InMemoryStore::new().with(DocName::memory(), TEXT))
    }

    fn with(store: InMemoryStore) -> Self {
        let (store, withholds) = (Arc::new(store), Arc::new(AtomicBool::new(false)));
        let own = Arc::clone(&withholds);
        let judge = move |_: &PlannedWrite<'_>| match own.load(Ordering::Relaxed) {
            true => Verdict::Quarantine("somebody has to look at it".into()),
            false => Verdict::Allow,
        };
        let memory = Memory::new(Arc::clone(&store), Policy::default()).unwrap().with_write_policy(judge);
        Self { memory, store, withholds }
    }

    fn withheld<T: std::fmt::Debug>(&self, call: impl FnOnce(&Memory) -> Result<T, MemoryError>) -> Seq {
        self.withholds.store(true, Ordering::Relaxed);
        let error = call(&self.memory).unwrap_err();
        self.withholds.store(false, Ordering::Relaxed);
        match error {
            MemoryError::RefusedByPolicy { quarantined, .. } => quarantined.unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Releases what is withheld, and returns what is recorded then.
    fn release(&self, withheld: Seq) -> (EntryKind, Option<Record>) {
        let seq = self.memory.release(withheld, &host()).unwrap().unwrap();
        assert_eq!(self.memory.quarantined().unwrap(), []);
        assert_eq!(self.memory.release(withheld, &host()).unwrap_err().code(), Code::UnknownEntry);
        let entry = self.memory.entry(seq).unwrap();
        (entry.header().kind.clone(), entry.body().and_then(|content| content.record.clone()))
    }

    fn lines(&self) -> String {
        let mut lines = String::new();
        self.store.scan(&mut |line| lines.push_str(std::str::from_utf8(line).unwrap())).unwrap();
        lines
    }
}

#[test]
fn a_block_stands_in_the_prompt_or_not_as_was_asked() {
    let guarded = Guarded::new();
    let update = |content: &str, is_core| {
        let content = content.to_owned();
        move |memory: &Memory| memory.update_block("persona", &content, Some(is_core), &agent())
    };
    let withheld = guarded.withheld(update("I am Kite.", false));
    let (kind, record) = guarded.release(withheld);
    assert!(kind == EntryKind::Block && matches!(record, Some(Record::Block(_))), "{kind} {record:?}");
    let block = || guarded.memory.block("persona", None).unwrap();
    assert_eq!((block().version, block().is_core, block().text.as_deref()), (1, false, Some("I am Kite.")));
    // Its standing alone is a change.
    guarded.release(guarded.withheld(update("I am Kite.", true)));
    assert_eq!((block().version, block().is_core), (2, true));
}

#[test]
fn an_undoing_is_one() {
    let guarded = Guarded::new();
    let memory = &guarded.memory;
    let made = memory.write_scratchpad("soup", NoteMode::Replace, &agent()).unwrap()[0].seq.unwrap();
    guarded.release(guarded.withheld(|memory| memory.undo(Undo::Entry(made), &agent())));
    assert_eq!(memory.scratchpad().unwrap(), "");
    assert!(matches!(memory.undo(Undo::Entry(made), &agent()).unwrap(), Undone::Already(_)));
}

#[test]
fn a_note_is_written_among_those_that_came_since() {
    let guarded = Guarded::new();
    let memory = &guarded.memory;
    let write = |key: &'static str, content: &'static str, mode| {
        move |memory: &Memory| memory.write_note(key, content, mode, &agent())
    };
    write("plan", "Ship", NoteMode::Replace)(memory).unwrap();
    let [first, more, again] = [
        guarded.withheld(write("doors", "Two", NoteMode::Replace)),
        guarded.withheld(write("plan", "\nRest", NoteMode::Append)),
        guarded.withheld(write("plan", "Sleep", NoteMode::Replace)),
    ];
    write("windows", "Six", NoteMode::Replace)(memory).unwrap();
    for withheld in [first, more] {
        assert!(memory.release(withheld, &host()).unwrap().is_some());
    }
    let note = |key| memory.note(key).unwrap().unwrap();
    assert_eq!([note("doors"), note("plan"), note("windows")], ["Two", "Ship\n\nRest", "Six"]);
    let log = memory.read(&DocName::activity()).unwrap();
    assert!(!log.text().contains("wrote doors") && log.text().contains("wrote windows"), "{log:?}");
    // What somebody else has written since stays.
    memory.release(again, &host()).unwrap();
    assert_eq!(note("plan"), "Sleep\n\nRest");
    memory.undo(Undo::Last, &host()).unwrap();
    assert_eq!(note("plan"), "Ship\n\nRest");
}

#[test]
fn nothing_is_left_of_what_is_redacted_from_a_text_that_an_edit_was_withheld_of() {
    let guarded = Guarded::with(InMemoryStore::new().with(DocName::memory(), "- Lives in Denver\n- PIN 4711\n"));
    let memory = &guarded.memory;
    let base = memory.read(&DocName::memory()).unwrap().revision().to_string();
    let beside = guarded.withheld(|memory| memory.write(&DocName::memory(), "- Lives in Austin\n- PIN 4711\n"));
    guarded.withheld(|memory| memory.write(&DocName::memory(), "- Lives in Denver\n- PIN none\n"));
    memory.redact(&[], &["4711"], &host()).unwrap();
    assert!(!guarded.lines().contains(&base) && !guarded.lines().contains("4711"));
    let waiting = memory.quarantined().unwrap();
    assert_eq!(waiting.iter().map(|kept| kept.entry.seq()).collect::<Vec<_>>(), [beside]);
    assert_eq!(memory.release(beside, &host()).unwrap_err().code(), Code::Redacted, "its text is not known any more");
    memory.redact(&[beside], &[], &host()).unwrap();
    // Beside it, nothing is lost.
    let safe = guarded.withheld(|memory| memory.write(&DocName::memory(), "- Lives in Rome\n"));
    memory.redact(&[], &["Oslo"], &host()).unwrap();
    guarded.release(safe);
    assert_eq!(memory.read(&DocName::memory()).unwrap().text(), "- Lives in Rome\n");
}
