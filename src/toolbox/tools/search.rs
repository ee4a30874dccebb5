//! `search_memory`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::memory::MemoryError;
use crate::recall::{Found, Recall, Removed, SearchQuery};
use crate::text::{excerpt, on_one_line};
use crate::toolbox::context::{Context, parsed};
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::desk::Desk;
use crate::toolbox::tools::query::{Clamps, checked_query, nothing_found, rounded};
use crate::toolbox::{Reply, Status};

/// The most results that one call gives.
const MOST: i64 = 50;
/// How many documents are named that cannot be read.
const LISTED: usize = 5;

/// Finds notes, and bullets and prose of your documents, that share a word with the query, the best
/// first. The `key` of a bullet goes straight into an edit of its `document`; that of a note into
/// write_memory. Use it when you do not know where something stands.
/// Example: {"query": "advisor of the thesis"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchMemory {
    /// What to look for, in words.
    #[schemars(extend("aliases" = "q text question search keywords"))]
    query: String,
    /// How many results, 1 to 50. Default: 10.
    #[schemars(extend("aliases" = "max_results count n k top_k"))]
    limit: Option<i64>,
    /// `all` (default), `notes`, the name of a document, or `removed`: what once stood there.
    #[schemars(extend("aliases" = "where in document doc document_name"))]
    scope: Option<String>,
}

/// Returns what was found as a row; prose has no key.
fn row(found: &Found) -> Value {
    json!({
        "document": found.document,
        "section": found.section.as_ref().map(|section| on_one_line(section)),
        "key": found.key,
        "line": found.line,
        "score": rounded(found.score),
        "excerpt": found.excerpt,
        "expired": found.is_expired.then_some(true),
    })
}

/// Returns what was found that was removed, with the edit that did it.
fn removed_row(removed: &Removed) -> Value {
    json!({
        "document": removed.document,
        "seq": removed.seq,
        "time": removed.time,
        "score": rounded(removed.score),
        "excerpt": removed.excerpt,
    })
}

impl Tool for SearchMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut query = SearchQuery::new(checked_query(&self.query)?);
        let mut clamps = Clamps::default();
        query.limit = self.limit.map_or(SearchQuery::LIMIT, |asked| clamps.take(asked, 1..=MOST));
        if self.scope.as_deref() == Some("removed") {
            let found = cx.desk.recall.search_removed(&query)?;
            let results = json!({"results": found.iter().map(removed_row).collect::<Vec<_>>()});
            let message = found.is_empty().then_some("nothing that was removed shares a word with that");
            return Ok(clamps.warn(Reply::new(Status::Ok, &results).with_message(message)));
        }
        query.document = match self.scope.as_deref() {
            None | Some("all") => None,
            Some(name) => Some(parsed("scope", name)?),
        };
        let found = cx.desk.recall.search(&query)?;
        show(cx.desk, &found)?;
        let message = found.is_empty().then(|| nothing(&cx.desk.recall, &query)).transpose()?;
        let results = json!({"results": found.iter().map(row).collect::<Vec<_>>()});
        Ok(clamps.warn(Reply::new(Status::Ok, &results).with_message(message.as_deref())))
    }
}

/// Says that nothing was found, and names documents that cannot be read.
fn nothing(recall: &Recall, asked: &SearchQuery) -> Result<String, MemoryError> {
    let unusable = recall.memory().unusable()?;
    let names = unusable
        .iter()
        .take(LISTED)
        .map(|unusable| format!("`{}`", excerpt(unusable.file.trim_end_matches(".md"), 40)));
    let names: Vec<_> = names.collect();
    let unread = if names.is_empty() {
        String::new()
    } else {
        format!("; not searched, as they cannot be read: {}", names.join(", "))
    };
    Ok(nothing_found(&[("scope", asked.document.is_some())]) + &unread)
}

/// Notes that the agent has been shown parts of the documents in which something was found.
fn show(desk: &mut Desk, found: &[Found]) -> Result<(), MemoryError> {
    for document in found.iter().map(|found| &found.document) {
        if desk.known.latest(document).is_none() {
            let doc = desk.memory().read(document)?;
            desk.known.show_found(document, &doc);
        }
    }
    Ok(())
}
