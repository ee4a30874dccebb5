//! Calls that messages offer: each can be sent as it stands, and does what was meant.

use memdoc::{DocName, InMemoryStore, Memory, Policy, Reply, Status, Toolbox};
use proptest::prelude::*;
use serde_json::{Value, json};

const TEXTS: [&str; 6] = ["13. Juni: Umzug", "- 3 °C", "C:\\new \"x\"", "Лук", "Rent: 900", "Rent: 9000"];

fn toolbox(text: &str) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

fn text(toolbox: &Toolbox) -> String {
    toolbox.memory().read(&DocName::memory()).unwrap().text().to_owned()
}

/// Sends the first call of this tool that a message offers.
fn send_offered(toolbox: &mut Toolbox, message: &str, tool: &str) -> Reply {
    let (_, call) = message.split_once(&format!("call {tool} with ")).unwrap_or_else(|| panic!("no call: {message}"));
    let call = serde_json::Deserializer::from_str(call).into_iter::<Value>().next().unwrap().unwrap();
    toolbox.call(tool, &call)
}

proptest! {
    #[test]
    fn a_search_block_is_offered_as_the_replacement_that_it_means(
        at in 0_usize..6, new in prop::collection::vec(prop::sample::select(&TEXTS[..]), 0..3),
    ) {
        let lines: Vec<String> = TEXTS.iter().zip(0..).map(|(line, nth)| format!("- {nth} {line}")).collect();
        let mut toolbox = toolbox(&format!("{}\n", lines.join("\n")));
        let new: String = new.iter().map(|line| format!("- new {line}\n")).collect();
        let block = format!("<<<<<<< SEARCH\n{}\n=======\n{new}>>>>>>> REPLACE\n", lines[at]);
        let refused = toolbox.call("patch_memory", &json!({ "patch": block })).to_json();
        let sent = send_offered(&mut toolbox, refused["hint"].as_str().unwrap(), "replace_in_memory");
        prop_assert_eq!(sent.status(), Status::Committed);
        let wanted = lines.iter().enumerate().map(|(nth, line)| if nth == at { new.clone() } else { format!("{line}\n") });
        prop_assert_eq!(text(&toolbox), wanted.collect::<String>());
    }

    #[test]
    fn what_is_expected_of_a_bullet_is_the_same_in_its_target_and_beside_it(
        index in 0_i64..8, said in prop::sample::select(&TEXTS[..]), is_update in any::<bool>(),
    ) {
        let list: String = TEXTS.iter().map(|line| format!("- {line}\n")).collect();
        let op = if is_update { json!({"op": "update", "text": "new"}) } else { json!({"op": "delete"}) };
        let shape = |target: Value, beside: Value| -> Value {
            let mut edit = op.clone();
            let members = edit.as_object_mut().unwrap();
            members.extend(beside.as_object().unwrap().clone());
            members.insert("target".to_owned(), target);
            edit
        };
        let shapes = [
            shape(json!({"section": "A", "index": index}), json!({"expect": said})),
            shape(json!({"section": "A", "index": index, "expect": said}), json!({})),
            shape(json!({"section": "A"}), json!({"index": index, "expect": said})),
        ];
        let outcomes = shapes.map(|edit| {
            let mut toolbox = toolbox(&format!("## A\n{list}"));
            let reply = toolbox.call("edit_items", &json!({"edits": [edit]}));
            (reply.code(), text(&toolbox))
        });
        prop_assert_eq!(&outcomes[0], &outcomes[1]);
        prop_assert_eq!(&outcomes[0], &outcomes[2]);
    }
}
