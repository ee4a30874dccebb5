//! A composition of edits is accepted as its steps are, and each of its parts knows whose it is.

use memdoc::request::patch::Patch;
use memdoc::{
    Authority, Edit, MemoryDoc, Request as _, Timestamp, View, edit::EditBuilder, edit::Part, edit::PartStatus,
    edit::Promise, text::Span,
};
use proptest::prelude::*;

use crate::support::{composition, strategies};

/// Replaces the first place that says `old`.
fn replacing(doc: &MemoryDoc, old: &str, new: &str) -> Edit {
    let at = doc.text().find(old).unwrap();
    let mut builder = EditBuilder::new(doc);
    let span = Span::new(at, at + old.len());
    builder.part(Part::new(PartStatus::Applied)).replace(span, new, Promise::Lines);
    builder.finish().unwrap()
}

/// Composes such replacements, each accepted on the result of those before.
fn in_turn(doc: &MemoryDoc, replacements: &[(&str, &str)]) -> Edit {
    let mut now = doc.clone();
    let steps = replacements.iter().map(|(old, new)| {
        let step = replacing(&now, old, new);
        now = now.commit(&step, Authority::Agent).unwrap().doc;
        step
    });
    steps.reduce(|first, next| first.then(&next)).unwrap()
}

/// The bytes, the text and the parts of each splice.
fn told(edit: &Edit) -> Vec<(Span, &str, Vec<usize>)> {
    edit.splices().iter().map(|splice| (splice.span, &*splice.text, splice.parts().collect())).collect()
}

#[test]
fn a_block_header_in_the_place_of_a_bullet_may_be_replaced_in_its_turn() {
    let doc = MemoryDoc::parse("- a b\n\ny\n```\np\n  - c\nP: (ID: m)\n");
    let both = in_turn(&doc, &[("- a b", "P: (ID: m)"), ("P: (ID: m)\n\n", "x\n")]);
    let commit = doc.commit(&both, Authority::Agent).unwrap();
    assert_eq!(commit.doc.text(), "x\ny\n```\np\n  - c\nP: (ID: m)\n");
    assert_eq!(commit.doc.commit(&commit.inverse, Authority::Agent).unwrap().doc, doc);
}

#[test]
fn a_step_that_would_be_refused_is_refused_in_a_composition() {
    let doc = MemoryDoc::parse("- a\n- b\n");
    let fenced = replacing(&doc, "- a\n", "```\n");
    let refusal = doc.commit(&fenced, Authority::Agent).unwrap_err();
    let between = MemoryDoc::parse("```\n- b\n");
    let both = fenced.then(&replacing(&between, "```\n", "- A\n"));
    assert_eq!(doc.commit(&both, Authority::Agent).unwrap_err(), refusal);
}

#[test]
fn edits_that_do_not_follow_each_other_are_stale_as_one() {
    let (doc, other) = (MemoryDoc::parse("- a\n- b\n"), MemoryDoc::parse("- x\n- y\n"));
    let both = replacing(&doc, "a", "A").then(&replacing(&other, "y", "Y"));
    assert_eq!(doc.commit(&both, Authority::Host).unwrap_err().code(), "stale_revision");
}

#[test]
fn splices_that_only_meet_stay_apart() {
    let doc = MemoryDoc::parse("- a\n- b\n");
    let both = in_turn(&doc, &[("- a\n", "- A\n"), ("- b\n", "- B\n"), ("- A\n", "- A\n- c\n")]);
    let (first, second) = (Span::new(0, 4), Span::new(4, 8));
    assert_eq!(told(&both), [(first, "- A\n- c\n", vec![0, 2]), (second, "- B\n", vec![1])]);
}

#[test]
fn a_splice_names_all_parts_that_wrote_it_and_what_is_unwritten_vanishes() {
    let doc = MemoryDoc::parse("- one two\n");
    let both = in_turn(&doc, &[("one", "1"), ("1 two", "12"), ("\n", "!\n"), ("!", "")]);
    assert_eq!(told(&both), [(Span::new(2, 9), "12", vec![0, 1]), (Span::new(9, 10), "\n", vec![2, 3])]);
}

#[test]
fn a_hunk_that_is_carried_over_another_edit_still_names_its_context() {
    let doc = MemoryDoc::parse("- a\n- b\n- c\n");
    let patch: Patch = "*** Begin Patch\n*** Update Memory\n@@\n+```\n - b\n+```\n*** End Patch\n".parse().unwrap();
    let hunk = patch.documents[0].plan(&View::current(&doc, Timestamp::default())).unwrap();
    assert!(doc.commit(&hunk, Authority::Agent).is_ok());
    let elsewhere = replacing(&doc, "a", "longer");
    let result = doc.commit(&elsewhere, Authority::Agent).unwrap().doc;
    let carried = hunk.over(&elsewhere, &result).unwrap();
    assert_eq!(carried.parts(), hunk.parts());
    let text = "- longer\n```\n- b\n```\n- c\n";
    assert_eq!(result.commit(&carried, Authority::Agent).unwrap().doc.text(), text);
    // What another edit wrote between the lines that were named was never named.
    let between = replacing(&doc, "- b\n", "- b\n- new\n");
    let result = doc.commit(&between, Authority::Agent).unwrap().doc;
    let swallows = hunk.over(&between, &result).unwrap();
    assert_eq!(result.commit(&swallows, Authority::Agent).unwrap_err().code(), "invalid_text");
}

proptest! {
    #[test]
    fn what_is_accepted_in_turn_is_accepted_as_one(
        text in composition::document(), moves in composition::moves(), is_host in any::<bool>(),
    ) {
        let authority = if is_host { Authority::Host } else { Authority::Agent };
        composition::check_sequence(&text, &moves, authority);
    }

    #[test]
    fn a_composition_is_carried_over_another_edit(
        text in composition::document(), moves in composition::moves(), later in strategies::cuts(3),
    ) {
        composition::check_carried(&text, &moves, &later);
    }
}
