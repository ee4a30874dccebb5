//! Compaction loses nothing that must stay, whoever writes the text.

use memdoc::{Authority, BulletReport, CompactionReport, Fate, MemoryDoc, Request as _, Rewrite, Timestamp, View};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::{compaction_calls as calls, compaction_checks as checks};

/// Bytes that choose a memory, a candidate, calls.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..220)
}

#[test]
fn the_oracle_notices_what_it_is_for() {
    let before =
        "---\nname: Eve\n---\n## System/Policy\n- a\n\n## Facts\nPets: (ID: p)\n- [pinned] b\n- c\n- d\n## Log\n- e\n";
    let unmet = |after: String| checks::unmet(before, &after, (0.5, Some(200))).unwrap();
    assert_eq!(unmet(before.to_owned()), [""; 0]);
    let broken = [
        (before.replace("- a\n\n", "- a\n"), "reserved_section"),
        (before.replace("## System/Policy\n- a\n\n", ""), "reserved_section"),
        (before.replace("---\n## S", "---\nprose\n## S"), "reserved_section"),
        (before.replace("- [pinned] b", "- b"), "pinned_lost"),
        (before.replace("- [pinned] b", "- [pinned] B"), "pinned_lost"),
        (before.replace("name: Eve", "name: Adam"), "lost_ids"),
        (before.replace("(ID: p)", "(ID: q)"), "lost_ids"),
        (before.replace("- e\n", "- e\nMore (ID: p)\n"), "duplicate_id"),
        (before.replace("## Facts", "## Fact"), "missing_section"),
        (before.replace("- e\n", "- e\n- (rest unchanged)\n"), "omission_placeholder"),
        (before.replace("- e\n", "- e\n- a\u{200B}b\n"), "invalid_text"),
        (before.replace("- e\n", "- e\n```\n"), "invalid_text"),
        (before.replace("- c\n- d\n", ""), "loss_too_high"),
        (before.replace("- c\n- d\n", "- not c\n- d x\n"), "loss_too_high"),
        (before.replace("- c\n- d\n", "- [expires: 2030-01-01] c\n- [ttl: 7d] d\n"), "loss_too_high"),
        (before.replace("- c\n", "- [pinned] c\n"), "pinned_lost"),
        (before.replace("- c\n", "- [pinned] b\n- c\n"), "pinned_lost"),
        (before.replace("- [pinned] b\n- c\n", "- c\n  - [pinned] b\n"), "pinned_lost"),
        (before.replace("- e\n", &format!("- e\n- {}\n", "more ".repeat(40))), "over_budget"),
    ];
    for (after, code) in broken {
        assert_eq!(unmet(after).first(), Some(&code));
    }
}

proptest! {
    #[test]
    fn what_is_neither_expired_nor_said_twice_stays(data in bytes()) {
        checks::check_clean(&data);
    }

    #[test]
    fn over_budget_the_oldest_bullets_of_the_lowest_sections_go(data in bytes()) {
        checks::check_budget(&data);
    }

    #[test]
    fn a_candidate_is_accepted_only_if_it_keeps_what_must_stay(data in bytes()) {
        checks::check_candidate(&data);
    }

    #[test]
    fn a_candidate_that_leaves_out_no_more_than_may_go_is_accepted(data in bytes()) {
        checks::check_deletions(&data);
    }

    #[test]
    fn a_rewrite_of_a_section_leaves_the_rest_alone(data in bytes()) {
        checks::check_section(&data);
    }

    #[test]
    fn a_hook_is_asked_three_times_at_most_and_believed_never(data in bytes()) {
        calls::check_hook(&data);
    }

    #[test]
    fn an_edit_makes_room_for_itself_and_can_be_taken_back(data in bytes()) {
        calls::check_room(&data);
    }
}

/// Every bullet that a text lacks which another had is told in the report of what happened between them, with its text.
fn check_told(old: &MemoryDoc, new: &MemoryDoc, report: &CompactionReport) {
    let texts =
        |doc: &MemoryDoc| -> Vec<String> { doc.bullets().map(|bullet| bullet.content().into_owned()).collect() };
    let mut there = texts(new);
    for text in texts(old) {
        match there.iter().position(|other| *other == text) {
            Some(at) => drop(there.swap_remove(at)),
            None => {
                let is_told = |row: &BulletReport| row.text.ends_with(&*text) && row.fate != Fate::Kept;
                assert!(report.bullets.iter().any(is_told), "{text} is lost in silence: {:?}", new.text());
            }
        }
    }
    let added = report.bullets.iter().filter(|row| row.fate == Fate::Added).count();
    assert!(there.len() >= added, "more is reported as new than is");
}

#[test]
fn what_two_hundred_rounds_wear_away_is_told_round_by_round() {
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    let mut doc = MemoryDoc::parse("## Facts\n- [pinned] the first\n- a fact\n");
    let pinned = "- [pinned] the first\n";
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..200 {
        // What is learned in between: a new fact, one said twice, one that has expired.
        let text = format!(
            "{}- fact {round} of many\n- Fact {round} of many\n- [expires: 2020-01-01] old {round}\n",
            doc.text()
        );
        doc = MemoryDoc::parse(text);
        let candidate = (round % 3 > 0).then(|| worn(&doc, round));
        let mut request = Rewrite::new("");
        request.candidate = candidate;
        match request.plan(&View::current(&doc, now)) {
            Ok(edit) => {
                let new = doc.commit(&edit, Authority::Agent).unwrap().doc;
                check_told(&doc, &new, &CompactionReport::new(&doc, &new, now));
                doc = new;
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
        assert!(doc.text().contains(pinned), "the pinned bullet is gone in round {round}");
    }
    assert!(accepted > 100 && refused > 0, "{accepted} of 200 rounds changed something, {refused} were refused");
}

/// Drops or rewords every other bullet, or two in three, but for the pinned one.
fn worn(doc: &MemoryDoc, round: usize) -> String {
    let mut text = doc.text().to_owned();
    let bullets: Vec<_> = doc.bullets().enumerate().skip(1).collect();
    for (nth, bullet) in
        bullets.into_iter().rev().filter(|(nth, _)| (nth + round) % (2 + round % 2) < 1 + round % 5 / 4)
    {
        let other = if nth % 2 == 0 { String::new() } else { format!("- reworded {nth} in {round}\n") };
        text.replace_range(bullet.extent.range(), &other);
    }
    text
}
