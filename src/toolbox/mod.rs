//! The face for a model: tools with names, descriptions and typed arguments, and replies that a model can act on.
//!
//! A [`Toolbox`] belongs to one agent and remembers what that agent has been shown.

// A tool is a struct of its arguments in `tools/`, `editing/` or `files/`, and a line in the table of `tools/mod.rs`.

mod apply;
mod arguments;
mod context;
mod definition;
mod desk;
mod dialect;
mod editing;
mod files;
mod json;
mod keywords;
mod known;
mod observer;
mod refusal;
mod render;
mod reply;
mod resent;
mod retry;
mod sets;
mod tools;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use context::{Context, Mode, optional, parsed};
use definition::{Answer, Asked, Call, NamedText, Tool};
use desk::Desk;
use refusal::{Refused, bounded, failure, memory_error};
use retry::{Nested, Remedy, ToolCall};
use serde_json::Value;

use crate::document::{InvalidSetting, TextView};
use crate::edit::Receipt;
use crate::memory::{Actor, DocName, Memory, MemoryError};
use crate::recall::{Prompt, Recall, Rendered};
use crate::session::{ChatMessage, CompressedHistory, HistoryCompressor, SessionConfig};

pub use definition::{Effect, ToolDefinition};
pub use dialect::Dialect;
pub use files::{FilesConfig, Overwrite};
pub use known::Shown;
#[cfg(feature = "tracing")]
pub use observer::TracingObserver;
pub use observer::{Event, Observer};
pub use reply::{Reply, Status};
pub use sets::ToolSet;

/// The tools of one agent. Several agents may share a memory: each has a toolbox of its own.
///
/// # Examples
///
/// ```
/// use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
/// use serde_json::json;
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n");
/// let mut toolbox = Toolbox::new(Memory::new(store, Policy::default())?);
///
/// let arguments = json!({"old_string": "Denver", "new_string": "Austin"});
/// let refused = toolbox.call("replace_in_memory", &arguments);
/// assert_eq!(refused.code(), Some(Code::MissingRevision));
///
/// toolbox.call("memory_read", &json!({}));
/// let reply = toolbox.call("replace_in_memory", &arguments);
/// assert_eq!(reply.status(), Status::Committed);
/// # Ok::<(), memdoc::document::InvalidSetting>(())
/// ```
#[must_use]
pub struct Toolbox {
    desk: Desk,
    // Invariant: in the order of the table, each once.
    offered: Vec<&'static ToolDefinition>,
    observer: Option<Box<dyn Observer>>,
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolbox").finish_non_exhaustive()
    }
}

impl Toolbox {
    /// Creates a toolbox with all tools, for an agent that has been shown nothing yet.
    pub fn new(memory: impl Into<Arc<Memory>>) -> Self {
        Self::over(Recall::new(memory))
    }

    /// Creates a toolbox over a [`Recall`], which may have weights and a ranker of the host's. Wrapped in an
    /// [`Arc`], several toolboxes can share it and its index.
    pub fn over(recall: impl Into<Arc<Recall>>) -> Self {
        let offered = ToolSet::All.tools().to_vec();
        Self { desk: Desk::new(recall.into()), offered, observer: None }
    }

    /// Sets the author of the agent's edits in the journal: the agent, or the person that it works for.
    pub fn with_actor(mut self, actor: Actor) -> Self {
        self.desk.origin.actor = actor;
        self
    }

    /// Sets the source of the agent's edits from now on, such as the ID of a conversation or a file. The journal
    /// records it, and a [`WritePolicy`](crate::memory::WritePolicy) sees it. No argument of a tool can set it.
    pub fn set_source(&mut self, source: Option<&str>) {
        self.desk.origin.source = source.map(Into::into);
    }

    /// Sets the limits of editing sessions and tasks.
    ///
    /// # Errors
    ///
    /// A value is out of its range.
    pub fn with_sessions(mut self, config: SessionConfig) -> Result<Self, InvalidSetting> {
        config.check()?;
        self.desk.editing.config = config;
        Ok(self)
    }

    /// Offers the tools of this set, and no others.
    pub fn with_tools(mut self, set: ToolSet) -> Self {
        self.offered = set.tools().to_vec();
        self
    }

    /// Offers the tool set [`ToolSet::Files`], with these options.
    pub fn with_files(mut self, config: FilesConfig) -> Self {
        let tools =
            tools::ALL.iter().filter(|tool| tool.name == "memory" || (config.undo && tool.name == "memory_undo"));
        self.offered = tools.copied().collect();
        self.desk.files = config;
        self
    }

    /// Offers the tools of this set in addition.
    pub fn and_tools(mut self, set: ToolSet) -> Self {
        let is_offered = |tool: &&&'static ToolDefinition| {
            self.offered.iter().chain(set.tools()).any(|offered| offered.name == tool.name)
        };
        self.offered = tools::ALL.iter().filter(is_offered).copied().collect();
        self
    }

    /// Reports every call to `observer`.
    pub fn with_observer(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Returns the memory that the tools work on.
    pub fn memory(&self) -> &Arc<Memory> {
        self.desk.memory()
    }

    /// Returns the definitions of the tools of [`ToolSet::All`]. For a request to a model, use [`tools`](Self::tools), which has
    /// only those that are offered.
    pub fn definitions() -> &'static [&'static ToolDefinition] {
        ToolSet::All.tools()
    }

    /// Returns the definitions of the tools that are offered.
    pub fn tools(&self) -> &[&'static ToolDefinition] {
        &self.offered
    }

    /// Returns an offered tool as an object that can be described and called.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{Dialect, InMemoryStore, Memory, Policy, Status, ToolSet, Toolbox};
    /// use serde_json::json;
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let mut toolbox = Toolbox::new(memory).with_tools(ToolSet::Minimal);
    /// assert!(toolbox.tool("validate_memory").is_none());
    /// let mut read = toolbox.tool("memory_read").ok_or("not offered")?;
    /// assert_eq!(read.definition().to_json(Dialect::OpenAi)["strict"], true);
    /// assert_eq!(read.call(&json!({})).status(), Status::Ok);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tool(&mut self, name: &str) -> Option<OfferedTool<'_>> {
        let definition = self.tools().iter().copied().find(|tool| tool.is_called(name))?;
        Some(OfferedTool { toolbox: self, definition })
    }

    /// Returns instructions for the system prompt: which of the offered tools to use when, and what to do about a
    /// refusal. For the memory itself, see [`prompt`](Self::prompt).
    pub fn guidance(&self) -> String {
        sets::guidance(&self.offered, self.desk.memory().policy().index_base)
    }

    /// Calls a tool. Returns when the state is durable; an error is a reply too.
    pub fn call(&mut self, name: &str, arguments: &Value) -> Reply {
        self.observed(name, |desk, offered| context::call(desk, offered, name, arguments))
    }

    /// Calls a tool as [`call`](Self::call) does, and keeps the host's chat short. The last message of the chat is
    /// the one that makes the call. If the call ends an editing session or a task, one summary replaces the calls
    /// and results that led to it. The reply to a commit then has `history_delta`: the number of messages and
    /// tokens saved.
    ///
    /// Pass the same chat each time, and only append to it.
    pub fn call_in<M: ChatMessage>(&mut self, chat: &mut Vec<M>, name: &str, arguments: &Value) -> Reply {
        (self.desk.editing.ending, self.desk.editing.at) = (None, Some(chat.len().saturating_sub(1)));
        let reply = self.call(name, arguments);
        self.desk.editing.at = None;
        let Some(ending) = self.desk.editing.ending.take() else { return reply };
        let counter = |text: &str| self.desk.memory().tokens(text);
        let compressor = HistoryCompressor::new(self.desk.editing.config.history.clone(), counter);
        let length = chat.len();
        let compressed = compressor.compress(std::mem::take(chat), ending.began..length, &ending.finished);
        let CompressedHistory { messages, messages_removed, tokens_saved, .. } = compressed;
        *chat = messages;
        if messages_removed == 0 || reply.get("applied_changes").is_none() {
            return reply;
        }
        let delta = serde_json::json!({"messages_removed": messages_removed, "tokens_saved": tokens_saved});
        reply.with_member("history_delta", delta)
    }

    /// Calls a tool with arguments as the model wrote them.
    pub fn call_str(&mut self, name: &str, json: &str) -> Reply {
        // Some hosts send nothing for a call without arguments.
        let json = if json.trim().is_empty() { "{}" } else { json };
        self.observed(name, |desk, offered| {
            let (arguments, mended) = json::read(json).map_err(|error| refusal::broken_json(&error))?;
            Ok(context::call(desk, offered, name, &arguments)?.with_healed(&mended))
        })
    }

    /// Answers a call and reports it to the observer.
    fn observed(&mut self, name: &str, answer: impl FnOnce(&mut Desk, &[&'static ToolDefinition]) -> Answer) -> Reply {
        let began = Instant::now();
        let reply = answer(&mut self.desk, &self.offered).unwrap_or_else(|refused| refused.reply());
        if let Some(observer) = &self.observer {
            let tool = tools::ALL.iter().find(|tool| tool.is_called(name)).map(|tool| tool.name);
            let receipt = reply.receipt().map(Receipt::without_messages);
            observer.observe(&Event::new(tool, &reply, receipt.as_ref(), began.elapsed()));
        }
        reply
    }

    /// Renders the memory as a prompt of at most `budget` tokens, as [`Prompt::render`] does. The documents in it
    /// count as shown to the agent, which may then edit them. `message` is the user's message: entries that share a
    /// word with it are recalled.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
    pub fn prompt(&mut self, prompt: &Prompt, budget: usize, message: Option<&str>) -> Result<Rendered, MemoryError> {
        let rendered = prompt.render(&self.desk.recall, budget, message)?;
        for (name, doc) in &rendered.documents {
            self.desk.known.show(name, doc);
        }
        Ok(rendered)
    }

    /// Renders the open tasks and the tree of all tasks for a prompt; `None` if there are none, or if
    /// `show_tree_in_prompt` is off.
    pub fn task_prompt(&self) -> Option<String> {
        self.desk.editing.task_text().filter(|_| self.desk.editing.config.tasks.show_tree_in_prompt)
    }

    /// Returns a whole document, for a prompt that the host renders itself. It counts as shown to the agent, which
    /// may then edit it.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
    pub fn show(&mut self, document: &DocName) -> Result<Shown, MemoryError> {
        let doc = self.desk.memory().read(document)?;
        let shown = Shown { text: doc.render(doc.span(), TextView::Text).into(), revision: doc.revision() };
        self.desk.known.show(document, &doc);
        Ok(shown)
    }
}

/// An offered tool of a toolbox.
pub struct OfferedTool<'a> {
    toolbox: &'a mut Toolbox,
    definition: &'static ToolDefinition,
}

impl OfferedTool<'_> {
    /// Returns its definition.
    pub const fn definition(&self) -> &'static ToolDefinition {
        self.definition
    }

    /// Calls it. Returns when the state is durable; an error is a reply too.
    pub fn call(&mut self, arguments: &Value) -> Reply {
        self.toolbox.call(self.definition.name, arguments)
    }
}
