//! HTML that keeps what stands below it from being shown.
//!
//! Markdown passes HTML on. A comment that is not closed takes in all that follows, as do the elements whose content is not shown
//! as text; and a line that begins with another tag makes HTML of all lines below it up to a blank one, headings included.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use super::super::doc::MemoryDoc;
use crate::text::{Line, Lines, Span, is_blank};

/// How many of the elements begin an HTML block that only their end ends.
const HTML_BLOCKS: usize = 4;
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

/// What else takes in text, and what ends it.
const MARKS: [(&str, &str); 3] = [("<!--", "-->"), ("<![cdata[", "]]>"), ("<?", "?>")];
/// Kinds of markup are numbered: the marks, declarations (`<!DOCTYPE`), the elements.
const DECLARATION: usize = MARKS.len();
const KINDS: usize = MARKS.len() + 1 + ELEMENTS.len();

impl MemoryDoc {
    /// Returns, for each of `offsets`, which are line starts in ascending order, where the HTML is opened that hides it.
    pub(crate) fn hidden_by(&self, offsets: &[usize]) -> Vec<Option<usize>> {
        let text = self.text();
        let end = offsets.last().copied().unwrap_or(0);
        let above = Span::new(0, end).of(text);
        if memchr(b'<', above.as_bytes()).is_none() {
            return vec![None; offsets.len()];
        }
        let mut scans = [ListHtml::IsRaw, ListHtml::IsMarkdown].map(Scan::new);
        let opener = |scans: &[Scan; 2]| scans.iter().find_map(Scan::opener);
        let mut offsets = offsets.iter().copied().peekable();
        let mut hidden = Vec::new();
        for line in Lines::within(text, Span::new(self.outline().body_start().min(end), end)) {
            while offsets.next_if(|offset| *offset <= line.full.start()).is_some() {
                hidden.push(opener(&scans));
            }
            scans.iter_mut().for_each(|scan| scan.line(self, line));
        }
        hidden.extend(offsets.map(|_| opener(&scans)));
        hidden
    }
}

/// How a tag behind a bullet's or a quote's marker is read. How far its HTML goes depends on indentation, so that both readings
/// are tried: where it is raw, escapes and code spans keep nothing from opening.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ListHtml {
    IsRaw,
    IsMarkdown,
}

/// What is open behind the lines read so far. Each kind is followed by itself: which of two that overlap a renderer heeds depends
/// on more than is read here, and neither may cover up the other.
struct Scan {
    /// Each kind of markup that takes in text, where it is open.
    open: [Option<Open>; KINDS],
    /// Where a line begins with a tag, and no blank one has followed.
    block: Option<usize>,
    list_html: ListHtml,
    /// Whether a tag has stood behind a marker, and no blank line has followed.
    is_in_list_html: bool,
}

/// Markup that is open behind its line.
#[derive(Clone, Copy)]
struct Open {
    at: usize,
    /// Whether what ends it does so wherever it stands: not where the HTML block may be over before, as with a list's item.
    ends_anywhere: bool,
}

impl Scan {
    const fn new(list_html: ListHtml) -> Self {
        Self { open: [None; KINDS], block: None, list_html, is_in_list_html: false }
    }

    fn opener(&self) -> Option<usize> {
        self.open.iter().flatten().map(|open| open.at).min().or(self.block)
    }

    fn line(&mut self, doc: &MemoryDoc, line: Line) {
        let text = line.text.of(doc.text());
        if is_blank(text) {
            self.block = None;
            self.is_in_list_html = false;
            return;
        }
        if self.open.iter().all(Option::is_none) && memchr(b'<', text.as_bytes()).is_none() {
            return;
        }
        let is_fenced = doc.outline().is_fenced(line.full.start());
        let lower = text.to_ascii_lowercase();
        let begins_html = !is_fenced && is_tag(lower.trim_start());
        if self.block.is_none() && begins_html && !kind(lower.trim_start()).is_some_and(is_block) {
            self.block = Some(line.full.start());
        }
        self.is_in_list_html |= !is_fenced && is_tag(behind_markers(text));
        let is_html = begins_html
            || self.block.is_some()
            || self.open.iter().flatten().any(|open| open.ends_anywhere)
            || (self.is_in_list_html && self.list_html == ListHtml::IsRaw);
        let shown = if is_html { Shown::default() } else { Shown::of(&lower) };
        let openers = if is_fenced && !is_html { Vec::new() } else { openers(&lower, &shown) };
        for (kind, open) in self.open.iter_mut().enumerate() {
            let closer = closer(kind);
            let mut at = match open {
                Some(Open { ends_anywhere: true, .. }) => lower.find(&*closer).map(|length| length + closer.len()),
                Some(_) if closer.starts_with('<') && !is_fenced && lower.starts_with(&*closer) => Some(closer.len()),
                Some(_) => None,
                None => Some(0),
            };
            let mut own = openers.iter().filter(|opener| opener.kind == kind);
            while let Some(from) = at {
                *open = own.find(|opener| opener.at >= from).map(|opener| Open {
                    at: line.full.start() + opener.at,
                    ends_anywhere: opener.at == 0 && is_block(kind),
                });
                let behind = open.map_or(lower.len(), |open| open.at + 1 - line.full.start());
                at = lower.get(behind..).and_then(|rest| rest.find(&*closer)).map(|length| behind + length);
                at = at.filter(|at| open.is_some() && !shown.contains(*at)).map(|at| at + closer.len());
            }
        }
    }
}

/// Markup that takes in text up to what ends it.
struct Opener {
    kind: usize,
    at: usize,
}

/// What a renderer shows of a line as it is: code, and what stands behind a backslash. Nothing, where all of it is HTML.
#[derive(Default)]
struct Shown {
    code: Vec<Span>,
    escaped: Vec<usize>,
}

impl Shown {
    fn of(line: &str) -> Self {
        let escaped = memchr_iter(b'<', line.as_bytes()).filter(|at| is_escaped(line, *at)).collect();
        Self { code: code_spans(line), escaped }
    }

    fn contains(&self, at: usize) -> bool {
        let span = self.code.partition_point(|span| span.end() <= at);
        self.escaped.binary_search(&at).is_ok() || self.code.get(span).is_some_and(|span| span.contains(at))
    }
}

/// Returns where a line, in lower case, opens markup that takes in text.
fn openers(line: &str, shown: &Shown) -> Vec<Opener> {
    let places = memchr_iter(b'<', line.as_bytes()).filter(|at| !shown.contains(*at));
    places.filter_map(|at| Some(Opener { kind: kind(line.get(at..)?)?, at })).collect()
}

/// Returns the kind of markup that `text`, in lower case, begins with, if it takes in text.
fn kind(text: &str) -> Option<usize> {
    if let Some(mark) = MARKS.iter().position(|(open, _)| text.starts_with(open)) {
        return Some(mark);
    }
    if text.starts_with("<!") {
        return text.chars().nth(2).filter(char::is_ascii_alphabetic).map(|_| DECLARATION);
    }
    let rest = text.get(1..)?;
    ELEMENTS.iter().position(|name| begins_with(rest, name)).map(|element| DECLARATION + 1 + element)
}

/// Reports whether a kind of markup, at the beginning of a line, begins an HTML block that ends where the markup does.
const fn is_block(kind: usize) -> bool {
    kind < DECLARATION + 1 + HTML_BLOCKS
}

/// Returns what ends a kind of markup.
fn closer(kind: usize) -> Cow<'static, str> {
    match (MARKS.get(kind), ELEMENTS.get(kind.wrapping_sub(DECLARATION + 1))) {
        (Some((_, closer)), _) => Cow::Borrowed(closer),
        (None, Some(element)) => Cow::Owned(format!("</{element}")),
        (None, None) => Cow::Borrowed(">"),
    }
}

/// Reports whether a tag has the name, and no longer one.
fn begins_with(text: &str, name: &str) -> bool {
    let behind = text.strip_prefix(name);
    behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-'))
}

/// Returns what follows the markers of lists and quotes that a line begins with.
fn behind_markers(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let behind = match rest.strip_prefix('>') {
            Some(behind) => behind,
            None => {
                let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                let marks: &[char] = if number.len() < rest.len() { &['.', ')'] } else { &['-', '*', '+'] };
                match number.strip_prefix(marks).filter(|behind| behind.starts_with([' ', '\t'])) {
                    Some(behind) => behind,
                    None => return rest,
                }
            }
        };
        rest = behind.trim_start();
    }
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
