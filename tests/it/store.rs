//! The stores: what was acknowledged is kept, once; what cannot be written says where; nothing leaves the directory.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use memdoc::{
    Basis, DocName, FileStore, InMemoryStore, Known, Memory, MemoryError, Operation, Origin, Policy, Replace, Revision,
    Status, Store, Toolbox, document::OnStale, memory::Change, memory::DocumentChange, memory::Outcome,
    memory::RequestId, memory::State, memory::StoreError,
};
use serde_json::{Value, json};

use crate::support::scratch::Scratch;

fn name(name: &str) -> DocName {
    name.parse().unwrap()
}

fn id(of: &str) -> RequestId {
    RequestId::new("test", &Value::from(of))
}

fn change(of: &str, documents: &[(&str, Option<&str>, &str)]) -> Change {
    let document = |(document, old, new): &(&str, Option<&str>, &str)| {
        DocumentChange::new(name(document), old.map(Revision::of), *new)
    };
    Change::new(id(of), documents.iter().map(document).collect())
}

fn text(store: &impl Store, document: &str) -> Option<String> {
    store.load().unwrap().documents.get(&name(document)).map(ToString::to_string)
}

fn is_committed(outcome: &Result<Outcome, StoreError>) -> bool {
    matches!(outcome, Ok(Outcome::Committed))
}

fn check_round_trip(store: &impl Store) {
    assert!(store.load().unwrap().documents.is_empty());
    for round_trip in ["- a\r\n- b", "\u{FEFF}- é \u{1F600}\n\n", "", "- c\n"] {
        let old = text(store, "memory");
        assert!(is_committed(&store.commit(&change(round_trip, &[("memory", old.as_deref(), round_trip)]))));
        assert_eq!(text(store, "memory").as_deref(), Some(round_trip));
        assert!(store.landed(id(round_trip)).unwrap());
    }
    assert!(!store.landed(id("never")).unwrap());
}

fn check_conflict(store: &impl Store) {
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a"), ("core", None, "b")]))));
    let before = store.load().unwrap();
    let stale: [&[(&str, Option<&str>, &str)]; 4] = [
        &[("memory", None, "x")],
        &[("memory", Some("other"), "x")],
        &[("core", Some("b"), "x"), ("memory", Some("b"), "x")],
        &[("notes", Some("x"), "y")],
    ];
    for documents in stale {
        let outcome = store.commit(&change("2", documents)).unwrap();
        let Outcome::Conflict { document, current } = outcome else { panic!("expected a conflict, found {outcome:?}") };
        assert_eq!(current, text(store, document.as_str()).map(|text| Revision::of(&text)));
        assert_eq!(store.load().unwrap(), before);
    }
    assert!(!store.landed(id("2")).unwrap());
    assert!(is_committed(
        &store.commit(&change("3", &[("memory", Some("a"), "A"), ("core", Some("b"), "B"), ("notes", None, "C")]))
    ));
    assert_eq!(["memory", "core", "notes"].map(|name| text(store, name).unwrap()), ["A", "B", "C"]);
}

#[test]
fn each_store_gives_back_what_was_committed() {
    check_round_trip(&InMemoryStore::new());
    check_round_trip(&FileStore::open(&*Scratch::create()).unwrap());
}

#[test]
fn each_store_commits_all_documents_or_none() {
    check_conflict(&InMemoryStore::new());
    check_conflict(&FileStore::open(&*Scratch::create()).unwrap());
}

#[test]
fn a_directory_is_read_again_when_it_is_opened_again() {
    let scratch = Scratch::create();
    let store = FileStore::open(scratch.join("deep/er")).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "- a\n")]))));
    let again = FileStore::open(scratch.join("deep/er")).unwrap();
    assert_eq!(text(&again, "memory").as_deref(), Some("- a\n"));
    assert!(again.landed(id("1")).unwrap());
    fs::write(again.path(&name("memory")), "- written by hand\n").unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("- written by hand\n"));
    assert!(matches!(store.commit(&change("2", &[("memory", Some("- a\n"), "x")])), Ok(Outcome::Conflict { .. })));
}

#[test]
fn files_that_are_no_documents_are_left_alone() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    for file in ["README.txt", "a b.md", ".hidden.md", "memory.md.bak", "no-extension", "con.md"] {
        fs::write(scratch.join(file), "x").unwrap();
    }
    fs::create_dir(scratch.join("folder")).unwrap();
    assert!(store.load().unwrap().documents.is_empty());
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    assert_eq!(fs::read_to_string(scratch.join("a b.md")).unwrap(), "x");
}

#[test]
fn names_that_could_leave_the_directory_are_no_names() {
    let long = "a".repeat(65);
    let hostile = [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "/etc/passwd",
        "a\0",
        "a.md",
        ".a",
        "-a",
        "_a",
        "a b",
        "a\n",
        "é",
        "ａ",
        "NUL",
        "com1",
        "LPT9",
        "~",
        "C:",
        "a:b",
        "*",
        "$HOME",
        "%2e%2e",
        "a\u{202E}b",
        long.as_str(),
    ];
    for hostile in hostile {
        assert!(hostile.parse::<DocName>().is_err(), "{hostile:?}");
    }
    for plain in ["memory", "a", "0", "A-b_c", "com10", "console"] {
        assert!(plain.parse::<DocName>().is_ok(), "{plain}");
    }
}

#[test]
fn a_text_that_is_not_utf_8_is_refused_and_named() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    fs::write(store.path(&name("memory")), [0xFF, 0xFE]).unwrap();
    let error = store.load().unwrap_err();
    assert!(matches!(&error, StoreError::Unusable { .. }) && error.to_string().contains("memory.md"), "{error}");
    assert_eq!(fs::read(store.path(&name("memory"))).unwrap(), [0xFF, 0xFE]);
}

#[test]
fn a_stray_next_file_is_not_a_commit() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    fs::write(scratch.join(".memdoc/next-memory.md"), "half wri").unwrap();
    fs::write(scratch.join(".memdoc/pending.next"), "{\"form").unwrap();
    let store = FileStore::open(&*scratch).unwrap();
    assert_eq!(text(&store, "memory").as_deref(), Some("a"));
    assert!(is_committed(&store.commit(&change("2", &[("memory", Some("a"), "b")]))));
    assert_eq!(text(&store, "memory").as_deref(), Some("b"));
    assert!(!scratch.join(".memdoc/next-memory.md").exists() && !scratch.join(".memdoc/pending.json").exists());
}

/// Leaves behind what a crash in the middle of a commit of two documents leaves.
fn leave_half_done(scratch: &Path, moved: &[&str]) {
    let revision = |text| Revision::of(text).to_string();
    let pending = json!({"format": 1, "id": id("2").to_string(), "bases": [["memory", revision("a")]], "documents": [
        {"name": "memory", "expected": revision("a"), "next": revision("A")},
        {"name": "core", "expected": null, "next": revision("B")},
    ]});
    for (name, text) in [("memory", "A"), ("core", "B")] {
        let place = if moved.contains(&name) { format!("{name}.md") } else { format!(".memdoc/next-{name}.md") };
        fs::write(scratch.join(place), text).unwrap();
    }
    fs::write(scratch.join(".memdoc/pending.json"), pending.to_string()).unwrap();
}

#[test]
fn a_commit_that_was_interrupted_is_completed_on_the_next_access() {
    for moved in [&[][..], &["memory"], &["core"], &["memory", "core"]] {
        let scratch = Scratch::create();
        let store = FileStore::open(&*scratch).unwrap();
        assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
        leave_half_done(&scratch, moved);
        let store = FileStore::open(&*scratch).unwrap();
        assert_eq!(
            [text(&store, "memory"), text(&store, "core")],
            [Some("A".to_owned()), Some("B".to_owned())],
            "{moved:?}"
        );
        assert!(store.landed(id("2")).unwrap());
        assert!(!scratch.join(".memdoc/pending.json").exists());
    }
}

#[test]
fn a_commit_that_was_overtaken_before_it_began_is_not_made_and_kept_beside() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    leave_half_done(&scratch, &[]);
    fs::write(scratch.join("memory.md"), "by hand").unwrap();
    assert_eq!([text(&store, "memory"), text(&store, "core")], [Some("by hand".to_owned()), None]);
    assert!(!store.landed(id("2")).unwrap());
    for (name, lost) in [("memory", "A"), ("core", "B")] {
        let kept = scratch.join(format!(".memdoc/kept-{name}-{}.md", Revision::of(lost).short()));
        assert_eq!(fs::read_to_string(kept).unwrap(), lost);
    }
}

#[test]
fn a_commit_that_had_begun_is_finished_around_what_was_written_by_hand() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    leave_half_done(&scratch, &["core"]);
    fs::write(scratch.join("memory.md"), "by hand").unwrap();
    assert_eq!([text(&store, "memory"), text(&store, "core")], [Some("by hand".to_owned()), Some("B".to_owned())]);
    assert!(store.landed(id("2")).unwrap());
    let kept = scratch.join(format!(".memdoc/kept-memory-{}.md", Revision::of("A").short()));
    assert_eq!(fs::read_to_string(kept).unwrap(), "A");
}

#[test]
fn a_commit_whose_texts_are_gone_is_not_reported_as_made() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    leave_half_done(&scratch, &[]);
    fs::remove_file(scratch.join(".memdoc/next-memory.md")).unwrap();
    assert_eq!([text(&store, "memory"), text(&store, "core")], [Some("a".to_owned()), None]);
    assert!(!store.landed(id("2")).unwrap());
}

#[test]
fn an_id_is_forgotten_when_its_base_is_current_again() {
    let scratch = Scratch::create();
    let stores: [Box<dyn Store>; 2] = [Box::new(FileStore::open(&*scratch).unwrap()), Box::new(InMemoryStore::new())];
    for store in stores {
        let memory: DocName = "memory".parse().unwrap();
        let step = |of: &str, from: Option<&str>, to: &str| {
            let base = from.map(|text| (memory.clone(), Revision::of(text).into())).into_iter().collect();
            let change = DocumentChange::new(memory.clone(), from.map(Revision::of), to);
            assert!(is_committed(&store.commit(&Change::new(id(of), vec![change]).with_bases(base))));
        };
        step("1", None, "x");
        step("2", Some("x"), "y");
        assert!(store.landed(id("2")).unwrap());
        step("3", Some("y"), "x");
        assert!(!store.landed(id("2")).unwrap());
        assert!(store.landed(id("3")).unwrap());
    }
}

#[test]
fn a_pending_file_of_another_version_is_refused_and_nothing_is_lost() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    for broken in [
        "",
        "{}",
        "{\"format\": 2, \"id\": \"\", \"documents\": []}",
        "{\"format\": 1, \"id\": \"x\", \"documents\": [{\"name\": \"../x\"}]}",
    ] {
        fs::write(scratch.join(".memdoc/pending.json"), broken).unwrap();
        let error = store.load().unwrap_err();
        assert!(error.to_string().contains("pending.json"), "{error}");
        assert_eq!(fs::read_to_string(scratch.join("memory.md")).unwrap(), "a");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_permissions_of_a_file_are_kept() {
        let scratch = Scratch::create();
        let store = FileStore::open(&*scratch).unwrap();
        assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
        for wanted in [0o600, 0o640, 0o664] {
            let place = store.path(&name("memory"));
            fs::set_permissions(&place, fs::Permissions::from_mode(wanted)).unwrap();
            let old = text(&store, "memory");
            let new = format!("{wanted:o}");
            assert!(is_committed(&store.commit(&change(&new, &[("memory", old.as_deref(), &new)]))));
            assert_eq!(mode(&place), wanted);
        }
    }

    #[test]
    fn a_symbolic_link_is_refused_and_its_target_untouched() {
        let scratch = Scratch::create();
        fs::write(scratch.join("secret"), "s").unwrap();
        let store = FileStore::open(scratch.join("store")).unwrap();
        symlink(scratch.join("secret"), store.path(&name("memory"))).unwrap();
        let error = store.load().unwrap_err();
        assert!(error.to_string().contains("symbolic link") && error.to_string().contains("memory.md"), "{error}");
        assert!(store.commit(&change("1", &[("memory", Some("s"), "x")])).is_err());
        assert!(store.commit(&change("1", &[("memory", None, "x")])).is_err());
        assert_eq!(fs::read_to_string(scratch.join("secret")).unwrap(), "s");
    }

    #[test]
    fn links_planted_in_the_private_folder_are_not_written_through() {
        let scratch = Scratch::create();
        let store = FileStore::open(scratch.join("store")).unwrap();
        for planted in ["next-memory.md", "pending.next", "landed.next"] {
            fs::write(scratch.join(planted), "s").unwrap();
            symlink(scratch.join(planted), scratch.join("store/.memdoc").join(planted)).unwrap();
        }
        assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
        for planted in ["next-memory.md", "pending.next", "landed.next"] {
            assert_eq!(fs::read_to_string(scratch.join(planted)).unwrap(), "s");
        }
        assert_eq!(text(&store, "memory").as_deref(), Some("a"));
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_named_and_keeps_its_state() {
        let scratch = Scratch::create();
        let store = FileStore::open(&*scratch).unwrap();
        assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
        let private = scratch.join(".memdoc");
        fs::set_permissions(&private, fs::Permissions::from_mode(0o500)).unwrap();
        // A user whom permissions do not bind learns nothing here.
        let is_bound = fs::write(private.join("probe"), "").is_err();
        let outcome = store.commit(&change("2", &[("memory", Some("a"), "b")]));
        fs::set_permissions(&private, fs::Permissions::from_mode(0o700)).unwrap();
        if is_bound {
            let error = outcome.unwrap_err();
            assert!(error.to_string().contains(".memdoc"), "{error}");
            assert_eq!(text(&store, "memory").as_deref(), Some("a"));
        }
    }
}

#[test]
fn what_stands_in_the_way_of_a_write_is_named_and_the_state_is_kept() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    assert!(is_committed(&store.commit(&change("1", &[("memory", None, "a")]))));
    // A folder in the place of the next file cannot be written by any user.
    fs::create_dir(scratch.join(".memdoc/next-memory.md")).unwrap();
    let error = store.commit(&change("2", &[("memory", Some("a"), "b")])).unwrap_err();
    assert!(error.to_string().contains("next-memory.md"), "{error}");
    assert_eq!(error.code(), "store");
    assert_eq!(text(&store, "memory").as_deref(), Some("a"));
    assert!(!store.landed(id("2")).unwrap());
    fs::write(scratch.join("file"), "").unwrap();
    let error = FileStore::open(scratch.join("file/below")).unwrap_err();
    assert!(error.to_string().contains("below"), "{error}");
}

/// Appends a bullet below the first, and tries again until it is committed.
fn append(toolbox: &mut Toolbox, token: &str) {
    let arguments = json!({"old_string": "## Log\n", "new_string": format!("## Log\n- {token}\n")});
    for _ in 0..10_000 {
        let reply = toolbox.call("replace_in_memory", &arguments);
        match reply.code() {
            None => {
                assert_eq!(reply.status(), Status::Committed);
                return;
            }
            Some(memdoc::Code::StaleRevision | memdoc::Code::Conflict | memdoc::Code::Busy) => {
                assert_eq!(toolbox.call("memory_read", &json!({})).status(), Status::Ok);
            }
            Some(_) => panic!("{reply}"),
        }
    }
    panic!("never committed");
}

/// Lets four threads append tokens, and checks that each is there once.
fn check_nothing_is_lost<S: Store + 'static>(stores: impl Fn() -> S, on_stale: OnStale, appends: usize) {
    let first = stores();
    assert!(is_committed(&first.commit(&change("start", &[("memory", None, "# Top\n\n## Log\n\n## End\n")]))));
    let memory = |store: S| Arc::new(Memory::new(store, Policy::default().with_on_stale(on_stale)).unwrap());
    let shared = [memory(stores()), memory(stores())];
    let write = |writer: usize| {
        let mut toolbox = Toolbox::new(shared[writer % 2].clone());
        toolbox.show(&DocName::memory()).unwrap();
        (0..appends).for_each(|n| append(&mut toolbox, &format!("token {writer}-{n}.")));
    };
    thread::scope(|scope| {
        for writer in 0..4 {
            let write = &write;
            scope.spawn(move || write(writer));
        }
    });
    let text = text(&first, "memory").unwrap();
    for writer in 0..4 {
        for n in 0..appends {
            assert_eq!(text.matches(&format!("- token {writer}-{n}.\n")).count(), 1, "{writer}-{n}");
        }
    }
    assert_eq!(text.matches("- token").count(), 4 * appends);
}

#[test]
fn writers_on_one_in_memory_store_lose_nothing() {
    let store = Arc::new(InMemoryStore::new());
    check_nothing_is_lost(|| store.clone(), OnStale::Refuse, 50);
}

#[test]
fn writers_on_one_directory_lose_nothing() {
    let scratch = Scratch::create();
    check_nothing_is_lost(|| FileStore::open(&*scratch).unwrap(), OnStale::Rebase, 50);
}

/// A store that commits, and cannot be asked.
struct Mute(Arc<InMemoryStore>);

impl Store for Mute {
    fn load(&self) -> Result<State, StoreError> {
        self.0.load()
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        self.0.commit(change)
    }

    fn landed(&self, _: RequestId) -> Result<bool, StoreError> {
        Err(StoreError::Busy { path: "lock".into() })
    }
}

#[test]
fn a_retry_whose_id_cannot_be_asked_for_is_not_made_again() {
    let name = name("memory");
    for on_stale in [OnStale::Refuse, OnStale::Rebase] {
        let store = Arc::new(InMemoryStore::new().with(name.clone(), "## Log\n- one\n"));
        let memory = Memory::new(Mute(store.clone()), Policy::default().with_on_stale(on_stale)).unwrap();
        let known = Known::of(&memory.read(&name).unwrap());
        let request = Replace::new("- one\n", "- one\n- one\n");
        let apply = || {
            let operation = Operation::edit(name.clone(), Basis::Known(&known), &request);
            memory.apply(&[operation], &Origin::host("test"), RequestId::new("test", &Value::Null))
        };
        assert!(apply().is_ok(), "what is current needs not be asked for");
        let text = text(&store, "memory");
        assert!(matches!(apply(), Err(MemoryError::Indeterminate(StoreError::Busy { .. }))));
        assert_eq!(self::text(&store, "memory"), text);
    }
}
