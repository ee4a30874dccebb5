//! What replies have in common, documented for the schemas of results.

#![allow(dead_code, reason = "replies are built member by member; these types are their schema")]

use schemars::JsonSchema;
use serde_json::{Map, Value};

use super::report::Report;
use super::schema;

/// Returns the schema of a tool's replies: the common members and the tool's own.
pub(super) fn reply_of<T: JsonSchema>() -> Value {
    schema::output_of::<Answer<T>>()
}

#[derive(JsonSchema)]
struct Answer<T> {
    #[serde(flatten)]
    common: Common,
    #[serde(flatten)]
    own: T,
}

#[derive(JsonSchema)]
struct Common {
    /// What became of the call. After `error` nothing was changed, unless `message` says that this is not known.
    // With those of tools to come, so that a status that the library gains is promised already.
    #[schemars(extend("enum" = ["committed", "editing", "needs_match", "preview", "ok", "no_change", "already_applied", "reverted", "error"]))]
    status: String,
    /// The revision of the document, for `base_revision`.
    revision: Option<String>,
    /// What happened.
    message: Option<String>,
    /// How the call was read less exactly than written.
    healed: Option<Vec<String>>,
    /// What succeeded, and should be known nevertheless.
    warnings: Option<Vec<WarningRow>>,
    /// The kind of an error.
    code: Option<String>,
    /// What to send instead.
    hint: Option<String>,
    /// Whether the same intention, sent in another way or later, may succeed.
    retryable: Option<bool>,
    /// The places that may be meant, and for each what to send.
    candidates: Option<Vec<CandidateRow>>,
    /// How many places more there are than candidates.
    more: Option<usize>,
    /// The lines that are most like what was not found.
    closest: Option<Vec<ClosestRow>>,
    /// What has changed since you saw the document, as a unified diff.
    changes: Option<String>,
    /// If that is too long to be shown, the sections that have changed.
    stale_sections: Option<Vec<String>>,
    /// The parts of the call that were refused.
    failures: Option<Vec<FailureRow>>,
}

#[derive(JsonSchema)]
struct WarningRow {
    /// The kind of the warning.
    code: String,
    /// What to know.
    message: String,
}

#[derive(JsonSchema)]
struct CandidateRow {
    /// The letter that names it.
    id: String,
    /// Its line, from 1.
    line: usize,
    /// The path of its section.
    section: Option<String>,
    /// The key of its bullet.
    key: Option<String>,
    /// Its text, cut short.
    excerpt: String,
    /// Present if it is the likeliest one.
    recommended: Option<bool>,
    /// What to send to mean this place.
    #[serde(rename = "use")]
    way: Option<String>,
}

#[derive(JsonSchema)]
struct ClosestRow {
    /// The line, from 1.
    line: usize,
    /// The path of its section.
    section: Option<String>,
    /// Its text, cut short.
    excerpt: String,
    /// In what it differs from what was sought.
    reason: String,
}

#[derive(JsonSchema)]
struct FailureRow {
    /// The number of the part, from 1.
    part: usize,
    /// For a call that edits several documents, the document of the part.
    document: Option<String>,
    /// The kind of the error.
    code: String,
    /// What is wrong with it.
    message: String,
}

/// What an edit adds to its reply.
#[derive(JsonSchema)]
pub(super) struct Edited {
    /// The paths of the sections that were changed; `front matter` and `block ID` where no section is.
    changed_sections: Option<Vec<String>>,
    /// The lines that were written or moved, as they read now.
    lines: Option<Vec<LineRow>>,
    /// How many lines more were written than are shown.
    more_lines: Option<usize>,
    /// How many lines are gone, with none in their place.
    removed_lines: Option<usize>,
    /// The size of the text in bytes.
    bytes: Option<BeforeAfterRow>,
    /// The size of the text in tokens, estimated.
    tokens: Option<BeforeAfterRow>,
    /// How many bullets were changed.
    bullets: Option<BulletsRow>,
    /// For an edit of several documents, what became of each.
    documents: Option<Vec<DocumentRow>>,
    /// If the document was compacted, what became of its bullets; of several, the first that was.
    report: Option<Report>,
}

#[derive(JsonSchema)]
struct LineRow {
    /// Its number, from 1.
    line: usize,
    /// Its text.
    text: String,
}

#[derive(JsonSchema)]
struct BeforeAfterRow {
    /// Before the edit.
    before: usize,
    /// After the edit.
    after: usize,
}

#[derive(JsonSchema)]
struct BulletsRow {
    /// Bullets that are new.
    added: usize,
    /// Bullets that are gone.
    removed: usize,
    /// Bullets whose text is another.
    changed: usize,
    /// Bullets that stand elsewhere.
    moved: usize,
}

#[derive(JsonSchema)]
struct DocumentRow {
    /// The name of the document.
    document: String,
    /// Its revision.
    revision: String,
    /// The lines that were written or moved, as they read now.
    lines: Option<Vec<LineRow>>,
    /// How many lines more were written than are shown.
    more_lines: Option<usize>,
    /// How many lines are gone, with none in their place.
    removed_lines: Option<usize>,
    /// If it was compacted, what became of its bullets, as in `report`.
    report: Option<Map<String, Value>>,
}

/// What an edit of numbered parts adds to its reply.
#[derive(JsonSchema)]
pub(super) struct Parts {
    #[serde(flatten)]
    edited: Edited,
    /// What became of each part, where not all were applied.
    parts: Option<Vec<PartRow>>,
}

#[derive(JsonSchema)]
struct PartRow {
    /// The number of the part, from 1.
    part: usize,
    /// What became of it.
    status: String,
}
