//! Bullets: `edit_items` and `apply_sub_memory_ops` against a simple model, and what must hold of any sequence.

use memdoc::{
    Authority, Code, MemoryDoc, Policy, Request, Status, Timestamp, View, document::BulletRef, locate::Selector,
    request::Children, request::Destination, request::ItemEdit, request::ItemOp, request::ItemPlace, request::Items,
    request::NewItem,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::items_model::{Model, Step, check_items, is_ordered, render, text, toolbox};
use super::support::outside::{Update, updates};

use crate::support::draws::usually;

/// One section of a block for each section of the model.
fn render_blocks(model: &Model) -> String {
    let block = |(title, bullets): &(String, Vec<String>)| {
        let bullets: String = bullets.iter().map(|bullet| format!("- {bullet}\n")).collect();
        format!("{title}: (ID: {title})\n{bullets}")
    };
    model.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn arb_model() -> impl Strategy<Value = Model> {
    let bullets = prop::collection::btree_set("[a-d]{1,3}", 0..5);
    prop::collection::vec(bullets, 1..4).prop_map(|sections| {
        let section = |(nth, bullets): (usize, std::collections::BTreeSet<String>)| {
            let kind = if nth % 2 == 1 && !bullets.is_empty() { 'N' } else { 'S' };
            (format!("{kind}{nth}"), bullets.into_iter().map(|bullet| format!("{bullet}{nth}")).collect())
        };
        sections.into_iter().enumerate().map(section).collect()
    })
}

fn arb_step() -> impl Strategy<Value = Step> {
    let n = 0_usize..8;
    prop_oneof![
        (n.clone(), n.clone(), "[x-z]{3,5}").prop_map(|(section, at, text)| Step::Insert { section, at, text }),
        (n.clone(), n.clone(), "[x-z]{3,5}").prop_map(|(section, at, text)| Step::Update { section, at, text }),
        (n.clone(), n.clone()).prop_map(|(section, at)| Step::Delete { section, at }),
        (n.clone(), n.clone(), n.clone(), n).prop_map(|(section, at, to_section, to)| Step::Move {
            section,
            at,
            to_section,
            to
        }),
    ]
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn edits_agree_with_vectors_of_strings(mut model in arb_model(), steps in prop::collection::vec(arb_step(), 1..12)) {
        check_items(&mut model, &steps);
    }

    #[test]
    fn a_move_there_and_back_changes_nothing(model in arb_model(), at in 0_usize..8, to in 0_usize..8, from in 0_usize..4, into in 0_usize..4) {
        let start = render(&model);
        let mut toolbox = toolbox(&start, Policy::default());
        let (title, bullets) = &model[from % model.len()];
        let (other, others) = &model[into % model.len()];
        if bullets.len() <= usize::from(is_ordered(title)) {
            return Ok(());
        }
        let at = at % bullets.len();
        let to = to % if title == other { bullets.len() } else { others.len() + 1 };
        let there = json!({"op": "reorder", "target": {"section": title, "index": at + 1}, "to": {"section": other, "index": to + 1}});
        let back = json!({"op": "reorder", "target": {"section": other, "index": to + 1}, "to": {"section": title, "index": at + 1}});
        prop_assert_ne!(toolbox.call("edit_items", &there).status(), Status::Error);
        prop_assert_ne!(toolbox.call("edit_items", &back).status(), Status::Error);
        prop_assert_eq!(text(&toolbox), start);
    }

    #[test]
    fn an_insertion_that_is_deleted_leaves_nothing(model in arb_model(), section in 0_usize..4, at in 0_usize..8, item in "[ -~]{0,12}[a-z]") {
        let start = render(&model);
        let mut toolbox = toolbox(&start, Policy::default());
        let (title, bullets) = &model[section % model.len()];
        let at = at % (bullets.len() + 1);
        let insert = json!({"op": "insert", "target": {"section": title}, "text": item, "to": {"index": at + 1}, "allow_duplicate": true});
        let reply = toolbox.call("edit_items", &insert);
        if reply.status() == Status::Error {
            prop_assert_eq!(reply.code(), Some(Code::InvalidText), "{}", reply);
            prop_assert_eq!(text(&toolbox), start);
            return Ok(());
        }
        let before = json!({"before": at.checked_sub(1).map_or("", |before| &bullets[before])});
        let delete = json!({"op": "delete", "target": {"section": title, "index": at + 1}, "neighbors": before});
        let reply = toolbox.call("edit_items", &delete);
        prop_assert_eq!(reply.status(), Status::Committed, "{} {}", insert, reply);
        prop_assert_eq!(text(&toolbox), start);
    }

    #[test]
    fn a_repeated_list_changes_nothing(model in arb_model(), steps in prop::collection::vec(arb_step(), 1..6)) {
        let mut toolbox = toolbox(&render_blocks(&model), Policy::default());
        let ops = sub_memory_ops(&model, &steps);
        if ops.is_empty() {
            return Ok(());
        }
        let ops = json!({"ops": ops});
        let reply = toolbox.call("apply_sub_memory_ops", &ops);
        prop_assert_ne!(reply.status(), Status::Error, "{} {}", ops, reply);
        let once = text(&toolbox);
        let reply = toolbox.call("apply_sub_memory_ops", &ops);
        prop_assert_eq!(reply.status(), Status::AlreadyApplied, "{} {}", ops, reply);
        prop_assert_eq!(text(&toolbox), once);
    }

    #[test]
    fn the_retry_of_a_refusal_and_the_change_of_each_candidate_work(model in arb_model(), section in 0_usize..4, at in 0_usize..8, kind in 0..5) {
        let (title, bullets) = &model[section % model.len()];
        if bullets.is_empty() {
            return Ok(());
        }
        let at = at % bullets.len();
        let target = match kind {
            0 => json!({"section": title, "index": at + 1}),
            1 => json!({"section": title, "index": (at + 1) % bullets.len() + 1, "equals": bullets[at]}),
            2 => json!({"section": "S9", "equals": bullets[at]}),
            3 => json!({"contains": bullets[at]}),
            _ => json!({"section": model[(section + 1) % model.len()].0, "equals": bullets[at]}),
        };
        let edit = json!({"op": "tag", "target": target, "tags": ["t"]});
        let mut toolbox = toolbox(&render(&model), Policy::default());
        let reply = toolbox.call("edit_items", &json!({"edits": [edit]}));
        if let Some(retry) = reply.get("retry") {
            let again = toolbox.call(retry["tool"].as_str().unwrap(), &retry["arguments"]);
            prop_assert_eq!(again.status(), Status::Committed, "{} {}", reply, again);
        }
        for candidate in reply.get("candidates").and_then(Value::as_array).into_iter().flatten() {
            let reply = toolbox.call("diff_preview", &json!({"tool": "edit_items", "arguments": candidate["change"]}));
            prop_assert_eq!(reply.status(), Status::Preview, "{} {}", candidate, reply);
        }
    }
}

/// Words steps as operations on blocks; those that touch a bullet which another has touched are left out.
fn sub_memory_ops(model: &Model, steps: &[Step]) -> Vec<Value> {
    let mut touched = Vec::new();
    let mut texts = Vec::new();
    let mut ops = Vec::new();
    for step in steps {
        let (section, at) = match step {
            Step::Insert { section, at, .. } | Step::Update { section, at, .. } => (section, at),
            Step::Delete { section, at } | Step::Move { section, at, .. } => (section, at),
        };
        let (id, bullets) = &model[section % model.len()];
        if let Step::Insert { text, .. } | Step::Update { text, .. } = step {
            if texts.contains(text) {
                continue;
            }
            texts.push(text.clone());
        }
        if let Step::Insert { text, .. } = step {
            ops.push(json!({"memory_id": id, "sub_memory": text, "intent": "add"}));
            continue;
        }
        let Some(at) = at.checked_rem(bullets.len()).filter(|at| !touched.contains(&(id, *at))) else { continue };
        touched.push((id, at));
        let old = &bullets[at];
        match step {
            Step::Update { text, .. } => ops.push(json!({
                "memory_id": id, "old_sub_memory": old, "new_sub_memory": text, "index": at + 1, "intent": "update",
            })),
            _ => ops.push(json!({"memory_id": id, "sub_memory": old, "index": at + 1, "intent": "delete"})),
        }
    }
    ops
}

#[test]
fn real_updates_are_exact_by_every_way_to_name_a_bullet() {
    let rows = updates();
    for Update { facts, update: new, outdated } in &rows {
        let outdated = &outdated.first().copied().unwrap_or(0);
        let model = vec![("Facts".to_owned(), facts.clone())];
        let mut after = model.clone();
        after[0].1[*outdated].clone_from(new);
        let old = &facts[*outdated];
        let key = key_of(&render(&model), old);
        let index = outdated + 1;
        let edits = [
            json!({"op": "update", "target": {"section": "Facts", "equals": old}, "text": new}),
            json!({"op": "update", "target": {"key": key}, "text": new}),
            json!({"op": "update", "target": {"section": "Facts", "index": index}, "expect": old, "text": new}),
        ];
        for edit in edits {
            let mut toolbox = toolbox(&render(&model), Policy::default());
            let reply = toolbox.call("edit_items", &edit);
            assert_eq!(text(&toolbox), render(&after), "{edit} {reply}");
        }
        let mut toolbox = toolbox(&render_blocks(&model), Policy::default());
        let ops = json!([{"memory_id": "Facts", "old_sub_memory": old, "new_sub_memory": new, "index": index, "intent": "update"}]);
        let reply = toolbox.call("apply_sub_memory_ops", &json!({"ops": ops.to_string()}));
        assert_eq!(text(&toolbox), render_blocks(&after), "{ops} {reply}");
    }
}

/// Returns the key that a keyed view shows for the bullet with this content.
fn key_of(text: &str, content: &str) -> String {
    let mut toolbox = toolbox(text, Policy::default());
    let reply = toolbox.call("memory_read", &json!({"view": "keyed"})).to_json();
    let shown = reply["text"].as_str().unwrap().to_owned();
    let line = shown.split('\n').find(|line| line.ends_with(&format!("| - {content}"))).unwrap();
    line.split_once('|').unwrap().0.to_owned()
}

/// Lists of mixed markers and depths, between headings, blocks and prose.
fn arb_lists() -> impl Strategy<Value = String> {
    let indentation = prop::sample::select(vec!["", "", "", "  ", "   ", "    ", "\t"]);
    let marker =
        prop::sample::select(vec!["- ", "- ", "* ", "1. ", "2. ", "3) ", "- [ ] ", "- [a, b] ", "- [pinned] [x] "]);
    let bullet =
        (indentation.clone(), marker, "[a-c]{1,2}").prop_map(|(space, marker, text)| format!("{space}{marker}{text}"));
    let other = prop::sample::select(vec!["## H", "B: (ID: m1)", "prose", "", "    more", "  tail"]);
    let line = prop_oneof![6 => bullet, 2 => other.prop_map(str::to_owned)];
    (prop::collection::vec(line, 1..12), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.join("\n");
        if ends { text + "\n" } else { text }
    })
}

/// The contents of all bullets, sorted.
fn contents(doc: &MemoryDoc) -> Vec<String> {
    let mut contents: Vec<_> = doc.bullets().map(|bullet| fold(&bullet.content())).collect();
    contents.sort();
    contents
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plans and commits one edit; checks that it does to the contents what it says.
fn check_one(text: &str, at: usize, other: usize, kind: usize) -> Result<&'static str, String> {
    let doc = MemoryDoc::parse(text);
    let bullets: Vec<_> = doc.bullets().collect();
    let Some(at) = at.checked_rem(bullets.len()) else { return Ok("nothing") };
    let (bullet, sibling) = (bullets[at], bullets[other % bullets.len()]);
    let key = |bullet: BulletRef<'_>| Selector::by_key(bullet.key().as_str());
    let own = fold(&bullet.content());
    let nested: Vec<_> = doc.bullets_within(bullet.extent).collect();
    let mut expected = contents(&doc);
    let mut drop = |content: &str| {
        let place = expected.iter().position(|other| other == content).unwrap();
        expected.remove(place);
    };
    let new = "new\n  line";
    let op = match kind {
        0 => {
            nested.iter().for_each(|bullet| drop(&fold(&bullet.content())));
            ItemOp::Delete { children: Children::Delete }
        }
        1 => {
            drop(&own);
            ItemOp::Delete { children: Children::Keep }
        }
        2 => {
            drop(&own);
            expected.push(fold(new));
            ItemOp::Update { item: NewItem::new(new) }
        }
        3 => {
            expected.push(fold(new));
            let to = Destination::at(ItemPlace::Before(Box::new(key(bullet))));
            ItemOp::Insert { item: NewItem::new(new), to }
        }
        4 => {
            expected.push(fold(new));
            let to = Destination::at(ItemPlace::After(Box::new(key(bullet))));
            ItemOp::Insert { item: NewItem::new(new), to }
        }
        5 => ItemOp::Reorder { to: Destination::at(ItemPlace::Before(Box::new(key(sibling)))) },
        6 => ItemOp::Reorder { to: Destination::at(ItemPlace::After(Box::new(key(sibling)))) },
        7 => ItemOp::Tag { tags: vec!["new".into()] },
        _ => ItemOp::Untag { tags: vec!["a".into(), "x".into()] },
    };
    expected.sort();
    let target = if matches!(op, ItemOp::Insert { .. }) { Selector::default() } else { key(bullet) };
    let items = Items::new([ItemEdit::new(target, op)]);
    let edit = match items.plan(&View::current(&doc, Timestamp::default())) {
        Ok(edit) => edit,
        Err(error) => return Ok(error.code().as_str()),
    };
    match doc.commit(&edit, Authority::Agent) {
        Ok(commit) if contents(&commit.doc) == expected => Ok("committed"),
        Ok(commit) => Err(format!("{:?}: expected {expected:?}, found {:?}", commit.doc.text(), contents(&commit.doc))),
        Err(error) => Ok(error.code().as_str()),
    }
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn an_edit_of_one_bullet_does_what_it_says(text in arb_lists(), at in 0_usize..12, other in 0_usize..12, kind in 0_usize..9) {
        let done = check_one(&text, at, other, kind);
        prop_assert!(done.is_ok(), "{:?} {} {} {}: {}", text, at, other, kind, done.unwrap_err());
    }

    #[test]
    fn hostile_documents_are_edited_or_refused(text in crate::support::strategies::document(), at in 0_usize..12, other in 0_usize..12, kind in 0_usize..9) {
        let done = check_one(&text, at, other, kind);
        prop_assert!(done.is_ok(), "{:?} {} {} {}: {}", text, at, other, kind, done.unwrap_err());
    }
}
