//! A CLAUDE.md with the files that it includes by `@path`, as Claude Code reads them.

use std::collections::{HashSet, VecDeque};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Incoming, MOST};
use crate::arguments::Import;
use crate::failure::Failure;
use crate::tools;

/// How deep one file includes another.
const DEEPEST: usize = 4;

/// A file that is read, and how deep it was included.
struct Source {
    file: PathBuf,
    text: String,
    depth: usize,
}

/// What is read: each file once.
struct Reader<'a> {
    project: PathBuf,
    /// Whether files outside of the project are read, too.
    follow: bool,
    seen: HashSet<PathBuf>,
    incoming: &'a mut Incoming,
}

pub(super) fn read(asked: &Import, incoming: &mut Incoming) -> Result<(), Failure> {
    let path = &asked.path;
    let project = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let project = fs::canonicalize(project).map_err(|error| Failure::file("read", project, &error))?;
    let file = fs::canonicalize(path).map_err(|error| Failure::file("read", path, &error))?;
    let first = Source { text: tools::file(&file)?, file, depth: 0 };
    let seen = HashSet::from([first.file.clone()]);
    let mut reader = Reader { project, follow: asked.follow, seen, incoming };
    if asked.inline {
        let text = reader.inlined(&first);
        reader.add(&first.file, text);
        return Ok(());
    }
    let mut waiting = VecDeque::from([first]);
    while let Some(source) = waiting.pop_front() {
        let mut inclusions = Inclusions::default();
        let named: Vec<String> = source.text.lines().flat_map(|line| inclusions.in_line(line)).collect();
        waiting.extend(named.iter().filter_map(|named| reader.included(&source, named)));
        reader.add(&source.file, source.text);
    }
    Ok(())
}

impl Reader<'_> {
    /// Reads a file that another names, unless it was read before.
    fn included(&mut self, by: &Source, named: &str) -> Option<Source> {
        let path = match named.strip_prefix("~/") {
            Some(below) => PathBuf::from(env::var_os("HOME")?).join(below),
            None => by.file.parent()?.join(named),
        };
        let lost = &mut self.incoming.lost;
        let Some(file) = fs::canonicalize(path).ok().filter(|file| file.is_file()) else {
            lost.add("file", "included and not there", named);
            return None;
        };
        if self.seen.contains(&file) {
            return None;
        }
        if by.depth == DEEPEST || self.seen.len() == MOST {
            lost.add("file", "included too deep", named);
            return None;
        }
        if !self.follow && !file.starts_with(&self.project) {
            lost.add("file", "outside of the project", named);
            return None;
        }
        let Ok(text) = tools::file(&file) else {
            lost.add("file", "without readable text", named);
            return None;
        };
        self.seen.insert(file.clone());
        Some(Source { file, text, depth: by.depth + 1 })
    }

    /// Returns a text with those that it includes below the lines that name them, or in the place of lines that name nothing else.
    fn inlined(&mut self, source: &Source) -> String {
        let (mut whole, mut inclusions) = (String::new(), Inclusions::default());
        for line in source.text.split_inclusive('\n') {
            let named = inclusions.in_line(line);
            let included: Vec<Source> = named.iter().filter_map(|named| self.included(source, named)).collect();
            let is_alone = matches!(&*named, [only] if line.trim() == format!("@{}", only.replace(' ', "\\ ")));
            if included.is_empty() || !is_alone {
                whole += line;
            }
            for source in &included {
                if !whole.is_empty() && !whole.ends_with('\n') {
                    whole.push('\n');
                }
                whole += &self.inlined(source);
            }
            if !included.is_empty() && !whole.ends_with('\n') {
                whole.push('\n');
            }
        }
        whole
    }

    fn add(&mut self, file: &Path, text: String) {
        let below = file.strip_prefix(&self.project).ok().or_else(|| file.file_name().map(Path::new));
        let shown = below.unwrap_or(file).display().to_string();
        match self.incoming.free(shown.strip_suffix(".md").unwrap_or(&shown)) {
            Some(name) => self.incoming.add(&name, text),
            None => self.incoming.lost.add("file", "whose name cannot be a document's", shown),
        }
    }
}

/// Finds the paths that a text includes, line by line, outside of code.
#[derive(Default)]
struct Inclusions {
    is_fenced: bool,
}

impl Inclusions {
    fn in_line(&mut self, line: &str) -> Vec<String> {
        if line.trim_start().starts_with("```") {
            self.is_fenced = !self.is_fenced;
        }
        if self.is_fenced {
            return Vec::new();
        }
        let mut paths = Vec::new();
        // What stands between backticks is code.
        for prose in line.split('`').step_by(2) {
            let words = prose.replace("\\ ", "\u{0}");
            let named = words.split_whitespace().filter_map(|word| word.strip_prefix('@'));
            let is_path = |path: &&str| path.contains(['.', '/']);
            paths.extend(named.filter(is_path).map(|path| path.replace('\u{0}', " ")));
        }
        paths
    }
}
