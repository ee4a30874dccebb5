//! What a tool is: one definition, from which its schema, its reading of arguments and its hints come.

use serde_json::Value;

use super::arguments::{self, ArgumentError, Arguments};
use super::reply::Reply;
use super::{Toolbox, apply, explain};
use crate::locate::{Fix, Rung};
use crate::memory::{Applied, DocName, Operation};
use crate::request::{Basis, Request, Rewrite};
use crate::text::RevisionPrefix;

/// A tool that a model may call.
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name that it is called by.
    pub name: &'static str,
    /// When to use it, for the model.
    pub description: &'static str,
    /// What it does, in two or three words, for people.
    pub title: &'static str,
    /// What it does to the memory.
    pub effect: Effect,
    /// The JSON Schema of its arguments.
    pub(super) schema: fn() -> Value,
    /// The JSON Schema of its replies.
    pub(super) output: fn() -> Value,
    /// Names of arguments that models use instead, each with the right one.
    pub(super) synonyms: &'static [(&'static str, &'static str)],
    /// Brings other shapes that models use into that of the schema.
    pub(super) prepare: Prepare,
    /// Carries out a call whose arguments have the tool's names and types.
    pub(super) action: Action,
    /// Words a fix as arguments of the tool; `None` for one that it has no argument for.
    pub(super) phrase: fn(&Fix) -> Option<String>,
}

impl std::fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolDefinition").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a tool does to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It reads, and changes nothing.
    Read,
    /// It edits documents; what stood there may be gone, and a call made twice may be made twice.
    Edit,
    /// It edits documents, and a call made twice changes nothing the second time.
    Settle,
}

impl Effect {
    /// Reports whether it leaves the memory as it is.
    pub const fn is_read_only(self) -> bool {
        matches!(self, Self::Read)
    }

    /// Reports whether what stood in the memory may be gone.
    pub const fn is_destructive(self) -> bool {
        matches!(self, Self::Edit | Self::Settle)
    }

    /// Reports whether a call that is made twice changes no more than one that is made once.
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Self::Read | Self::Settle)
    }
}

/// Changes arguments before they are read by the schema, and says how.
pub(super) type Prepare = fn(&mut Value) -> Result<Vec<Rung>, ArgumentError>;

/// How a tool is carried out.
pub(super) enum Action {
    /// It answers without editing.
    Read(fn(&mut Toolbox, &ToolDefinition, &Value) -> Result<Reply, Reply>),
    /// It asks for edits, which the toolbox makes, previews or stages.
    Edit {
        /// Reads the arguments.
        ask: fn(&ToolDefinition, &Value) -> Result<Vec<Asked>, Reply>,
        /// Adds to the reply what the tool tells beyond the receipt.
        tell: fn(Reply, &[Applied]) -> Reply,
    },
}

/// An edit of one document that a call asks for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) document: DocName,
    /// The revision that the call names as its base.
    pub(super) base: Option<RevisionPrefix>,
    pub(super) request: Requested,
}

/// What is asked for.
#[derive(Debug)]
pub(super) enum Requested {
    Edit(Box<dyn Request>),
    Compaction(Rewrite),
}

impl Asked {
    /// Returns what a memory is asked for.
    pub(super) fn operation<'a>(&'a self, basis: Basis<'a>) -> Operation<'a> {
        match &self.request {
            Requested::Edit(request) => Operation::edit(self.document.clone(), basis, &**request),
            Requested::Compaction(rewrite) => Operation::compact(self.document.clone(), basis, rewrite),
        }
    }

    /// Reports whether what others have changed since may have made another thing of the same words.
    pub(super) fn depends_on_places(&self) -> bool {
        match &self.request {
            Requested::Edit(request) => request.depends_on_places(),
            Requested::Compaction(rewrite) => rewrite.depends_on_places(),
        }
    }
}

impl ToolDefinition {
    /// Returns the JSON Schema of the arguments: a plain object, without references.
    pub fn input_schema(&self) -> Value {
        (self.schema)()
    }

    /// Returns the JSON Schema of the replies, refusals included.
    pub fn output_schema(&self) -> Value {
        (self.output)()
    }

    /// Returns the shape of a call, for a model that got it wrong: names, types, and which may be left out.
    pub fn shape(&self) -> String {
        arguments::shape(self.name, &self.input_schema())
    }

    /// Reports whether a call must name a section.
    pub(super) fn is_of_sections(&self) -> bool {
        ["section", "source"].into_iter().any(|name| arguments::required(&self.input_schema()).contains(&name))
    }

    pub(super) fn call(&self, toolbox: &mut Toolbox, arguments: &Value) -> Reply {
        match arguments::read(self, arguments) {
            Ok(Arguments { value, healed }) => {
                let reply = match self.action {
                    Action::Read(read) => read(toolbox, self, &value),
                    Action::Edit { ask, tell } => {
                        ask(self, &value).and_then(|asked| apply::apply(toolbox, self, &asked, &value, tell))
                    }
                };
                let reply = reply.unwrap_or_else(|refusal| refusal);
                healed.into_iter().fold(reply, Reply::with_healed)
            }
            Err(error) => explain::invalid_arguments(self, &error),
        }
    }
}
