//! The patch between two texts turns the one into the other.

use memdoc::patch;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::support::draws::usually;
use super::support::patch_checks::{check_between, is_beyond_patches};

const LINES: &[&str] = &[
    "",
    "",
    " ",
    "a",
    "a",
    "b",
    "- a",
    "- a",
    "- b",
    "  - c",
    "## S",
    "## System/Policy",
    "```",
    "---",
    "+",
    "-",
    "@@",
    "@@ ## S",
    "@@ -1,2 +1,2 @@",
    "*** Begin Patch",
    "*** End Patch",
    "*** Update Memory",
    "*** End of File",
    "*** Delete Section: S",
    "+- a",
    "-- a",
    " - a",
    "EOF",
    "\\ No newline at end of file",
    "é",
    "\u{FEFF}",
    "a\rb",
    "a\r",
    "trailing  ",
    "\t",
];

fn ending() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just("\n"), 2 => Just("\r\n"), 1 => Just("")]
}

fn document() -> impl Strategy<Value = String> {
    vec((select(LINES), ending()), 0..16)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, ending)| [line, ending]).collect())
}

fn plain_lines() -> impl Strategy<Value = Vec<&'static str>> {
    let plain: Vec<&'static str> = LINES.iter().copied().filter(|line| !line.contains('\r')).collect();
    vec(select(plain), 0..24)
}

fn with_endings(lines: &[&str], ending: &str) -> String {
    lines.iter().map(|line| format!("{line}{ending}")).collect()
}

/// Some lines of `old` with some of `other` among them.
fn mixed(old: &[&'static str], other: &[&'static str], choices: &[u8]) -> Vec<&'static str> {
    let mut others = other.iter();
    let mut new = Vec::new();
    for (line, choice) in old.iter().zip(choices.iter().chain(std::iter::repeat(&9))) {
        match choice {
            0 => {}
            1 => new.extend(others.next()),
            2 => {
                new.push(*line);
                new.extend(others.next());
            }
            _ => new.push(*line),
        }
    }
    new
}

proptest! {
    #![proptest_config(usually(600))]

    #[test]
    fn any_two_texts(old in document(), new in document()) {
        check_between(&old, &new);
    }

    #[test]
    fn plain_texts_that_differ_here_and_there(
        old in plain_lines(), other in plain_lines(), choices in vec(0_u8..10, 0..24)
    ) {
        let new = mixed(&old, &other, &choices);
        let (old_text, new_text) = (with_endings(&old, "\n"), with_endings(&new, "\n"));
        prop_assert!(patch::between(&old_text, &new_text).is_ok() || is_beyond_patches(&old_text, &new_text));
        check_between(&old_text, &new_text);
        // Where every line of both ends alike, endings need no saying.
        let (old_text, new_text) = (with_endings(&old, "\r\n"), with_endings(&new, "\r\n"));
        prop_assert!(old.is_empty() || patch::between(&old_text, &new_text).is_ok() || is_beyond_patches(&old_text, &new_text));
        check_between(&old_text, &new_text);
        let cut = |text: &str| text.strip_suffix('\n').unwrap_or(text).to_owned();
        let (old_text, new_text) = (cut(&with_endings(&old, "\n")), cut(&with_endings(&new, "\n")));
        check_between(&old_text, &new_text);
    }
}

#[test]
fn the_fewest_lines_of_context_are_given() {
    let old = "## A\n- same\n- x\n\n## B\n- same\n- y\n";
    let patch = patch::between(old, "## A\n- same\n- x\n\n## B\n- other\n- y\n").unwrap();
    assert_eq!(
        patch,
        "*** Begin Patch\n*** Update Memory\n@@\n-- same\n+- other\n - y\n*** End Patch\n"
            .replace("@@\n-", "@@\n ## B\n-")
            .replace("+- other\n - y", "+- other")
    );
}

#[test]
fn there_is_none_where_endings_alone_differ() {
    for (old, new, line) in
        [("a\n", "a", 1), ("a", "a\n", 1), ("a\r\n", "a\n", 1), ("a\nb\n", "a\nb\r\n", 2), ("", "a", 1)]
    {
        assert_eq!(patch::between(old, new).map_err(|error| error.line), Err(line), "{old:?} → {new:?}");
    }
}

#[test]
fn the_same_text_twice_has_a_patch() {
    for text in ["", "a\n", "a", "a\r\nb\n"] {
        check_between(text, text);
    }
}
