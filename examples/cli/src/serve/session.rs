//! [`Session`]: what a client asks, answered at the desk of who asks.

use std::sync::Arc;
use std::time::Duration;

use memdoc::DocName;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Extensions, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, Prompt, PromptMessage, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Role, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    UnsubscribeRequestParams,
};
use rmcp::service::{Peer, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::desk::{Caller, Desk, Host, Seat};
use super::resources;
use super::subscribers::{Changes, Watched};
use super::tools::{self, LARGEST_PAGE};

/// How often is looked for what others have changed, on behalf of who has subscribed to it.
const PERIOD: Duration = Duration::from_secs(1);
/// The name of the prompt that gives a model the policy of editing.
const PROMPT: &str = "memory-guidance";
/// What the prompt is for, to people who choose one.
const PROMPT_DESCRIPTION: &str =
    "How to read and edit the long-term memory: which tool when, and what to do about a refusal";
/// The header that names the session of the protocol.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";

/// The server's side of a connection, or of one request.
#[derive(Clone)]
pub(super) struct Session {
    host: Arc<Host>,
}

impl Session {
    pub(super) const fn new(host: Arc<Host>) -> Self {
        Self { host }
    }

    /// Returns what is kept of who makes a request: of HTTP the bearer of a token, in a session; else the only client.
    fn seat(&self, extensions: &Extensions) -> Seat {
        let parts = extensions.get::<http::request::Parts>();
        let actor = parts.and_then(|parts| parts.extensions.get::<memdoc::memory::Actor>());
        let session = parts.and_then(|parts| parts.headers.get(SESSION_HEADER)?.to_str().ok());
        let actor = actor.unwrap_or(&self.host.actor).clone();
        self.host.seat(Caller { actor, session: session.map(ToOwned::to_owned) })
    }

    async fn tell(&self, seat: &Seat, changes: &Changes, context: &RequestContext<RoleServer>) {
        if context.protocol_version().as_ref().is_none_or(ProtocolVersion::has_initialize) {
            seat.subscribers.tell_peer(&context.peer, changes).await;
        } else {
            seat.subscribers.tell_streams(changes).await;
        }
    }

    fn unknown_tool(&self) -> ErrorData {
        let names: Vec<_> = self.host.tools.iter().map(|tool| format!("`{}`", tool.name)).collect();
        ErrorData::invalid_params(format!("unknown tool; there are {}", names.join(", ")), None)
    }
}

/// Works at a desk when it is free, on a thread that may wait for files. What is begun is done, whoever still waits.
async fn at_desk<T: Send + 'static>(
    seat: &Seat,
    work: impl FnOnce(&mut Desk) -> T + Send + 'static,
) -> Result<T, ErrorData> {
    let mut desk = seat.desk.clone().lock_owned().await;
    let done = tokio::task::spawn_blocking(move || work(&mut desk)).await;
    done.map_err(|_| ErrorData::internal_error("the request was not carried out to its end", None))
}

/// Tells a client of what others change between its calls, as long as it is subscribed to anything.
async fn keep_telling(seat: Seat, peer: Peer<RoleServer>) {
    loop {
        sleep(PERIOD).await;
        if peer.is_transport_closed() || !seat.subscribers.end_watch_unless_needed() {
            return;
        }
        if let Ok(changes) = at_desk(&seat, Desk::look).await {
            seat.subscribers.tell_peer(&peer, &changes).await;
        }
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
        let implementation = Implementation::new("memdoc", env!("CARGO_PKG_VERSION"))
            .with_title("Memory")
            .with_description(env!("CARGO_PKG_DESCRIPTION"));
        ServerConfig::new(capabilities).with_server_info(implementation).with_instructions(&*self.host.guidance)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Result<Vec<_>, _> = self.host.tools.iter().map(|tool| tools::tool(tool)).collect();
        Ok(ListToolsResult::with_all_items(tools?))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.host.tools.iter().find(|tool| tool.name == request.name);
        let name = tool.ok_or_else(|| self.unknown_tool())?.name;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let seat = self.seat(&context.extensions);
        let (result, changes) = at_desk(&seat, move |desk| desk.call(name, &arguments)).await?;
        self.tell(&seat, &changes, &context).await;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let seat = self.seat(&context.extensions);
        let documents = at_desk(&seat, |desk| desk.toolbox.memory().documents()).await?;
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
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let document = resources::document(&request.uri)?;
        let name = document.clone();
        let read = move |desk: &mut Desk| {
            let length = desk.toolbox.memory().read(&name)?.text().len();
            if length > LARGEST_PAGE { Ok(None) } else { desk.toolbox.show(&name).map(Some) }
        };
        let shown = at_desk(&self.seat(&context.extensions), read).await?;
        let shown = shown.map_err(|error| resources::unreadable(&error))?;
        let shown = shown.ok_or_else(|| resources::too_large(&document))?;
        Ok(ReadResourceResult::new(vec![resources::contents(&document, shown.text.to_string())]).into())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let document = resources::document(&request.uri)?;
        let seat = self.seat(&context.extensions);
        if seat.subscribers.subscribe(resources::uri(&document)) == Watched::NotYet {
            at_desk(&seat, Desk::begin).await?;
            tokio::spawn(keep_telling(seat, context.peer));
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let document = resources::document(&request.uri)?;
        self.seat(&context.extensions).subscribers.unsubscribe(&resources::uri(&document));
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let seat = self.seat(&context.request_context().extensions);
        // Before anything is waited for: the client may call a tool at once, and is told by this stream of what the call changes.
        let stream = seat.subscribers.open(context.sink().clone());
        let told = async {
            at_desk(&seat, Desk::begin).await?;
            while timeout(PERIOD, context.cancelled()).await.is_err() {
                let changes = at_desk(&seat, Desk::look).await?;
                seat.subscribers.tell_streams(&changes).await;
            }
            Ok(())
        };
        let told = told.await;
        seat.subscribers.close(stream);
        told
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = Prompt::new(PROMPT, Some(PROMPT_DESCRIPTION), None);
        Ok(ListPromptsResult::with_all_items(vec![prompt]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != PROMPT {
            return Err(ErrorData::invalid_params(format!("unknown prompt; there is `{PROMPT}`"), None));
        }
        let message = PromptMessage::new_text(Role::User, &*self.host.guidance);
        Ok(GetPromptResult::new(vec![message]).with_description(PROMPT_DESCRIPTION).into())
    }
}
