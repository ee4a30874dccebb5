//! A client of the SDK in the test's own process, at the other end of a pipe.

use std::sync::Arc;
use std::time::Duration;

use memdoc::{DocName, InMemoryStore, Policy, ToolSet, Toolbox};
use memdoc_mcp::Host;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientConfig, ProtocolVersion, ResourceUpdatedNotificationParam,
};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::Failure;

/// What the server has told without being asked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Told {
    List,
    Document(String),
}

pub(crate) struct Recorder(UnboundedSender<Told>);

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
pub(crate) struct Pair {
    pub(crate) host: Host,
    pub(crate) client: RunningService<RoleClient, Recorder>,
    pub(crate) told: UnboundedReceiver<Told>,
}

impl Pair {
    /// Connects a client to a memory of this text.
    pub(crate) async fn over(text: &str) -> Result<Self, Failure> {
        Self::with(InMemoryStore::new().with(DocName::memory(), text), ToolSet::All).await
    }

    pub(crate) async fn with(store: InMemoryStore, set: ToolSet) -> Result<Self, Failure> {
        let host = Host::new(Arc::new(store), Policy::default(), vec![set])?;
        let (server_end, client_end) = tokio::io::duplex(64 * 1024);
        let session = host.session()?;
        tokio::spawn(async move { session.serve(server_end).await?.waiting().await.map_err(Failure::from) });
        let (tell, told) = unbounded_channel();
        let client = Recorder(tell).serve(client_end).await?;
        Ok(Self { host, client, told })
    }

    /// Returns another editor of the same memory.
    pub(crate) fn other(&self) -> Toolbox {
        Toolbox::new(self.host.memory().clone())
    }

    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, Failure> {
        let arguments = arguments.as_object().cloned().ok_or("arguments are an object")?;
        Ok(self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await?)
    }

    /// Returns what the server tells next.
    pub(crate) async fn next_told(&mut self) -> Result<Told, Failure> {
        let next = tokio::time::timeout(Duration::from_secs(10), self.told.recv());
        next.await?.ok_or_else(|| "the client is gone".into())
    }
}

/// Returns a member of a reply.
pub(crate) fn member<'a>(result: &'a CallToolResult, name: &str) -> &'a Value {
    result.structured_content.as_ref().and_then(|reply| reply.get(name)).unwrap_or(&Value::Null)
}

/// Returns a reply's text.
pub(crate) fn text(result: &CallToolResult) -> &str {
    result.content.first().and_then(|block| block.as_text()).map_or("", |text| &text.text)
}
