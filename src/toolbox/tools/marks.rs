//! `pin_items`, `unpin_items`, `set_ttl` and `clear_ttl`: presets of `edit_items` that mark bullets.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::items::TOOL;
use super::selector::SelectorArguments;
use crate::toolbox::definition::About;
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::{Effect, ToolDefinition};

/// The arguments of the presets.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_items`")]
struct Targets {
    /// All or none.
    #[schemars(extend("aliases" = "target selectors selector items item bullets bullet"))]
    targets: Vec<SelectorArguments>,
}

/// The arguments of `set_ttl`.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_items`")]
struct Lifetime {
    /// All or none.
    #[schemars(extend("aliases" = "target selectors selector items item bullets bullet"))]
    targets: Vec<SelectorArguments>,
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

const OF_TARGETS: Fields = &[
    (Field::Section, "/targets/{part}/section"),
    (Field::Block, "/targets/{part}/block"),
    (Field::Key, "/targets/{part}/key"),
    (Field::Index, "/targets/{part}/index"),
];

/// Makes an edit of each target, with the other arguments.
fn edits(op: &str, mut arguments: Map<String, Value>) -> Map<String, Value> {
    let targets = arguments.remove("targets").unwrap_or_default();
    let edit = |target: &Value| {
        let mut edit = arguments.clone();
        edit.extend([("op".to_owned(), op.into()), ("target".to_owned(), target.clone())]);
        edit
    };
    let edits: Vec<_> = targets.as_array().into_iter().flatten().map(edit).collect();
    Map::from_iter([("edits".to_owned(), json!(edits))])
}

/// Pins bullets of your memory: no clean-up drops or rewords one with the tag `pinned`.
/// Example: {"targets": [{"section": "Tasks", "contains": "thesis"}]}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_items`")]
struct PinItems(Targets);

pub(super) static PIN: ToolDefinition = ToolDefinition::preset::<PinItems>(
    About::editor("pin_items", "Pin bullets", Effect::Settle).with_fields(OF_TARGETS),
    &TOOL,
    |arguments| edits("pin", arguments),
);

/// Takes the tag `pinned` from bullets of your memory: a clean-up may drop or reword them again.
/// Example: {"targets": [{"contains": "thesis"}]}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_items`")]
struct UnpinItems(Targets);

pub(super) static UNPIN: ToolDefinition = ToolDefinition::preset::<UnpinItems>(
    About::editor("unpin_items", "Unpin bullets", Effect::Settle).with_fields(OF_TARGETS),
    &TOOL,
    |arguments| edits("unpin", arguments),
);

/// Says how long bullets of your memory are to be kept: for a time from now on or `since` a date,
/// or until a date; a clean-up drops them then.
/// Example: {"targets": [{"contains": "in Berlin this week"}], "ttl": "7d"}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_items`")]
struct SetTtl(Lifetime);

pub(super) static SET_TTL: ToolDefinition = ToolDefinition::preset::<SetTtl>(
    About::editor("set_ttl", "Let bullets expire", Effect::Edit).with_fields(OF_TARGETS),
    &TOOL,
    |arguments| edits("set_ttl", arguments),
);

/// Takes the TTL, or the end, from bullets of your memory: they no longer expire.
/// Example: {"targets": [{"contains": "office key"}]}
#[derive(JsonSchema)]
#[allow(dead_code, reason = "a preset is read as `edit_items`")]
struct ClearTtl(Targets);

pub(super) static CLEAR_TTL: ToolDefinition = ToolDefinition::preset::<ClearTtl>(
    About::editor("clear_ttl", "Keep bullets for good", Effect::Settle).with_fields(OF_TARGETS),
    &TOOL,
    |arguments| edits("clear_ttl", arguments),
);
