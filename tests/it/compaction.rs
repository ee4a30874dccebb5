//! Compaction loses nothing that must stay, whoever writes the text.

use std::sync::atomic::{AtomicUsize, Ordering};

use memdoc::memory::journal::Seq;
use memdoc::memory::{Moment, RequestId};
use memdoc::request::{BulletOutcome, BulletReport, CompactionReport, CompactionRequest, Rewrite};
use memdoc::{Basis, Code, DocName, InMemoryStore, Memory, MemoryDoc, Operation, Origin, Policy};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::{compaction_calls as calls, compaction_checks as checks, compaction_facts as facts};

/// Bytes that choose a memory, a candidate, calls.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..220)
}

#[test]
fn the_oracle_notices_what_it_is_for() {
    let before =
        "---\nname: Eve\n---\n## System/Policy\n- a\n\n## Facts\nPets: (ID: p)\n- [pinned] b\n- c\n- d\n## Log\n- e\n";
    let unmet = |after: String| checks::unmet(before, &after, Some(200)).unwrap();
    assert_eq!(unmet(before.to_owned()), [""; 0]);
    let broken = [
        (before.replace("- a\n\n", "- a \n\n"), "reserved_section"),
        (before.replace("## System/Policy\n- a\n\n", ""), "reserved_section"),
        (before.replace("---\n## S", "---\nprose\n## S"), "reserved_section"),
        (before.replace("- [pinned] b", "- b"), "pinned_lost"),
        (before.replace("- [pinned] b", "- [pinned] B"), "pinned_lost"),
        (before.replace("name: Eve", "name: Adam"), "lost_ids"),
        (before.replace("(ID: p)", "(ID: q)"), "pinned_lost"),
        (before.replace("- e\n", "- e\nMore (ID: p)\n"), "duplicate_id"),
        (before.replace("## Facts", "## Fact"), "missing_section"),
        (before.replace("- e\n", "- e\n- (rest unchanged)\n"), "omission_placeholder"),
        (before.replace("- e\n", "- e\n- a\u{200B}b\n"), "invalid_text"),
        (before.replace("- e\n", "- e\n```\n"), "invalid_text"),
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
    #![proptest_config(usually(256))]

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
    fn a_fact_that_is_lost_is_gone_and_what_is_kept_is_not(data in bytes()) {
        facts::check_fates(&data);
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

/// Checks that every line which a text lacks and another had is told in the report of what happened between them, and returns
/// those lines.
fn told_lost(old: &MemoryDoc, new: &MemoryDoc, report: &CompactionReport) -> Vec<String> {
    let texts = |doc: &MemoryDoc| doc.bullets().map(|bullet| bullet.content().into_owned()).collect::<Vec<_>>();
    let (mut there, mut lost) = (texts(new), Vec::new());
    for text in texts(old) {
        match there.iter().position(|other| *other == text) {
            Some(at) => drop(there.swap_remove(at)),
            None => {
                let says = |row: &BulletReport| row.text.to_lowercase().ends_with(&text.to_lowercase());
                let is_told = |row: &BulletReport| says(row) && row.outcome != BulletOutcome::Kept;
                assert!(report.bullets.iter().any(is_told), "{text} is lost in silence: {:?}", new.text());
                lost.push(text);
            }
        }
    }
    let added = report.bullets.iter().filter(|row| row.outcome == BulletOutcome::Added).count();
    assert!(there.len() >= added, "more is reported as new than is");
    let prose = |doc: &MemoryDoc| {
        let is_prose = |(_, line): &(usize, &str)| line.starts_with("prose") || line.starts_with("code");
        doc.text()
            .split('\n')
            .enumerate()
            .filter(is_prose)
            .map(|(at, line)| (at + 1, line.to_owned()))
            .collect::<Vec<_>>()
    };
    let mut there: Vec<_> = prose(new).into_iter().map(|(_, line)| line).collect();
    for (number, line) in prose(old) {
        match there.iter().position(|other| *other == line) {
            Some(at) => drop(there.swap_remove(at)),
            None => {
                assert!(report.other_lines.contains(&number), "{line} is lost in silence: {:?}", new.text());
                lost.push(line);
            }
        }
    }
    lost
}

/// Compacts a memory eighty times; in between, it learns something. Each round is told of whole, and keeps what is pinned.
/// Returns the lines that were lost, and in which entries.
fn eroded(memory: &Memory) -> Vec<(Seq, Vec<String>)> {
    let (name, mut eroded) = (DocName::memory(), Vec::new());
    let mut text = "## Facts\n- [pinned] the first\n- a fact\n".to_owned();
    for round in 0..80 {
        // A new fact, one said twice, one that has expired, prose, code.
        text.push_str(&format!(
            "- fact {round} of many\n- Fact {round} of many\n- [expires: 2020-01-01] old {round}\n"
        ));
        if round % 20 == 0 {
            text.push_str(&format!("\nprose of {round}\n\n```\ncode of {round}\n```\n"));
        }
        memory.write(&name, &text).unwrap();
        let old = memory.read(&name).unwrap();
        let rewrite = Rewrite::new("");
        let operation = Operation::edit(name.clone(), Basis::Anything, &rewrite);
        let id = RequestId::new("round", &format!("{round}").as_str().into());
        match memory.apply(&[operation], &Origin::host("tidy"), id) {
            Ok(applied) => {
                let [applied] = &applied[..] else { panic!("one document is compacted") };
                let lost = told_lost(&old, &applied.doc, applied.report.as_ref().unwrap());
                eroded.extend(applied.seq.filter(|_| !lost.is_empty()).map(|seq| (seq, lost)));
            }
            Err(error) => assert_eq!(error.code(), Code::LossTooHigh, "{error}"),
        }
        text = memory.read(&name).unwrap().text().to_owned();
        assert!(text.contains("- [pinned] the first\n"), "the pinned bullet is gone in round {round}");
    }
    eroded
}

#[test]
fn what_eighty_rounds_wear_away_is_told_round_by_round_and_found_in_the_journal() {
    let memory = || Memory::new(InMemoryStore::new(), Policy::default()).unwrap();
    let round = AtomicUsize::new(0);
    let hook = move |request: &CompactionRequest| {
        Ok(worn(&MemoryDoc::parse(&*request.text), round.fetch_add(1, Ordering::Relaxed)))
    };
    for memory in [memory(), memory().with_compactor(hook)] {
        let eroded = eroded(&memory);
        assert!(eroded.len() > 40, "{} of 80 rounds lost something", eroded.len());
        for (seq, lost) in eroded {
            let before = memory.text_at(&DocName::memory(), &Moment::After(seq.minus(1))).unwrap().unwrap();
            let missing = lost.iter().find(|line| !before.contains(line.as_str()));
            assert_eq!(missing, None, "the journal does not have it before {seq}");
        }
        assert!(memory.verify(None).unwrap().is_sound());
    }
}

#[test]
fn small_losses_add_up_under_another_name_too() {
    let memory = Memory::new(InMemoryStore::new(), Policy::default()).unwrap();
    let [old, new]: [DocName; 2] = ["old", "new"].map(|name| name.parse().unwrap());
    let kept = |count| (0..count).map(|nth| format!("- bullet {nth}\n")).collect::<String>();
    let rewrite = |name: &DocName, count| {
        let rewrite = Rewrite::new("shorter").with_candidate(kept(count));
        let operation = Operation::edit(name.clone(), Basis::Anything, &rewrite);
        memory.apply(&[operation], &Origin::host("rewrite_memory"), RequestId::new("rewrite", &count.into()))
    };
    memory.create(&old, &kept(8)).unwrap();
    rewrite(&old, 5).unwrap();
    memory.rename(&old, &new).unwrap();
    assert_eq!(rewrite(&new, 3).unwrap_err().code(), Code::LossTooHigh);
    rewrite(&new, 4).unwrap();
}

/// Drops or rewords every other bullet, or two in three, but for the pinned one; and at times a line that is none.
fn worn(doc: &MemoryDoc, round: usize) -> String {
    let mut text = doc.text().to_owned();
    let bullets: Vec<_> = doc.bullets().enumerate().skip(1).collect();
    for (nth, bullet) in
        bullets.into_iter().rev().filter(|(nth, _)| (nth + round) % (2 + round % 2) < 1 + round % 5 / 4)
    {
        let other = if nth % 2 == 0 { String::new() } else { format!("- reworded {nth} in {round}\n") };
        text.replace_range(bullet.line.range(), &other);
    }
    let drops = |line: &str| round.is_multiple_of(7) && (line.starts_with("prose") || line.starts_with("code"));
    text.split_inclusive('\n').filter(|line| !drops(line)).collect()
}
