//! Operations on the bullets of a block, one call after the other, by an agent that counts as it was shown or as it stands now.

use memdoc::Policy;
use proptest::prelude::*;
use serde_json::json;

use crate::support::items_model::{text, toolbox};
use crate::support::soak;

const TEXTS: [&str; 5] = ["tea", "milk", "rye bread", "Owns a boat", "Lives in Denver"];

fn rendered(bullets: &[(Option<usize>, &str)]) -> String {
    let lines: String = bullets.iter().map(|(_, text)| format!("- {text}\n")).collect();
    format!("X: (ID: m)\n{lines}")
}

/// A text to delete, its index from 1 (0: none), and whether it is added again instead.
type Step = (prop::sample::Index, usize, bool);

/// Deletes as the steps say: no deletion is done already whose text stands in the block, but one that has been made at this index, or
/// that is sent again at once.
fn check(shown: &[&'static str], steps: &[Step]) {
    let mut bullets: Vec<_> = shown.iter().enumerate().map(|(nth, text)| (Some(nth), *text)).collect();
    // What its own edits wrote counts as shown.
    let mut written = Vec::new();
    // The call that has made the text.
    let mut made = None;
    let mut toolbox = toolbox(&rendered(&bullets), Policy::default());
    for (which, index, is_added) in steps {
        let sought = *which.get(&TEXTS);
        let (intent, index) = if *is_added { ("add", 0) } else { ("delete", *index) };
        let mut op = json!({"memory_id": "m", "sub_memory": sought, "intent": intent});
        if index > 0 {
            op["index"] = json!(index);
        }
        let reply = toolbox.call("apply_sub_memory_ops", &json!({"ops": [op]})).to_json();
        if made.as_ref() == Some(&op) {
            assert_eq!(reply["status"], "already_applied", "sent again: {reply}");
            assert_eq!(text(&toolbox), rendered(&bullets), "sent again: {reply}");
            continue;
        }
        made = if reply["status"] == "committed" { Some(op.clone()) } else { made };
        let (stands, told) =
            (bullets.iter().any(|(_, text)| *text == sought), format!("{shown:?} {bullets:?} {op} {reply}"));
        if *is_added {
            if !stands {
                bullets.push((None, sought));
                written.push(sought);
            }
            assert_eq!(text(&toolbox), rendered(&bullets), "{told}");
            continue;
        }
        let at_shown = index.checked_sub(1).filter(|at| shown.get(*at) == Some(&sought));
        let carried = at_shown.and_then(|at| bullets.iter().position(|(origin, _)| *origin == Some(at)));
        let at_present = index.checked_sub(1).filter(|at| bullets.get(*at).is_some_and(|(_, text)| *text == sought));
        match reply["status"].as_str() {
            Some("already_applied") => {
                assert!(shown.contains(&sought) || written.contains(&sought), "never stood: {told}");
                assert!(!stands || (at_shown.is_some() && carried.is_none()), "stands: {told}");
            }
            Some("committed") => {
                let is_mismatch = reply["warnings"].to_string().contains("index_text_mismatch");
                // Where none was shown at the index, it counts the bullets that stand there now.
                let stood = |at: usize| match at < shown.len() {
                    true => bullets.iter().position(|(origin, _)| *origin == Some(at)),
                    false => Some(at),
                };
                let named = index.checked_sub(1).filter(|_| is_mismatch).and_then(stood);
                let only = bullets.iter().position(|(_, text)| *text == sought);
                let gone = named.or(carried).or(at_present).or(only).expect("something is deleted");
                bullets.remove(gone);
            }
            _ => assert!(carried.is_none() && at_present.is_none(), "could be told: {told}"),
        }
        assert_eq!(text(&toolbox), rendered(&bullets), "{told}");
    }
}

#[test]
fn no_deletion_is_done_already_while_its_text_stands() {
    let cases = u32::try_from(200 * soak::factor()).unwrap();
    let shown = prop::collection::vec(prop::sample::select(TEXTS.to_vec()), 1..6);
    let steps = prop::collection::vec((any::<prop::sample::Index>(), 0_usize..7, prop::bool::weighted(0.2)), 1..8);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(shown in shown, steps in steps)| check(&shown, &steps));
}
