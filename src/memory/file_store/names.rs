//! Which files of a directory are documents.

use std::collections::{BTreeSet, HashMap};

use litemap::LiteMap;

use super::disk::{Disk, Listed};
use super::index::Index;
use super::layout::{self, join};
use crate::memory::{DocName, FileFlaw, InvalidDocName, StoreError, Unusable};

/// The documents and files of a folder whose names are equal but for letter case, such as `Notes` and `NOTES`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Namesakes {
    /// The documents that the journal says exist.
    known: BTreeSet<DocName>,
    /// The files, each by the name of the document that it would be.
    files: BTreeSet<DocName>,
}

impl Namesakes {
    /// Finds the namesakes of `name`, with `name` itself.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn of<D: Disk>(disk: &D, name: &DocName, index: &Index) -> Result<Self, StoreError> {
        let listed = disk.list(name.folder())?;
        let files = listed.iter().filter_map(|entry| document(name.folder(), entry)?.ok());
        Ok(groups(files, index).remove(&group(name)).unwrap_or_default())
    }

    /// Returns the documents that have a file, each with the name of that file.
    ///
    /// A known document has the file of its own name. If there are other files, one of them may be a document, too:
    ///
    /// - the known document that has no file of its own name: if `a` is known and only `A` is there, `a` has the file
    ///   `A`;
    /// - if no document is known, a new one: the built-in one, if there is one (`MEMORY` is `memory`), else that of
    ///   the file's name.
    pub(super) fn documents(&self) -> LiteMap<DocName, DocName> {
        let own = self.files.intersection(&self.known);
        let mut documents: LiteMap<_, _> = own.map(|name| (name.clone(), name.clone())).collect();
        let built_in = self.files.iter().find(|file| file.is_built_in());
        if let Some(file) = built_in.into_iter().chain(&self.files).find(|file| !self.known.contains(file)) {
            let lower = || file.without_case().parse::<DocName>().ok().filter(DocName::is_built_in);
            let document = match self.known.difference(&self.files).next() {
                None if self.known.is_empty() => Some(lower().unwrap_or_else(|| file.clone())),
                missing => missing.cloned(),
            };
            documents.extend(document.map(|document| (document, file.clone())));
        }
        documents
    }

    /// Returns a namesake that is not `name`, and is known or has a file.
    pub(super) fn other_than(&self, name: &DocName) -> Option<&DocName> {
        self.known.iter().chain(&self.files).find(|other| *other != name)
    }
}

/// Returns the folder of a name, and the name with letter case folded.
fn group(name: &DocName) -> (String, String) {
    (name.folder().to_owned(), name.without_case())
}

/// Groups existing documents and files by folder and folded name. A file is named by the document that it would be.
fn groups(files: impl Iterator<Item = DocName>, index: &Index) -> HashMap<(String, String), Namesakes> {
    let mut groups = HashMap::<_, Namesakes>::new();
    for name in files {
        groups.entry(group(&name)).or_default().files.insert(name);
    }
    for name in index.existing() {
        groups.entry(group(name)).or_default().known.insert(name.clone());
    }
    groups
}

/// Returns the name of the document that a file in a folder would be; `None` for hidden files and those without `.md`.
fn document(folder: &str, entry: &Listed) -> Option<Result<DocName, InvalidDocName>> {
    let stem = entry.name.strip_suffix(".md").filter(|stem| !stem.starts_with('.'))?;
    Some(join(folder, stem).parse())
}

/// The documents of a directory, and the `.md` files beside them whose names no document can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// Each with the name of its file, in no order.
    pub(super) documents: Vec<(DocName, DocName)>,
    pub(super) others: Vec<Unusable>,
}

/// Lists the documents that have a file.
///
/// # Errors
///
/// The system refuses.
pub(super) fn documents<D: Disk>(disk: &D, index: &Index) -> Result<Listing, StoreError> {
    let (mut listing, mut names) = (Listing::default(), Vec::new());
    let mut add = |file| listing.others.push(Unusable { file, why: FileFlaw::Name });
    walk(disk, &mut |folder, listed| {
        for entry in listed {
            match document(folder, entry) {
                Some(Ok(name)) => names.push(name),
                Some(Err(_)) => add(join(folder, &entry.name)),
                None => {}
            }
        }
    })?;
    for namesakes in groups(names.into_iter(), index).into_values() {
        let documents = namesakes.documents();
        let rest = namesakes.files.iter().filter(|file| !documents.values().any(|own| own == *file));
        rest.for_each(|file| add(layout::place(file)));
        listing.documents.extend(documents);
    }
    Ok(listing)
}

/// Calls `visit` with the store's directory and each of its folders, and with the names in it.
///
/// # Errors
///
/// The system refuses.
pub(super) fn walk<D: Disk>(disk: &D, visit: &mut dyn FnMut(&str, &[Listed])) -> Result<(), StoreError> {
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let listed = disk.list(&folder)?;
        let is_folder = |entry: &&Listed| entry.is_directory && !entry.name.ends_with(".md");
        let inner = listed.iter().filter(is_folder).map(|entry| join(&folder, &entry.name));
        // A folder whose name is no document's holds no documents.
        folders.extend(inner.filter(|folder| folder.parse::<DocName>().is_ok()));
        visit(&folder, &listed);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<DocName> {
        names.iter().filter_map(|name| name.parse().ok()).collect()
    }

    #[test]
    fn of_files_equal_but_for_case_each_is_one_document_or_none() {
        for (known, files, documents) in [
            (&[][..], &["A", "a"][..], "A: A"),
            (&[], &["MEMORY", "memory"], "memory: memory"),
            (&[], &["MEMORY"], "memory: MEMORY"),
            (&["a"], &["A", "a"], "a: a"),
            (&["a"], &["A"], "a: A"),
            (&["A", "a"], &["A", "a"], "A: A, a: a"),
            (&["notes"], &["Notes", "nOTES"], "notes: Notes"),
            (&["a"], &[], ""),
        ] {
            let namesakes = Namesakes { known: names(known), files: names(files) };
            let found: Vec<_> = namesakes.documents().iter().map(|(name, file)| format!("{name}: {file}")).collect();
            assert_eq!(found.join(", "), documents, "{known:?} {files:?}");
        }
    }
}
