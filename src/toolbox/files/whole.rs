//! `delete` and `rename`: what becomes of whole files and folders, as one commit.

use crate::locate::Code;
use crate::memory::{DocName, MemoryError, Operation};
use crate::request::{Basis, Known};
use crate::toolbox::apply::show_unseen;
use crate::toolbox::files::edit::{check_new, gone};
use crate::toolbox::files::path::Path;
use crate::toolbox::files::shelf::{Shelf, by_memory, check_writable, edited, stop};
use crate::toolbox::files::tree::{Place, Tree};
use crate::toolbox::refused::Refused;
use crate::toolbox::{Reply, refusal};

/// Deletes a file, or a folder with all that is in it.
pub(super) fn delete(shelf: &mut Shelf<'_>, path: &str) -> Result<Reply, Box<Refused>> {
    let path = Path::read(path)?;
    if path.is_root() {
        return Err(stop(Code::InvalidArguments, "Cannot delete the /memories directory itself"));
    }
    let documents = documents(&path, &shelf.tree()?)?;
    let known = all_known(shelf, &path, &documents)?;
    let named = || documents.iter().zip(&known);
    let operations: Vec<_> =
        named().map(|(name, known)| Operation::delete(name.clone()).guarded(Basis::Known(known))).collect();
    let applied = shelf.commit(&operations).map_err(|error| refused(shelf, &path, &error, "deleted"))?;
    if !shelf.desk.is_trial {
        documents.iter().for_each(|name| shelf.desk.known.forget(name));
    }
    Ok(edited(format!("Successfully deleted {}", path.shown()), &applied))
}

/// Gives a file another path, or all files of a folder.
pub(super) fn rename(shelf: &mut Shelf<'_>, from: &str, to: &str) -> Result<Reply, Box<Refused>> {
    let (from, to) = (Path::read(from)?, Path::read(to)?);
    if from.is_root() {
        return Err(stop(Code::InvalidArguments, "Cannot rename the /memories directory itself"));
    }
    let tree = shelf.tree()?;
    let documents = documents(&from, &tree)?;
    let taken = || stop(Code::InvalidArguments, format!("The destination {} already exists", to.shown()));
    if !matches!(tree.place(&to)?, Place::Nothing) {
        return Err(taken());
    }
    let targets = targets(shelf, &tree, (&from, &to), &documents)?;
    let known = all_known(shelf, &from, &documents)?;
    let named = || documents.iter().zip(&targets).zip(&known);
    let operations: Vec<_> = named()
        .map(|((name, target), known)| Operation::rename(name.clone(), target).guarded(Basis::Known(known)))
        .collect();
    let applied = shelf.commit(&operations).map_err(|error| match error {
        MemoryError::DocumentExists { .. } => taken(),
        error => refused(shelf, &from, &error, "renamed"),
    })?;
    if !shelf.desk.is_trial {
        documents.iter().zip(&targets).for_each(|(name, target)| shelf.desk.known.rename(name, target));
    }
    Ok(edited(format!("Successfully renamed {} to {}", from.shown(), to.shown()), &applied))
}

/// Returns the documents at a path.
fn documents(path: &Path, tree: &Tree) -> Result<Vec<DocName>, Box<Refused>> {
    let documents = match tree.place(path)? {
        Place::File(name) => vec![name],
        Place::Folder(documents) => documents,
        Place::Nothing => {
            return Err(stop(Code::UnknownDocument, format!("The path {} does not exist", path.shown())));
        }
    };
    documents.iter().try_for_each(|name| check_writable(path, name))?;
    Ok(documents)
}

/// Returns the new names of the documents at a path.
fn targets(
    shelf: &Shelf<'_>,
    tree: &Tree,
    (from, to): (&Path, &Path),
    documents: &[DocName],
) -> Result<Vec<DocName>, Box<Refused>> {
    let root = shelf.root();
    let (old, new) = (from.prefix(root), to.prefix(root));
    let is_folder = documents.iter().all(|name| name.as_str().starts_with(&old));
    if is_folder && new.starts_with(&old) {
        let why = format!("Cannot rename {} to {}, which would be below it", from.shown(), to.shown());
        return Err(stop(Code::InvalidArguments, why));
    }
    let target = |name: &DocName| {
        let target = match name.as_str().strip_prefix(&old).filter(|_| is_folder) {
            None => to.document(root)?,
            Some(below) => format!("{new}{below}")
                .parse()
                .map_err(|error| stop(Code::InvalidArguments, format!("Invalid path {}: {error}", to.shown())))?,
        };
        check_writable(to, &target)?;
        check_new(to, &target, tree)?;
        let failed = |error| by_memory(&format!("{} was not renamed", from.shown()), &error);
        shelf.memory().unwritten(&target).map_err(failed)?;
        Ok(target)
    };
    documents.iter().map(target).collect()
}

/// Returns what the agent knows of documents; of those that it was shown nothing of, as they stand.
fn all_known(shelf: &Shelf<'_>, path: &Path, documents: &[DocName]) -> Result<Vec<Known>, Box<Refused>> {
    documents.iter().map(|name| shelf.known(name).map_err(|error| gone(path, &error))).collect()
}

/// Says why a file or folder stays as it is.
fn refused(shelf: &mut Shelf<'_>, path: &Path, error: &MemoryError, what: &str) -> Box<Refused> {
    let mut refused = refusal::memory_error(error);
    let (MemoryError::StaleRevision { document, current, .. }, Ok(tree)) = (stale(error), shelf.tree()) else {
        let document = error.document().and_then(|name| Some((name, shelf.tree().ok()?)));
        let inside = document.map(|(name, tree)| tree.path_of(name)).filter(|inside| inside != path.shown());
        let of = inside.map(|inside| format!(" of {inside}")).unwrap_or_default();
        let why = format!("{} was not {what}, because{of}: {}", path.shown(), refused.why);
        return refused.in_words(why);
    };
    let changed = tree.path_of(document);
    if let Some(known) = shelf.desk.known.latest(document).cloned() {
        refused = show_unseen(shelf.desk, stale(error), &known, refused);
        shelf.desk.known.show(document, current);
        shelf.desk.known.forget_lines(document);
    }
    refused
        .in_words(format!("{} was not {what}: {changed} has changed since you viewed it.", path.shown()))
        .with_hint("send the same call again if that is still to be done")
}

/// Returns the first error of several that tells of a changed document.
fn stale(error: &MemoryError) -> &MemoryError {
    match error {
        MemoryError::Several { first, others } => {
            let mut all = [&**first].into_iter().chain(others);
            all.find(|error| matches!(error, MemoryError::StaleRevision { .. })).unwrap_or(error)
        }
        error => error,
    }
}
