//! Rewrites a refused patch of another style, for a retry: search/replace blocks, conflict markers, lines without their
//! operator, lines left out as `...`, anchors without a colon, and context that stands in the document with other white
//! space, or that was cut short.

use std::collections::HashMap;

use crate::document::{ItemText, MemoryDoc};
use crate::request::patch::plain;
use crate::text::is_blank;

/// What the lines of a patch belong to.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Hunk,
    NewSection,
    /// The lines to search for, in a search/replace block.
    Search,
    /// The lines in their place.
    Replace,
}

/// Lines that stand for lines left out.
const DOTS: [&str; 3] = ["...", "…", "[...]"];

/// The patch as far as it is rewritten.
struct Rewriter<'a> {
    doc: &'a MemoryDoc,
    /// The lines of the document by their contents; `None` for several lines of one content.
    by_content: HashMap<&'a str, Option<&'a str>>,
    lines: Vec<String>,
    /// The anchors of the current hunk.
    anchors: Vec<String>,
    /// The anchor for the section that stands in the place of a document.
    section: Option<String>,
    /// The indentations of context lines that were sent with other ones.
    indented: Vec<&'a str>,
}

/// Returns a patch with its lines in the form that [`Patch`](crate::request::patch::Patch) reads. `doc` is the document that
/// it edits. A document of which `is_unknown` is true is taken as a section.
pub(super) fn rewritten(patch: &str, doc: &MemoryDoc, is_unknown: &dyn Fn(&str) -> bool) -> String {
    let patch = plain(patch);
    let mut by_content = HashMap::new();
    for line in texts_of(doc) {
        by_content.entry(ItemText::of_line(line).content).and_modify(|only| *only = None).or_insert(Some(line));
    }
    let (lines, anchors, section, indented) = Default::default();
    let (mut part, mut out) = (Part::Hunk, Rewriter { doc, by_content, lines, anchors, section, indented });
    let has_blocks = patch.split('\n').any(begins_block);
    for line in patch.split('\n') {
        match part {
            Part::Search if is_marker(line, '=', "") => part = Part::Replace,
            Part::Search => out.lines.push(format!("-{line}")),
            Part::Replace if is_marker(line, '>', "") || is_marker(line, '+', "REPLACE") => part = Part::Hunk,
            Part::Replace => out.lines.push(format!("+{line}")),
            _ if begins_block(line) => {
                out.anchor("@@".to_owned());
                part = Part::Search;
            }
            _ if line.starts_with("***") => {
                out.operation(line, is_unknown);
                part = if line.starts_with("*** Add Section:") { Part::NewSection } else { Part::Hunk };
            }
            _ if line.starts_with("@@") => {
                out.anchor(anchor(line));
                part = Part::Hunk;
            }
            Part::NewSection if !is_blank(line) && !line.starts_with('+') => out.lines.push(format!("+{line}")),
            Part::NewSection => out.lines.push(line.to_owned()),
            Part::Hunk => out.hunk_line(line, has_blocks),
        }
    }
    // A line that is written may be meant to be indented with its context: it is only clear if it is indented like that.
    let is_clear = |line: &String| line.strip_prefix('+').is_none_or(|text| out.indented.contains(&indentation(text)));
    if out.indented.is_empty() || out.lines.iter().all(is_clear) { out.lines.join("\n") } else { patch.into() }
}

fn texts_of(doc: &MemoryDoc) -> impl Iterator<Item = &str> {
    (0..doc.lines().len()).map(|index| doc.line_text(index))
}

fn indentation(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

impl Rewriter<'_> {
    fn operation(&mut self, line: &str, is_unknown: &dyn Fn(&str) -> bool) {
        let (word, name) = line.split_once(':').map_or((line, ""), |(word, name)| (word, name.trim()));
        let is_update = matches!(word, "*** Update Memory" | "*** Update File") && !name.is_empty();
        self.section = (is_update && is_unknown(name)).then(|| format!("@@ section: {name}"));
        match word {
            "*** Update Section" => self.anchor(format!("@@ section: {name}")),
            _ => self.lines.push(if self.section.is_some() { "*** Update Memory" } else { line }.to_owned()),
        }
    }

    /// Adds an anchor. The first one of a hunk is below that of the section.
    fn anchor(&mut self, anchor: String) {
        if !self.is_behind_anchor() {
            self.anchors = self.section.iter().cloned().collect();
            self.lines.extend(self.section.clone());
        }
        self.lines.push(anchor.clone());
        self.anchors.push(anchor);
    }

    fn is_behind_anchor(&self) -> bool {
        self.lines.last().is_some_and(|line| line.starts_with("@@"))
    }

    /// Adds a line of a hunk. Context that was left out divides the hunk.
    fn hunk_line(&mut self, line: &str, has_blocks: bool) {
        let bare = line.trim();
        if DOTS.contains(&bare) && self.lines.last().is_some_and(|line| line.starts_with([' ', '@'])) {
            let is_first = self.is_behind_anchor();
            let anchors = if self.anchors.is_empty() { vec!["@@".to_owned()] } else { self.anchors.clone() };
            self.lines.extend(anchors.into_iter().filter(|_| !is_first));
            return;
        }
        // git writes two such lines before a diff.
        if line.starts_with("diff --git ") || line.starts_with("index ") && line.contains("..") {
            return;
        }
        if self.section.is_some() && self.lines.last().is_some_and(|line| line.starts_with("***")) {
            self.anchor("@@".to_owned());
        }
        match line.chars().next() {
            Some('+' | '-' | '\\') => self.lines.push(line.to_owned()),
            Some(' ') => self.context(line.get(1..).unwrap_or_default()),
            Some(_) if has_blocks || bare.starts_with("```") => {}
            Some(_) => self.context(line),
            None => self.lines.push(String::new()),
        }
    }

    /// Adds a line of context as it stands in the document: the one line with this content, or that begins with this text if
    /// it ends in dots.
    fn context(&mut self, text: &str) {
        let bare = text.trim();
        let begun = bare.strip_suffix("...").or(bare.strip_suffix('…')).map(|begin| {
            let mut begun = texts_of(self.doc).filter(|line| line.trim().starts_with(begin));
            begun.next().filter(|_| begun.next().is_none())
        });
        let same = self.by_content.get(ItemText::of_line(text).content).copied();
        let only = same.or(begun).flatten().filter(|_| !bare.is_empty());
        self.indented.extend(only.map(indentation).filter(|own| *own != indentation(text)));
        self.lines.push(format!(" {}", only.unwrap_or(text)));
    }
}

/// Returns an anchor with a colon behind its keyword.
fn anchor(line: &str) -> String {
    let text = line.trim_start_matches('@').trim();
    let named = text
        .split_once([' ', '=', ':'])
        .filter(|(word, _)| ["section", "heading", "title"].iter().any(|keyword| keyword.eq_ignore_ascii_case(word)));
    named.map_or_else(|| line.to_owned(), |(_, name)| format!("@@ section: {}", name.trim_start_matches([':', ' '])))
}

fn begins_block(line: &str) -> bool {
    is_marker(line, '<', "") || is_marker(line, '-', "SEARCH")
}

/// Returns true for a line of at least five of these signs, with the name behind them.
fn is_marker(line: &str, sign: char, name: &str) -> bool {
    let rest = line.trim_start_matches(sign);
    line.len() - rest.len() >= 5 && (rest.trim().is_empty() || rest.starts_with(' ')) && rest.contains(name)
}
