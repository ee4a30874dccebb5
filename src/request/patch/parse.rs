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
//! Begin and End may both be missing. Each token that is quoted begins a line. What comes before the
//! first document is the default one's, as `*** Update Memory` without a name is. An empty line is a
//! blank line of context, but before `@@`, `*** ` or the end it only separates. All that follows a
//! line's first character is text: `---` deletes the line `--`. The two lines of a unified diff that
//! name its file, `--- NAME` and `+++ NAME` before `@@`, name the document, and what it says of a last
//! line without an ending says nothing.

use std::borrow::Cow;
use std::str::FromStr;

use super::anchor::AnchorLine;
use super::envelope::{self, Envelope, Marker, PatchError, PatchLine, Word, stem, unprefixed};
use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, SectionOp, SectionPlace};
use crate::locate::Leniency;
use crate::text::Content;

/// How many parts a patch may have, and how many documents.
const MOST: usize = 500;
/// What a diff says behind a last line without an ending. Whether the last line has one is the document's business.
const NO_NEWLINE: &str = "\\ No newline at end of file";

impl FromStr for Patch {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Self, PatchError> {
        // A patch on one line was escaped as a whole.
        let is_escaped = !text.trim().contains('\n') && text.contains("\\n");
        let plain = || text.replace("\\n", "\n").replace("\\\"", "\"");
        let text = if is_escaped { Cow::Owned(plain()) } else { Cow::Borrowed(text) };
        let envelope = envelope::open(&text)?;
        let Envelope { lines, end, is_healed } = &envelope;
        let parser = Parser { rest: lines, end: *end, is_healed: *is_healed, ..Parser::default() }.read()?;
        let escapes = is_escaped.then_some(Leniency::Escapes);
        let healed = escapes.into_iter().chain(parser.is_healed.then_some(Leniency::Envelope)).collect();
        Ok(Self { documents: parser.documents, healed })
    }
}

/// Reads the lines of a patch, from the first to the last.
#[derive(Default)]
struct Parser<'a> {
    /// The lines that are left.
    rest: &'a [PatchLine<'a>],
    /// The number of the line behind the last.
    end: usize,
    is_healed: bool,
    documents: Vec<DocumentPatch>,
    /// The index of the document that the next part belongs to.
    current: Option<usize>,
    parts: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<PatchLine<'a>> {
        self.rest.first().copied()
    }

    /// Returns the next line that is not blank.
    fn peek_full(&mut self) -> Option<PatchLine<'a>> {
        self.skip(self.rest.iter().take_while(|line| line.is_blank()).count());
        self.peek()
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    fn read(mut self) -> Result<Self, PatchError> {
        while let Some(line) = self.peek_full() {
            if let Some(name) = self.file_name() {
                self.file(line, name)?;
            } else if let Some(marker) = Marker::of(line.text) {
                self.skip(1);
                self.marked(line, marker)?;
            } else {
                self.hunk(line)?;
            }
        }
        match self.documents.is_empty() {
            true => Err(PatchError::at_end(self.end, "a hunk, or an operation such as `*** Add Section: NAME`")),
            false => Ok(self),
        }
    }

    /// Reads what a `***` line begins.
    fn marked(&mut self, line: PatchLine<'a>, marker: Marker<'a>) -> Result<(), PatchError> {
        let op = match marker.word {
            Word::Update => {
                self.is_healed |=
                    line.text.to_ascii_lowercase().contains("update file") || marker.argument.ends_with(".md");
                return self.update(line, stem(marker.argument));
            }
            Word::AddSection => self.added(marker.name(line)?)?,
            Word::DeleteSection => SectionOp::Delete { section: marker.name(line)? },
            Word::RenameSection => self.renamed(marker.name(line)?)?,
            Word::MoveSection => self.moved(marker.name(line)?)?,
            _ => {
                return Err(line.error(
                    "`*** Update Memory`, `*** Add Section: NAME`, `*** Delete Section: NAME`, `*** Rename Section: \
                    NAME`, `*** Move Section: NAME`, `*** End of File` behind a hunk, or `*** End Patch`",
                ));
            }
        };
        self.push(line, PatchPart::Section(op))
    }

    /// Returns the name of the file that the next two lines name, as a unified diff does before its hunks.
    fn file_name(&self) -> Option<&'a str> {
        let [old, new, hunk, ..] = self.rest else { return None };
        let name = |line: &PatchLine<'a>, sign: &str| {
            let path = line.text.strip_prefix(sign)?.split('\t').next()?.trim();
            path.rsplit('/').next().map(stem).filter(|name| !name.is_empty())
        };
        let name = name(old, "--- ").filter(|old| name(new, "+++ ") == Some(*old));
        name.filter(|_| hunk.is_anchor())
    }

    /// Takes the two lines that name this file. A `***` line right before them names the same document, or none.
    fn file(&mut self, line: PatchLine<'a>, name: &str) -> Result<(), PatchError> {
        let current = self.current.and_then(|at| self.documents.get(at)).filter(|patch| patch.parts.is_empty());
        if let Some(other) = current.and_then(|patch| patch.document.as_deref()).filter(|other| *other != name) {
            return Err(PatchError::new(line.number, format!("the file `{other}`, which `*** Update` names"), name));
        }
        self.skip(2);
        self.is_healed = true;
        self.update(line, name)
    }

    /// Says that the parts which follow belong to the document of this name; without one, to the default document. Parts
    /// that name one document count as one.
    fn update(&mut self, line: PatchLine<'_>, name: &str) -> Result<(), PatchError> {
        let document = Some(name).filter(|name| !name.is_empty()).map(Content::from);
        let index = self.documents.iter().position(|patch| patch.document == document);
        self.current = Some(index.unwrap_or(self.documents.len()));
        if index.is_none() {
            self.documents.push(DocumentPatch { document, ..DocumentPatch::default() });
        }
        check_count(line, self.documents.len())
    }

    fn push(&mut self, line: PatchLine<'_>, part: PatchPart) -> Result<(), PatchError> {
        if self.current.is_none() {
            self.update(line, "")?;
        }
        self.parts += 1;
        if let Some(document) = self.current.and_then(|at| self.documents.get_mut(at)) {
            document.parts.push(part);
        }
        check_count(line, self.parts)
    }

    /// Reads a hunk. Anchors alone are none.
    fn hunk(&mut self, first: PatchLine<'a>) -> Result<(), PatchError> {
        let mut hunk = Hunk::default();
        while let Some(line) = self.peek().filter(|line| line.is_anchor()) {
            let AnchorLine { anchor, has_numbers } = AnchorLine::read(line)?;
            hunk.has_line_numbers |= has_numbers;
            hunk.anchors.extend(anchor);
            let blanks = self.rest.iter().skip(1).take_while(|line| line.is_blank()).count();
            let is_followed = self.rest.get(blanks + 1).is_some_and(|line| line.is_anchor());
            self.skip(if is_followed { blanks + 1 } else { 1 });
        }
        hunk.first_line = self.peek().map_or(self.end, |line| line.number);
        hunk.lines = self.hunk_lines()?;
        if self.peek().and_then(PatchLine::word) == Some(Word::EndOfFile) {
            self.skip(1);
            hunk.is_at_end_of_file = true;
        }
        if hunk.lines.is_empty() && !hunk.is_at_end_of_file { Ok(()) } else { self.push(first, PatchPart::Hunk(hunk)) }
    }

    /// Reads the lines of a hunk. An empty line is one of context, unless nothing of the hunk comes behind it.
    fn hunk_lines(&mut self) -> Result<Vec<HunkLine>, PatchError> {
        let (mut lines, mut blanks) = (Vec::new(), 0);
        while let Some(line) = self.peek() {
            match LineOp::of(line.text) {
                None if begins_part(line.text) => break,
                None if line.text.starts_with(NO_NEWLINE) => self.is_healed = true,
                None if line.is_blank() => blanks += 1,
                None => return Err(unprefixed(line)),
                Some(_) if blanks > 0 && self.file_name().is_some() => break,
                Some(op) => {
                    let blank = HunkLine { op: LineOp::Context, text: Content::default() };
                    lines.extend(std::iter::repeat_n(blank, std::mem::take(&mut blanks)));
                    lines.push(HunkLine { op, text: line.text.get(1..).unwrap_or_default().into() });
                }
            }
            self.skip(1);
        }
        Ok(lines)
    }

    fn added(&mut self, title: Content) -> Result<SectionOp, PatchError> {
        let (mut lines, mut blanks, mut place) = (Vec::new(), 0, None);
        while let Some(line) = self.peek() {
            if let Some(text) = line.text.strip_prefix('+') {
                lines.extend(std::iter::repeat_n(Content::default(), std::mem::take(&mut blanks)));
                lines.push(text.into());
            } else if line.is_blank() {
                blanks += 1;
            } else if !reads_place(&mut place, line)? {
                if begins_part(line.text) {
                    break;
                }
                return Err(line.error("a line of the new section, with `+` before it"));
            }
            self.skip(1);
        }
        Ok(SectionOp::Add { title, lines, place })
    }

    fn renamed(&mut self, section: Content) -> Result<SectionOp, PatchError> {
        let expected = "`*** To: NEW TITLE`";
        let line = self.peek_full().ok_or_else(|| PatchError::at_end(self.end, expected))?;
        let marker = Marker::of(line.text).filter(|marker| marker.word == Word::To);
        let title = marker.ok_or_else(|| line.error(expected))?.name(line)?;
        self.skip(1);
        Ok(SectionOp::Rename { section, title })
    }

    fn moved(&mut self, section: Content) -> Result<SectionOp, PatchError> {
        let mut place = None;
        while let Some(line) = self.peek_full()
            && reads_place(&mut place, line)?
        {
            self.skip(1);
        }
        if let Some(place) = place {
            return Ok(SectionOp::Move { section, place });
        }
        let expected = "`*** Before: NAME`, `*** After: NAME`, `*** Under: NAME`, `*** First` or `*** Last`";
        Err(self.peek().map_or_else(|| PatchError::at_end(self.end, expected), |line| line.error(expected)))
    }
}

/// Reads a line that says where a section goes; `*** First` or `*** Last` may follow `*** Under: NAME`. Returns false if
/// the line says nothing more of the place.
fn reads_place(place: &mut Option<SectionPlace>, line: PatchLine<'_>) -> Result<bool, PatchError> {
    let Some(marker) = Marker::of(line.text) else { return Ok(false) };
    let read = match (marker.word, &*place) {
        (Word::Before, None) => SectionPlace::Before(marker.name(line)?),
        (Word::After, None) => SectionPlace::After(marker.name(line)?),
        (Word::Under, None) => SectionPlace::LastUnder(marker.name(line)?),
        (Word::First, None) => SectionPlace::First,
        (Word::Last, None) => SectionPlace::Last,
        (Word::First, Some(SectionPlace::LastUnder(parent))) => SectionPlace::FirstUnder(parent.clone()),
        (Word::Last, Some(SectionPlace::LastUnder(parent))) => SectionPlace::LastUnder(parent.clone()),
        _ => return Ok(false),
    };
    *place = Some(read);
    Ok(true)
}

/// Reports whether a line begins a part of a patch, or looks so.
fn begins_part(line: &str) -> bool {
    line.starts_with("@@") || Marker::of(line).is_some()
}

fn check_count(line: PatchLine<'_>, count: usize) -> Result<(), PatchError> {
    if count <= MOST {
        return Ok(());
    }
    let expected = format!("at most {MOST} hunks and operations in one patch");
    Err(PatchError { line: line.number, expected: expected.into(), found: "more".into() })
}
