//! Folders of texts: Claude Code's memory, basic-memory, memory banks, Letta's MemFS, a store of Anthropic's agents.

use std::fs;
use std::path::{Path, PathBuf};

use memdoc::DocName;

use super::{Incoming, Lost, MOST, Outgoing};
use crate::failure::Failure;
use crate::tools;

/// How deep folders are read.
const DEEPEST: usize = 16;
/// How many lines of its index Claude Code loads.
const INDEX_LINES: usize = 200;
/// How many bytes of it.
const INDEX_BYTES: usize = 25 << 10;
/// The most bytes that are read at once.
const LARGEST: usize = 64 << 20;

pub(super) fn read(format: &str, path: &Path, incoming: &mut Incoming) -> Result<(), Failure> {
    if !path.is_dir() {
        return Err(Failure::usage(format!("expected a directory, found `{}`", path.display())));
    }
    let mut files = Vec::new();
    let mut walk =
        Walk { root: path, has_data: format == "anthropic-store", files: &mut files, lost: &mut incoming.lost };
    walk.list(Path::new(""), DEEPEST)?;
    files.sort();
    if files.len() > MOST {
        return Err(Failure::refused("too_large", format!("{} files; at most {MOST} are read at once", files.len())));
    }
    let mut bytes = 0;
    for file in &files {
        let Some(shown) = file.to_str() else {
            incoming.lost.add("file", "whose name is not UTF-8", file.display().to_string());
            continue;
        };
        let Ok(text) = tools::file(&path.join(file)) else {
            incoming.lost.add("file", "without readable text", shown);
            continue;
        };
        bytes += text.len();
        if bytes > LARGEST {
            return Err(Failure::refused("too_large", format!("more than {} MiB are not read at once", LARGEST >> 20)));
        }
        let bare = shown.strip_suffix(".md").unwrap_or(shown);
        let wanted = if format == "claude-code" && bare == "MEMORY" { "memory" } else { bare };
        let Some(name) = incoming.free(wanted) else {
            incoming.lost.add("file", "whose name cannot be a document's", shown);
            continue;
        };
        if name.as_str() != wanted {
            incoming.lost.add("name", "changed, since a document cannot have it", shown);
        }
        if format == "claude-code" {
            missing_links(&text, &path.join(file), &mut incoming.lost);
        }
        incoming.add(&name, text);
    }
    Ok(())
}

/// The texts below a directory. Links are not followed.
struct Walk<'a> {
    root: &'a Path,
    /// Whether files of data are read, too.
    has_data: bool,
    files: &'a mut Vec<PathBuf>,
    lost: &'a mut Lost,
}

impl Walk<'_> {
    fn list(&mut self, below: &Path, depth: usize) -> Result<(), Failure> {
        let directory = self.root.join(below);
        let failed = |error| Failure::file("read", &directory, &error);
        for found in fs::read_dir(&directory).map_err(failed)? {
            let found = found.map_err(failed)?;
            let (kind, path) = (found.file_type().map_err(failed)?, below.join(found.file_name()));
            let (name, shown) = (found.file_name().to_string_lossy().into_owned(), path.display().to_string());
            if name.starts_with('.') || name == "node_modules" {
                continue;
            }
            if kind.is_symlink() {
                self.lost.add("link", "not followed", shown);
            } else if kind.is_dir() && depth > 0 {
                self.list(&path, depth - 1)?;
            } else if kind.is_file() && (name.ends_with(".md") || self.is_kept(&name)) {
                self.files.push(path);
            } else {
                self.lost.add("file", "that is no text of this form", shown);
            }
        }
        Ok(())
    }

    /// Returns true if the ending stays in the name of the document.
    fn is_kept(&self, name: &str) -> bool {
        name.ends_with(".txt") || self.has_data && name.parse().is_ok_and(|name: DocName| name.is_data())
    }
}

/// Reports links to files that are not there.
fn missing_links(text: &str, file: &Path, lost: &mut Lost) {
    for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
        let is_local = !link.contains(':') && !link.starts_with('#') && link.ends_with(".md");
        if is_local && !file.parent().is_some_and(|folder| folder.join(link).exists()) {
            lost.add("link", "to a file that is not there", link);
        }
    }
}

pub(super) fn write(format: &str, documents: &[(DocName, String)]) -> Outgoing {
    let mut outgoing = Outgoing::default();
    for (name, text) in documents {
        let is_index = format == "claude-code" && *name == DocName::memory();
        if is_index && (text.lines().count() > INDEX_LINES || text.len() > INDEX_BYTES) {
            outgoing.lost.add("index", "of which only the first 200 lines or 25 KB are loaded", name.as_str());
        }
        let is_kept = name.as_str().ends_with(".txt") || format == "anthropic-store" && name.is_data();
        let path = match (is_index, is_kept) {
            (true, _) => "MEMORY.md".to_owned(),
            (false, true) => name.to_string(),
            (false, false) => format!("{name}.md"),
        };
        outgoing.files.push((path, text.clone()));
    }
    outgoing
}
