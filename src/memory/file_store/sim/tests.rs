//! All protocols through the same check.

use super::super::commit::Fate;
use super::super::disk::Found;
use super::super::displaced::{KEPT_FOR, review};
use super::bad::{Protocol, answering_early, appending_first, noting_first, without_second_look};
use super::disk::{Fault, FaultKind, How, SimDisk};
use super::flaw::Bad;
use super::toy::Toy;
use super::world::{History, Violation, World};

const ONE: History =
    History { steps: &[&[("a", Some("old a"))], &[("a", Some("new text of a"))]], segment: 1 << 20, every: 1 };
const TWO: History = History {
    steps: &[&[("a", Some("old a"))], &[("a", Some("mid a"))], &[("a", Some("new a")), ("b", Some("new b"))]],
    segment: 1,
    every: 5,
};
const THREE: History = History {
    steps: &[
        &[("a", Some("old a")), ("b", Some("old b")), ("f/c", Some("old c"))],
        &[("a", Some("new a")), ("b", None), ("f/c", Some("new c"))],
    ],
    segment: 1 << 20,
    every: 20,
};
const FIRST: History =
    History { steps: &[&[("a", Some("first a")), ("f/c", Some("first c"))]], segment: 1 << 20, every: 1 };

#[derive(Debug, Default)]
struct Report {
    states: usize,
    faults: usize,
    edits: usize,
}

fn check(protocol: Protocol) -> Result<Report, Violation> {
    let mut report = Report { edits: check_editors(protocol)? + check_killed_editors(protocol)?, ..Report::default() };
    for history in [ONE, FIRST, THREE, TWO] {
        let mut world = World::new(protocol, history);
        world.check_crashes()?;
        report.faults += world.check_faults()? + world.check_faults_of_recovery()?;
        report.states += world.count();
    }
    Ok(report)
}

/// How somebody else saves.
#[derive(Clone, Copy, Debug)]
enum Editor {
    /// Writes behind the end of the file that is open since before the commit.
    AppendsToOpenFile,
    /// Writes behind the end of the file that stands at the path.
    Appends,
    /// Puts another file at the path.
    Renames,
    /// Empties the file at the path, and writes two calls later.
    WritesInTwoSteps,
}

fn check_editors(protocol: Protocol) -> Result<usize, Violation> {
    let mut edits = 0;
    let world = World::new(protocol, ONE);
    for editor in [Editor::AppendsToOpenFile, Editor::Appends, Editor::Renames, Editor::WritesInTwoSteps] {
        for at in 0..60 {
            edits += 1;
            check_editor(&world, editor, at).map_err(|violation| format!("{editor:?} at call {at}: {violation}"))?;
        }
    }
    Ok(edits)
}

/// Lets somebody write, and the process die later, before what was displaced is put away.
fn check_killed_editors(protocol: Protocol) -> Result<usize, Violation> {
    let world = World::new(protocol, ONE);
    let mut edits = 0;
    for at in 0..60 {
        for killed in at..at + 20 {
            edits += 1;
            let fault = Fault { at: killed, kind: FaultKind::Killed, lasts: true };
            let violated = |violation| format!("writes at call {at}, killed at {killed}: {violation}");
            check_late(&world, Editor::AppendsToOpenFile, at, Some(fault)).map_err(violated)?;
        }
    }
    Ok(edits)
}

fn check_editor(world: &World, editor: Editor, at: usize) -> Result<(), Violation> {
    check_late(world, editor, at, None)
}

fn check_late(world: &World, editor: Editor, at: usize, fault: Option<Fault>) -> Result<(), Violation> {
    let disk = world.before_last()?;
    disk.fault.set(fault);
    let open = disk.open_as_other("a.md");
    disk.other.replace(Some(Box::new(move |disk: &SimDisk, call| {
        let path = disk.open_as_other("a.md");
        match (editor, call.checked_sub(at)) {
            (Editor::AppendsToOpenFile, Some(0)) => disk.write_as_other(open.unwrap(), " LATE", How::Behind),
            (Editor::Appends, Some(0)) => disk.write_as_other(path.unwrap(), " LATE", How::Behind),
            (Editor::Renames, Some(0)) => disk.replace_as_other("a.md", "a LATE"),
            (Editor::WritesInTwoSteps, Some(0)) => disk.write_as_other(path.unwrap(), "", How::Over),
            (Editor::WritesInTwoSteps, Some(2)) => disk.write_as_other(path.unwrap(), "a LATE", How::Over),
            _ => {}
        }
    })));
    let answer = world.commit(&disk, 1);
    let made = disk.calls();
    disk.other.replace(None);
    disk.fault.set(None);
    if at + 2 >= made {
        return Ok(());
    }
    let mut found: Vec<Found> = Vec::new();
    if let Ok((Fate::Committed { outside, .. }, _)) = answer {
        found.extend(outside.into_iter().flat_map(|outside| outside.found));
    }
    let recovered = world.recover(&disk).map_err(|error| error.to_string())?;
    found.extend(recovered.outside.into_iter().flat_map(|outside| outside.found));
    disk.now.set(disk.now.get() + u64::try_from(KEPT_FOR.as_millis()).unwrap());
    let late = review(&world.site(&disk), World::now(&disk)).map_err(|error| error.to_string())?;
    found.extend(late.into_iter().map(|late| late.found));
    let is_late = |found: &Found| matches!(found, Found::Text { text, .. } if text.contains("LATE"));
    let stands = disk.view().text("a.md").is_some_and(|text| text.ends_with(b"LATE"));
    if stands || found.iter().any(is_late) {
        Ok(())
    } else {
        Err(format!("lost: {:?} {found:?}", disk.view().text("a.md")))
    }
}

#[test]
fn the_protocol_survives_every_crash_fault_and_editor() {
    let report = check(Protocol::GOOD).unwrap();
    assert!(report.states > 1000 && report.faults > 500 && report.edits > 100, "{report:?}");
}

#[test]
fn without_exchange_crashes_and_faults_are_survived_still() {
    let mut world = World::new(Protocol::on(Bad::NoExchange), TWO);
    world.check_crashes().unwrap();
    world.check_faults().unwrap();
}

#[test]
fn every_bad_protocol_is_found() {
    let bad = [
        ("no sync of the text", Protocol::on(Bad::NoTextSync)),
        ("no sync of the journal", Protocol::on(Bad::NoJournalSync)),
        ("no sync of the directory", Protocol::on(Bad::NoDirectorySync)),
        ("append before the texts are synced", Protocol::by(appending_first)),
        ("write in place", Protocol::on(Bad::InPlace)),
        ("unlink first", Protocol::on(Bad::UnlinkedFirst)),
        ("note ahead of placing", Protocol::by(noting_first)),
        ("a failed sync is tried again", Protocol::on(Bad::RetriedSync)),
        ("a failed sync is answered with `committed`", Protocol::by(answering_early)),
        ("no second look", Protocol::by(without_second_look)),
        ("an incomplete group is trusted", Protocol { lines: Toy::Trusting, ..Protocol::GOOD }),
        ("a torn group is not cut off", Protocol::on(Bad::NoCut)),
        ("the tail is synced but not written anew", Protocol::on(Bad::NotAnew)),
    ];
    for (what, protocol) in bad {
        let result = check(protocol);
        assert!(result.is_err(), "{what} is not found");
    }
}

#[test]
fn a_commit_of_one_document_syncs_three_times() {
    let world = World::new(Protocol::GOOD, ONE);
    let disk = world.before_last().unwrap();
    world.commit(&disk, 1).unwrap();
    assert_eq!(disk.syncs.get(), 3);
}
