//! `memory_commit` and `memory_rethink`: what is remembered beside the documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edit::Warning;
use crate::memory::journal::{Seq, Tier};
use crate::memory::{MemoryKind, NewMemory, Recorded, RequestId};
use crate::text::Digest;
use crate::toolbox::context::Context;
use crate::toolbox::definition::{About, Answer, CallError, Tool};
use crate::toolbox::desk::Desk;
use crate::toolbox::{Effect, Reply, Status};

/// Remembers something for later conversations, beside your documents: an event, an impression, a
/// decision and why. It is found again by what it says; it is never edited, but superseded by
/// memory_rethink. Use it for what happened, and a document for what is so.
/// Example: {"content": "Was delighted by the surprise party", "importance": 7}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryCommit {
    /// What to remember.
    #[schemars(extend("aliases" = "text memory value"))]
    content: String,
    /// For how long: `committed` (default) for good, `relationship` as long as you know each other, `ephemeral` for the moment.
    #[schemars(with = "Option<String>", extend("enum" = ["committed", "relationship", "ephemeral"]))]
    tier: Option<Tier>,
    /// How important it is, 1 to 10. Default: 5.
    #[schemars(extend("aliases" = "priority weight"))]
    importance: Option<i64>,
    /// `memory` (default) or `decision`.
    #[schemars(extend("aliases" = "kind category"))]
    r#type: Option<Type>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Type {
    Memory,
    Decision,
}

/// Puts one new understanding in the place of memories, which are kept but no longer recalled. Use
/// it when memories repeat or contradict each other.
/// Example: {"supersedes": [12, 15], "new_understanding": "Works in VS Code, in dark mode"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryRethink {
    /// The `seq` of each memory that it stands in the place of.
    #[schemars(extend("aliases" = "seqs entries ids replaces"))]
    supersedes: Vec<u64>,
    /// What is so.
    #[schemars(extend("aliases" = "content text understanding"))]
    new_understanding: String,
    /// Why.
    reason: Option<String>,
}

#[derive(Default, Serialize)]
struct Remembered {
    /// The number of the entry.
    seq: u64,
    /// SHA-256 of what is remembered, in hexadecimal digits.
    content_hash: Option<String>,
    /// How many memories it stands in the place of.
    superseded_count: Option<usize>,
}

/// Records what a call asks for, unless the call before it was the same, and what that recorded stands.
fn once(
    cx: &mut Context<'_>,
    record: impl FnOnce(&mut Desk) -> Result<Recorded, CallError>,
) -> Result<Recorded, CallError> {
    let request = RequestId::new(cx.call.tool.name, &cx.call.arguments);
    if let Some((_, before)) = cx.desk.recorded.filter(|(last, _)| *last == request)
        && cx.desk.memory().is_recalled(before.seq)?
    {
        return Ok(Recorded { is_repeated: true, ..before });
    }
    let recorded = record(cx.desk)?;
    cx.desk.recorded = Some((request, recorded));
    Ok(recorded)
}

fn reply(recorded: &Recorded, remembered: &Remembered) -> Reply {
    match recorded.is_repeated {
        true => {
            let message = "it is remembered already; nothing was written";
            Reply::new(Status::AlreadyApplied, remembered).with_message(message)
        }
        false => Reply::new(Status::Ok, remembered),
    }
}

impl Tool for MemoryCommit {
    const ABOUT: About = About::new("memory_commit", "Remember", Effect::Record);

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut memory = NewMemory::new(self.content.as_str());
        memory.tier = self.tier.unwrap_or_default();
        memory.kind = if self.r#type == Some(Type::Decision) { MemoryKind::Decision } else { MemoryKind::Memory };
        let asked = self.importance.unwrap_or(NewMemory::IMPORTANCE.into());
        let importance = asked.clamp(1, 10);
        memory.importance = u8::try_from(importance).unwrap_or(NewMemory::IMPORTANCE);
        let tool = cx.call.tool.name;
        let recorded = once(cx, |desk| {
            let origin = desk.origin(tool)?;
            Ok(desk.memory().remember(&memory, &origin)?)
        })?;
        let content_hash = Some(Digest::of(self.content.as_bytes()).to_string());
        let remembered = Remembered { seq: recorded.seq.get(), content_hash, ..Remembered::default() };
        let warning = (asked != importance).then_some(Warning::Clamped { value: importance });
        Ok(warning.iter().fold(reply(&recorded, &remembered), Reply::with_warning))
    }
}

impl Tool for MemoryRethink {
    const ABOUT: About = About::new("memory_rethink", "Supersede memories", Effect::Record);

    fn run(self, cx: &mut Context<'_>) -> Answer {
        if self.supersedes.is_empty() {
            return Err(CallError::invalid("`supersedes`: expected the `seq` of one memory at least, found none"));
        }
        let supersedes: Vec<_> = self.supersedes.into_iter().map(Seq::new).collect();
        let tool = cx.call.tool.name;
        let recorded = once(cx, |desk| {
            let mut origin = desk.origin(tool)?;
            origin.reason = self.reason.map(Into::into);
            Ok(desk.memory().rethink(&supersedes, &self.new_understanding, &origin)?)
        })?;
        let superseded_count = Some(recorded.superseded);
        Ok(reply(&recorded, &Remembered { seq: recorded.seq.get(), superseded_count, ..Remembered::default() }))
    }
}
