//! [`Tree`]: the documents of a memory as files in folders.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::locate::Code;
use crate::memory::{DocName, Memory};
use crate::toolbox::files::change::{by_memory, stop};
use crate::toolbox::files::path::{Path, ROOT, shown_name};
use crate::toolbox::refused::Refused;

/// How deep a folder is listed.
const LEVELS: usize = 2;
/// What is never listed.
const LEFT_OUT: &str = "node_modules";

/// The names of all documents, and below which folder of them the root is.
pub(super) struct Tree {
    root: Option<DocName>,
    pub(super) documents: Vec<DocName>,
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
    pub(super) fn of(memory: &Memory, root: Option<DocName>) -> Result<Self, Box<Refused>> {
        let documents = memory.documents().map_err(|error| by_memory("The memory cannot be read", &error))?;
        Ok(Self { root, documents })
    }

    /// Returns the document whose name differs from this one in letter case only.
    pub(super) fn in_other_case(&self, name: &DocName) -> Option<&DocName> {
        let folded = name.without_case();
        self.documents.iter().find(|other| *other != name && other.without_case() == folded)
    }

    /// Returns what stands at a path. A path that names no file by its ending means the folder, if there is one.
    pub(super) fn place(&self, path: &Path) -> Result<Place, Box<Refused>> {
        let below = self.below(&self.prefix(path));
        if path.is_root() || path.may_be_folder() && !below.is_empty() {
            return Ok(Place::Folder(below));
        }
        match self.document(path) {
            Ok(name) if self.documents.binary_search(&name).is_ok() => Ok(Place::File(name)),
            _ if !below.is_empty() => Ok(Place::Folder(below)),
            Ok(_) => Ok(Place::Nothing),
            Err(stop) => Err(stop),
        }
    }

    /// Returns the documents at a path: the file, or all in the folder.
    pub(super) fn documents(&self, path: &Path) -> Result<Vec<DocName>, Box<Refused>> {
        match self.place(path)? {
            Place::File(name) => Ok(vec![name]),
            Place::Folder(documents) => Ok(documents),
            Place::Nothing => Err(missing(path)),
        }
    }

    /// Returns the document that a path names.
    pub(super) fn document(&self, path: &Path) -> Result<DocName, Box<Refused>> {
        path.document(self.root.as_ref())
    }

    /// Returns what the names of the documents in a folder begin with.
    pub(super) fn prefix(&self, path: &Path) -> String {
        path.prefix(self.root.as_ref())
    }

    fn below(&self, prefix: &str) -> Vec<DocName> {
        let first = self.documents.partition_point(|name| name.as_str() < prefix);
        let named = self.documents.iter().skip(first).take_while(|name| name.as_str().starts_with(prefix));
        named.cloned().collect()
    }

    /// Returns the path that shows a document.
    pub(super) fn path_of(&self, name: &DocName) -> String {
        let prefix = self.root.as_ref().map(|root| format!("{root}/")).unwrap_or_default();
        format!("{ROOT}/{}", shown_name(name.as_str().strip_prefix(&prefix).unwrap_or(name.as_str())))
    }

    /// Lists a folder: itself, and what is in it, two levels deep.
    pub(super) fn listing(&self, path: &Path, documents: &[DocName], memory: &Memory) -> Result<String, Box<Refused>> {
        let sizes = memory.sizes(documents).map_err(|error| by_memory("The memory cannot be read", &error))?;
        let prefix = self.prefix(path);
        // By their parts, each with whether it is a folder, since a file and a folder may share a name.
        let mut entries: BTreeMap<Vec<(String, bool)>, usize> = BTreeMap::new();
        let (mut all, mut deeper) = (0, 0);
        for (name, size) in documents.iter().zip(sizes) {
            let parts: Vec<_> = name.as_str().strip_prefix(&prefix).unwrap_or(name.as_str()).split('/').collect();
            if parts.contains(&LEFT_OUT) {
                continue;
            }
            all += size;
            deeper += usize::from(parts.len() > LEVELS);
            let mut entry = Vec::new();
            for (part, level) in parts.iter().zip(1..=LEVELS) {
                let is_folder = level < parts.len();
                entry.push((if is_folder { (*part).to_owned() } else { shown_name(part) }, is_folder));
                *entries.entry(entry.clone()).or_default() += size;
            }
        }
        let shown = if path.is_root() { ROOT } else { path.shown() };
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

/// Refuses a path at which nothing stands.
pub(super) fn missing(path: &Path) -> Box<Refused> {
    stop(Code::UnknownDocument, format!("The path {} does not exist", path.shown()))
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
