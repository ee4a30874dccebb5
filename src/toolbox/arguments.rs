//! Reads arguments as models write them: one pass gives them the names and types of the tool's schema. Arguments that do
//! not fit are read once more, boldly: if each can mean only one thing, a retry may send that.

use std::iter;

use serde_json::{Map, Value, json};

use crate::locate::Leniency;
use crate::text::excerpt;
use crate::toolbox::keywords::{
    Nest, Properties, canonical, converted, document_of, is_file, is_of, kind, meant, mismatch, nests, required,
    says_nothing, snake_case,
};
use crate::toolbox::{Refused, ToolDefinition, json};

/// Names of an argument that holds the whole call.
const WRAPPERS: &str = "arguments args input parameters params";
/// Names of the argument beside it that names the tool.
const TOOL_NAMES: &str = "name tool tool_name function";

/// Arguments that say why a call is made. Other hosts ask models for them; they are dropped.
const ASIDES: &str = "comment description explanation instruction instructions justification purpose rationale reason reasoning \
    thinking thought";

/// Names that other tools have for an object, or for a list of objects, with the arguments of one edit or place.
const GROUPS: &str = "edit edits change changes operation operations ops replacement replacements to position place";
/// Arguments of which the lines may be sent as a list, for a retry.
const TEXTS: &str = "patch old_string new_string old_text new_text text content candidate query";

/// Reads the arguments of a call. Returns them with the names and types of the schema, and what was healed: another
/// name, another type, broken JSON.
///
/// # Errors
///
/// The arguments do not fit: says what is wrong.
pub(crate) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<(Value, Vec<Leniency>), Box<Refused>> {
    let mut reader = Reader::default();
    let mut given = reader.json_in(arguments).unwrap_or_else(|| arguments.clone());
    if let Some(inner) = wrapper(tool, &given).map(|wrapper| given[wrapper].clone()) {
        reader.heal(Leniency::Arguments);
        given = reader.json_in(&inner).unwrap_or(inner);
    }
    let Value::Object(given) = given else {
        return Err(Refused::invalid(format!("expected a JSON object of arguments, found {}", kind(&given))));
    };
    let value = reader.object(given.clone(), tool.full_schema(), "");
    let Some(wrong) = reader.problem() else { return Ok((value, reader.healed)) };
    let mut bold = Reader { is_bold: true, ..Reader::default() };
    let meant = bold.object(given, tool.full_schema(), "");
    Err(Refused::invalid(wrong).or_one_of(bold.problem().is_none().then_some(meant)))
}

/// Returns the members to put into `sent`, so that it reads as `wanted` and no longer as `read`. They have the
/// names that were sent.
pub(crate) fn to_send(tool: &ToolDefinition, sent: &Value, read: &Value, wanted: &Value) -> Map<String, Value> {
    match wrapper(tool, sent) {
        Some(wrapper) => json::object(&mut iter::once((wrapper.to_owned(), wanted.clone()))),
        None => differing(sent.as_object().unwrap_or(&Map::new()), tool.full_schema(), read, wanted),
    }
}

/// Returns the name of the member that holds the whole call. It holds no plain text, and is the only member beside the
/// name of the tool.
fn wrapper<'s>(tool: &ToolDefinition, sent: &'s Value) -> Option<&'s str> {
    let (members, properties) = (sent.as_object()?, &tool.full_schema()["properties"]);
    let is_wrapper = |name: &str| properties[name].is_null() && is_of(&snake_case(name), WRAPPERS);
    let is_call = |value: &Value| !value.is_string() || parsed_json(value).is_some();
    let (wrapper, _) = members.iter().find(|(name, value)| is_wrapper(name) && is_call(value))?;
    let is_tool = |name: &str, value: &Value| is_of(name, TOOL_NAMES) && value == tool.name;
    members.iter().all(|(name, value)| name == wrapper || is_tool(name, value)).then_some(wrapper)
}

/// Returns the object or list in a text of JSON, and what was healed.
fn parsed_json(value: &Value) -> Option<(Value, Option<Leniency>)> {
    json::read(value.as_str()?).ok().filter(|(value, _)| value.is_object() || value.is_array())
}

/// Returns the members of `wanted` that differ from `read`, under the names that were sent. If members of a nested
/// object were sent beside it, its own differing members are returned beside it, too.
fn differing(sent: &Map<String, Value>, schema: &Value, read: &Value, wanted: &Value) -> Map<String, Value> {
    let mut differing_members = Map::new();
    let members = [read, wanted].map(Value::as_object);
    let (Some(properties), [Some(read), Some(wanted)]) = (schema["properties"].as_object(), members) else {
        return differing_members;
    };
    for (name, value) in wanted.iter().filter(|(name, value)| read.get(*name) != Some(value)) {
        let nest = nests(properties).find(|nest| nest.name == name);
        if let Some(nest) = nest.filter(|nest| sent.keys().any(|sent| nest.takes(sent, properties))) {
            let object = |value: &Value| value.get(0).unwrap_or(value).clone();
            let (old, new) = (read.get(name).map(object).unwrap_or_default(), object(value));
            differing_members.extend(differing(sent, nest.object, &old, &new));
            continue;
        }
        let names: Vec<_> = sent.keys().filter(|sent| canonical(sent, properties) == Some(name)).collect();
        let names = if names.is_empty() { vec![name] } else { names };
        differing_members.extend(names.into_iter().map(|name| (name.clone(), value.clone())));
    }
    differing_members
}

#[derive(Default)]
struct Reader {
    /// Whether it also takes what only one other call could mean. That is for a retry.
    is_bold: bool,
    healed: Vec<Leniency>,
    /// Arguments that are missing, unknown, or given twice.
    flaws: Vec<(&'static str, String)>,
    /// The first value that has a wrong type.
    wrong: Option<String>,
}

impl Reader {
    /// Returns what is wrong; `None` if the arguments fit.
    fn problem(&self) -> Option<String> {
        let list = |flaw: &str| {
            let names = self.flaws.iter().filter(|(own, _)| *own == flaw).take(8);
            let names: Vec<_> = names.map(|(_, name)| format!("`{}`", excerpt(name, 40))).collect();
            (!names.is_empty()).then(|| format!("{flaw}: {}", names.join(", ")))
        };
        let flaws: Vec<_> = ["given twice", "missing", "unknown"].into_iter().filter_map(list).collect();
        let flaws = (!flaws.is_empty()).then(|| format!("arguments {}", flaws.join("; ")));
        self.wrong.clone().or(flaws)
    }

    fn heal(&mut self, rung: Leniency) {
        if !self.healed.contains(&rung) {
            self.healed.push(rung);
        }
    }

    fn flaw(&mut self, flaw: &'static str, path: &str, name: &str) {
        self.flaws.push((flaw, joined(path, name)));
    }

    /// Returns the object or list in a text of JSON, and notes what was healed.
    fn json_in(&mut self, value: &Value) -> Option<Value> {
        let (value, mended) = parsed_json(value)?;
        self.heal(mended.unwrap_or(Leniency::Arguments));
        Some(value)
    }

    /// Reads an object by its schema.
    fn object(&mut self, given: Map<String, Value>, schema: &Value, path: &str) -> Value {
        let Some(properties) = schema["properties"].as_object() else { return Value::Object(given) };
        let mut read = Map::new();
        for (name, value) in self.arrange(given, properties, path) {
            let own = canonical(&name, properties);
            if own.is_none()
                && (is_of(&snake_case(&name), ASIDES) || self.is_bold && value != false && says_nothing(&value))
            {
                self.heal(Leniency::Arguments);
                continue;
            }
            let other = if self.is_bold { meant(own, &name, &value, properties) } else { None };
            let (Some(canonical), value) = other.map_or((own, value), |(own, value)| (Some(own), value)) else {
                self.flaw("unknown", path, &name);
                continue;
            };
            let property = &properties[canonical];
            let is_text = property["empty"] == true || required(schema).any(|name| name == canonical);
            if value.is_null() || (value == "" && !is_text) {
                // OpenAI's strict functions send null for arguments that are left out.
                if !value.is_null() {
                    self.heal(Leniency::Arguments);
                }
                continue;
            }
            let file = value.as_str().filter(|_| canonical == "document" || canonical != "path" && is_file(&name));
            let file = file.and_then(document_of).map(Value::from);
            if canonical != name || file.is_some() || property["hidden"] == true {
                self.heal(Leniency::Arguments);
            }
            let value = self.value(file.unwrap_or(value), property, &joined(path, canonical));
            if read.get(canonical).is_some_and(|before| *before != value) {
                self.flaw("given twice", path, canonical);
            }
            read.insert(canonical.to_owned(), value);
        }
        for name in required(schema).filter(|name| !read.contains_key(*name)).collect::<Vec<_>>() {
            let assumed = if properties[name]["empty"] == true { &json!("") } else { &properties[name]["assumed"] };
            match self.is_bold && !assumed.is_null() {
                true => drop(read.insert(name.to_owned(), assumed.clone())),
                false => self.flaw("missing", path, name),
            }
        }
        Value::Object(read)
    }

    /// Moves members to the object that they belong to. The members of an argument with `unfolds` move up into the object
    /// around it. Members of a list's only item, or of an object with `beside`, move down into it if they were sent
    /// beside it.
    fn arrange(&mut self, given: Map<String, Value>, properties: &Properties, path: &str) -> Map<String, Value> {
        let mut members = Map::new();
        for (name, value) in given {
            let own = canonical(&name, properties);
            // The only item of a list of edits is taken out for a retry.
            let only =
                value.get(0).filter(|_| value.as_array().is_some_and(|items| items.len() == 1)).unwrap_or(&value);
            let inner = only.as_object().filter(|inner| match own {
                Some(own) => properties[own]["unfolds"] == true,
                None => {
                    self.is_bold
                        && is_of(&name, GROUPS)
                        && inner.keys().all(|name| canonical(name, properties).is_some())
                }
            });
            let moved = match inner.cloned() {
                Some(inner) => {
                    self.heal(Leniency::Arguments);
                    inner
                }
                None => json::object(&mut iter::once((name, value))),
            };
            self.join(&mut members, moved, path);
        }
        let nests = nests(properties).filter(|nest| self.is_bold || nest.is_read);
        nests.collect::<Vec<_>>().iter().fold(members, |members, nest| self.move_into(members, nest, properties, path))
    }

    /// Moves members that were sent beside an argument into it: into the object, or into the only item of the list.
    fn move_into(
        &mut self,
        members: Map<String, Value>,
        nest: &Nest<'_>,
        properties: &Properties,
        path: &str,
    ) -> Map<String, Value> {
        let (inner, mut members): (Map<_, _>, Map<_, _>) =
            members.into_iter().partition(|(name, _)| nest.takes(name, properties));
        let Some(first) = inner.keys().next() else { return members };
        let sent_as = members.keys().find(|sent| canonical(sent, properties) == Some(nest.name)).cloned();
        let sent = sent_as.and_then(|name| members.remove(&name));
        // All members of an only item, without the list around it: that is not healed.
        if sent.is_some() || !nest.is_list {
            self.heal(Leniency::Arguments);
        }
        let Some(mut object) = nest.object_of(sent.as_ref().unwrap_or(&Value::Null)) else {
            let (first, name) = (joined(path, first), nest.name);
            self.wrong.get_or_insert_with(|| format!("`{first}`: expected in each of `{name}`, found beside it"));
            return members;
        };
        self.join(&mut object, inner, path);
        members.insert(nest.name.clone(), if nest.is_list { json!([object]) } else { Value::Object(object) });
        members
    }

    /// Adds members. One with two values is a flaw.
    fn join(&mut self, members: &mut Map<String, Value>, more: Map<String, Value>, path: &str) {
        for (name, value) in more {
            if members.get(&name).is_some_and(|own| *own != value) {
                self.flaw("given twice", path, &name);
            }
            members.insert(name, value);
        }
    }

    /// Reads a value by its schema.
    fn value(&mut self, given: Value, schema: &Value, path: &str) -> Value {
        let before = self.healed.len();
        let is_nested = ["array", "object"].iter().any(|kind| schema["type"] == *kind);
        let given = is_nested.then(|| self.json_in(&given)).flatten().unwrap_or(given);
        if schema["type"] == "object" && schema["properties"].is_null() {
            // Strict schemas describe such an object as a string: nothing is healed.
            self.healed.truncate(before);
        }
        let may_be_lines = |items: &&Vec<Value>| items.len() == 1 || is_of(path, TEXTS);
        let lines = given.as_array().filter(|_| self.is_bold && schema["type"] == "string").filter(may_be_lines);
        let lines = lines.and_then(|lines| lines.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let lines = lines.map(|lines| lines.join("\n").into());
        let given = lines.unwrap_or(given);
        let value = match converted(&given, schema) {
            Some(value) => {
                self.heal(Leniency::Arguments);
                value
            }
            None => given,
        };
        match value {
            Value::Object(members) if schema["properties"].is_object() => self.object(members, schema, path),
            Value::Array(items) if schema["items"].is_object() => {
                let item = |(at, item)| self.value(item, &schema["items"], &format!("{path}[{at}]"));
                Value::Array(items.into_iter().enumerate().map(item).collect())
            }
            value => {
                let wrong = mismatch(&value, schema).map(|wrong| format!("`{path}`: expected {wrong}"));
                self.wrong = self.wrong.take().or(wrong);
                value
            }
        }
    }
}

/// Returns the path of a member.
fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
