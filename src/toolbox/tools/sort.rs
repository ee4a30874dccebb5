//! `sort_items`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::request::{SortItems, SortKey};
use crate::toolbox::{Answer, Context, Tool};

/// Sorts the bullets of a section or block of your memory, each with its children. If some are equal,
/// such as two of one date, set `keep_ties`.
/// Example: {"section": "Log", "by": "date", "keep_ties": true}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SortItemsArguments {
    /// By title or path.
    section: Option<String>,
    /// By ID.
    block: Option<String>,
    /// `text` (default) or its ISO `date`.
    #[schemars(with = "Option<String>", extend("enum" = ["text", "date"], "aliases" = "key sort_by", "words" = "alphabetical=text chronological=date"))]
    by: Option<SortKey>,
    /// The last or newest comes first.
    #[schemars(extend("aliases" = "desc reverse newest_first order", "words" = "asc=false ascending=false desc=true descending=true"))]
    descending: Option<bool>,
    /// True to leave equal ones in order.
    #[schemars(extend("aliases" = "stable", "fix" = "keep_ties"))]
    keep_ties: Option<bool>,
}

impl Tool for SortItemsArguments {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut sort = SortItems::default();
        sort.list.section = self.section.map(Into::into);
        sort.list.block = self.block.map(Into::into);
        sort.by = self.by.unwrap_or_default();
        sort.descending = self.descending.unwrap_or_default();
        sort.keep_ties = self.keep_ties.unwrap_or_default();
        cx.edit(sort)
    }
}
