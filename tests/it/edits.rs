//! The algebra of edits, and what holds of every commit, whatever the edit.

use memdoc::{
    Authority, Basis, DocName, InMemoryStore, Known, Memory, MemoryDoc, Operation, Origin, Policy, Replace, Request,
    Timestamp, View, document::OnStale, edit::EditBuilder, edit::EditError, edit::Promise, memory::AppliedStatus,
    memory::RequestId, request::Restore, request::SubMemoryIntent, request::SubMemoryOp, request::SubMemoryOps,
    request::rebase, text::Span,
};
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::{checks, strategies};

fn insertion(doc: &MemoryDoc, at: usize, text: &str, promise: Promise) -> memdoc::Edit {
    checks::edit_of(doc, [(Span::at(at), text, promise)]).unwrap()
}

#[test]
fn splices_that_share_bytes_are_refused() {
    let doc = MemoryDoc::parse("abcdef\n");
    let overlap =
        |a: Span, b: Span| checks::edit_of(&doc, [(a, "x", Promise::Lines), (b, "y", Promise::Lines)]).is_none();
    assert!(overlap(Span::new(0, 3), Span::new(2, 4)));
    assert!(overlap(Span::new(0, 3), Span::at(1)), "an insertion strictly inside a removal");
    assert!(!overlap(Span::new(0, 3), Span::new(3, 4)));
    assert!(!overlap(Span::new(0, 3), Span::at(0)));
}

#[test]
fn insertions_at_one_place_stand_in_the_order_of_the_request() {
    let doc = MemoryDoc::parse("ab\n");
    let mut builder = EditBuilder::new(&doc);
    builder.replace(Span::at(1), "1", Promise::Lines).replace(Span::at(1), "2", Promise::Lines);
    let commit = doc.commit(&builder.finish().unwrap(), Authority::Agent).unwrap();
    assert_eq!(commit.doc.text(), "a12b\n");
}

#[test]
fn an_edit_of_another_revision_is_stale() {
    let (doc, other) = (MemoryDoc::parse("a\n"), MemoryDoc::parse("b\n"));
    let error = doc.commit(&insertion(&other, 0, "x", Promise::Lines), Authority::Host).unwrap_err();
    assert_eq!(error, EditError::StaleRevision { planned: other.revision(), current: doc.revision() });
}

#[test]
fn a_bullet_cannot_bring_other_structure() {
    let doc = MemoryDoc::parse("## Facts\n- a\n");
    let end = doc.text().len();
    for text in
        ["- x\n- y\n", "- x\n## H\n", "- x\nprose\n", "x\n", "B (ID: b)\n", "- ```\n", "```\n", "- x\n\n## H\n- y\n"]
    {
        let error = doc.commit(&insertion(&doc, end, text, Promise::Bullets(1)), Authority::Host);
        assert!(matches!(error, Err(EditError::InvalidText(_))), "{text:?}");
    }
    assert!(doc.commit(&insertion(&doc, end, "- x\n  more\n", Promise::Bullets(1)), Authority::Agent).is_ok());
}

#[test]
fn a_splice_keeps_its_promise() {
    let doc = MemoryDoc::parse("## Facts\n- a\n  more\n- b\n\n## Last\n");
    for (old, new, promise, is_kept) in [
        ("a\n", "x\n  y\n", Promise::Text, true),
        ("more\n", "more\n  x\n", Promise::Text, true),
        ("b\n", "b\n- c\n", Promise::Text, false),
        ("b\n", "b\n\n## H\n", Promise::Text, false),
        ("b\n", "b\n\nprose\n", Promise::Text, false),
        ("Last", "L\nprose", Promise::Text, false),
        ("- b\n", "- x\n- b\n", Promise::Bullets(2), true),
        ("- b\n", "  goes on\n- x\n", Promise::Bullets(1), false),
        ("- b\n", "- b\n\nprose\n", Promise::Bullets(1), false),
    ] {
        let start = doc.text().find(old).unwrap();
        let edit = checks::edit_of(&doc, [(Span::new(start, start + old.len()), new, promise)]).unwrap();
        let result = doc.commit(&edit, Authority::Agent);
        assert_eq!(result.is_ok(), is_kept, "{old:?} {new:?} {promise:?}: {result:?}");
    }
}

#[test]
fn the_host_brings_back_any_character_that_was_there() {
    let doc = MemoryDoc::parse("- a\u{200B}b\n");
    let edit = checks::edit_of(&doc, [(Span::new(2, 7), "d", Promise::Lines)]).unwrap();
    let commit = doc.commit(&edit, Authority::Host).unwrap();
    assert_eq!(commit.doc.commit(&commit.inverse, Authority::Host).unwrap().doc, doc);
}

#[test]
fn a_fence_moves_along_with_its_bullet_but_no_other_comes() {
    let fence = "  ```\n  x\n  ```\n";
    let doc = MemoryDoc::parse(format!("- a\n{fence}- b\n- c\n"));
    let (first, third) = (doc.text().find("- b").unwrap(), doc.text().find("- c").unwrap());
    for (fences, is_kept) in [(fence.to_owned(), true), ([fence, fence].concat(), false)] {
        let moved = format!("- a\n{fences}");
        let splices =
            [(Span::new(0, first), "", Promise::Bullets(0)), (Span::at(third), moved.as_str(), Promise::Bullets(1))];
        let result = doc.commit(&checks::edit_of(&doc, splices).unwrap(), Authority::Agent);
        assert_eq!(result.is_ok(), is_kept, "{moved:?}: {result:?}");
    }
}

#[test]
fn what_stands_outside_the_splices_survives() {
    let doc = MemoryDoc::parse("- a\n  - b\n\n## C\n- d\n");
    for (span, text) in [(Span::at(0), "```\n"), (Span::at(3), "\n```\n"), (Span::new(9, 11), ""), (Span::at(11), "x")]
    {
        let edit = checks::edit_of(&doc, [(span, text, Promise::Lines)]).unwrap();
        assert!(matches!(doc.commit(&edit, Authority::Host), Err(EditError::InvalidText(_))), "{span:?} {text:?}");
    }
}

#[test]
fn a_restore_is_carried_over_later_changes_or_conflicts() {
    let doc = MemoryDoc::parse("- a\n- b\n- c\n");
    let edit = checks::edit_of(&doc, [(Span::new(2, 3), "A", Promise::Text)]).unwrap();
    let commit = doc.commit(&edit, Authority::Agent).unwrap();
    let restore = Restore::new(commit.inverse.clone());
    let known = Known::of(&commit.doc);
    let basis = Basis::Known(&known);
    let elsewhere = MemoryDoc::parse("- A\n- b\n- C\n");
    let plan = rebase(&restore, &View::new(&elsewhere, &basis, Timestamp::default())).unwrap().current;
    assert_eq!(elsewhere.commit(&plan, Authority::Agent).unwrap().doc.text(), "- a\n- b\n- C\n");
    let same_place = MemoryDoc::parse("- AA\n- b\n- c\n");
    let error = rebase(&restore, &View::new(&same_place, &basis, Timestamp::default())).unwrap_err();
    assert_eq!(error.code(), "conflict");
}

#[test]
fn an_editor_that_never_reads_again_holds_no_more_after_many_edits() {
    let name = DocName::memory();
    let bullets: String = (0..8).map(|nth| format!("- fact {nth:03}\n")).collect();
    let store = InMemoryStore::new().with(name.clone(), format!("Visits: 000\n\nM: (ID: m)\n{bullets}"));
    let memory = Memory::new(store, Policy::default().with_on_stale(OnStale::Rebase)).unwrap();
    let mut known = Known::of(&memory.read(&name).unwrap());
    let apply = |basis: Basis<'_>, request: &dyn Request, nth: usize| {
        let operation = Operation::edit(name.clone(), basis, request);
        let request = RequestId::new("test", &nth.into());
        let applied = memory.apply(&[operation], &Origin::host("test"), request).unwrap().remove(0);
        assert_eq!(applied.status, AppliedStatus::Committed);
        applied
    };
    // To note an edit costs what is held, and the edit: neither grows.
    let held = |known: &Known| format!("{known:?}").len();
    let mut most = 0;
    for nth in 0..1000 {
        if nth % 100 == 0 {
            let (old, new) = (format!("Visits: {nth:03}"), format!("Visits: {:03}", nth + 100));
            apply(Basis::Anything, &Replace::new(old, new), 2000 + nth);
        }
        let (short, long) = (format!("fact {:03}", nth % 8), format!("fact {:03}, as noted", nth % 8));
        let request = if nth / 8 % 2 == 0 { Replace::new(short, long) } else { Replace::new(long, short) };
        apply(Basis::Known(&known), &request, nth).update(&mut known);
        most = if nth < 16 { most.max(held(&known)) } else { most };
        assert!(held(&known) <= most, "{} after {nth} edits", held(&known));
    }
    // The index still counts what was shown.
    let mut op = SubMemoryOp::new(SubMemoryIntent::Delete);
    op.memory_id = Some("m".into());
    op.index = Some(3);
    op.text = Some("fact 002, as noted".into());
    apply(Basis::Known(&known), &SubMemoryOps::new([op]), 1000);
    assert!(!memory.read(&name).unwrap().text().contains("fact 002"));
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn a_commit_changes_the_splices_only_and_can_be_taken_back(text in strategies::document(), cuts in strategies::cuts(4)) {
        let doc = MemoryDoc::parse(text);
        if let Some(edit) = strategies::edit(&doc, &cuts) {
            checks::check_commit(&doc, &edit, Authority::Host);
            checks::check_commit(&doc, &edit, Authority::Agent);
        }
    }

    #[test]
    fn an_edit_that_writes_what_stands_there_changes_nothing(text in strategies::document(), cuts in strategies::cuts(3)) {
        let doc = MemoryDoc::parse(text);
        let Some(edit) = strategies::edit(&doc, &cuts) else { return Ok(()) };
        let same = edit.splices().iter().map(|splice| (splice.span, splice.span.of(doc.text()), Promise::Lines));
        let Some(same) = checks::edit_of(&doc, same) else { return Ok(()) };
        if let Some(commit) = checks::check_commit(&doc, &same, Authority::Agent) {
            prop_assert_eq!(commit.doc, doc);
        }
    }
}
