//! Folders of Markdown: Claude Code's memory, its CLAUDE.md with what it includes, basic-memory, memory banks, Letta's MemFS.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use memdoc::DocName;

use super::{Incoming, Lost, MOST, Outgoing};
use crate::failure::Failure;
use crate::tools;

/// How deep folders are read.
const DEEPEST: usize = 16;
/// How deep one file includes another, as Claude Code follows it.
const DEEPEST_INCLUSION: usize = 4;
/// How many lines of its index Claude Code loads.
const INDEX_LINES: usize = 200;
/// The endings of texts that stay in the name of a document.
const KEPT: [&str; 1] = [".txt"];

pub(super) fn read(format: &str, path: &Path) -> Result<Incoming, Failure> {
    let mut incoming = Incoming::default();
    if !path.is_dir() {
        return Err(Failure::usage(format!("expected a directory, found `{}`", path.display())));
    }
    let mut files = Vec::new();
    walk(path, Path::new(""), &mut files, &mut incoming.lost, DEEPEST)?;
    files.sort();
    if files.len() > MOST {
        return Err(Failure::refused("too_large", format!("{} files; at most {MOST} are read at once", files.len())));
    }
    for file in &files {
        let Some(shown) = file.to_str() else {
            incoming.lost.add("file", "whose name is not UTF-8", file.display().to_string());
            continue;
        };
        let Ok(text) = tools::file(&path.join(file)) else {
            incoming.lost.add("file", "without readable text", shown);
            continue;
        };
        let bare = shown.strip_suffix(".md").unwrap_or(shown);
        let wanted = if format == "claude-code" && bare == "MEMORY" { "memory" } else { bare };
        let Some(name) = incoming.free(wanted) else {
            incoming.lost.add("file", "whose name cannot be a document's", shown);
            continue;
        };
        if name.as_str() != wanted {
            incoming.lost.add("name", "changed, since a document cannot have it", shown);
        }
        match format {
            "claude-code" => missing_links(&text, &path.join(file), &mut incoming.lost),
            "basic-memory" => tags(&text, &mut incoming.lost),
            _ => {}
        }
        incoming.add(&name, text);
    }
    Ok(incoming)
}

/// Lists the texts below a directory. Links are not followed.
fn walk(root: &Path, below: &Path, files: &mut Vec<PathBuf>, lost: &mut Lost, depth: usize) -> Result<(), Failure> {
    let directory = root.join(below);
    let failed = |error| Failure::file("read", &directory, &error);
    for found in fs::read_dir(&directory).map_err(failed)? {
        let found = found.map_err(failed)?;
        let (kind, path) = (found.file_type().map_err(failed)?, below.join(found.file_name()));
        let (name, shown) = (found.file_name().to_string_lossy().into_owned(), path.display().to_string());
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        if kind.is_symlink() {
            lost.add("link", "not followed", shown);
        } else if kind.is_dir() && depth > 0 {
            walk(root, &path, files, lost, depth - 1)?;
        } else if kind.is_file() && (name.ends_with(".md") || KEPT.iter().any(|ending| name.ends_with(ending))) {
            files.push(path);
        } else {
            lost.add("file", "neither .md nor .txt", shown);
        }
    }
    Ok(())
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

/// Reports categories that act as tags here.
fn tags(text: &str, lost: &mut Lost) {
    for line in text.lines() {
        let category =
            line.trim_start().strip_prefix("- [").and_then(|rest| rest.split_once(']')).map(|(name, _)| name);
        let acts = |name: &str| {
            matches!(name, "pinned" | "critical") || name.starts_with("ttl") || name.starts_with("expires")
        };
        if let Some(name) = category.filter(|name| acts(name)) {
            lost.add("category", "with a meaning as a tag here", name);
        }
    }
}

/// Reads a CLAUDE.md, and the files that it includes by `@path`, each as a document.
pub(super) fn read_claude_md(path: &Path) -> Result<Incoming, Failure> {
    let mut incoming = Incoming::default();
    let project = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let project = fs::canonicalize(project).map_err(|error| Failure::file("read", project, &error))?;
    let first = fs::canonicalize(path).map_err(|error| Failure::file("read", path, &error))?;
    let mut waiting = VecDeque::from([(first.clone(), 0)]);
    let mut seen = HashSet::from([first]);
    while let Some((file, depth)) = waiting.pop_front() {
        let Ok(below) = file.strip_prefix(&project) else {
            incoming.lost.add("file", "outside of the project", file.display().to_string());
            continue;
        };
        let Ok(text) = tools::file(&file) else {
            incoming.lost.add("file", "without readable text", below.display().to_string());
            continue;
        };
        for included in inclusions(&text) {
            let target =
                file.parent().map(|folder| folder.join(&included)).and_then(|target| fs::canonicalize(target).ok());
            match target.filter(|target| target.is_file()) {
                Some(_) if depth == DEEPEST_INCLUSION => incoming.lost.add("file", "included too deep", included),
                Some(target) if seen.len() < MOST => {
                    if seen.insert(target.clone()) {
                        waiting.push_back((target, depth + 1));
                    }
                }
                _ => incoming.lost.add("file", "included and not there", included),
            }
        }
        let shown = below.display().to_string();
        let bare = shown.strip_suffix(".md").unwrap_or(&shown);
        if let Some(name) = incoming.free(bare) {
            incoming.add(&name, text);
        }
    }
    Ok(incoming)
}

/// Returns the paths that a text includes, outside of code.
fn inclusions(text: &str) -> Vec<String> {
    let (mut paths, mut is_fenced) = (Vec::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        }
        if is_fenced {
            continue;
        }
        // What stands between backticks is code.
        for prose in line.split('`').step_by(2) {
            let words = prose.replace("\\ ", "\u{0}");
            let named = words.split_whitespace().filter_map(|word| word.strip_prefix('@'));
            let is_path = |path: &&str| path.contains(['.', '/']) && !path.starts_with('~');
            paths.extend(named.filter(is_path).map(|path| path.replace('\u{0}', " ")));
        }
    }
    paths
}

pub(super) fn write(format: &str, documents: &[(DocName, String)]) -> Outgoing {
    let mut outgoing = Outgoing::default();
    for (name, text) in documents {
        let is_index = format == "claude-code" && *name == DocName::memory();
        if is_index && text.lines().count() > INDEX_LINES {
            outgoing.lost.add("index", "of more than 200 lines, of which the first 200 are loaded", name.as_str());
        }
        let is_kept = KEPT.iter().any(|ending| name.as_str().ends_with(ending));
        let path = match (is_index, is_kept) {
            (true, _) => "MEMORY.md".to_owned(),
            (false, true) => name.to_string(),
            (false, false) => format!("{name}.md"),
        };
        outgoing.files.push((path, text.clone()));
    }
    outgoing
}
