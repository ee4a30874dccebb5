//! Patches against a reference that tries every place, and what must hold of any patch.

use std::fmt::Write as _;

use memdoc::document::{Healing, Rules};
use memdoc::edit::{Authority, Edit, EditError, Flaw, PartStatus};
use memdoc::request::patch::Patch;
use memdoc::{MemoryDoc, Policy, Request as _, Timestamp, View};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::support::draws::usually;
use super::support::matcher::{Change, Verdict, verdict};
use super::support::patch_checks::{between, planned, planned_parts, spliced};

const LINES: &[&str] = &[
    "a", "a", "b", "b", "c", "", "", "- a", "- b", "  - a", " a", "-", "+", "# P", "## S", "## T", "### U", "@@ S",
    "*** x",
];

fn document() -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(LINES), 0..14)
}

fn changes(of: &[&'static str], most: usize) -> impl Strategy<Value = Vec<Change>> + use<> {
    let of = of.to_vec();
    let operator = || select(&[' ', '-', '-', '+'][..]);
    let ends = of.clone();
    let appended = (any::<Index>(), 1..4_usize).prop_map(move |(from, count)| {
        let from = if ends.is_empty() { 0 } else { from.index(ends.len()) };
        let mut lines: Vec<_> = ends.iter().skip(from).take(count).map(|line| ('+', *line)).collect();
        if lines.is_empty() {
            lines.push(('+', "- a"));
        }
        lines
    });
    let invented = vec((operator(), select(LINES)), 0..4);
    let taken = (any::<Index>(), vec((operator(), select(LINES)), 1..5)).prop_map(move |(from, mut lines)| {
        let mut at = if of.is_empty() { 0 } else { from.index(of.len()) };
        for (operator, text) in &mut lines {
            if *operator != '+'
                && let Some(line) = of.get(at)
            {
                *text = *line;
                at += 1;
            }
        }
        lines
    });
    let section = prop_oneof![4 => Just(None), 3 => select(&["P", "S", "T", "U"][..]).prop_map(Some)];
    let change = (section, prop_oneof![2 => invented, 5 => taken, 2 => appended], prop::bool::weighted(0.15));
    let change = change.prop_map(|(section, lines, is_at_end)| Change { section, lines, is_at_end });
    vec(change, 1..=most)
}

fn text(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn exact(text: &str) -> MemoryDoc {
    let policy = Policy::default().with_healing(Healing::Off);
    MemoryDoc::with_rules(text, std::sync::Arc::new(Rules::new(policy).unwrap()))
}

fn patch_of(hunks: &[String]) -> String {
    format!("*** Begin Patch\n*** Update Memory\n{}*** End Patch\n", hunks.concat())
}

/// Returns what the planner makes of one hunk.
fn planner_verdict(text: &str, patch: &str) -> Verdict {
    let patch: Patch = patch.parse().unwrap();
    let doc = exact(text);
    match patch.documents[0].plan(&View::current(&doc, Timestamp::default())) {
        Err(error) => Verdict::Refused(error.code().as_str()),
        Ok(edit) if leaves_anchor(&doc, &edit) => Verdict::Refused("invalid_text"),
        Ok(edit) => match edit.parts().first().map(|part| part.status) {
            Some(PartStatus::AlreadyApplied) => Verdict::AlreadyApplied,
            Some(PartStatus::NoChange) => Verdict::NoChange,
            _ => Some(spliced(text, &edit)).filter(|new| new != text).map_or(Verdict::NoChange, Verdict::Text),
        },
    }
}

/// Whether a hunk would write outside of what its anchor names.
fn leaves_anchor(doc: &MemoryDoc, edit: &Edit) -> bool {
    let refused = doc.draft(edit, Authority::Agent).err();
    matches!(refused, Some(EditError::InvalidText(Flaw::OutsideAnchor(_))))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, ..usually(2_000) })]

    #[test]
    fn the_planner_finds_what_the_reference_finds(
        (lines, changes) in document().prop_flat_map(|lines| { let changes = changes(&lines, 1); (Just(lines), changes) })
    ) {
        // Labels, headings that end their own scope, and empty hunks are not the reference's business.
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with([' ', '-', '+', '#']);
        let has_label = lines.windows(2).any(|pair| is_prose(pair[0]) && pair[1].trim_start().starts_with(['-', '+']));
        let is_heading = |(op, text): &(char, &str)| *op != ' ' && text.starts_with('#');
        let is_scoped = changes[0].section.is_some();
        if changes[0].lines.is_empty() || (is_scoped && (has_label || changes[0].lines.iter().any(is_heading))) {
            return Ok(());
        }
        let patch = patch_of(&[changes[0].written()]);
        prop_assert_eq!(planner_verdict(&text(&lines), &patch), verdict(&lines, &changes[0]), "{}", patch);
    }

    #[test]
    fn a_byte_order_mark_changes_nothing_and_stays(
        (lines, changes) in document().prop_flat_map(|lines| { let changes = changes(&lines, 3); (Just(lines), changes) })
    ) {
        let hunks: Vec<String> = changes.iter().filter(|change| !change.lines.is_empty()).map(Change::written).collect();
        let (text, patch) = (text(&lines), patch_of(&hunks));
        let plain = planned(&patch, &text).map(|text| format!("\u{FEFF}{text}"));
        prop_assert_eq!(planned(&patch, &format!("\u{FEFF}{text}")).ok(), plain.ok(), "{}", patch);
    }

    #[test]
    fn the_order_of_hunks_does_not_matter(
        (lines, changes) in document().prop_flat_map(|lines| { let changes = changes(&lines, 3); (Just(lines), changes) })
    ) {
        let hunks: Vec<String> = changes.iter().filter(|change| !change.lines.is_empty()).map(Change::written).collect();
        let text = text(&lines);
        let forward = planned(&patch_of(&hunks), &text);
        let backward = planned(&patch_of(&hunks.iter().rev().cloned().collect::<Vec<_>>()), &text);
        match (forward, backward) {
            // Insertions at one place are made in the order of the patch, and the first failure gives the code.
            (Ok(forward), Ok(backward)) => {
                let sorted = |text: &str| { let mut lines: Vec<_> = text.split_inclusive('\n').map(str::to_owned).collect(); lines.sort(); lines };
                prop_assert_eq!(sorted(&forward), sorted(&backward));
            }
            // A heading that is written first takes what is inserted behind it out of the scope.
            _ if changes.iter().flat_map(|change| &change.lines).any(|(op, text)| *op == '+' && text.starts_with('#')) => {}
            (forward, backward) => prop_assert_eq!(forward.is_ok(), backward.is_ok()),
        }
    }

    #[test]
    fn shuffled_hunks_of_a_patch_between_two_texts_give_the_same_text(
        old in document(), new in document(), seed in any::<Index>()
    ) {
        let (old, new) = (text(&old), text(&new));
        // One space before a line may be one too many.
        let Some(patch) = between(&old, &new) else { return Ok(()) };
        let patch: Patch = patch.parse().unwrap();
        let Some(mut shuffled) = patch.documents.into_iter().next() else { return Ok(()) };
        if !shuffled.parts.is_empty() {
            let middle = seed.index(shuffled.parts.len());
            shuffled.parts.rotate_left(middle);
        }
        prop_assert_eq!(planned_parts(&shuffled, &old).unwrap(), new.clone());
        shuffled.parts.reverse();
        prop_assert_eq!(planned_parts(&shuffled, &old).unwrap(), new);
    }

    #[test]
    fn a_target_that_is_doubled_is_ambiguous(
        (lines, changes) in document().prop_flat_map(|lines| { let changes = changes(&lines, 1); (Just(lines), changes) })
    ) {
        let change = Change { section: None, is_at_end: false, ..changes[0].clone() };
        if !change.lines.iter().any(|(op, _)| *op == '-') || !matches!(verdict(&lines, &change), Verdict::Text(_)) {
            return Ok(());
        }
        let patch = patch_of(&[change.written()]);
        let doubled = text(&[&lines[..], &lines].concat());
        prop_assert_eq!(planner_verdict(&doubled, &patch), Verdict::Refused("ambiguous"), "{}", patch);
    }

    #[test]
    fn a_scope_never_leaks(
        above in document(), inside in vec(select(&["a", "b", "- a", "- b", "", "### U"][..]), 0..6), below in document(),
        changes in changes(&["a", "b", "- a", "- b"], 1),
    ) {
        let only = |lines: &[&'static str]| lines.iter().copied().filter(|line| *line != "## S").collect::<Vec<_>>();
        let (above, inside) = (text(&only(&above)), format!("## S\n{}", text(&inside)));
        let below = format!("# Next\n{}", text(&only(&below)));
        let change = Change { section: Some("S"), is_at_end: false, ..changes[0].clone() };
        let whole = format!("{above}{inside}{below}");
        if let Ok(result) = planned(&patch_of(&[change.written()]), &whole) {
            prop_assert!(result.starts_with(&above) && result.ends_with(&below), "{:?}", result);
        }
    }
}

#[test]
fn a_hunk_repeated_as_often_as_it_may_be_is_answered() {
    let patch = patch_of(&["@@\n-- same\n+- other\n".repeat(500)]);
    assert_eq!(planned(&patch, &"- same\n".repeat(50)), Err("ambiguous"));
    assert_eq!(planned(&patch, "- same\n"), Err("overlapping_edits"));
    assert_eq!(planned(&patch, "- none\n"), Err("not_found"));
}

#[test]
fn as_many_hunks_as_there_may_be_are_applied() {
    let (mut hunks, mut old, mut new) = (String::new(), String::new(), String::new());
    for n in 0..20_000 {
        let is_changed = n % 40 == 0;
        if is_changed {
            writeln!(hunks, "@@\n-- fact {n}\n+- fact {n} changed").unwrap();
        }
        writeln!(old, "- fact {n}").unwrap();
        writeln!(new, "- fact {n}{}", if is_changed { " changed" } else { "" }).unwrap();
    }
    assert!(planned(&patch_of(&[hunks]), &old) == Ok(new));
}

#[test]
fn repeats_that_nearly_match_are_answered() {
    let document = "a\n".repeat(20_000);
    let near = format!("@@\n{}-b\n", " a\n".repeat(2_000));
    assert_eq!(planned(&patch_of(&[near.repeat(20)]), &document), Err("not_found"));
    let blank = format!("@@\n{}-x\n", " \n".repeat(2_000));
    assert!(planned(&patch_of(&[blank]), &format!("{}x\n", "\n".repeat(20_000))).is_ok());
    let pairs = format!("@@\n{}-b\n-b\n", " a\n-b\n".repeat(1_000));
    assert!(planned(&patch_of(&[pairs.repeat(50)]), &"a\nb\n".repeat(20_000)).is_err());
}

#[test]
fn a_quarter_of_a_mebibyte_of_anything_is_answered() {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from((state >> 24) as u8 & 0x7F)
    };
    let noise: String = std::iter::repeat_with(&mut random).take(1 << 18).collect();
    let blank = "\n".repeat(1 << 18);
    let deep = "@@ section: S\n".repeat(12_000);
    let wrap = |text: &str| patch_of(&[text.to_owned()]);
    for patch in [noise.clone(), blank.clone(), wrap(&noise), wrap(&blank), wrap(&format!("@@\n-{noise}\n"))] {
        assert!(
            patch.parse::<Patch>().is_err()
                || planned(&patch, "## S\n- a\n").is_ok_and(|text| text == "## S\n- a\n")
                || planned(&patch, "## S\n- a\n").is_err()
        );
    }
    assert_eq!(planned(&wrap(&format!("{deep}+- x\n")), "## S\n- a\n"), Ok("## S\n- a\n- x\n".to_owned()));
    let lines = "@@ - a\n".repeat(12_000);
    assert!(planned(&wrap(&format!("{lines}+  - x\n")), "## S\n- a\n").is_ok());
    assert!(planned(&wrap(&format!("@@ section: S\n{}", "+\n".repeat(1 << 17))), "## S\n- a\n").is_ok());
    assert!(planned(&wrap(&format!("@@ section: S\n{}", " \n".repeat(1 << 17))), "## S\n- a\n").is_ok());
}

#[test]
fn the_last_of_many_equal_lines_is_found_at_the_end_of_the_file() {
    let many = "- z\n".repeat(1_500);
    let patch = patch_of(&["@@\n-- z\n+- last\n*** End of File\n".to_owned()]);
    assert_eq!(planned(&patch, &format!("{many}- z\n")), Ok(format!("{many}- last\n")));
}

#[test]
fn however_many_places_match_their_number_is_told() {
    for (count, told) in [(999, "matches 999 places"), (30_000, "matches 1000 or more places")] {
        let patch: Patch = patch_of(&["@@\n-- z\n+- x\n".to_owned()]).parse().unwrap();
        let doc = MemoryDoc::parse(format!("## A\n{}", "- z\n".repeat(count)));
        let refused = patch.documents[0].plan(&View::current(&doc, Timestamp::default())).unwrap_err().to_string();
        assert!(refused.contains(told), "{refused}");
    }
}

/// What may own the lines behind it.
const OWNERS: &[&str] =
    &["- a", "  - b", "P: (ID: p)", "**Work:**", "## C", "### D", "```", "<!-- x", "-->", "prose", "  goes on"];

/// Returns what a patch makes of a text, without the newline at its end, or why it is refused.
fn committed(text: &str, patch: &str) -> Result<String, String> {
    let patch: Patch = patch.parse().unwrap();
    let doc = exact(text);
    let edit = patch.documents[0]
        .plan(&View::current(&doc, Timestamp::default()))
        .map_err(|error| error.code().as_str().to_owned())?;
    let commit = doc.commit(&edit, Authority::Agent).map_err(|error| error.to_string())?;
    Ok(commit.doc.text().trim_end_matches('\n').to_owned())
}

proptest! {
    #![proptest_config(usually(1_000))]
    #[test]
    fn hunks_behind_the_last_line_are_judged_the_same_without_its_newline(
        lines in vec(select(OWNERS), 0..4),
        added in vec(vec(select(OWNERS), 1..4), 2..4),
    ) {
        let text = ["## A", "- first", &lines.join("\n"), "last"].join("\n");
        let hunk = |lines: &Vec<&str>| {
            lines.iter().fold("@@\n last\n".to_owned(), |hunk, line| format!("{hunk}+{line}\n"))
        };
        let patch = patch_of(&added.iter().map(hunk).collect::<Vec<_>>());
        prop_assert_eq!(committed(&text, &patch), committed(&format!("{text}\n"), &patch), "{:?} {}", text, patch);
    }
}
