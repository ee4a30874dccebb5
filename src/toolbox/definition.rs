//! What a tool is: one definition, from which its schema, its reading of arguments and its hints come.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Reply;
use super::answer::{Done, Edited, HINT, OfEdit, Refused, Tell, bounded};
use super::arguments::{self, ArgumentError, Input, Prepare, Synonyms};
use super::desk::Desk;
use crate::locate::Leniency;
use crate::memory::{Applied, DocName, MemoryError, Operation, RequestId};
use crate::request::{Basis, Refusal, Request, Rewrite};
use crate::text::RevisionPrefix;
use crate::toolbox::retry::Fields;

/// A tool that a model may call.
#[derive(derive_more::Debug)]
#[debug("ToolDefinition({name})")]
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
    /// What it takes.
    pub(super) input: Input,
    /// Carries out a call whose arguments have the tool's names and types.
    pub(super) action: Action,
    /// Where a fix goes in the arguments.
    pub(crate) fields: Fields,
    /// The type under which Anthropic's models know it, whose schema and description are the vendor's.
    pub(super) anthropic: Option<&'static str>,
}

/// What a tool does to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It reads, and changes nothing.
    Read,
    /// It stages changes or drops them, and writes nothing.
    Stage,
    /// It adds to the memory beside the documents, and changes nothing that is there.
    Record,
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

/// What is said of a tool, to models and to people.
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) effect: Effect,
    pub(super) description: &'static str,
    /// The other names that models use for its arguments.
    pub(super) synonyms: &'static [Synonyms],
    /// Where a fix goes in its arguments.
    pub(crate) fields: Fields,
}

/// The arguments of a tool that answers without editing.
pub(super) trait Reads: DeserializeOwned + JsonSchema {
    /// What it tells.
    type Told: Tell;

    /// Answers.
    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Self::Told>, CallError>;
}

/// The arguments of a tool that edits.
pub(super) trait Edits: DeserializeOwned + JsonSchema {
    /// What it tells.
    type Told: OfEdit;

    /// Asks for edits, which the toolbox makes, previews or stages.
    fn ask(self) -> Result<Vec<Asked>, CallError>;
}

/// A call whose arguments were read.
pub(super) struct Call<'a> {
    pub(super) tool: &'a ToolDefinition,
    /// The tools that the agent has.
    pub(super) offered: &'a [&'static ToolDefinition],
    /// All tools that there are.
    pub(super) all: &'a [&'static ToolDefinition],
    /// The arguments under the tool's own names.
    pub(super) arguments: Cow<'a, Value>,
    /// How they were read less exactly than written.
    pub(super) healed: Vec<Leniency>,
}

impl Call<'_> {
    /// Returns what tells the call from others, on whatever base: that is a part of a commit's ID by itself, however it was named.
    pub(super) fn request(&self) -> RequestId {
        RequestId::leaving_out(&["base_revision", "base_revisions", "document"], self.tool.name, &self.arguments)
    }

    /// Reports whether the agent has a tool.
    pub(super) fn offers(&self, name: &str) -> bool {
        self.offered.iter().any(|tool| tool.name == name)
    }
}

/// Why a call is refused, before it is worded.
#[derive(derive_more::From)]
pub(super) enum CallError {
    /// An argument does not fit.
    Argument(ArgumentError),
    /// What is asked for is refused before any document is looked at.
    Request(Box<Refusal>),
    /// The memory refuses.
    Memory(Box<MemoryError>),
    /// It is worded already.
    #[from]
    Refused(Box<Refused>),
}

impl CallError {
    /// Refuses a value that does not fit.
    pub(super) fn invalid(message: impl std::fmt::Display) -> Self {
        Self::Argument(ArgumentError::Value(message.to_string()))
    }
}

impl From<MemoryError> for CallError {
    fn from(error: MemoryError) -> Self {
        Self::Memory(Box::new(error))
    }
}

/// Reads arguments as the edits that they ask for.
pub(super) type Ask = fn(&Value) -> Result<Vec<Asked>, CallError>;

/// Carries out a call of a tool that answers in words of its own.
pub(super) type Own = fn(&mut Desk, &Call<'_>) -> Result<Reply, CallError>;

/// How a tool is carried out.
pub(super) enum Action {
    /// It answers without editing.
    Read(fn(&mut Desk, &Call<'_>) -> Result<Reply, CallError>),
    /// It asks for edits.
    Edit {
        /// Reads the arguments.
        ask: Ask,
        /// Replies to what was applied.
        tell: fn(Done<Edited>, &[Applied]) -> Reply,
    },
    /// It edits, and answers in words of its own. Where a call is only tried, it writes nothing.
    Own(Own),
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

impl Requested {
    pub(super) fn as_request(&self) -> &dyn Request {
        match self {
            Self::Edit(request) => &**request,
            Self::Compaction(rewrite) => rewrite,
        }
    }
}

impl Asked {
    /// Returns what a memory is asked for.
    pub(super) fn operation<'a>(&'a self, basis: Basis<'a>) -> Operation<'a> {
        match &self.request {
            Requested::Edit(request) => Operation::edit(self.document.clone(), basis, &**request),
            Requested::Compaction(rewrite) => Operation::compact(self.document.clone(), basis, rewrite),
        }
    }
}

impl ToolDefinition {
    /// Defines a tool that answers without editing.
    pub(super) const fn reading<T: Reads>(about: About) -> Self {
        let input = Input::of::<T>(about.name, about.synonyms);
        Self::new(about, input, Action::Read(read::<T>))
    }

    /// Defines a tool that edits.
    pub(super) const fn editing<T: Edits>(about: About) -> Self {
        let input = Input::of::<T>(about.name, about.synonyms);
        let action = Action::Edit { ask: ask::<T>, tell: tell::<T> };
        Self::new(about, input, action)
    }

    /// Defines a tool that edits, and answers in words of its own.
    pub(super) const fn answering<T: JsonSchema>(about: About, own: Own) -> Self {
        let input = Input::of::<T>(about.name, about.synonyms);
        Self::new(about, input, Action::Own(own))
    }

    const fn new(about: About, input: Input, action: Action) -> Self {
        let About { name, title, effect, description, fields, .. } = about;
        Self { name, description, title, effect, input, action, fields, anthropic: None }
    }

    /// Notes that Anthropic's models know the tool under a type of theirs.
    pub(super) const fn of_anthropic(mut self, kind: &'static str) -> Self {
        self.anthropic = Some(kind);
        self
    }

    /// Lets this bring other shapes that models use into that of the schema.
    pub(super) const fn preparing(mut self, prepare: Prepare) -> Self {
        self.input.prepare = Some(prepare);
        self
    }

    /// Returns the JSON Schema of the arguments: a plain object, without references.
    pub fn input_schema(&self) -> &Value {
        &self.input.schema
    }

    /// Returns the shape of a call, for a model that got it wrong: names, types, and which may be left out.
    pub fn shape(&self) -> String {
        arguments::shape(self.name, self.input_schema())
    }

    /// Says how it is called, within the bound of a hint.
    pub(crate) fn call_shape(&self) -> String {
        bounded(&format!("call {}", self.shape()), HINT)
    }

    /// Reports whether a call of this name is one of the tool: its own, or another that it is known by.
    pub fn is_called(&self, name: &str) -> bool {
        let others = match self.name {
            "memo_replace" => ["memory_notebook_replace"].as_slice(),
            "memo_replace_span" => &["memory_notebook_replace_span"],
            _ => &[],
        };
        self.name == name || others.contains(&name)
    }

    /// Reports whether it is one of those of editing sessions.
    pub(super) fn is_of_sessions(&self) -> bool {
        self.name.starts_with("memo_")
    }

    /// Returns true if a call can be tried without writing anything: it edits, reads or stages.
    pub(crate) const fn can_be_tried(&self) -> bool {
        matches!(self.action, Action::Edit { .. } | Action::Own(_))
            || matches!(self.effect, Effect::Read | Effect::Stage)
    }

    /// Returns true if a call may have one of these arguments.
    pub(crate) fn takes(&self, names: &[&str]) -> bool {
        let properties = self.input_schema().get("properties").and_then(Value::as_object);
        properties.is_some_and(|properties| names.iter().any(|name| properties.contains_key(*name)))
    }
}

fn read<T: Reads>(desk: &mut Desk, call: &Call<'_>) -> Result<Reply, CallError> {
    let done = parsed::<T>(&call.arguments)?.read(desk, call)?;
    Ok(done.with_healed(&call.healed).into_reply())
}

fn ask<T: Edits>(arguments: &Value) -> Result<Vec<Asked>, CallError> {
    parsed::<T>(arguments)?.ask()
}

fn tell<T: Edits>(done: Done<Edited>, applied: &[Applied]) -> Reply {
    done.map(|edited| T::Told::of(edited, applied)).into_reply()
}

pub(super) fn parsed<T: DeserializeOwned>(arguments: &Value) -> Result<T, CallError> {
    // Of an object: how it would be read from a list is not compiled for each tool.
    let members = arguments.as_object().ok_or_else(|| CallError::invalid("expected an object"))?;
    T::deserialize(members).map_err(CallError::invalid)
}
