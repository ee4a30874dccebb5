//! The forms in which other programs keep memory: what each is read into, and written from.

mod folder;
mod list;
mod mcp_memory;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use memdoc::DocName;

use crate::failure::Failure;

/// The most documents that are read at once.
pub(crate) const MOST: usize = 2_000;
/// How many examples are shown of what is lost.
const EXAMPLES: usize = 3;

/// What is lost on the way, with examples: a noun, and what is wrong with it.
#[derive(Debug, Default)]
pub(crate) struct Lost(BTreeMap<(&'static str, &'static str), Vec<String>>);

impl Lost {
    pub(crate) fn add(&mut self, noun: &'static str, why: &'static str, example: impl Into<String>) {
        self.0.entry((noun, why)).or_default().push(example.into());
    }

    /// Returns a line for each kind, with a count.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |((noun, why), examples): (&(&str, &str), &Vec<String>)| {
            let shown: Vec<String> = examples
                .iter()
                .filter(|text| !text.is_empty())
                .take(EXAMPLES)
                .map(|text| memdoc::text::excerpt(text, 60))
                .collect();
            let more = if examples.len() > EXAMPLES && !shown.is_empty() { ", …" } else { "" };
            let shown = if shown.is_empty() { String::new() } else { format!(" ({}{more})", shown.join(", ")) };
            let gap = if why.is_empty() { "" } else { " " };
            format!("{}{gap}{why}{shown}", crate::checks::count(examples.len(), noun))
        };
        self.0.iter().map(line).collect()
    }
}

/// Documents that come from elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    pub(crate) documents: Vec<(DocName, String)>,
    pub(crate) lost: Lost,
    names: HashSet<String>,
}

impl Incoming {
    /// Adds a document under a name that is as near to `name` as a name may be, and that no other has.
    fn add(&mut self, name: &DocName, text: String) {
        self.names.insert(name.as_str().to_lowercase());
        self.documents.push((name.clone(), text));
    }

    /// Returns a name that no document has yet, as near to `wanted` as a name may be.
    fn free(&self, wanted: &str) -> Option<DocName> {
        let base = slug(wanted);
        let names =
            std::iter::once(base.clone()).chain((2..=MOST).map(|number| format!("{}-{number}", cut(&base, 58))));
        names.filter(|name| !self.names.contains(&name.to_lowercase())).find_map(|name| name.parse().ok())
    }
}

/// Files that go elsewhere, by their paths below the target; the empty path is the target itself.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    pub(crate) files: Vec<(String, String)>,
    pub(crate) lost: Lost,
}

/// Reads what stands at a path in a format.
pub(crate) fn read(format: &str, path: &Path) -> Result<Incoming, Failure> {
    match format {
        "claude-code" | "basic-memory" | "memory-bank" | "folder" | "anthropic-store" => folder::read(format, path),
        "letta" if path.is_dir() => folder::read(format, path),
        "claude-md" => folder::read_claude_md(path),
        "mcp-memory" => mcp_memory::read(path),
        "hermes" => list::read_hermes(path),
        "mem0" => list::read_mem0(path),
        "letta" => list::read_letta(path),
        "chatgpt" => list::read_list(path),
        other => Err(unknown(
            other,
            "claude-code, claude-md, mcp-memory, basic-memory, hermes, mem0, letta, chatgpt, memory-bank, folder",
        )),
    }
}

/// Writes documents in a format.
pub(crate) fn write(format: &str, documents: &[(DocName, String)]) -> Result<Outgoing, Failure> {
    match format {
        "claude-code" | "basic-memory" | "memory-bank" | "folder" | "anthropic-store" | "letta" => {
            Ok(folder::write(format, documents))
        }
        "mcp-memory" => Ok(mcp_memory::write(documents)),
        "hermes" => list::write_hermes(documents),
        "mem0" => Ok(list::write_mem0(documents)),
        "chatgpt" => Ok(list::write_list(documents)),
        other => Err(unknown(
            other,
            "claude-code, mcp-memory, basic-memory, hermes, mem0, letta, chatgpt, memory-bank, folder",
        )),
    }
}

fn unknown(format: &str, known: &str) -> Failure {
    Failure::usage(format!("expected a format, found `{format}`")).with_hint(format!("one of {known}"))
}

/// Returns a text as a name of a document: what a name may not have becomes `-`.
fn slug(text: &str) -> String {
    let part = |part: &str| {
        let mut plain: String = part
            .chars()
            .map(|c| if c.is_alphanumeric() || matches!(c, ' ' | '.' | '-' | '_') { c } else { '-' })
            .collect();
        while plain.ends_with([' ', '.', '-']) {
            plain.pop();
        }
        let plain = plain.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned();
        let plain = if plain.to_lowercase().ends_with(".md") { plain.replace('.', "-") } else { plain };
        if plain.is_empty() { "unnamed".to_owned() } else { plain }
    };
    cut(&text.split('/').map(part).collect::<Vec<_>>().join("/"), 64)
}

fn cut(text: &str, characters: usize) -> String {
    let mut cut = String::new();
    for c in text.chars().take(characters) {
        if cut.len() + c.len_utf8() > 190 {
            break;
        }
        cut.push(c);
    }
    cut.trim_end_matches([' ', '.', '-', '/']).to_owned()
}

/// Writes a text as a bullet: further lines are indented.
fn bullet(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .enumerate()
        .map(|(index, line)| match (index, line.is_empty()) {
            (0, _) => format!("- {line}"),
            (_, true) => String::new(),
            _ => format!("  {line}"),
        })
        .collect();
    lines.join("\n") + "\n"
}

/// A line of a document, as an export reads it.
enum Piece {
    /// A bullet at the margin, with its further lines; whether it had a box or was nested counts as text.
    Bullet(String),
    Heading(String),
    /// Anything else that says something.
    Other(String),
}

/// Takes a document apart: bullets at the margin that begin with `- `, headings, and the rest.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut blank = 0;
    for line in text.lines() {
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        match (line.strip_prefix("- "), line.strip_prefix("  "), pieces.last_mut()) {
            (Some(content), ..) => pieces.push(Piece::Bullet(content.to_owned())),
            (None, Some(more), Some(Piece::Bullet(bullet))) => {
                bullet.push_str(&"\n".repeat(blank + 1));
                bullet.push_str(more);
            }
            _ if line.starts_with('#') => pieces.push(Piece::Heading(line.to_owned())),
            _ => pieces.push(Piece::Other(line.to_owned())),
        }
        blank = 0;
    }
    pieces
}
