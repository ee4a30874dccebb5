//! Says something to a model that remembers: `OPENAI_API_KEY=… cargo run --features rustls -- MODEL "My name is Ada."`
//!
//! `OPENAI_BASE_URL` names another provider that speaks the Responses API.

use std::error::Error;

use async_openai::Client;
use memdoc::{FileStore, Memory, Policy, Toolbox};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(question)) = (arguments.next(), arguments.next()) else {
        return Err("expected a model and what to say to it".into());
    };
    let memory = Memory::new(FileStore::open("agent-memory")?, Policy::default().with_new_documents())?;
    let mut toolbox = Toolbox::new(memory);
    println!("{}", memdoc_async_openai::converse(&Client::new(), &model, &mut toolbox, &question).await?);
    Ok(())
}
