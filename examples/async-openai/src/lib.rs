//! A model of OpenAI's Responses API that edits its memory, by the crate `async-openai`.

use std::error::Error;

use async_openai::Client;
use async_openai::config::Config;
use async_openai::types::responses::{CreateResponse, InputItem, InputParam, OutputItem, Tool};
use memdoc::{Dialect, Toolbox};
use serde_json::{Value, json};

/// How many answers one question may take.
const MOST_TURNS: usize = 20;

/// Asks a model, does what it wants with its memory, and returns what it says in the end.
///
/// A call of the toolbox reads and writes files. Where many conversations share a thread, make it by `spawn_blocking`.
pub async fn converse<C: Config>(
    client: &Client<C>,
    model: &str,
    toolbox: &mut Toolbox,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let mut input = vec![item(json!({"role": "user", "content": question}))?];
    for _ in 0..MOST_TURNS {
        let request = CreateResponse {
            model: Some(model.to_owned()),
            instructions: Some(toolbox.guidance()),
            tools: Some(tools(toolbox)?),
            input: InputParam::Items(input.clone()),
            ..CreateResponse::default()
        };
        let response = client.responses().create(request).await?;
        let mut answers = Vec::new();
        for output in &response.output {
            input.push(item(serde_json::to_value(output)?)?);
            answers.extend(answer(toolbox, output)?);
        }
        if answers.is_empty() {
            return Ok(response.output_text().unwrap_or_default());
        }
        input.extend(answers);
    }
    Err(format!("the model still had calls after {MOST_TURNS} answers").into())
}

/// Returns the tools of a memory, and the patches of files that the models of OpenAI have learned.
pub fn tools(toolbox: &Toolbox) -> Result<Vec<Tool>, serde_json::Error> {
    let own = toolbox.tools().iter().map(|tool| tool.to_json(Dialect::OpenAi));
    own.chain([json!({"type": "apply_patch"})]).map(serde_json::from_value).collect()
}

/// Does what a call wants, and returns the answer to it; `None` if it is no call.
pub fn answer(toolbox: &mut Toolbox, output: &OutputItem) -> Result<Option<InputItem>, serde_json::Error> {
    let answer = match output {
        OutputItem::FunctionCall(call) => {
            let reply = toolbox.call_str(&call.name, &call.arguments);
            json!({"type": "function_call_output", "call_id": call.call_id, "output": reply.to_string()})
        }
        OutputItem::ApplyPatchCall(_) => toolbox.apply_patch_call(&serde_json::to_value(output)?),
        _ => return Ok(None),
    };
    item(answer).map(Some)
}

fn item(value: Value) -> Result<InputItem, serde_json::Error> {
    serde_json::from_value(value)
}
