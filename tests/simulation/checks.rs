//! All protocols through the same checks.

use super::fault::Bad;
use super::process::{Step, Violation};
use super::world::World;

/// Two documents, of which one is created, changed, and deleted.
const CHANGES: &[Step] = &[
    &[("a", Some("- one\n"))],
    &[("a", Some("- one\n- two\n")), ("b", Some("- b\n"))],
    &[("a", Some("- one\n- two\n- three\n"))],
    &[("a", Some("- zero\n- one\n- two\n- three\n"))],
];
const CREATION: &[Step] = &[&[("b", Some("- b\n"))], &[("a", Some("- one\n")), ("b", Some("- b\n- c\n"))]];
const DELETION: &[Step] = &[&[("a", Some("- one\n"))], &[("a", Some("- one\n- two\n"))], &[("a", None)]];
const HISTORIES: [&[Step]; 3] = [CHANGES, CREATION, DELETION];

/// Looks for what is wrong with a protocol among a few of the states that a crash may leave, then among many.
fn check(bad: Bad) -> Result<(), Violation> {
    [3, 30].into_iter().try_for_each(|most| check_states(bad, most))
}

fn check_states(bad: Bad, most: usize) -> Result<(), Violation> {
    let worlds = HISTORIES.map(|steps| {
        let mut world = World::new(bad, steps);
        world.most = most;
        world
    });
    for world in &worlds {
        world.check_half_saved()?;
        world.check_older_text()?;
        world.check_kills()?;
    }
    for world in &worlds {
        world.check_crashes()?;
    }
    worlds[0].check_hands()?;
    worlds.iter().try_for_each(|world| world.check_faults().map(drop))
}

#[test]
fn a_crash_leaves_one_of_the_two_states() {
    for steps in HISTORIES {
        let mut world = World::new(Bad::Nothing, steps);
        world.most = 60;
        let count = world.check_crashes().unwrap_or_else(|found| panic!("{found}"));
        assert!(count > 10, "{count} states are too few");
    }
}

#[test]
fn a_commit_of_one_document_waits_for_two_syncs() {
    for (steps, documents) in [(CHANGES, 1), (CREATION, 2)] {
        let syncs = World::new(Bad::Nothing, steps).count_syncs().unwrap_or_else(|found| panic!("{found}"));
        assert_eq!(syncs, documents + 1, "a sync of each text, and one of the journal");
    }
}

#[test]
fn a_process_that_is_killed_leaves_one_of_the_two_states() {
    for steps in HISTORIES {
        let calls = World::new(Bad::Nothing, steps).check_kills().unwrap_or_else(|found| panic!("{found}"));
        assert!(calls > 20, "{calls} calls are too few");
    }
}

#[test]
fn a_commit_that_was_not_written_out_is_not_lost_where_an_earlier_line_is_damaged() {
    for steps in HISTORIES {
        let count = World::new(Bad::Nothing, steps).check_damage().unwrap_or_else(|found| panic!("{found}"));
        assert!(count > 40, "{count} journals are too few");
    }
}

#[test]
fn a_call_that_fails_is_told_as_what_it_is() {
    for steps in HISTORIES {
        let mut world = World::new(Bad::Nothing, steps);
        world.most = 6;
        world.check_faults().unwrap_or_else(|found| panic!("{found}"));
    }
}

#[test]
fn what_a_person_writes_is_in_the_document_or_in_the_journal() {
    for steps in HISTORIES {
        World::new(Bad::Nothing, steps).check_hands().unwrap_or_else(|found| panic!("{found}"));
    }
}

#[test]
fn an_older_text_that_a_person_puts_back_stands() {
    for steps in HISTORIES {
        let world = World::new(Bad::Nothing, steps);
        world.check_older_text().unwrap_or_else(|found| panic!("{found}"));
        world.check_half_saved().unwrap_or_else(|found| panic!("{found}"));
    }
}

#[test]
fn a_full_disk_is_read() {
    for steps in HISTORIES {
        World::new(Bad::Nothing, steps).check_full_disk().unwrap_or_else(|found| panic!("{found}"));
    }
}

/// A check that does not find a protocol with one step wrong proves nothing.
#[test]
fn protocols_with_one_step_wrong_are_found() {
    let all = [
        Bad::NoTextSync,
        Bad::NoJournalSync,
        Bad::NoDirectorySync,
        Bad::NoPrivateSync,
        Bad::InPlace,
        Bad::UnlinkedFirst,
        Bad::RetriedSync,
        Bad::NotAnew,
        Bad::NoCut,
        Bad::NoSecondLook,
        Bad::NoMark,
        Bad::NoDeletionMark,
        Bad::SameBoot,
        Bad::NoTimes,
    ];
    let missed: Vec<_> = all.into_iter().filter(|bad| check(*bad).is_ok()).collect();
    assert!(missed.is_empty(), "{missed:?}");
}
