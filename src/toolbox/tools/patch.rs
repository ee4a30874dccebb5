//! `patch_memory`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::super::apply::tell_parts;
use super::super::arguments;
use super::super::definition::{Action, Asked, Effect, Requested, ToolDefinition};
use super::super::output::{Parts, reply_of};
use super::super::reply::Reply;
use super::super::schema::input_of;
use super::super::{explain, phrase};
use super::edit::{Target, base, document, parse};
use crate::locate::{BulletTest, Fix, Relation};
use crate::memory::{Applied, DocName};
use crate::request::patch::{Anchor, DocumentPatch, Patch};

pub(super) const TOOL: ToolDefinition = ToolDefinition {
    name: "patch_memory",
    title: "Patch memory",
    effect: Effect::Edit,
    description: "Applies a patch to your memory: several edits at once, all or none. Each hunk begins with `@@ section: NAME` (subsections included) or `@@ block: ID`, and sees \
        the memory as it was; places in it are found by their lines, never by numbers. Behind the first character, which is \
        ` ` (keep), `-` (delete) or `+` (add), write the line as it stands, bullet marker included. `+` lines alone go before \
        the first subsection. `*** Add Section: NAME` (then `+` lines) and `*** Delete Section: NAME` need no hunk. Example:\n\
        *** Begin Patch\n*** Update Memory\n@@ section: Facts\n-- Lives in Denver\n+- Lives in Austin\n\
        @@ section: Tasks\n+- Tell the bank\n*** End Patch",
    schema: input_of::<Arguments>,
    output: reply_of::<Parts>,
    synonyms: &[("input", "patch"), ("patch_text", "patch"), ("diff", "patch"), ("content", "patch")],
    prepare: arguments::as_given,
    action: Action::Edit { ask, tell },
    phrase: words,
};

#[derive(Debug, Deserialize, JsonSchema)]
struct Arguments {
    /// The patch, from `*** Begin Patch` to `*** End Patch`.
    patch: String,
    /// For a patch of several documents, the revision that you saw of each, by name.
    base_revisions: Option<BTreeMap<String, String>>,
    #[serde(flatten)]
    target: Target,
}

fn ask(tool: &ToolDefinition, arguments: &Value) -> Result<Vec<Asked>, Reply> {
    let arguments: Arguments = parse(tool, arguments)?;
    let patch: Patch = arguments.patch.parse().map_err(|error| explain::refusal(tool, error))?;
    let default = document(tool, arguments.target.document())?;
    let mut bases = BTreeMap::new();
    for (name, digits) in arguments.base_revisions.iter().flatten() {
        bases.insert(document(tool, Some(name))?, base(tool, Some(digits))?);
    }
    let named = arguments.target.document().is_some();
    let other =
        patch.documents.iter().filter_map(|patch| patch.document.as_deref()).find(|name| *name != default.as_str());
    if let Some(other) = other.filter(|_| named) {
        let message = format!("`document`: expected the document that the patch names, `{other}`, found `{default}`");
        return Err(explain::invalid_value(tool, message));
    }
    let healed = patch.healed;
    let mut asked: Vec<(DocName, DocumentPatch)> = Vec::new();
    for patch in patch.documents {
        let name = patch.document.as_deref().map_or(Ok(default.clone()), |name| document(tool, Some(name)))?;
        match asked.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.parts.extend(patch.parts),
            None => asked.push((name, patch)),
        }
    }
    if let Some(other) = bases.keys().find(|name| !asked.iter().any(|(known, _)| known == *name)) {
        let message = format!("`base_revisions`: expected documents that the patch edits, found `{other}`");
        return Err(explain::invalid_value(tool, message));
    }
    let one = base(tool, arguments.target.base_revision())?;
    let is_one = asked.len() == 1;
    let asks = asked.into_iter().map(|(document, patch)| {
        let named = bases.get(&document).cloned().flatten();
        // What a retry sets on the hint of a refusal goes before what it was refused for.
        let base = one.clone().filter(|_| is_one || document == default).or(named);
        Asked { document, base, request: Requested::Edit(Box::new(patch.with_healed(&healed))) }
    });
    Ok(asks.collect())
}

fn tell(reply: Reply, applied: &[Applied]) -> Reply {
    tell_parts(reply, applied)
}

/// Words a fix as lines of a patch.
fn words(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSection(name) => Some(format!("name the section `{name}`, in a hunk by \"@@ section: {name}\"")),
        Fix::NameBlock(id) => Some(format!("anchor the hunk by \"@@ block: {id}\"")),
        Fix::NameSlot(name) => Some(format!("anchor the hunk by \"@@ slot: {name}\"")),
        // The anchor is another, and so is the keyword.
        Fix::Instead { fix, .. } => words(fix),
        Fix::Under { text, .. } => {
            let anchor = Anchor::Bullet(BulletTest::Equals(text.clone()));
            Some(format!("anchor the hunk by \"{anchor}\", and indent what it adds below that bullet"))
        }
        Fix::Place(relation, name) => {
            let word = match relation {
                Relation::Before => "Before",
                Relation::After => "After",
                Relation::Under => "Under",
            };
            Some(format!("write \"*** {word}: {name}\" as its place"))
        }
        Fix::UseKey(key) => Some(format!("anchor the hunk by \"@@ key: {key}\"")),
        Fix::DropScope => Some("leave out the hunk's anchors: write \"@@\" alone".to_owned()),
        Fix::AddContext(lines) => {
            let lines: Vec<_> = lines.iter().map(|line| format!("\" {line}\"")).collect();
            Some(format!("begin the hunk with the context {}", lines.join(", ")))
        }
        _ => phrase::scope(fix),
    }
}
