//! What a tool is: a struct of its arguments with one `run`, and the definition that is made of it.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::locate::Leniency;
use crate::memory::{DocName, Operation, RequestId};
use crate::request::{Basis, Request, Rewrite};
use crate::text::RevisionPrefix;
use crate::toolbox::Reply;
use crate::toolbox::arguments;
use crate::toolbox::context::Context;
use crate::toolbox::refused::{HINT, Refused, bounded};
use crate::toolbox::retry::Fields;
use crate::toolbox::schema::Input;

/// A tool that a model may call.
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name that it is called by.
    pub name: &'static str,
    /// What it does, in two or three words, for people.
    pub title: &'static str,
    /// What it does to the memory.
    pub effect: Effect,
    /// Whether a call can be previewed and staged.
    pub(crate) kind: Kind,
    /// What it takes.
    pub(crate) input: Input,
    /// Where a fix goes in the arguments.
    pub(crate) fields: Fields,
    /// The type under which Anthropic's models know it, whose schema and description are the vendor's.
    pub(crate) anthropic: Option<&'static str>,
    run: fn(&Value, &mut Context<'_>) -> Answer,
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

/// How a tool works, by which it has arguments that others have, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It answers, or writes in a way of its own.
    Plain,
    /// It writes in a way of its own; where a call is only tried, it writes nothing.
    Trial,
    /// It reads one document, and takes `document`.
    Reader,
    /// It stages an edit of one document in a session, and takes `document`.
    Stager,
    /// It edits through [`Context::edit`]: a call can be previewed and staged, and takes `document` and `base_revision`.
    Editor,
}

/// A tool: the struct of its arguments, whose documentation is the description that models read.
pub(crate) trait Tool: DeserializeOwned + JsonSchema {
    /// Where a fix goes in the arguments.
    const FIELDS: Fields = &[];

    /// Carries out a call.
    fn run(self, cx: &mut Context<'_>) -> Answer;
}

/// What comes of a call.
pub(crate) type Answer = Result<Reply, Box<Refused>>;

/// How deep the shape of a call shows what is nested.
const SHAPE: usize = 3;

/// The names by which tools are known besides their own.
const OTHER_NAMES: [(&str, &str); 2] =
    [("memo_replace", "memory_notebook_replace"), ("memo_replace_span", "memory_notebook_replace_span")];

impl ToolDefinition {
    /// Defines a tool that answers, or writes in a way of its own.
    pub(crate) const fn tool<T: Tool>(name: &'static str, title: &'static str, effect: Effect) -> Self {
        Self::of::<T>(Kind::Plain, name, title, effect)
    }

    /// Defines a tool of this kind.
    pub(crate) const fn of<T: Tool>(kind: Kind, name: &'static str, title: &'static str, effect: Effect) -> Self {
        let input = Input::of::<T>(name, kind);
        Self { name, title, effect, kind, input, fields: T::FIELDS, anthropic: None, run: run::<T> }
    }

    /// Notes that Anthropic's models know the tool under a type of theirs.
    pub(crate) const fn of_anthropic(mut self, kind: &'static str) -> Self {
        self.anthropic = Some(kind);
        self
    }

    /// Carries out a call whose arguments have the tool's names and types.
    pub(crate) fn run(&self, arguments: &Value, cx: &mut Context<'_>) -> Answer {
        (self.run)(arguments, cx)
    }

    /// Returns when to use it, for the model: the documentation of the type of its arguments.
    pub fn description(&self) -> &str {
        self.input.description()
    }

    /// Returns the JSON Schema of the arguments: a plain object, without references.
    pub fn input_schema(&self) -> &Value {
        self.input.shown()
    }

    /// Returns the shape of a call, for a model that got it wrong: the names, and which may be left out.
    pub fn shape(&self) -> String {
        format!("{}({})", self.name, arguments::shape(self.input_schema(), SHAPE))
    }

    /// Says how it is called, with the example of its description, within the bound of a hint.
    pub(crate) fn call_shape(&self) -> String {
        let example = self.description().split_once("Example: {").map(|(_, example)| format!(", such as {{{example}"));
        bounded(&format!("call {}{}", self.shape(), example.unwrap_or_default()), HINT)
    }

    /// Reports whether a call of this name is one of the tool: its own, or another that it is known by.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || OTHER_NAMES.contains(&(self.name, name))
    }

    /// Reports whether it is one of those of editing sessions.
    pub(crate) fn is_of_sessions(&self) -> bool {
        self.name.starts_with("memo_")
    }

    /// Reports whether a call can be previewed and staged.
    pub(crate) const fn is_editor(&self) -> bool {
        matches!(self.kind, Kind::Editor)
    }

    /// Returns true if a call can be tried without writing anything: it edits, reads or stages.
    pub(crate) const fn can_be_tried(&self) -> bool {
        !matches!(self.kind, Kind::Plain) || matches!(self.effect, Effect::Read | Effect::Stage)
    }
}

fn run<T: Tool>(arguments: &Value, cx: &mut Context<'_>) -> Answer {
    // Of an object: how it would be read from a list is not compiled for each tool.
    let members = arguments.as_object().ok_or_else(|| Refused::invalid("expected an object"))?;
    T::deserialize(members).map_err(Refused::invalid)?.run(cx)
}

/// A call whose arguments were read.
pub(crate) struct Call<'a> {
    pub(crate) tool: &'a ToolDefinition,
    /// The tools that the agent has.
    pub(crate) offered: &'a [&'static ToolDefinition],
    /// All tools that there are.
    pub(crate) all: &'a [&'static ToolDefinition],
    /// The arguments under the tool's own names.
    pub(crate) arguments: Cow<'a, Value>,
    /// How they were read less exactly than written.
    pub(crate) healed: Vec<Leniency>,
}

impl Call<'_> {
    /// Returns what tells the call from others, on whatever base: that is a part of a commit's ID by itself, however it was named.
    pub(crate) fn request(&self) -> RequestId {
        RequestId::leaving_out(&["base_revision", "base_revisions", "document"], self.tool.name, &self.arguments)
    }

    /// Reports whether the agent has a tool.
    pub(crate) fn offers(&self, name: &str) -> bool {
        self.offered.iter().any(|tool| tool.name == name)
    }
}

/// An edit of one document that a call asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) document: DocName,
    /// The revision that the call names as its base.
    pub(crate) base: Option<RevisionPrefix>,
    pub(crate) request: Requested,
}

/// What is asked for.
#[derive(Debug)]
pub(crate) enum Requested {
    Edit(Box<dyn Request>),
    Compaction(Rewrite),
}

impl Requested {
    pub(crate) fn as_request(&self) -> &dyn Request {
        match self {
            Self::Edit(request) => &**request,
            Self::Compaction(rewrite) => rewrite,
        }
    }
}

impl<T: Request + 'static> From<T> for Requested {
    fn from(request: T) -> Self {
        Self::Edit(Box::new(request))
    }
}

impl Asked {
    /// Returns what a memory is asked for.
    pub(crate) fn operation<'a>(&'a self, basis: Basis<'a>) -> Operation<'a> {
        match &self.request {
            Requested::Edit(request) => Operation::edit(self.document.clone(), basis, &**request),
            Requested::Compaction(rewrite) => Operation::compact(self.document.clone(), basis, rewrite),
        }
    }
}
