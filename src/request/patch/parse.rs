//! The parser of patches.
//!
//! ```text
//! patch     = "*** Begin Patch" { hunk | section } { document } "*** End Patch"
//! document  = ( "*** Update Memory" [ ": " NAME ] | "*** Update File: " NAME [ ".md" ] ) { hunk | section }
//! hunk      = { anchor } { line } [ "*** End of File" ]
//! anchor    = "@@" [ " " ( "section: " NAME | "block: " ID | "item: " TEST | "tag: " NAME | "key: " KEY
//!                        | "slot: " NAME | "-N,N +N,N @@" [ " " ANYTHING ] | LINE ) ]
//! line      = ( " " | "-" | "+" ) TEXT | ""
//! section   = "*** Add Section: " NAME { "+" TEXT } [ place ] { "+" TEXT }
//!           | "*** Delete Section: " NAME
//!           | "*** Rename Section: " NAME "*** To: " NAME
//!           | "*** Move Section: " NAME place
//! place     = "*** Before: " NAME | "*** After: " NAME | [ "*** Under: " NAME ] [ "*** First" | "*** Last" ]
//! ```
//!
//! - Begin and End may both be missing.
//! - A token in quotes that begins with `***` or `@@` begins a line.
//! - Parts before the first document line belong to the default document, as those below `*** Update Memory` without a
//!   name.
//! - An empty line is a blank line of context. Before `@@`, `*** ` or the end, and between `@@` and `+`, it only separates.
//! - All text behind the operator of a line is its text: `---` deletes the line `--`.
//! - `--- NAME` and `+++ NAME` before `@@`, as in a unified diff, name the document. `\ No newline at end of file` is
//!   ignored.
//!
//! A fence, a heredoc, the head of a git diff and words around a patch are its envelope, which is ignored. A line outside of
//! Begin and End that looks like a part of a patch is an error. So is an anchor without a hunk: nothing that was sent is
//! dropped silently.

use std::borrow::Cow;
use std::str::FromStr;

use thiserror::Error;

use super::anchor::read_anchor;
use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, SectionOp, SectionPlace};
use crate::document::{bullet_line, heading};
use crate::locate::Leniency;
use crate::text::{Content, Line, excerpt, is_blank, visible};

/// How many parts a patch may have, and how many documents.
pub(super) const MOST: usize = 500;
/// What a `***` line may be.
const PARTS: &str = "`*** Update Memory`, `*** Add Section: NAME`, `*** Delete Section: NAME`, `*** Rename Section: NAME`, \
    `*** Move Section: NAME`, `*** End of File` behind a hunk, or `*** End Patch`";
/// The line that a diff has behind a last line without an ending. It is ignored: the document's last line keeps its ending.
const NO_NEWLINE: &str = "\\ No newline at end of file";

impl FromStr for Patch {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Self, PatchError> {
        let text = plain(text);
        let all: Vec<_> =
            (1..).zip(Line::all(&text)).map(|(number, line)| PatchLine::new(number, line, &text)).collect();
        let (lines, is_healed) = inside_envelope(&all)?;
        let end = lines.last().or(all.first()).map_or(1, |line| line.number + 1);
        let mut parser = Parser { rest: lines, end, is_healed, documents: Vec::new(), current: 0 };
        while let Some(line) = parser.peek_full() {
            parser.part(line)?;
            if parser.documents.iter().map(|patch| patch.parts.len().max(1)).sum::<usize>() > MOST {
                return Err(line.error(format!("at most {MOST} hunks and operations in one patch")));
            }
        }
        if parser.documents.is_empty() {
            let expected = "`*** Update Memory` and a hunk, or an operation such as `*** Add Section: NAME`";
            return Err(parser.expected(expected));
        }
        let is_escaped = matches!(text, Cow::Owned(_));
        let healed = Leniency::needed([(Leniency::Escapes, is_escaped), (Leniency::Envelope, parser.is_healed)]);
        parser.documents.iter_mut().for_each(|patch| patch.healed.clone_from(&healed));
        Ok(Self { documents: parser.documents })
    }
}

/// Returns the text of a patch, unescaped if necessary. A patch on a single line that contains `\n` was escaped as a whole:
/// its line breaks and quotes are unescaped.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let is_escaped = !text.trim().contains('\n') && text.contains("\\n");
    if is_escaped { text.replace("\\n", "\n").replace("\\\"", "\"").into() } else { text.into() }
}

/// Reads the lines of a patch, from the first to the last.
struct Parser<'a> {
    /// The lines that are left.
    rest: &'a [PatchLine<'a>],
    /// The number of the line behind the last.
    end: usize,
    is_healed: bool,
    documents: Vec<DocumentPatch>,
    /// The index of the document that the next part belongs to.
    current: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<PatchLine<'a>> {
        self.rest.first().copied()
    }

    /// Returns the next line that is not blank.
    fn peek_full(&mut self) -> Option<PatchLine<'a>> {
        self.skip(self.blanks());
        self.peek()
    }

    /// Returns the number of blank lines before the next full one.
    fn blanks(&self) -> usize {
        self.rest.iter().take_while(|line| is_blank(line.text)).count()
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Reads a hunk, a section operation, or the line that opens a document.
    fn part(&mut self, line: PatchLine<'a>) -> Result<(), PatchError> {
        if let Some(name) = self.file_name() {
            self.skip(2);
            self.is_healed = true;
            return self.update(line, name);
        }
        let Some(word) = line.word else { return self.hunk() };
        self.skip(1);
        let op = match word {
            "update memory" | "update file" => {
                let name = stem(line.argument);
                self.is_healed |= word == "update file" || name != line.argument;
                return self.update(line, name);
            }
            "add section" | "delete section" | "rename section" | "move section" => self.section(word, line.name()?)?,
            _ => return Err(line.error(PARTS)),
        };
        self.push(PatchPart::Section(op));
        Ok(())
    }

    /// Returns the name of the document if the next two lines name its file, as in a unified diff before the hunks.
    fn file_name(&self) -> Option<&'a str> {
        let [old, new, hunk, ..] = self.rest else { return None };
        let name = |line: &PatchLine<'a>, sign: &str| {
            let path = line.text.strip_prefix(sign)?.split('\t').next()?.trim();
            path.rsplit('/').next().map(stem).filter(|name| !name.is_empty())
        };
        name(old, "--- ").filter(|old| name(new, "+++ ") == Some(*old) && hunk.is_anchor())
    }

    /// Opens the document of this name, to which the following parts belong; without a name, the default document. If
    /// it was opened before, the parts are added to it. Right after another name, with no part between them, only the
    /// same name is allowed.
    fn update(&mut self, line: PatchLine<'a>, name: &str) -> Result<(), PatchError> {
        let document = Some(name).filter(|name| !name.is_empty()).map(Content::from);
        let empty = self.documents.get(self.current).filter(|patch| patch.parts.is_empty());
        if let Some(other) = empty.and_then(|patch| patch.document.as_deref()).filter(|other| *other != name) {
            return Err(PatchError::new(line.number, format!("the file `{other}`, which `*** Update` names"), name));
        }
        let opened = self.documents.iter().position(|patch| patch.document == document);
        self.current = opened.unwrap_or(self.documents.len());
        self.documents.extend(opened.is_none().then(|| DocumentPatch { document, ..DocumentPatch::default() }));
        Ok(())
    }

    /// Adds a part to the document that is open; without one, to the default document.
    fn push(&mut self, part: PatchPart) {
        match self.documents.get_mut(self.current) {
            Some(document) => document.parts.push(part),
            None => self.documents.push(DocumentPatch { parts: vec![part], ..DocumentPatch::default() }),
        }
    }

    /// Reads a hunk. Anchors without lines are refused.
    fn hunk(&mut self) -> Result<(), PatchError> {
        let (mut hunk, mut innermost) = (Hunk::default(), None);
        while let Some(line) = self.peek().filter(|line| line.is_anchor()) {
            if let Some(anchor) = read_anchor(line, &mut hunk)? {
                hunk.anchors.push(anchor);
                hunk.anchor_lines.push(line.number);
                innermost = Some(line);
            }
            self.skip(1);
            // Blank lines may stand between anchors.
            let blanks = self.blanks();
            if self.rest.get(blanks).is_some_and(|line| line.is_anchor()) {
                self.skip(blanks);
            }
        }
        hunk.first_line = self.peek().map_or(self.end, |line| line.number);
        hunk.lines = self.hunk_lines()?;
        if self.peek().and_then(|line| line.word) == Some("end of file") {
            self.skip(1);
            hunk.is_at_end_of_file = true;
        }
        if !hunk.lines.is_empty() || hunk.is_at_end_of_file {
            self.push(PatchPart::Hunk(hunk));
        } else if let Some(line) = innermost {
            return Err(line.error("lines of a hunk below this anchor"));
        }
        Ok(())
    }

    /// Reads the lines of a hunk. An empty line is context, unless it is behind the last line of the hunk, or before
    /// the first and that is a `+` line.
    fn hunk_lines(&mut self) -> Result<Vec<HunkLine>, PatchError> {
        let (mut lines, mut blanks) = (Vec::new(), 0);
        while let Some(line) = self.peek() {
            match LineOp::of(line.text) {
                None if line.begins_part() => break,
                None if line.text.starts_with(NO_NEWLINE) => self.is_healed = true,
                None if is_blank(line.text) => blanks += 1,
                None => return Err(unprefixed(line.number, line.text)),
                Some(_) if blanks > 0 && self.file_name().is_some() => break,
                Some(op) => {
                    let blank = HunkLine { op: LineOp::Context, text: Content::default() };
                    blanks *= usize::from(!lines.is_empty() || op != LineOp::Add);
                    lines.extend(std::iter::repeat_n(blank, std::mem::take(&mut blanks)));
                    lines.push(HunkLine { op, text: line.text.get(1..).unwrap_or_default().into() });
                }
            }
            self.skip(1);
        }
        Ok(lines)
    }

    /// Reads the lines below the first line of a section operation: the lines of a new section, a new title, or a place.
    fn section(&mut self, word: &str, section: Content) -> Result<SectionOp, PatchError> {
        let (mut lines, mut blanks, mut new_title, mut place) = (Vec::new(), 0, None, None);
        while let Some(line) = self.peek() {
            match (word, line.text.strip_prefix('+')) {
                ("add section", Some(text)) => {
                    lines.extend(std::iter::repeat_n(Content::default(), std::mem::take(&mut blanks)));
                    lines.push(text.into());
                }
                _ if is_blank(line.text) => blanks += 1,
                ("rename section", _) if line.word == Some("to") && new_title.is_none() => {
                    new_title = Some(line.name()?)
                }
                ("add section" | "move section", _) if line.reads_place(&mut place)? => {}
                ("add section", _) if !line.begins_part() => {
                    return Err(line.error("a line of the new section, with `+` before it"));
                }
                _ => break,
            }
            self.skip(1);
        }
        let a_place = "`*** Before: NAME`, `*** After: NAME`, `*** Under: NAME`, `*** First` or `*** Last`";
        Ok(match (word, new_title, place) {
            ("add section", _, place) => SectionOp::Add { title: section, lines, place },
            ("delete section", ..) => SectionOp::Delete { section },
            (_, Some(title), _) => SectionOp::Rename { section, title },
            (_, _, Some(place)) => SectionOp::Move { section, place },
            ("rename section", ..) => return Err(self.expected("`*** To: NEW TITLE`")),
            _ => return Err(self.expected(a_place)),
        })
    }

    /// The error for the next line, instead of which something else was expected.
    fn expected(&self, expected: &str) -> PatchError {
        self.peek().map_or_else(|| PatchError::at_end(self.end, expected), |line| line.error(expected))
    }
}

/// Returns the lines of the patch in a text, between its Begin and its End line, and true if it is not written exactly so:
/// Begin is missing, other lines are around it, or a `***` line is misspelled.
fn inside_envelope<'a>(all: &'a [PatchLine<'a>]) -> Result<(&'a [PatchLine<'a>], bool), PatchError> {
    let is_search = |text: &str| text.starts_with("<<<<<") && text.trim_start_matches('<').trim() == "SEARCH";
    if let Some(line) = all.iter().find(|line| is_search(line.text)) {
        let expected = "a patch of hunks, not search/replace blocks: the search lines with `-` before them, then the \
                        replace lines with `+`";
        return Err(line.error(expected));
    }
    let first_of = |word| all.iter().position(|line| line.word == Some(word));
    let (begin, end) = (first_of("begin patch"), first_of("end patch"));
    if begin.is_some_and(|begin| end.is_none_or(|end| end < begin)) {
        let expected = "`*** End Patch`, without which it may have been cut off";
        return Err(PatchError::at_end(all.len() + 1, expected));
    }
    let first = begin.map(|begin| begin + 1).or_else(|| all.iter().position(|line| !line.is_before_patch()));
    let last = || all.iter().rposition(|line| !line.is_wrapping()).map(|last| last + 1);
    let inside = first.unwrap_or(all.len())..end.or_else(last).unwrap_or_default();
    let around = || all.iter().take(begin.unwrap_or(0)).chain(all.iter().skip(end.map_or(all.len(), |end| end + 1)));
    if let Some(line) = around().find(|line| line.is_part()) {
        let expected = "one patch, from `*** Begin Patch` to `*** End Patch`, and nothing of another around it";
        return Err(line.error(expected));
    }
    let is_healed = begin.is_none() || around().any(|line| !is_blank(line.text)) || all.iter().any(|line| line.is_odd);
    Ok((all.get(inside).unwrap_or_default(), is_healed))
}

/// What lines before a patch begin with.
const BEFORE: [&str; 3] = ["cat <<", "apply_patch", "diff --git a/"];

/// The keywords of `***` lines.
const WORDS: &str = "begin patch|end patch|update memory|update file|end of file|add section|delete section|\
    rename section|move section|to|before|after|under|first|last";

/// A line of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PatchLine<'a> {
    /// Its number, from 1.
    number: usize,
    /// Its text, without the ending.
    pub(super) text: &'a str,
    /// The keyword in lower case, if it is a `***` line; empty if the keyword is unknown.
    word: Option<&'static str>,
    /// The text behind the colon of a `***` line; empty if there is no colon.
    argument: &'a str,
    /// Whether it ends in CRLF, or is a misspelled `***` line, such as `***Begin Patch` or `*** End Patch ***`.
    is_odd: bool,
}

impl<'a> PatchLine<'a> {
    fn new(number: usize, line: Line, patch: &'a str) -> Self {
        let text = line.text.of(patch);
        let is_crlf = line.ending() == "\r\n";
        let plain = Self { number, text, word: None, argument: "", is_odd: is_crlf };
        let Some(rest) = text.strip_prefix("***") else { return plain };
        let bare = rest.trim().trim_end_matches("***").trim_end();
        let (word, argument) = bare.split_once(':').unwrap_or((bare, ""));
        let known = WORDS.split('|').find(|known| known.eq_ignore_ascii_case(word.trim_end()));
        if known.is_none() && (!rest.starts_with(' ') || bare.is_empty()) {
            return plain;
        }
        let is_odd = is_crlf || (known.is_some() && rest.strip_prefix(' ') != Some(bare));
        Self { word: known.or(Some("")), argument: argument.trim(), is_odd, ..plain }
    }

    fn is_anchor(self) -> bool {
        self.text.starts_with("@@")
    }

    /// Returns true if it is an anchor or a `***` line: a hunk ends before it.
    fn begins_part(self) -> bool {
        self.is_anchor() || self.word.is_some()
    }

    /// Returns true if it looks like a line of a patch.
    fn is_part(self) -> bool {
        ["+", "-", "@@", "***"].iter().any(|sign| self.text.starts_with(sign))
    }

    /// Returns true if it is blank, or the fence that models put around a patch without Begin and End.
    fn is_wrapping(self) -> bool {
        is_blank(self.text) || self.text.trim().starts_with("```")
    }

    /// Returns true if it may also come before such a patch: from a shell, or at the head of git's diffs.
    fn is_before_patch(self) -> bool {
        let bare = self.text.trim();
        let is_hash = |c: char| c.is_ascii_hexdigit() || matches!(c, '.' | ' ');
        let is_index = bare.strip_prefix("index ").is_some_and(|rest| rest.contains("..") && rest.chars().all(is_hash));
        self.is_wrapping() || is_index || BEFORE.iter().any(|before| bare.starts_with(before))
    }

    /// Returns the name behind the colon of a `***` line.
    fn name(self) -> Result<Content, PatchError> {
        if self.argument.is_empty() { Err(self.error("a name behind the colon")) } else { Ok(self.argument.into()) }
    }

    /// Reads a line that tells the place of a section into `place`. `*** First` or `*** Last` may follow `*** Under: NAME`.
    /// Returns false if the line does not belong to the place.
    fn reads_place(self, place: &mut Option<SectionPlace>) -> Result<bool, PatchError> {
        let word = self.word.unwrap_or_default();
        *place = Some(match (word, &mut *place) {
            ("before", None) => SectionPlace::Before(self.name()?),
            ("after", None) => SectionPlace::After(self.name()?),
            ("under", None) => SectionPlace::Last(Some(self.name()?)),
            ("first", None) => SectionPlace::First(None),
            ("last", None) => SectionPlace::Last(None),
            ("first", Some(SectionPlace::Last(Some(parent)))) => SectionPlace::First(Some(parent.clone())),
            ("last", Some(under @ SectionPlace::Last(Some(_)))) => under.clone(),
            _ => return Ok(false),
        });
        Ok(true)
    }

    /// The error for this line, instead of which something else was expected.
    pub(super) fn error(self, expected: impl Into<Content>) -> PatchError {
        PatchError::new(self.number, expected, self.text)
    }
}

/// Returns the name of a document from its file name, without `.md`: no document's name ends with that.
fn stem(name: &str) -> &str {
    name.trim_end_matches(".md").trim_end()
}

/// The longest line, in characters, for which an error shows the forms in which it could have been sent.
const SHOWN: usize = 200;

/// A text that is no patch.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the patch: expected {expected}, found {found}")]
pub struct PatchError {
    /// The number of the patch's line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: Content,
    /// What was found.
    pub found: Content,
}

impl PatchError {
    pub(super) fn new(line: usize, expected: impl Into<Content>, found: &str) -> Self {
        let found = format!("`{}`", visible(&excerpt(found, 60))).into();
        Self { line, expected: expected.into(), found }
    }

    /// The error for a patch that ends too early. `line` is the number of the line that is missing.
    pub(super) fn at_end(line: usize, expected: impl Into<Content>) -> Self {
        Self { line, expected: expected.into(), found: "the end of the patch".into() }
    }
}

/// The error for a line without an operator. It shows the forms that the line could have had. `line` is the line of the
/// patch, or the rest of a bullet whose marker `-` was read as an operator.
pub(super) fn unprefixed(number: usize, line: &str) -> PatchError {
    let bullet = if line.starts_with(' ') { format!("-{line}") } else { line.to_owned() };
    // Behind an operator, a space and a whole bullet may follow, as in `- - text`.
    let whole = line.strip_prefix(' ').filter(|whole| bullet_line(whole).is_some()).unwrap_or(&bullet);
    let is_literal = whole.chars().count() <= SHOWN && visible(whole) == whole;
    let anchor = if heading(whole).is_some() { format!("`@@ {whole}`, ") } else { String::new() };
    let forms = if is_literal { format!(": {anchor}` {whole}`, `-{whole}` or `+{whole}`") } else { String::new() };
    let expected = format!("a line that begins with ` ` (keep), `-` (delete) or `+` (add){forms}");
    PatchError::new(number, expected, &bullet)
}
