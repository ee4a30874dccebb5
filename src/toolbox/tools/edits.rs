//! `patch_memory`, `replace_in_memory` and `rewrite_memory`: edits of text.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::memory::DocName;
use crate::request::patch::{DocumentPatch, Patch};
use crate::request::{Refusal, Replace, RequestError, Rewrite};
use crate::toolbox::refusal::request_error;
use crate::toolbox::{Answer, Asked, Context, NamedText, Refused, Tool, parsed};

/// Applies a patch to your memory: several edits at once, all or none. Each hunk changes one place.
/// It begins with `@@ section: NAME` (subsections included), `@@ block: ID`, `@@ key: KEY` or a bare
/// `@@` (the whole memory), and is found by its lines, adjacent and in order, in the memory as it was
/// before the patch, never by numbers. Behind the first character, ` ` (keep), `-` (delete) or `+`
/// (add), write the line as it stands, bullet marker included. `+` lines alone go to the end of the
/// section, before its first subsection. Whole sections need no hunk: `*** Add Section: NAME` (then
/// `+` lines), `*** Delete Section: NAME`, `*** Move Section: NAME`. The next line says where it goes:
/// `*** After: NAME`, `*** Under: NAME` (as its last subsection) or `*** Last`. A heading is renamed as
/// any line. `*** Update Memory: NAME` begins another document; without NAME, the call's.
/// Example:
///
/// ```text
/// *** Begin Patch
/// *** Update Memory
/// @@ section: Facts
/// -- Lives in Denver
/// +- Lives in Austin
/// @@ section: Tasks
/// +- Tell the bank
/// *** End Patch
/// ```
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PatchMemory {
    /// The patch, from `*** Begin Patch` to `*** End Patch`.
    #[schemars(extend("aliases" = "input patch_text diff content edit", "fix" = "patch"))]
    patch: String,
}

impl Tool for PatchMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let patch: Patch =
            self.patch.parse().map_err(|error| request_error(&RequestError::of(0, Refusal::from(error))))?;
        let default = cx.document()?;
        let named: Vec<_> = patch.documents.iter().map(|patch| patch.document.as_deref()).collect();
        let is_given = cx.call.arguments.get("document").is_some();
        if let Some(other) = named.iter().flatten().find(|name| is_given && **name != default.as_str()) {
            let why = format!(
                "`document` is `{default}`, but the patch names `{other}`: leave `document` out if the patch is right"
            );
            return Err(Refused::invalid(why));
        }
        let patches = by_document(patch, &default)?;
        let (base, is_one) = (cx.base()?, patches.len() == 1);
        let asked = patches.into_iter().map(|(document, patch)| {
            let base = base.clone().filter(|_| is_one || document == default);
            Asked { text: NamedText { document, base }, request: Box::new(patch) }
        });
        cx.edit_all(asked.collect())
    }
}

/// Joins the parts of a patch that edit the same document.
fn by_document(patch: Patch, default: &DocName) -> Result<Vec<(DocName, DocumentPatch)>, Box<Refused>> {
    let mut asked: Vec<(DocName, DocumentPatch)> = Vec::new();
    for patch in patch.documents {
        let name = patch.document.as_deref().map_or(Ok(default.clone()), |name| parsed("document", name))?;
        match asked.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.parts.extend(patch.parts),
            None => asked.push((name, patch)),
        }
    }
    Ok(asked)
}

/// Replaces a text by another, in the whole memory, a section (subsections included) or a block.
/// Use it for one phrase; for several edits, a patch. The text must occur exactly once, or as often
/// as you say; copy it as it stands, with lines around it where it might occur twice.
/// Example: {"old_string": "Lives in Denver", "new_string": "Lives in Austin", "section": "Facts"}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReplaceInMemory {
    /// The text to be replaced, exactly as it stands.
    #[schemars(extend("aliases" = "old_str old old_text old_content search search_text find", "fix" = "text"))]
    old_string: String,
    /// The text in its place; empty to delete.
    #[schemars(extend("aliases" = "new_str new new_text new_content replace replacement replace_with", "fix" = "new_text"))]
    new_string: String,
    /// How often it must occur; all are replaced. Default: 1.
    #[schemars(range(min = 1), extend("aliases" = "count expected expected_count expected_occurrences", "fix" = "count"))]
    expected_replacements: Option<usize>,
    /// True to replace all, however many.
    #[schemars(extend("aliases" = "all all_occurrences allow_multiple"))]
    replace_all: Option<bool>,
    /// True to skip what is inside longer words and numbers.
    #[schemars(extend("aliases" = "whole_word match_whole_word", "fix" = "whole_words"))]
    whole_words: Option<bool>,
    /// The section to look in, by title or path.
    section: Option<String>,
    /// The block to look in, by its ID.
    block: Option<String>,
}

impl Tool for ReplaceInMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let expected = match (self.expected_replacements, self.replace_all) {
            (None, Some(true)) => None,
            (expected, _) => Some(expected.unwrap_or(1)),
        };
        if self.section.is_some() && self.block.is_some() {
            return Err(Refused::invalid("expected `section` or `block`, found both"));
        }
        let mut request = Replace::new(self.old_string, self.new_string);
        (request.section, request.block) = (self.section.map(Into::into), self.block.map(Into::into));
        request.expected = expected;
        request.whole_words = self.whole_words.unwrap_or_default();
        cx.edit(request)
    }
}

/// Compacts your memory, or one section, as a whole: near its limit, or when it is messy. Write the
/// shorter text yourself and send the whole of it as `candidate`; without one, a compactor drops
/// what has expired, duplicates, and over the budget the oldest unpinned bullets. Keep pinned
/// bullets, reserved sections, block IDs and slots word for word, and most other bullets: one that
/// you reword counts as gone. To merge bullets of one list, write one with all their texts as they
/// are, `;` between them. Write no placeholders.
/// Example: {"instructions": "merge what says the same", "budget_tokens": 1500}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RewriteMemory {
    /// For a host's compactor: what to merge and keep.
    #[schemars(extend("aliases" = "instruction goal prompt", "empty" = true))]
    instructions: String,
    /// How many tokens it may have. Default: the soft limit.
    #[schemars(range(min = 1), extend("aliases" = "budget max_tokens token_budget"))]
    budget_tokens: Option<usize>,
    /// The section to rewrite, by title or path. Default: the whole document.
    section: Option<String>,
    /// The whole new text; of a section, with its heading. Default: a compactor writes it.
    #[schemars(extend("aliases" = "text content new_text file_text new_memory rewritten"))]
    candidate: Option<String>,
    /// Sections whose unpinned bullets your user has released: they go first and do not count as lost.
    may_drop: Option<Vec<String>>,
}

impl Tool for RewriteMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let mut request = Rewrite::new(self.instructions);
        request.budget_tokens = self.budget_tokens;
        request.section = self.section.map(Into::into);
        request.candidate = self.candidate.map(Into::into);
        request.may_drop = self.may_drop.into_iter().flatten().map(Into::into).collect();
        cx.edit(request)
    }
}
