//! `rewrite_memory`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::edit::Target;
use crate::request::Rewrite;
use crate::toolbox::answer::Edited;
use crate::toolbox::definition::{About, Asked, CallError, Edits, Requested};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::editing::<Arguments>(About {
    name: "rewrite_memory",
    title: "Compact memory",
    effect: Effect::Edit,
    description: "Compacts your memory, or one section, as a whole: near its limit, or when it is messy. Write the shorter text \
        yourself and send the whole of it as `candidate`; without one, a compactor drops what has expired, duplicates, and over \
        the budget the oldest unpinned bullets. Keep pinned bullets, reserved sections, block IDs, slots and most bullets word \
        for word: one that you reword counts as gone, and bullets of one list are merged by `;` between their texts. Write no \
        placeholders. Example: \
        {\"instructions\": \"merge what says the same\", \"budget_tokens\": 1500}",
    synonyms: &[&[
        ("instructions", "instruction goal prompt"),
        ("budget_tokens", "budget max_tokens token_budget"),
        ("candidate", "text content new_text file_text new_memory rewritten"),
    ]],
    fields: &[(Field::Section, "/section")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// What to merge, and what to keep.
    instructions: String,
    /// How many tokens it may have. Default: the soft limit.
    #[schemars(range(min = 1))]
    budget_tokens: Option<u64>,
    /// The section to rewrite, by title or path. Default: the whole document.
    section: Option<String>,
    /// The whole new text; of a section, with its heading. Default: a compactor writes it.
    candidate: Option<String>,
    /// Sections whose unpinned bullets your user has released: they go first and do not count as lost.
    may_drop: Option<Vec<String>>,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Arguments {
    type Told = Edited;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        let mut request = Rewrite::new(self.instructions);
        request.budget_tokens = self.budget_tokens.map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX));
        request.section = self.section.map(Into::into);
        request.candidate = self.candidate.map(Into::into);
        request.may_drop = self.may_drop.into_iter().flatten().map(Into::into).collect();
        self.target.asks_for(Requested::Compaction(request))
    }
}
