//! [`Session`]: what one client asks, answered by a toolbox of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memdoc::memory::{Actor, StoreError};
use memdoc::{
    DocName, Memory, Policy, Reply, Store, ToolSet, Toolbox, document::InvalidSetting, toolbox::ToolDefinition,
};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, Prompt, PromptMessage, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Role, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use crate::guidance;
use crate::resources;
use crate::subscribers::{Subscribers, Watched};
use crate::tools;
use crate::watch::{Changes, Watch};

/// How often a session with subscriptions looks for what others have changed.
const PERIOD: Duration = Duration::from_secs(1);

/// A memory, and what of it is served to every client.
#[derive(Clone)]
pub struct Host {
    store: Arc<dyn Store>,
    memory: Arc<Memory>,
    sets: Vec<ToolSet>,
    actor: Actor,
}

impl Host {
    /// Serves the memory in `store`.
    ///
    /// # Errors
    ///
    /// A value of the policy is out of its range.
    pub fn new(store: Arc<dyn Store>, policy: Policy, sets: Vec<ToolSet>) -> Result<Self, InvalidSetting> {
        let memory = Arc::new(Memory::new(store.clone(), policy)?);
        Ok(Self { store, memory, sets, actor: Actor::default() })
    }

    /// Records the edits of all sessions in this name.
    #[must_use]
    pub fn with_actor(self, actor: Actor) -> Self {
        Self { actor, ..self }
    }

    /// Returns the memory.
    pub const fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Begins the session of a client, whose agent has been shown nothing yet.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn session(&self) -> Result<Session, StoreError> {
        let first = self.sets.first().copied().unwrap_or(ToolSet::Standard);
        let toolbox = Toolbox::new(self.memory.clone()).with_actor(self.actor.clone()).with_tools(first);
        let toolbox = self.sets.iter().fold(toolbox, |toolbox, set| toolbox.and_tools(*set));
        let tools = toolbox.tools().into();
        let watch = Watch::begin(self.store.clone())?;
        let guidance = toolbox.guidance().into();
        let desk = Arc::new(Mutex::new(Desk { toolbox, watch }));
        Ok(Session { desk, tools, guidance, subscribers: Arc::default() })
    }
}

/// The server's side of one connection. A clone is the same session.
#[derive(Clone)]
pub struct Session {
    desk: Arc<Mutex<Desk>>,
    tools: Arc<[&'static ToolDefinition]>,
    guidance: Arc<str>,
    subscribers: Arc<Subscribers>,
}

/// What one request at a time works on.
struct Desk {
    toolbox: Toolbox,
    watch: Watch,
}

impl Desk {
    /// Calls a tool, and looks what has changed: by this call, or by others since the last one.
    fn call(&mut self, name: &str, arguments: &Value) -> (Reply, Changes) {
        let start = Instant::now();
        let reply = self.toolbox.call(name, arguments);
        let (status, code) = (reply.status().as_str(), reply.code().map(memdoc::Code::as_str));
        tracing::info!(tool = name, status, code, milliseconds = start.elapsed().as_millis(), "call");
        (reply, self.look())
    }

    fn look(&mut self) -> Changes {
        self.watch.look().unwrap_or_else(|error| {
            tracing::warn!(%error, "could not look for changes");
            Changes::default()
        })
    }
}

impl Session {
    /// Works at the desk when it is free, on a thread that may wait for files. What is begun is done, whoever still waits.
    async fn at_desk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Desk) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let mut desk = self.desk.clone().lock_owned().await;
        let done = tokio::task::spawn_blocking(move || work(&mut desk)).await;
        done.map_err(|_| ErrorData::internal_error("the request was not carried out to its end", None))
    }

    async fn tell(&self, changes: &Changes, context: &RequestContext<RoleServer>) {
        if context.protocol_version().as_ref().is_none_or(ProtocolVersion::has_initialize) {
            self.subscribers.tell_peer(&context.peer, changes).await;
        } else {
            self.subscribers.tell_streams(changes).await;
        }
    }

    /// Tells a client of what others change between its calls, as long as it is subscribed to anything.
    async fn keep_telling(self, peer: Peer<RoleServer>) {
        loop {
            sleep(PERIOD).await;
            if peer.is_transport_closed() || !self.subscribers.end_watch_unless_needed() {
                return;
            }
            if let Ok(changes) = self.at_desk(Desk::look).await {
                self.subscribers.tell_peer(&peer, &changes).await;
            }
        }
    }

    fn unknown_tool(&self) -> ErrorData {
        let names: Vec<_> = self.tools.iter().map(|tool| format!("`{}`", tool.name)).collect();
        ErrorData::invalid_params(format!("unknown tool; there are {}", names.join(", ")), None)
    }
}

impl ServerHandler for Session {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .build();
        let implementation = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
            .with_title("Memory")
            .with_description(env!("CARGO_PKG_DESCRIPTION"));
        ServerConfig::new(capabilities).with_server_info(implementation).with_instructions(&*self.guidance)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<_>, _> = self.tools.iter().map(|tool| tools::tool(tool)).collect();
        Ok(ListToolsResult::with_all_items(tools?))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tools.iter().find(|tool| tool.name == request.name);
        let name = tool.ok_or_else(|| self.unknown_tool())?.name;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let (reply, changes) = self.at_desk(move |desk| desk.call(name, &arguments)).await?;
        self.tell(&changes, &context).await;
        Ok(tools::result(&reply).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let documents = self.at_desk(|desk| desk.toolbox.memory().documents()).await?;
        let documents: Vec<DocName> = documents.map_err(|error| resources::unreadable(&error))?;
        Ok(ListResourcesResult::with_all_items(documents.iter().map(resources::resource).collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let document = resources::document(&request.uri)?;
        let name = document.clone();
        let shown = self.at_desk(move |desk| desk.toolbox.show(&name)).await?;
        let shown = shown.map_err(|error| resources::unreadable(&error))?;
        Ok(ReadResourceResult::new(vec![resources::contents(&document, shown.text.into())]).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let document = resources::document(&request.uri)?;
        if self.subscribers.subscribe(resources::uri(&document)) == Watched::NotYet {
            tokio::spawn(self.clone().keep_telling(context.peer));
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribers.unsubscribe(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.subscribers.open(context.sink().clone());
        while timeout(PERIOD, context.cancelled()).await.is_err() {
            let changes = self.at_desk(Desk::look).await?;
            self.subscribers.tell_streams(&changes).await;
        }
        self.subscribers.close(context.sink());
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = Prompt::new(guidance::NAME, Some(guidance::DESCRIPTION), None);
        Ok(ListPromptsResult::with_all_items(vec![prompt]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != guidance::NAME {
            return Err(ErrorData::invalid_params(format!("unknown prompt; there is `{}`", guidance::NAME), None));
        }
        let message = PromptMessage::new_text(Role::User, &*self.guidance);
        Ok(GetPromptResult::new(vec![message]).with_description(guidance::DESCRIPTION).into())
    }
}
