//! Whole sections and slots: what must hold of any merge, and of any slot that is set or removed.

use memdoc::request::patch::{DocumentPatch, PatchPart, SectionOp, SectionPlace};
use memdoc::{
    Authority, DocName, InMemoryStore, Memory, MemoryDoc, Policy, Request, Status, Timestamp, Toolbox, View,
    document::SectionRef,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::json;

use crate::support::draws::usually;
use crate::support::{checks, section_checks, strategies};

/// Lines that meet at the seam of a merge.
const BODY: &[&str] = &[
    "",
    "prose",
    "- a",
    "- a",
    "- b",
    "* b",
    "- [pinned] a",
    "- [x] a",
    "- [t, u] b",
    "  - a",
    "  - c",
    "    - d",
    " - a",
    "  more",
    "1. a",
    "2. b",
    "3. c",
    "1. a",
    "1) e",
    "Anna: (ID: m1)",
    "Bob: (ID: m2)",
    "~~~",
    "- ```",
];

/// A document of sections on several levels, most of them with titles of their own.
fn sections() -> impl Strategy<Value = String> {
    let title = prop_oneof![12 => Just(""), 1 => Just("again"), 1 => Just("(ID: m9)"), 1 => Just("System/Policy")];
    let section = ((1..5_usize, title), vec(select(BODY), 0..6));
    let ending = select(&["\n", "\n", "\r\n"][..]);
    (vec(section, 2..6), ending, any::<bool>()).prop_map(|(sections, ending, is_complete)| {
        let lines = sections.into_iter().enumerate().flat_map(|(nth, ((level, title), body))| {
            let title =
                if title.is_empty() || title.starts_with('(') { format!("S{nth} {title}") } else { title.to_owned() };
            std::iter::once(format!("{} {title}", "#".repeat(level))).chain(body.into_iter().map(str::to_owned))
        });
        let text = lines.collect::<Vec<_>>().join(ending);
        if is_complete { text + ending } else { text }
    })
}

/// Returns two different sections.
fn two_sections(doc: &MemoryDoc, one: Index, step: Index) -> Option<(SectionRef<'_>, SectionRef<'_>)> {
    let all: Vec<_> = doc.sections().collect();
    let other = || one.index(all.len()) + 1 + step.index(all.len() - 1);
    (all.len() > 1).then(|| (all[one.index(all.len())], all[other() % all.len()]))
}

fn plan(doc: &MemoryDoc, request: &dyn Request) -> Option<String> {
    let edit = request.plan(&View::current(doc, Timestamp::default())).ok()?;
    doc.commit(&edit, Authority::Agent).ok().map(|commit| commit.doc.text().to_owned())
}

/// Returns the letters of `titles` behind moves of different ones, each to the place before the one of an index, whoever moves.
fn moved(titles: &str, moves: &[(char, usize)]) -> String {
    let stays = |title: &char| moves.iter().all(|(moved, _)| moved != title);
    let arriving = |place: usize| moves.iter().filter(move |(_, at)| *at == place).map(|(title, _)| *title);
    let at = |place: usize| arriving(place).chain(titles.chars().nth(place).filter(stays));
    (0..=titles.len()).flat_map(at).collect()
}

proptest! {
    #![proptest_config(usually(300))]

    /// Sections that move together stand where the text as it was has their places, one blank line apart.
    #[test]
    fn sections_that_move_together_stay_apart(
        titles in select(&["ABC", "ABCDE"][..]),
        drawn in vec((any::<Index>(), any::<Index>(), 0..4_u8), 1..4),
        is_complete in any::<bool>(),
    ) {
        let text = |titles: &str, end: &str| {
            let sections: Vec<_> = titles.chars().map(|title| format!("## {title}\n- in {title}")).collect();
            sections.join("\n\n") + end
        };
        let title = |index: &Index| titles.chars().nth(index.index(titles.len())).unwrap();
        let place = |title: char| titles.find(title).unwrap();
        let mut known = String::new();
        let moving: Vec<_> = drawn.iter().filter(|(own, ..)| {
            let is_new = !known.contains(title(own));
            known.push(title(own));
            is_new
        }).collect();
        let (mut patch, mut moves) = ("*** Begin Patch\n".to_owned(), Vec::new());
        for (own, other, how) in moving {
            let (own, other) = (title(own), title(other));
            let is_beside = *how > 1;
            prop_assume!(!is_beside || !known.contains(other));
            let (words, to) = match how {
                0 => ("First".to_owned(), 0),
                1 => ("Last".to_owned(), titles.len()),
                2 => (format!("Before: {other}"), place(other)),
                _ => (format!("After: {other}"), place(other) + 1),
            };
            // One that is there already stays, whatever else comes there.
            prop_assume!(to != place(own) && to != place(own) + 1);
            patch += &format!("*** Move Section: {own}\n*** {words}\n");
            moves.push((own, to));
        }
        let end = if is_complete { "\n" } else { "" };
        let store = InMemoryStore::new().with(DocName::memory(), text(titles, end));
        let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
        toolbox.show(&DocName::memory()).unwrap();
        let reply = toolbox.call("patch_memory", &json!({"patch": patch + "*** End Patch"}));
        let after = moved(titles, &moves);
        let expected = if after == titles { Status::NoChange } else { Status::Committed };
        prop_assert_eq!(reply.status(), expected, "{}", reply);
        let made = toolbox.memory().read(&DocName::memory()).unwrap().text().to_owned();
        prop_assert_eq!(made.trim_end_matches('\n'), text(&after, ""));
        prop_assert!(!made.ends_with("\n\n"), "{:?}", made);
    }
}

proptest! {
    #![proptest_config(usually(512))]

    #[test]
    fn a_merge_loses_nothing_and_can_be_taken_back(text in sections(), source in any::<Index>(), step in any::<Index>()) {
        let doc = MemoryDoc::parse(text);
        if let Some((source, target)) = two_sections(&doc, source, step) {
            section_checks::check_merge(source, target);
        }
    }

    #[test]
    fn a_merge_in_any_document_loses_nothing(text in strategies::document(), source in any::<Index>(), step in any::<Index>()) {
        let doc = MemoryDoc::parse(text);
        if let Some((source, target)) = two_sections(&doc, source, step) {
            section_checks::check_merge(source, target);
        }
    }

    #[test]
    fn an_operation_by_itself_is_that_of_a_patch(
        text in sections(), which in any::<Index>(), other in any::<Index>(), kind in 0..8_usize, title in "[A-J]{1,2}",
    ) {
        let doc = MemoryDoc::parse(text);
        let Some((which, other)) = two_sections(&doc, which, other) else { return Ok(()) };
        let (section, other) = (which.path(), other.path());
        let op = match kind {
            0 => SectionOp::Delete { section: section.into() },
            1 => SectionOp::Rename { section: section.into(), title: title.into() },
            2 => SectionOp::Move { section: section.into(), place: SectionPlace::First(None) },
            3 => SectionOp::Move { section: section.into(), place: SectionPlace::Last(None) },
            4 => SectionOp::Move { section: section.into(), place: SectionPlace::Before(other.into()) },
            5 => SectionOp::Move { section: section.into(), place: SectionPlace::First(Some(other.into())) },
            6 => SectionOp::Move { section: section.into(), place: SectionPlace::Last(Some(other.into())) },
            _ => SectionOp::Move { section: section.into(), place: SectionPlace::After(other.into()) },
        };
        let mut patch = DocumentPatch::default();
        patch.parts.push(PatchPart::Section(op.clone()));
        prop_assert_eq!(plan(&doc, &op), plan(&doc, &patch));
    }

    #[test]
    fn a_slot_is_set_and_removed_and_nothing_else(
        text in strategies::document(), name in "[a-zA-Z \"#:.-]{0,5}|name|Name|nested|key", value in "[ a:#-]{0,6}|\\PC{0,6}",
    ) {
        let doc = MemoryDoc::parse(text);
        section_checks::check_slot(&doc, &name, Some(&value));
        section_checks::check_slot(&doc, &name, None);
    }
}

fn toolbox(text: &str) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default().with_max_bytes(1 << 24)).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

#[test]
fn most_merges_of_such_sections_are_made() {
    let made = |text: &str| {
        let doc = MemoryDoc::parse(text);
        let sections: Vec<_> = doc.sections().collect();
        section_checks::check_merge(sections[1], sections[0])
    };
    assert!(made("## A\n- a\n\n## B\n- a\n- b\n"));
    assert!(made("## A\n1. a\n## B\n- b\n### C\n- c\n## D\n"));
    assert!(!made("## A\n1. a\n## B\n1. b\n"));
    assert!(!made("## A\n- a\n\n## B\n  - b\n"));
}

#[test]
fn sections_of_many_bullets_of_one_content_are_merged_without_delay() {
    let tagged = |from: usize| (from..from + 20_000).map(|n| format!("- [t{n}] a\n")).collect::<String>();
    let mut toolbox = toolbox(&format!("## A\n{}\n## B\n{}", tagged(0), tagged(20_000)));
    let reply = toolbox.call("merge_sections", &json!({"source": "B", "target": "A"}));
    checks::check_reply(&reply);
    assert_eq!(reply.status(), Status::Committed, "{reply}");
}

#[test]
fn thousands_of_duplicates_are_dropped_and_counted_in_a_short_reply() {
    let bullets: String = (0..20_000).map(|n| format!("- {n}\n")).collect();
    let mut toolbox = toolbox(&format!("## A\n{bullets}\n## B\n{bullets}- last\n"));
    let reply = toolbox.call("merge_sections", &json!({"source": "B", "target": "A"}));
    assert_eq!(reply.status(), Status::Committed, "{reply}");
    assert!(reply.to_string().chars().count() < 2_000, "{reply}");
    assert_eq!(toolbox.show(&DocName::memory()).unwrap().text.as_str(), format!("## A\n{bullets}- last\n"));
}
