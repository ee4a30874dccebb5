//! Names of documents, which become names of files: letters and digits of any script, spaces, `.`, `-` and `_`.
//!
//! A name is in normal form NFC, as most keyboards write it. Names that are equal but for letter case would be one file
//! on some systems. Folders come before the name, each with a `/` after it, and follow the same rules.

use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use thiserror::Error;
use unicode_normalization::is_nfc;

use crate::text::{Content, as_text, display_inner, excerpt, is_digit, is_hidden, is_mark};

/// The most bytes in a name, folders included.
const MOST_BYTES: usize = 255;
/// The most characters in a part of it: a folder, or the file.
const MOST_CHARACTERS: usize = 100;
/// The most bytes in a part: the files that stand beside a document have longer names, and systems allow 255.
const MOST_BYTES_OF_PART: usize = 200;

/// Endings of files that are data and not Markdown. `txt` is not among them: most notes in such files are Markdown.
pub(crate) const DATA: [&str; 10] = ["xml", "json", "jsonl", "yaml", "yml", "toml", "csv", "tsv", "html", "log"];

/// The name of a document: 1 to 100 letters and digits of any script, spaces, `.`, `-` and `_`, beginning with a letter or digit,
/// each folder before it likewise, and at most 255 bytes in all.
///
/// # Examples
///
/// ```
/// use memdoc::DocName;
///
/// let name: DocName = "people/Über mich".parse()?;
/// assert_eq!(name.folder(), "people");
/// let error = "../memory".parse::<DocName>().unwrap_err();
/// assert_eq!(error.found, "../memory");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocName(
    // Invariant: what `from_str` accepts.
    Arc<str>,
);

/// The names of the documents that every memory has. Each is allocated once.
static BUILT_IN: LazyLock<[DocName; 4]> =
    LazyLock::new(|| ["memory", "core", "notes", "activity"].map(|name| DocName(name.into())));

impl DocName {
    /// The default document.
    pub fn memory() -> Self {
        BUILT_IN[0].clone()
    }

    /// The document of the core blocks, a section each.
    pub fn core() -> Self {
        BUILT_IN[1].clone()
    }

    /// The document of the notes, a section each.
    pub fn notes() -> Self {
        BUILT_IN[2].clone()
    }

    /// The document that logs what was written to the notes.
    pub fn activity() -> Self {
        BUILT_IN[3].clone()
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reports whether tools may create this document without being allowed to create others.
    pub fn is_built_in(&self) -> bool {
        BUILT_IN.contains(self)
    }

    /// Returns the folder that the document stands in; empty if in none.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the name without the folder.
    pub fn file(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, file)| file)
    }

    /// Returns true if the name has an ending of data files, such as `.json`. The text is then not read as Markdown,
    /// and all its lines are prose.
    pub fn is_data(&self) -> bool {
        let ending = self.file().rsplit_once('.').map_or("", |(_, ending)| ending);
        DATA.iter().any(|known| ending.eq_ignore_ascii_case(known))
    }

    /// Returns the name with letter case folded. Two documents with the same folded name would be one file on some
    /// systems.
    pub(crate) fn without_case(&self) -> String {
        // Upper case comes first, so that `ß` equals `SS`, and both small sigmas are equal.
        self.0.to_uppercase().to_lowercase()
    }
}

/// A text that cannot name a document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a document name {NAME_RULE}, found `{found}`")]
pub struct InvalidDocName {
    /// What was given, cut to 80 characters.
    pub found: Content,
}

/// What a document's name must be.
pub(crate) const NAME_RULE: &str = "of letters, digits, spaces, `.`, `-` and `_` that begins with a letter or digit, \
     does not end with a space, `.` or `.md`, is not a device's on some systems, is in Unicode's normal form NFC, and has \
     at most 255 bytes, with parts of 1 to 100 characters and at most 200 bytes";

as_text!(DocName);
display_inner!(DocName);

impl FromStr for DocName {
    type Err = InvalidDocName;

    fn from_str(name: &str) -> Result<Self, InvalidDocName> {
        match name.len() <= MOST_BYTES && is_nfc(name) && name.split('/').all(is_part) {
            true => Ok(Self(name.into())),
            false => Err(InvalidDocName { found: excerpt(name, 80).into() }),
        }
    }
}

/// Reports whether this can be one part of a path.
fn is_part(part: &str) -> bool {
    let is_plain = |c: char| (c.is_alphabetic() || is_digit(c) || is_mark(c)) && !is_hidden(c);
    part.len() <= MOST_BYTES_OF_PART
        && part.chars().count() <= MOST_CHARACTERS
        && part.chars().next().is_some_and(|c| is_plain(c) && !is_mark(c))
        && part.chars().all(|c| is_plain(c) || matches!(c, ' ' | '.' | '-' | '_'))
        && !part.ends_with([' ', '.'])
        && !part.to_lowercase().ends_with(".md")
        && !is_device(part)
}

/// Reports whether Windows takes a file of this name, with any extension, for a device.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_numbered =
        |prefix: &str| stem.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || is_numbered("com") || is_numbered("lpt")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn is_name(name: &str) -> bool {
        name.parse::<DocName>().is_ok()
    }

    #[test]
    fn people_name_files_in_their_own_script() {
        for name in ["memory", "Über mich", "日記 2026-06", "हिन्दी", "v1.2_final", "заметки", "ملاحظات", "2026", "a/b"]
        {
            assert!(is_name(name), "{name}");
        }
        assert!(is_name("projects/customer-portal/2026-migration/decisions-and-open-questions"));
        assert!(is_name(&["a".repeat(100), "b".repeat(100), "c".repeat(53)].join("/")));
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in [
            "",
            "..",
            ".hidden",
            "-rf",
            " a",
            "a ",
            "a.",
            "a.MD",
            "a/",
            "a//b",
            "a\\b",
            "a:b",
            "a\nb",
            "a\u{200d}b",
            "a\u{202e}b",
            "a\u{fffd}",
            "U\u{308}ber",
            "CON",
            "nul.txt",
            "com1",
            "Lpt9.x",
            "a/../b",
            "/a",
            "aux/a",
        ] {
            assert!(!is_name(name), "{name:?}");
        }
        assert!(!is_name(&"a".repeat(101)));
        assert!(!is_name(&"\u{10400}".repeat(51)));
        assert!(!is_name(&["a".repeat(100), "b".repeat(100), "c".repeat(54)].join("/")));
    }

    #[test]
    fn names_equal_but_for_case_are_one() {
        let folded = |text: &str| text.parse::<DocName>().unwrap().without_case();
        assert_eq!(folded("Straße"), folded("STRASSE"));
        assert_eq!(folded("ΣΑΣ"), folded("σας"));
        assert_ne!(folded("a"), folded("á"));
    }
}
