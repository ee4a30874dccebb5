//! Which files of a directory are documents.

use std::collections::BTreeSet;

use super::disk::{Disk, Listed};
use super::layout::{self, join};
use crate::memory::{DocName, FileFlaw, NameRule, StoreError, Unusable};

/// The documents of a directory, and the files beside them whose names are not those of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    pub(super) documents: Vec<DocName>,
    pub(super) others: Vec<Unusable>,
}

/// Tells whether a document is in the journal.
pub(super) type Known<'a> = dyn Fn(&DocName) -> bool + 'a;

impl Listing {
    /// Sorts what stands in `folder` into documents and others. Of names that are equal but for letter case, those that are
    /// known are documents, else the one that [`rank`] puts first. Hidden files and files without `.md` are neither.
    fn add(&mut self, folder: &str, listed: &[Listed], known: &Known<'_>) {
        let mut names = Vec::new();
        for entry in listed.iter().filter(|entry| !entry.name.starts_with('.')) {
            let Some(stem) = entry.name.strip_suffix(".md") else { continue };
            match join(folder, stem).parse::<DocName>() {
                Ok(name) => names.push(name),
                Err(error) => self.refuse(join(folder, &entry.name), error.rule),
            }
        }
        names.sort_by(|one, other| rank(one, known).cmp(&rank(other, known)));
        let mut taken = BTreeSet::new();
        for name in names {
            let is_first = taken.insert(name.without_case());
            if known(&name) {
                self.documents.push(name);
            } else if is_first {
                self.documents.push(built_in(&name).unwrap_or(name));
            } else {
                self.refuse(layout::place(&name), NameRule::Case);
            }
        }
    }

    fn refuse(&mut self, file: String, rule: NameRule) {
        self.others.push(Unusable { file, why: FileFlaw::Name(rule) });
    }
}

/// Returns the built-in document whose name differs from `name` in letter case only.
fn built_in(name: &DocName) -> Option<DocName> {
    let lower = name.without_case().parse::<DocName>().ok()?;
    (lower.is_built_in() && lower != *name).then_some(lower)
}

/// Which of names that are equal but for letter case comes first: what is known, what is built in, the order of code points.
fn rank<'a>(name: &'a DocName, known: &Known<'_>) -> impl Ord + use<'a> {
    (!known(name), !name.is_built_in(), name)
}

/// Visits the store's directory and its folders: each with what stands in it.
///
/// # Errors
///
/// The system refuses.
pub(super) fn walk<D: Disk>(disk: &D, visit: &mut dyn FnMut(&str, &[Listed])) -> Result<(), StoreError> {
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let listed = disk.list(&folder)?;
        let is_folder = |entry: &&Listed| entry.is_directory && !entry.name.ends_with(".md");
        let below = listed.iter().filter(is_folder).map(|entry| join(&folder, &entry.name));
        // A folder whose name no document can have holds none.
        folders.extend(below.filter(|folder| folder.parse::<DocName>().is_ok()));
        visit(&folder, &listed);
    }
    Ok(())
}

/// Lists the documents.
///
/// # Errors
///
/// The system refuses.
pub(super) fn documents<D: Disk>(disk: &D, known: &Known<'_>) -> Result<Listing, StoreError> {
    let mut listing = Listing::default();
    walk(disk, &mut |folder, listed| listing.add(folder, listed, known))?;
    Ok(listing)
}

/// Returns the documents in the same folder, on the disk, whose names are equal to `name` but for letter case.
///
/// # Errors
///
/// The system refuses.
pub(super) fn clashing<D: Disk>(disk: &D, name: &DocName) -> Result<Vec<DocName>, StoreError> {
    let folded = name.without_case();
    let listed = disk.list(name.folder())?;
    let documents = listed.iter().filter_map(|entry| join(name.folder(), entry.name.strip_suffix(".md")?).parse().ok());
    Ok(documents.filter(|other: &DocName| other != name && other.without_case() == folded).collect())
}

/// Returns the path of the file of a document where that differs in letter case: `MEMORY.md` is `memory`.
///
/// # Errors
///
/// The system refuses.
pub(super) fn other_case<D: Disk>(disk: &D, name: &DocName, known: &Known<'_>) -> Result<Option<String>, StoreError> {
    if !known(name) && !name.is_built_in() {
        return Ok(None);
    }
    Ok(clashing(disk, name)?.iter().filter(|other| !known(other)).min().map(layout::place))
}

/// Returns the document that is read in place of `name`, which is not known: one on the disk, equal but for letter case, that
/// comes first.
///
/// # Errors
///
/// The system refuses.
pub(super) fn preferred<D: Disk>(disk: &D, name: &DocName, known: &Known<'_>) -> Result<Option<DocName>, StoreError> {
    let others = clashing(disk, name)?.into_iter().chain(built_in(name));
    Ok(others.into_iter().find(|other| rank(other, known) < rank(name, known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_document_is_listed() {
        let entry = |name: &str, is_directory| Listed { name: name.to_owned(), is_directory };
        let file = |name| entry(name, false);
        let mut listing = Listing::default();
        let listed = vec![
            file("b.md"),
            file("A.md"),
            file("a.md"),
            file("x?.md"),
            file(".h.md"),
            file("c.txt"),
            entry("d.md", true),
        ];
        listing.add("", &listed, &|_| false);
        assert_eq!(listing.documents.iter().map(DocName::as_str).collect::<Vec<_>>(), ["A", "b", "d"]);
        let others: Vec<_> = listing.others.iter().map(|other| (other.file.as_str(), other.why)).collect();
        let (character, case) = (FileFlaw::Name(NameRule::Character), FileFlaw::Name(NameRule::Case));
        assert_eq!(others, [("x?.md", character), ("a.md", case)]);
    }
}
