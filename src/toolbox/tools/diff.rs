//! `memory_diff`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::edit::document;
use crate::locate::Leniency;
use crate::memory::journal::Seq;
use crate::memory::{Memory, MemoryError, Moment, StoreError};
use crate::text::{RevisionPrefix, excerpt, printable};
use crate::toolbox::answer::{Done, Quote, Tell};
use crate::toolbox::arguments::{ArgumentError, Names, as_text};
use crate::toolbox::definition::{About, Call, CallError, Reads};
use crate::toolbox::desk::Desk;
use crate::toolbox::{Effect, Status, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::reading::<Arguments>(About {
    name: "memory_diff",
    title: "Compare two moments",
    effect: Effect::Read,
    description: "Shows what has changed in your memory between two moments, as a unified diff: after the edit with the `seq` (or at \
        the revision) `from`, and after `to`, or now. Use it to see what an edit, or somebody else, has changed. Example: \
        {\"from\": 12}",
    synonyms: &[&[("from", "since start base old"), ("to", "until end new")]],
    fields: &[],
})
.preparing(moments_as_text);

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The `seq` of an entry, or a revision.
    from: String,
    /// The same of the later moment. Default: now.
    to: Option<String>,
    /// Only this document. Default: all that have changed.
    document: Option<String>,
}

/// What the tool tells.
#[derive(Clone, Serialize)]
struct Changes {
    /// A unified diff of each document that is another.
    changes: Quote,
}

impl Tell for Changes {
    fn fmt_own(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.changes)
    }
}

fn moments_as_text(arguments: &mut Value, names: &Names) -> Result<Vec<Leniency>, ArgumentError> {
    // Numbers are what the description asks for.
    as_text(arguments, names, "from")?;
    as_text(arguments, names, "to").map(|_| Vec::new())
}

impl Reads for Arguments {
    type Told = Changes;

    fn read(self, desk: &mut Desk, _: &Call<'_>) -> Result<Done<Changes>, CallError> {
        let only = self.document.as_deref().map(|name| document(Some(name))).transpose()?;
        let whole = |moment| whole_group(desk.memory(), moment);
        let from = whole(moment("from", &self.from)?)?;
        let to = self.to.as_deref().map(|to| whole(moment("to", to)?)).transpose()?;
        let changes = match only {
            Some(document) => desk.memory().diff(&document, &from.into(), to.map(Into::into).as_ref())?,
            None => all(desk.memory(), from, to)?,
        };
        let is_empty = changes.is_empty();
        let done = Done::new(Status::Ok, Changes { changes: Quote::Lines(printable(&changes)) });
        Ok(if is_empty { done.with_message("nothing has changed between them") } else { done })
    }
}

/// A moment, as a call names it.
enum Named {
    Entry(Seq),
    Revision(RevisionPrefix),
}

impl From<Named> for Moment {
    fn from(named: Named) -> Self {
        match named {
            Named::Entry(seq) => Self::After(seq),
            Named::Revision(revision) => Self::At(revision),
        }
    }
}

/// Takes the number of an edit of several documents, which is that of the first, for all of it.
fn whole_group(memory: &Memory, named: Named) -> Result<Named, CallError> {
    Ok(match named {
        Named::Entry(seq) => Named::Entry(memory.entry(seq)?.group().last()),
        revision => revision,
    })
}

/// Compares all documents. A revision stands for the entry that made it.
fn all(memory: &Memory, from: Named, to: Option<Named>) -> Result<String, MemoryError> {
    let entry = |named| match named {
        Named::Entry(seq) => Ok(seq),
        Named::Revision(revision) => memory.entry_at(&revision),
    };
    let (from, to) = (entry(from)?, to.map(entry).transpose()?);
    let (first, last) = (to.map_or(from, |to| from.min(to)), to.map(|to| from.max(to)));
    let (old, new) = (Moment::After(from), to.map(Moment::After));
    let changed = memory.changed_between(first, last)?;
    let diff = |document| match memory.diff(document, &old, new.as_ref()) {
        // A file that somebody has spoilt does not hide the others.
        Err(MemoryError::Store(error @ StoreError::Unusable { .. })) => {
            Ok(format!("--- {document}\n{}\n", error.without_paths()))
        }
        diff => diff,
    };
    changed.iter().map(diff).collect()
}

/// Reads digits that are a number as one: a revision has six digits at least, and letters among them but by chance.
fn moment(name: &str, text: &str) -> Result<Named, CallError> {
    let text = text.trim().trim_start_matches('#');
    if let Some(seq) = text.parse().ok().filter(|_| text.len() < 12) {
        return Ok(Named::Entry(Seq::new(seq)));
    }
    text.parse().map(Named::Revision).map_err(|_| {
        let found = excerpt(text, 40);
        CallError::invalid(format!("`{name}`: expected the `seq` of an entry or a revision, found `{found}`"))
    })
}
