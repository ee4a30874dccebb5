//! `edit_items`: its arguments and what they ask for.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::prepare::prepare;
use crate::request::{Annotation, Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::text::{Content, excerpt, printable};
use crate::toolbox::answer::Parts;
use crate::toolbox::arguments::Synonyms;
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::Field;
use crate::toolbox::tools::edit::Target;
use crate::toolbox::tools::marks::expiry;
use crate::toolbox::tools::selector::{SELECTOR, SelectorArguments, selector};
use crate::toolbox::{Effect, ToolDefinition};

pub(crate) static TOOL: ToolDefinition = ToolDefinition::editing::<Arguments>(About {
    name: "edit_items",
    title: "Edit bullets",
    effect: Effect::Edit,
    description: "Inserts, updates, deletes, moves, checks, tags or pins bullets of your memory, all or none. Use it for single \
        bullets, named by their text (`contains`, `starts_with`, `equals`), `key` (memory_read with view `keyed`), `tag`, or \
        `index` with `expect`. All edits see the memory as you saw it. Example: {\"edits\": [{\"op\": \"update\", \"target\": \
        {\"contains\": \"Denver\"}, \"text\": \"Lives in Austin\"}, {\"op\": \"insert\", \"target\": {\"section\": \
        \"Tasks\"}, \"text\": \"Tell the bank\"}]}",
    synonyms: &[SYNONYMS, SELECTOR],
    fields: &[
        (Field::Section, "/edits/{part}/target/section"),
        (Field::Section, "/edits/{part}/to/section"),
        (Field::Block, "/edits/{part}/target/block"),
        (Field::Block, "/edits/{part}/to/block"),
        (Field::Key, "/edits/{part}/target/key"),
        (Field::Index, "/edits/{part}/target/index"),
        (Field::Place, "/edits/{part}/to"),
        (Field::Count, "/edits/{part}/count"),
    ],
})
.preparing(prepare);

const SYNONYMS: Synonyms = &[
    ("edits", "operations ops items changes"),
    ("tags", "tag"),
    ("op", "operation action type intent"),
    ("target", "selector where item"),
    ("text", "content value new_text new_content"),
    ("to", "position destination at"),
    ("expect", "expected expected_text old_text"),
    ("allow_duplicate", "allow_duplicates"),
    ("after", "next"),
    ("before", "previous"),
    ("under", "parent child_of"),
];

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The edits.
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
    /// How many bullets `target` names.
    count: Option<usize>,
    /// The text without marker and tags, `[ ]` or `[x]` in front for a checkbox.
    text: Option<String>,
    /// Tags to add or remove; of a new bullet, its tags.
    tags: Option<Vec<String>>,
    /// How its text begins, as you saw it. Needed to update or delete by `index`.
    expect: Option<String>,
    /// Instead of `expect`: the texts of the bullets around it.
    neighbors: Option<NeighborArguments>,
    /// Where to insert or move to; default: `last`.
    #[schemars(with = "Option<To>")]
    to: Option<Value>,
    /// On delete: `delete` nested bullets too, or `keep` them a level higher. Default: refuse.
    children: Option<ChildrenArgument>,
    /// Insert a duplicate.
    allow_duplicate: Option<bool>,
    /// With `set_ttl`: how long (`7d`), or the end (`2026-12-31`).
    ttl: Option<String>,
    /// Its start. Default: now.
    since: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, derive_more::Display)]
#[serde(rename_all = "snake_case")]
#[display(rename_all = "snake_case")]
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
    Check,
    Uncheck,
    Pin,
    Unpin,
    SetTtl,
    ClearTtl,
}

/// The texts, or their beginnings, of the bullets around one; empty where there is none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct NeighborArguments {
    before: Option<String>,
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

// An end of a list.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum End {
    #[serde(alias = "top", alias = "start", alias = "beginning")]
    First,
    #[serde(alias = "bottom", alias = "end")]
    Last,
}

// A place, in the list of the target or in another.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct PlaceArguments {
    /// The section to move to.
    section: Option<String>,
    /// The block to move to.
    block: Option<String>,
    /// Its index afterwards.
    index: Option<i64>,
    /// The bullet to stand before, as deep.
    before: Option<SelectorArguments>,
    /// The bullet to stand behind, as deep.
    after: Option<SelectorArguments>,
    /// The bullet to be the last child of.
    under: Option<SelectorArguments>,
    /// An end of the list. Default: `last`.
    place: Option<End>,
}

impl Edits for Arguments {
    type Told = Parts;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        let edits: Result<Vec<_>, _> = self.edits.into_iter().map(EditArguments::read).collect();
        self.target.asks(Items::new(edits?))
    }
}

impl EditArguments {
    fn read(mut self) -> Result<ItemEdit, CallError> {
        let target = self.target.take().map(selector);
        if target.is_none() && !matches!(self.op, Op::Insert) {
            return Err(missing("target", self.op));
        }
        let op = self.take_op()?;
        self.check_unused()?;
        if self.count.is_some() && matches!(self.op, Op::Insert | Op::Update | Op::Upsert) {
            let message = format!("`count`: expected with an op on bullets as they are, found with `{}`", self.op);
            return Err(CallError::invalid(message));
        }
        if let (ItemOp::Insert { .. }, true) = (&op, self.neighbors.is_some() || self.expect.is_some()) {
            let message =
                "`expect` and `neighbors` tell of a bullet that is there; `insert` makes one: its place goes into `to`";
            return Err(CallError::invalid(message));
        }
        let neighbors = self.neighbors.unwrap_or_default();
        let evidence = Evidence {
            expect: self.expect.map(Into::into),
            before: neighbors.before.map(Into::into),
            after: neighbors.after.map(Into::into),
        };
        let mut edit = ItemEdit::new(target.unwrap_or_default(), op).with_evidence(evidence);
        edit.count = self.count;
        Ok(edit)
    }

    /// Takes the members that the op has a use for.
    fn take_op(&mut self) -> Result<ItemOp, CallError> {
        let op = self.op;
        Ok(match op {
            Op::Insert => ItemOp::Insert { item: self.take_item()?, to: self.take_place()?.unwrap_or_default() },
            Op::Update => ItemOp::Update { item: self.take_item()? },
            Op::Upsert => ItemOp::Upsert { item: self.take_item()?, to: self.take_place()?.unwrap_or_default() },
            Op::Delete => ItemOp::Delete {
                children: match self.children.take() {
                    None => Children::Refuse,
                    Some(ChildrenArgument::Delete) => Children::Delete,
                    Some(ChildrenArgument::Keep) => Children::Keep,
                },
            },
            Op::Reorder => ItemOp::Reorder { to: self.take_place()?.ok_or_else(|| missing("to", op))? },
            Op::Tag => ItemOp::Tag { tags: self.take_tags().ok_or_else(|| missing("tags", op))? },
            Op::Untag => ItemOp::Untag { tags: self.take_tags().ok_or_else(|| missing("tags", op))? },
            Op::Check => ItemOp::Annotate(Annotation::Check),
            Op::Uncheck => ItemOp::Annotate(Annotation::Uncheck),
            Op::Pin => ItemOp::Annotate(Annotation::Pin),
            Op::Unpin => ItemOp::Annotate(Annotation::Unpin),
            Op::SetTtl => {
                let ttl = self.ttl.take().ok_or_else(|| missing("ttl", op))?;
                ItemOp::Annotate(Annotation::SetTtl(expiry(&ttl, self.since.take().as_deref())?))
            }
            Op::ClearTtl => ItemOp::Annotate(Annotation::ClearTtl),
        })
    }

    fn take_item(&mut self) -> Result<NewItem, CallError> {
        let text = self.text.take().ok_or_else(|| missing("text", self.op))?;
        let mut item = NewItem::new(text).with_tags(self.take_tags().unwrap_or_default());
        item.allow_duplicate = self.allow_duplicate.take().unwrap_or(false);
        Ok(item)
    }

    fn take_tags(&mut self) -> Option<Vec<Content>> {
        self.tags.take().map(|tags| tags.into_iter().map(Content::from).collect())
    }

    fn take_place(&mut self) -> Result<Option<Destination>, CallError> {
        let place = self.to.take().map(destination).transpose()?;
        Ok(place.filter(|place| *place != Destination::default()))
    }

    /// Refuses members that the op has no use for, unless they say nothing.
    fn check_unused(&self) -> Result<(), CallError> {
        let says = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let is_empty = |to: &Value| to.as_object().map_or_else(|| to == "", serde_json::Map::is_empty);
        let unused = [
            ("text", says(&self.text)),
            ("tags", self.tags.as_ref().is_some_and(|tags| !tags.is_empty())),
            ("to", self.to.as_ref().is_some_and(|to| !is_empty(to))),
            ("children", self.children.is_some()),
            ("allow_duplicate", self.allow_duplicate == Some(true)),
            ("ttl", says(&self.ttl)),
            ("since", says(&self.since)),
        ];
        match unused.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(CallError::invalid(format!("`{name}`: `{}` has no use for it", self.op))),
            None => Ok(()),
        }
    }
}

/// Refuses an op that lacks a member.
fn missing(name: &str, op: Op) -> CallError {
    CallError::invalid(format!("`{name}`: expected with `{op}`, found nothing"))
}

/// Reads `to`: an end of the list, an index, or a place.
fn destination(to: Value) -> Result<Destination, CallError> {
    let place = match to {
        Value::String(word) => {
            let index = word.trim().parse::<i64>().ok();
            let end = || End::deserialize(Value::String(word.trim().to_lowercase()));
            match index {
                Some(index) => ItemPlace::Index(index),
                None => item_place(end().map_err(|_| no_place(&word))?),
            }
        }
        Value::Number(number) => {
            let found = || CallError::invalid(format!("`to`: expected a whole number, found {number}"));
            ItemPlace::Index(number.as_i64().ok_or_else(found)?)
        }
        place => return PlaceArguments::deserialize(place).map_err(CallError::invalid)?.read(),
    };
    Ok(Destination::at(place))
}

/// Refuses a word that is no end of a list.
fn no_place(word: &str) -> CallError {
    let found = printable(&excerpt(word, 60));
    CallError::invalid(format!(
        "`to`: expected \"first\", \"last\" or an object such as {{\"section\": TITLE}} or {{\"after\": SELECTOR}}, found `{found}`"
    ))
}

impl PlaceArguments {
    fn read(self) -> Result<Destination, CallError> {
        let PlaceArguments { section, block, index, before, after, under, place } = self;
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
            return Err(CallError::invalid(message));
        }
        Ok(Destination { section: section.map(Into::into), block: block.map(Into::into), place })
    }
}

const fn item_place(end: End) -> ItemPlace {
    match end {
        End::First => ItemPlace::First,
        End::Last => ItemPlace::Last,
    }
}
