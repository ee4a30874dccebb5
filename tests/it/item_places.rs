//! Edits of bullets in lists as people write them: what no edit may touch, and several edits as one.

use memdoc::{
    Authority, MemoryDoc, Request, Timestamp, View, document::BulletRef, locate::Selector, request::Children,
    request::Destination, request::ItemEdit, request::ItemOp, request::ItemPlace, request::Items, request::NewItem,
    request::RequestError,
};
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::item_lists::{FACTS, lists};

fn bullets(doc: &MemoryDoc) -> Vec<BulletRef<'_>> {
    doc.bullets().collect()
}

fn by_key(bullet: BulletRef<'_>) -> Selector {
    Selector::by_key(bullet.key().as_str())
}

fn planned(doc: &MemoryDoc, edits: Vec<ItemEdit>) -> Result<String, RequestError> {
    let edit = Items::new(edits).plan(&View::current(doc, Timestamp::default()))?;
    let result = doc.commit(&edit, Authority::Agent).map(|commit| commit.doc.text().to_owned());
    Ok(result.unwrap_or_else(|error| format!("refused: {}", error.code())))
}

/// A line as it must stay where nothing names it: indentation, what the marker is, and all behind it. Numbers below 1000 may
/// be given out anew.
fn stays(line: &str) -> (usize, String, String) {
    let body = line.trim_start();
    let indent = line.len() - body.len();
    let digits = body.len() - body.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_number = (1..4).contains(&digits) && body[digits..].starts_with(['.', ')']);
    match is_number {
        true => (indent, body[digits..=digits].to_owned(), body[digits + 1..].to_owned()),
        false => (indent, String::new(), body.to_owned()),
    }
}

/// The lines of a text that are not on any of these, from 0.
fn others(text: &str, without: &[usize]) -> Vec<(usize, String, String)> {
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).enumerate();
    let kept = lines.filter(|(nth, line)| !without.contains(nth) && !line.is_empty());
    kept.map(|(_, line)| stays(line)).collect()
}

/// The numbers of the lines, from 0, that a span of bytes takes.
fn lines_of(bullet: BulletRef<'_>) -> Vec<usize> {
    let (doc, extent) = (bullet.doc(), bullet.extent);
    let first = doc.text()[..extent.start()].matches('\n').count();
    (first..first + doc.text()[extent.start()..extent.end()].split_inclusive('\n').count()).collect()
}

/// Where a bullet goes, beside or below the other.
fn place(side: usize, other: Selector) -> Destination {
    let other = Box::new(other);
    Destination::at(match side % 3 {
        0 => ItemPlace::Before(other),
        1 => ItemPlace::After(other),
        _ => ItemPlace::Under(other),
    })
}

/// A tag and a text that no document has, so that what is written can be found again.
const NEW: &str = "zz";

fn op(kind: usize, text: &str, to: Destination) -> ItemOp {
    let item = NewItem::new(format!("{NEW} {text}"));
    match kind {
        0 => ItemOp::Insert { item, to },
        1 => ItemOp::Update { item },
        2 => ItemOp::Delete { children: Children::Delete },
        3 => ItemOp::Reorder { to },
        _ => ItemOp::Tag { tags: vec![NEW.into()] },
    }
}

/// Makes one edit; whatever it does not name is as it was, but for the numbers of lists that count.
fn check_others(text: &str, (at, other): (usize, usize), (kind, side): (usize, usize), fact: &str) {
    let doc = MemoryDoc::parse(text);
    let all = bullets(&doc);
    let (bullet, other) = (all[at % all.len()], all[other % all.len()]);
    let target = if kind == 0 { Selector::default() } else { by_key(bullet) };
    let mut edits = vec![ItemEdit::new(target.clone(), op(kind, fact, place(side, by_key(other))))];
    if kind == 3 {
        // So that it is found again among equal lines.
        edits.push(ItemEdit::new(target, op(4, fact, Destination::default())));
    }
    let Ok(after) = planned(&doc, edits) else { return };
    if after.starts_with("refused") {
        return;
    }
    let content_lines = bullet.content().split('\n').count();
    let named: Vec<usize> = match kind {
        0 => Vec::new(),
        1 => lines_of(bullet).into_iter().take(content_lines).collect(),
        2 | 3 => lines_of(bullet),
        _ => lines_of(bullet).into_iter().take(1).collect(),
    };
    let new = MemoryDoc::parse(&*after);
    let is_new = |bullet: &BulletRef<'_>| bullet.content().starts_with(NEW) || bullet.tags().contains(&NEW);
    let written = bullets(&new).into_iter().find(is_new);
    let written: Vec<usize> = match (kind, written) {
        (3, Some(bullet)) => lines_of(bullet),
        (_, Some(bullet)) => lines_of(bullet).into_iter().take(1).collect(),
        (_, None) => Vec::new(),
    };
    assert_eq!(others(text, &named), others(&after, &written), "{text:?} {bullet:?} {kind} {side} {fact:?}: {after:?}");
    if kind == 3 {
        let said = |text: &str, lines: &[usize]| {
            let lines: Vec<_> = text.split('\n').enumerate().filter(|(nth, _)| lines.contains(nth)).collect();
            lines.into_iter().skip(1).map(|(_, line)| line.trim().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(said(text, &named), said(&after, &written), "what is below a bullet goes with it: {after:?}");
        let moved = bullets(&new).into_iter().find(is_new).unwrap();
        assert_eq!(bullet.content().trim(), moved.content().trim());
    }
}

/// Makes edits of one bullet in one request and one after the other; both come to the same.
fn check_together(text: &str, at: usize, fact: &str, (tags, other, side): (usize, usize, usize)) {
    let doc = MemoryDoc::parse(text);
    let all = bullets(&doc);
    let (at, other) = (at % all.len(), other % all.len());
    let mut item = NewItem::new(format!("{fact}\nand more"));
    // Only one of them may change the tags.
    item.tags.extend((tags % 4 == 1).then(|| "own".into()));
    let tagging = match tags % 4 {
        0 | 1 => None,
        2 => Some(ItemOp::Untag { tags: vec!["work".into(), "pinned".into()] }),
        _ => Some(ItemOp::Tag { tags: vec![NEW.into(), "ttl: 9d".into()] }),
    };
    let mut ops = vec![ItemOp::Update { item }];
    ops.extend(tagging);
    let moves = |doc: &MemoryDoc| ItemOp::Reorder { to: place(side, by_key(bullets(doc)[other])) };
    let edit = |doc: &MemoryDoc, op: ItemOp| ItemEdit::new(by_key(bullets(doc)[at]), op);
    let mut together: Vec<_> = ops.iter().map(|op| edit(&doc, op.clone())).collect();
    if tags & 4 > 0 {
        together.push(edit(&doc, moves(&doc)));
    }
    let first = tags % 3 % together.len();
    together.rotate_left(first);
    let mut step = doc.clone();
    for op in ops {
        let Ok(after) = planned(&step, vec![edit(&step, op)]) else { return };
        if after.starts_with("refused") {
            return;
        }
        step = MemoryDoc::parse(after);
    }
    if tags & 4 > 0 {
        let Ok(after) = planned(&step, vec![edit(&step, moves(&step))]) else { return };
        if after.starts_with("refused") {
            return;
        }
        step = MemoryDoc::parse(after);
    }
    match planned(&doc, together) {
        Ok(made) => assert_eq!(made, step.text(), "{text:?} {at} {fact:?} {tags} {other} {side}"),
        // Whether the number of a bullet fits the list that it comes to is asked of the bullet as it stands.
        Err(error) => assert!(error.to_string().contains("numbers that count"), "{error}: {text:?} {at} {fact:?}"),
    }
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn no_edit_changes_a_bullet_that_it_does_not_name(text in lists(), at in (0_usize..16, 0_usize..16), kind in (0_usize..5, 0_usize..3), fact in prop::sample::select(FACTS)) {
        check_others(&text, at, kind, fact);
    }

    #[test]
    fn edits_of_one_bullet_are_those_in_a_row(text in lists(), at in 0_usize..16, fact in prop::sample::select(FACTS), how in (0_usize..8, 0_usize..16, 0_usize..3)) {
        check_together(&text, at, fact, how);
    }
}
