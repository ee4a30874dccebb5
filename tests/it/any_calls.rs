//! Whatever is called with whatever arguments: what must hold of every tool holds.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::any_calls::{arguments, check_calls};
use crate::support::compaction_draw::Draw;
use crate::support::draws::usually;
use serde_json::json;

use memdoc::{DocName, InMemoryStore, Memory, Policy, Status, Toolbox};

/// Bytes that choose a memory, a policy, and calls.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..600)
}

#[test]
fn the_calls_that_are_made_reach_every_tool() {
    let text = "---\nname: Eve\n---\n## Facts\n- Lives in Denver\n- Has a cat\n\n## Tasks\nPets: (ID: pets)\n- x\n";
    for tool in Toolbox::definitions() {
        let succeeds = |seed: u32| {
            let data: Vec<u8> = (0..200_u32)
                .map(|at| (seed.wrapping_mul(2_654_435_761).rotate_left(at) >> 7).to_le_bytes()[0])
                .collect();
            let store = InMemoryStore::new().with(DocName::memory(), text);
            let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
            toolbox.show(&DocName::memory()).unwrap();
            // Something that can be taken back.
            toolbox.call("edit_items", &json!({"op": "delete", "target": {"equals": "x"}}));
            toolbox.call("memory_commit", &json!({"content": "Likes tea"}));
            // Something that is pending.
            toolbox.call("memo_replace", &json!({"old_text": "Denver", "new_text": "Austin"}));
            toolbox.call(tool.name, &arguments(&mut Draw::new(&data), tool, text)).status() != Status::Error
        };
        assert!((1..4_000).any(succeeds), "{} is never called right", tool.name);
    }
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn no_call_breaks_what_holds_of_all(data in bytes()) {
        check_calls(&data);
    }
}
