//! The face for a model: tools with names, descriptions and typed arguments, and replies that it recovers from.
//!
//! Each tool is one file in `tools/` and one line in its list. A [`Toolbox`] belongs to one agent: it remembers what the agent
//! has been shown.

mod apply;
mod arguments;
mod definition;
mod dialect;
mod elsewhere;
mod explain;
mod guidance;
mod hints;
mod json;
mod observer;
mod output;
mod phrase;
mod repair;
mod repeat;
mod reply;
mod report;
mod schema;
mod sets;
mod shown;
mod stale;
mod tools;
#[cfg(feature = "tracing")]
mod tracing_observer;
mod written;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

pub use definition::{Effect, ToolDefinition};
pub use dialect::{Dialect, UnknownDialect};
pub use observer::{Committed, Event, Observer};
pub use reply::{Reply, ReplyFormat, Status};
pub use sets::{ToolSet, UnknownToolSet};
pub use shown::Shown;
#[cfg(feature = "tracing")]
pub use tracing_observer::TracingObserver;

use crate::document::TextView;
use crate::memory::{DocName, Memory, MemoryError};
use repeat::Refusals;
use shown::Sights;

/// The tools of one agent over a memory that it may share with others.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
/// use serde_json::json;
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n");
/// let mut toolbox = Toolbox::new(Arc::new(Memory::new(store, Policy::default())));
///
/// let arguments = json!({"old_string": "Denver", "new_string": "Austin"});
/// let refused = toolbox.call("replace_in_memory", &arguments);
/// assert_eq!(refused.code(), Some(Code::MissingRevision));
///
/// toolbox.call("memory_read", &json!({}));
/// let reply = toolbox.call("replace_in_memory", &arguments);
/// assert_eq!(reply.status(), Status::Committed);
/// ```
pub struct Toolbox {
    memory: Arc<Memory>,
    set: ToolSet,
    sights: HashMap<DocName, Sights>,
    refusals: Refusals,
    observer: Option<Box<dyn Observer>>,
}

impl Toolbox {
    /// Creates the toolbox of an agent that has been shown nothing yet, with all tools.
    pub fn new(memory: Arc<Memory>) -> Self {
        Self { memory, set: ToolSet::All, sights: HashMap::new(), refusals: Refusals::default(), observer: None }
    }

    /// Offers the tools of this set, and no others.
    #[must_use]
    pub fn with_tools(mut self, set: ToolSet) -> Self {
        self.set = set;
        self
    }

    /// Tells `observer` of every call.
    #[must_use]
    pub fn with_observer(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Returns the memory that the tools work on.
    pub const fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Returns the definitions of all tools.
    pub fn definitions() -> &'static [&'static ToolDefinition] {
        tools::ALL
    }

    /// Returns the definitions of the tools that are offered.
    pub const fn tools(&self) -> &'static [&'static ToolDefinition] {
        self.set.tools()
    }

    /// Returns a tool that is offered, to be described and called by itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{Dialect, InMemoryStore, Memory, Policy, Status, ToolSet, Toolbox};
    /// use serde_json::json;
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default());
    /// let mut toolbox = Toolbox::new(memory.into()).with_tools(ToolSet::Minimal);
    /// assert!(toolbox.tool("validate_memory").is_none());
    /// let mut read = toolbox.tool("memory_read").ok_or("not offered")?;
    /// assert_eq!(read.definition().to_json(Dialect::OpenAi)["strict"], true);
    /// assert_eq!(read.call(&json!({})).status(), Status::Ok);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn tool(&mut self, name: &str) -> Option<Tool<'_>> {
        let definition = self.tools().iter().copied().find(|tool| tool.name == name)?;
        Some(Tool { toolbox: self, definition })
    }

    /// Returns the policy of editing with the tools that are offered, for a system prompt.
    pub fn guidance(&self) -> String {
        self.set.guidance(self.memory.policy().index_base)
    }

    /// Calls a tool. Returns when the state is durable; an error is a reply too.
    pub fn call(&mut self, name: &str, arguments: &Value) -> Reply {
        let began = Instant::now();
        let reply = self.answer(name, arguments);
        self.finish(name, arguments, reply, began)
    }

    /// Calls a tool with arguments as the model wrote them.
    pub fn call_str(&mut self, name: &str, json: &str) -> Reply {
        // Some hosts send nothing for a call without arguments.
        let began = Instant::now();
        let json = if json.trim().is_empty() { "{}" } else { json };
        match json::read(json) {
            Ok((arguments, healed)) => {
                let reply = healed.into_iter().fold(self.answer(name, &arguments), Reply::with_healed);
                self.finish(name, &arguments, reply, began)
            }
            Err(error) => self.finish(name, &Value::from(json), explain::broken_json(&error), began),
        }
    }

    fn answer(&mut self, name: &str, arguments: &Value) -> Reply {
        match self.tools().iter().find(|tool| tool.name == name) {
            Some(tool) => tool.call(self, arguments),
            None => explain::unknown_tool(name, self.tools()),
        }
    }

    /// Words a refusal more firmly if the call is a repeat, and tells the observer.
    fn finish(&mut self, name: &str, arguments: &Value, reply: Reply, began: Instant) -> Reply {
        let reply = match self.refusals.count(name, arguments, &reply) {
            0 | 1 => reply,
            times => explain::repeated(reply, name, times),
        };
        if let Some(observer) = &self.observer {
            let tool = tools::ALL.iter().find(|tool| tool.name == name).map(|tool| tool.name);
            observer.observe(&Event::new(tool, &reply, began.elapsed()));
        }
        reply
    }

    /// Returns a document for a prompt that the host renders itself, and notes that the agent has been shown it.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
    pub fn show(&mut self, document: &DocName) -> Result<Shown, MemoryError> {
        let doc = self.memory.read(document)?;
        let shown = Shown { text: doc.render(doc.span(), TextView::Text), revision: doc.revision() };
        self.sights.entry(document.clone()).or_default().show(&doc);
        Ok(shown)
    }
}

/// One tool of a toolbox: its definition, and its calls.
#[derive(Debug)]
pub struct Tool<'a> {
    toolbox: &'a mut Toolbox,
    definition: &'static ToolDefinition,
}

impl Tool<'_> {
    /// Returns what it is.
    pub const fn definition(&self) -> &'static ToolDefinition {
        self.definition
    }

    /// Calls it. Returns when the state is durable; an error is a reply too.
    pub fn call(&mut self, arguments: &Value) -> Reply {
        self.toolbox.call(self.definition.name, arguments)
    }
}

impl std::fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Toolbox").field("memory", &self.memory).field("sights", &self.sights).finish_non_exhaustive()
    }
}
