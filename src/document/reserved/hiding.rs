//! HTML that keeps what stands below it from being shown.
//!
//! Markdown passes HTML on. A comment that is not closed takes in all that follows, as do the elements whose content is not shown
//! as text; and a line that begins with another tag makes HTML of all lines below it up to a blank one, headings included.
//!
//! What opens on a line must be closed on it, or, if it is an element, by a line below that begins with its end. What begins a
//! line, and an HTML block with it, may be closed wherever its end stands. An end tag ends an element with its `>` alone. Code and
//! escapes are overlooked only where it is certain that a renderer reads them as such. Which of two that overlap a renderer heeds
//! depends on more than is read here: each is followed by itself, so that neither covers up the other.

use memchr::memchr;

use super::super::doc::MemoryDoc;
use crate::text::{Line, Lines, Span, is_blank};

/// Markup that takes in text: what opens it, and what ends it. Behind the name of an element no letter may follow, and behind
/// `<!` one must.
const KINDS: [(&str, &str); 26] = [
    ("<!--", "-->"),
    ("<![cdata[", "]]>"),
    ("<?", "?>"),
    ("<!", ">"),
    ("<script", "</script"),
    ("<style", "</style"),
    ("<pre", "</pre"),
    ("<textarea", "</textarea"),
    ("<title", "</title"),
    ("<xmp", "</xmp"),
    ("<iframe", "</iframe"),
    ("<noembed", "</noembed"),
    ("<noframes", "</noframes"),
    ("<noscript", "</noscript"),
    ("<plaintext", "</plaintext"),
    ("<template", "</template"),
    ("<details", "</details"),
    ("<dialog", "</dialog"),
    ("<select", "</select"),
    ("<svg", "</svg"),
    ("<math", "</math"),
    ("<canvas", "</canvas"),
    ("<video", "</video"),
    ("<audio", "</audio"),
    ("<object", "</object"),
    ("<datalist", "</datalist"),
];
/// How many of them begin an HTML block that only their end ends; of the elements among these, the end of any.
const BLOCKS: usize = 8;

impl MemoryDoc {
    /// Returns, for each of `offsets`, which are line starts in ascending order, where the line starts that opens the HTML
    /// which hides it.
    pub(crate) fn hidden_by(&self, offsets: &[usize]) -> Vec<Option<usize>> {
        let text = self.text();
        let end = offsets.last().copied().unwrap_or(0);
        if memchr(b'<', Span::new(0, end).of(text).as_bytes()).is_none() {
            return vec![None; offsets.len()];
        }
        let mut scan = Scan::default();
        let mut offsets = offsets.iter().copied().peekable();
        let mut hidden = Vec::new();
        // Front matter is shown as text where it is not known.
        for line in Lines::within(text, Span::new(0, end)) {
            while offsets.next_if(|offset| *offset <= line.full.start()).is_some() {
                hidden.push(scan.opener());
            }
            scan.line(self, line);
        }
        hidden.extend(offsets.map(|_| scan.opener()));
        hidden
    }
}

/// What is open behind the lines read so far.
#[derive(Default)]
struct Scan {
    /// Each kind of markup, where it is open.
    open: [Option<Open>; KINDS.len()],
    /// Where a line begins with a tag, and no blank one has followed.
    block: Option<usize>,
    /// Whether what reads as code or as an escape may be HTML: behind a tag that a line or an item of a list begins with, and
    /// behind a backtick that has no other on its line, up to a blank line.
    is_raw: bool,
}

/// Markup that is open behind its line.
#[derive(Clone, Copy)]
struct Open {
    /// The start of the line.
    line: usize,
    /// Whether what ends it does so wherever it stands: only as long as an HTML block of its own is sure to go on.
    ends_anywhere: bool,
}

impl Scan {
    fn opener(&self) -> Option<usize> {
        self.open.iter().flatten().map(|open| open.line).min().or(self.block)
    }

    fn is_in_block(&self) -> bool {
        self.block.is_some() || self.open.iter().flatten().any(|open| open.ends_anywhere)
    }

    fn line(&mut self, doc: &MemoryDoc, line: Line) {
        let (at, text) = (line.full.start(), line.text.of(doc.text()));
        if is_blank(text) {
            (self.block, self.is_raw) = (None, false);
            return;
        }
        let lower = text.to_ascii_lowercase();
        let (is_fenced, was_in_block) = (doc.outline().is_code(at), self.is_in_block());
        if !is_fenced {
            self.note_tag(at, &lower);
        }
        if self.open.iter().all(Option::is_none) && memchr(b'<', lower.as_bytes()).is_none() {
            return;
        }
        let is_raw = self.is_raw || self.is_in_block();
        let pieces = if is_fenced && !is_raw { Vec::new() } else { pieces(&lower, is_raw) };
        let line = Read { at, lower: &lower, pieces, is_fenced, is_inside: is_fenced || was_in_block };
        for (nth, open) in self.open.iter_mut().enumerate() {
            *open = line.leaves_open(nth, *open);
        }
    }

    /// Notes a tag that a line outside fences begins with, and a backtick without another.
    fn note_tag(&mut self, at: usize, line: &str) {
        let start = line.trim_start();
        let is_block = KINDS.iter().take(BLOCKS).any(|(opener, _)| opens(start, opener));
        if self.block.is_none() && is_tag(start) && !is_block {
            self.block = Some(at);
        }
        self.is_raw |= is_tag(behind_markers(line)) || code(line).is_none();
    }
}

/// A line that is being read.
struct Read<'a> {
    at: usize,
    /// The line in lower case.
    lower: &'a str,
    pieces: Vec<String>,
    is_fenced: bool,
    /// Whether it goes on with a fence or an HTML block.
    is_inside: bool,
}

impl Read<'_> {
    /// Returns where a kind of markup is open behind the line, if it is; `open` is where it is before.
    fn leaves_open(&self, nth: usize, open: Option<Open>) -> Option<Open> {
        let (opener, end) = *KINDS.get(nth)?;
        let left = |pieces: &[String]| {
            let is_left = pieces.iter().any(|piece| is_left_open(piece, opener, end));
            is_left.then_some(Open { line: self.at, ends_anywhere: false })
        };
        let (open, behind) = match open {
            Some(open) => (open, self.lower),
            None if nth < BLOCKS && !self.is_inside && opens(self.lower, opener) => {
                (Open { line: self.at, ends_anywhere: true }, self.lower.get(1..)?)
            }
            None => return left(&self.pieces),
        };
        let is_element = end.starts_with("</");
        let rest = match open.ends_anywhere {
            true => behind_end(behind, end, true),
            false => behind.strip_prefix(end).and_then(closed).filter(|_| is_element && !self.is_fenced),
        };
        match rest {
            Some(rest) => left(&pieces(rest, true)),
            None => Some(Open { ends_anywhere: open.ends_anywhere && !(is_element && self.ends_element()), ..open }),
        }
    }

    /// Reports whether it ends the HTML block of an element, be it another one.
    fn ends_element(&self) -> bool {
        KINDS.iter().take(BLOCKS).any(|(_, end)| end.starts_with("</") && self.lower.contains(end))
    }
}

/// Divides a line into pieces of which each must close what it opens: the text, and what stands in code if that may be raw.
fn pieces(line: &str, is_raw: bool) -> Vec<String> {
    let Some(parts) = code(line) else { return line.split('`').map(str::to_owned).collect() };
    let text: Vec<&str> = parts.iter().step_by(2).copied().collect();
    let text = text.join(" ");
    if is_raw {
        let code = parts.iter().skip(1).step_by(2).map(|part| (*part).to_owned());
        return code.chain([text]).collect();
    }
    vec![text.replace("\\\\", " ").replace("\\<", " ")]
}

/// Divides a line at its backticks into what is text and, every second part, what is code; `None` if that is not plain to see.
fn code(line: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((text, behind)) = rest.split_once('`') {
        let inner = behind.trim_start_matches('`');
        let run = behind.get(..behind.len() - inner.len())?.len() + 1;
        let (code, behind) = inner.split_once('`')?;
        let left = behind.trim_start_matches('`');
        if behind.len() - left.len() + 1 != run || text.ends_with('\\') {
            return None;
        }
        parts.extend([text, code]);
        rest = left;
    }
    parts.push(rest);
    Some(parts)
}

/// Reports whether what `opener` opens in a piece of a line, in lower case, is not ended behind it.
fn is_left_open(piece: &str, opener: &str, end: &str) -> bool {
    let mut places = piece.rmatch_indices(opener).filter_map(|(at, _)| piece.get(at..));
    let last = places.find(|rest| opens(rest, opener)).and_then(|rest| rest.get(1..));
    last.is_some_and(|rest| behind_end(rest, end, false).is_none())
}

/// Returns what stands behind the first end of a kind of markup; that of an element `is_whole` where it must have nothing but its name.
fn behind_end<'t>(text: &'t str, end: &str, is_whole: bool) -> Option<&'t str> {
    let mut behind = text.match_indices(end).filter_map(|(at, _)| text.get(at + end.len()..));
    match end.starts_with("</") {
        true => behind.find_map(|behind| if is_whole { behind.strip_prefix('>') } else { closed(behind) }),
        false => behind.next(),
    }
}

/// Returns what stands behind an end tag, behind the name of which a text begins.
fn closed(behind_name: &str) -> Option<&str> {
    behind_name.trim_start().strip_prefix('>')
}

/// Reports whether a text, in lower case, begins with a kind of markup.
fn opens(text: &str, opener: &str) -> bool {
    let Some(rest) = text.strip_prefix(opener) else { return false };
    match opener {
        "<!" => rest.starts_with(|c: char| c.is_ascii_alphabetic()),
        _ if opener.ends_with(|c: char| c.is_ascii_alphabetic()) => {
            !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
        }
        _ => true,
    }
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
