//! All protocols through the same checks.

use super::fault::{Bad, FaultKind};
use super::process::{Step, Violation};
use super::soak::factor;
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
/// The last commit writes a text that is redacted then.
const SECRET: &[Step] = &[&[("a", Some("- one\n"))], &[("a", Some("- one\n- PIN 4711\n"))]];
/// The last commit changes two places.
const PLACES: &[Step] = &[&[("a", Some("- one\n- two\n"))], &[("a", Some("- zero\n- one\n- two\n- three\n"))]];
const HISTORIES: [&[Step]; 3] = [CHANGES, CREATION, DELETION];

#[test]
fn a_crash_leaves_one_of_the_two_states() {
    for steps in HISTORIES {
        let mut world = World::new(Bad::Nothing, steps);
        world.most = 30 * factor();
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
fn what_a_person_writes_is_synced_before_it_is_recorded() {
    let syncs = World::new(Bad::Nothing, CHANGES).count_syncs_by_hand().unwrap_or_else(|found| panic!("{found}"));
    assert_eq!(syncs, 2, "a sync of the person's file, and one of the journal");
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
        world.most = 3 * factor();
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
fn a_person_who_writes_a_part_of_what_was_not_written_out_reads_all_of_it() {
    let world = World::new(Bad::Nothing, PLACES);
    world.check_part("- zero\n- one\n- two\n").unwrap_or_else(|found| panic!("{found}"));
}

#[test]
fn an_older_text_that_a_person_puts_back_stands() {
    for steps in HISTORIES {
        let world = World::new(Bad::Nothing, steps);
        world.check_older_text().unwrap_or_else(|found| panic!("{found}"));
        world.check_put_back().unwrap_or_else(|found| panic!("{found}"));
        world.check_half_saved().unwrap_or_else(|found| panic!("{found}"));
    }
}

#[test]
fn a_disk_that_is_full_or_read_only_is_read() {
    for steps in HISTORIES {
        for kind in [FaultKind::NoSpace, FaultKind::ReadOnly] {
            let world = World::new(Bad::Nothing, steps);
            world.check_unwritable(kind).unwrap_or_else(|found| panic!("{kind:?}: {found}"));
        }
    }
}

#[test]
fn where_files_cannot_be_exchanged_nothing_is_lost_but_what_is_written_during_the_second_look() {
    for steps in HISTORIES {
        let mut world = World::new(Bad::NoExchange, steps);
        world.most = 10 * factor();
        world.check_crashes().unwrap_or_else(|found| panic!("{found}"));
        world.check_kills().unwrap_or_else(|found| panic!("{found}"));
        world.check_second_look().unwrap_or_else(|found| panic!("{found}"));
    }
}

#[test]
fn a_redaction_that_is_interrupted_is_finished_by_the_next_access() {
    let mut world = World::new(Bad::Nothing, SECRET);
    world.most = 10 * factor();
    let calls = world.check_redaction().unwrap_or_else(|found| panic!("{found}"));
    assert!(calls > 40, "{calls} calls are too few");
}

/// A check that does not find a protocol with one step wrong proves nothing. Each is looked for by the check that it is made for.
#[test]
fn protocols_with_one_step_wrong_are_found() {
    /// How many of the states that a crash may leave are looked at, and by which check.
    type Check = (usize, fn(&World) -> Result<(), Violation>);
    let half_saved: Check = (0, World::check_half_saved);
    let hands: Check = (0, |world| world.check_hands().map(drop));
    let kills: Check = (0, |world| world.check_kills().map(drop));
    let crashes: Check = (30, |world| world.check_crashes().map(drop));
    let faults: Check = (3, |world| world.check_faults().map(drop));
    let protocols = [
        (Bad::NoTextSync, crashes),
        (Bad::NoJournalSync, crashes),
        (Bad::NoDirectorySync, faults),
        (Bad::NoPrivateSync, crashes),
        (Bad::InPlace, crashes),
        (Bad::UnlinkedFirst, faults),
        (Bad::RetriedSync, faults),
        (Bad::NotAnew, faults),
        (Bad::NoCut, faults),
        (Bad::NoSecondLook, hands),
        (Bad::NoMark, hands),
        (Bad::NoDeletionMark, kills),
        (Bad::SameBoot, crashes),
        (Bad::NoTimes, half_saved),
    ];
    // Few states are enough as a rule; which ones are drawn differs from run to run.
    let is_missed = |(bad, (most, check)): &(Bad, Check)| {
        [*most, 10 * most].into_iter().all(|most| {
            HISTORIES.into_iter().all(|steps| {
                let mut world = World::new(*bad, steps);
                world.most = most;
                check(&world).is_ok()
            })
        })
    };
    let missed: Vec<_> = protocols.into_iter().filter(is_missed).map(|(bad, _)| bad).collect();
    assert!(missed.is_empty(), "{missed:?}");
}
