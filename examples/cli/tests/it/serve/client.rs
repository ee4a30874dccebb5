//! A client of the SDK, of a server in a process of its own.

use std::process::Stdio;
use std::time::Duration;

use memdoc::{DocName, FileStore, Memory, Policy, Toolbox};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientConfig, ProtocolVersion, ResourceUpdatedNotificationParam,
};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use serde_json::Value;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::Failure;

/// What the server has told without being asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    List,
    Document(String),
}

pub(super) struct Recorder(UnboundedSender<Told>);

impl ClientHandler for Recorder {
    // Later versions have streams in the place of subscriptions.
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default().with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_resource_updated(&self, updated: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        let _ = self.0.send(Told::Document(updated.uri));
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        let _ = self.0.send(Told::List);
    }
}

/// A server and its client.
pub(super) struct Pair {
    pub(super) directory: tempfile::TempDir,
    pub(super) client: RunningService<RoleClient, Recorder>,
    pub(super) told: UnboundedReceiver<Told>,
    _child: Child,
}

impl Pair {
    /// Connects a client to a memory of this text, with all tools.
    pub(super) async fn over(text: &str) -> Result<Self, Failure> {
        Self::with(text, &["--set", "all"]).await
    }

    pub(super) async fn with(text: &str, options: &[&str]) -> Result<Self, Failure> {
        let directory = tempfile::tempdir()?;
        if !text.is_empty() {
            std::fs::write(directory.path().join("memory.md"), text)?;
        }
        let (child, output, input) = server(directory.path(), options)?;
        let (tell, told) = unbounded_channel();
        let client = Recorder(tell).serve((output, input)).await?;
        Ok(Self { directory, client, told, _child: child })
    }

    pub(super) fn memory(&self) -> Result<Memory, Failure> {
        Ok(Memory::new(FileStore::open(self.directory.path())?, Policy::default().with_new_documents())?)
    }

    /// Returns another editor of the same memory.
    pub(super) fn other(&self) -> Result<Toolbox, Failure> {
        Ok(Toolbox::new(self.memory()?))
    }

    pub(super) fn text(&self) -> Result<String, Failure> {
        Ok(self.memory()?.read(&DocName::memory())?.text().to_owned())
    }

    pub(super) async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, Failure> {
        let arguments = arguments.as_object().cloned().ok_or("arguments are an object")?;
        Ok(self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await?)
    }

    /// Returns what the server tells next.
    pub(super) async fn next_told(&mut self) -> Result<Told, Failure> {
        let next = tokio::time::timeout(Duration::from_secs(10), self.told.recv());
        next.await?.ok_or_else(|| "the client has left".into())
    }
}

/// Starts a server over a directory.
pub(super) fn server(
    directory: &std::path::Path,
    options: &[&str],
) -> Result<(Child, ChildStdout, ChildStdin), Failure> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memdoc"));
    command.env_remove("MEMDOC_DIRECTORY").env_remove("MEMDOC_DATABASE").env_remove("MEMDOC_ACTOR");
    command.arg("--directory").arg(directory).args(["--quiet", "serve"]).args(options);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let output = child.stdout.take().ok_or("no output")?;
    let input = child.stdin.take().ok_or("no input")?;
    Ok((child, output, input))
}

/// Returns a member of a reply.
pub(super) fn member<'a>(result: &'a CallToolResult, name: &str) -> &'a Value {
    result.structured_content.as_ref().and_then(|reply| reply.get(name)).unwrap_or(&Value::Null)
}

/// Returns a reply's text.
pub(super) fn text(result: &CallToolResult) -> &str {
    result.content.first().and_then(|block| block.as_text()).map_or("", |text| &text.text)
}
