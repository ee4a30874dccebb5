//! Reading arguments as models write them: other names, other letter case, numbers as text, nulls for what is left out, calls
//! wrapped once more.

mod error;
mod input;
mod lists;
mod names;
mod reader;
mod shape;
mod values;

use std::borrow::Cow;

use serde_json::Value;

use crate::locate::Leniency;

pub(super) use error::ArgumentError;
pub(super) use input::{Input, Prepare};
pub(super) use names::{Names, Synonyms, name_of};
pub(super) use shape::shape;
pub(super) use values::required;

use reader::{Misnamed, Reader, is_as_told};
use values::{kind, object_in};

/// Arguments under the tool's own names.
#[derive(Debug)]
pub(super) struct Arguments<'a> {
    pub(super) value: Cow<'a, Value>,
    /// How they were read less exactly than written: another name, another type, broken JSON.
    pub(super) healed: Vec<Leniency>,
}

/// Brings arguments into the names and types of the tool's schema, those of nested objects too.
pub(super) fn read<'a>(input: &Input, arguments: &'a Value) -> Result<Arguments<'a>, ArgumentError> {
    let schema = &*input.schema;
    let mut healed = Vec::new();
    let given = object_in(arguments).map_or(Cow::Borrowed(arguments), Cow::Owned);
    let inner = unwrapped(input, &given);
    if matches!(given, Cow::Owned(_)) || inner.is_some() {
        healed.push(Leniency::Arguments);
    }
    let mut given = inner.map_or(given, Cow::Owned);
    healed.extend(lists::listed(input, &mut given)?);
    if let Some(prepare) = input.prepare {
        healed.extend(prepare(given.to_mut(), &input.names)?);
    }
    if !given.is_object() {
        return Err(ArgumentError::NotAnObject(kind(&given)));
    }
    if is_as_told(&given, schema) {
        healed.dedup();
        return Ok(Arguments { value: given, healed });
    }
    let mut reader = Reader::new(input);
    let value = reader.value(&given, schema, "");
    if let Some(error) = reader.wrong_type {
        return Err(error);
    }
    let Misnamed { missing, unknown, twice } = reader.misnamed;
    if !(missing.is_empty() && unknown.is_empty() && twice.is_empty()) {
        return Err(ArgumentError::Names { missing, unknown, twice });
    }
    if reader.is_healed {
        healed.push(Leniency::Arguments);
    }
    healed.dedup();
    Ok(Arguments { value: Cow::Owned(value), healed })
}

/// Reads a number or a flag under this name as the text that it is written as.
pub(super) fn as_text(arguments: &mut Value, names: &Names, name: &str) -> Result<Vec<Leniency>, ArgumentError> {
    let Some(members) = arguments.as_object_mut() else { return Ok(Vec::new()) };
    match names.given(members, name).and_then(|name| members.get_mut(&name)) {
        Some(value) if value.is_number() || value.is_boolean() => {
            *value = Value::String(value.to_string());
            Ok(vec![Leniency::Arguments])
        }
        _ => Ok(Vec::new()),
    }
}

/// Names under which calls are wrapped once more.
const WRAPPERS: [&str; 5] = ["arguments", "args", "input", "parameters", "params"];

/// Returns the arguments of a call that was sent as the only member of an object, with no more than the name of this tool
/// beside it. Where the tool has an argument of that name, what is inside must have all that the tool requires.
fn unwrapped(input: &Input, arguments: &Value) -> Option<Value> {
    let members = arguments.as_object()?;
    let wrapper = name_of(members, &WRAPPERS)?;
    let is_name = |(name, value): (&String, &Value)| {
        *name == wrapper || (["name", "tool", "tool_name", "function"].contains(&name.as_str()) && value == input.name)
    };
    let inner = members.get(&wrapper)?;
    let inner = match inner {
        Value::Object(_) => inner.clone(),
        text => object_in(text)?,
    };
    let properties = input.schema.get("properties")?.as_object()?;
    let is_own = properties.contains_key(&wrapper);
    let has = |name: &str| {
        let given = inner.as_object().into_iter().flat_map(|inner| inner.keys());
        given.filter_map(|given| input.names.canonical(given, properties)).any(|given| given == name)
    };
    (members.iter().all(is_name) && (!is_own || required(&input.schema).all(has))).then_some(inner)
}
