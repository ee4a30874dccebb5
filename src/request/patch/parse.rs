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
//! Each token that is quoted begins a line. What comes before the first document is the default one's, as `*** Update Memory`
//! without a name is. An empty line is a blank line of context, but before `@@`, `*** ` or the end it only separates. All that
//! follows a line's first character is text: `---` deletes the line `--`. The two lines of a unified diff that name its file,
//! `--- NAME` and `+++ NAME` before `@@`, name the document, and what it says of a last line without an ending says nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

use super::anchor::{self, AnchorLine};
use super::envelope;
use super::error::{PatchError, indented, unprefixed};
use super::marker::{document_name, is_section_operation, marker, stem};
use super::parser::Parser;
use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart};
use crate::locate::{Rung, unescape};
use crate::text::{Content, Lines};

/// What a diff says behind a last line without an ending. Whether the last line has one is the document's business.
const NO_NEWLINE: &str = "\\ No newline at end of file";
/// What begins a part of a patch.
const EXPECTED_PART: &str = "`*** Update Memory`, `@@` or an operation such as `*** Add Section: NAME`";

impl FromStr for Patch {
    type Err = PatchError;

    fn from_str(text: &str) -> Result<Self, PatchError> {
        // A patch on one line was escaped as a whole.
        let unescaped = Some(unescape(text)).filter(|_| !text.trim_end().contains('\n') && text.contains("\\n"));
        let is_escaped = unescaped.is_some();
        let text = unescaped.unwrap_or(Cow::Borrowed(text));
        let envelope = envelope::open(&text);
        if !envelope.is_whole && names_patch(&text) {
            return Err(PatchError {
                line: envelope.end,
                expected: "`*** End Patch`: without it the patch was cut off, and is not applied".into(),
                found: "the end of the text".into(),
                fix: Some("send the whole patch again, with `*** End Patch` as its last line".into()),
            });
        }
        if let Some((number, line)) = envelope.stray {
            let expected = "one patch, from `*** Begin Patch` to `*** End Patch`, and nothing of another around it";
            return Err(PatchError::new(number, expected, line));
        }
        let mut parser = Parser::new(&envelope);
        let documents = parser.documents()?;
        let healed = [(Rung::Escapes, is_escaped), (Rung::Envelope, parser.is_healed)];
        let healed = healed.into_iter().filter(|(_, is_needed)| *is_needed).map(|(rung, _)| rung).collect();
        Ok(Self { documents, healed })
    }
}

/// Reports whether a text without an End line is a patch at all.
fn names_patch(text: &str) -> bool {
    Lines::of(text).any(|line| marker(line.text.of(text)).is_some() || line.text.of(text).starts_with("@@"))
}

impl<'a> Parser<'a> {
    fn documents(&mut self) -> Result<Vec<DocumentPatch>, PatchError> {
        let mut documents: Vec<DocumentPatch> = Vec::new();
        let mut indexes: HashMap<Option<Content>, usize> = HashMap::new();
        self.skip_empty();
        while let Some((number, line)) = self.peek() {
            let named = self.said(line).and_then(document_name);
            self.at += usize::from(named.is_some());
            let name = match (named, self.file_name()) {
                (Some(Some(name)), Some(other)) if name != other => {
                    return Err(PatchError::new(number, format!("the file `{name}` behind it"), &other));
                }
                (Some(name), file) => name.or(file),
                (None, file) if file.is_some() || self.begins_part() => file,
                (None, _) => return Err(PatchError::new(number, EXPECTED_PART, line)),
            };
            let name: Option<Content> = name.map(Into::into);
            let parts = self.parts()?;
            // Parts that name one document count as one.
            let index = *indexes.entry(name.clone()).or_insert(documents.len());
            match documents.get_mut(index) {
                Some(document) => document.parts.extend(parts),
                None => documents.push(DocumentPatch { document: name, parts, healed: Vec::new() }),
            }
        }
        match documents.is_empty() {
            true => Err(PatchError::at_end(self.end, EXPECTED_PART)),
            false => Ok(documents),
        }
    }

    /// Takes the two lines with which a unified diff names its file, and returns the name.
    fn file_name(&mut self) -> Option<String> {
        self.skip_empty();
        let file = |nth: usize, sign: &str| {
            let (_, line) = self.lines.get(self.at + nth)?;
            let path = line.strip_prefix(sign)?.split('\t').next()?.trim();
            let name = path.rsplit('/').next().map(stem)?;
            (!name.is_empty()).then(|| name.to_owned())
        };
        let behind = self.lines.get(self.at + 2).filter(|(_, line)| line.starts_with("@@"));
        let names = file(0, "--- ").zip(file(1, "+++ ")).filter(|(old, new)| old == new);
        let (name, _) = names.filter(|_| behind.is_some())?;
        self.at += 2;
        self.is_healed = true;
        Some(name)
    }

    /// Reports whether the next line begins a hunk or an operation on a section.
    fn begins_part(&self) -> bool {
        self.peek().is_some_and(|(_, line)| {
            let is_operation = marker(line).is_some_and(|(said, _)| is_section_operation(said));
            is_operation || line.starts_with(['@', '+', '-', ' '])
        })
    }

    fn parts(&mut self) -> Result<Vec<PatchPart>, PatchError> {
        let mut parts = Vec::new();
        loop {
            self.skip_empty_before_marker();
            let Some((number, line)) = self.peek() else { return Ok(parts) };
            match self.said(line) {
                Some(said) if document_name(said).is_some() => return Ok(parts),
                Some(said) => parts.push(PatchPart::Section(self.section(number, line, said)?)),
                None => parts.push(PatchPart::Hunk(self.hunk()?)),
            }
        }
    }

    fn hunk(&mut self) -> Result<Hunk, PatchError> {
        let mut hunk = Hunk { line: self.peek().map_or(self.end, |(number, _)| number), ..Hunk::default() };
        while let Some((number, line)) = self.peek()
            && let Some(rest) = line.strip_prefix("@@")
        {
            self.at += 1;
            match anchor::read(rest) {
                // A second bare `@@` begins another hunk, of which this one is the empty beginning.
                AnchorLine::Bare => {}
                AnchorLine::Numbers(anchor, behind) => {
                    hunk.has_line_numbers = true;
                    hunk.anchors.extend(anchor);
                    hunk.shown_above = Some(behind).filter(|behind| !behind.is_empty());
                }
                AnchorLine::Anchor(anchor) => hunk.anchors.push(anchor),
                AnchorLine::BadItem => {
                    let expected = "`item: startsWith(\"…\")`, `item: contains(\"…\")` or `item: equals(\"…\")`";
                    return Err(PatchError::new(number, expected, line));
                }
                AnchorLine::Empty => return Err(PatchError::new(number, "a name behind the colon", line)),
            }
        }
        hunk.first_line = self.peek().map_or(self.end, |(number, _)| number);
        if let Some((number, line)) = self.peek().filter(|(number, _)| *number == hunk.line)
            && line.starts_with(' ')
            && envelope::is_part_of_patch(line.trim_start())
        {
            return Err(indented(number, line));
        }
        self.lines(&mut hunk)?;
        if let Some((_, line)) = self.peek()
            && self.said(line).is_some_and(|said| said.eq_ignore_ascii_case("End of File"))
        {
            self.at += 1;
            hunk.is_at_end_of_file = true;
        }
        Ok(hunk)
    }

    fn lines(&mut self, hunk: &mut Hunk) -> Result<(), PatchError> {
        loop {
            self.skip_empty_before_marker();
            let Some((number, line)) = self.peek() else { return Ok(()) };
            if line.starts_with("@@") || marker(line).is_some() {
                return Ok(());
            }
            let mut characters = line.chars();
            let op = match characters.next() {
                None | Some(' ') => LineOp::Context,
                Some('-') => LineOp::Delete,
                Some('+') => LineOp::Add,
                Some('\\') if line == NO_NEWLINE && !hunk.lines.is_empty() => {
                    self.at += 1;
                    continue;
                }
                Some(_) => return Err(unprefixed(number, line)),
            };
            hunk.lines.push(HunkLine { op, text: characters.as_str().into() });
            self.at += 1;
        }
    }
}
