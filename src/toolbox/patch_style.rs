//! Rewrites a refused patch of another style, for a retry: search/replace blocks, conflict markers, headings without their
//! operator, anchors without their colon, and sections in the place of a document.

use crate::document::heading;
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

/// Returns a patch with its lines in the form that [`Patch`](crate::request::patch::Patch) reads. A document of which
/// `is_unknown` is true is taken as a section.
pub(super) fn rewritten(patch: &str, is_unknown: &dyn Fn(&str) -> bool) -> String {
    let patch = plain(patch);
    let has_blocks = patch.split('\n').any(begins_block);
    let (mut part, mut section, mut lines) = (Part::Hunk, None, Vec::<String>::new());
    for line in patch.split('\n') {
        match part {
            Part::Search if is_marker(line, '=', "") => part = Part::Replace,
            Part::Search => lines.push(format!("-{line}")),
            Part::Replace if is_marker(line, '>', "") || is_marker(line, '+', "REPLACE") => part = Part::Hunk,
            Part::Replace => lines.push(format!("+{line}")),
            _ if line.starts_with("***") => {
                let (word, name) = line.split_once(':').map_or((line, ""), |(word, name)| (word, name.trim()));
                let is_document = matches!(word, "*** Update Memory" | "*** Update File");
                let is_section = word == "*** Update Section" || is_document && !name.is_empty() && is_unknown(name);
                section = is_section.then(|| format!("@@ section: {name}"));
                match &section {
                    Some(anchor) if is_document => lines.extend(["*** Update Memory".to_owned(), anchor.clone()]),
                    Some(anchor) => lines.push(anchor.clone()),
                    None => lines.push(line.to_owned()),
                }
                part = if word == "*** Add Section" { Part::NewSection } else { Part::Hunk };
            }
            _ if line.starts_with("@@") || begins_block(line) => {
                // The section is named above the first anchor of each hunk.
                if lines.last().is_none_or(|line| !line.starts_with("@@")) {
                    lines.extend(section.clone());
                }
                part = if begins_block(line) { Part::Search } else { Part::Hunk };
                lines.push(if part == Part::Search { "@@".to_owned() } else { anchor(line) });
            }
            Part::NewSection if !is_blank(line) && !line.starts_with('+') => lines.push(format!("+{line}")),
            Part::Hunk if !line.is_empty() && !line.starts_with([' ', '+', '-', '\\']) => {
                // A heading is context; another line may be one to delete. Names of files and fences stand around blocks.
                let operator = if heading(line).is_some() { " " } else { "" };
                lines.extend((!has_blocks).then(|| format!("{operator}{line}")));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
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
