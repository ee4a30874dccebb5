//! `rewrite_memory`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::Rewrite;
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Requested, Tool};
use crate::toolbox::retry::{Field, Fields};

/// Compacts your memory, or one section, as a whole: near its limit, or when it is messy. Write the
/// shorter text yourself and send the whole of it as `candidate`; without one, a compactor drops
/// what has expired, duplicates, and over the budget the oldest unpinned bullets. Keep pinned
/// bullets, reserved sections, block IDs, slots and most bullets word for word: one that you reword
/// counts as gone, and bullets of one list are merged by `;` between their texts. Write no
/// placeholders.
/// Example: {"instructions": "merge what says the same", "budget_tokens": 1500}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RewriteMemory {
    /// What to merge, and what to keep.
    #[schemars(extend("aliases" = "instruction goal prompt"))]
    instructions: String,
    /// How many tokens it may have. Default: the soft limit.
    #[schemars(range(min = 1), extend("aliases" = "budget max_tokens token_budget"))]
    budget_tokens: Option<u64>,
    /// The section to rewrite, by title or path. Default: the whole document.
    section: Option<String>,
    /// The whole new text; of a section, with its heading. Default: a compactor writes it.
    #[schemars(extend("aliases" = "text content new_text file_text new_memory rewritten"))]
    candidate: Option<String>,
    /// Sections whose unpinned bullets your user has released: they go first and do not count as lost.
    may_drop: Option<Vec<String>>,
}

impl Tool for RewriteMemory {
    const FIELDS: Fields = &[(Field::Section, "/section")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut request = Rewrite::new(self.instructions);
        request.budget_tokens = self.budget_tokens.map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX));
        request.section = self.section.map(Into::into);
        request.candidate = self.candidate.map(Into::into);
        request.may_drop = self.may_drop.into_iter().flatten().map(Into::into).collect();
        cx.edit(Requested::Compaction(request))
    }
}
