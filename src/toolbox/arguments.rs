//! Reads arguments as models write them: one pass gives them the names and types of the tool's schema. Arguments that do
//! not fit are read once more, boldly: if each can mean only one thing, a retry may send that.

use std::iter;

use serde_json::{Map, Value, json};

use crate::locate::Leniency;
use crate::text::excerpt;
use crate::toolbox::keywords::{
    Properties, belongs, canonical, converted, document_of, is_everywhere, is_file, is_inside, is_of, kind, meant,
    mismatch, nests, object_in, object_of, object_of_text, only_item, required, says_nothing, snake_case, takes_any,
    text_of_lines,
};
use crate::toolbox::{Refused, ToolDefinition, json};

/// Names of an argument that holds the whole call.
const WRAPPERS: &str = "arguments args input parameters params";
/// Names of the argument beside it that names the tool.
const TOOL_NAMES: &str = "name tool tool_name function";

/// Arguments that say why a call is made. Other hosts ask models for them; they are dropped.
const ASIDES: &str = "comment description explanation instruction instructions justification purpose rationale reason reasoning \
    thinking thought";

/// Names of an object around arguments of an edit or a place. `payload` is read at once, the others for a retry.
const GROUPS: &str =
    "payload edit edits change changes operation operations ops replacement replacements to position place";

/// Reads the arguments of a call. Returns them with the names and types of the schema, and what was healed: another
/// name, another type, broken JSON.
///
/// # Errors
///
/// The arguments do not fit: says what is wrong.
pub(crate) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<(Value, Vec<Leniency>), Box<Refused>> {
    let mut reader = Reader::default();
    let mut given = reader.unpacked(arguments.clone());
    if let Some(inner) = wrapper(tool, &given).map(|wrapper| given[wrapper].clone()) {
        reader.heal(Leniency::Arguments);
        given = reader.unpacked(inner);
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
    let (Some(properties), Some(wanted)) = (schema["properties"].as_object(), wanted.as_object()) else {
        return differing_members;
    };
    for (name, value) in wanted.iter().filter(|(name, value)| read.get(*name) != Some(value)) {
        let nest = nests(properties).find(|(own, _)| *own == name).map(|(_, nest)| nest);
        if let Some(nest) = nest.filter(|nest| sent.keys().any(|sent| is_inside(sent, nest, properties))) {
            differing_members.extend(differing(sent, object_in(nest), only_item(&read[name]), only_item(value)));
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

    /// Returns the object or list in a text of JSON, and notes what was healed; else the value itself.
    fn unpacked(&mut self, value: Value) -> Value {
        let Some((inner, mended)) = parsed_json(&value) else { return value };
        self.heal(mended.unwrap_or(Leniency::Arguments));
        inner
    }

    /// Reads an object by its schema.
    fn object(&mut self, given: Map<String, Value>, schema: &Value, path: &str) -> Value {
        let Some(properties) = schema["properties"].as_object() else { return Value::Object(given) };
        let mut read = Map::new();
        for (name, value) in self.arrange(given, schema, properties, path) {
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
                if value == "" {
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

    /// Moves members to the object that they belong to: those of a group up into the object around it, and those that were
    /// sent beside a list's only item, or beside an object, down into it. A section or block beside a list goes into each
    /// of its items.
    fn arrange(
        &mut self,
        given: Map<String, Value>,
        schema: &Value,
        properties: &Properties,
        path: &str,
    ) -> Map<String, Value> {
        let (is_bold, mut members) = (self.is_bold, Map::new());
        for (name, value) in given {
            let is_group = canonical(&name, properties).is_none() && is_of(&name, GROUPS);
            let group = only_item(&value).as_object().filter(|_| is_group && (is_bold || name == "payload"));
            match group.filter(|group| group.keys().all(|name| belongs(name, schema))).cloned() {
                Some(group) => {
                    self.heal(Leniency::Arguments);
                    self.join(&mut members, group, path);
                }
                None => self.join(&mut members, json::object(&mut iter::once((name, value))), path),
            }
        }
        for (name, nest) in nests(properties).filter(|(_, nest)| is_bold || !takes_any(nest)) {
            let (inner, others): (Map<_, _>, Map<_, _>) =
                members.into_iter().partition(|(name, _)| is_inside(name, nest, properties));
            members = others;
            let Some(first) = inner.keys().next() else { continue };
            let sent_as = members.keys().find(|sent| canonical(sent, properties) == Some(name)).cloned();
            let sent = sent_as.and_then(|sent_as| members.remove(&sent_as)).unwrap_or_default();
            let mut sent = self.unpacked(sent);
            if let Value::Array(items) = &mut sent
                && inner.keys().all(|name| is_everywhere(name))
                && items.iter().all(Value::is_object)
            {
                // The section or block of all items.
                self.heal(Leniency::Arguments);
                items.iter_mut().filter_map(Value::as_object_mut).for_each(|item| self.join(item, inner.clone(), path));
                members.insert(name.clone(), sent);
                continue;
            }
            let Some(mut object) = object_of(&sent, nest) else {
                let first = joined(path, first);
                self.wrong.get_or_insert_with(|| format!("`{first}`: expected in each of `{name}`, found beside it"));
                continue;
            };
            self.join(&mut object, inner, path);
            // All members of an only item, without the list around it: that is not healed.
            let is_list = nest["type"] == "array";
            if !(is_list && sent.is_null()) {
                self.heal(Leniency::Arguments);
            }
            members.insert(name.clone(), if is_list { json!([object]) } else { object.into() });
        }
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
        let given = if is_nested { self.unpacked(given) } else { given };
        if takes_any(schema) {
            // Strict schemas describe such an object as a string: nothing is healed.
            self.healed.truncate(before);
        }
        let may_be_lines = self.is_bold && schema["type"] == "string";
        let given = may_be_lines.then(|| text_of_lines(&given, path)).flatten().unwrap_or(given);
        let as_number = object_of_text(&given, schema).filter(|_| self.is_bold && given.is_number());
        let given = as_number.map_or(given, Value::Object);
        let converted = converted(&given, schema);
        if converted.is_some() {
            self.heal(Leniency::Arguments);
        }
        let value = converted.unwrap_or(given);
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
