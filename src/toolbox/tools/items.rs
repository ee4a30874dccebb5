//! `edit_items`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::document::Expiry;
use crate::locate::{Code, Selector};
use crate::request::{Annotation, Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::text::Content;
use crate::toolbox::context::{Context, parsed};
use crate::toolbox::definition::{Answer, CallError, Tool};
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::tools::selector::SelectorArguments;

/// Inserts, updates, deletes, moves, checks, tags or pins bullets of your memory, all or none. Use
/// it for single bullets. A target is named by its text without checkbox and tags (`contains`,
/// `starts_with`, `equals`), `key` (memory_read with view `keyed`), `tag`, `checkbox`, or `index`
/// with `expect`.
/// Example: {"edits": [{"op": "update", "target": {"contains": "Denver"}, "text": "Lives in
/// Austin"}, {"op": "insert", "target": {"section": "Tasks"}, "text": "Tell the bank"}]}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EditItems {
    /// The edits.
    #[schemars(extend("aliases" = "operations ops items changes", "alone" = true))]
    edits: Vec<EditArguments>,
    // A list that all edits are in whose target names none.
    #[schemars(extend("hidden" = true))]
    section: Option<String>,
    #[schemars(extend("hidden" = true))]
    block: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
struct EditArguments {
    /// What to do; `reorder` moves a bullet, `upsert` updates the one that matches, else inserts.
    #[schemars(extend("aliases" = "operation action type intent"))]
    op: Op,
    /// The bullet; to insert, the section or block.
    #[schemars(extend("aliases" = "selector where item", "beside" = true))]
    target: Option<SelectorArguments>,
    /// How many bullets `target` names.
    count: Option<usize>,
    /// The text without marker and tags, `[ ]` or `[x]` in front for a checkbox.
    #[schemars(extend("aliases" = "content value new_text new_content", "empty" = true))]
    text: Option<String>,
    /// Tags to add or remove; of a new bullet, its tags.
    #[schemars(extend("aliases" = "tag"))]
    tags: Option<Vec<String>>,
    /// How its text begins, as you saw it. Needed to update or delete by `index`.
    #[schemars(extend("aliases" = "expected expected_text old_text"))]
    expect: Option<String>,
    /// Instead of `expect`: the texts of the bullets around it.
    neighbors: Option<NeighborArguments>,
    /// Where to insert or move to; default: `last`.
    #[schemars(extend("aliases" = "position destination at"))]
    to: Option<PlaceArguments>,
    /// On delete: `delete` nested bullets too, or `keep` them a level higher. Default: refuse.
    #[schemars(with = "Option<String>", extend("enum" = ["delete", "keep"]))]
    children: Option<Children>,
    /// Insert a duplicate.
    #[schemars(extend("aliases" = "allow_duplicates"))]
    allow_duplicate: Option<bool>,
    /// With `set_ttl`: how long (`7d`), or the end (`2026-12-31`).
    ttl: Option<String>,
    /// Its start. Default: now.
    since: Option<String>,
    #[schemars(with = "Option<serde_json::Map<String, Value>>", extend("hidden" = true, "unfolds" = true))]
    #[serde(rename = "payload")]
    _payload: Option<Value>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, extend("words" = "add=insert append=insert create=insert modify=update replace=update edit=update change=update \
    set=update remove=delete move=reorder add_tag=tag add_tags=tag remove_tag=untag remove_tags=untag"))]
enum Op {
    Insert,
    Update,
    Delete,
    Reorder,
    Upsert,
    Tag,
    Untag,
    Check,
    Uncheck,
    Pin,
    Unpin,
    SetTtl,
    ClearTtl,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The texts, or their beginnings, of the bullets around one; empty where there is none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(inline)]
struct NeighborArguments {
    #[schemars(extend("aliases" = "previous", "empty" = true))]
    before: Option<String>,
    #[schemars(extend("aliases" = "next", "empty" = true))]
    after: Option<String>,
}

// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline, extend("words" = "top=first start=first beginning=first bottom=last end=last"))]
enum End {
    First,
    Last,
}

impl From<End> for ItemPlace {
    fn from(end: End) -> Self {
        match end {
            End::First => Self::First,
            End::Last => Self::Last,
        }
    }
}

// A place, in the list of the target or in another.
#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(inline, extend("as_text" = "place"))]
struct PlaceArguments {
    /// The section to move to.
    section: Option<String>,
    /// The block to move to.
    block: Option<String>,
    /// Its index afterwards.
    #[schemars(extend("aliases" = "position at"))]
    index: Option<i64>,
    /// The bullet to stand before, as deep.
    before: Option<SelectorArguments>,
    /// The bullet to stand behind, as deep.
    after: Option<SelectorArguments>,
    /// The bullet to be the last child of.
    #[schemars(extend("aliases" = "parent child_of"))]
    under: Option<SelectorArguments>,
    /// An end of the list. Default: `last`.
    place: Option<End>,
}

impl Tool for EditItems {
    const FIELDS: Fields = &[
        (Field::Section, "/edits/{part}/target/section"),
        (Field::Section, "/edits/{part}/to/section"),
        (Field::Block, "/edits/{part}/target/block"),
        (Field::Block, "/edits/{part}/to/block"),
        (Field::Key, "/edits/{part}/target/key"),
        (Field::Index, "/edits/{part}/target/index"),
        (Field::Place, "/edits/{part}/to"),
        (Field::Count, "/edits/{part}/count"),
        (Field::Children, "/edits/{part}/children"),
    ];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let (section, block) = (self.section, self.block);
        let edits = self.edits.into_iter().map(|edit| edit.read(section.as_deref(), block.as_deref()));
        let edits: Vec<_> = edits.collect::<Result<_, _>>()?;
        Ok(cx.make(Items::new(edits))?.with_parts())
    }
}

impl EditArguments {
    fn read(mut self, section: Option<&str>, block: Option<&str>) -> Result<ItemEdit, CallError> {
        let op = self.op;
        let target = self.take_target(section, block);
        if target.is_none() && !matches!(op, Op::Insert) {
            return Err(missing("target", op));
        }
        let item_op = self.take_op()?;
        self.check_unused()?;
        if self.count.is_some() && matches!(op, Op::Insert | Op::Update | Op::Upsert) {
            let message = format!("`count`: expected with an op on bullets as they are, found with `{op}`");
            return Err(CallError::invalid(message));
        }
        if matches!(op, Op::Insert) && (self.neighbors.is_some() || self.expect.is_some()) {
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
        let mut edit = ItemEdit::new(target.unwrap_or_default(), item_op).with_evidence(evidence);
        edit.count = self.count;
        Ok(edit)
    }

    /// Takes the target, in the list that is named beside the edits if it names none.
    fn take_target(&mut self, section: Option<&str>, block: Option<&str>) -> Option<Selector> {
        let mut target = self.target.take().unwrap_or_default();
        if target.section.is_none() && target.block.is_none() {
            (target.section, target.block) = (section.map(str::to_owned), block.map(str::to_owned));
        }
        Some(Selector::from(target)).filter(|selector| *selector != Selector::default())
    }

    /// Takes the members that the op has a use for.
    fn take_op(&mut self) -> Result<ItemOp, CallError> {
        let op = self.op;
        Ok(match op {
            Op::Insert => ItemOp::Insert { item: self.take_item()?, to: self.take_place()?.unwrap_or_default() },
            Op::Update => ItemOp::Update { item: self.take_item()? },
            Op::Upsert => ItemOp::Upsert { item: self.take_item()?, to: self.take_place()?.unwrap_or_default() },
            Op::Delete => ItemOp::Delete { children: self.children.take().unwrap_or_default() },
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
        let bare = |tag: &String| Content::from(without_brackets(tag));
        self.tags.take().map(|tags| tags.iter().map(bare).collect())
    }

    fn take_place(&mut self) -> Result<Option<Destination>, CallError> {
        let place = self.to.take().map(PlaceArguments::read).transpose()?;
        Ok(place.filter(|place| *place != Destination::default()))
    }

    /// Refuses members that the op has no use for, unless they say nothing.
    fn check_unused(&self) -> Result<(), CallError> {
        let says = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
        let unused = [
            ("text", says(&self.text)),
            ("tags", self.tags.as_ref().is_some_and(|tags| !tags.is_empty())),
            ("to", self.to.as_ref().is_some_and(|to| *to != PlaceArguments::default())),
            ("children", self.children.is_some()),
            ("allow_duplicate", self.allow_duplicate == Some(true)),
            ("ttl", says(&self.ttl)),
            ("since", says(&self.since)),
        ];
        match unused.into_iter().find(|(_, is_given)| *is_given) {
            Some(("text", _)) => Err(CallError::invalid(format!(
                "`text`: `{}` has no use for it; the bullet that is meant goes into `target`, as `contains` or `equals`",
                self.op
            ))),
            Some((name, _)) => Err(CallError::invalid(format!("`{name}`: `{}` has no use for it", self.op))),
            None => Ok(()),
        }
    }
}

/// Returns a tag without the brackets that it would have in a bullet.
fn without_brackets(tag: &str) -> &str {
    tag.trim().strip_prefix('[').and_then(|tag| tag.strip_suffix(']')).unwrap_or(tag)
}

/// Refuses an op that lacks a member.
fn missing(name: &str, op: Op) -> CallError {
    let value = match name {
        "target" => json!({"contains": "…"}),
        "to" => json!({"place": "first"}),
        "tags" => json!(["…"]),
        "ttl" => json!("7d"),
        _ => json!("…"),
    };
    let why = format!("`{name}`: expected with `{op}`, found nothing");
    let hint = format!("put \"{name}\" into that edit, such as {}", json!({"op": op, name: value}));
    Refused::new(Code::InvalidArguments, &why).with_hint(hint).into()
}

impl PlaceArguments {
    fn read(self) -> Result<Destination, CallError> {
        let PlaceArguments { section, block, index, before, after, under, place } = self;
        let selector = |arguments: SelectorArguments| Box::new(Selector::from(arguments));
        let places = [
            index.map(ItemPlace::Index),
            before.map(|sibling| ItemPlace::Before(selector(sibling))),
            after.map(|sibling| ItemPlace::After(selector(sibling))),
            under.map(|parent| ItemPlace::Under(selector(parent))),
            place.map(ItemPlace::from),
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

/// Reads how long a bullet is to be kept, and from when on.
pub(super) fn expiry(ttl: &str, since: Option<&str>) -> Result<Expiry, CallError> {
    let expiry: Expiry = parsed("ttl", ttl)?;
    let Some(since) = since else { return Ok(expiry) };
    let start = parsed("since", since.trim())?;
    let Expiry::After(ttl) = expiry else {
        let message = format!("`since`: expected with a duration such as `7d`, found with the end `{expiry}`");
        return Err(CallError::invalid(message));
    };
    Ok(Expiry::Since { ttl, start })
}
