//! Objects that occur more than once in the schema of a tool's arguments are said once, and referred to.

use serde_json::{Map, Value, json};

/// Moves objects that occur more than once into `$defs`, each under the name of the argument that it is first the value of.
pub(super) fn shared(mut schema: Value) -> Value {
    let mut objects = Vec::new();
    collect(&schema, "", &mut objects);
    let is_again = |object: &Value| objects.iter().filter(|(other, _)| other == object).count() > 1;
    let mut defs = Map::new();
    for (object, name) in objects.iter().filter(|(object, _)| is_again(object)) {
        if defs.values().all(|known| known != object) {
            defs.insert(name.clone(), object.clone());
        }
    }
    for property in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        refer(property.1, &defs);
    }
    if let (Some(members), false) = (schema.as_object_mut(), defs.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(defs));
    }
    schema
}

/// Collects the objects below a schema, each without what is said of its place, and with the name of its argument.
fn collect(schema: &Value, name: &str, objects: &mut Vec<(Value, String)>) {
    if schema.get("properties").is_some() && !name.is_empty() {
        objects.push((bare(schema), name.to_owned()));
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        collect(property, name, objects);
    }
    let choices = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    for place in schema.get("items").into_iter().chain(choices) {
        collect(place, name, objects);
    }
}

fn bare(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.remove("description");
    }
    object
}

/// Puts references in the place of objects that are said in `defs`.
fn refer(schema: &mut Value, defs: &Map<String, Value>) {
    let known = bare(schema);
    if let Some((name, _)) = defs.iter().find(|(_, object)| **object == known) {
        let mut reference = json!({"$ref": format!("#/$defs/{name}")});
        if let Some(words) = schema.get("description") {
            reference["description"] = words.clone();
        }
        *schema = reference;
        return;
    }
    let Some(members) = schema.as_object_mut() else { return };
    if let Some(items) = members.get_mut("items") {
        refer(items, defs);
    }
    members.get_mut("anyOf").and_then(Value::as_array_mut).into_iter().flatten().for_each(|choice| refer(choice, defs));
    let properties = members.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flatten().for_each(|(_, property)| refer(property, defs));
}
