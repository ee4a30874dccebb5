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

/// Deletes and adds as the steps say: what goes is one bullet that has the text, the one at the index if that had it when it was
/// shown; and a text that never stood there twice is always found.
fn check(shown: &[&'static str], steps: &[Step]) {
    let mut bullets: Vec<_> = shown.iter().enumerate().map(|(nth, text)| (Some(nth), *text)).collect();
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
        let told = format!("{shown:?} {bullets:?} {op} {reply}");
        let places: Vec<_> = (0..bullets.len()).filter(|place| bullets[*place].1 == sought).collect();
        let at_shown = index.checked_sub(1).filter(|at| shown.get(*at) == Some(&sought));
        let carried = at_shown.and_then(|at| places.iter().copied().find(|place| bullets[*place].0 == Some(at)));
        match reply["status"].as_str() {
            Some("already_applied") => {
                assert!(made.as_ref() == Some(&op) || (*is_added && !places.is_empty()), "{told}")
            }
            Some("committed") if *is_added => {
                assert!(places.is_empty(), "{told}");
                bullets.push((None, sought));
                made = Some(op.clone());
            }
            Some("committed") => {
                let without = |place: usize| [&bullets[..place], &bullets[place + 1..]].concat();
                let fits = |place: &&usize| rendered(&without(**place)) == text(&toolbox);
                let gone = *places.iter().find(fits).unwrap_or_else(|| panic!("{told}"));
                assert!(carried.is_none_or(|carried| rendered(&without(carried)) == text(&toolbox)), "{told}");
                bullets = without(carried.unwrap_or(gone));
                made = Some(op.clone());
            }
            _ => assert!(places.len() != 1 || shown.iter().filter(|text| **text == sought).count() > 1, "{told}"),
        }
        assert_eq!(text(&toolbox), rendered(&bullets), "{told}");
    }
}

#[test]
fn a_text_names_its_bullet_and_an_index_one_of_several() {
    let cases = u32::try_from(80 * soak::factor()).unwrap();
    let shown = prop::collection::vec(prop::sample::select(TEXTS.to_vec()), 1..6);
    let steps = prop::collection::vec((any::<prop::sample::Index>(), 0_usize..7, prop::bool::weighted(0.2)), 1..8);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(shown in shown, steps in steps)| check(&shown, &steps));
}
