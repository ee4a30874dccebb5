//! Bullets that say the same, named by key and number while others write between them: under `rebase` the one that was seen is
//! edited, or none.

use memdoc::document::OnStale;
use memdoc::{DocName, MemoryDoc, Policy, Status};
use proptest::prelude::*;
use serde_json::json;

use crate::support::items_model::{text, toolbox};
use crate::support::soak;

/// Bullets, each with what it says and what is nested in it, by which it is known.
fn rendered(bullets: &[(&str, usize)]) -> String {
    let lines: String = bullets.iter().map(|(says, own)| format!("- {says}\n  - stay {own}\n")).collect();
    format!("## A\n{lines}")
}

/// What another writer does: puts a bullet at a place, takes one out, or puts one elsewhere.
type Step = (usize, usize, usize);

fn written_over<'s>(bullets: &[(&'s str, usize)], steps: &[Step], says: &[&'s str]) -> Vec<(&'s str, usize)> {
    let mut now = bullets.to_vec();
    for (nth, (kind, at, other)) in steps.iter().enumerate() {
        match kind % 3 {
            0 => now.insert(at % (now.len() + 1), (says[other % says.len()], 100 + nth)),
            1 if !now.is_empty() => drop(now.remove(at % now.len())),
            2 if !now.is_empty() => {
                let moved = now.remove(at % now.len());
                now.insert(other % (now.len() + 1), moved);
            }
            _ => {}
        }
    }
    now
}

/// Makes one edit of a bullet that is named by key and number; where it is made, it is made of the bullet that was seen.
fn check(bullets: &[(&str, usize)], steps: &[Step], which: usize, kind: usize) {
    let seen = rendered(bullets);
    let (says, own) = bullets[which % bullets.len()];
    let doc = MemoryDoc::parse(seen.as_str());
    let key = doc.bullets().filter(|bullet| bullet.depth() == 0).nth(which % bullets.len()).unwrap().key().to_string();
    let mut toolbox = toolbox(&seen, Policy::default().with_on_stale(OnStale::Rebase));
    let now = rendered(&written_over(bullets, steps, &["Trip", "Tea"]));
    toolbox.memory().write(&DocName::memory(), &now).unwrap();
    let (target, there) = (json!({"key": key}), json!({"section": "A"}));
    let whole = format!("- {says}\n  - stay {own}\n");
    let (edit, expected) = match kind % 5 {
        0 => (json!({"op": "update", "target": target, "text": "zz"}), format!("- zz\n  - stay {own}\n")),
        1 => (json!({"op": "tag", "target": target, "tags": ["zz"]}), format!("- [zz] {says}\n  - stay {own}\n")),
        2 => {
            let edit = json!({"op": "insert", "target": there, "text": "zz", "to": {"under": target}});
            (edit, format!("- {says}\n  - stay {own}\n  - zz\n"))
        }
        3 => {
            let edit = json!({"op": "insert", "target": there, "text": "zz", "to": {"after": target}});
            (edit, "\n- zz\n".to_owned())
        }
        _ => {
            let gone = now.replace(&whole, "");
            (json!({"op": "delete", "target": target, "children": "delete"}), gone)
        }
    };
    let reply = toolbox.call("edit_items", &edit);
    let text = text(&toolbox);
    match reply.status() {
        // It stands where the bullet stood, behind what others wrote there.
        Status::Committed if kind % 5 == 3 => {
            assert_eq!(text.replacen("- zz\n", "", 1), now, "{edit}");
            assert!(!text.contains("- zz\n  "), "it takes what is below another bullet: {text}");
        }
        // A key without a number names what is alone in saying so.
        Status::Committed if key.contains('#') => assert!(text.contains(&expected), "{seen}{now}{edit}\n{text}"),
        Status::Committed => {}
        _ => assert_eq!(text, now, "{edit}"),
    }
}

#[test]
fn a_counted_key_never_edits_another_bullet() {
    let cases = u32::try_from(100 * soak::factor()).unwrap();
    let bullets = prop::collection::vec(prop::sample::select(vec!["Trip", "Trip", "Tea"]), 1..5);
    let steps = prop::collection::vec((0_usize..3, 0_usize..6, 0_usize..6), 1..3);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(says in bullets, steps in steps, which in 0_usize..4, kind in 0_usize..5)| {
        let bullets: Vec<_> = says.iter().enumerate().map(|(nth, says)| (*says, nth)).collect();
        check(&bullets, &steps, which, kind);
    });
}
