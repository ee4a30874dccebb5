//! The grammar of patches that name files, as Codex sends them. What stands below `*** Update File` is a patch of one document.
//!
//! ```text
//! patch  = "*** Begin Patch" { add | delete | update } "*** End Patch"
//! add    = "*** Add File: " PATH { "+" LINE }
//! delete = "*** Delete File: " PATH
//! update = "*** Update File: " PATH [ "*** Move to: " PATH ] { hunk }
//! ```
//!
//! A heredoc around it is taken off.

use crate::text::{excerpt, on_one_line};

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FileChange {
    Add {
        path: String,
        text: String,
    },
    Delete {
        path: String,
    },
    Update {
        path: String,
        to: Option<String>,
        /// The hunks.
        body: String,
    },
}

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File: ";
const DELETE: &str = "*** Delete File: ";
const UPDATE: &str = "*** Update File: ";
const MOVE: &str = "*** Move to: ";
const END_OF_FILE: &str = "*** End of File";
/// The most files in one patch.
const MOST: usize = 500;

/// Reads a patch.
///
/// # Errors
///
/// What is wrong, in the words of Codex.
pub(super) fn read(patch: &str) -> Result<Vec<FileChange>, String> {
    let lines: Vec<&str> = patch.trim().split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let lines = without_heredoc(&lines);
    let (Some((first, rest)), Some(last)) = (lines.split_first(), lines.last()) else { return Err(no_begin()) };
    if first.trim() != BEGIN {
        return Err(no_begin());
    }
    let Some((_, body)) = rest.split_last().filter(|_| last.trim() == END) else {
        return Err(format!("invalid patch: The last line of the patch must be '{END}'"));
    };
    let mut reader = Reader { lines: body, at: 0 };
    let mut changes = Vec::new();
    while reader.at < body.len() {
        changes.extend(reader.change()?);
        if changes.len() > MOST {
            return Err(format!("invalid patch: expected at most {MOST} files"));
        }
    }
    if changes.is_empty() { Err("invalid patch: it changes no file".to_owned()) } else { Ok(changes) }
}

fn no_begin() -> String {
    format!("invalid patch: The first line of the patch must be '{BEGIN}'")
}

/// Takes off the first and the last line, where they are those of a heredoc.
fn without_heredoc<'l, 't>(lines: &'l [&'t str]) -> &'l [&'t str] {
    match lines {
        [first, inner @ .., last]
            if ["<<EOF", "<<'EOF'", "<<\"EOF\""].contains(&first.trim()) && last.trim() == "EOF" =>
        {
            inner
        }
        _ => lines,
    }
}

/// Reads the lines between those that begin and end a patch.
struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    /// Reads what becomes of one file; `None` for a blank line.
    fn change(&mut self) -> Result<Option<FileChange>, String> {
        // The first line of the patch is not among these.
        let number = self.at + 2;
        let Some(line) = self.peek() else { return Ok(None) };
        self.at += 1;
        let header = line.trim();
        if header.is_empty() {
            return Ok(None);
        }
        let path = |header: &str| header.trim().to_owned();
        if let Some(name) = header.strip_prefix(ADD) {
            let mut text = String::new();
            while let Some(added) = self.peek().and_then(|line| line.strip_prefix('+')) {
                text.push_str(added);
                text.push('\n');
                self.at += 1;
            }
            return Ok(Some(FileChange::Add { path: path(name), text }));
        }
        if let Some(name) = header.strip_prefix(DELETE) {
            return Ok(Some(FileChange::Delete { path: path(name) }));
        }
        let Some(name) = header.strip_prefix(UPDATE) else {
            return Err(format!(
                "invalid hunk at line {number}, '{}' is not a valid hunk header. Valid hunk headers: '{ADD}{{path}}', \
                 '{DELETE}{{path}}', '{UPDATE}{{path}}'",
                on_one_line(&excerpt(header, 100))
            ));
        };
        let to = self.peek().and_then(|line| line.trim().strip_prefix(MOVE)).map(path);
        self.at += usize::from(to.is_some());
        let start = self.at;
        let is_hunk = |line: &str| !line.starts_with("***") || line.trim_end() == END_OF_FILE;
        while self.peek().is_some_and(is_hunk) {
            self.at += 1;
        }
        let body = self.lines.get(start..self.at).unwrap_or_default().join("\n");
        if body.trim().is_empty() && to.is_none() {
            return Err(format!("invalid hunk at line {number}, Update file hunk for path '{}' is empty", path(name)));
        }
        Ok(Some(FileChange::Update { path: path(name), to, body }))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_patch_is_read_file_by_file() {
        let patch = "<<'EOF'\n*** Begin Patch\n*** Add File: a.md\n+- x\n+\n*** Update File: b.md\n*** Move to: c.md\n@@ ## B\n- y\n\
                     +z\n*** End of File\n*** Delete File: d.md\n*** End Patch\nEOF\n";
        let changes = read(patch).unwrap();
        let expected = [
            FileChange::Add { path: "a.md".into(), text: "- x\n\n".into() },
            FileChange::Update {
                path: "b.md".into(),
                to: Some("c.md".into()),
                body: "@@ ## B\n- y\n+z\n*** End of File".into(),
            },
            FileChange::Delete { path: "d.md".into() },
        ];
        assert_eq!(changes, expected);
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        for (patch, why) in [
            ("", "invalid patch: The first line of the patch must be '*** Begin Patch'"),
            ("*** Begin Patch", "invalid patch: The last line of the patch must be '*** End Patch'"),
            (
                "*** Begin Patch\n*** Add File: a.md\n+x",
                "invalid patch: The last line of the patch must be '*** End Patch'",
            ),
            ("*** Begin Patch\n*** End Patch", "invalid patch: it changes no file"),
            (
                "*** Begin Patch\n*** Update File: a.md\n*** End Patch",
                "invalid hunk at line 2, Update file hunk for path 'a.md' is empty",
            ),
        ] {
            assert_eq!(read(patch).unwrap_err(), why);
        }
        let unknown = read("*** Begin Patch\n*** Add File: a.md\n+x\n y\n*** End Patch").unwrap_err();
        assert!(unknown.starts_with("invalid hunk at line 4, 'y' is not a valid hunk header"), "{unknown}");
    }
}
