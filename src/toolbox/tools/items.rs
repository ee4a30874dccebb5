//! `edit_items`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::apply::tell_parts;
use super::super::arguments::{ArgumentError, listed, name_of};
use super::super::definition::{Action, Asked, Effect, ToolDefinition};
use super::super::output::{Parts, reply_of};
use super::super::reply::Reply;
use super::super::schema::input_of;
use super::super::{explain, phrase};
use super::edit::{OUTER, Target, parse};
use super::selector::{SelectorArguments, selector};
use crate::locate::Rung;
use crate::request::{Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::text::excerpt;

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "edit_items",
    title: "Edit bullets",
    effect: Effect::Edit,
    description: "Inserts, updates, deletes, moves or tags bullets of your memory, all or none. Use it when you know \
        which bullet you mean. Name it by its text (`contains`, `starts_with`, `equals`), its `key` (memory_read with view \
        `keyed`), its `tag`, or its `index` with `expect`. All edits see the memory as you saw it; counted lists are \
        renumbered, years not. Example: {\"edits\": [{\"op\": \"update\", \"target\": {\"section\": \"Facts\", \"contains\": \
        \"Denver\"}, \"text\": \"Lives in Austin\"}, {\"op\": \"insert\", \"target\": {\"section\": \"Tasks\"}, \
        \"text\": \"Tell the bank\"}]}",
    schema: input_of::<Arguments>,
    output: reply_of::<Parts>,
    synonyms: &[
        ("operations", "edits"),
        ("ops", "edits"),
        ("items", "edits"),
        ("changes", "edits"),
        ("tag", "tags"),
        ("operation", "op"),
        ("action", "op"),
        ("type", "op"),
        ("intent", "op"),
        ("selector", "target"),
        ("where", "target"),
        ("item", "target"),
        ("content", "text"),
        ("value", "text"),
        ("new_text", "text"),
        ("new_content", "text"),
        ("text", "contains"),
        ("match", "contains"),
        ("startswith", "starts_with"),
        ("prefix", "starts_with"),
        ("exact", "equals"),
        ("exactly", "equals"),
        ("id", "key"),
        ("position", "to"),
        ("position", "index"),
        ("destination", "to"),
        ("at", "to"),
        ("at", "index"),
        ("expected", "expect"),
        ("expected_text", "expect"),
        ("old_text", "expect"),
        ("allow_duplicates", "allow_duplicate"),
        ("next", "after"),
        ("previous", "before"),
        ("parent", "under"),
        ("child_of", "under"),
    ],
    prepare,
    action: Action::Edit { ask, tell: tell_parts },
    phrase: phrase::bullet,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The edits, all made or none.
    edits: Vec<EditArguments>,
    #[serde(flatten)]
    target: Target,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct EditArguments {
    /// What to do; `reorder` moves a bullet, `upsert` updates the one that matches, else inserts.
    op: Op,
    /// The bullet; to insert, the section or block.
    target: Option<SelectorArguments>,
    /// The text, without marker and tags. A `[ ]` or `[x]` at its beginning is the checkbox, which an update keeps without one.
    /// Further lines become continuation lines.
    text: Option<String>,
    /// Tags to add or remove; of a new bullet, its tags.
    tags: Option<Vec<String>>,
    /// Its text as you saw it, or the beginning. Needed to update or delete by `index`.
    expect: Option<String>,
    /// Instead of `expect`: the bullets around it as you saw them.
    neighbors: Option<NeighborArguments>,
    /// Where to insert, or to move to: `first`, `last` (default), or a place.
    #[schemars(with = "Option<To>")]
    to: Option<Value>,
    /// When their parent is deleted: `delete` nested bullets, or `keep` them a level higher. Default: refuse.
    children: Option<ChildrenArgument>,
    /// Insert even what is there already. Default: false.
    allow_duplicate: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Op {
    #[serde(alias = "add", alias = "append", alias = "create")]
    Insert,
    #[serde(alias = "modify", alias = "replace", alias = "edit", alias = "change", alias = "set")]
    Update,
    #[serde(alias = "remove")]
    Delete,
    #[serde(alias = "move")]
    Reorder,
    Upsert,
    #[serde(alias = "add_tag", alias = "add_tags")]
    Tag,
    #[serde(alias = "remove_tag", alias = "remove_tags")]
    Untag,
}

/// The texts, or their beginnings, of the bullets around one; empty where there is none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct NeighborArguments {
    /// The text of the one before.
    before: Option<String>,
    /// The text of the one after.
    after: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ChildrenArgument {
    Delete,
    Keep,
}

/// The forms of `to`, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "read by hand, since an untagged enum tells nothing of what is wrong")]
enum To {
    Word(End),
    Place(Box<PlaceArguments>),
}

/// An end of a list.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    #[serde(alias = "top", alias = "start", alias = "beginning")]
    First,
    #[serde(alias = "bottom", alias = "end")]
    Last,
}

/// A place, in the list of the target or in another.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct PlaceArguments {
    /// The section to move to.
    section: Option<String>,
    /// The block to move to.
    block: Option<String>,
    /// The index that the bullet has afterwards.
    index: Option<i64>,
    /// The bullet to stand before, nested as deep.
    before: Option<SelectorArguments>,
    /// The bullet to stand behind, nested as deep.
    after: Option<SelectorArguments>,
    /// The bullet to be nested in, as its last child.
    under: Option<SelectorArguments>,
    /// An end of the list. Default: `last`.
    place: Option<End>,
}

/// Names under which the list of edits is given.
const LISTS: [&str; 5] = ["edits", "operations", "ops", "items", "changes"];
/// Names under which what to do is given.
const OPS: [&str; 5] = ["op", "operation", "action", "type", "intent"];
/// Names under which the bullet is given.
const TARGETS: [&str; 4] = ["target", "selector", "where", "item"];
/// Members of a selector that stand beside an op, each with the names that models give it.
const BESIDE: [(&str, &[&str]); 6] = [
    ("section", &["section", "section_name", "heading"]),
    ("block", &["block", "block_id", "memory_id"]),
    ("key", &["key"]),
    ("contains", &["contains"]),
    ("starts_with", &["starts_with", "startswith"]),
    ("equals", &["equals"]),
];
/// How many of those name a list, and may stand beside the list of edits.
const SCOPES: usize = 2;

/// Puts a single edit into a list, what stands beside the list or an op into its target, and `payload` where it belongs.
fn prepare(arguments: &mut Value) -> Result<Vec<Rung>, ArgumentError> {
    let mut is_healed = arguments.is_array();
    if is_healed {
        *arguments = Value::Object(Map::from_iter([("edits".to_owned(), arguments.take())]));
    }
    let Some(members) = arguments.as_object_mut() else { return Ok(Vec::new()) };
    let is_single = name_of(members, &LISTS).is_none();
    if is_single && name_of(members, &OPS).is_some() {
        let mut edit = std::mem::take(members);
        while let Some(name) = name_of(&edit, &OUTER) {
            members.extend(edit.remove_entry(&name));
        }
        members.insert("edits".to_owned(), Value::Array(vec![Value::Object(edit)]));
    }
    let Some(name) = name_of(members, &LISTS) else { return Ok(Vec::new()) };
    let mut list = members.remove(&name).unwrap_or_default();
    is_healed |= listed(&mut list);
    let scopes: Vec<_> = BESIDE.iter().take(SCOPES).filter_map(|beside| taken(members, *beside)).collect();
    is_healed |= !scopes.is_empty();
    for edit in list.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        is_healed |= unfold_payload(edit)?;
        is_healed |= lift_outer(edit, members)?;
        let beside: Vec<_> = BESIDE.iter().filter_map(|beside| taken(edit, *beside)).collect();
        is_healed |= !beside.is_empty();
        let names_list = |edit: &Map<String, Value>| {
            let target = name_of(edit, &TARGETS).and_then(|name| edit.get(&name)).and_then(Value::as_object);
            target.is_some_and(|target| BESIDE.iter().take(SCOPES).any(|(_, names)| name_of(target, names).is_some()))
        };
        add_to_target(edit, beside)?;
        is_healed |= read_tags(edit);
        if !names_list(edit) {
            add_to_target(edit, scopes.clone())?;
        }
    }
    members.insert(name, list);
    Ok(if is_healed { vec![Rung::Arguments] } else { Vec::new() })
}

/// Takes a member of a selector out of the object that it stands in; an empty one counts as left out.
fn taken(members: &mut Map<String, Value>, (name, names): (&str, &[&str])) -> Option<(String, Value)> {
    let given = name_of(members, names)?;
    members.remove(&given).filter(|value| !value.is_null() && value != "").map(|value| (name.to_owned(), value))
}

/// Puts a single tag into a list, and takes the brackets off tags that are written as in a document.
fn read_tags(edit: &mut Map<String, Value>) -> bool {
    let Some(tags) = name_of(edit, &["tags", "tag"]).and_then(|name| edit.get_mut(&name)) else { return false };
    let mut is_healed = tags.is_string();
    if is_healed {
        *tags = Value::Array(vec![tags.take()]);
    }
    for tag in tags.as_array_mut().into_iter().flatten() {
        let inner = tag.as_str().and_then(|tag| tag.trim().strip_prefix('[')?.strip_suffix(']'));
        if let Some(inner) = inner.filter(|inner| !inner.contains(['[', ']', ','])) {
            *tag = inner.trim().into();
            is_healed = true;
        }
    }
    is_healed
}

/// Moves the document and the base of an edit to the call, where they are the same for all.
fn lift_outer(edit: &mut Map<String, Value>, call: &mut Map<String, Value>) -> Result<bool, ArgumentError> {
    let mut is_healed = false;
    while let Some(name) = name_of(edit, &OUTER) {
        let Some(value) = edit.remove(&name).filter(|value| !value.is_null() && value != "") else { continue };
        is_healed = true;
        let known = call.entry(name.clone()).or_insert_with(|| value.clone());
        if *known != value {
            return Err(ArgumentError::Value(format!("`{name}`: expected one for all edits, found several")));
        }
    }
    Ok(is_healed)
}

/// Adds members to the target of an edit. One that the target has already must be the same.
fn add_to_target(edit: &mut Map<String, Value>, members: Vec<(String, Value)>) -> Result<(), ArgumentError> {
    if members.is_empty() {
        return Ok(());
    }
    let name = name_of(edit, &TARGETS).unwrap_or_else(|| "target".to_owned());
    let target = edit.entry(name).or_insert(Value::Null);
    match target {
        Value::Null => *target = Value::Object(Map::new()),
        Value::String(text) if text.is_empty() => *target = Value::Object(Map::new()),
        Value::String(text) => *target = json!({"contains": std::mem::take(text)}),
        _ => {}
    }
    let Some(target) = target.as_object_mut() else { return Ok(()) };
    for (member, value) in members {
        let names = BESIDE.iter().find(|(name, _)| *name == member).map_or(&[] as &[&str], |(_, names)| names);
        let same = name_of(target, names).unwrap_or(member);
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
fn unfold_payload(edit: &mut Map<String, Value>) -> Result<bool, ArgumentError> {
    let Some(payload) = name_of(edit, &["payload"]).and_then(|name| edit.remove(&name)) else { return Ok(false) };
    let members = match payload {
        Value::Null => return Ok(false),
        Value::String(text) => Map::from_iter([("text".to_owned(), Value::String(text))]),
        Value::Number(index) => {
            let to = Map::from_iter([("index".to_owned(), Value::Number(index))]);
            Map::from_iter([("to".to_owned(), Value::Object(to))])
        }
        Value::Object(members) => members,
        _ => return Err(ArgumentError::Value("`payload`: expected a text, an index or an object".to_owned())),
    };
    for (name, value) in members {
        if edit.insert(name.clone(), value).is_some() {
            return Err(ArgumentError::twice(name));
        }
    }
    Ok(true)
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let edits: Result<Vec<_>, _> = arguments.edits.into_iter().map(|edit| read_edit(tool, edit)).collect();
    arguments.target.asks(tool, Items::new(edits?))
}

fn read_edit(tool: &ToolDefinition, edit: EditArguments) -> Result<ItemEdit, Reply> {
    let missing = |name: &str| {
        explain::invalid_value(tool, format!("`{name}`: expected with `{}`, found nothing", op_name(edit.op)))
    };
    let target = edit.target.map(selector);
    if target.is_none() && !matches!(edit.op, Op::Insert) {
        return Err(missing("target"));
    }
    let item = |text: Option<String>, tags: Option<Vec<String>>| -> Result<NewItem, Reply> {
        let mut item = NewItem::new(text.ok_or_else(|| missing("text"))?).with_tags(tags.unwrap_or_default());
        item.allow_duplicate = edit.allow_duplicate.unwrap_or(false);
        Ok(item)
    };
    let has_destination = edit.to.is_some();
    let to = edit.to.map_or_else(|| Ok(Destination::default()), |to| destination(tool, to))?;
    let op = match edit.op {
        Op::Insert => ItemOp::Insert { item: item(edit.text, edit.tags)?, to },
        Op::Update => ItemOp::Update { item: item(edit.text, edit.tags)? },
        Op::Upsert => ItemOp::Upsert { item: item(edit.text, edit.tags)?, to },
        Op::Delete => ItemOp::Delete {
            children: match edit.children {
                None => Children::Refuse,
                Some(ChildrenArgument::Delete) => Children::Delete,
                Some(ChildrenArgument::Keep) => Children::Keep,
            },
        },
        Op::Reorder if !has_destination => return Err(missing("to")),
        Op::Reorder => ItemOp::Reorder { to },
        Op::Tag => {
            ItemOp::Tag { tags: edit.tags.ok_or_else(|| missing("tags"))?.into_iter().map(Into::into).collect() }
        }
        Op::Untag => {
            ItemOp::Untag { tags: edit.tags.ok_or_else(|| missing("tags"))?.into_iter().map(Into::into).collect() }
        }
    };
    let neighbors = edit.neighbors.unwrap_or_default();
    let evidence = Evidence {
        expect: edit.expect.map(Into::into),
        before: neighbors.before.map(Into::into),
        after: neighbors.after.map(Into::into),
    };
    Ok(ItemEdit::new(target.unwrap_or_default(), op).with_evidence(evidence))
}

const fn op_name(op: Op) -> &'static str {
    match op {
        Op::Insert => "insert",
        Op::Update => "update",
        Op::Delete => "delete",
        Op::Reorder => "reorder",
        Op::Upsert => "upsert",
        Op::Tag => "tag",
        Op::Untag => "untag",
    }
}

/// Reads `to`: an end of the list, an index, or a place.
fn destination(tool: &ToolDefinition, to: Value) -> Result<Destination, Reply> {
    let place = match to {
        Value::String(word) => {
            let index = word.trim().parse::<i64>().ok();
            let end = || parse::<End>(tool, &Value::String(word.trim().to_lowercase()));
            match index {
                Some(index) => ItemPlace::Index(index),
                None => item_place(end()?),
            }
        }
        Value::Number(number) => {
            let found = || explain::invalid_value(tool, format!("`to`: expected a whole number, found {number}"));
            ItemPlace::Index(number.as_i64().ok_or_else(found)?)
        }
        place => return read_place(tool, parse(tool, &place)?),
    };
    Ok(Destination::at(place))
}

fn read_place(tool: &ToolDefinition, arguments: PlaceArguments) -> Result<Destination, Reply> {
    let PlaceArguments { section, block, index, before, after, under, place } = arguments;
    let places = [
        index.map(ItemPlace::Index),
        before.map(|sibling| ItemPlace::Before(Box::new(selector(sibling)))),
        after.map(|sibling| ItemPlace::After(Box::new(selector(sibling)))),
        under.map(|parent| ItemPlace::Under(Box::new(selector(parent)))),
        place.map(item_place),
    ];
    let mut places = places.into_iter().flatten();
    let place = places.next();
    if places.next().is_some() {
        let message = "`to`: expected one of `index`, `before`, `after`, `under` and `place`, found several";
        return Err(explain::invalid_value(tool, message));
    }
    if place.is_none() && section.is_none() && block.is_none() {
        return Err(explain::invalid_value(tool, "`to`: expected a place, found none"));
    }
    Ok(Destination { section: section.map(Into::into), block: block.map(Into::into), place })
}

const fn item_place(end: End) -> ItemPlace {
    match end {
        End::First => ItemPlace::First,
        End::Last => ItemPlace::Last,
    }
}
