//! Patches of Codex and of OpenAI's `apply_patch`: files are added, deleted, changed and moved in one commit. The
//! hunks below `*** Update File` are a patch of one document.
//!
//! ```text
//! patch  = "*** Begin Patch" { add | delete | update } "*** End Patch"
//! add    = "*** Add File: " PATH { "+" LINE }
//! delete = "*** Delete File: " PATH
//! update = "*** Update File: " PATH [ "*** Move to: " PATH ] { hunk }
//! ```
//!
//! A heredoc around a patch is ignored.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::locate::{Code, LocateError, Target};
use crate::memory::MemoryError;
use crate::request::Refusal;
use crate::request::patch::{DocumentPatch, Patch};
use crate::text::{Content, Line, excerpt, is_blank, on_one_line};
use crate::toolbox::files::TOOL;
use crate::toolbox::files::change::{Action, FileEdit, Shelf, edit_reply, stop};
use crate::toolbox::files::path::{AtPath, Path, ROOT, Tree};
use crate::toolbox::{Call, Refused, Reply, Status, Toolbox, refusal};

/// The name of the tool in the journal.
const NAME: &str = "apply_patch";

impl Toolbox {
    /// Applies a patch of files below `/memories`, in the form that Codex sends, as one commit. It overwrites no
    /// file. The text of the reply is what Codex answers.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{InMemoryStore, Memory, Policy, Status, Toolbox};
    ///
    /// let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::files())?);
    /// let reply = toolbox.apply_patch("*** Begin Patch\n*** Add File: notes.md\n+- Likes tea\n*** End Patch");
    /// assert_eq!(reply.status(), Status::Committed);
    /// assert_eq!(reply.to_string(), "Success. Updated the following files:\nA notes.md");
    /// # Ok::<(), memdoc::document::InvalidSetting>(())
    /// ```
    pub fn apply_patch(&mut self, patch: &str) -> Reply {
        self.apply_changes(read(patch), &json!({ "patch": patch }))
    }

    /// Answers an item of a response of OpenAI's models: an `apply_patch_call`, which creates, updates or deletes
    /// one file, or a `custom_tool_call` with a whole patch. Returns the item to send back.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
    /// use serde_json::json;
    ///
    /// let store = InMemoryStore::new().with(DocName::memory(), "- Likes tea\n");
    /// let mut toolbox = Toolbox::new(Memory::new(store, Policy::files())?);
    /// let operation = json!({"type": "update_file", "path": "memory.md", "diff": "@@\n-- Likes tea\n+- Likes coffee\n"});
    /// let item = json!({"type": "apply_patch_call", "call_id": "call_1", "operation": operation});
    /// let answer = toolbox.apply_patch_call(&item);
    /// assert_eq!(answer["type"], "apply_patch_call_output");
    /// assert_eq!(answer["status"], "completed");
    /// # Ok::<(), memdoc::document::InvalidSetting>(())
    /// ```
    pub fn apply_patch_call(&mut self, item: &Value) -> Value {
        let call_id = item.get("call_id").cloned().unwrap_or_default();
        if item.get("type").and_then(Value::as_str) == Some("custom_tool_call") {
            let reply = self.apply_patch(item.get("input").and_then(Value::as_str).unwrap_or_default());
            return json!({"type": "custom_tool_call_output", "call_id": call_id, "output": reply.to_string()});
        }
        let operation = item.get("operation").cloned().unwrap_or_default();
        let expected =
            "Error: expected an operation create_file or update_file with path and diff, or delete_file with path";
        // Serde would take a number for the kind of that place.
        let named = Some(&operation).filter(|operation| operation["type"].is_string());
        let read = named.and_then(|operation| FileChange::deserialize(operation).ok()).map(|change| vec![change]);
        let reply = self.apply_changes(read.ok_or_else(|| stop(Code::InvalidPatch, expected)), &operation);
        let status = if reply.status() == Status::Error { "failed" } else { "completed" };
        json!({"type": "apply_patch_call_output", "call_id": call_id, "status": status, "output": reply.to_string()})
    }

    fn apply_changes(&mut self, read: Result<Vec<FileChange>, Box<Refused>>, arguments: &Value) -> Reply {
        self.observed(NAME, |desk, offered| {
            let call = Call { tool: &TOOL, offered, sent: arguments, arguments: Cow::Borrowed(arguments) };
            desk.previous = None;
            apply_all(&mut Shelf::new(desk, &call, NAME)?, read?)
        })
    }
}

/// Returns the text of a new file from its diff, without a line break at its end.
fn created_text(diff: &str) -> Result<String, Box<Refused>> {
    let added = Line::texts(diff).map(|line| {
        let shown = on_one_line(&excerpt(line, 80));
        line.strip_prefix('+').ok_or_else(|| stop(Code::InvalidPatch, format!("Error: Invalid Add File Line: {shown}")))
    });
    Ok(added.collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// Returns a path without the root, as Codex shows it.
fn without_root(path: &str) -> &str {
    path.strip_prefix(ROOT).and_then(|path| path.strip_prefix('/')).unwrap_or(path)
}

/// Reads a path, with or without the root.
fn read_path(path: &str) -> Result<Path, Box<Refused>> {
    if path.starts_with('/') { Path::read(path) } else { Path::read(&format!("{ROOT}/{path}")) }
}

/// Makes all changes in one commit.
fn apply_all(shelf: &mut Shelf<'_>, files: Vec<FileChange>) -> Result<Reply, Box<Refused>> {
    let planned = files.into_iter().map(|file| plan(shelf, file)).collect::<Result<Vec<_>, _>>()?;
    let (changes, mut lines): (Vec<_>, Vec<_>) = planned.into_iter().unzip();
    let applied = shelf.commit(&changes).map_err(|error| refuse(&shelf.tree, &error))?;
    // First added files, then changed, then deleted ones.
    lines.sort_by_key(|line| ["A", "M", "D"].iter().position(|kind| line.starts_with(kind)));
    Ok(edit_reply(format!("Success. Updated the following files:\n{}", lines.join("\n")), &applied))
}

/// Plans one change. Also returns its line of the answer.
fn plan(shelf: &mut Shelf<'_>, file: FileChange) -> Result<(FileEdit, String), Box<Refused>> {
    let path = read_path(&file.path)?;
    let shown = without_root(&path.shown);
    match (file.kind, shelf.tree.at(&path)?) {
        (FileKind::CreateFile { diff }, AtPath::Nothing) => {
            Ok((shelf.creation(&path, &created_text(&diff)?)?, format!("A {shown}")))
        }
        (FileKind::CreateFile { .. }, _) => Err(exists(shown)),
        (FileKind::DeleteFile, AtPath::File(name)) => {
            Ok((shelf.change(&path, name, Action::Delete)?, format!("D {shown}")))
        }
        (FileKind::UpdateFile { diff, move_to: None }, AtPath::File(name)) => {
            let patch = document_patch(shown, &diff)?;
            Ok((shelf.change(&path, name, Action::Edit(patch))?, format!("M {shown}")))
        }
        (FileKind::UpdateFile { diff, move_to: Some(to) }, AtPath::File(name)) => {
            let has_hunks = !diff.trim().is_empty();
            let patch = has_hunks.then(|| document_patch(shown, &diff)).transpose()?;
            let to = read_path(&to)?;
            let line = format!("M {}", without_root(&to.shown));
            if !matches!(shelf.tree.at(&to)?, AtPath::Nothing) {
                return Err(exists(without_root(&to.shown)));
            }
            let to = shelf.new_name(&to)?;
            Ok((shelf.change(&path, name, Action::Rename { to, patch })?, line))
        }
        _ => Err(unverified(Code::UnknownDocument, &format!("File not found at path '{shown}'"))),
    }
}

fn exists(path: &str) -> Box<Refused> {
    unverified(Code::InvalidArguments, &format!("{path} already exists, and is not overwritten"))
}

/// Refuses in the words of Codex.
fn unverified(code: Code, why: &str) -> Box<Refused> {
    stop(code, format!("apply_patch verification failed: {why}"))
}

/// Reads the hunks of one file.
fn document_patch(path: &str, body: &str) -> Result<DocumentPatch, Box<Refused>> {
    let read: Result<Patch, _> = format!("*** Begin Patch\n*** Update Memory\n{body}\n*** End Patch").parse();
    let invalid = |why: String| unverified(Code::InvalidPatch, &format!("invalid hunk in {path}, {why}"));
    // The numbers count two lines before the hunks.
    let patch = read.map_err(|error| {
        invalid(format!("line {}: expected {}, found {}", error.line.saturating_sub(2), error.expected, error.found))
    })?;
    match <[DocumentPatch; 1]>::try_from(patch.documents) {
        Ok([patch]) if !patch.parts.is_empty() => Ok(patch),
        _ => Err(invalid("expected hunks of one document".to_owned())),
    }
}

/// Refuses, in the words of Codex, what the memory refuses.
fn refuse(tree: &Tree, error: &MemoryError) -> Box<Refused> {
    let refused = refusal::memory_error(error);
    let path = error.document().map(|name| tree.path_of(name)).unwrap_or_default();
    let path = without_root(&path);
    let why = match missing_target(error) {
        Some(Target::Lines(lines)) => {
            let lines: Vec<_> = lines.iter().map(Content::as_str).collect();
            format!("Failed to find expected lines in {path}:\n{}", lines.join("\n"))
        }
        Some(Target::Section(line) | Target::Text(line) | Target::Bullet(line)) => {
            format!("Failed to find context '{line}' in {path}")
        }
        _ => format!("{path}: {}", refused.why),
    };
    refused.in_words(format!("apply_patch verification failed: {why}"))
}

/// Returns the text or name that was not found.
fn missing_target(error: &MemoryError) -> Option<&Target> {
    let MemoryError::Request { error, .. } = error.of_each_document().first()? else { return None };
    match &error.failures().first()?.refusal {
        Refusal::Locate(LocateError::NotFound { what, .. }) => Some(what),
        _ => None,
    }
}

/// One file of a patch, or the operation of an `apply_patch_call`.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct FileChange {
    path: String,
    #[serde(flatten)]
    kind: FileKind,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "they are the names of OpenAI's operations")]
enum FileKind {
    /// The diff consists of `+` lines.
    CreateFile {
        diff: String,
    },
    DeleteFile,
    /// The diff consists of hunks. With a new path, it may be empty.
    UpdateFile {
        diff: String,
        move_to: Option<String>,
    },
}

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";
/// The most files in one patch.
const MOST: usize = 500;

/// Reads a patch. Refuses in the words of Codex.
fn read(patch: &str) -> Result<Vec<FileChange>, Box<Refused>> {
    let invalid = |why: String| stop(Code::InvalidPatch, why);
    let lines: Vec<&str> = Line::texts(patch.trim()).collect();
    let lines = match lines.as_slice() {
        [first, inside @ .., last] if first.replace(['\'', '"'], "").trim() == "<<EOF" && last.trim() == "EOF" => {
            inside
        }
        all => all,
    };
    let body = match lines {
        [first, body @ .., last] if first.trim() == BEGIN && last.trim() == END => body,
        [first, ..] if first.trim() == BEGIN => {
            return Err(invalid(format!("invalid patch: The last line of the patch must be '{END}'")));
        }
        _ => return Err(invalid(format!("invalid patch: The first line of the patch must be '{BEGIN}'"))),
    };
    let mut changes: Vec<FileChange> = Vec::new();
    for (line, number) in body.iter().zip(2..) {
        if let Some(change) = FileChange::begun_by(line) {
            changes.push(change);
        } else if !changes.last_mut().map_or(is_blank(line), |change| change.takes(line)) {
            let found = on_one_line(&excerpt(line.trim(), 100));
            return Err(invalid(format!(
                "invalid hunk at line {number}, '{found}' is not a valid hunk header. Valid hunk headers: '{ADD}{{path}}', \
                 '{DELETE}{{path}}', '{UPDATE}{{path}}'"
            )));
        }
    }
    for change in &mut changes {
        if let FileKind::CreateFile { diff } = &mut change.kind {
            // A file of a patch ends in a line break. That of an operation does not.
            diff.push('+');
        }
    }
    match changes.len() {
        0 => Err(invalid("invalid patch: it changes no file".to_owned())),
        1..=MOST => Ok(changes),
        _ => Err(invalid(format!("invalid patch: expected at most {MOST} files"))),
    }
}

impl FileChange {
    /// Returns the change that begins with this line, without its diff.
    fn begun_by(line: &str) -> Option<Self> {
        let (path, kind) = if let Some(path) = line.strip_prefix(ADD) {
            (path, FileKind::CreateFile { diff: String::new() })
        } else if let Some(path) = line.strip_prefix(UPDATE) {
            (path, FileKind::UpdateFile { diff: String::new(), move_to: None })
        } else {
            (line.strip_prefix(DELETE)?, FileKind::DeleteFile)
        };
        Some(Self { path: path.trim().to_owned(), kind })
    }

    /// Adds a line to the change. Returns false if it cannot belong to it.
    fn takes(&mut self, line: &str) -> bool {
        let is_part = !line.starts_with("***") || line.trim_end() == END_OF_FILE;
        match (&mut self.kind, line.strip_prefix(MOVE)) {
            (FileKind::UpdateFile { diff, move_to: to @ None }, Some(path)) if diff.is_empty() => {
                *to = Some(path.trim().to_owned());
            }
            (FileKind::CreateFile { diff } | FileKind::UpdateFile { diff, .. }, _) if is_part => {
                diff.extend([line, "\n"])
            }
            _ => return is_blank(line),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_patch_is_read_file_by_file() {
        let patch = "<<'EOF'\n*** Begin Patch\n*** Add File: a.md\n+- x\n+\n*** Update File: b.md\n*** Move to: c.md\n@@ ## B\n- y\n\
                     +z\n*** End of File\n*** Delete File: d.md\n*** End Patch\nEOF\n";
        let changes = read(patch).map_err(|refused| refused.words).unwrap();
        let diff = "@@ ## B\n- y\n+z\n*** End of File\n".into();
        let update = FileKind::UpdateFile { diff, move_to: Some("c.md".into()) };
        let new = FileKind::CreateFile { diff: "+- x\n+\n+".into() };
        let expected = [("a.md", new), ("b.md", update), ("d.md", FileKind::DeleteFile)];
        let expected = expected.map(|(path, kind)| FileChange { path: path.into(), kind });
        assert_eq!(changes, expected);
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        for (patch, why) in [
            ("", "invalid patch: The first line of the patch must be '*** Begin Patch'"),
            ("*** Begin Patch", "invalid patch: The last line of the patch must be '*** End Patch'"),
            (
                "*** Begin Patch\n*** Add File: a.md\n+x",
                "invalid patch: The last line of the patch must be '*** End Patch'",
            ),
            ("*** Begin Patch\n*** End Patch", "invalid patch: it changes no file"),
        ] {
            assert_eq!(read(patch).unwrap_err().words.as_deref(), Some(why));
        }
        let unknown = read("*** Begin Patch\n*** Delete File: a.md\n+x\n*** End Patch").unwrap_err().words.unwrap();
        assert!(unknown.starts_with("invalid hunk at line 3, '+x' is not a valid hunk header"), "{unknown}");
        for diff in ["+x\n y", "+one\n\n+two", "+one\n\n"] {
            assert!(created_text(diff).is_err(), "{diff}");
        }
    }
}
