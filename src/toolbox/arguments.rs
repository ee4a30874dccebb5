//! Reads arguments as models write them: one pass gives them the names and types of the tool's schema. Flaws that can mean
//! only one thing are refused, too, but the arguments are read as they are meant: a retry may send that.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::locate::Leniency;
use crate::text::excerpt;
use crate::toolbox::keywords::{
    belongs, canonical, converted, document_of, is_everywhere, is_inside, is_nest, is_of, kind, meant, mismatch, nests,
    object_in, only_item, required, snake_case, takes_any, text_of_lines,
};
use crate::toolbox::{Refused, Remedy, ToolDefinition, json};

/// Names of an argument that holds the whole call.
const WRAPPERS: &str = "arguments args input parameters params";
/// Names of the argument beside it that names the tool.
const TOOL_NAMES: &str = "name tool tool_name function";

/// Arguments that say why a call is made. Other hosts ask models for them; they are dropped.
const ASIDES: &str = "comment description explanation instruction instructions justification purpose rationale reason reasoning \
    thinking thought";

/// A member of an object as it was sent: its name and value.
type Member = (String, Value);

/// Reads the arguments of a call. Returns them with the names and types of the schema, and what was healed: another
/// name, another type, broken JSON.
///
/// # Errors
///
/// The arguments do not fit: says what is wrong.
pub(crate) fn read(tool: &ToolDefinition, arguments: &Value) -> Result<(Value, Vec<Leniency>), Box<Refused>> {
    let mut reader = Reader::default();
    let mut given = reader.unpacked(arguments.clone());
    if let Some(inner) = wrapped(tool, &given).cloned() {
        reader.heal(Leniency::Arguments);
        given = reader.unpacked(inner);
    }
    let Value::Object(given) = given else {
        return Err(Refused::invalid(format!("expected a JSON object of arguments, found {}", kind(&given))));
    };
    let value = reader.object(given.into_iter().collect(), tool.full_schema(), "");
    match reader.problem() {
        None => Ok((value, reader.healed)),
        Some(problem) => {
            let mut refused = Refused::invalid(problem);
            refused.remedy = (!reader.is_unclear).then_some(Remedy::Arguments(value));
            Err(refused)
        }
    }
}

/// Returns the members to put into `sent`, so that it reads as `wanted` and no longer as `read`: those that differ, under
/// the names that were sent. If members of a nested object were sent beside it, so are its differing members.
pub(crate) fn to_send(sent: &Value, schema: &Value, read: &Value, wanted: &Value) -> Map<String, Value> {
    let mut differing = Map::new();
    let (Some(properties), Some(wanted)) = (schema["properties"].as_object(), wanted.as_object()) else {
        return differing;
    };
    let names: Vec<_> = sent.as_object().into_iter().flat_map(Map::keys).collect();
    for (name, value) in wanted.iter().filter(|(name, value)| read.get(*name) != Some(value)) {
        let property = &schema["properties"][name];
        if is_nest(property) && names.iter().any(|sent| is_inside(sent, property, properties)) {
            differing.extend(to_send(sent, object_in(property), only_item(&read[name]), only_item(value)));
        } else {
            let sent_as = names.iter().find(|sent| canonical(sent, properties) == Some(name));
            differing.insert(sent_as.map_or(name, |sent| *sent).clone(), value.clone());
        }
    }
    differing
}

/// Returns the call inside a wrapper. It is no plain text, and the wrapper is the only member beside the name of the tool.
fn wrapped<'s>(tool: &ToolDefinition, sent: &'s Value) -> Option<&'s Value> {
    let is_tool = |name: &str, value: &Value| is_of(name, TOOL_NAMES) && value == tool.name;
    let mut members = sent.as_object()?.iter().filter(|(name, value)| !is_tool(name, value));
    let (Some((name, call)), None) = (members.next(), members.next()) else { return None };
    let is_wrapper = tool.full_schema()["properties"][name].is_null() && is_of(&snake_case(name), WRAPPERS);
    let is_call = !call.is_string() || parsed_json(call).is_some();
    (is_wrapper && is_call).then_some(call)
}

/// Returns the object or list in a text of JSON, and what was healed.
fn parsed_json(value: &Value) -> Option<(Value, Option<Leniency>)> {
    json::read(value.as_str()?).ok().filter(|(value, _)| value.is_object() || value.is_array())
}

#[derive(Default)]
struct Reader {
    healed: Vec<Leniency>,
    /// Arguments that are missing, unknown, or given twice.
    flaws: Vec<(&'static str, String)>,
    /// The first value that does not fit.
    misfit: Option<String>,
    /// Whether it is not clear what is meant by a flaw or a value that does not fit.
    is_unclear: bool,
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
        self.misfit.clone().or(flaws)
    }

    fn heal(&mut self, rung: Leniency) {
        if !self.healed.contains(&rung) {
            self.healed.push(rung);
        }
    }

    /// Notes a flaw of which it is clear what is meant.
    fn correct(&mut self, flaw: &'static str, path: String) {
        self.flaws.push((flaw, path));
    }

    /// Notes a flaw that may mean anything.
    fn refuse(&mut self, flaw: &'static str, path: String) {
        self.correct(flaw, path);
        self.is_unclear = true;
    }

    /// Notes what is expected in the place of a value, if it does not fit.
    fn misfit(&mut self, path: &str, expected: Option<String>) {
        let misfit = expected.map(|expected| format!("`{path}`: expected {expected}"));
        self.misfit = self.misfit.take().or(misfit);
    }

    /// Returns the object or list in a text of JSON, and notes what was healed; else the value itself.
    fn unpacked(&mut self, value: Value) -> Value {
        let Some((inner, mended)) = parsed_json(&value) else { return value };
        self.heal(mended.unwrap_or(Leniency::Arguments));
        inner
    }

    /// Reads an object by its schema. Members of a nested object may have been sent beside it.
    fn object(&mut self, given: Vec<Member>, schema: &Value, path: &str) -> Value {
        let Some(properties) = schema["properties"].as_object() else {
            return Value::Object(given.into_iter().collect());
        };
        let (mut own, mut beside) = (Vec::new(), BTreeMap::<&str, Vec<Member>>::new());
        for (name, value) in self.without_payload(given, schema, path) {
            match nests(properties).find(|(_, nest)| is_inside(&name, nest, properties)) {
                Some((nest, _)) => beside.entry(nest).or_default().push((name, value)),
                None => own.extend(self.argument(&name, value, schema, path)),
            }
        }
        let mut read = Map::new();
        for (name, value) in own {
            let (property, path) = (&properties[name], joined(path, name));
            let inside = beside.remove(name).unwrap_or_default();
            if !inside.is_empty() {
                self.heal(Leniency::Arguments);
            }
            let value = self.value(value, &inside, property, &path);
            if read.get(name).is_some_and(|before| *before != value) {
                self.refuse("given twice", path);
            }
            read.insert(name.to_owned(), value);
        }
        for (name, inside) in beside {
            let property = &properties[name];
            let empty = if property["type"] == "array" { json!([{}]) } else { json!({}) };
            // The members of a list's only object, without object and list: that is not healed.
            if empty.is_object() {
                self.heal(Leniency::Arguments);
            }
            read.insert(name.to_owned(), self.value(empty, &inside, property, &joined(path, name)));
        }
        for name in required(schema) {
            if read.contains_key(name) {
                continue;
            }
            let property = &properties[name];
            match &property["assumed"] {
                Value::Null if property["empty"] != true => self.refuse("missing", joined(path, name)),
                assumed => {
                    self.correct("missing", joined(path, name));
                    read.insert(name.to_owned(), if assumed.is_null() { json!("") } else { assumed.clone() });
                }
            }
        }
        Value::Object(read)
    }

    /// Takes the members of a payload up into the object around it. Each name may have one value, also if one is null.
    fn without_payload(&mut self, given: Vec<Member>, schema: &Value, path: &str) -> Map<String, Value> {
        let mut members = Map::new();
        for (name, value) in given {
            let inner = match value {
                Value::Object(payload) if name == "payload" && payload.keys().all(|name| belongs(name, schema)) => {
                    self.heal(Leniency::Arguments);
                    payload
                }
                value => Map::from_iter([(name, value)]),
            };
            for (name, value) in inner {
                if members.get(&name).is_some_and(|before| *before != value) {
                    self.refuse("given twice", joined(path, &name));
                }
                members.insert(name, value);
            }
        }
        members
    }

    /// Returns the argument that a member is, by its name in the schema; `None` if it says nothing, or is not known.
    fn argument<'s>(&mut self, name: &str, value: Value, schema: &'s Value, path: &str) -> Option<(&'s str, Value)> {
        let properties = schema["properties"].as_object()?;
        let own = canonical(name, properties);
        if own.is_none() && is_of(&snake_case(name), ASIDES) {
            self.heal(Leniency::Arguments);
            return None;
        }
        let meant = meant(own, name, &value, properties);
        match (own, &meant) {
            (Some(own), Some(_)) => self.misfit(&joined(path, own), mismatch(&value, &properties[own])),
            (Some(_), None) => {}
            (None, Some(_)) => self.correct("unknown", joined(path, name)),
            (None, None) => self.refuse("unknown", joined(path, name)),
        }
        let (argument, value) = meant.or(own.map(|own| (own, value)))?;
        // OpenAI's strict functions send null for arguments that are left out.
        if value.is_null() {
            return None;
        }
        let property = &properties[argument];
        let may_be_empty = property["empty"] == true || required(schema).any(|name| name == argument);
        let is_left_out = value == "" && !may_be_empty;
        let document = value.as_str().filter(|_| argument == "document").and_then(document_of).map(Value::from);
        if is_left_out || argument != name || document.is_some() || property["hidden"] == true {
            self.heal(Leniency::Arguments);
        }
        (!is_left_out).then(|| (argument, document.unwrap_or(value)))
    }

    /// Reads a value by its schema. Members of an object that were sent `beside` it belong into it. Beside a list of several
    /// objects, these can only be the section and the block of each.
    fn value(&mut self, given: Value, beside: &[Member], schema: &Value, path: &str) -> Value {
        let mut value = match schema["type"].as_str() {
            // Strict schemas describe such an object as a string of JSON: nothing is healed.
            _ if takes_any(schema) => parsed_json(&given).map_or(given, |(inner, _)| inner),
            Some("array" | "object") => self.unpacked(given),
            _ => given,
        };
        if let Some(text) = text_of_lines(&value, path).filter(|_| schema["type"] == "string") {
            self.misfit(path, mismatch(&value, schema));
            value = text;
        }
        if let Some(converted) = converted(&value, schema) {
            self.heal(Leniency::Arguments);
            value = converted;
        }
        match value {
            Value::Object(members) if schema["properties"].is_object() => {
                self.object(members.into_iter().chain(beside.iter().cloned()).collect(), schema, path)
            }
            Value::Array(items) if schema["items"].is_object() => {
                let is_for_each =
                    items.iter().all(Value::is_object) && beside.iter().all(|(name, _)| is_everywhere(name));
                if let ([(name, _), ..], false) = (beside, is_for_each || items.len() == 1) {
                    self.misfit(name, Some(format!("in each of `{path}`, found beside it")));
                    self.is_unclear = true;
                }
                let read = |(at, item)| self.value(item, beside, &schema["items"], &format!("{path}[{at}]"));
                Value::Array(items.into_iter().enumerate().map(read).collect())
            }
            value => {
                let expected = mismatch(&value, schema);
                self.is_unclear |= expected.is_some();
                self.misfit(path, expected);
                value
            }
        }
    }
}

/// Returns the path of a member.
fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
