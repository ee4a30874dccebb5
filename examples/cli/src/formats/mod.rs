//! The forms in which other programs keep memory: what each is read into, and written from.

mod claude_md;
mod folder;
mod list;
mod mcp_memory;

use std::collections::{BTreeMap, HashSet};

use memdoc::document::BulletRef;
use memdoc::text::excerpt;
use memdoc::{Authority, DocName, Edit, MemoryDoc};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::arguments::{Form, Import};
use crate::failure::Failure;

/// The formats that are read.
const KNOWN: &str = "claude-code, claude-md, mcp-memory, basic-memory, hermes, mem0, letta, chatgpt, memory-bank, folder, \
    anthropic-store";

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
            let shown: Vec<String> =
                examples.iter().filter(|text| !text.is_empty()).take(EXAMPLES).map(|text| excerpt(text, 100)).collect();
            let more = if examples.len() > EXAMPLES && !shown.is_empty() { ", …" } else { "" };
            let shown = if shown.is_empty() { String::new() } else { format!(" ({}{more})", shown.join(", ")) };
            let gap = if why.is_empty() { "" } else { " " };
            format!("{}{gap}{why}{shown}", crate::checks::count(examples.len(), noun))
        };
        self.0.iter().map(line).collect()
    }
}

/// Memory that comes from elsewhere.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) documents: Vec<(DocName, String)>,
    /// What is recorded beside the documents, each with where it comes from.
    pub(crate) memories: Vec<(String, Option<String>)>,
    pub(crate) lost: Lost,
    names: HashSet<String>,
    /// An empty document, under the policy of the memory that it goes to.
    empty: MemoryDoc,
}

impl Incoming {
    fn new(empty: MemoryDoc) -> Self {
        Self { documents: Vec::new(), memories: Vec::new(), lost: Lost::default(), names: HashSet::new(), empty }
    }

    /// Adds a document under a name that no other has.
    fn add(&mut self, name: &DocName, text: String) {
        self.names.insert(name.as_str().to_lowercase());
        self.documents.push((name.clone(), text));
    }

    /// Adds a document that is a list of facts, if there are any.
    fn add_facts(&mut self, name: &DocName, text: String) {
        if !text.is_empty() {
            self.add(name, text);
        }
    }

    /// Returns a name that no document has yet, as near to `wanted` as a name may be.
    fn free(&self, wanted: &str) -> Option<DocName> {
        let base = slug(wanted);
        let names = std::iter::once(base.clone()).chain((2..=MOST).map(|number| format!("{base}-{number}")));
        names.filter(|name| !self.names.contains(&name.to_lowercase())).find_map(|name| name.parse().ok())
    }

    /// Writes a fact as a bullet; `None` if no agent may write it.
    fn bullet(&mut self, noun: &'static str, fact: &str) -> Option<String> {
        let text = bullet(fact);
        self.may_write(noun, &text).then_some(text)
    }

    /// Returns true if an agent may write a text; else it is lost.
    fn may_write(&mut self, noun: &'static str, text: &str) -> bool {
        let alone = MemoryDoc::with_rules(text, self.empty.rules().clone());
        let written = self.empty.commit(&Edit::between(&self.empty, &alone), Authority::Agent);
        if let Err(error) = &written {
            self.lost.add(
                noun,
                "refused",
                format!("{}: {error}", excerpt(text.trim_start_matches(['-', '#', ' ']), 20)),
            );
        }
        written.is_ok()
    }

    /// Reports tags that had no meaning where they come from, and takes it from them if that is asked for.
    fn tags(&mut self, escape: bool) {
        for (_, text) in self.documents.iter_mut().filter(|(name, _)| !name.is_data()) {
            let doc = MemoryDoc::parse(&**text);
            let acting = |bullet: &BulletRef<'_>| bullet.tags().into_iter().find(|tag| acts(tag)).map(str::to_owned);
            let found: Vec<(usize, String)> =
                doc.bullets().filter_map(|bullet| Some((bullet.tags_span().start(), acting(&bullet)?))).collect();
            let why = if escape { "kept from acting as a tag" } else { "with a meaning as a tag here" };
            for (_, tag) in &found {
                self.lost.add("bracket", why, tag);
            }
            for (at, _) in found.iter().rev().filter(|_| escape) {
                text.insert(*at, '\\');
            }
        }
    }
}

/// Returns true if a tag keeps or ends a bullet.
pub(crate) fn acts(tag: &str) -> bool {
    let name = tag.split(':').next().unwrap_or_default().trim().to_lowercase();
    ["pinned", "critical", "ttl", "since", "expires"].contains(&&*name)
}

/// Files that go elsewhere, by their paths below the target; the empty path is the target itself.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    pub(crate) files: Vec<(String, String)>,
    pub(crate) lost: Lost,
}

/// Reads what is asked for, into a memory under the policy of `empty`.
pub(crate) fn read(asked: &Import, empty: MemoryDoc) -> Result<Incoming, Failure> {
    let (format, path) = (asked.format.as_str(), asked.path.as_path());
    let misplaced = [
        ("--one", asked.one && format != "mcp-memory"),
        ("--inline", asked.inline && format != "claude-md"),
        ("--follow", asked.follow && format != "claude-md"),
    ];
    if let Some((option, _)) = misplaced.iter().find(|(_, is_misplaced)| *is_misplaced) {
        return Err(Failure::usage(format!("`{option}` has no meaning for `{format}`")));
    }
    match (format, asked.form) {
        (_, None)
        | ("mem0", Some(Form::Bullets | Form::Memories))
        | ("letta", Some(Form::Documents | Form::Blocks)) => {}
        _ => return Err(Failure::usage(format!("`{format}` has no such form")).with_hint("see `memdoc import --help`")),
    }
    let mut incoming = Incoming::new(empty);
    let into = &mut incoming;
    match format {
        "claude-code" | "basic-memory" | "memory-bank" | "folder" | "anthropic-store" => {
            folder::read(format, path, into)?
        }
        "letta" if path.is_dir() => folder::read(format, path, into)?,
        "claude-md" => claude_md::read(asked, into)?,
        "mcp-memory" => mcp_memory::read(path, asked.one, into)?,
        "hermes" => list::read_hermes(path, into)?,
        "mem0" => list::read_mem0(path, asked.form == Some(Form::Memories), into)?,
        "letta" => list::read_letta(path, asked.form == Some(Form::Blocks), into)?,
        "chatgpt" => list::read_list(path, into)?,
        other => return Err(unknown(other, KNOWN)),
    }
    // Texts may have been written for memdoc, and the tags of mem0 were made here.
    let has_own_brackets = matches!(format, "basic-memory" | "mcp-memory" | "hermes" | "letta" | "chatgpt");
    if has_own_brackets || asked.escape && format != "mem0" {
        incoming.tags(asked.escape);
    }
    Ok(incoming)
}

/// Writes documents in a format, and what is remembered beside them where the format has room for it.
pub(crate) fn write(
    format: &str,
    documents: &[(DocName, String)],
    remembered: impl Iterator<Item = Value>,
) -> Result<Outgoing, Failure> {
    let is_list = matches!(format, "chatgpt" | "hermes" | "mem0");
    let (documents, empty): (Vec<_>, Vec<_>) =
        documents.iter().cloned().partition(|(_, text)| !is_list || !text.trim().is_empty());
    let documents = &*documents;
    let mut outgoing = if format == "mem0" {
        list::write_mem0(documents, remembered.collect())
    } else {
        let mut outgoing = write_documents(format, documents)?;
        for memory in remembered {
            outgoing.lost.add("memory", "beside the documents", memory["memory"].as_str().unwrap_or_default());
        }
        outgoing
    };
    for (name, _) in empty {
        outgoing.lost.add("document", "that is empty", name.as_str());
    }
    Ok(outgoing)
}

fn write_documents(format: &str, documents: &[(DocName, String)]) -> Result<Outgoing, Failure> {
    match format {
        "claude-code" | "basic-memory" | "memory-bank" | "folder" | "anthropic-store" | "letta" => {
            Ok(folder::write(format, documents))
        }
        "mcp-memory" => Ok(mcp_memory::write(documents)),
        "hermes" => list::write_hermes(documents),
        "chatgpt" => Ok(list::write_list(documents)),
        other => Err(unknown(
            other,
            "claude-code, mcp-memory, basic-memory, hermes, mem0, letta, chatgpt, memory-bank, folder, anthropic-store",
        )),
    }
}

fn unknown(format: &str, known: &str) -> Failure {
    Failure::usage(format!("expected a format, found `{format}`")).with_hint(format!("one of {known}"))
}

/// Returns a text as a name of a document: what a name may not have becomes `-`.
fn slug(text: &str) -> String {
    let is_name = |text: &str| text.parse::<DocName>().is_ok();
    let part = |part: &str| {
        if is_name(part) {
            return part.to_owned();
        }
        let may_stand = |c: &char| is_name(&format!("a{c}a"));
        let plain: String = part.chars().map(|c| if may_stand(&c) { c } else { '-' }).collect();
        let plain = cut(plain.trim_start_matches(|c: char| !c.is_alphanumeric()), 190);
        let plain: String = plain.chars().take(90).collect();
        let plain = plain.trim_end_matches([' ', '.', '-']);
        let plain = if plain.to_lowercase().ends_with(".md") { plain.replace('.', "-") } else { plain.to_owned() };
        if plain.is_empty() { "unnamed".to_owned() } else { plain }
    };
    let parts: Vec<String> = text.nfc().collect::<String>().split('/').map(part).collect();
    cut(&parts.join("/"), 250).trim_end_matches([' ', '.', '-', '/']).to_owned()
}

/// Returns the beginning of a text, of at most so many bytes.
fn cut(text: &str, bytes: usize) -> &str {
    let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= bytes).last();
    text.get(..end.unwrap_or_default()).unwrap_or_default()
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
    /// The number of the bullet that follows.
    Number(String),
    /// Anything else that says something.
    Other(String),
}

/// Takes a document apart: bullets at the margin, headings, and the rest.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut blank = 0;
    for line in text.lines() {
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = line.split_at_checked(digits).unwrap_or((line, ""));
        let markers: &[&str] = if (1..=9).contains(&digits) { &[". ", ") "] } else { &["- ", "* ", "+ "] };
        let content = markers.iter().find_map(|marker| rest.strip_prefix(marker));
        match (content, line.strip_prefix("  "), pieces.last_mut()) {
            (Some(content), ..) => {
                pieces.extend((digits > 0).then(|| Piece::Number(number.to_owned())));
                pieces.push(Piece::Bullet(content.to_owned()));
            }
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
