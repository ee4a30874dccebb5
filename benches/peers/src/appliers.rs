//! The crates that apply patches, each in its own format.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;

use diff_match_patch_rs::{DiffMatchPatch, Efficient};
use memdoc::request::patch::Patch;
use memdoc::{Authority, MemoryDoc, Request, Timestamp, View};
use patchloom::ops::begin_patch::{BeginPatchOp, apply_codex_hunks, parse_begin_patch};
use tempfile::TempDir;

use crate::Failure;
use crate::formats::Sent;

/// A document and an edit of it, as they are handed to an applier.
pub(crate) struct Task {
    doc: MemoryDoc,
    rules: std::sync::Arc<memdoc::document::Rules>,
    sent: Sent,
    /// V4A for memdoc, for a file of this name, and for a file by its path.
    patches: [String; 3],
    directory: TempDir,
}

/// A document as an applier leaves it.
pub(crate) enum Made {
    Document(MemoryDoc),
    Text(String),
    /// It stands in the file of the task.
    File,
}

/// A crate that applies edits.
pub(crate) struct Applier {
    pub(crate) name: &'static str,
    /// The package whose version is shown.
    pub(crate) package: &'static str,
    pub(crate) format: &'static str,
    pub(crate) apply: fn(&Task) -> Result<Made, Failure>,
    /// Reports whether its format can say the edit.
    pub(crate) can_be_asked: fn(&Sent) -> bool,
}

pub(crate) const MEMDOC: Applier =
    Applier { name: "memdoc", package: "memdoc", format: "V4A", apply: memdoc, can_be_asked: always };
/// As memdoc, for who has the document as a text.
pub(crate) const PARSING: Applier = Applier { name: "memdoc, with parse", apply: parsing, ..MEMDOC };
pub(crate) const OTHERS: [Applier; 8] = [
    Applier { name: "agcodex-apply-patch", package: "agcodex-apply-patch", apply: agcodex, ..MEMDOC },
    Applier { name: "patchloom, patch", package: "patchloom", apply: patchloom_patch, ..MEMDOC },
    Applier { name: "patchloom, diff", package: "patchloom", format: UNIFIED, apply: patchloom_diff, ..MEMDOC },
    Applier {
        name: "patchloom, replace",
        package: "patchloom",
        format: "replacement",
        apply: patchloom_replace,
        can_be_asked: |sent| sent.pairs.is_some(),
    },
    Applier { name: "mpatch", package: "mpatch", format: UNIFIED, apply: mpatch, ..MEMDOC },
    Applier { name: "diffy", package: "diffy", format: UNIFIED, apply: diffy, ..MEMDOC },
    Applier { name: "flickzeug", package: "flickzeug", format: UNIFIED, apply: flickzeug, ..MEMDOC },
    Applier {
        name: "diff-match-patch-rs",
        package: "diff-match-patch-rs",
        format: "its own",
        apply: diff_match_patch,
        can_be_asked: |sent| sent.characters.is_some(),
    },
];

const UNIFIED: &str = "unified diff";

fn always(_: &Sent) -> bool {
    true
}

impl Applier {
    /// Returns the version that is compared.
    pub(crate) fn version(&self) -> &'static str {
        let name = format!("name = \"{}\"", self.package);
        let mut lines = include_str!("../Cargo.lock").split('\n').skip_while(|line| *line != name);
        lines.nth(1).and_then(|line| line.split('"').nth(1)).unwrap_or("?")
    }

    /// Applies the edit, and returns the text that it makes; `None` if it is refused, be it by a panic.
    pub(crate) fn outcome(&self, task: &Task) -> Result<Option<String>, Failure> {
        task.restore()?;
        let applied = panic::catch_unwind(AssertUnwindSafe(|| (self.apply)(task).ok()));
        applied.ok().flatten().map(|made| task.text_of(made)).transpose()
    }
}

impl Task {
    pub(crate) fn new(document: &str, sent: Sent) -> Result<Self, Failure> {
        let rules = std::sync::Arc::new(memdoc::document::Rules::new(crate::documents::policy())?);
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("memory.md");
        let patches = [
            "Update Memory".to_owned(),
            "Update File: memory.md".to_owned(),
            format!("Update File: {}", path.display()),
        ];
        let patches = patches.map(|update| sent.patch(&update));
        Ok(Self { doc: MemoryDoc::with_rules(document, rules.clone()), rules, sent, patches, directory })
    }

    pub(crate) fn document(&self) -> &str {
        self.doc.text()
    }

    pub(crate) const fn sent(&self) -> &Sent {
        &self.sent
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("memory.md")
    }

    /// Writes the document into the file of the task, as it was.
    pub(crate) fn restore(&self) -> Result<(), Failure> {
        Ok(fs::write(self.path(), self.document())?)
    }

    pub(crate) fn text_of(&self, made: Made) -> Result<String, Failure> {
        match made {
            Made::Document(doc) => Ok(doc.text().to_owned()),
            Made::Text(text) => Ok(text),
            Made::File => Ok(fs::read_to_string(self.path())?),
        }
    }
}

fn memdoc(task: &Task) -> Result<Made, Failure> {
    edited(&task.doc, task)
}

fn parsing(task: &Task) -> Result<Made, Failure> {
    edited(&MemoryDoc::with_rules(task.document(), task.rules.clone()), task)
}

fn edited(doc: &MemoryDoc, task: &Task) -> Result<Made, Failure> {
    let patch: Patch = task.patches[0].parse()?;
    let patch = patch.documents.first().ok_or("no document")?;
    let edit = patch.plan(&View::current(doc, Timestamp::default()))?;
    match edit.splices() {
        // What is there already is reported as that.
        [] => Ok(Made::Document(doc.clone())),
        _ => Ok(Made::Document(doc.commit(&edit, Authority::Agent)?.doc)),
    }
}

fn agcodex(task: &Task) -> Result<Made, Failure> {
    agcodex_apply_patch::apply_patch(&task.patches[2], &mut Vec::new(), &mut Vec::new())?;
    Ok(Made::File)
}

fn patchloom_patch(task: &Task) -> Result<Made, Failure> {
    match parse_begin_patch(&task.patches[1])?.as_slice() {
        [BeginPatchOp::Update { hunks, .. }] => Ok(Made::Text(apply_codex_hunks(task.document(), hunks)?)),
        _ => Err("not the update of one file".into()),
    }
}

fn patchloom_diff(task: &Task) -> Result<Made, Failure> {
    match patchloom::api::parse_unified_diff(&task.sent.unified)?.as_slice() {
        [file] => Ok(Made::Text(patchloom::ops::patch::apply_hunks(task.document(), &file.hunks)?)),
        _ => Err("not the diff of one file".into()),
    }
}

fn patchloom_replace(task: &Task) -> Result<Made, Failure> {
    let options = patchloom::api::ReplaceOptions::for_agent();
    let mut text: Option<String> = None;
    for [old, new] in task.sent.pairs.iter().flatten() {
        let document = text.as_deref().unwrap_or(task.document());
        text = Some(patchloom::api::replace_in_content(document, old, new, &options)?.new_content);
    }
    Ok(Made::Text(text.ok_or("nothing to replace")?))
}

fn mpatch(task: &Task) -> Result<Made, Failure> {
    let options = mpatch::ApplyOptions::new();
    Ok(Made::Text(mpatch::patch_content_str(&task.sent.unified, Some(task.document()), &options)?))
}

fn diffy(task: &Task) -> Result<Made, Failure> {
    let patch = diffy::Patch::from_str(&task.sent.unified)?;
    Ok(Made::Text(diffy::apply(task.document(), &patch)?))
}

fn flickzeug(task: &Task) -> Result<Made, Failure> {
    let diff = flickzeug::Diff::from_str(&task.sent.unified)?;
    let applied = flickzeug::apply(task.document(), &diff).map_err(|error| error.to_string())?;
    Ok(Made::Text(applied.0))
}

fn diff_match_patch(task: &Task) -> Result<Made, Failure> {
    let library = DiffMatchPatch::new();
    let text = |error| format!("{error:?}");
    let patches =
        library.patch_from_text::<Efficient>(task.sent.characters.as_deref().ok_or("not asked")?).map_err(text)?;
    let (made, parts) = library.patch_apply(&patches, task.document()).map_err(text)?;
    match parts.contains(&false) {
        true => Err("a part was refused".into()),
        false => Ok(Made::Text(made)),
    }
}
