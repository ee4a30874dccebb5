//! The other shapes in which models write edits of bullets, brought into that of the schema.

use serde_json::{Map, Value, json};

use crate::locate::Leniency;
use crate::text::excerpt;
use crate::toolbox::arguments::{ArgumentError, Names, name_of};
use crate::toolbox::json::object_of;
use crate::toolbox::tools::edit::Target;

/// The members of a selector that name a list, and may stand beside the list of edits.
const SCOPES: [&str; 2] = ["section", "block"];
/// Those that may stand beside an op, under any of their names.
const BESIDE: [&str; 4] = ["section", "block", "starts_with", "equals"];
/// Those that may stand beside an op under their own name only: their other names are those of the edit's own members.
const BESIDE_AS_THEY_ARE: [&str; 2] = ["key", "contains"];

/// Puts what stands beside the list or an op into the target of each edit, and `payload` where it belongs.
pub(super) fn prepare(arguments: &mut Value, names: &Names) -> Result<Vec<Leniency>, ArgumentError> {
    let mut is_healed = false;
    let Some(call) = arguments.as_object_mut() else { return Ok(Vec::new()) };
    let Some(name) = names.given(call, "edits") else { return Ok(Vec::new()) };
    let mut list = call.remove(&name).unwrap_or_default();
    let scopes: Vec<_> = SCOPES.iter().filter_map(|scope| taken(call, scope, names.given(call, scope))).collect();
    is_healed |= !scopes.is_empty();
    for members in list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        let mut edit = Edit { members, names };
        is_healed |= edit.unfold_payload()?;
        is_healed |= edit.lift_outer(call)?;
        let beside = edit.take_beside();
        is_healed |= !beside.is_empty();
        edit.add_to_target(beside)?;
        is_healed |= edit.read_tags();
        if !edit.names_list() {
            edit.add_to_target(scopes.clone())?;
        }
    }
    call.insert(name, list);
    Ok(if is_healed { vec![Leniency::Arguments] } else { Vec::new() })
}

/// Returns the name under which members hold an argument of the call.
fn outer(members: &Map<String, Value>, names: &Names) -> Option<String> {
    Target::NAMES.into_iter().find_map(|argument| names.given(members, argument))
}

/// Takes a member out of the object that holds it under the name `given`; an empty one counts as left out.
fn taken(members: &mut Map<String, Value>, name: &str, given: Option<String>) -> Option<(String, Value)> {
    members.remove(&given?).filter(|value| !value.is_null() && value != "").map(|value| (name.to_owned(), value))
}

/// Reads a group of tags as its tags: no tag holds a bracket or a comma. `None` if it is one tag.
fn group(tag: &str) -> Option<Vec<Value>> {
    let tag = tag.trim();
    let inner = tag.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(tag);
    let is_group = (inner.len() < tag.len() || inner.contains(',')) && !inner.contains(['[', ']']);
    is_group.then(|| inner.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(Value::from).collect())
}

/// One edit of the list, with the names that models use.
struct Edit<'a> {
    members: &'a mut Map<String, Value>,
    names: &'a Names,
}

impl Edit<'_> {
    /// Takes out the members of a selector that stand beside the op.
    fn take_beside(&mut self) -> Vec<(String, Value)> {
        let as_they_are = BESIDE_AS_THEY_ARE.map(|name| (name, name_of(self.members, &[name])));
        let others = BESIDE.map(|name| (name, self.names.given(self.members, name)));
        // Beside an op that needs evidence for it, an index is that of the bullet.
        let index = ("index", name_of(self.members, &["index"]).filter(|_| self.needs_evidence()));
        let all = others.into_iter().chain(as_they_are).chain([index]);
        all.filter_map(|(name, given)| taken(self.members, name, given)).collect()
    }

    /// Reports whether the target names the list that its bullet is in.
    fn names_list(&self) -> bool {
        let target = self.names.value(self.members, "target").and_then(Value::as_object);
        target.is_some_and(|target| SCOPES.iter().any(|scope| self.names.value(target, scope).is_some()))
    }

    /// Reports whether the op names a bullet that is there by what it says.
    fn needs_evidence(&self) -> bool {
        self.is_op(&["update", "delete", "remove", "modify", "replace", "edit", "change", "set"])
    }

    fn is_op(&self, ops: &[&str]) -> bool {
        self.names.value(self.members, "op").and_then(Value::as_str).is_some_and(|op| ops.contains(&op))
    }

    /// Puts a single tag into a list, and takes the brackets off tags that are written as in a document.
    fn read_tags(&mut self) -> bool {
        let tags = self.names.given(self.members, "tags").and_then(|name| self.members.get_mut(&name));
        let Some(tags) = tags else { return false };
        let mut is_healed = tags.is_string();
        if is_healed {
            *tags = Value::Array(vec![tags.take()]);
        }
        let Some(tags) = tags.as_array_mut() else { return is_healed };
        for tag in std::mem::take(tags) {
            match tag.as_str().and_then(group) {
                Some(group) => {
                    tags.extend(group);
                    is_healed = true;
                }
                None => tags.push(tag),
            }
        }
        is_healed
    }

    /// Moves the document and the base of an edit to the call, where they are the same for all.
    fn lift_outer(&mut self, call: &mut Map<String, Value>) -> Result<bool, ArgumentError> {
        let mut is_healed = false;
        while let Some(name) = outer(self.members, self.names) {
            let Some(value) = self.members.remove(&name).filter(|value| !value.is_null() && value != "") else {
                continue;
            };
            is_healed = true;
            let known = call.entry(name.clone()).or_insert_with(|| value.clone());
            if *known != value {
                return Err(ArgumentError::Value(format!("`{name}`: expected one for all edits, found several")));
            }
        }
        Ok(is_healed)
    }

    /// Adds members to the target of an edit. One that the target has already must be the same.
    fn add_to_target(&mut self, members: Vec<(String, Value)>) -> Result<(), ArgumentError> {
        if members.is_empty() {
            return Ok(());
        }
        let name = self.names.given(self.members, "target").unwrap_or_else(|| "target".to_owned());
        let target = self.members.entry(name).or_insert(Value::Null);
        match target {
            Value::Null => *target = Value::Object(Map::new()),
            Value::String(text) if text.is_empty() => *target = Value::Object(Map::new()),
            Value::String(text) => *target = json!({"contains": std::mem::take(text)}),
            _ => {}
        }
        let Some(target) = target.as_object_mut() else { return Ok(()) };
        for (member, value) in members {
            let same = self.names.given(target, &member).unwrap_or(member);
            let known = target.entry(same.clone()).or_insert_with(|| value.clone());
            if known.is_null() || known == "" {
                *known = value;
            } else if *known != value {
                let message = format!("`{same}`: expected one, found {value} beside a target with {known}");
                return Err(ArgumentError::Value(excerpt(&message, 300)));
            }
        }
        Ok(())
    }

    /// Reads `payload`: a string is the text, a number the place, an object has members of the edit.
    fn unfold_payload(&mut self) -> Result<bool, ArgumentError> {
        let Some(payload) = name_of(self.members, &["payload"]).and_then(|name| self.members.remove(&name)) else {
            return Ok(false);
        };
        let members = match payload {
            Value::Null => return Ok(false),
            Value::String(text) => object_of(vec![("text".to_owned(), Value::String(text))]),
            Value::Number(index) => {
                let to = object_of(vec![("index".to_owned(), Value::Number(index))]);
                object_of(vec![("to".to_owned(), Value::Object(to))])
            }
            Value::Object(members) => members,
            _ => return Err(ArgumentError::Value("`payload`: expected a text, an index or an object".to_owned())),
        };
        for (name, value) in members {
            if self.members.insert(name.clone(), value).is_some() {
                return Err(ArgumentError::twice(name));
            }
        }
        Ok(true)
    }
}
