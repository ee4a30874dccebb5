//! `memory_recall`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::{Clamps, checked_query, instant, last_instant, left_out_by, rounded};
use crate::memory::MemoryError;
use crate::memory::journal::{EntryKind, Seq, Tier};
use crate::recall::{LeftOut, Recall, RecallQuery, Recalled, RecalledMemory};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{About, Answer, Tool};
use crate::toolbox::{Effect, Reply, Status};

/// The most memories that one call recalls.
const MOST: i64 = 50;
/// The most tokens that they have together.
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
    /// Whether to recall also what others stand in the place of. Default: false.
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

#[derive(Serialize)]
struct Memories {
    /// The best first.
    memories: Vec<Row>,
    /// How many tokens they have together.
    tokens_used: usize,
    /// What was found too.
    left_out: Vec<LeftOutRow>,
    /// How many more were left out.
    more: Option<usize>,
}

#[derive(Serialize)]
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

#[derive(Serialize)]
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

impl From<&Recalled> for Memories {
    fn from(recalled: &Recalled) -> Self {
        Self {
            memories: recalled.memories.iter().map(Row::from).collect(),
            tokens_used: recalled.tokens_used,
            left_out: recalled.left_out.iter().map(LeftOutRow::from).collect(),
            more: (recalled.more > 0).then_some(recalled.more),
        }
    }
}

impl Tool for MemoryRecall {
    const ABOUT: About = About::new("memory_recall", "Recall", Effect::Read);

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut query = RecallQuery::new(checked_query(&self.query)?);
        let mut clamps = Clamps::default();
        let mut taken = |asked: Option<i64>, most: i64| asked.map(|asked| clamps.take(asked, 1..=most));
        query.max_tokens = taken(self.max_tokens, MOST_TOKENS).unwrap_or(RecallQuery::MAX_TOKENS);
        query.max_results = taken(self.max_results, MOST).unwrap_or(RecallQuery::MAX_RESULTS);
        query.min_importance = taken(self.min_importance, 10).and_then(|importance| u8::try_from(importance).ok());
        query.include_superseded = self.include_superseded.unwrap_or_default();
        (query.kind, query.tier) = (self.r#type, self.tier);
        query.since = instant("since", self.since.as_deref())?;
        query.until = last_instant("until", self.until.as_deref())?;
        let recalled = cx.desk.recall.recall(&query)?;
        let message = (count(&recalled) == 0).then(|| why_nothing(&cx.desk.recall, &query)).transpose()?;
        let reply = Reply::new(Status::Ok, &Memories::from(&recalled));
        Ok(clamps.warn(reply.with_message(message.as_deref())))
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
