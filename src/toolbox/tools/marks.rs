//! `pin_items`, `unpin_items`, `set_ttl` and `clear_ttl`: edits of `edit_items` that mark bullets, by their own names.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::locate::Selector;
use crate::request::{Annotation, ItemEdit, ItemOp, Items};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::tools::items::expiry;
use crate::toolbox::tools::selector::SelectorArguments;

const OF_TARGETS: Fields = &[
    (Field::Section, "/targets/{part}/section"),
    (Field::Block, "/targets/{part}/block"),
    (Field::Key, "/targets/{part}/key"),
    (Field::Index, "/targets/{part}/index"),
];

#[derive(Debug, Deserialize, JsonSchema)]
struct Targets {
    /// All or none.
    #[schemars(extend("aliases" = "target selectors selector items item bullets bullet"))]
    targets: Vec<SelectorArguments>,
}

impl Targets {
    fn mark(self, annotation: &Annotation, cx: &mut Context<'_>) -> Answer {
        mark(self.targets, annotation, cx)
    }
}

/// Marks each of these bullets.
fn mark(targets: Vec<SelectorArguments>, annotation: &Annotation, cx: &mut Context<'_>) -> Answer {
    let edit = |target| ItemEdit::new(Selector::from(target), ItemOp::Annotate(annotation.clone()));
    Ok(cx.make(Items::new(targets.into_iter().map(edit).collect::<Vec<_>>()))?.with_parts())
}

/// Pins bullets of your memory: no clean-up drops or rewords one with the tag `pinned`.
/// Example: {"targets": [{"section": "Tasks", "contains": "thesis"}]}
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct PinItems(Targets);

impl Tool for PinItems {
    const FIELDS: Fields = OF_TARGETS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.0.mark(&Annotation::Pin, cx)
    }
}

/// Takes the tag `pinned` from bullets of your memory: a clean-up may drop or reword them again.
/// Example: {"targets": [{"contains": "thesis"}]}
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct UnpinItems(Targets);

impl Tool for UnpinItems {
    const FIELDS: Fields = OF_TARGETS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.0.mark(&Annotation::Unpin, cx)
    }
}

/// Takes the TTL, or the end, from bullets of your memory: they no longer expire.
/// Example: {"targets": [{"contains": "office key"}]}
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct ClearTtl(Targets);

impl Tool for ClearTtl {
    const FIELDS: Fields = OF_TARGETS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        self.0.mark(&Annotation::ClearTtl, cx)
    }
}

/// Says how long bullets of your memory are to be kept: for a time from now on or `since` a date,
/// or until a date; a clean-up drops them then.
/// Example: {"targets": [{"contains": "in Berlin this week"}], "ttl": "7d"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SetTtl {
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

impl Tool for SetTtl {
    const FIELDS: Fields = OF_TARGETS;

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let expiry = expiry(&self.ttl, self.since.as_deref())?;
        mark(self.targets, &Annotation::SetTtl(expiry), cx)
    }
}
