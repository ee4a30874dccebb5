//! One pass that brings arguments into the names and types of the tool's schema, those of nested objects too.
//!
//! Keywords of the schema that are memdoc's own:
//!
//! - `aliases`: other names of an argument, in a row.
//! - `alone`: a list whose only item may stand in its place without being reported.
//! - `also`: a choice for which there are other words.
//! - `empty`: an argument of which an empty text is a text.
//! - `groups`: a list of tags, which may stand in brackets.
//! - `hidden`: an argument that hosts are not shown.
//! - `selector`: an object for which a text may stand.
//! - `spelled`: a text that may be written as a number or a flag.
//! - `unfolds`: an argument whose members belong to the object around it, and a text in it to the argument that is named.

use serde_json::{Map, Value, json};

use crate::locate::Leniency;
use crate::text::excerpt;
use crate::toolbox::arguments::values::{
    canonical, check_type, converted, document_of, is_home, is_of, is_remark, kind, of_pairs, required, schema_for,
    selector, snake_case,
};
use crate::toolbox::json;
use crate::toolbox::schema::Input;

/// Arguments that are not those of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentError {
    /// They are no JSON object.
    NotAnObject(&'static str),
    /// Some are missing, some unknown, or given twice under two names.
    Names { missing: Vec<String>, unknown: Vec<String>, twice: Vec<String> },
    /// One has a type or value that does not fit.
    Value(String),
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAnObject(found) => write!(f, "expected a JSON object of arguments, found {found}"),
            Self::Value(message) => f.write_str(message),
            Self::Names { missing, unknown, twice } => {
                let lists = [("missing", missing), ("unknown", unknown), ("given twice", twice)];
                let list = |names: &[String]| {
                    names.iter().take(8).map(|name| format!("`{}`", excerpt(name, 40))).collect::<Vec<_>>().join(", ")
                };
                let parts: Vec<_> = lists
                    .iter()
                    .filter(|(_, names)| !names.is_empty())
                    .map(|(what, names)| format!("{what}: {}", list(names)))
                    .collect();
                write!(f, "arguments {}", parts.join("; "))
            }
        }
    }
}

/// Names under which calls are wrapped once more.
const WRAPPERS: [&str; 5] = ["arguments", "args", "input", "parameters", "params"];
/// Names under which a wrapped call names its tool.
const TOOL_NAMES: [&str; 4] = ["name", "tool", "tool_name", "function"];

/// Arguments under the tool's own names.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) value: Value,
    /// How they were read less exactly than written: another name, another type, broken JSON.
    pub(crate) healed: Vec<Leniency>,
}

/// Reads the arguments of a call.
pub(crate) fn read(input: &Input, arguments: &Value) -> Result<Read, ArgumentError> {
    let mut reader = Reader { tool: input.name, ..Reader::default() };
    let given = reader.held(arguments).unwrap_or_else(|| arguments.clone());
    let given = reader.unwrapped(input.full(), given);
    let given = reader.listed(input.full(), given);
    if !given.is_object() {
        return Err(ArgumentError::NotAnObject(kind(&given)));
    }
    let value = reader.value(given, input.full(), "");
    let Reader { healed, missing, unknown, twice, wrong, .. } = reader;
    match wrong {
        Some(error) => Err(error),
        None if missing.is_empty() && unknown.is_empty() && twice.is_empty() => Ok(Read { value, healed }),
        None => Err(ArgumentError::Names { missing, unknown, twice }),
    }
}

#[derive(Default)]
struct Reader {
    tool: &'static str,
    healed: Vec<Leniency>,
    missing: Vec<String>,
    unknown: Vec<String>,
    twice: Vec<String>,
    /// The first value of another type.
    wrong: Option<ArgumentError>,
}

impl Reader {
    fn heal(&mut self, rung: Leniency) {
        if !self.healed.contains(&rung) {
            self.healed.push(rung);
        }
    }

    /// Returns the object or list that a text holds as JSON.
    fn held(&mut self, value: &Value) -> Option<Value> {
        let (value, mended) = json::read(value.as_str()?).ok()?;
        let held = Some(value).filter(|value| value.is_object() || value.is_array())?;
        self.heal(mended.unwrap_or(Leniency::Arguments));
        Some(held)
    }

    /// Takes a call out of the only member of an object, with no more than the name of this tool beside it. Where the tool has an
    /// argument of that name, what is inside must have all that the tool requires.
    fn unwrapped(&mut self, schema: &Value, given: Value) -> Value {
        let (Some(members), Some(properties)) = (given.as_object(), schema["properties"].as_object()) else {
            return given;
        };
        let is_wrapper = |name: &String| WRAPPERS.contains(&&*snake_case(name));
        let Some((wrapper, inner)) = members.iter().find(|(name, _)| is_wrapper(name)) else { return given };
        let is_tool = |name: &str, value: &Value| TOOL_NAMES.contains(&name) && value == self.tool;
        let is_alone = members.iter().all(|(name, value)| name == wrapper || is_tool(name, value));
        let inner = match inner {
            Value::Object(_) => inner.clone(),
            text => json::read(text.as_str().unwrap_or_default()).map(|(held, _)| held).unwrap_or_default(),
        };
        let given_names = inner.as_object().into_iter().flat_map(Map::keys);
        let names: Vec<_> = given_names.filter_map(|name| canonical(name, properties)).collect();
        let is_own = properties.contains_key(wrapper);
        let is_call = inner.is_object() && (!is_own || required(schema).all(|name| names.contains(&name)));
        if !(is_alone && is_call) {
            return given;
        }
        self.heal(Leniency::Arguments);
        inner
    }

    /// Brings a bare list, and the members of its only item, into the list of objects that the tool takes.
    fn listed<'s>(&mut self, schema: &'s Value, given: Value) -> Value {
        let Some(own) = schema["properties"].as_object() else { return given };
        let of_objects = |(name, property): (&'s String, &'s Value)| {
            Some((name, property, property["items"]["properties"].as_object()?))
        };
        let Some((name, list, item)) = own.iter().find_map(of_objects) else {
            return given;
        };
        let members = match given {
            Value::Array(_) => {
                self.heal(Leniency::Arguments);
                return json!({name: given});
            }
            Value::Object(members) => members,
            other => return other,
        };
        let is_list = |given: &String| canonical(given, own) == Some(name);
        let is_of_item = |given: &String| canonical(given, item).is_some() && canonical(given, own).is_none();
        if members.keys().any(is_list) || !members.keys().any(is_of_item) {
            return Value::Object(members);
        }
        if list["alone"] != true {
            self.heal(Leniency::Arguments);
        }
        let (mut outer, inner): (Map<_, _>, Map<_, _>) =
            members.into_iter().partition(|(given, _)| canonical(given, own).is_some());
        outer.insert(name.clone(), json!([inner]));
        Value::Object(outer)
    }

    /// Reads a value by the schema of its place.
    fn value(&mut self, given: Value, schema: &Value, path: &str) -> Value {
        let schema = schema_for(&given, schema);
        let value = self.reshaped(given, schema, path);
        match value {
            Value::Object(members) if schema["properties"].is_object() => self.object(members, schema, path),
            Value::Array(items) if schema["items"].is_object() => {
                let item = |(at, item)| self.value(item, &schema["items"], &format!("{path}[{at}]"));
                Value::Array(items.into_iter().enumerate().map(item).collect())
            }
            value => {
                if let Err(error) = check_type(path, &value, schema) {
                    self.wrong.get_or_insert(error);
                }
                // Another word for a choice, which the tool may know.
                if schema["enum"].as_array().is_some_and(|known| !known.contains(&value)) {
                    self.heal(Leniency::Arguments);
                }
                value
            }
        }
    }

    /// Brings a value into the type of its place.
    fn reshaped(&mut self, given: Value, schema: &Value, path: &str) -> Value {
        if let Some(value) = converted(&given, schema) {
            self.heal(Leniency::Arguments);
            return value;
        }
        if is_of(schema, "object") && schema["properties"].is_null() {
            // So do strict schemas say an object of any members.
            let held = || json::read(given.as_str()?).ok().map(|(held, _)| held).filter(Value::is_object);
            return of_pairs(&given, schema).or_else(held).unwrap_or(given);
        }
        let is_list = is_of(schema, "array");
        if is_list && let Value::Object(members) = &given {
            self.heal(Leniency::Arguments);
            // The list may be wrapped once more.
            let inner = members.values().next().filter(|inner| members.len() == 1 && inner.is_array());
            return inner.cloned().unwrap_or_else(|| json!([given]));
        }
        if schema["groups"] == true
            && let Some(tags) = ungrouped(&given)
        {
            self.heal(Leniency::Arguments);
            return tags;
        }
        let Value::String(text) = &given else { return given };
        if !is_list && !is_of(schema, "object") {
            return given;
        }
        match self.held(&given) {
            Some(list @ Value::Array(_)) if is_list => list,
            Some(object @ Value::Object(_)) if is_list => json!([object]),
            Some(object @ Value::Object(_)) => object,
            _ if is_list && (schema["items"]["selector"] == true || is_of(&schema["items"], "string")) => {
                self.heal(Leniency::Arguments);
                json!([text])
            }
            _ if schema["selector"] == true => {
                self.heal(Leniency::Arguments);
                selector(text)
            }
            _ => {
                if let (true, Err(error)) = (is_list, json::read(text)) {
                    let message =
                        format!("`{path}`: expected a JSON array, found broken JSON at {}", json::flaw(&error));
                    self.wrong.get_or_insert(ArgumentError::Value(message));
                }
                given
            }
        }
    }

    fn object(&mut self, given: Map<String, Value>, schema: &Value, path: &str) -> Value {
        let Some(properties) = schema["properties"].as_object() else { return Value::Object(given) };
        let path_to = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        // A selector that names nothing at all is not the one of any bullet.
        let is_of_nothing = schema["selector"] == true && given.values().all(|value| value == "");
        let mut read = Map::new();
        for (name, value) in self.unfolded(given, properties, path) {
            let Some(canonical) = canonical(&name, properties) else {
                match is_remark(&name) || is_home(self.tool, &name, &value) {
                    true => self.heal(Leniency::Arguments),
                    false => self.unknown.push(path_to(&name)),
                }
                continue;
            };
            // OpenAI's strict functions send null for what is left out.
            if value.is_null() {
                continue;
            }
            let property = &properties[canonical];
            let is_said = is_of_nothing && !["section", "block"].contains(&canonical);
            let is_text = property["empty"] == true || is_said || required(schema).any(|name| name == canonical);
            let file = (canonical == "document").then(|| document_of(&name, &value)).flatten().map(Value::from);
            let is_other = canonical != name || file.as_ref().is_some_and(|file| *file != value);
            if is_other || property["hidden"] == true || (value == "" && !is_text) {
                self.heal(Leniency::Arguments);
            }
            if value == "" && !is_text {
                continue;
            }
            let value = self.value(file.unwrap_or(value), property, &path_to(canonical));
            let is_same = canonical == "document" && read.get(canonical) == Some(&value);
            if read.insert(canonical.to_owned(), value).is_some() && !is_same {
                self.twice.push(path_to(canonical));
            }
        }
        let missing = required(schema).filter(|name| !read.contains_key(*name));
        self.missing.extend(missing.map(path_to));
        Value::Object(read)
    }

    /// Puts what an argument holds that is to be unfolded beside it.
    fn unfolded(
        &mut self,
        given: Map<String, Value>,
        properties: &Map<String, Value>,
        path: &str,
    ) -> Map<String, Value> {
        let Some((name, text)) =
            properties.iter().find_map(|(name, property)| Some((name, property["unfolds"].as_str()?)))
        else {
            return given;
        };
        let (folded, mut rest): (Vec<_>, Map<_, _>) = {
            let (folded, rest): (Vec<_>, Vec<_>) =
                given.into_iter().partition(|(given, _)| canonical(given, properties) == Some(name));
            (folded, rest.into_iter().collect())
        };
        for (_, value) in folded.into_iter().filter(|(_, value)| !value.is_null()) {
            self.heal(Leniency::Arguments);
            let members = match value {
                Value::Object(members) => members,
                Value::Number(index) => Map::from_iter([("to".to_owned(), json!({"index": index}))]),
                value => Map::from_iter([(text.to_owned(), value)]),
            };
            for (name, value) in members {
                if rest.insert(name.clone(), value).is_some() {
                    self.twice.push(format!("{path}.{name}"));
                }
            }
        }
        rest
    }
}

/// Returns the tags of a list in which some stand in brackets, or several in one text: no tag holds a bracket or a comma.
fn ungrouped(tags: &Value) -> Option<Value> {
    let given = tags.as_array().map_or_else(|| std::slice::from_ref(tags), Vec::as_slice);
    let split = |tag: &Value| {
        let tag = tag.as_str()?.trim();
        let inner = tag.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(tag);
        let is_group = (inner.len() < tag.len() || inner.contains(',')) && !inner.contains(['[', ']']);
        let all = || inner.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(Value::from).collect::<Vec<_>>();
        is_group.then(all)
    };
    let is_grouped = given.iter().any(|tag| split(tag).is_some());
    is_grouped.then(|| given.iter().flat_map(|tag| split(tag).unwrap_or_else(|| vec![tag.clone()])).collect())
}
