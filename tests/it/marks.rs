//! Pins and lifetimes on any bullet of any document: only its tags change.

use memdoc::{
    Authority, MemoryDoc, Request, Timestamp, View, document::BulletRef, locate::Selector, request::Annotation,
    request::ItemEdit, request::ItemOp, request::Items, request::NewItem, request::validate,
};
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::{checks, strategies};

fn now() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn bullets(doc: &MemoryDoc) -> Vec<BulletRef<'_>> {
    doc.bullets().collect()
}

/// What marks must leave alone.
fn rest(doc: &MemoryDoc) -> Vec<(String, Vec<String>, bool)> {
    let is_mark = |tag: &str| {
        let name = tag.split(':').next().unwrap_or_default().trim().to_lowercase();
        tag == "pinned" || (tag.contains(':') && ["ttl", "since", "expires"].contains(&name.as_str()))
    };
    let others = |bullet: BulletRef<'_>| {
        let tags = bullet.tags().into_iter().filter(|tag| !is_mark(tag)).map(str::to_owned).collect();
        (bullet.content().into_owned(), tags, bullet.checkbox().is_some())
    };
    doc.bullets().map(others).collect()
}

/// Annotates a bullet; `None` if that is refused, as for a bullet that opens a fence, which would no longer be one.
fn try_mark(doc: &MemoryDoc, nth: usize, mark: Annotation) -> Option<MemoryDoc> {
    let request = Items::annotating(mark, [Selector::by_key(bullets(doc)[nth].key().as_str())]);
    let edit = request.plan(&View::current(doc, now())).ok()?;
    checks::check_splices(doc.text(), &edit);
    doc.commit(&edit, Authority::Host).ok().map(|commit| commit.doc)
}

fn mark(doc: &MemoryDoc, nth: usize, wanted: Annotation) -> MemoryDoc {
    try_mark(doc, nth, wanted).unwrap()
}

fn has(doc: &MemoryDoc, nth: usize, tag: &str) -> bool {
    bullets(doc)[nth].tags().contains(&tag)
}

/// Puts each mark on a bullet and takes it away again.
fn check_marks(text: &str, nth: usize) {
    let doc = MemoryDoc::parse(text);
    let before = rest(&doc);
    let is_pinned = has(&doc, nth, "pinned");
    let Some(pinned) = try_mark(&doc, nth, Annotation::Pin) else {
        assert!(before[nth].0.starts_with(['`', '~']), "{text:?}");
        return;
    };
    assert!(has(&pinned, nth, "pinned"));
    assert_eq!(pinned == doc, is_pinned, "what is pinned stays as it is");
    let limited = mark(&pinned, nth, Annotation::SetTtl("7d".parse().unwrap()));
    let end = "2026-11-28".parse().unwrap();
    assert_eq!(bullets(&limited)[nth].expires_at(), Some(end));
    assert_eq!(
        mark(&limited, nth, Annotation::SetTtl("7d".parse().unwrap())),
        limited,
        "the same again changes nothing"
    );
    let dated = mark(&limited, nth, Annotation::SetTtl("2026-12-31".parse().unwrap()));
    assert_eq!(bullets(&dated)[nth].expires_at(), Some("2026-12-31".parse().unwrap()));
    for doc in [&pinned, &limited, &dated] {
        assert_eq!(rest(doc), before, "{text:?}");
    }
    let cleared = mark(&limited, nth, Annotation::ClearTtl);
    let Some(unpinned) = try_mark(&cleared, nth, Annotation::Unpin) else {
        assert!(before[nth].0.starts_with(['`', '~']), "{text:?}");
        return;
    };
    assert!(!has(&unpinned, nth, "pinned"));
    // What stood behind the last group, such as `[ ]`, may have become a checkbox.
    if before[nth].2 || !before[nth].0.starts_with('[') {
        assert_eq!(bullets(&cleared)[nth].expires_at(), None);
        assert_eq!(rest(&unpinned), before, "{text:?}");
    }
}

#[test]
fn a_pin_and_a_lifetime_come_and_go_without_a_trace() {
    for text in ["- a\n", "- [ ] a", "- [x] [b] [c] a\r\n", "1) a\n   more\n", "\t- a\n", "- [a](b)\n"] {
        let doc = MemoryDoc::parse(text);
        let marked = mark(&mark(&doc, 0, Annotation::Pin), 0, Annotation::SetTtl("7d".parse().unwrap()));
        assert_eq!(mark(&mark(&marked, 0, Annotation::ClearTtl), 0, Annotation::Unpin).text(), text);
    }
}

#[test]
fn a_hundred_bullets_are_marked_at_once() {
    let text: String = (0..100).map(|nth| format!("- bullet {nth}.\n")).collect();
    let doc = MemoryDoc::parse(text);
    let targets = (0..100).map(|nth| Selector::default().containing(format!("bullet {nth}.")));
    let edit = Items::annotating(Annotation::SetTtl("1d".parse().unwrap()), targets)
        .plan(&View::current(&doc, now()))
        .unwrap();
    let marked = doc.commit(&edit, Authority::Agent).unwrap().doc;
    assert!(marked.bullets().all(|bullet| bullet.is_expired("2026-11-22".parse().unwrap())));
    assert_eq!(validate(&marked, now()), []);
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn marks_change_nothing_but_marks(text in strategies::document(), nth in any::<prop::sample::Index>()) {
        let count = bullets(&MemoryDoc::parse(text.as_str())).len();
        if count > 0 {
            check_marks(&text, nth.index(count));
        }
    }
}

#[test]
fn a_bullet_is_rewritten_and_pinned_in_one_request() {
    let doc = MemoryDoc::parse("- [work] Lives in Denver\n- Likes tea\n");
    let denver = || Selector::default().containing("Denver");
    let edits = [
        ItemEdit::new(denver(), ItemOp::Annotate(Annotation::SetTtl("7d".parse().unwrap()))),
        ItemEdit::new(denver(), ItemOp::Update { item: NewItem::new("Lives in Austin") }),
    ];
    let edit = Items::new(edits).plan(&View::current(&doc, now())).unwrap();
    let text = doc.commit(&edit, Authority::Agent).unwrap().doc.text().to_owned();
    assert_eq!(text, "- [ttl: 7d, since: 2026-11-21] [work] Lives in Austin\n- Likes tea\n");
    let twice = Items::annotating(Annotation::Pin, [denver(), denver()]).plan(&View::current(&doc, now()));
    assert_eq!(twice.unwrap_err().code(), "overlapping_edits");
}

#[test]
fn a_checkbox_that_a_rewriting_brings_is_none_that_a_pin_makes() {
    let doc = MemoryDoc::parse("- [work] Call Ann\n- [a, x] Read\n");
    let one = |text: &str| Selector::default().containing(text);
    let done = ItemEdit::new(one("Call"), ItemOp::Update { item: NewItem::new("[x] Call Ann") });
    let pin = ItemEdit::new(one("Call"), ItemOp::Annotate(Annotation::Pin));
    let edit = Items::new([pin, done]).plan(&View::current(&doc, now())).unwrap();
    let text = doc.commit(&edit, Authority::Agent).unwrap().doc.text().to_owned();
    assert_eq!(text, "- [x] [pinned] [work] Call Ann\n- [a, x] Read\n");
    // Of two tags that go, the one that goes first may leave the other alone.
    let untag = |tags: &[&str]| {
        let tags = tags.iter().map(|tag| (*tag).into()).collect();
        ItemEdit::new(one("Read"), ItemOp::Untag { tags })
    };
    let edit = Items::new([untag(&["a", "x"])]).plan(&View::current(&doc, now())).unwrap();
    assert_eq!(doc.commit(&edit, Authority::Agent).unwrap().doc.text(), "- [work] Call Ann\n- Read\n");
    let alone = Items::new([untag(&["a"])]).plan(&View::current(&doc, now())).unwrap_err();
    assert_eq!((alone.code().as_str(), alone.failures().len()), ("invalid_arguments", 1));
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn tags_at_once_are_those_of_one_call_after_another(
        own in prop::collection::vec("a|b|k: 1|k: 2|l|\\[c\\]|pinned", 0..5),
        tags in prop::collection::vec("a|b  c|k: 1|k: 3|l|d|pinned", 1..8),
        comes in any::<bool>(),
    ) {
        let groups = own.iter().map(|tag| if tag.starts_with('[') { tag.clone() } else { format!("[{tag}, z]") });
        let doc = MemoryDoc::parse(format!("- {} x\n", groups.collect::<Vec<_>>().join(" ")));
        let tagged = |doc: &MemoryDoc, tags: &[String]| {
            let tags = tags.iter().map(|tag| tag.as_str().into()).collect();
            let op = if comes { ItemOp::Tag { tags } } else { ItemOp::Untag { tags } };
            let items = Items::new([ItemEdit::new(Selector::default().containing("x"), op)]);
            let edit = items.plan(&View::current(doc, now())).unwrap();
            doc.commit(&edit, Authority::Host).unwrap().doc
        };
        let one_by_one = tags.iter().fold(doc.clone(), |doc, tag| tagged(&doc, std::slice::from_ref(tag)));
        let at_once = tagged(&doc, &tags);
        prop_assert_eq!(at_once.text(), one_by_one.text());
    }
}
