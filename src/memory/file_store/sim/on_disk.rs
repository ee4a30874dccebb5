//! The same steps on a directory of the operating system.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::super::super::StoreError;
use super::super::commit::{Batch, Fate, commit};
use super::super::disk::Found;
use super::super::displaced::{self, KEPT_FOR, Late};
use super::super::entries;
use super::super::layout;
use super::super::note::Note;
use super::super::place::{Put, Text};
use super::super::placement::{Custody, Limits, Site};
use super::super::recover::{Recovered, recover};
use super::super::segments;
use super::super::survey::{Damage, Survey};
use super::super::unix::UnixDisk;
use super::directory::Directory;
use super::toy::{self, Toy, name};
use super::world::Always;
use crate::text::Revision;

struct Store {
    directory: Directory,
    disk: UnixDisk,
    segment: u64,
    /// How far the clock is ahead of the time that files are given.
    ahead: Duration,
}

impl Store {
    fn new() -> Self {
        let directory = Directory::new();
        let disk = UnixDisk::open(directory.path()).unwrap();
        layout::prepare(&disk).unwrap();
        Self { directory, disk, segment: 1 << 20, ahead: Duration::ZERO }
    }

    fn site(&self) -> Site<'_, UnixDisk, Toy> {
        let limits = Limits { document: 1 << 20, segment: self.segment };
        Site { disk: &self.disk, placement: &Toy::Strict, custody: &Always, limits }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.directory.path().join(path)
    }

    fn recover(&self) -> Recovered {
        recover(&self.site(), SystemTime::now()).unwrap()
    }

    fn commit(&self, seq: u64, changes: &[toy::Change<'_>]) -> Fate {
        let ground = self.recover().ground;
        let put = |(document, base, next): &toy::Change<'_>| Put {
            name: name(document),
            seq,
            expected: base.map(Revision::of),
            next: next.map(|text| Text::new(text.into())),
        };
        let batch =
            Batch { lines: toy::group(seq, changes), puts: changes.iter().map(put).collect(), ..Batch::default() };
        commit(&self.site(), &ground, &batch, SystemTime::now() + self.ahead).unwrap()
    }

    fn made(&self, seq: u64, changes: &[toy::Change<'_>]) {
        let fate = self.commit(seq, changes);
        assert!(matches!(&fate, Fate::Committed { outside, .. } if outside.is_empty()), "{fate:?}");
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.directory.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        names
    }
}

#[test]
fn documents_are_files_that_people_can_read() {
    let store = Store::new();
    store.made(1, &[("Über mich", None, Some("one")), ("f/c", None, Some("c"))]);
    fs::set_permissions(store.path("Über mich.md"), fs::Permissions::from_mode(0o600)).unwrap();
    store.made(3, &[("Über mich", Some("one"), Some("two"))]);
    store.made(4, &[("f/c", Some("c"), None)]);
    assert_eq!(store.text("Über mich.md"), "two");
    assert_eq!(fs::metadata(store.path("Über mich.md")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!store.path("f/c.md").exists());
    assert_eq!(store.names(), [".memdoc", "f", "Über mich.md"]);
    let fate = store.commit(5, &[("Über mich", Some("one"), Some("three"))]);
    assert!(matches!(fate, Fate::Conflict { found: Found::Text { ref text, .. }, .. } if text == "two"));
    let kept = displaced::review(&store.site(), SystemTime::now() + KEPT_FOR).unwrap();
    assert!(kept.is_empty());
    assert_eq!(fs::read_dir(store.path(".memdoc/displaced")).unwrap().count(), 0);
}

#[test]
fn what_is_written_to_a_displaced_file_is_found() {
    use std::io::Write as _;
    let store = Store { ahead: Duration::from_secs(1), ..Store::new() };
    store.made(1, &[("a", None, Some("one"))]);
    let mut editor = fs::File::options().append(true).open(store.path("a.md")).unwrap();
    store.made(2, &[("a", Some("one"), Some("two"))]);
    editor.write_all(b" late").unwrap();
    let late = displaced::review(&store.site(), SystemTime::now()).unwrap();
    let [late] = &late[..] else { panic!("{late:?}") };
    assert!(matches!(&late.found, Found::Text { text, .. } if text == "one late"));
    assert!(late.base.matches(&Revision::of("one")) && late.name.as_str() == "a");
    let Found::Text { revision, .. } = late.found else { panic!("{late:?}") };
    displaced::watch_on(&store.site(), late, revision, SystemTime::now()).unwrap();
    editor.write_all(b", and later").unwrap();
    let late = displaced::review(&store.site(), SystemTime::now() + KEPT_FOR).unwrap();
    assert!(matches!(&late[..], [Late { found: Found::Text { text, .. }, .. }] if text == "one late, and later"));
}

#[test]
fn a_group_that_was_only_appended_is_placed_and_a_torn_one_is_cut() {
    let store = Store::new();
    store.made(1, &[("a", None, Some("one"))]);
    let journal = store.path(".memdoc/journal.000001.jsonl");
    let mut bytes = fs::read(&journal).unwrap();
    bytes.extend(toy::group(2, &[("a", Some("one"), Some("two")), ("b", None, Some("new"))]));
    let torn = toy::group(4, &[("a", Some("two"), Some("three"))]);
    fs::write(&journal, [&bytes[..], &torn[..9]].concat()).unwrap();
    let survey = Survey::take(&store.site()).unwrap();
    assert!(!survey.is_clean());
    let unplaced = survey.unplaced(&store.site()).unwrap();
    let texts: Vec<_> =
        unplaced.iter().map(|one| (one.name.as_str(), one.text.as_ref().map(|text| &*text.text))).collect();
    assert_eq!(texts, [("a", Some("two")), ("b", Some("new"))]);
    let recovered = store.recover();
    assert!(recovered.damage.is_empty() && recovered.outside.is_empty());
    assert_eq!([store.text("a.md"), store.text("b.md")], ["two", "new"]);
    assert_eq!(fs::read(&journal).unwrap(), bytes);
    assert_eq!(fs::read(store.path(".memdoc/torn")).unwrap(), torn[..9]);
    assert_eq!(store.names(), [".memdoc", "a.md", "b.md"]);
    // What a person puts back later is no crash.
    fs::write(store.path("a.md"), "one").unwrap();
    assert!(store.recover().outside.is_empty());
    assert_eq!(store.text("a.md"), "one");
}

#[test]
fn a_file_that_cannot_be_used_keeps_no_other_waiting() {
    let store = Store::new();
    store.made(1, &[("a", None, Some("one")), ("b", None, Some("one"))]);
    let journal = store.path(".memdoc/journal.000001.jsonl");
    let group = toy::group(3, &[("a", Some("one"), Some("two")), ("b", Some("one"), Some("two"))]);
    fs::write(&journal, [fs::read(&journal).unwrap(), group].concat()).unwrap();
    fs::rename(store.path("a.md"), store.path("aside")).unwrap();
    fs::create_dir(store.path("a.md")).unwrap();
    let recovered = store.recover();
    assert_eq!(recovered.ground.stuck.len(), 1);
    assert_eq!(store.text("b.md"), "two");
    store.made(5, &[("b", Some("two"), Some("three"))]);
    assert!(matches!(
        store.commit(6, &[("a", Some("two"), Some("x"))]),
        Fate::Conflict { found: Found::Unusable(_), .. }
    ));
    fs::remove_dir(store.path("a.md")).unwrap();
    fs::rename(store.path("aside"), store.path("a.md")).unwrap();
    assert!(store.recover().ground.stuck.is_empty());
    assert_eq!(store.text("a.md"), "two");
}

#[test]
fn entries_that_were_durable_are_missed_and_never_cut() {
    let store = Store::new();
    store.made(1, &[("a", None, Some("one"))]);
    store.made(2, &[("a", Some("one"), Some("two"))]);
    let journal = store.path(".memdoc/journal.000001.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 5]).unwrap();
    let recovered = store.recover();
    assert!(matches!(recovered.damage[..], [Damage::Shortened { .. }]), "{:?}", recovered.damage);
    assert_eq!(fs::read(&journal).unwrap(), [&bytes[..bytes.len() - 5], b"\n"].concat());
    store.made(3, &[("a", Some("two"), Some("three"))]);
}

#[test]
fn a_copy_goes_on_by_itself() {
    let store = Store::new();
    store.made(1, &[("a", None, Some("one"))]);
    store.made(2, &[("a", Some("one"), Some("two"))]);
    let copy = Store::new();
    for path in ["a.md", ".memdoc/note", ".memdoc/journal.000001.jsonl"] {
        fs::copy(store.path(path), copy.path(path)).unwrap();
    }
    assert!(Survey::take(&copy.site()).unwrap().note.is_none());
    copy.made(3, &[("a", Some("two"), Some("three"))]);
    assert_eq!([store.text("a.md"), copy.text("a.md")], ["two", "three"]);
}

#[test]
fn entries_are_found_by_number_in_any_segment() {
    let mut store = Store::new();
    store.segment = 100_000;
    let long = "x".repeat(3000);
    let texts: Vec<String> = (0..=120).map(|number| format!("{number} {long}")).collect();
    store.made(1, &[("a", None, Some(&texts[0]))]);
    for (seq, both) in (2..).zip(texts.windows(2)).take(119) {
        store.made(seq, &[("a", Some(&both[0]), Some(&both[1]))]);
    }
    assert!(store.path(".memdoc/journal.000005.jsonl").exists());
    let site = store.site();
    for seq in [1, 2, 16, 17, 63, 119, 120] {
        assert_eq!(entries::at(&site, seq).unwrap().unwrap().line.seq, seq);
    }
    assert!(entries::at(&site, 121).unwrap().is_none());
    let seqs = |entries: Vec<entries::Entry>| entries.into_iter().map(|entry| entry.line.seq).collect::<Vec<_>>();
    assert_eq!(seqs(entries::from(&site, 30, 40).unwrap()), (30..70).collect::<Vec<_>>());
}

struct Lost;

impl Custody for Lost {
    fn is_current(&self) -> bool {
        false
    }
}

#[test]
fn nothing_is_appended_under_a_lock_that_is_lost() {
    let store = Store::new();
    store.made(1, &[("a", None, Some("one"))]);
    let ground = store.recover().ground;
    let put = Put { name: name("a"), seq: 2, expected: Some(Revision::of("one")), next: Some(Text::new("two".into())) };
    let batch = Batch { lines: toy::group(2, &[("a", Some("one"), Some("two"))]), puts: vec![put], ..Batch::default() };
    let site = Site { custody: &Lost, ..store.site() };
    let refused = commit(&site, &ground, &batch, SystemTime::now());
    assert!(matches!(refused, Err(StoreError::Busy { .. })));
    assert_eq!(store.text("a.md"), "one");
    assert_eq!(store.names(), [".memdoc", "a.md"]);
    store.made(2, &[("a", Some("one"), Some("three"))]);
}

#[test]
fn a_segment_is_replaced_once_the_note_is_forgotten() {
    let store = Store::new();
    store.made(1, &[("a", None, Some("one"))]);
    store.made(2, &[("a", Some("one"), Some("two"))]);
    Note::forget(&store.disk).unwrap();
    segments::replace(&store.disk, 1, &toy::group(1, &[("a", None, Some("two"))])).unwrap();
    let recovered = store.recover();
    assert!(recovered.damage.is_empty() && recovered.outside.is_empty());
    assert_eq!(store.text("a.md"), "two");
}
