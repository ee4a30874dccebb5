//! The tools of a memory for an agent of the framework `rig`.

use std::sync::{Arc, Mutex, PoisonError};

use memdoc::{Reply, Status, Toolbox};
use rig::message::{EmptyToolName, ToolName};
use rig::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::Value;

/// Returns the tools that a toolbox offers, for `AgentBuilder::dynamic_tools`. One toolbox belongs to one conversation.
pub fn tools(toolbox: &Arc<Mutex<Toolbox>>) -> Result<Vec<DynamicTool>, EmptyToolName> {
    let offered = toolbox.lock().unwrap_or_else(PoisonError::into_inner).tools().to_vec();
    let tool = |tool: &'static memdoc::toolbox::ToolDefinition| {
        let toolbox = Arc::clone(toolbox);
        let call = move |arguments: Value| {
            let toolbox = Arc::clone(&toolbox);
            // It reads and writes files.
            let work = tokio::task::spawn_blocking(move || {
                toolbox.lock().unwrap_or_else(PoisonError::into_inner).call(tool.name, &arguments)
            });
            Box::pin(async move { work.await.map_err(ToolExecutionError::from_error).and_then(|reply| answer(&reply)) })
                as _
        };
        Ok(DynamicTool::new(ToolName::new(tool.name)?, tool.description(), tool.input_schema().clone(), call))
    };
    offered.into_iter().map(tool).collect()
}

/// Returns a reply as the agent's framework wants it. A refusal teaches: the model is told all of it.
fn answer(reply: &Reply) -> Result<ToolOutput, ToolExecutionError> {
    let text = reply.to_string();
    match (reply.status(), reply.code()) {
        (Status::Error, Some(code)) => Err(ToolExecutionError::new(ToolErrorKind::Other, code.as_str())
            .with_code(code.as_str())
            .with_model_feedback(text)),
        _ => Ok(ToolOutput::text(text)),
    }
}
