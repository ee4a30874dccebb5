//! HTML that keeps what stands below it from being shown.
//!
//! Markdown passes HTML on. A comment that is not closed takes in all that follows, as do the elements whose content is not shown
//! as text; and a line that begins with a tag makes HTML of all lines below it up to a blank one, headings included.

use memchr::memchr;

use super::super::doc::MemoryDoc;
use crate::text::{Line, Lines, Span, is_blank};

/// The elements whose content is not shown, or not as Markdown.
const ELEMENTS: [&str; 17] = [
    "script",
    "style",
    "pre",
    "textarea",
    "title",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "template",
    "details",
    "dialog",
    "select",
    "svg",
    "math",
];

/// Returns, for each of `offsets`, which are line starts in ascending order, where the HTML is opened that hides it.
pub(crate) fn hidden_by(doc: &MemoryDoc, offsets: &[usize]) -> Vec<Option<usize>> {
    let text = doc.text();
    let end = offsets.last().copied().unwrap_or(0);
    let above = Span::new(0, end).of(text);
    if memchr(b'<', above.as_bytes()).is_none() {
        return vec![None; offsets.len()];
    }
    let mut scan = Scan::default();
    let mut offsets = offsets.iter().copied().peekable();
    let mut hidden = Vec::new();
    for line in Lines::within(text, Span::new(doc.outline().body_start().min(end), end)) {
        while offsets.next_if(|offset| *offset <= line.full.start()).is_some() {
            hidden.push(scan.opener());
        }
        scan.line(doc, line);
    }
    hidden.extend(offsets.map(|_| scan.opener()));
    hidden
}

/// What is open behind the lines read so far.
#[derive(Default)]
struct Scan {
    /// What ends it, and where it was opened.
    open: Option<(String, usize)>,
    /// Where a line begins with a tag, and no blank one has followed.
    block: Option<usize>,
}

impl Scan {
    fn opener(&self) -> Option<usize> {
        self.open.as_ref().map(|(_, at)| *at).or(self.block)
    }

    fn line(&mut self, doc: &MemoryDoc, line: Line) {
        let text = line.text.of(doc.text());
        if is_blank(text) {
            self.block = None;
            return;
        }
        if self.open.is_none() && memchr(b'<', text.as_bytes()).is_none() {
            return;
        }
        let is_fenced = doc.outline().is_fenced(line.full.start());
        if self.block.is_none() && !is_fenced && is_tag(text.trim_start()) {
            self.block = Some(line.full.start());
        }
        let is_html = self.block.is_some();
        let lower = text.to_ascii_lowercase();
        // Where markup may open: not in code, which a renderer shows as it is.
        let code = if is_html { Vec::new() } else { code_spans(&lower) };
        let mut code = code.into_iter().peekable();
        let mut at = 0;
        while let Some(rest) = lower.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some((closer, _)) = &self.open {
                let Some(length) = rest.find(closer.as_str()) else { return };
                at += length + closer.len();
                self.open = None;
                continue;
            }
            let Some(length) = memchr(b'<', rest.as_bytes()).filter(|_| !is_fenced || is_html) else { return };
            at += length;
            while code.next_if(|span| span.end() <= at).is_some() {}
            let is_escaped = !is_html && is_escaped(&lower, at);
            if !code.peek().is_some_and(|span| span.contains(at)) && !is_escaped {
                self.open = closer(lower.get(at..).unwrap_or_default()).map(|closer| (closer, line.full.start() + at));
            }
            at += 1;
        }
    }
}

/// Returns what ends the markup that `text`, in lower case, begins with, if it takes in text.
fn closer(text: &str) -> Option<String> {
    let marks = [("<!--", "-->"), ("<![cdata[", "]]>"), ("<?", "?>")];
    if let Some((_, closer)) = marks.iter().find(|(open, _)| text.starts_with(open)) {
        return Some((*closer).to_owned());
    }
    if text.starts_with("<!") && text.chars().nth(2).is_some_and(|c| c.is_ascii_alphabetic()) {
        return Some(">".to_owned());
    }
    let element = ELEMENTS.iter().find(|name| text.get(1..).is_some_and(|rest| begins_with(rest, name)))?;
    Some(format!("</{element}"))
}

/// Reports whether a tag has the name, and no longer one.
fn begins_with(text: &str, name: &str) -> bool {
    let behind = text.strip_prefix(name);
    behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
}

/// Reports whether a line begins with a tag, and not with an address in angle brackets.
fn is_tag(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('<') else { return false };
    if rest.starts_with(['!', '?']) {
        return true;
    }
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-').count();
    rest.starts_with(|c: char| c.is_ascii_alphabetic())
        && matches!(rest.as_bytes().get(name), None | Some(b' ' | b'\t' | b'>' | b'/'))
}

fn is_escaped(line: &str, at: usize) -> bool {
    line.bytes().take(at).rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Returns the code spans of a line: between two runs of equally many backticks.
fn code_spans(line: &str) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for (at, _) in line.match_indices('`') {
        match runs.last_mut().filter(|run| run.end() == at) {
            Some(run) => *run = Span::new(run.start(), at + 1),
            None => runs.push(Span::new(at, at + 1)),
        }
    }
    // From the end: where the next run of each length stands.
    let mut next: std::collections::HashMap<usize, usize> = std::collections::HashMap::new();
    let closing: Vec<Option<usize>> =
        runs.iter().enumerate().rev().map(|(nth, run)| next.insert(run.len(), nth)).collect();
    let closing: Vec<_> = closing.into_iter().rev().collect();
    let mut spans = Vec::new();
    let mut nth = 0;
    while let Some((run, closing)) = runs.get(nth).zip(closing.get(nth)) {
        match closing.and_then(|closing| Some((closing, runs.get(closing)?))) {
            Some((closing, end)) => {
                spans.push(Span::new(run.start(), end.end()));
                nth = closing + 1;
            }
            None => nth += 1,
        }
    }
    spans
}
