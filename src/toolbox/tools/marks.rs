//! `pin_items`, `unpin_items`, `set_ttl` and `clear_ttl`: the tools that mark bullets.

use schemars::JsonSchema;
use serde::Deserialize;

use super::edit::Target;
use super::query::parsed;
use super::selector::{SELECTOR, SelectorArguments, TARGETS, selector};
use crate::document::Expiry;
use crate::request::{Annotation, Items};
use crate::toolbox::answer::Parts;
use crate::toolbox::arguments::Synonyms;
use crate::toolbox::definition::{About, Asked, CallError, Edits};
use crate::toolbox::retry::{Field, Fields};
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static PIN: ToolDefinition = ToolDefinition::editing::<Pin>(About {
    name: "pin_items",
    title: "Pin bullets",
    effect: Effect::Settle,
    description: "Pins bullets of your memory: no clean-up drops or rewords one with the tag `pinned`. Use it for what must never \
        be lost. Example: {\"targets\": [{\"section\": \"Tasks\", \"contains\": \"thesis\"}]}",
    synonyms: SYNONYMS,
    fields: MARKED,
});

pub(super) static UNPIN: ToolDefinition = ToolDefinition::editing::<Unpin>(About {
    name: "unpin_items",
    title: "Unpin bullets",
    effect: Effect::Settle,
    description: "Takes the tag `pinned` from bullets of your memory: a clean-up may drop or reword them again. Use it when they \
        have become ordinary. Example: {\"targets\": [{\"contains\": \"thesis\"}]}",
    synonyms: SYNONYMS,
    fields: MARKED,
});

pub(super) static SET_TTL: ToolDefinition = ToolDefinition::editing::<SetTtl>(About {
    name: "set_ttl",
    title: "Let bullets expire",
    effect: Effect::Edit,
    description: "Says how long bullets of your memory are to be kept: for a time from now on or `since` a date, or until a date; a \
        clean-up drops them then. Use it for what is true for a while only. It replaces what stood there. Example: \
        {\"targets\": [{\"contains\": \"in Berlin this week\"}], \"ttl\": \"7d\"}",
    synonyms: SYNONYMS,
    fields: MARKED,
});

pub(super) static CLEAR_TTL: ToolDefinition = ToolDefinition::editing::<ClearTtl>(About {
    name: "clear_ttl",
    title: "Keep bullets for good",
    effect: Effect::Settle,
    description: "Takes the TTL, or the end, from bullets of your memory: they no longer expire. Use it when what was true for a \
        while has turned out to last. Example: {\"targets\": [{\"contains\": \"office key\"}]}",
    synonyms: SYNONYMS,
    fields: MARKED,
});

const SYNONYMS: &[Synonyms] = &[TARGETS, SELECTOR, TIMES];

const MARKED: Fields = &[
    (Field::Section, "/targets/{part}/section"),
    (Field::Block, "/targets/{part}/block"),
    (Field::Key, "/targets/{part}/key"),
    (Field::Index, "/targets/{part}/index"),
];

const TIMES: Synonyms = &[
    ("since", "start start_date starting from"),
    ("ttl", "duration time_to_live lifetime for until expires expires_at expires_in expires_on expiry expiration date"),
];

/// The arguments of every tool that marks bullets.
#[derive(Debug, Deserialize, JsonSchema)]
struct Marked {
    /// The bullets, all or none. Name each by `contains`, `key`, `tag`, or `index` in its section or block.
    targets: Vec<SelectorArguments>,
    #[serde(flatten)]
    target: Target,
}

impl Marked {
    fn asks(self, annotation: Annotation) -> Result<Vec<Asked>, CallError> {
        if self.targets.is_empty() {
            return Err(CallError::invalid("`targets`: expected at least one selector, found none"));
        }
        self.target.asks(Items::annotating(annotation, self.targets.into_iter().map(selector)))
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Pin(Marked);

impl Edits for Pin {
    type Told = Parts;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.0.asks(Annotation::Pin)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Unpin(Marked);

impl Edits for Unpin {
    type Told = Parts;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.0.asks(Annotation::Unpin)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
struct ClearTtl(Marked);

impl Edits for ClearTtl {
    type Told = Parts;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.0.asks(Annotation::ClearTtl)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct SetTtl {
    #[serde(flatten)]
    marked: Marked,
    /// How long: a number and `s`, `m`, `h`, `d` or `w`, such as `7d`; or until when: `2026-12-31` or
    /// `2026-12-31T18:00:00Z`.
    ttl: String,
    /// For a duration, when it began: a date or an instant. Default: now.
    since: Option<String>,
}

impl Edits for SetTtl {
    type Told = Parts;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        self.marked.asks(Annotation::SetTtl(expiry(&self.ttl, self.since.as_deref())?))
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
