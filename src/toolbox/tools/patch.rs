//! `patch_memory`.

use std::collections::{BTreeMap, HashMap, HashSet};

use schemars::JsonSchema;
use serde::Deserialize;

use super::edit::{Target, base, document};
use crate::memory::DocName;
use crate::request::Refusal;
use crate::request::patch::{DocumentPatch, Patch};
use crate::text::RevisionPrefix;
use crate::toolbox::answer::Parts;
use crate::toolbox::definition::{About, Asked, CallError, Edits, Requested};
use crate::toolbox::retry::Field;
use crate::toolbox::{Effect, ToolDefinition};

pub(super) static TOOL: ToolDefinition = ToolDefinition::editing::<Arguments>(About {
    name: "patch_memory",
    title: "Patch memory",
    effect: Effect::Edit,
    description: "Applies a patch to your memory: several edits at once, all or none. Each hunk begins with `@@ section: NAME` \
        (subsections included), `@@ block: ID`, `@@ key: KEY` or a bare `@@` (the whole memory), and sees the memory as it was. Its \
        place is found by its lines, adjacent and in order, never by numbers. Behind the first character, ` ` (keep), `-` (delete) or \
        `+` (add), write the line as it stands, bullet marker included. `+` lines alone go to the end, before the first subsection. \
        Whole sections need no hunk: `*** Add Section: NAME` (then `+` lines), `*** Delete Section: NAME`, `*** Move Section: NAME`; \
        `*** After: NAME` or `*** Under: NAME` places one. Example:\n\
        *** Begin Patch\n*** Update Memory\n@@ section: Facts\n-- Lives in Denver\n+- Lives in Austin\n\
        @@ section: Tasks\n+- Tell the bank\n*** End Patch",
    synonyms: &[&[("patch", "input patch_text diff content")]],
    fields: &[(Field::Patch, "/patch")],
});

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The patch, from `*** Begin Patch` to `*** End Patch`.
    patch: String,
    /// For a patch of several documents, the revision that you saw of each, by name.
    base_revisions: Option<BTreeMap<String, String>>,
    #[serde(flatten)]
    target: Target,
}

impl Edits for Arguments {
    type Told = Parts;

    fn ask(self) -> Result<Vec<Asked>, CallError> {
        let patch: Patch = self.patch.parse().map_err(|error| CallError::Request(Box::new(Refusal::from(error))))?;
        let healed = patch.healed.clone();
        let default = document(self.target.document.as_deref())?;
        self.check_document(&patch, &default)?;
        let asked = by_document(patch, &default)?;
        let bases = self.bases(&asked)?;
        let one = base(self.target.base_revision.as_deref())?;
        let is_one = asked.len() == 1;
        let asks = asked.into_iter().map(|(document, patch)| {
            let named = bases.get(&document).cloned().flatten();
            // What a retry sets on the hint of a refusal goes before what it was refused for.
            let base = one.clone().filter(|_| is_one || document == default).or(named);
            Asked { document, base, request: Requested::Edit(Box::new(patch.with_healed(&healed))) }
        });
        Ok(asks.collect())
    }
}

impl Arguments {
    /// Refuses a call that names another document than its patch.
    fn check_document(&self, patch: &Patch, default: &DocName) -> Result<(), CallError> {
        let mut named = patch.documents.iter().filter_map(|patch| patch.document.as_deref());
        match named.find(|name| *name != default.as_str()).filter(|_| self.target.document.is_some()) {
            None => Ok(()),
            Some(other) => Err(CallError::invalid(format!(
                "`document`: expected the document that the patch names, `{other}`, found `{default}`"
            ))),
        }
    }

    /// Reads the revisions that the call names for documents of the patch.
    fn bases(
        &self,
        asked: &[(DocName, DocumentPatch)],
    ) -> Result<BTreeMap<DocName, Option<RevisionPrefix>>, CallError> {
        let mut bases = BTreeMap::new();
        for (name, digits) in self.base_revisions.iter().flatten() {
            bases.insert(document(Some(name))?, base(Some(digits))?);
        }
        let asked: HashSet<_> = asked.iter().map(|(name, _)| name).collect();
        match bases.keys().find(|name| !asked.contains(name)) {
            None => Ok(bases),
            Some(other) => Err(CallError::invalid(format!(
                "`base_revisions`: expected documents that the patch edits, found `{other}`"
            ))),
        }
    }
}

/// Puts the parts of a patch together that edit one document.
fn by_document(patch: Patch, default: &DocName) -> Result<Vec<(DocName, DocumentPatch)>, CallError> {
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
