//! [`Host`]: the memory that is served, and what each caller was shown of it.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use memdoc::memory::Actor;
use memdoc::toolbox::ToolDefinition;
use memdoc::{Memory, Store, ToolSet, Toolbox};
use rmcp::model::CallToolResult;
use serde_json::Value;

use super::subscribers::{Changes, Subscribers, Watch};
use super::tools;

/// How long is remembered what a caller was shown.
const MEMORY: Duration = Duration::from_secs(24 * 60 * 60);
/// The most callers that are remembered.
const MOST_CALLERS: usize = 1000;

/// Who makes a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    /// In whose name edits are recorded.
    pub(super) actor: Actor,
    /// The session of the protocol, if there is one.
    pub(super) session: Option<String>,
}

/// Whether calls are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Log {
    Calls,
    Nothing,
}

/// A memory, and what of it is served to every caller.
pub(super) struct Host {
    store: Arc<dyn Store>,
    memory: Arc<Memory>,
    sets: Vec<ToolSet>,
    /// In whose name edits are recorded, where no token says it.
    pub(super) actor: Actor,
    log: Log,
    pub(super) tools: Vec<&'static ToolDefinition>,
    pub(super) guidance: String,
    seats: Mutex<HashMap<Caller, Seat>>,
}

/// What is kept of a caller. A clone is the same.
#[derive(Clone)]
pub(super) struct Seat {
    pub(super) desk: Arc<tokio::sync::Mutex<Desk>>,
    pub(super) subscribers: Arc<Subscribers>,
    used: Instant,
}

/// What one request of a caller at a time works on.
pub(super) struct Desk {
    pub(super) toolbox: Toolbox,
    watch: Watch,
    actor: Actor,
    log: Log,
}

impl Host {
    pub(super) fn new(store: Arc<dyn Store>, memory: Memory, sets: Vec<ToolSet>, actor: Actor, log: Log) -> Self {
        let memory = Arc::new(memory);
        let toolbox = toolbox(&memory, &sets);
        let (tools, guidance) = (toolbox.tools().to_vec(), toolbox.guidance());
        Self { store, memory, sets, actor, log, tools, guidance, seats: Mutex::default() }
    }

    /// Returns what is kept of a caller; of one that is new, that it was shown nothing.
    pub(super) fn seat(&self, caller: Caller) -> Seat {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|_, seat| seat.used.elapsed() < MEMORY);
        if seats.len() >= MOST_CALLERS && !seats.contains_key(&caller) {
            let oldest = seats.iter().min_by_key(|(_, seat)| seat.used).map(|(caller, _)| caller.clone());
            oldest.and_then(|oldest| seats.remove(&oldest));
        }
        let actor = caller.actor.clone();
        let seat = seats.entry(caller).or_insert_with(|| Seat {
            desk: Arc::new(tokio::sync::Mutex::new(Desk {
                toolbox: toolbox(&self.memory, &self.sets).with_actor(actor.clone()),
                watch: Watch::new(self.store.clone()),
                actor,
                log: self.log,
            })),
            subscribers: Arc::default(),
            used: Instant::now(),
        });
        seat.used = Instant::now();
        seat.clone()
    }
}

fn toolbox(memory: &Arc<Memory>, sets: &[ToolSet]) -> Toolbox {
    let first = sets.first().copied().unwrap_or(ToolSet::Standard);
    let toolbox = Toolbox::new(memory.clone()).with_tools(first);
    sets.iter().fold(toolbox, |toolbox, set| toolbox.and_tools(*set))
}

impl Desk {
    /// Calls a tool, and looks what has changed: by this call, or by others since the last one.
    pub(super) fn call(&mut self, name: &str, arguments: &Value) -> (CallToolResult, Changes) {
        let start = Instant::now();
        self.watch.begin();
        let (reply, page) = match tools::page(&self.toolbox, name, arguments) {
            tools::Reading::Whole => (self.toolbox.call(name, arguments), None),
            tools::Reading::Part { arguments, note } => (self.toolbox.call(name, &arguments), Some(note)),
            tools::Reading::Refused(message) => {
                self.note(name, "error", start);
                return (tools::refusal(message), Changes::default());
            }
        };
        self.note(name, reply.status().as_str(), start);
        (tools::result(&reply, page.as_deref()), self.look())
    }

    /// Begins to look for changes.
    pub(super) fn begin(&mut self) {
        self.watch.begin();
    }

    /// Returns what has changed since the last look.
    pub(super) fn look(&mut self) -> Changes {
        self.watch.look().unwrap_or_default()
    }

    /// Logs a call, and nothing of its content.
    fn note(&self, tool: &str, status: &str, start: Instant) {
        if self.log == Log::Calls {
            let (actor, milliseconds) = (memdoc::text::visible(self.actor.as_str()), start.elapsed().as_millis());
            let _ = writeln!(
                io::stderr(),
                "call tool=\"{tool}\" status=\"{status}\" actor=\"{actor}\" milliseconds={milliseconds}"
            );
        }
    }
}
