//! `memory_commit` and `memory_rethink`: what is remembered beside the documents.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::one_of;
use crate::edit::Warning;
use crate::memory::journal::{Seq, Tier};
use crate::memory::{MemoryKind, NewMemory, Recorded, RequestId};
use crate::text::Digest;
use crate::toolbox::answer::{Done, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(super) static COMMIT: ToolDefinition = ToolDefinition::reading::<Commit>(About {
    name: "memory_commit",
    title: "Remember",
    effect: Effect::Record,
    description: "Remembers something for later conversations, beside your documents: an event, an impression, a decision and why. It is \
        found again by what it says; it is never edited, but superseded by memory_rethink. Use it for what happened, and a document for \
        what is so. Example: {\"content\": \"Was delighted by the surprise party\", \"importance\": 7}",
    synonyms: &[&[("content", "text memory value"), ("importance", "priority weight"), ("type", "kind category")]],
    fields: &[],
});

pub(super) static RETHINK: ToolDefinition = ToolDefinition::reading::<Rethink>(About {
    name: "memory_rethink",
    title: "Supersede memories",
    effect: Effect::Record,
    description: "Puts one new understanding in the place of memories, which are kept but no longer recalled. Use it when memories \
        repeat or contradict each other. Example: {\"supersedes\": [12, 15], \"new_understanding\": \"Works in VS Code, in dark mode\"}",
    synonyms: &[&[("supersedes", "seqs entries ids replaces"), ("new_understanding", "content text understanding")]],
    fields: &[],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Commit {
    /// What to remember.
    content: String,
    /// For how long: `committed` (default) for good, `relationship` as long as you know each other, `ephemeral` for the moment.
    #[schemars(extend("enum" = ["committed", "relationship", "ephemeral"]))]
    tier: Option<String>,
    /// How important it is, 1 to 10. Default: 5.
    importance: Option<i64>,
    /// `memory` (default) or `decision`.
    #[schemars(extend("enum" = ["memory", "decision"]))]
    r#type: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Rethink {
    /// The `seq` of each memory that it stands in the place of.
    supersedes: Vec<u64>,
    /// What is so.
    new_understanding: String,
    /// Why.
    reason: Option<String>,
}

/// What the tools tell.
#[derive(Clone, Default, Serialize)]
struct Told {
    /// The number of the entry.
    seq: u64,
    /// SHA-256 of what is remembered, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    /// How many memories it stands in the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_count: Option<usize>,
}

impl Tell for Told {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\nentry {}", self.seq)?;
        self.superseded_count.map_or(Ok(()), |count| write!(f, ", in the place of {count}"))
    }
}

/// Records what a call asks for, unless the call before it was the same, and what that recorded stands.
fn once(
    desk: &mut Desk,
    call: &Call<'_>,
    record: impl FnOnce(&mut Desk) -> Result<Recorded, CallError>,
) -> Result<Recorded, CallError> {
    let request = RequestId::new(call.tool.name, &call.arguments);
    if let Some((_, before)) = desk.recorded.filter(|(last, _)| *last == request)
        && desk.memory().is_recalled(before.seq)?
    {
        return Ok(Recorded { is_repeated: true, ..before });
    }
    let recorded = record(desk)?;
    desk.recorded = Some((request, recorded));
    Ok(recorded)
}

fn done(recorded: Recorded, told: Told) -> Done<Told> {
    let told = Told { seq: recorded.seq.get(), ..told };
    match recorded.is_repeated {
        true => Done::new(Status::AlreadyApplied, told).with_message("it is remembered already; nothing was written"),
        false => Done::new(Status::Ok, told),
    }
}

impl Reads for Commit {
    type Told = Told;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Told>, CallError> {
        let mut memory = NewMemory::new(self.content.as_str());
        memory.tier = self.tier.as_deref().map_or(Ok(Tier::default()), tier_of)?;
        memory.kind = self.r#type.as_deref().map_or(Ok(MemoryKind::default()), kind_of)?;
        let asked = self.importance.unwrap_or(NewMemory::IMPORTANCE.into());
        let importance = asked.clamp(1, 10);
        memory.importance = u8::try_from(importance).unwrap_or(NewMemory::IMPORTANCE);
        let recorded = once(desk, call, |desk| {
            let origin = desk.origin(call.tool.name)?;
            Ok(desk.memory().remember(&memory, &origin)?)
        })?;
        let content_hash = Some(Digest::of(self.content.as_bytes()).to_string());
        let warning = (asked != importance).then_some(Warning::Clamped { value: importance });
        let done = done(recorded, Told { content_hash, ..Told::default() });
        Ok(warning.iter().fold(done, Done::with_warning))
    }
}

impl Reads for Rethink {
    type Told = Told;

    fn read(self, desk: &mut Desk, call: &Call<'_>) -> Result<Done<Told>, CallError> {
        if self.supersedes.is_empty() {
            return Err(CallError::invalid("`supersedes`: expected the `seq` of one memory at least, found none"));
        }
        let supersedes: Vec<_> = self.supersedes.into_iter().map(Seq::new).collect();
        let recorded = once(desk, call, |desk| {
            let mut origin = desk.origin(call.tool.name)?;
            origin.reason = self.reason.map(Into::into);
            Ok(desk.memory().rethink(&supersedes, &self.new_understanding, &origin)?)
        })?;
        let told = Told { superseded_count: Some(recorded.superseded), ..Told::default() };
        Ok(done(recorded, told))
    }
}

pub(super) fn tier_of(name: &str) -> Result<Tier, CallError> {
    let known = [("committed", Tier::Committed), ("relationship", Tier::Relationship), ("ephemeral", Tier::Ephemeral)];
    one_of("tier", &known, name)
}

fn kind_of(name: &str) -> Result<MemoryKind, CallError> {
    one_of("type", &[("memory", MemoryKind::Memory), ("decision", MemoryKind::Decision)], name)
}
