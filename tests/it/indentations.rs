//! Moves of bullets that are indented by spaces and tabs: who belongs to whom.

use memdoc::{
    Authority, MemoryDoc, Request, Timestamp, View, document::BulletRef, locate::Selector, request::Children,
    request::Destination, request::ItemEdit, request::ItemOp, request::ItemPlace, request::Items,
};
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::item_lists::indented;

/// What each line says, and what the line that it belongs to says. No two lines say the same.
fn owners(doc: &MemoryDoc) -> Vec<(String, Option<String>)> {
    let said = |line: &str| line.trim_start_matches([' ', '\t', '-']).to_owned();
    let mut owners = Vec::new();
    let mut at = 0;
    for line in doc.text().split_inclusive('\n') {
        let bullet = doc.bullet_at(at);
        let owner = bullet.filter(|bullet| bullet.line.start() != at).or_else(|| bullet.and_then(BulletRef::parent));
        owners.push((said(line.trim_end()), owner.map(says)));
        at += line.len();
    }
    owners.sort();
    owners
}

fn says(bullet: BulletRef<'_>) -> String {
    bullet.content().split('\n').next().unwrap().to_owned()
}

/// Makes one op on a bullet; `None` if it is refused.
fn made(doc: &MemoryDoc, bullet: BulletRef<'_>, op: ItemOp) -> Option<MemoryDoc> {
    let items = Items::new(vec![ItemEdit::new(Selector::by_key(bullet.key().as_str()), op)]);
    let edit = items.plan(&View::current(doc, Timestamp::default())).ok()?;
    doc.commit(&edit, Authority::Agent).ok().map(|commit| commit.doc)
}

fn check_move(text: &str, (at, other): (usize, usize), side: usize) {
    let doc = MemoryDoc::parse(text);
    let all: Vec<_> = doc.bullets().collect();
    let (bullet, other) = (all[at % all.len()], all[other % all.len()]);
    let beside = Box::new(Selector::by_key(other.key().as_str()));
    let (place, parent) = match side {
        0 => (ItemPlace::Before(beside), other.parent()),
        1 => (ItemPlace::After(beside), other.parent()),
        _ => (ItemPlace::Under(beside), Some(other)),
    };
    let Some(after) = made(&doc, bullet, ItemOp::Reorder { to: Destination::at(place) }) else { return };
    let mut expected = owners(&doc);
    for (line, owner) in &mut expected {
        if *line == says(bullet) {
            *owner = parent.map(says);
        }
    }
    assert_eq!(owners(&after), expected, "{text:?} {bullet:?} {side} {other:?}: {:?}", after.text());
}

fn check_deletion(text: &str, at: usize) {
    let doc = MemoryDoc::parse(text);
    let all: Vec<_> = doc.bullets().collect();
    let bullet = all[at % all.len()];
    let Some(after) = made(&doc, bullet, ItemOp::Delete { children: Children::Keep }) else { return };
    let gone = Some(says(bullet));
    let children: Vec<_> = bullet.children().map(says).collect();
    let mut expected = owners(&doc);
    expected.retain(|(line, owner)| Some(line) != gone.as_ref() && (*owner != gone || children.contains(line)));
    for (_, owner) in &mut expected {
        if *owner == gone {
            *owner = bullet.parent().map(says);
        }
    }
    assert_eq!(owners(&after), expected, "{text:?} {bullet:?}: {:?}", after.text());
}

proptest! {
    #![proptest_config(usually(1024))]

    #[test]
    fn what_belongs_to_a_bullet_that_moves_still_belongs_to_it(text in indented(), at in (0_usize..16, 0_usize..16), side in 0_usize..3) {
        check_move(&text, at, side);
    }

    #[test]
    fn children_that_are_kept_move_up_with_what_belongs_to_them(text in indented(), at in 0_usize..16) {
        check_deletion(&text, at);
    }
}
