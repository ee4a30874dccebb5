//! What a tool is: a struct of its arguments with one `run`, and the definition that is made of it, with the JSON Schema of the
//! arguments that every dialect reads: without references, names of types, and nulls.

use std::borrow::Cow;
use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::memory::{DocName, Operation, RequestId};
use crate::request::{Basis, Known, Request};
use crate::text::RevisionPrefix;
use crate::toolbox::arguments::KEYWORDS;
use crate::toolbox::refusal::HINT;
use crate::toolbox::{Context, Refused, Reply, arguments, bounded};

/// A tool that a model may call.
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name that it is called by.
    pub name: &'static str,
    /// What it does, in two or three words, for people.
    pub title: &'static str,
    /// What it does to the memory.
    pub effect: Effect,
    /// How it works.
    pub(crate) kind: Kind,
    /// The type under which Anthropic's models know it, whose schema and description are the vendor's.
    pub(crate) anthropic: Option<&'static str>,
    /// Carries out a call whose arguments have the tool's names and types.
    pub(crate) run: fn(&Value, &mut Context<'_>) -> Answer,
    make: Make,
    full: OnceLock<Schema>,
    shown: OnceLock<Schema>,
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
    /// It edits documents; what stood there may be gone, and a second call may edit a second time.
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
    /// Carries out a call.
    fn run(self, cx: &mut Context<'_>) -> Answer;
}

/// What comes of a call.
pub(crate) type Answer = Result<Reply, Box<Refused>>;

/// How deep the shape of a call shows what is nested.
pub(crate) const SHAPE: usize = 3;

/// The names by which tools are known besides their own.
const OTHER_NAMES: [(&str, &str); 2] =
    [("memo_replace", "memory_notebook_replace"), ("memo_replace_span", "memory_notebook_replace_span")];

impl ToolDefinition {
    /// Defines a tool of this kind.
    pub(crate) const fn of<T: Tool>(kind: Kind, name: &'static str, title: &'static str, effect: Effect) -> Self {
        Self {
            name,
            title,
            effect,
            kind,
            anthropic: None,
            run: run::<T>,
            make: T::json_schema,
            full: OnceLock::new(),
            shown: OnceLock::new(),
        }
    }

    /// Notes that Anthropic's models know the tool under a type of theirs.
    pub(crate) const fn of_anthropic(mut self, kind: &'static str) -> Self {
        self.anthropic = Some(kind);
        self
    }

    /// Returns when to use it, for the model: the documentation of the type of its arguments.
    pub fn description(&self) -> &str {
        self.full_schema()["description"].as_str().unwrap_or_default()
    }

    /// Returns the JSON Schema of the arguments: a plain object, without references.
    pub fn input_schema(&self) -> &Value {
        self.shown.get_or_init(|| of_arguments(full(self.make, self.kind, true))).as_value()
    }

    /// Returns the JSON Schema by which arguments are read: with their other names, and with those that hosts are not shown.
    pub(crate) fn full_schema(&self) -> &Value {
        self.full.get_or_init(|| full(self.make, self.kind, true)).as_value()
    }

    /// Returns the schema that hosts are shown with each type of its members once, in `$defs`, where that is shorter.
    pub(crate) fn shortest_schema(&self) -> Value {
        let with_definitions = of_arguments(full(self.make, self.kind, false)).to_value();
        let length = |schema: &Value| schema.to_string().len();
        let inlined = self.input_schema();
        if length(&with_definitions) < length(inlined) { with_definitions } else { inlined.clone() }
    }

    /// Returns the arguments of a call on one line. A `?` marks those that may be left out.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::ToolSet;
    ///
    /// for tool in ToolSet::Journal.tools() {
    ///     println!("{}", tool.shape());
    /// }
    /// let undo = ToolSet::Journal.tools().iter().find(|tool| tool.name == "memory_undo").ok_or("not there")?;
    /// assert_eq!(undo.shape(), "memory_undo({entry, reason?})");
    /// # Ok::<(), &str>(())
    /// ```
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
    /// The arguments as they came.
    pub(crate) sent: &'a Value,
    /// The arguments under the tool's own names.
    pub(crate) arguments: Cow<'a, Value>,
}

impl Call<'_> {
    /// Returns what tells the call from others, on whatever base: that is a part of a commit's ID by itself, however it was named.
    pub(crate) fn request(&self) -> RequestId {
        RequestId::leaving_out(&["base_revision", "base_revisions", "document"], self.tool.name, &self.arguments)
    }
}

/// An edit of one document that a call asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) document: DocName,
    /// The revision that the call names as its base.
    pub(crate) base: Option<RevisionPrefix>,
    pub(crate) request: Box<dyn Request>,
}

impl Asked {
    /// Returns what a memory is asked for, on the basis of what the agent knows, else of the revision that the call names.
    pub(crate) fn on<'a>(&'a self, known: Option<&'a Known>) -> Operation<'a> {
        let (document, named) = (self.document.clone(), self.base.clone().map(Basis::Revision));
        let basis = known.map(Basis::Known).or(named).unwrap_or(Basis::Anything);
        Operation::edit(document, basis, &*self.request)
    }
}

/// What makes the schema of a type: [`JsonSchema::json_schema`](schemars::JsonSchema::json_schema). All else that is done is compiled
/// once, not for each tool.
type Make = fn(&mut SchemaGenerator) -> Schema;

/// Returns the schema by which the arguments of a tool are read. What may be left out need not be null.
fn full(make: Make, kind: Kind, is_inlined: bool) -> Schema {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = is_inlined;
    let mut generator = settings.into_generator();
    let mut schema = make(&mut generator);
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), definitions.into());
    }
    RecursiveTransform(drop_rust).transform(&mut schema);
    RecursiveTransform(drop_null).transform(&mut schema);
    // A tool without arguments takes an object all the same.
    let members = schema.ensure_object();
    members.entry("type").or_insert_with(|| "object".into());
    let properties = members.entry("properties").or_insert_with(|| json!({}));
    if matches!(kind, Kind::Reader | Kind::Stager | Kind::Editor) {
        properties["document"] = json!({"type": "string", "description": "Default: `memory`."});
    }
    if matches!(kind, Kind::Stager | Kind::Editor) {
        properties["base_revision"] = json!({"type": "string", "description": "Default: last shown."});
        if kind == Kind::Stager {
            properties["base_revision"]["hidden"] = true.into();
        }
    }
    schema
}

/// Returns the schema of arguments that hosts are shown, who are told elsewhere what the tool does.
fn of_arguments(mut full: Schema) -> Schema {
    RecursiveTransform(hide).transform(&mut full);
    full.remove("description");
    full
}

/// Takes out the keywords that are memdoc's own, and arguments that are not shown.
fn hide(schema: &mut Schema) {
    for keyword in KEYWORDS {
        schema.remove(keyword);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|_, property| property["hidden"] != true);
    }
}

/// Removes what tells of Rust types, and nothing to a model.
fn drop_rust(schema: &mut Schema) {
    for keyword in ["title", "format"] {
        schema.remove(keyword);
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        // Where a line ends in the source means nothing, but for one of an example in a fence.
        let (text, example) = description.split_once("\n\n```text").unwrap_or((description, ""));
        *description = text.replace('\n', " ") + example.trim_end_matches("\n```");
    }
}

/// Takes null out of what a value may be.
fn drop_null(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("default").is_some_and(Value::is_null) {
        members.remove("default");
    }
    for keyword in ["type", "enum"] {
        if let Some(Value::Array(values)) = members.get_mut(keyword) {
            values.retain(|value| !value.is_null() && value != "null");
        }
    }
    if let Some([only]) = members.get("type").and_then(Value::as_array).map(Vec::as_slice) {
        let only = only.clone();
        members.insert("type".to_owned(), only);
    }
    if let Some(Value::Array(choices)) = members.remove("anyOf") {
        // What is said of the place goes before what is said of the type.
        let only = choices.into_iter().find(|choice| choice["type"] != "null");
        for (keyword, value) in only.iter().filter_map(Value::as_object).flatten() {
            members.entry(keyword).or_insert_with(|| value.clone());
        }
    }
}
