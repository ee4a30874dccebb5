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
//!           | "*** Move Section: " NAME ( place | "*** First" | "*** Last" )
//! place     = "*** Before: " NAME | "*** After: " NAME | "*** Under: " NAME [ "*** First" | "*** Last" ]
//! ```
//!
//! Begin and End may both be missing. Each token that is quoted begins a line. What comes before the first document is the default one's, as `*** Update Memory`
//! without a name is. An empty line is a blank line of context, but before `@@`, `*** ` or the end it only separates. All that
//! follows a line's first character is text: `---` deletes the line `--`. The two lines of a unified diff that name its file,
//! `--- NAME` and `+++ NAME` before `@@`, name the document, and what it says of a last line without an ending says nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

use super::anchor::{self, AnchorLine};
use super::envelope::{self, Envelope};
use super::error::{PatchError, unprefixed};
use super::marker::{Marker, Word, stem};
use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, SectionOp, SectionPlace};
use crate::locate::Rung;
use crate::text::{Content, excerpt, visible};

/// How many parts a patch may have.
const MOST: usize = 500;
/// What a diff says behind a last line without an ending. Whether the last line has one is the document's business.
const NO_NEWLINE: &str = "\\ No newline at end of file";
/// What begins a part of a patch.
const EXPECTED_PART: &str = "`*** Update Memory`, `@@` or an operation such as `*** Add Section: NAME`";

impl FromStr for Patch {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Self, PatchError> {
        // A patch on one line was escaped as a whole.
        let is_escaped = !text.trim().contains('\n') && text.contains("\\n");
        let plain = || text.replace("\\n", "\n").replace("\\\"", "\"");
        let text = if is_escaped { Cow::Owned(plain()) } else { Cow::Borrowed(text) };
        let envelope = envelope::open(&text)?;
        let mut parser = Parser::new(&envelope);
        parser.read()?;
        let healed = [(Rung::Escapes, is_escaped), (Rung::Envelope, parser.is_healed)];
        let healed = healed.into_iter().filter(|(_, is_needed)| *is_needed).map(|(rung, _)| rung).collect();
        Ok(Self { documents: parser.documents, healed })
    }
}

/// Reads the lines of a patch, from the first to the last.
struct Parser<'a> {
    lines: &'a [(usize, &'a str)],
    /// The number of the line behind the last.
    end: usize,
    at: usize,
    is_healed: bool,
    documents: Vec<DocumentPatch>,
    indexes: HashMap<Option<Content>, usize>,
    /// The document that the next part belongs to.
    document: Option<Content>,
    /// Whether a `***` line names that, and no part has come since.
    is_just_named: bool,
    parts: usize,
}

impl<'a> Parser<'a> {
    fn new(envelope: &'a Envelope<'a>) -> Self {
        Self {
            lines: &envelope.lines,
            end: envelope.end,
            at: 0,
            is_healed: envelope.is_healed,
            documents: Vec::new(),
            indexes: HashMap::new(),
            document: None,
            is_just_named: false,
            parts: 0,
        }
    }

    fn peek(&self) -> Option<(usize, &'a str)> {
        self.lines.get(self.at).copied()
    }

    /// Returns the marker that the next line is, and notes it if it is written in another way.
    fn marker(&mut self) -> Option<Marker<'a>> {
        let marker = Marker::of(self.peek()?.1)?;
        self.is_healed |= marker.is_odd && marker.word != Word::Unknown;
        Some(marker)
    }

    fn read(&mut self) -> Result<(), PatchError> {
        let names_part = self.lines.iter().any(|(_, line)| line.starts_with("@@") || line.starts_with("***"));
        while let Some((number, line)) = self.peek() {
            if line.trim().is_empty() {
                self.at += 1;
            } else if let Some(name) = self.file_lines() {
                let named = self.document.clone().filter(|_| self.is_just_named);
                if let Some(other) = named.filter(|other| **other != *name) {
                    return Err(PatchError::new(
                        number,
                        format!("the file `{other}`, which `*** Update` names"),
                        &name,
                    ));
                }
                self.update(&name);
            } else if let Some(marker) = self.marker() {
                self.marked(number, line, marker)?;
            } else {
                let hunk = self.hunk()?;
                if !hunk.lines.is_empty() || hunk.is_at_end_of_file {
                    self.push(number, PatchPart::Hunk(hunk))?;
                }
            }
        }
        if self.documents.is_empty() {
            if !names_part {
                return Err(PatchError::at_end(self.end, EXPECTED_PART));
            }
            // Anchors alone ask for nothing, of the call's document.
            self.index();
        }
        Ok(())
    }

    /// Reads what a `***` line begins.
    fn marked(&mut self, number: usize, line: &'a str, marker: Marker<'a>) -> Result<(), PatchError> {
        self.at += 1;
        let op = match marker.word {
            Word::Update => {
                self.is_healed |= line.to_ascii_lowercase().contains("update file") || marker.argument.ends_with(".md");
                self.update(marker.argument);
                self.is_just_named = true;
                return Ok(());
            }
            Word::AddSection => self.added(non_empty(number, line, marker)?)?,
            Word::DeleteSection => SectionOp::Delete { section: non_empty(number, line, marker)? },
            Word::RenameSection => self.renamed(non_empty(number, line, marker)?)?,
            Word::MoveSection => self.moved(non_empty(number, line, marker)?)?,
            _ => {
                let expected = "`*** Update Memory`, `*** Add Section: NAME`, `*** Delete Section: NAME`, `*** Rename Section: \
                    NAME`, `*** Move Section: NAME`, `*** End of File` behind a hunk, or `*** End Patch`";
                return Err(PatchError::new(number, expected, line));
            }
        };
        self.push(number, PatchPart::Section(op))
    }

    /// Takes the lines with which a unified diff names its file, and returns the name.
    fn file_lines(&mut self) -> Option<String> {
        let name = |nth: usize, sign: &str| {
            let (_, line) = self.lines.get(self.at + nth)?;
            let path = line.strip_prefix(sign)?.split('\t').next()?.trim();
            path.rsplit('/').next().map(stem).filter(|name| !name.is_empty())
        };
        let begins_hunk = self.lines.get(self.at + 2).is_some_and(|(_, line)| line.starts_with("@@"));
        let name = name(0, "--- ").filter(|old| name(1, "+++ ") == Some(old)).filter(|_| begins_hunk)?.to_owned();
        self.at += 2;
        self.is_healed = true;
        Some(name)
    }

    /// Says that the parts which follow belong to the document of this name.
    fn update(&mut self, name: &str) {
        self.document = Some(stem(name)).filter(|name| !name.is_empty()).map(Into::into);
        self.index();
    }

    /// Returns the index of the document that the next part belongs to: parts that name one document count as one.
    fn index(&mut self) -> usize {
        let index = *self.indexes.entry(self.document.clone()).or_insert(self.documents.len());
        if index == self.documents.len() {
            let document = self.document.clone();
            self.documents.push(DocumentPatch { document, ..DocumentPatch::default() });
        }
        index
    }

    fn push(&mut self, number: usize, part: PatchPart) -> Result<(), PatchError> {
        self.parts += 1;
        self.is_just_named = false;
        if self.parts > MOST {
            let expected = format!("at most {MOST} hunks and operations in one patch");
            return Err(PatchError { line: number, expected: expected.into(), found: "more".into() });
        }
        let index = self.index();
        self.documents.get_mut(index).into_iter().for_each(|document| document.parts.push(part.clone()));
        Ok(())
    }

    fn hunk(&mut self) -> Result<Hunk, PatchError> {
        let mut hunk = Hunk { line: self.peek().map_or(self.end, |(number, _)| number), ..Hunk::default() };
        while let Some((number, line)) = self.peek()
            && let Some(rest) = line.strip_prefix("@@")
        {
            self.at += 1;
            match anchor::read(rest) {
                AnchorLine::Bare => {}
                AnchorLine::Numbers(anchor) => {
                    hunk.has_line_numbers = true;
                    hunk.anchors.extend(anchor);
                }
                AnchorLine::Anchor(anchor) => hunk.anchors.push(anchor),
                AnchorLine::BadItem => {
                    let expected = "`item: startsWith(\"…\")`, `item: contains(\"…\")` or `item: equals(\"…\")`";
                    return Err(PatchError::new(number, expected, line));
                }
                AnchorLine::Empty => return Err(PatchError::new(number, "a name behind the colon", line)),
            }
            self.skip_blanks_before_anchor();
        }
        hunk.first_line = self.peek().map_or(self.end, |(number, _)| number);
        self.lines_of(&mut hunk)?;
        if self.marker().is_some_and(|marker| marker.word == Word::EndOfFile) {
            self.at += 1;
            hunk.is_at_end_of_file = true;
        }
        Ok(hunk)
    }

    /// Skips blank lines between two `@@` lines.
    fn skip_blanks_before_anchor(&mut self) {
        let blanks = self.lines.iter().skip(self.at).take_while(|(_, line)| line.trim().is_empty()).count();
        if self.lines.get(self.at + blanks).is_some_and(|(_, line)| line.starts_with("@@")) {
            self.at += blanks;
        }
    }

    /// Reads the lines of a hunk. An empty line is one of context, unless nothing of the hunk comes behind it.
    fn lines_of(&mut self, hunk: &mut Hunk) -> Result<(), PatchError> {
        let mut blanks = 0;
        while let Some((number, line)) = self.peek() {
            let mut characters = line.chars();
            let op = match characters.next() {
                Some(' ') if number == hunk.line && begins_part(line.trim_start()) => {
                    let expected = format!("`{}` at the beginning of the line", visible(&excerpt(line.trim(), 60)));
                    return Err(PatchError::new(number, expected, line));
                }
                Some(' ') => LineOp::Context,
                Some('-') => LineOp::Delete,
                Some('+') => LineOp::Add,
                _ if line.starts_with("@@") || Marker::of(line).is_some() => break,
                _ if line.starts_with(NO_NEWLINE) => {
                    self.is_healed = true;
                    self.at += 1;
                    continue;
                }
                _ if line.trim().is_empty() => {
                    blanks += 1;
                    self.at += 1;
                    continue;
                }
                _ => return Err(unprefixed(number, line)),
            };
            if op == LineOp::Delete
                && !hunk.lines.is_empty()
                && blanks > 0
                && self.lines.get(self.at + 2).is_some_and(|(_, line)| line.starts_with("@@"))
                && self.file_lines_ahead()
            {
                break;
            }
            let blank = HunkLine { op: LineOp::Context, text: Content::default() };
            hunk.lines.extend(std::iter::repeat_n(blank, blanks));
            blanks = 0;
            hunk.lines.push(HunkLine { op, text: characters.as_str().into() });
            self.at += 1;
        }
        Ok(())
    }

    /// Reports whether the next two lines name the file of a unified diff.
    fn file_lines_ahead(&self) -> bool {
        let begins =
            |nth: usize, sign: &str| self.lines.get(self.at + nth).is_some_and(|(_, line)| line.starts_with(sign));
        begins(0, "--- ") && begins(1, "+++ ")
    }

    fn added(&mut self, title: Content) -> Result<SectionOp, PatchError> {
        let (mut lines, mut blanks, mut place) = (Vec::new(), 0, None);
        while let Some((number, line)) = self.peek() {
            if let Some(text) = line.strip_prefix('+') {
                lines.extend(std::iter::repeat_n(Content::default(), blanks));
                blanks = 0;
                lines.push(text.into());
                self.at += 1;
            } else if line.trim().is_empty() {
                blanks += 1;
                self.at += 1;
            } else if let Some(read) = if place.is_none() { self.place()? } else { None } {
                place = Some(read);
            } else if line.starts_with("@@") || Marker::of(line).is_some() {
                break;
            } else {
                return Err(PatchError::new(number, "a line of the new section, with `+` before it", line));
            }
        }
        Ok(SectionOp::Add { title, lines, place })
    }

    fn renamed(&mut self, section: Content) -> Result<SectionOp, PatchError> {
        let (number, line) = self.continuation("`*** To: NEW TITLE`")?;
        let marker = Marker::of(line).filter(|marker| marker.word == Word::To);
        let title =
            non_empty(number, line, marker.ok_or_else(|| PatchError::new(number, "`*** To: NEW TITLE`", line))?)?;
        self.marker();
        self.at += 1;
        Ok(SectionOp::Rename { section, title })
    }

    fn moved(&mut self, section: Content) -> Result<SectionOp, PatchError> {
        let expected = "`*** Before: NAME`, `*** After: NAME`, `*** Under: NAME`, `*** First` or `*** Last`";
        let (number, line) = self.continuation(expected)?;
        let place = self.place()?.ok_or_else(|| PatchError::new(number, expected, line))?;
        Ok(SectionOp::Move { section, place })
    }

    /// Reads the place of a section: one line, or two for `*** Under: NAME` with `*** First` or `*** Last`, in either order.
    fn place(&mut self) -> Result<Option<SectionPlace>, PatchError> {
        let mut place = None;
        for _ in 0..2 {
            let start = self.at;
            self.skip_blanks();
            let Some((number, line)) = self.peek() else { break };
            let Some(marker) = self.marker() else {
                self.at = start;
                break;
            };
            let name = || non_empty(number, line, marker);
            let next = match (place.as_ref(), marker.word) {
                (None, Word::Before) => SectionPlace::Before(name()?),
                (None, Word::After) => SectionPlace::After(name()?),
                (None, Word::First) => SectionPlace::First,
                (None, Word::Last) => SectionPlace::Last,
                (None | Some(SectionPlace::Last), Word::Under) => SectionPlace::LastUnder(name()?),
                (Some(SectionPlace::First), Word::Under) => SectionPlace::FirstUnder(name()?),
                (Some(SectionPlace::LastUnder(parent)), Word::First) => SectionPlace::FirstUnder(parent.clone()),
                (Some(SectionPlace::LastUnder(parent)), Word::Last) => SectionPlace::LastUnder(parent.clone()),
                _ => {
                    self.at = start;
                    break;
                }
            };
            place = Some(next);
            self.at += 1;
        }
        Ok(place)
    }

    fn skip_blanks(&mut self) {
        self.at += self.lines.iter().skip(self.at).take_while(|(_, line)| line.trim().is_empty()).count();
    }

    /// Returns the line that must follow.
    fn continuation(&mut self, expected: &str) -> Result<(usize, &'a str), PatchError> {
        self.skip_blanks();
        self.peek().ok_or_else(|| PatchError::at_end(self.end, expected))
    }
}

/// Reports whether a line begins a part of a patch.
fn begins_part(line: &str) -> bool {
    line.starts_with("@@") || Marker::of(line).is_some_and(|marker| marker.word != Word::Unknown)
}

fn non_empty(number: usize, line: &str, marker: Marker<'_>) -> Result<Content, PatchError> {
    match marker.argument {
        "" => Err(PatchError::new(number, "a name behind the colon", line)),
        name => Ok(name.into()),
    }
}
