//! `edit_items`; and its marks as tools of their own: `pin_items`, `unpin_items`, `set_ttl`, `clear_ttl`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::document::Expiry;
use crate::locate::{BulletTest, CheckboxState, Selector};
use crate::request::{Annotation, Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::text::Content;
use crate::toolbox::keywords::says_nothing;
use crate::toolbox::{Answer, Context, Refused, Tool, parsed};

/// Inserts, updates, deletes, moves, checks, tags or pins bullets of your memory, all or none;
/// numbered ones too (a list numbered 1, 2, 3 stays so). Use it for single bullets. A target is
/// named by its text without checkbox and tags (`contains`, `starts_with`, `equals`),
/// `key` (memory_read with view `keyed`), `tag`, `checkbox`, or `index` with `expect`.
/// Example: {"edits": [{"op": "update", "target": {"contains": "Denver"}, "text": "Lives in
/// Austin"}, {"op": "insert", "to": {"under": {"contains": "Bank"}}, "text": "New address"}]}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct EditItems {
    /// The edits.
    #[schemars(extend("aliases" = "operations ops items changes"))]
    edits: Vec<EditArguments>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
struct EditArguments {
    /// What to do; `reorder` moves a bullet, `upsert` updates the one that matches, else inserts.
    #[schemars(extend(
        "enum" = ["insert", "update", "delete", "reorder", "upsert", "tag", "untag", "check", "uncheck", "pin", "unpin", "set_ttl", "clear_ttl"],
        "aliases" = "operation action type intent event",
        "words" = "add=insert append=insert create=insert modify=update replace=update edit=update change=update set=update remove=delete \
            complete=check done=check mark_done=check move=reorder add_tag=tag add_tags=tag remove_tag=untag remove_tags=untag"
    ))]
    op: String,
    /// Which bullet. To insert: the section or block; a bullet to put it beside or under goes into `to`.
    #[schemars(extend("aliases" = "selector where item", "beside" = true))]
    target: Option<SelectorArguments>,
    /// How many bullets `target` names.
    #[schemars(extend("fix" = "count"))]
    count: Option<usize>,
    /// The text: no marker, no tags; begin with `[ ]` or `[x]` for a checkbox.
    #[schemars(extend("aliases" = "content value new new_text new_content new_memory", "empty" = true))]
    text: Option<String>,
    /// Tags to add or remove; with `text`, all its tags.
    #[schemars(extend("aliases" = "tag"))]
    tags: Option<Vec<String>>,
    /// How its text begins, as you saw it. Needed to update or delete by `index`.
    #[schemars(extend("aliases" = "expected expected_text"))]
    expect: Option<String>,
    /// Instead of `expect`: the texts of the bullets around it.
    neighbors: Option<NeighborArguments>,
    /// Where to insert or move to, such as {"section": "Log"}; default: `last`.
    #[schemars(extend("aliases" = "position destination at", "beside" = true))]
    to: Option<PlaceArguments>,
    /// On delete: `delete` nested bullets too, or `keep` them a level higher. Default: refuse.
    #[schemars(with = "Option<String>", extend("enum" = ["delete", "keep"]))]
    children: Option<Children>,
    /// Insert a duplicate.
    #[schemars(extend("aliases" = "allow_duplicates"))]
    allow_duplicate: Option<bool>,
    /// With `set_ttl`: how long (`7d`), or the end (`2026-12-31`).
    #[schemars(extend("aliases" = "duration until expires expires_at expires_in expires_on"))]
    ttl: Option<String>,
    /// Its start. Default: now.
    since: Option<String>,
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

// A place, in the list of the target or in another.
#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(inline, extend("as_text" = "place"))]
struct PlaceArguments {
    /// The section to move to.
    #[schemars(extend("aliases" = "to_section"))]
    section: Option<String>,
    /// The block to move to.
    block: Option<String>,
    /// Its index afterwards.
    #[schemars(extend("aliases" = "position at"))]
    index: Option<i64>,
    /// The bullet to stand before, at its depth.
    before: Option<SelectorArguments>,
    /// The bullet to stand behind, at its depth.
    after: Option<SelectorArguments>,
    /// The bullet to be the last child of.
    #[schemars(extend("aliases" = "parent child_of"))]
    under: Option<SelectorArguments>,
    /// An end of the list. Default: `last`.
    #[schemars(extend("enum" = ["first", "last"], "words" = "top=first start=first beginning=first bottom=last end=last"))]
    place: Option<String>,
}

impl Tool for EditItems {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let sent = cx.call.arguments["edits"].as_array().into_iter().flatten();
        let read = |(edit, sent): (EditArguments, &Value)| {
            check_members(sent, &edit.op, &format!("target? {}", members_of(&edit.op)))?;
            edit.read()
        };
        let edits: Vec<_> = self.edits.into_iter().zip(sent).map(read).collect::<Result<_, _>>()?;
        cx.edit(Items::new(edits))
    }
}

/// Returns the members that an op takes beside `op` and `target`. A `?` marks optional ones.
fn members_of(op: &str) -> &'static str {
    match op {
        "insert" => "text tags? to? allow_duplicate?",
        "upsert" => "text tags? to? allow_duplicate? expect? neighbors?",
        "update" => "text tags? allow_duplicate? expect? neighbors?",
        "delete" => "count? children? expect? neighbors?",
        "reorder" => "to count? expect? neighbors?",
        "tag" | "untag" => "tags count? expect? neighbors?",
        "set_ttl" => "ttl count? since? expect? neighbors?",
        _ => "count? expect? neighbors?",
    }
}

/// Refuses members that an op does not take, unless they are empty; and a call without one that it needs. In
/// `takes`, a `?` marks optional members.
pub(crate) fn check_members(members: &Value, op: &str, takes: &str) -> Result<(), Box<Refused>> {
    let hint = format!("`{op}` takes {}", takes.replace(' ', ", "));
    let is_taken = |name: &str| name == "op" || takes.split(' ').any(|taken| taken.trim_end_matches('?') == name);
    let mut given = members.as_object().into_iter().flatten();
    if let Some((name, _)) = given.find(|(name, value)| !is_taken(name) && !says_nothing(value)) {
        let instead = match name.as_str() {
            "text" => "; the bullet that is meant goes into `target`, as `contains` or `equals`",
            "expect" | "neighbors" => "; the place of a new bullet goes into `to`",
            _ => "",
        };
        return Err(Refused::invalid(format!("`{name}`: `{op}` has no use for it{instead}")).with_hint(hint));
    }
    let mut needed = takes.split(' ').filter(|name| !name.is_empty() && !name.ends_with('?'));
    needed.find(|name| members[*name].is_null()).map_or(Ok(()), |name| Err(missing(name, op).with_hint(hint)))
}

fn missing(name: &str, op: &str) -> Box<Refused> {
    Refused::invalid(format!("`{name}`: expected with `{op}`, found nothing"))
}

impl EditArguments {
    fn read(self) -> Result<ItemEdit, Box<Refused>> {
        let op = &*self.op;
        let target = Selector::from(self.target.unwrap_or_default());
        if target == Selector::default() && op != "insert" {
            return Err(missing("target", op));
        }
        let without_brackets =
            |tag: &str| Content::from(tag.strip_prefix('[').and_then(|tag| tag.strip_suffix(']')).unwrap_or(tag));
        let tags: Vec<_> = self.tags.iter().flatten().map(|tag| without_brackets(tag.trim())).collect();
        let to = self.to.map(PlaceArguments::read).transpose()?.unwrap_or_default();
        let mut item = NewItem::new(self.text.unwrap_or_default());
        item.tags.clone_from(&tags);
        item.allow_duplicate = self.allow_duplicate == Some(true);
        let item_op = match op {
            "insert" => ItemOp::Insert { item, to },
            "update" => ItemOp::Update { item },
            "upsert" => ItemOp::Upsert { item, to },
            "delete" => ItemOp::Delete { children: self.children.unwrap_or_default() },
            "reorder" if to == Destination::default() => return Err(missing("to", op)),
            "reorder" => ItemOp::Reorder { to },
            "tag" => ItemOp::Tag { tags },
            "untag" => ItemOp::Untag { tags },
            "check" => ItemOp::Annotate(Annotation::Check),
            "uncheck" => ItemOp::Annotate(Annotation::Uncheck),
            "pin" => ItemOp::Annotate(Annotation::Pin),
            "unpin" => ItemOp::Annotate(Annotation::Unpin),
            "set_ttl" => {
                let expiry = expiry(&self.ttl.unwrap_or_default(), self.since.as_deref())?;
                ItemOp::Annotate(Annotation::SetTtl(expiry))
            }
            _ => ItemOp::Annotate(Annotation::ClearTtl),
        };
        let neighbors = self.neighbors.unwrap_or_default();
        let evidence = Evidence {
            expect: self.expect.map(Into::into),
            before: neighbors.before.map(Into::into),
            after: neighbors.after.map(Into::into),
        };
        Ok(ItemEdit { count: self.count, evidence, ..ItemEdit::new(target, item_op) })
    }
}

impl PlaceArguments {
    fn read(self) -> Result<Destination, Box<Refused>> {
        let PlaceArguments { section, block, index, before, after, under, place } = self;
        let selector = |arguments: SelectorArguments| Box::new(Selector::from(arguments));
        let places = [
            index.map(ItemPlace::Index),
            before.map(|sibling| ItemPlace::Before(selector(sibling))),
            after.map(|sibling| ItemPlace::After(selector(sibling))),
            under.map(|parent| ItemPlace::Under(selector(parent))),
            place.map(|end| if end == "first" { ItemPlace::First } else { ItemPlace::Last }),
        ];
        let mut given = places.into_iter().flatten();
        let (place, None) = (given.next(), given.next()) else {
            let why = "`to`: expected one of `index`, `before`, `after`, `under` and `place`, found several";
            return Err(Refused::invalid(why));
        };
        Ok(Destination { section: section.map(Into::into), block: block.map(Into::into), place })
    }
}

/// Reads the lifetime of a bullet.
pub(super) fn expiry(ttl: &str, since: Option<&str>) -> Result<Expiry, Box<Refused>> {
    let expiry: Expiry = parsed("ttl", ttl)?;
    let Some(since) = since else { return Ok(expiry) };
    let start = parsed("since", since.trim())?;
    let Expiry::After { ttl, .. } = expiry else {
        let message = format!("`since`: expected with a duration such as `7d`, found with the end `{ttl}`");
        return Err(Refused::invalid(message));
    };
    Ok(Expiry::After { ttl, start: Some(start) })
}

/// One bullet; all that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "selector", extend("as_text" = "contains"))]
pub(super) struct SelectorArguments {
    /// By title or path (`A > B`).
    pub(super) section: Option<String>,
    /// By ID.
    pub(super) block: Option<String>,
    /// Its place among top-level bullets.
    #[schemars(extend("aliases" = "position at", "fix" = "index"))]
    pub(super) index: Option<i64>,
    /// From memory_read.
    #[schemars(extend("aliases" = "id", "fix" = "key"))]
    pub(super) key: Option<String>,
    /// One of its tags.
    tag: Option<String>,
    /// Its state.
    #[schemars(with = "Option<String>", extend("enum" = ["open", "done"]))]
    checkbox: Option<CheckboxState>,
    /// Whole words of it.
    #[schemars(extend("aliases" = "text content value match"))]
    pub(super) contains: Option<String>,
    /// Its beginning.
    #[schemars(extend("aliases" = "startswith prefix"))]
    pub(super) starts_with: Option<String>,
    /// Its whole text.
    #[schemars(extend("aliases" = "exact exactly old old_text old_content old_memory"))]
    pub(super) equals: Option<String>,
}

impl From<SelectorArguments> for Selector {
    fn from(arguments: SelectorArguments) -> Self {
        let SelectorArguments { section, block, index, key, tag, checkbox, contains, starts_with, equals } = arguments;
        let tests = [
            key.map(|key| BulletTest::Key(key.into())),
            tag.map(|tag| BulletTest::Tag(tag.into())),
            checkbox.map(BulletTest::Checkbox),
            contains.map(|text| BulletTest::Contains(text.into())),
            starts_with.map(|text| BulletTest::StartsWith(text.into())),
            equals.map(|text| BulletTest::Equals(text.into())),
        ];
        Self {
            section: section.map(Into::into),
            block: block.map(Into::into),
            index,
            says: tests.into_iter().flatten().collect(),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Targets {
    /// All or none.
    #[schemars(extend("aliases" = "target selectors selector items item bullets bullet"))]
    targets: Vec<SelectorArguments>,
}

impl Targets {
    /// Marks each of the bullets.
    fn mark(self, annotation: Annotation, cx: &mut Context<'_>) -> Answer {
        cx.edit(Items::annotating(annotation, self.targets.into_iter().map(Selector::from)))
    }
}

/// Pins bullets of your memory: no clean-up drops or rewords one with the tag `pinned`.
/// Example: {"targets": [{"section": "Tasks", "contains": "thesis"}]}
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct PinItems(Targets);

impl Tool for PinItems {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.0.mark(Annotation::Pin, cx)
    }
}

/// Takes the tag `pinned` from bullets of your memory: a clean-up may drop or reword them again.
/// Example: {"targets": [{"contains": "thesis"}]}
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct UnpinItems(Targets);

impl Tool for UnpinItems {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.0.mark(Annotation::Unpin, cx)
    }
}

/// Takes the TTL or `expires` from bullets of your memory: they no longer expire.
/// Example: {"targets": [{"contains": "office key"}]}
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct ClearTtl(Targets);

impl Tool for ClearTtl {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.0.mark(Annotation::ClearTtl, cx)
    }
}

/// Says how long bullets of your memory are to be kept: for a time from now on or `since` a date,
/// or until a date; a clean-up drops them then.
/// Example: {"targets": [{"contains": "in Berlin this week"}], "ttl": "7d"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SetTtl {
    #[serde(flatten)]
    targets: Targets,
    /// How long: a number and `s`, `m`, `h`, `d` or `w`, such as `7d`; or until when: a date or an
    /// instant.
    #[schemars(extend(
        "aliases" = "duration time_to_live lifetime for until expires expires_at expires_in expires_on expiry expiration date"
    ))]
    ttl: String,
    /// When a duration began. Default: now.
    #[schemars(extend("aliases" = "start start_date starting from"))]
    since: Option<String>,
}

impl Tool for SetTtl {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let expiry = expiry(&self.ttl, self.since.as_deref())?;
        self.targets.mark(Annotation::SetTtl(expiry), cx)
    }
}
