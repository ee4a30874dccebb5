//! Compaction loses nothing that must stay, whoever writes the text (SPEC § 12).

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
        (before.replace("- e\n", &format!("- e\n- {}\n", "more ".repeat(40))), "over_budget"),
    ];
    for (after, code) in broken {
        assert_eq!(unmet(after), [code]);
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
