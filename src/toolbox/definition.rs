//! [`Tool`] and [`ToolDefinition`]: a tool is a struct of its arguments with one function, `run`. The JSON Schema
//! is made of the struct and has no references, no names of types, and no nulls.

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
use crate::toolbox::keywords::{KEYWORDS, required};
use crate::toolbox::{Context, Refused, Reply};

/// A tool that a model may call.
#[non_exhaustive]
pub struct ToolDefinition {
    /// Its name.
    pub name: &'static str,
    /// A title of two or three words, for people.
    pub title: &'static str,
    /// What it does to the memory.
    pub effect: Effect,
    /// How it works.
    pub(crate) kind: Kind,
    /// Runs a call whose arguments have the names and types of the schema.
    pub(crate) run: fn(&Value, &mut Context<'_>) -> Answer,
    /// [`JsonSchema::json_schema`] of the arguments. Only this call is compiled for each tool.
    make: fn(&mut SchemaGenerator) -> Schema,
    full: OnceLock<Schema>,
    shown: OnceLock<Schema>,
}

/// What a tool does to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effect {
    /// It reads and changes nothing.
    Read,
    /// It stages changes or drops them. Nothing is written.
    Stage,
    /// It records something beside the documents and changes none of them.
    Record,
    /// It edits documents. Text may be removed, and a second call may edit again.
    Edit,
    /// It edits documents. A second, equal call changes nothing.
    Settle,
}

impl Effect {
    /// Returns true if it changes nothing.
    pub const fn is_read_only(self) -> bool {
        matches!(self, Self::Read)
    }

    /// Returns true if it may remove text.
    pub const fn is_destructive(self) -> bool {
        matches!(self, Self::Edit | Self::Settle)
    }

    /// Returns true if a second, equal call changes nothing.
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Self::Read | Self::Settle)
    }
}

/// How a tool works. This decides which common arguments it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It reads, or writes by a way of its own.
    Plain,
    /// As `Plain`, but an equal call right after it counts as the same call, sent again. So it does for all kinds below.
    Once,
    /// It reads one document, and takes `document`.
    Reader,
    /// It stages an edit of one document, and takes `document`.
    Stager,
    /// It edits by [`Context::edit`], so that a call can be previewed and staged. It takes `document` and
    /// `base_revision`.
    Editor,
}

/// The arguments of a tool. Their documentation is the description that models read.
pub(crate) trait Tool: DeserializeOwned + JsonSchema {
    /// Runs a call.
    fn run(self, cx: &mut Context<'_>) -> Answer;
}

/// The outcome of a call.
pub(crate) type Answer = Result<Reply, Box<Refused>>;

/// How many levels of a call [`ToolDefinition::shape`] shows.
pub(crate) const SHAPE: usize = 3;

/// Second names of tools.
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
            run: run::<T>,
            make: T::json_schema,
            full: OnceLock::new(),
            shown: OnceLock::new(),
        }
    }

    /// Returns the description that models read.
    pub fn description(&self) -> &str {
        self.full_schema()["description"].as_str().unwrap_or_default()
    }

    /// Returns the JSON Schema of the arguments: a plain object, without references.
    pub fn input_schema(&self) -> &Value {
        self.shown.get_or_init(|| of_arguments(self.schema(inlined()))).as_value()
    }

    /// Returns the JSON Schema by which arguments are read. It has hidden arguments, other names, and the keywords
    /// of [`arguments`].
    pub(crate) fn full_schema(&self) -> &Value {
        self.full.get_or_init(|| self.schema(inlined())).as_value()
    }

    /// Returns the input schema, with each type once in `$defs` where that is shorter.
    pub(crate) fn shortest_schema(&self) -> Value {
        let with_definitions = of_arguments(self.schema(SchemaSettings::draft2020_12())).to_value();
        let length = |schema: &Value| schema.to_string().len();
        let inlined = self.input_schema();
        if length(&with_definitions) < length(inlined) { with_definitions } else { inlined.clone() }
    }

    /// Makes the schema by which arguments are read.
    fn schema(&self, settings: SchemaSettings) -> Schema {
        let mut generator = settings.into_generator();
        let mut schema = (self.make)(&mut generator);
        let definitions = generator.take_definitions(true);
        if !definitions.is_empty() {
            schema.insert("$defs".to_owned(), definitions.into());
        }
        RecursiveTransform(drop_rust).transform(&mut schema);
        RecursiveTransform(drop_null).transform(&mut schema);
        // A tool without arguments takes an empty object.
        let members = schema.ensure_object();
        members.entry("type").or_insert_with(|| "object".into());
        let properties = members.entry("properties").or_insert_with(|| json!({}));
        if matches!(self.kind, Kind::Reader | Kind::Stager | Kind::Editor) {
            properties["document"] = json!({"type": "string", "description": "Default: `memory`."});
        }
        if matches!(self.kind, Kind::Stager | Kind::Editor) {
            properties["base_revision"] = json!({"type": "string", "description": "Default: last shown."});
            if self.kind == Kind::Stager {
                properties["base_revision"]["hidden"] = true.into();
            }
        }
        schema
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
        format!("{}({})", self.name, shape(self.input_schema(), SHAPE))
    }

    /// Returns true if this is its name or its second name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || OTHER_NAMES.contains(&(self.name, name))
    }

    /// Returns true if it belongs to editing sessions.
    pub(crate) fn is_of_sessions(&self) -> bool {
        self.name.starts_with("memo_")
    }
}

/// Returns the shape of an object: `{a, b?, c?: [{d, e?: x|y}]}`. Levels below `depth` are left out.
fn shape(schema: &Value, depth: usize) -> String {
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|");
    }
    if schema["items"].is_object() {
        return format!("[{}]", shape(&schema["items"], depth));
    }
    let (Some(properties), 1..) = (schema["properties"].as_object(), depth) else { return String::new() };
    let required: Vec<_> = required(schema).collect();
    // Required members come first, in the order of the struct.
    let needed = required.iter().filter_map(|name| properties.get_key_value(*name));
    let others = properties.iter().filter(|(name, _)| !required.contains(&name.as_str()));
    let member = |(name, property): (&String, &Value)| {
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        match shape(property, depth - 1).as_str() {
            "" | "[]" => format!("{name}{mark}"),
            inner => format!("{name}{mark}: {inner}"),
        }
    };
    format!("{{{}}}", needed.chain(others).map(member).collect::<Vec<_>>().join(", "))
}

fn run<T: Tool>(arguments: &Value, cx: &mut Context<'_>) -> Answer {
    // The members are deserialized, not the `Value`: for that, code to read a list would be compiled for each tool.
    let members = arguments.as_object().ok_or_else(|| Refused::invalid("expected an object"))?;
    T::deserialize(members).map_err(Refused::invalid)?.run(cx)
}

/// A call with its arguments.
pub(crate) struct Call<'a> {
    pub(crate) tool: &'a ToolDefinition,
    /// The tools that are offered.
    pub(crate) offered: &'a [&'static ToolDefinition],
    /// The arguments as they were sent.
    pub(crate) sent: &'a Value,
    /// The arguments with the names and types of the schema.
    pub(crate) arguments: Cow<'a, Value>,
}

impl Call<'_> {
    /// Returns the request ID of the call. The base and the document are left out: a commit adds them, however the
    /// call named them.
    pub(crate) fn request(&self) -> RequestId {
        RequestId::leaving_out(&["base_revision", "base_revisions", "document"], self.tool.name, &self.arguments)
    }
}

/// The text that a call is about: a document, and the base revision if the call names one.
pub(crate) struct NamedText {
    pub(crate) document: DocName,
    pub(crate) base: Option<RevisionPrefix>,
}

/// An edit of one document that a call asks for.
pub(crate) struct Asked {
    pub(crate) text: NamedText,
    pub(crate) request: Box<dyn Request>,
}

impl Asked {
    /// Returns the operation for the memory. Its basis is what the agent knows, else the revision that the call
    /// names.
    pub(crate) fn on<'a>(&'a self, known: Option<&'a Known>) -> Operation<'a> {
        let named = || self.text.base.clone().map(Basis::Revision);
        let basis = known.map(Basis::Known).or_else(named).unwrap_or(Basis::Anything);
        Operation::edit(self.text.document.clone(), basis, &*self.request)
    }
}

/// Puts each type where it is used, and none into `$defs`.
fn inlined() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true)
}

/// Returns the schema for hosts. They get the description elsewhere.
fn of_arguments(mut full: Schema) -> Schema {
    RecursiveTransform(hide).transform(&mut full);
    full.remove("description");
    full
}

/// Removes memdoc's own keywords, and hidden arguments.
fn hide(schema: &mut Schema) {
    for keyword in KEYWORDS {
        schema.remove(keyword);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|_, property| property["hidden"] != true);
    }
}

/// Removes what describes Rust types only.
fn drop_rust(schema: &mut Schema) {
    for keyword in ["title", "format"] {
        schema.remove(keyword);
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        // Line ends of the source become spaces, but for those of an example in a fence.
        let (text, example) = description.split_once("\n\n```text").unwrap_or((description, ""));
        *description = text.replace('\n', " ") + example.trim_end_matches("\n```");
    }
}

/// Removes null from the types of a value: an optional argument may be left out.
fn drop_null(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else { return };
    if let Some([only, _]) = members.get("type").and_then(Value::as_array).map(Vec::as_slice) {
        let only = only.clone();
        members.insert("type".to_owned(), only);
    }
    if let Some(Value::Array(choices)) = members.remove("anyOf") {
        // A keyword of the argument overrides that of its type.
        let only = choices.into_iter().find(|choice| choice["type"] != "null");
        for (keyword, value) in only.iter().filter_map(Value::as_object).flatten() {
            members.entry(keyword).or_insert_with(|| value.clone());
        }
    }
}
