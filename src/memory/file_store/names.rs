//! Names of documents as people give them to files: letters and digits of any script, spaces, `.`, `-` and `_`.
//!
//! A name is in normal form NFC, as most keyboards write it; a file whose name is not, as other systems store it, is no
//! document but listed among the others. Names that are equal but for letter case would be one file on some systems, and
//! are refused. A folder is a name itself.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use unicode_normalization::is_nfc;

use super::disk::{Kind, Listed};
use crate::text::{is_digit, is_hidden, is_mark};

/// The most characters in a name, folders included.
const MOST_CHARACTERS: usize = 64;
/// The most bytes: the files that stand beside a document have longer names, and systems allow 255.
const MOST_BYTES: usize = 200;

/// The name of a document's file, without `.md`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Name(
    // Invariant: what `Name::parse` accepts.
    Arc<str>,
);

/// Whether a document may stand in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folders {
    Allowed,
    Refused,
}

/// Why a text cannot name a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum BadName {
    #[error("a name has 1 to 64 characters, and at most 200 bytes")]
    Length,
    #[error("a name is in Unicode's normal form NFC")]
    Form,
    #[error("a name consists of letters, digits, spaces, `.`, `-` and `_`")]
    Character,
    #[error("a name begins with a letter or digit")]
    Beginning,
    #[error("a name does not end with a space, a `.` or `.md`")]
    End,
    #[error("the name is that of a device on some systems")]
    Device,
    #[error("documents in folders are not allowed here")]
    Folder,
    #[error("another name differs in letter case only")]
    Case,
}

impl Name {
    /// Reads a name.
    ///
    /// # Errors
    ///
    /// The rule that is broken.
    pub(super) fn parse(name: &str, folders: Folders) -> Result<Self, BadName> {
        if name.is_empty() || name.len() > MOST_BYTES || name.chars().count() > MOST_CHARACTERS {
            return Err(BadName::Length);
        }
        if folders == Folders::Refused && name.contains('/') {
            return Err(BadName::Folder);
        }
        if !is_nfc(name) {
            return Err(BadName::Form);
        }
        name.split('/').try_for_each(check)?;
        Ok(Self(name.into()))
    }

    /// Returns the name as text.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the folder that the document stands in; empty if in none.
    pub(super) fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the name without the folder.
    pub(super) fn file(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, file)| file)
    }

    /// Reports whether two names are equal but for letter case: on some systems they lead to one file.
    pub(super) fn clashes_with(&self, other: &Self) -> bool {
        self != other && without_case(&self.0) == without_case(&other.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Folds letter case, so that `ß` and `SS`, and both small sigmas, are one.
fn without_case(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

/// Checks one part of a path.
fn check(part: &str) -> Result<(), BadName> {
    let is_plain = |c: char| (c.is_alphabetic() || is_digit(c) || is_mark(c)) && !is_hidden(c);
    let begins_well = part.chars().next().is_some_and(|c| is_plain(c) && !is_mark(c));
    if !part.chars().all(|c| is_plain(c) || matches!(c, ' ' | '.' | '-' | '_')) {
        return Err(BadName::Character);
    }
    if !begins_well {
        return Err(BadName::Beginning);
    }
    if part.ends_with([' ', '.']) || part.to_lowercase().ends_with(".md") {
        return Err(BadName::End);
    }
    if is_device(part) { Err(BadName::Device) } else { Ok(()) }
}

/// Reports whether Windows takes a file of this name, with any extension, for a device.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_numbered =
        |prefix: &str| stem.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || is_numbered("com") || is_numbered("lpt")
}

/// A file `….md` that is no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Other {
    /// The name of the file, as far as it is UTF-8.
    pub(super) file: String,
    pub(super) why: BadName,
}

/// The documents of one directory, and the files beside them that cannot be documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Listing {
    /// Sorted.
    pub(super) documents: Vec<Name>,
    /// Sorted by file.
    pub(super) others: Vec<Other>,
}

/// Sorts what stands in `folder` into documents and others. Of names that are equal but for letter case, the first in
/// the order of code points is a document. Hidden files and files without `.md` are neither.
pub(super) fn documents(folder: &str, mut listed: Vec<Listed>) -> Listing {
    let mut listing = Listing::default();
    let mut taken = std::collections::BTreeSet::new();
    listed.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    for entry in listed.iter().filter(|entry| entry.kind != Kind::Directory && !entry.name.starts_with('.')) {
        let Some(stem) = entry.name.strip_suffix(".md") else { continue };
        let path = if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") };
        match Name::parse(&path, Folders::Allowed) {
            Ok(name) if taken.insert(without_case(&path)) => listing.documents.push(name),
            Ok(_) => listing.others.push(Other { file: entry.name.clone(), why: BadName::Case }),
            Err(why) => listing.others.push(Other { file: entry.name.clone(), why }),
        }
    }
    listing
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::*;

    fn why(name: &str) -> Option<BadName> {
        Name::parse(name, Folders::Refused).err()
    }

    #[test]
    fn people_name_files_in_their_own_script() {
        for name in ["memory", "Über mich", "日記 2026-06", "हिन्दी", "v1.2_final", "заметки", "ملاحظات", "2026"]
        {
            assert_eq!(why(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for (name, rule) in [
            ("", BadName::Length),
            ("..", BadName::Beginning),
            (".hidden", BadName::Beginning),
            ("-rf", BadName::Beginning),
            (" a", BadName::Beginning),
            ("a ", BadName::End),
            ("a.", BadName::End),
            ("a.MD", BadName::End),
            ("a/b", BadName::Folder),
            ("a\\b", BadName::Character),
            ("a:b", BadName::Character),
            ("a\nb", BadName::Character),
            ("a\u{200d}b", BadName::Character),
            ("a\u{202e}b", BadName::Character),
            ("a\u{fffd}", BadName::Character),
            ("U\u{308}ber", BadName::Form),
            ("CON", BadName::Device),
            ("nul.txt", BadName::Device),
            ("com1", BadName::Device),
            ("Lpt9.x", BadName::Device),
        ] {
            assert_eq!(why(name), Some(rule), "{name:?}");
        }
        assert_eq!(why(&"a".repeat(65)), Some(BadName::Length));
        assert_eq!(why(&"\u{10400}".repeat(51)), Some(BadName::Length));
        assert_eq!(Name::parse("a/../b", Folders::Allowed), Err(BadName::Beginning));
        assert_eq!(Name::parse("/a", Folders::Allowed), Err(BadName::Beginning));
        assert_eq!(Name::parse("aux/a", Folders::Allowed), Err(BadName::Device));
    }

    #[test]
    fn names_equal_but_for_case_are_one() {
        let name = |text| Name::parse(text, Folders::Allowed).unwrap();
        assert!(name("Straße").clashes_with(&name("STRASSE")));
        assert!(name("ΣΑΣ").clashes_with(&name("σας")));
        assert!(!name("a").clashes_with(&name("a")) && !name("a").clashes_with(&name("á")));
    }

    #[test]
    fn what_cannot_be_a_document_is_listed() {
        let file = |name: &str| Listed { name: name.to_owned(), kind: Kind::File };
        let folder = Listed { name: "d.md".to_owned(), kind: Kind::Directory };
        let listing =
            documents("", vec![file("b.md"), file("A.md"), file("a.md"), file("x?.md"), file(".h.md"), folder]);
        assert_eq!(listing.documents.iter().map(Name::as_str).collect::<Vec<_>>(), ["A", "b"]);
        let others: Vec<_> = listing.others.iter().map(|other| (other.file.as_str(), other.why)).collect();
        assert_eq!(others, [("a.md", BadName::Case), ("x?.md", BadName::Character)]);
    }
}
