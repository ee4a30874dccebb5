//! The list of objects that a tool takes, in the other shapes in which models write it: as a text that holds JSON, wrapped once
//! more, as its only item, or as the members of that.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::names::document_of;
use super::{ArgumentError, Input};
use crate::locate::Leniency;
use crate::toolbox::json as lenient;

/// Brings what stands for the list of a tool, if it takes one, into that list.
pub(super) fn listed(input: &Input, arguments: &mut Cow<'_, Value>) -> Result<Vec<Leniency>, ArgumentError> {
    let mut healed = Vec::new();
    let own = &input.schema["properties"];
    let of_objects = |(_, schema): &(&String, &Value)| schema["items"]["properties"].is_object();
    let Some((name, schema)) = own.as_object().and_then(|own| own.iter().find(of_objects)) else { return Ok(healed) };
    let item = &schema["items"]["properties"];
    if arguments.is_array() {
        *arguments = Cow::Owned(json!({name: arguments.to_mut().take()}));
        healed.push(Leniency::Arguments);
    }
    let Some(members) = arguments.as_object() else { return Ok(healed) };
    let given = match input.names.given(members, name) {
        Some(given) => given,
        None => {
            let is_of = |name: &str, object: &Value| {
                object.as_object().is_some_and(|object| input.names.canonical(name, object).is_some())
            };
            if !members.keys().any(|name| is_of(name, item) && !is_of(name, own)) {
                return Ok(healed);
            }
            let Some(members) = arguments.to_mut().as_object_mut() else { return Ok(healed) };
            // The file that the document is taken for belongs to the call.
            let is_outer = |(name, value): &(String, Value)| {
                is_of(name, own) || (document_of(name, value).is_some() && !is_of(name, item))
            };
            let (outer, inner) = std::mem::take(members).into_iter().partition(is_outer);
            *members = outer;
            members.insert(name.clone(), json!([Value::Object(inner)]));
            // A single edit may stand alone, whatever it does.
            healed.extend(item.get("op").is_none().then_some(Leniency::Arguments));
            name.clone()
        }
    };
    let is_folded = arguments.get(&given).is_some_and(|list| list.is_string() || list.is_object());
    if is_folded && let Some(list) = arguments.to_mut().get_mut(&given) {
        healed.extend(unfolded(name, item, list)?);
    }
    Ok(healed)
}

/// Brings a value into a list of items.
fn unfolded(name: &str, item: &Value, list: &mut Value) -> Result<Vec<Leniency>, ArgumentError> {
    let mut healed = Vec::new();
    if let Value::String(text) = list {
        match lenient::read(text) {
            Ok((held, mended)) if held.is_array() || held.is_object() => {
                *list = held;
                healed.push(mended.unwrap_or(Leniency::Arguments));
            }
            // A text stands for what a bullet contains.
            _ if item.get("contains").is_some() => {
                *list = json!([text]);
                healed.push(Leniency::Arguments);
            }
            Ok(_) => {}
            Err(error) => {
                let flaw = lenient::flaw(&error);
                let message = format!("`{name}`: expected a JSON array, found broken JSON at {flaw}");
                return Err(ArgumentError::Value(message));
            }
        }
    }
    if let Some(inner) = list.get_mut(name).map(Value::take) {
        *list = inner;
        healed.push(Leniency::Arguments);
    }
    if list.is_object() {
        *list = Value::Array(vec![list.take()]);
        healed.push(Leniency::Arguments);
    }
    Ok(healed)
}
