//! Records beside the documents: `memory_commit`, `memory_rethink` and `memory_recall`. Core blocks, which are in
//! every prompt: `block_get` and `block_update`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::memory::journal::{EntryKind, Seq, Tier};
use crate::memory::{AppliedStatus, Memory, NewMemory, Origin, Recorded};
use crate::recall::RecallQuery;
use crate::text::{Digest, Timestamp};
use crate::toolbox::{Answer, Context, Refused, Reply, Status, Tool, apply, optional};

/// Remembers something for later conversations, beside your documents: an event, an impression, a
/// decision and why. It is found again by its words; it is never edited, but superseded by
/// memory_rethink. Use it for what happened, and a document for what is true now.
/// Example: {"content": "Was delighted by the surprise party", "importance": 7}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryCommit {
    /// What to remember.
    #[schemars(extend("aliases" = "text memory value data"))]
    content: String,
    /// For how long: `committed` (default) for good, `relationship` as long as you know each other, `ephemeral` for the moment.
    #[schemars(with = "Option<String>", extend("enum" = ["committed", "relationship", "ephemeral"]))]
    tier: Option<Tier>,
    /// How important it is, 1 to 10. Default: 5.
    #[schemars(extend("aliases" = "priority weight"))]
    importance: Option<i64>,
    /// `memory` (default) or `decision`.
    #[schemars(with = "Option<String>", extend("enum" = ["memory", "decision"], "aliases" = "kind category", "words" = "fact=memory"))]
    r#type: Option<EntryKind>,
}

/// Puts one new understanding in the place of memories, which are kept but no longer recalled. Use
/// it when memories repeat or contradict each other.
/// Example: {"supersedes": [12, 15], "new_understanding": "Works in VS Code, in dark mode"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryRethink {
    /// The `seq` of each memory that it replaces.
    #[schemars(extend("aliases" = "seqs entries ids replaces"))]
    supersedes: Vec<u64>,
    /// Its text.
    #[schemars(extend("aliases" = "content text understanding new"))]
    new_understanding: String,
    /// Why.
    reason: Option<String>,
}

fn reply(recorded: &Recorded) -> Reply {
    let reply = Reply::new(Status::Ok, json!({"seq": recorded.seq}));
    match recorded.is_repeated {
        true => reply.with_status(Status::AlreadyApplied).with_message("it is remembered already; nothing was written"),
        false => reply,
    }
}

impl Tool for MemoryCommit {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut memory = NewMemory::new(self.content.as_str());
        memory.tier = self.tier.unwrap_or_default();
        memory.kind = self.r#type.filter(|kind| *kind == EntryKind::Decision).unwrap_or(EntryKind::Memory);
        let importance = self.importance.map(|asked| cx.clamped(asked, 1..=10));
        memory.importance = importance.and_then(|taken| u8::try_from(taken).ok()).unwrap_or(NewMemory::IMPORTANCE);
        let origin = cx.desk.origin_of_keyed(cx.call.tool.name)?;
        let recorded = cx.desk.memory().remember(&memory, &origin)?;
        Ok(reply(&recorded).with_member("content_hash", Digest::of(self.content.as_bytes()).to_string()))
    }
}

impl Tool for MemoryRethink {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        if self.supersedes.is_empty() {
            return Err(Refused::invalid("`supersedes`: expected the `seq` of one memory at least, found none"));
        }
        let supersedes: Vec<_> = self.supersedes.into_iter().map(Seq::new).collect();
        let mut origin = cx.desk.origin_of_keyed(cx.call.tool.name)?;
        origin.reason = self.reason.map(Into::into);
        let recorded = cx.desk.memory().rethink(&supersedes, &self.new_understanding, &origin)?;
        Ok(reply(&recorded).with_member("superseded_count", recorded.superseded))
    }
}

/// How many memories a call recalls at most.
const MOST: i64 = 50;
/// How many tokens they have at most.
const MOST_TOKENS: i64 = 100_000;

/// Recalls what you remember beside your documents, by memory_commit and block_update: what shares
/// a word with the query, the best first. Use it before a task that may have a past.
/// Example: {"query": "editor theme preferences"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct MemoryRecall {
    /// What to look for, in words.
    #[schemars(extend("aliases" = "q text question search topic content"))]
    query: String,
    /// How many tokens the memories may have together. Default: 2000.
    #[schemars(extend("aliases" = "budget token_budget tokens"))]
    max_tokens: Option<i64>,
    /// How many memories, 1 to 50. Default: 10.
    #[schemars(extend("aliases" = "limit count n k top_k"))]
    max_results: Option<i64>,
    /// True to recall superseded ones, too.
    #[schemars(extend("aliases" = "superseded with_superseded"))]
    include_superseded: Option<bool>,
    /// Only `memory`, `decision`, `consolidation` or `block`.
    #[schemars(
        with = "Option<String>",
        extend("enum" = ["memory", "decision", "consolidation", "block"], "aliases" = "kind category")
    )]
    r#type: Option<EntryKind>,
    /// Only `committed`, `relationship` or `ephemeral`.
    #[schemars(with = "Option<String>", extend("enum" = ["committed", "relationship", "ephemeral"]))]
    tier: Option<Tier>,
    /// Only of this importance, 1 to 10, or a greater one.
    #[schemars(extend("aliases" = "importance"))]
    min_importance: Option<i64>,
    /// Only of this date or instant, or later.
    #[schemars(extend("aliases" = "from after"))]
    since: Option<String>,
    /// Only up to this date or instant.
    #[schemars(extend("aliases" = "to before"))]
    until: Option<String>,
}

impl Tool for MemoryRecall {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut query = RecallQuery::new(checked_query(&self.query)?);
        let mut taken = |asked: Option<i64>, most: i64| asked.map(|asked| cx.clamped(asked, 1..=most));
        query.max_tokens = taken(self.max_tokens, MOST_TOKENS).unwrap_or(RecallQuery::MAX_TOKENS);
        query.max_results = taken(self.max_results, MOST).unwrap_or(RecallQuery::MAX_RESULTS);
        query.min_importance = taken(self.min_importance, 10).and_then(|importance| u8::try_from(importance).ok());
        query.include_superseded = self.include_superseded.unwrap_or_default();
        (query.kind, query.tier) = (self.r#type, self.tier);
        query.since = optional("since", self.since.as_deref())?;
        query.until = last_instant("until", self.until.as_deref())?;
        let recalled = cx.desk.recall.recall(&query)?;
        let is_empty = recalled.memories.is_empty() && recalled.left_out.is_empty() && recalled.more == 0;
        let message = is_empty.then_some(NOTHING_FOUND);
        Ok(Reply::new(Status::Ok, json!(recalled)).with_message(message))
    }
}

/// Reads a core block: `persona` (who you are), `user_profile`, `goals` or `knowledge`, as it
/// stands or at an earlier version. Use it before you update one.
/// Example: {"label": "persona"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct BlockGet {
    /// The label of the block.
    #[schemars(extend("aliases" = "block block_label block_name name key"))]
    label: String,
    /// The version, from 1. Default: the latest.
    #[schemars(extend("aliases" = "rev number"))]
    version: Option<u64>,
}

impl Tool for BlockGet {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let block = cx.desk.memory().block(&self.label, self.version)?;
        let message = block.text.as_deref().is_none_or(str::is_empty).then_some("the block has no text");
        let version = Some(block.version).filter(|version| *version > 0);
        Ok(Reply::new(Status::Ok, json!(block)).with_member("version", version).with_message(message))
    }
}

/// Gives a core block (`persona`, `user_profile`, `goals`, `knowledge`) a new text, as its next
/// version; earlier ones stay. Use it for what you need in every conversation, and send the whole
/// text: what it leaves out is gone.
/// Example: {"label": "goals", "content": "- Ship 1.0\n- Keep the build fast"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct BlockUpdateArguments {
    /// The label of the block.
    #[schemars(extend("aliases" = "block block_label block_name name key"))]
    label: String,
    /// Its whole new text.
    #[schemars(extend("aliases" = "text value note body message new_content new_memory"))]
    content: String,
    /// True: in every prompt; false: recalled only. Default: as before.
    #[schemars(extend("aliases" = "core always_in_prompt"))]
    is_core: Option<bool>,
}

impl Tool for BlockUpdateArguments {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let origin = cx.desk.origin_of_keyed(cx.call.tool.name)?;
        let update =
            |memory: &Memory, origin: &Origin| memory.update_block(&self.label, &self.content, self.is_core, origin);
        apply::check_session(cx.desk, |memory| update(memory, &origin.trial()).map(|updated| vec![updated.applied]))?;
        let updated = update(cx.desk.memory(), &origin)?;
        let applied = std::slice::from_ref(&updated.applied);
        cx.desk.update_known(applied);
        let reply = apply::applied_reply(applied)
            .with_member("version", updated.version)
            .with_member("is_core", updated.is_core);
        // Only `is_core` has changed: no document was written.
        let is_of_prompt = updated.applied.status == AppliedStatus::Committed && updated.applied.commit.is_none();
        Ok(if is_of_prompt { reply.with_status(Status::Ok) } else { reply })
    }
}

/// Returns the query, unless it is empty.
pub(super) fn checked_query(query: &str) -> Result<&str, Box<Refused>> {
    match query.trim() {
        "" => Err(Refused::invalid("`query`: expected words to look for, found none")),
        words => Ok(words),
    }
}

/// The message that nothing was found.
pub(super) const NOTHING_FOUND: &str = "nothing that fits shares a word with that";

/// Parses an optional instant. A date means its last second.
pub(super) fn last_instant(argument: &str, text: Option<&str>) -> Result<Option<Timestamp>, Box<Refused>> {
    let read: Option<Timestamp> = optional(argument, text)?;
    let day = std::time::Duration::from_secs(86_399);
    let is_date = text.is_some_and(|text| !text.contains(['T', 't', ' ']));
    Ok(read.map(|read| if is_date { read.after(day) } else { read }))
}
