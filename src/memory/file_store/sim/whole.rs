//! The store as a whole on a disk that loses power and fails: on the journal's own lines, over several segments, with erasing.

use super::super::super::clock::Clock as _;
use super::super::super::journal::{Before, Draft, EntryKind, Erased, Header, Problem, Runs, Seq, Verifier, prepare};
use super::super::super::recording::{Made, Recorded};
use super::super::super::{
    Actor, Change, DocName, DocumentChange, Outcome, RequestId, Snapshot, StoreError, SystemClock, random,
};
use super::super::commit::Ground;
use super::super::layout;
use super::super::lines::Lines;
use super::super::placement::{Limits, Site};
use super::super::reading::{Answer, Waiting};
use super::super::segments::{self, Position};
use super::super::work::{Begun, Hold, State, Work};
use super::disk::{Fault, FaultKind, How, SimDisk};
use super::flaw::Bad;
use super::state::Image;
use super::toy::name;
use super::world::{Always, World};
use crate::text::Revision;

type Wanted = (&'static str, Option<&'static str>);

const SECRET: &str = "secret";
/// What is committed before, what is committed last, and what is erased with it.
const BEFORE: &[&[Wanted]] =
    &[&[("a", Some("a secret\nand more\n"))], &[("a", Some("a\nand more\n")), ("b", Some("b"))]];
const LAST: &[Wanted] = &[("a", Some("a\nand even more\n")), ("b", None), ("f/c", Some("c"))];
const ERASED: [u64; 2] = [2, 3];

fn access<T>(
    disk: &SimDisk,
    state: &mut State,
    act: impl FnOnce(&mut Work<'_, SimDisk>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    // Small enough that each commit begins a segment.
    let limits = Limits { document: 10_000, segment: 1 };
    let mut work = Work {
        site: Site { disk, placement: &Lines, custody: &Always, limits },
        state,
        hold: Hold::Alone,
        now: World::now(disk),
        ground: Ground::default(),
        unplaced: Vec::new(),
    };
    assert_eq!(work.begin()?, Begun::Ready);
    act(&mut work)
}

fn read(work: &mut Work<'_, SimDisk>) -> Result<Snapshot, StoreError> {
    match work.read(&["a", "b", "f/c"].map(name), Waiting::NotAllowed)? {
        Answer::Ready(snapshot) => Ok(snapshot),
        _ => panic!("the lock is held alone"),
    }
}

fn change(snapshot: &Snapshot, wanted: &[Wanted], erase: &[u64]) -> Change {
    let erase: Runs = erase.iter().map(|seq| Seq::new(*seq)).collect();
    let erased = Erased { contents: erase.clone(), states: erase };
    let attempt = random::attempt().unwrap();
    let kind = if erased.is_empty() { EntryKind::Edit } else { EntryKind::Redaction };
    let header = Header {
        attempt: Some(attempt),
        erased: erased.clone(),
        ..Header::new(kind, "test".parse::<Actor>().unwrap())
    };
    let mut draft = Draft::new(header, random::salts().unwrap());
    let mut documents = Vec::new();
    for (document, text) in wanted {
        let stored = snapshot.of(&name(document)).unwrap();
        let new = text.map(|text| Made { text, revision: Revision::of(text) });
        let mut recorded =
            Recorded { name: &stored.name, version: &stored.version, base: stored.text.as_deref(), new }.whole();
        if let (false, Some(_), Some(text)) = (erased.is_empty(), &stored.text, text) {
            // What it redacts must not be told by it.
            recorded.base = Before::Withheld;
            recorded.splices = None;
            recorded.keyframe = Some((*text).into());
            recorded.since_keyframe = 0;
        }
        draft.documents.push(recorded);
        documents.push(match text {
            Some(text) => DocumentChange::new(name(document), stored.version, (*text).into(), Revision::of(text)),
            None => DocumentChange::deletion(name(document), stored.version),
        });
    }
    Change::new(RequestId::new("test", &"".into()), attempt, prepare(vec![draft]).unwrap())
        .at(SystemClock.now())
        .looked_to(snapshot.head.seq)
        .with_documents(documents)
        .erasing(erased)
}

fn commit(disk: &SimDisk, state: &mut State, wanted: &[Wanted], erase: &[u64]) -> Result<Outcome, StoreError> {
    access(disk, state, |work| {
        let snapshot = read(work)?;
        match work.commit(&change(&snapshot, wanted, erase))? {
            Answer::Ready(outcome) => Ok(outcome),
            _ => panic!("nobody else is there"),
        }
    })
}

/// Returns a disk before the last commit.
fn before_last() -> SimDisk {
    let disk = SimDisk::boot(Image::default(), Bad::default());
    layout::prepare(&disk).unwrap();
    let mut state = State::default();
    for wanted in BEFORE {
        assert!(matches!(commit(&disk, &mut state, wanted, &[]), Ok(Outcome::Committed(_))));
    }
    disk.quiesce();
    disk.reset_calls();
    disk
}

fn texts(snapshot: &Snapshot) -> Vec<(DocName, Option<String>)> {
    snapshot.documents.iter().map(|stored| (stored.name.clone(), stored.text.as_deref().map(str::to_owned))).collect()
}

fn expected(is_made: bool) -> Vec<(DocName, Option<String>)> {
    let [a, b, c] = if is_made { LAST[..].try_into().unwrap() } else { [BEFORE[1][0], BEFORE[1][1], ("f/c", None)] };
    [a, b, c].map(|(document, text)| (name(document), text.map(str::to_owned))).to_vec()
}

/// Checks what an access finds, and that the next commit works. Returns whether the last commit was made.
fn check(disk: &SimDisk, state: &mut State) -> Result<bool, String> {
    let told = |error: StoreError| error.to_string();
    let snapshot = access(disk, state, read).map_err(told)?;
    let is_made = texts(&snapshot) == expected(true);
    if !is_made && texts(&snapshot) != expected(false) {
        return Err(format!("neither: {:?}", texts(&snapshot)));
    }
    check_journal(disk, is_made)?;
    match commit(disk, state, &[("a", Some("next"))], &[]).map_err(told)? {
        Outcome::Committed(_) => {}
        other => return Err(format!("the next commit: {other:?}")),
    }
    let fresh = access(disk, &mut State::default(), read).map_err(told)?;
    let kept = access(disk, state, read).map_err(told)?;
    if fresh != kept {
        return Err(format!("a new handle reads {fresh:?}, the old one {kept:?}"));
    }
    check_journal(disk, is_made)?;
    Ok(is_made)
}

fn check_journal(disk: &SimDisk, is_made: bool) -> Result<(), String> {
    let mut verifier = Verifier::new();
    let mut findings = Vec::new();
    for segment in segments::numbers(disk).unwrap() {
        let bytes = segments::read(disk, Position { segment, offset: 0 }).unwrap();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            findings.extend(verifier.line(line.strip_suffix(b"\n").unwrap()));
        }
    }
    findings.extend(verifier.finish().findings);
    // A change is dated before the journal may begin.
    findings.retain(|finding| !matches!(finding.problem, Problem::TimeBackwards { .. }));
    if !findings.is_empty() {
        return Err(format!("{findings:?}"));
    }
    let view = disk.view();
    let holds = |bytes: &[u8]| memchr::memmem::find(bytes, SECRET.as_bytes()).is_some();
    let kept = view.names.iter().filter(|(_, file)| view.files.get(*file).is_some_and(|bytes| holds(bytes)));
    match kept.map(|(path, _)| path).next() {
        Some(path) if is_made => Err(format!("`{path}` holds what was erased")),
        _ => Ok(()),
    }
}

#[test]
fn a_crash_leaves_all_or_nothing_and_what_is_erased_stays_erased() {
    let disk = before_last();
    disk.record();
    let mut state = State::default();
    assert!(matches!(commit(&disk, &mut state, LAST, &ERASED), Ok(Outcome::Committed(_))));
    let mut images: Vec<_> = disk.recorded().into_iter().chain(disk.crashed()).collect();
    images.sort_unstable();
    let mut counts = [0, 0];
    for image in images {
        let disk = SimDisk::boot(image, Bad::default());
        counts[usize::from(check(&disk, &mut State::default()).unwrap())] += 1;
    }
    assert!(counts[0] > 10 && counts[1] > 20, "{counts:?}");
    for image in disk.crashed() {
        assert_eq!(check(&SimDisk::boot(image, Bad::default()), &mut State::default()), Ok(true));
    }
}

#[test]
fn a_fault_at_any_call_is_told_and_the_next_call_works() {
    let calls = {
        let disk = before_last();
        commit(&disk, &mut State::default(), LAST, &ERASED).unwrap();
        disk.calls()
    };
    for at in 0..calls {
        for kind in [FaultKind::Io, FaultKind::Full, FaultKind::Denied, FaultKind::Short] {
            for lasts in [false, true] {
                let fault = Fault { at, kind, lasts };
                let disk = before_last();
                let mut state = State::default();
                disk.fault.set(Some(fault));
                let answer = commit(&disk, &mut state, LAST, &ERASED);
                disk.fault.set(None);
                let is_made = check(&disk, &mut state).unwrap_or_else(|error| panic!("{fault:?}: {answer:?}: {error}"));
                match answer {
                    Ok(Outcome::Committed(_)) => assert!(is_made, "{fault:?}"),
                    Ok(Outcome::Indeterminate(_)) => {}
                    Ok(other) => panic!("{fault:?}: {other:?}"),
                    Err(_) => assert!(!is_made, "{fault:?}"),
                }
            }
        }
    }
}

/// Lets a hand append a line before call `at` of a commit, and the process die at a later call. Returns whether it was committed.
fn overtaken(at: usize, killed: Option<usize>) -> Result<bool, String> {
    let disk = SimDisk::boot(Image::default(), Bad::default());
    layout::prepare(&disk).unwrap();
    let mut state = State::default();
    commit(&disk, &mut state, &[("a", Some("one\n\ntwo\n"))], &[]).unwrap();
    disk.quiesce();
    disk.reset_calls();
    disk.other.replace(Some(Box::new(move |disk: &SimDisk, call| {
        if call == at {
            disk.write_as_other(disk.open_as_other("a.md").unwrap(), "hand\n", How::Behind);
        }
    })));
    disk.fault.set(killed.map(|at| Fault { at, kind: FaultKind::Killed, lasts: true }));
    let answer = access(&disk, &mut state, |work| {
        let snapshot = read(work)?;
        work.commit(&change(&snapshot, &[("a", Some("one\nfact\n\ntwo\n"))], &[]))
    });
    if disk.calls() <= at {
        return Ok(false);
    }
    let is_made = matches!(answer, Ok(Answer::Ready(Outcome::Committed(_))));
    // Whoever comes next may die, too.
    for more in killed.into_iter().flat_map(|killed| [killed % 7, killed % 11]) {
        disk.now.set(disk.now.get() + 5000);
        disk.fault.set(Some(Fault { at: disk.calls() + 20 + more, kind: FaultKind::Killed, lasts: true }));
        let _ = access(&disk, &mut State::default(), read);
    }
    disk.other.replace(None);
    disk.fault.set(None);
    let mut text = String::new();
    for _ in 0..2 {
        disk.now.set(disk.now.get() + 20_000);
        let snapshot = access(&disk, &mut State::default(), read).map_err(|error| error.to_string())?;
        text = snapshot.documents[0].text.as_deref().unwrap_or_default().to_owned();
    }
    let count = |line: &str| text.split('\n').filter(|found| *found == line).count();
    if count("hand") != 1 || count("fact") > 1 || (is_made && count("fact") != 1) {
        return Err(format!("{text:?} of {answer:?}", answer = answer.map(|_| is_made)));
    }
    check_journal(&disk, false).map(|()| is_made)
}

#[test]
fn a_hand_that_overtakes_a_commit_is_merged_with_it() {
    let made = (0..80).filter(|at| overtaken(*at, None).unwrap_or_else(|error| panic!("at call {at}: {error}")));
    assert!(made.count() > 5);
    for at in 0..80 {
        for killed in at..at + 60 {
            overtaken(at, Some(killed)).unwrap_or_else(|error| panic!("at call {at}, killed at {killed}: {error}"));
        }
    }
}

#[test]
fn a_commit_of_one_document_syncs_three_times() {
    let disk = SimDisk::boot(Image::default(), Bad::default());
    layout::prepare(&disk).unwrap();
    let mut state = State::default();
    let limits = |disk: &SimDisk, state: &mut State, text: &'static str| {
        access(disk, state, |work| {
            work.site.limits.segment = 1 << 20;
            let snapshot = read(work)?;
            work.commit(&change(&snapshot, &[("a", Some(text))], &[])).map(drop)
        })
    };
    limits(&disk, &mut state, "one").unwrap();
    for text in ["two", "three", "four"] {
        let before = disk.syncs.get();
        limits(&disk, &mut state, text).unwrap();
        assert_eq!(disk.syncs.get() - before, 3);
    }
}
