//! A conversation with a scripted model.

#![allow(missing_docs, clippy::unwrap_used)]

mod scripted;

use async_openai::Client;
use async_openai::config::OpenAIConfig;
use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
use serde_json::json;

use scripted::{Model, told, turns};

const MEMORY: &str = "## Home\n- Denver\n\n## Travel\n- Hotel in Denver\n";

#[tokio::test]
async fn a_model_edits_its_memory_and_follows_a_refusal() {
    let model = Model::start(turns()).unwrap();
    let config = OpenAIConfig::new().with_api_base(&model.url).with_api_key("none is needed");
    let memory = Memory::new(InMemoryStore::new().with(DocName::memory(), MEMORY), Policy::default()).unwrap();
    let mut toolbox = Toolbox::new(memory);
    let client = Client::with_config(config);
    let said = memdoc_async_openai::converse(&client, "scripted", &mut toolbox, "My hotel is in Oslo.").await.unwrap();
    assert_eq!(said, "Noted: the hotel is in Oslo.");
    let now = toolbox.memory().read(&DocName::memory()).unwrap();
    assert_eq!(now.text(), MEMORY.replace("Hotel in Denver", "Hotel in Oslo"));

    let requests = model.requests().unwrap();
    assert_eq!(requests[0]["tools"][0]["type"], "function");
    let [read, refused, committed] = &told(&requests)[..] else { panic!("{requests:?}") };
    assert!(read.contains("Hotel in Denver"), "{read}");
    assert!(refused.starts_with("error count_mismatch"), "{refused}");
    assert!(committed.starts_with("committed"), "{committed}");
}

#[tokio::test]
async fn a_model_patches_files_as_it_has_learned_to() {
    let operation = json!({"type": "create_file", "path": "trip.md", "diff": "+- Hotel in Oslo\n"});
    let call = json!({"type": "apply_patch_call", "id": "apc_1", "call_id": "call_1", "status": "completed", "operation": operation});
    let model = Model::start(vec![call, turns().pop().unwrap()]).unwrap();
    let config = OpenAIConfig::new().with_api_base(&model.url).with_api_key("none is needed");
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::files()).unwrap());
    let client = Client::with_config(config);
    memdoc_async_openai::converse(&client, "scripted", &mut toolbox, "My hotel is in Oslo.").await.unwrap();
    assert_eq!(toolbox.memory().read(&"trip".parse().unwrap()).unwrap().text(), "- Hotel in Oslo");
    let requests = model.requests().unwrap();
    let answer = requests[1]["input"].as_array().unwrap().last().unwrap();
    assert_eq!((&answer["type"], &answer["status"]), (&json!("apply_patch_call_output"), &json!("completed")));
}
