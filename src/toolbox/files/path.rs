//! Paths below `/memories`, the documents that they name, and the [`Tree`] of all files.
//!
//! | path | document |
//! |---|---|
//! | `/memories/notes.md`, `/memories/notes` | `notes` |
//! | `/memories/work/todo.txt` | `work/todo.txt` |
//! | `/memories/work` | all in the folder `work`, if any document is in it |

use std::fmt::Write as _;

use litemap::LiteMap;
use unicode_normalization::UnicodeNormalization as _;

use crate::locate::Code;
use crate::memory::{DATA, DocName, Memory, NAME_RULE};
use crate::text::{excerpt, is_digit, is_hidden, is_mark, on_one_line};
use crate::toolbox::Refused;
use crate::toolbox::files::change::{by_memory, stop};

/// The start of every path.
pub(super) const ROOT: &str = "/memories";
/// The most bytes in a path.
pub(super) const MOST_BYTES: usize = 1024;
/// Endings of files that are not text.
const NO_TEXTS: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "pdf", "zip"];

/// A path below `/memories`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    /// As it was sent, without a `/` at its end, with invisible characters made visible.
    pub(super) shown: String,
    /// The part below the root; empty for the root itself.
    below: String,
}

impl Path {
    /// Reads a path.
    pub(super) fn read(sent: &str) -> Result<Self, Box<Refused>> {
        let shown = on_one_line(&excerpt(sent, MOST_BYTES));
        let refused = |why: String| Err(stop(Code::InvalidArguments, why));
        let Some(rest) = sent.strip_prefix(ROOT).filter(|rest| rest.is_empty() || rest.starts_with('/')) else {
            return refused(format!("Path must start with {ROOT}, got: {shown}"));
        };
        let below = rest.strip_suffix('/').unwrap_or(rest).strip_prefix('/').unwrap_or_default();
        if below.split('/').any(|part| matches!(part, "." | "..")) {
            return refused(format!("Path {shown} would escape {ROOT} directory"));
        }
        Ok(Self { shown: shown.strip_suffix('/').unwrap_or(&shown).to_owned(), below: below.to_owned() })
    }

    pub(super) fn is_root(&self) -> bool {
        self.below.is_empty()
    }

    /// Returns true if it may name a folder: it has no ending of a text file.
    pub(super) fn may_be_folder(&self) -> bool {
        !is_text(&self.below) && !has_ending(&self.below, &["md"])
    }

    /// Refuses a name that no document can have, and offers one that works.
    fn unnamable(&self) -> Box<Refused> {
        let parts: Vec<_> = self.below.split('/').map(mended).collect();
        let near = parts.join("/");
        let offer = match stem(&near).parse::<DocName>() {
            Ok(_) if near != self.below => format!("; try {ROOT}/{near}"),
            _ => String::new(),
        };
        let why = format!("Invalid path {}: expected a name {NAME_RULE}{offer}", self.shown);
        stop(Code::InvalidArguments, why)
    }
}

/// Returns the file name of a document.
pub(super) fn shown_name(name: &str) -> String {
    let ending = if is_text(name) { "" } else { ".md" };
    format!("{name}{ending}")
}

fn stem(path: &str) -> &str {
    match path.len().checked_sub(3).and_then(|at| path.split_at_checked(at)) {
        Some((stem, ending)) if ending.eq_ignore_ascii_case(".md") => stem,
        _ => path,
    }
}

fn is_text(name: &str) -> bool {
    has_ending(name, &["txt"]) || has_ending(name, &DATA)
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Returns a part of a path without the characters that a name cannot have.
fn mended(part: &str) -> String {
    let is_letter = |c: char| (c.is_alphabetic() || is_digit(c) || is_mark(c)) && !is_hidden(c);
    let kept: String = part.nfc().filter(|c| is_letter(*c) || matches!(c, ' ' | '.' | '-' | '_')).collect();
    let kept = kept.trim_start_matches(|c: char| !is_letter(c) || is_mark(c)).trim_end_matches([' ', '.']);
    kept.to_owned()
}

/// How deep a folder is listed.
const LEVELS: usize = 2;
/// What is never listed.
const LEFT_OUT: &str = "node_modules";

/// All documents as files, below the folder that is the root.
pub(super) struct Tree {
    root: Option<DocName>,
    pub(super) documents: Vec<DocName>,
}

/// What is at a path.
pub(super) enum AtPath {
    File(DocName),
    /// All its documents, at any depth.
    Folder(Vec<DocName>),
    Nothing,
}

impl Tree {
    /// Lists the documents of a memory.
    pub(super) fn of(memory: &Memory, root: Option<DocName>) -> Result<Self, Box<Refused>> {
        let documents = memory.documents().map_err(|error| by_memory("The memory cannot be read", &error))?;
        Ok(Self { root, documents })
    }

    /// Returns the document whose name differs only in letter case.
    pub(super) fn in_other_case(&self, name: &DocName) -> Option<&DocName> {
        let folded = name.without_case();
        self.documents.iter().find(|other| *other != name && other.without_case() == folded)
    }

    /// Returns what is at a path. A path without an ending means the folder, if there is one.
    pub(super) fn at(&self, path: &Path) -> Result<AtPath, Box<Refused>> {
        let below = self.below(&self.prefix(path));
        if path.is_root() || path.may_be_folder() && !below.is_empty() {
            return Ok(AtPath::Folder(below));
        }
        match self.document(path) {
            Ok(name) if self.documents.binary_search(&name).is_ok() => Ok(AtPath::File(name)),
            _ if !below.is_empty() => Ok(AtPath::Folder(below)),
            Ok(_) => Ok(AtPath::Nothing),
            Err(stop) => Err(stop),
        }
    }

    /// Returns the documents at a path: the file, or all in the folder.
    pub(super) fn documents(&self, path: &Path) -> Result<Vec<DocName>, Box<Refused>> {
        match self.at(path)? {
            AtPath::File(name) => Ok(vec![name]),
            AtPath::Folder(documents) => Ok(documents),
            AtPath::Nothing => Err(missing(path)),
        }
    }

    /// Returns the document that a path names.
    pub(super) fn document(&self, path: &Path) -> Result<DocName, Box<Refused>> {
        if has_ending(&path.below, &NO_TEXTS) {
            return Err(stop(Code::InvalidArguments, format!("Unsupported file type for {}", path.shown)));
        }
        let whole = format!("{}{}", self.root(), stem(&path.below));
        whole.parse().map_err(|_| path.unnamable())
    }

    /// Returns the prefix of the names of all documents in a folder.
    pub(super) fn prefix(&self, path: &Path) -> String {
        if path.is_root() { self.root() } else { format!("{}{}/", self.root(), path.below) }
    }

    /// Returns the prefix of the names of all files.
    fn root(&self) -> String {
        self.root.as_ref().map(|root| format!("{root}/")).unwrap_or_default()
    }

    fn below(&self, prefix: &str) -> Vec<DocName> {
        let first = self.documents.partition_point(|name| name.as_str() < prefix);
        let named = self.documents.iter().skip(first).take_while(|name| name.as_str().starts_with(prefix));
        named.cloned().collect()
    }

    /// Returns the path of a document.
    pub(super) fn path_of(&self, name: &DocName) -> String {
        format!("{ROOT}/{}", shown_name(name.as_str().strip_prefix(&self.root()).unwrap_or(name.as_str())))
    }

    /// Lists a folder and its contents, two levels deep.
    pub(super) fn listing(&self, path: &Path, documents: &[DocName], memory: &Memory) -> Result<String, Box<Refused>> {
        let prefix = self.prefix(path);
        // By the parts of their paths. A file and a folder may have the same name.
        let mut entries: LiteMap<Vec<(String, bool)>, usize> = LiteMap::new();
        let (mut all, mut deeper) = (0, 0);
        for name in documents {
            let parts: Vec<_> = name.as_str().strip_prefix(&prefix).unwrap_or(name.as_str()).split('/').collect();
            if parts.contains(&LEFT_OUT) {
                continue;
            }
            let doc = memory.read(name).map_err(|error| by_memory("The memory cannot be read", &error))?;
            let size = doc.text().len();
            all += size;
            deeper += usize::from(parts.len() > LEVELS);
            let mut entry = Vec::new();
            for (part, level) in parts.iter().zip(1..=LEVELS) {
                let is_folder = level < parts.len();
                entry.push((if is_folder { (*part).to_owned() } else { shown_name(part) }, is_folder));
                *entries.entry(entry.clone()).or_default() += size;
            }
        }
        let shown = if path.is_root() { ROOT } else { &path.shown };
        let mut listed = format!(
            "Here're the files and directories up to {LEVELS} levels deep in {shown}, excluding hidden items and {LEFT_OUT}:\n\
             {}\t{shown}",
            human(all)
        );
        for (parts, size) in entries {
            let _ = write!(listed, "\n{}\t{shown}", human(size));
            parts.iter().for_each(|(name, _)| listed.extend(["/", name]));
            listed.push_str(if parts.last().is_some_and(|(_, is_folder)| *is_folder) { "/" } else { "" });
        }
        if deeper > 0 {
            let files = if deeper == 1 { "1 file lies" } else { &format!("{deeper} files lie") };
            let _ = write!(listed, "\n({files} deeper: view the folder)");
        }
        Ok(listed)
    }
}

/// Refuses a path with nothing at it.
pub(super) fn missing(path: &Path) -> Box<Refused> {
    let why = format!("The path {} does not exist. Please provide a valid path.", path.shown);
    stop(Code::UnknownDocument, why)
}

/// Returns a size as the vendor's tools write it: `0B`, `6B`, `1.5K`, `2K`.
fn human(bytes: usize) -> String {
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
    let units = [('G', 1 << 30), ('M', 1 << 20), ('K', 1 << 10)];
    let (unit, divisor) = units.into_iter().find(|(_, divisor)| bytes >= *divisor).unwrap_or(('B', 1));
    match bytes % divisor {
        0 => format!("{}{unit}", bytes / divisor),
        _ => format!("{:.1}{unit}", f64::from(bytes) / f64::from(divisor)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn document(path: &str) -> Result<String, String> {
        let tree = Tree { root: None, documents: Vec::new() };
        let read = Path::read(path).and_then(|path| tree.document(&path));
        read.map(|name| name.to_string()).map_err(|refused| refused.words.unwrap_or_default())
    }

    #[test]
    fn a_path_names_a_document() {
        for (path, name) in [
            ("/memories/notes.md", "notes"),
            ("/memories/notes", "notes"),
            ("/memories/NOTES.MD", "NOTES"),
            ("/memories/work/todo.txt", "work/todo.txt"),
            ("/memories/todo.txt.md", "todo.txt"),
            ("/memories/a.b.md/", "a.b"),
            ("/memories/日記.md", "日記"),
        ] {
            assert_eq!(document(path).as_deref(), Ok(name), "{path}");
        }
    }

    #[test]
    fn a_path_that_leads_elsewhere_is_refused() {
        for path in ["/memories/../a", "/memories/a/../../b", "/memories/./a"] {
            assert_eq!(document(path).unwrap_err(), format!("Path {path} would escape /memories directory"));
        }
        for path in ["/etc/passwd", "/memoriesx/a.md", "memories/a.md", "", "/", "notes.md"] {
            assert_eq!(document(path).unwrap_err(), format!("Path must start with /memories, got: {path}"));
        }
        for path in [
            "/memories//a.md",
            "/memories/a//",
            "/memories/a\u{0}b",
            "/memories/a\u{202e}b",
            "/memories/a\nb",
            "/memories/%2e%2e%2fa",
            "/memories/a\\b",
        ] {
            assert!(document(path).unwrap_err().starts_with("Invalid path /memories/"), "{path:?}");
        }
        let long = format!("/memories/{}", "a/".repeat(600));
        assert!(document(&long).unwrap_err().starts_with("Invalid path /memories/a/"));
        assert_eq!(document("/memories/a%2.md").unwrap_err().split("; ").nth(1), Some("try /memories/a2.md"));
    }

    #[test]
    fn a_name_that_cannot_be_is_told_with_one_that_can() {
        for (path, offer) in [
            ("/memories/_private.md", "begins with a letter or digit, found; try /memories/private.md"),
            ("/memories/.hidden/what?.md", "; try /memories/hidden/what.md"),
        ] {
            let told = document(path).unwrap_err();
            assert!(told.ends_with(offer.split_once("; ").unwrap().1), "{told}");
        }
        assert!(!document("/memories/???").unwrap_err().contains("try"));
        assert!(!document("/memories/con").unwrap_err().contains("try"));
        assert_eq!(document("/memories/a.png").unwrap_err(), "Unsupported file type for /memories/a.png");
    }

    #[test]
    fn sizes_are_written_as_by_the_vendors_tools() {
        for (bytes, size) in [
            (0, "0B"),
            (6, "6B"),
            (1023, "1023B"),
            (1024, "1K"),
            (1536, "1.5K"),
            (2048, "2K"),
            (1280, "1.2K"),
            (2047, "2.0K"),
            (1_048_576, "1M"),
            (1_048_575, "1024.0K"),
        ] {
            assert_eq!(human(bytes), size);
        }
    }
}
