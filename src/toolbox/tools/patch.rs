//! `patch_memory`.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::memory::DocName;
use crate::request::patch::{DocumentPatch, Patch};
use crate::request::{Refusal, RequestError};
use crate::toolbox::context::{Context, document};
use crate::toolbox::definition::{Answer, Asked, Tool};
use crate::toolbox::refusal::request_error;
use crate::toolbox::refused::Refused;
use crate::toolbox::retry::{Field, Fields};

/// Applies a patch to your memory: several edits at once, all or none. Each hunk begins with `@@
/// section: NAME` (subsections included), `@@ block: ID`, `@@ key: KEY` or a bare `@@` (the whole
/// memory), holds one place, and sees the memory as it was. Its place is found by its lines,
/// adjacent and in order, never by numbers. Behind the first character, ` ` (keep), `-` (delete) or
/// `+` (add), write the line as it stands, bullet marker included. `+` lines alone go to the end,
/// before the first subsection. Whole sections need no hunk: `*** Add Section: NAME` (then `+`
/// lines), `*** Delete Section: NAME`, `*** Move Section: NAME`; `*** After: NAME` or `*** Under:
/// NAME` places one, and its level follows. `*** Update Memory: NAME` begins another document.
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
    #[schemars(extend("aliases" = "input patch_text diff content"))]
    patch: String,
}

impl Tool for PatchMemory {
    const FIELDS: Fields = &[(Field::Patch, "/patch")];

    fn run(self, cx: &mut Context<'_>) -> Answer {
        let patch: Patch =
            self.patch.parse().map_err(|error| request_error(&RequestError::of(0, Refusal::from(error))))?;
        let default = cx.document()?;
        let named = patch.documents.iter().filter_map(|patch| patch.document.as_deref());
        let is_given = cx.call.arguments.get("document").is_some();
        if let Some(other) = named.filter(|_| is_given).find(|name| *name != default.as_str()) {
            let why = format!("`document`: expected the document that the patch names, `{other}`, found `{default}`");
            return Err(Refused::invalid(why));
        }
        let healed = patch.healed.clone();
        let patches = by_document(patch, &default)?;
        let (base, is_one) = (cx.base()?, patches.len() == 1);
        let asked = patches.into_iter().map(|(document, patch)| {
            let base = base.clone().filter(|_| is_one || document == default);
            Asked { document, base, request: patch.with_healed(&healed).into() }
        });
        Ok(cx.make_all(&mut asked.collect())?.with_parts())
    }
}

/// Puts the parts of a patch together that edit one document.
fn by_document(patch: Patch, default: &DocName) -> Result<Vec<(DocName, DocumentPatch)>, Box<Refused>> {
    let mut asked: Vec<(DocName, DocumentPatch)> = Vec::new();
    let mut indexes: HashMap<DocName, usize> = HashMap::new();
    for patch in patch.documents {
        let name = patch.document.as_deref().map_or(Ok(default.clone()), |name| document(Some(name)))?;
        let index = *indexes.entry(name.clone()).or_insert(asked.len());
        match asked.get_mut(index) {
            Some((_, known)) => known.parts.extend(patch.parts),
            None => asked.push((name, patch)),
        }
    }
    Ok(asked)
}
