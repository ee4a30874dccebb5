//! [`Tree`]: the documents of a memory as files in folders.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::locate::Code;
use crate::memory::{DocName, Memory};
use crate::toolbox::files::path::{Path, ROOT, shown_name, shown_path};
use crate::toolbox::files::shelf::{by_memory, stop};
use crate::toolbox::refused::Refused;

/// How deep a folder is listed.
const LEVELS: usize = 2;
/// What is never listed.
const LEFT_OUT: &str = "node_modules";

/// The names of all documents, and below which folder of them the root is.
pub(super) struct Tree {
    root: Option<DocName>,
    documents: Vec<DocName>,
}

/// What stands at a path.
pub(super) enum Place {
    File(DocName),
    /// All documents in it, at any depth.
    Folder(Vec<DocName>),
    Nothing,
}

impl Tree {
    /// Lists the documents of a memory.
    pub(super) fn of(memory: &Memory, root: Option<&DocName>) -> Result<Self, Box<Refused>> {
        let documents = memory.documents().map_err(|error| by_memory("The memory cannot be read", &error))?;
        Ok(Self { root: root.cloned(), documents })
    }

    /// Returns how many documents there are.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn has(&self, name: &DocName) -> bool {
        self.documents.binary_search(name).is_ok()
    }

    /// Returns the document whose name differs from this one in letter case only.
    pub(super) fn in_other_case(&self, name: &DocName) -> Option<&DocName> {
        let folded = name.without_case();
        self.documents.iter().find(|other| *other != name && other.without_case() == folded)
    }

    /// Returns what stands at a path. A path that names no file by its ending means the folder, if there is one.
    pub(super) fn place(&self, path: &Path) -> Result<Place, Box<Refused>> {
        let below = self.below(&path.prefix(self.root.as_ref()));
        if path.is_root() || path.may_be_folder() && !below.is_empty() {
            return Ok(Place::Folder(below));
        }
        match path.document(self.root.as_ref()) {
            Ok(name) if self.has(&name) => Ok(Place::File(name)),
            _ if !below.is_empty() => Ok(Place::Folder(below)),
            Ok(_) => Ok(Place::Nothing),
            Err(stop) => Err(stop),
        }
    }

    fn below(&self, prefix: &str) -> Vec<DocName> {
        let first = self.documents.partition_point(|name| name.as_str() < prefix);
        let named = self.documents.iter().skip(first).take_while(|name| name.as_str().starts_with(prefix));
        named.cloned().collect()
    }

    /// Returns the path that shows a document.
    pub(super) fn path_of(&self, name: &DocName) -> String {
        let prefix = self.root.as_ref().map(|root| format!("{root}/")).unwrap_or_default();
        shown_path(name.as_str().strip_prefix(&prefix).unwrap_or(name.as_str()))
    }

    /// Lists a folder: itself, and what is in it, two levels deep.
    pub(super) fn listing(&self, path: &Path, documents: &[DocName], memory: &Memory) -> Result<String, Box<Refused>> {
        let failed = |error| by_memory("The memory cannot be read", &error);
        let sizes = memory.sizes(documents).map_err(failed)?;
        let prefix = path.prefix(self.root.as_ref());
        let mut folder = Folder::default();
        for (name, size) in documents.iter().zip(sizes) {
            let below = name.as_str().strip_prefix(&prefix).unwrap_or(name.as_str());
            if !below.split('/').any(|part| part == LEFT_OUT) {
                folder.add(below, size);
            }
        }
        let shown = if path.is_root() { ROOT } else { path.shown() };
        let mut listed = format!(
            "Here're the files and directories up to {LEVELS} levels deep in {shown}, excluding hidden items and {LEFT_OUT}:\n\
             {}\t{shown}",
            human(folder.size)
        );
        let deeper = folder.list(shown, 1, &mut listed);
        if deeper > 0 {
            let files = if deeper == 1 { "1 file lies" } else { &format!("{deeper} files lie") };
            let _ = write!(listed, "\n({files} deeper: view the folder)");
        }
        Ok(listed)
    }
}

/// Refuses a path at which nothing stands.
pub(super) fn missing(path: &Path) -> Box<Refused> {
    let words = format!("The path {} does not exist. Please provide a valid path.", path.shown());
    stop(Code::UnknownDocument, words)
}

/// A folder that is listed.
#[derive(Default)]
struct Folder {
    size: usize,
    files: usize,
    /// Each with whether it is a folder, since a file and a folder may share a name.
    entries: BTreeMap<(String, bool), Folder>,
}

impl Folder {
    /// Adds a document, whose name stands below the folder.
    fn add(&mut self, name: &str, size: usize) {
        self.size += size;
        self.files += 1;
        match name.split_once('/') {
            Some((folder, rest)) => self.entries.entry((folder.to_owned(), true)).or_default().add(rest, size),
            None => {
                let file = self.entries.entry((shown_name(name), false)).or_default();
                (file.size, file.files) = (size, 1);
            }
        }
    }

    /// Lists what is in the folder; returns how many files lie too deep.
    fn list(&self, path: &str, level: usize, listed: &mut String) -> usize {
        let mut deeper = 0;
        for ((name, is_folder), entry) in &self.entries {
            let _ = write!(listed, "\n{}\t{path}/{name}{}", human(entry.size), if *is_folder { "/" } else { "" });
            deeper += match (is_folder, level < LEVELS) {
                (false, _) => 0,
                (true, true) => entry.list(&format!("{path}/{name}"), level + 1, listed),
                (true, false) => entry.files,
            };
        }
        deeper
    }
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
    use super::human;

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
