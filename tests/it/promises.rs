//! What a splice promises not to do to the structure is refused when it does it, whoever built the edit.

use memdoc::edit::{EditBuilder, EditError, Flaw, Promise};
use memdoc::{Authority, MemoryDoc, text::Span};

/// Returns what is wrong with an edit of these splices, each from an offset to an offset; `None` if it is accepted.
fn refusal(doc: &str, splices: &[(usize, usize, &str, Promise)]) -> Option<Flaw> {
    let doc = MemoryDoc::parse(doc);
    let mut builder = EditBuilder::new(&doc);
    for (start, end, text, promise) in splices {
        builder.replace(Span::new(*start, *end), *text, *promise);
    }
    match doc.commit(&builder.finish().unwrap(), Authority::Agent) {
        Ok(_) => None,
        Err(EditError::InvalidText(flaw)) => Some(flaw),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_bullet_that_stays_keeps_its_depth_and_its_parent() {
    let deeper = [(0, 4, "", Promise::Bullets(0))];
    assert_eq!(refusal("- g\n  - p\n    - b\n", &deeper), Some(Flaw::ChangesHands(2)));
    let between = [(8, 8, "- r\n", Promise::Bullets(1))];
    assert_eq!(refusal("- p\n- q\n  - b\n", &between), Some(Flaw::ChangesHands(3)));
}

#[test]
fn a_fence_may_be_moved_with_its_bullet_and_not_be_made() {
    let fence = |line| Some(Flaw::Gained("code fence", line));
    let (own, bullet) = ("  ```\n  x\n  ```\n", "- ```\n  x\n  ```\n");
    assert_eq!(refusal("- a\n- b\n", &[(4, 4, own, Promise::Text)]), fence(2));
    assert_eq!(refusal("- a\n- b\n", &[(8, 8, bullet, Promise::Bullets(1))]), fence(3));
    let doc = format!("{bullet}- b\n");
    let (end, whole) = (bullet.len(), doc.len());
    let moved = |promise| refusal(&doc, &[(0, end, "", Promise::Bullets(0)), (whole, whole, bullet, promise)]);
    assert_eq!(moved(Promise::Bullets(1)), None);
    assert_eq!(moved(Promise::Marker), fence(2));
    let beside = "- a\n```\nx\n```\n";
    let doc = format!("{beside}- b\n");
    let (end, whole) = (beside.len(), doc.len());
    let moved = [(0, end, "", Promise::Bullets(0)), (whole, whole, beside, Promise::Bullets(1))];
    assert_eq!(refusal(&doc, &moved), fence(3), "it is in no bullet");
}

#[test]
fn prose_that_was_not_promised_is_told_by_its_line() {
    let below = Some(Flaw::BelowBullet(3));
    assert_eq!(refusal("- a\n- b\n", &[(6, 7, "xyz\ny", Promise::Text)]), below);
    assert_eq!(refusal("- a\n", &[(4, 4, "- x\nprose\n", Promise::Bullets(1))]), below);
    assert_eq!(refusal("- a\n", &[(4, 4, "- x\n\nprose\n", Promise::Bullets(1))]), Some(Flaw::Prose(4)));
}
