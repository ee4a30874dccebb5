//! What was found as a value, and the help where it is not one place: given to the first failing parts only.

use memdoc::{
    MemoryDoc, Replace, Request, Timestamp, View, locate::Matches, locate::Selector, request::ItemEdit,
    request::ItemOp, request::Items, request::NewItem, request::Refusal, request::RequestError,
    request::SubMemoryIntent, request::SubMemoryOp, request::SubMemoryOps, request::patch,
};
use proptest::prelude::*;

use crate::support::draws::usually;

fn refused(text: &str, request: &dyn Request) -> RequestError {
    let doc = MemoryDoc::parse(text);
    request.plan(&View::current(&doc, Timestamp::default())).unwrap_err()
}

fn helped(error: &RequestError) -> Vec<bool> {
    let has_closest = |refusal: &Refusal| refusal.help().is_some_and(|help| !help.closest.is_empty());
    error.failures().iter().map(|failure| has_closest(&failure.refusal)).collect()
}

/// A memory of one block in a section of its own, and texts that nearly stand there.
const TEXT: &str = "## Facts\nHome: (ID: mem1)\n- Lives in a house in Denver\n";

fn near(number: usize) -> String {
    format!("Lives in a house in Dover {number}")
}

#[test]
fn the_first_five_failing_parts_are_helped_whatever_their_turn() {
    let first = [true, true, true, true, true, false, false, false];
    let edit = |number: usize| {
        // What is removed is looked for behind what is updated.
        let op = match number {
            0..4 => ItemOp::Delete { children: Default::default() },
            _ => ItemOp::Update { item: NewItem::new("x") },
        };
        ItemEdit::new(Selector::in_section("Facts").containing(near(number)), op)
    };
    assert_eq!(helped(&refused(TEXT, &Items::new((0..8).map(edit)))), first);
    let op = |number: usize| {
        let mut op = SubMemoryOp::new(SubMemoryIntent::Delete);
        op.memory_id = Some("mem1".into());
        op.text = Some(near(number).into());
        op
    };
    assert_eq!(helped(&refused(TEXT, &SubMemoryOps::new((0..8).map(op)))), first);
    let hunks: String = (0..8).map(|number| format!("@@\n-- {}\n+- x\n", near(number))).collect();
    let patch: patch::Patch = format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch\n").parse().unwrap();
    assert_eq!(helped(&refused(TEXT, &patch.documents[0])), first);
}

#[test]
fn matches_show_nothing_of_the_document_but_places() {
    let doc = MemoryDoc::parse("- tea\n- tea with a secret\n");
    let matches = Matches::of_text(&doc, doc.span(), "tea");
    assert!(!format!("{matches:#?}").contains("secret"), "{matches:#?}");
    let error = refused(doc.text(), &Replace::new("tea", "coffee"));
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}

#[test]
fn blocks_are_found_by_title_as_sections_are() {
    let composed = "Caf\u{E9}  list: (ID: mem1)\n- one\n";
    let mut op = SubMemoryOp::new(SubMemoryIntent::Add);
    op.category = Some("cafe\u{301} List".into());
    op.text = Some("two".into());
    let doc = MemoryDoc::parse(composed);
    let edit = SubMemoryOps::new([op]).plan(&View::current(&doc, Timestamp::default())).unwrap();
    let commit = doc.commit(&edit, memdoc::Authority::Agent).unwrap();
    assert_eq!(commit.doc.text(), format!("{composed}- two\n"));
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn matches_are_all_places_in_order(text in "[ab \n]{0,40}", sought in "[ab]{1,3}") {
        let doc = MemoryDoc::parse(text.as_str());
        let found = Matches::of_text(&doc, doc.span(), &sought);
        let places: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&sought)).collect();
        prop_assert_eq!(found.spans().iter().map(|span| span.start()).collect::<Vec<_>>(), places.clone());
        let overlaps = places.windows(2).any(|pair| pair[0] + sought.len() > pair[1]);
        prop_assert_eq!(found.is_overlapping(), overlaps);
        for (candidate, span) in found.first_candidates(26).iter().zip(found.spans()) {
            prop_assert_eq!(candidate.span, *span);
            prop_assert_eq!(candidate.line, text[..span.start()].matches('\n').count() + 1);
        }
    }
}
