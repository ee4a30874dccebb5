//! `memory_recall`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::last_instant;
use super::query::{Clamps, checked_query, left_out_by, one_of, parsed, rounded};
use super::remember::tier_of;
use crate::memory::MemoryError;
use crate::memory::journal::{EntryKind, Seq, Tier};
use crate::recall::{LeftOut, Recall, RecallQuery, Recalled, RecalledMemory, hanging};
use crate::toolbox::answer::{Done, Tell};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::{Effect, Status, ToolDefinition};

/// The most memories that one call recalls.
const MOST: i64 = 50;
/// The most tokens that they have together.
const MOST_TOKENS: i64 = 100_000;

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_recall",
    title: "Recall",
    effect: Effect::Read,
    description: "Recalls what you remember beside your documents, by memory_commit and block_update: what shares a word with the query, \
        the best first. Use it before a task that may have a past. Example: {\"query\": \"editor theme preferences\"}",
    synonyms: &[&[
        ("query", "q text question search topic content"),
        ("max_results", "limit count n k top_k"),
        ("max_tokens", "budget token_budget tokens"),
        ("type", "kind category"),
        ("min_importance", "importance"),
        ("since", "from after"),
        ("until", "to before"),
        ("include_superseded", "superseded with_superseded"),
    ]],
    fields: &[],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What to look for, in words.
    query: String,
    /// How many tokens the memories may have together. Default: 2000.
    max_tokens: Option<i64>,
    /// How many memories, 1 to 50. Default: 10.
    max_results: Option<i64>,
    /// Whether to recall also what others stand in the place of. Default: false.
    include_superseded: Option<bool>,
    /// Only `memory`, `decision`, `consolidation` or `block`.
    #[schemars(extend("enum" = ["memory", "decision", "consolidation", "block"]))]
    r#type: Option<String>,
    /// Only `committed`, `relationship` or `ephemeral`.
    #[schemars(extend("enum" = ["committed", "relationship", "ephemeral"]))]
    tier: Option<String>,
    /// Only of this importance, 1 to 10, or a greater one.
    min_importance: Option<i64>,
    /// Only of this date or instant, or later.
    since: Option<String>,
    /// Only up to this date or instant.
    until: Option<String>,
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Told {
    /// The best first.
    memories: Vec<Row>,
    /// How many tokens they have together.
    tokens_used: usize,
    /// What was found too.
    left_out: Vec<LeftOutRow>,
    /// How many more were left out.
    more: Option<usize>,
}

#[derive(Clone, Serialize)]
struct Row {
    seq: u64,
    content: String,
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<Tier>,
    importance: u8,
    time: String,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_core: Option<bool>,
}

#[derive(Clone, Serialize)]
struct LeftOutRow {
    seq: u64,
    tokens: usize,
    reason: &'static str,
}

impl From<&RecalledMemory> for Row {
    fn from(memory: &RecalledMemory) -> Self {
        Self {
            seq: memory.seq.get(),
            content: memory.content.to_string(),
            r#type: memory.kind.to_string(),
            tier: memory.tier,
            importance: memory.importance,
            time: memory.time.to_string(),
            score: rounded(memory.score),
            superseded_by: memory.superseded_by.map(Seq::get),
            block_label: memory.block_label.clone(),
            is_core: memory.is_core,
        }
    }
}

impl From<&LeftOut> for LeftOutRow {
    fn from(left_out: &LeftOut) -> Self {
        Self { seq: left_out.seq.get(), tokens: left_out.tokens, reason: left_out.reason.as_str() }
    }
}

impl From<&Recalled> for Told {
    fn from(recalled: &Recalled) -> Self {
        Self {
            memories: recalled.memories.iter().map(Row::from).collect(),
            tokens_used: recalled.tokens_used,
            left_out: recalled.left_out.iter().map(LeftOutRow::from).collect(),
            more: (recalled.more > 0).then_some(recalled.more),
        }
    }
}

impl Tell for Told {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.memories {
            write!(f, "\n- entry {}, {}, {}", row.seq, row.time, row.r#type)?;
            if let Some(label) = &row.block_label {
                write!(f, " `{label}`")?;
            }
            write!(f, ", importance {}", row.importance)?;
            if let Some(by) = row.superseded_by {
                write!(f, ", superseded by entry {by}")?;
            }
            write!(f, ": {}", hanging(&row.content))?;
        }
        let rest = self.left_out.len() + self.more.unwrap_or_default();
        if rest == 0 {
            return Ok(());
        }
        let listed: Vec<_> =
            self.left_out.iter().map(|row| format!("{} ({} tokens, {})", row.seq, row.tokens, row.reason)).collect();
        write!(f, "\nleft out: {rest}: entries {}", listed.join(", "))?;
        self.more.map_or(Ok(()), |more| write!(f, " and {more} more"))
    }
}

impl Reads for Arguments {
    type Told = Told;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Told>, CallError> {
        let mut query = RecallQuery::new(checked_query(&self.query)?);
        let mut clamps = Clamps::default();
        let mut taken = |asked: Option<i64>, most: i64| asked.map(|asked| clamps.take(asked, 1..=most));
        query.max_tokens = taken(self.max_tokens, MOST_TOKENS).unwrap_or(RecallQuery::MAX_TOKENS);
        query.max_results = taken(self.max_results, MOST).unwrap_or(RecallQuery::MAX_RESULTS);
        query.min_importance = taken(self.min_importance, 10).and_then(|importance| u8::try_from(importance).ok());
        query.include_superseded = self.include_superseded.unwrap_or_default();
        query.kind = self.r#type.as_deref().map(kind).transpose()?;
        query.tier = self.tier.as_deref().map(tier_of).transpose()?;
        query.since = self.since.as_deref().map(|text| parsed("since", text)).transpose()?;
        query.until = self.until.as_deref().map(last_instant).transpose()?;
        let recalled = desk.recall.recall(&query)?;
        let message = (count(&recalled) == 0).then(|| why_nothing(&desk.recall, &query)).transpose()?;
        Ok(clamps.warn(Done::new(Status::Ok, Told::from(&recalled)).with_message_if_any(message)))
    }
}

fn count(recalled: &Recalled) -> usize {
    recalled.memories.len() + recalled.left_out.len() + recalled.more
}

/// Says why nothing was found: nothing is remembered of that, or what is has been left out.
fn why_nothing(recall: &Recall, asked: &RecallQuery) -> Result<String, MemoryError> {
    let finds = |query: RecallQuery| Ok::<_, MemoryError>(count(&recall.recall(&query)?) > 0);
    let all = RecallQuery::new(asked.text.clone());
    // What stands today goes before what has been taken back: by leaving out what hides it.
    if !finds(all.clone())? {
        if !finds(RecallQuery { include_superseded: true, ..all })? {
            return Ok("nothing that is remembered shares a word with that".to_owned());
        }
        if finds(RecallQuery { include_superseded: true, ..asked.clone() })? {
            let hint = "set `include_superseded` to true to recall it too";
            return Ok(format!("what shares a word with that is superseded; {hint}"));
        }
    }
    Ok(left_out_by(&[
        ("type", asked.kind.is_some()),
        ("tier", asked.tier.is_some()),
        ("min_importance", asked.min_importance.is_some()),
        ("since", asked.since.is_some()),
        ("until", asked.until.is_some()),
    ]))
}

fn kind(name: &str) -> Result<EntryKind, CallError> {
    let kinds = [EntryKind::Memory, EntryKind::Decision, EntryKind::Consolidation, EntryKind::Block];
    one_of("type", &kinds.each_ref().map(|kind| (kind.name(), kind.clone())), name)
}
