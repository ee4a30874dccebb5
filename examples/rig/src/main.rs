//! Says something to an agent that remembers: `OPENAI_API_KEY=… cargo run --features rustls -- MODEL "My name is Ada."`

use std::error::Error;
use std::sync::{Arc, Mutex};

use memdoc::{FileStore, Memory, Policy, Toolbox};
use rig::prelude::*;
use rig::providers::openai::OpenAI;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(question)) = (arguments.next(), arguments.next()) else {
        return Err("expected a model and what to say to it".into());
    };
    let memory = Memory::new(FileStore::open("agent-memory")?, Policy::default().with_new_documents())?;
    let toolbox = Toolbox::new(memory);
    let guidance = toolbox.guidance();
    let agent = AgentBuilder::new(OpenAI::from_env()?.responses(model))
        .preamble(guidance)
        .default_max_turns(20)
        .dynamic_tools(memdoc_rig::tools(&Arc::new(Mutex::new(toolbox)))?)
        .build();
    println!("{}", agent.prompt(question).await?.output());
    Ok(())
}
