//! `create`, `delete` and `rename`: what becomes of whole files and folders, as one commit.

use crate::locate::Code;
use crate::memory::{DocName, MemoryError};
use crate::request::Rewrite;
use crate::toolbox::definition::Requested;
use crate::toolbox::files::Overwrite;
use crate::toolbox::files::change::{Change, Kind, Shelf, by_memory, check_writable, edited, looked, stop};
use crate::toolbox::files::path::Path;
use crate::toolbox::files::tree::{Place, Tree};
use crate::toolbox::refused::Refused;
use crate::toolbox::{Reply, refusal};

/// Creates a file. Where one of the same text is, the call was sent again.
pub(super) fn create(shelf: &mut Shelf<'_>, path: &str, text: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    let created = format!("File created successfully at: {}", path.shown());
    let exists = || stop(Code::InvalidArguments, format!("File {} already exists", path.shown()));
    let failed = |error| by_memory(&format!("File {} was not created", path.shown()), &error);
    match shelf.tree.place(&path)? {
        Place::Nothing => {
            let creation = shelf.creation(&path, text)?;
            let applied = shelf.commit(&[creation]).map_err(failed)?;
            Ok(edited(created, &applied))
        }
        Place::Folder(_) => Err(exists().with_hint("it is a folder")),
        Place::File(name) if shelf.desk.memory().read(&name).map_err(failed)?.text() == text => Ok(looked(created)),
        Place::File(_) if shelf.desk.files.overwrite == Overwrite::Refuse => {
            Err(exists().with_hint("use str_replace, or view the file and delete it"))
        }
        Place::File(name) => {
            check_writable(&path, &name)?;
            let rewrite = Rewrite::new("the whole file is written anew").with_candidate(text);
            let applied = shelf.edit(&name, Requested::Compaction(rewrite)).map_err(|refused| {
                let shown = path.shown();
                let why = match refused.code {
                    Code::MissingRevision => format!("view all of {shown} first"),
                    _ => refused.why.clone(),
                };
                refused.in_words(format!("File {shown} already exists, and was not overwritten: {why}"))
            })?;
            Ok(edited(created, &[applied]))
        }
    }
}

/// Deletes a file, or a folder with all that is in it.
pub(super) fn delete(shelf: &mut Shelf<'_>, path: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    if path.is_root() {
        return Err(stop(Code::InvalidArguments, "Cannot delete the /memories directory itself"));
    }
    let mut changes = Vec::new();
    for name in shelf.tree.documents(&path)? {
        changes.push(change(shelf, (&path, "deleted"), name, Kind::Delete)?);
    }
    let applied = shelf.commit(&changes).map_err(|error| refused(&shelf.tree, (&path, "deleted"), &error))?;
    Ok(edited(format!("Successfully deleted {}", path.shown()), &applied))
}

/// Gives a file another path, or all files of a folder.
pub(super) fn rename(shelf: &mut Shelf<'_>, from: &str, to: &str) -> Result<Reply, Box<Refused>> {
    let (from, to) = (Path::read(from)?, Path::read(to)?);
    if from.is_root() {
        return Err(stop(Code::InvalidArguments, "Cannot rename the /memories directory itself"));
    }
    let documents = shelf.tree.documents(&from)?;
    if !matches!(shelf.tree.place(&to)?, Place::Nothing) {
        return Err(stop(Code::InvalidArguments, format!("The destination {} already exists", to.shown())));
    }
    let mut changes = Vec::new();
    for name in documents {
        let target = target(shelf, &from, &to, &name)?;
        changes.push(change(shelf, (&from, "renamed"), name, Kind::Rename { to: target, patch: None })?);
    }
    let applied = shelf.commit(&changes).map_err(|error| refused(&shelf.tree, (&from, "renamed"), &error))?;
    Ok(edited(format!("Successfully renamed {} to {}", from.shown(), to.shown()), &applied))
}

/// Returns the new name of a document at a path that is renamed, or in the folder there.
fn target(shelf: &Shelf<'_>, from: &Path, to: &Path, name: &DocName) -> Result<DocName, Box<Refused>> {
    let (old, new) = (shelf.tree.prefix(from), shelf.tree.prefix(to));
    let Some(below) = name.as_str().strip_prefix(&old) else { return shelf.new_name(to) };
    if new.starts_with(&old) {
        let why = format!("Cannot rename {} to {}, which would be below it", from.shown(), to.shown());
        return Err(stop(Code::InvalidArguments, why));
    }
    let invalid = |error| stop(Code::InvalidArguments, format!("Invalid path {}: {error}", to.shown()));
    let target = format!("{new}{below}").parse().map_err(invalid)?;
    shelf.check_new(to, &target)?;
    Ok(target)
}

/// Plans what becomes of a whole document, unless others have changed it since the agent saw it.
fn change(
    shelf: &mut Shelf<'_>,
    (path, verb): (&Path, &str),
    name: DocName,
    kind: Kind,
) -> Result<Change, Box<Refused>> {
    let (doc, known) = shelf.read(path, &name)?;
    if known.believed().revision() != doc.revision() {
        let words =
            format!("{} was not {verb}: {} has changed since you viewed it.", path.shown(), shelf.tree.path_of(&name));
        return Err(shelf.stale(&name, &known, doc).in_words(words));
    }
    Ok(Change { name, known: Some(known), kind })
}

/// Says why a file or folder stays as it is.
fn refused(tree: &Tree, (path, verb): (&Path, &str), error: &MemoryError) -> Box<Refused> {
    let refused = refusal::memory_error(error);
    let inside = error.document().map(|name| tree.path_of(name)).filter(|inside| inside != path.shown());
    let of = inside.map(|inside| format!(" of {inside}")).unwrap_or_default();
    let words = format!("{} was not {verb}, because{of}: {}", path.shown(), refused.why);
    refused.in_words(words)
}
