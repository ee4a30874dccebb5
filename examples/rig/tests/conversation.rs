//! A conversation with a scripted model.

#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../../async-openai/tests/scripted/mod.rs"]
mod scripted;

use std::sync::{Arc, Mutex};

use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
use rig::prelude::*;
use rig::providers::openai::OpenAIConfig;

use scripted::{Model as ScriptedModel, told, turns};

const MEMORY: &str = "## Home\n- Denver\n\n## Travel\n- Hotel in Denver\n";

#[tokio::test]
async fn an_agent_edits_its_memory_and_follows_a_refusal() {
    let model = ScriptedModel::start(turns()).unwrap();
    let mut config = OpenAIConfig::new("none is needed");
    config.base_url.clone_from(&model.url);
    let memory = Memory::new(InMemoryStore::new().with(DocName::memory(), MEMORY), Policy::default()).unwrap();
    let toolbox = Arc::new(Mutex::new(Toolbox::new(memory)));
    let agent = AgentBuilder::new(config.client().responses("scripted"))
        .default_max_turns(20)
        .dynamic_tools(memdoc_rig::tools(&toolbox).unwrap())
        .build();
    let said = agent.prompt("My hotel is in Oslo.").await.unwrap();
    assert_eq!(said.output(), "Noted: the hotel is in Oslo.");
    let now = toolbox.lock().unwrap().memory().read(&DocName::memory()).unwrap();
    assert_eq!(now.text(), MEMORY.replace("Hotel in Denver", "Hotel in Oslo"));

    let requests = model.requests().unwrap();
    let [read, refused, committed] = &told(&requests)[..] else { panic!("{requests:?}") };
    assert!(read.contains("Hotel in Denver"), "{read}");
    assert!(refused.contains("count_mismatch") && refused.contains("Travel"), "{refused}");
    assert!(committed.starts_with("committed"), "{committed}");
}
