//! What puts a violation right, as data; a toolbox words it as a call.

use super::super::Request;
use super::super::items::{Annotation, Children, ItemEdit, ItemOp, Items};
use super::super::patch::{Anchor, DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, SectionOp};
use super::super::replace::Replace;
use crate::document::{BlockRef, Expiry, MemoryDoc, Ttl};
use crate::locate::Selector;
use crate::text::{Content, Span};

/// An edit that takes a violation away.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// Deletes a bullet; its children move up a level.
    DeleteBullet {
        /// Its key.
        key: Content,
    },
    /// Lets a TTL run from now on.
    StartTtl {
        /// The key of its bullet.
        key: Content,
        /// The TTL.
        ttl: Ttl,
    },
    /// Takes a bullet's TTL or end away.
    ClearTtl {
        /// The bullet's key.
        key: Content,
    },
    /// Adds an empty section at the end.
    AddSection {
        /// Its title.
        title: Content,
    },
    /// Closes a fence at the end of the document.
    CloseFence {
        /// The line that closes it.
        line: Content,
    },
    /// Gives a block another ID.
    ChangeId {
        /// The line of its header.
        header: Content,
        /// The line with the new ID.
        new_header: Content,
        /// The section that it stands in, where the line stands in others too.
        section: Option<Content>,
    },
    /// Takes out a character wherever it stands.
    DropCharacter {
        /// The character.
        character: char,
        /// How often it stands there.
        count: usize,
    },
}

impl Repair {
    /// Gives a block the ID `free`; `None` if its header cannot be told from others.
    pub(super) fn another_id(block: BlockRef<'_>, free: &str, section: Option<String>) -> Option<Self> {
        let (doc, header) = (block.doc(), block.line_text().to_owned());
        let before = Span::new(block.line.start(), block.id.start()).of(doc.text());
        let behind = header.get(block.id.end() - block.line.start()..)?;
        let new_header = [before, free, behind].concat();
        let mut others = doc.blocks().filter(|other| *other != block);
        let is_only = !others.any(|other| other.line_text() == header);
        let section = section.filter(|_| !is_only);
        (is_only || section.is_some()).then_some(Self::ChangeId {
            header: header.into(),
            new_header: new_header.into(),
            section: section.map(Into::into),
        })
    }

    /// Takes a character out; `None` if it also stands where it is right, or ends lines for other programs.
    pub(super) fn without_character(doc: &MemoryDoc, character: char, count: usize) -> Option<Self> {
        let ends_lines = matches!(character, '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}');
        let is_everywhere = doc.text().matches(character).count() == count;
        (is_everywhere && !ends_lines).then_some(Self::DropCharacter { character, count })
    }

    /// Returns the request that makes it.
    pub fn to_request(&self) -> Box<dyn Request> {
        match self {
            Self::DeleteBullet { key } => {
                let op = ItemOp::Delete { children: Children::Keep };
                Box::new(Items::new([ItemEdit::new(Selector::by_key(key), op)]))
            }
            Self::StartTtl { key, ttl } => {
                let mark = Annotation::SetTtl(Expiry::After(ttl.clone()));
                Box::new(Items::annotating(mark, [Selector::by_key(key)]))
            }
            Self::ClearTtl { key } => Box::new(Items::annotating(Annotation::ClearTtl, [Selector::by_key(key)])),
            Self::DropCharacter { character, count } => {
                Box::new(Replace::new(character.to_string(), "").expecting(*count))
            }
            Self::AddSection { .. } | Self::CloseFence { .. } | Self::ChangeId { .. } => {
                let documents = self.to_patch().map_or_else(Vec::new, |patch| patch.documents);
                Box::new(documents.into_iter().next().unwrap_or_default())
            }
        }
    }

    /// Returns the request that a call of a tool makes of it; `None` if no call can say it.
    pub(super) fn as_called(&self) -> Option<Box<dyn Request>> {
        let Some(written) = self.to_patch() else { return Some(self.to_request()) };
        let read: Patch = written.to_string().parse().ok()?;
        Some(Box::new(read.documents.into_iter().next()?))
    }

    /// Returns the patch that makes it, for a repair that changes lines.
    pub(crate) fn to_patch(&self) -> Option<Patch> {
        let line = |op, text: &Content| HunkLine { op, text: text.clone() };
        let part = match self {
            Self::AddSection { title } => {
                PatchPart::Section(SectionOp::Add { title: title.clone(), lines: Vec::new(), place: None })
            }
            Self::CloseFence { line: closing } => PatchPart::Hunk(Hunk {
                lines: vec![line(LineOp::Add, closing)],
                is_at_end_of_file: true,
                ..Hunk::default()
            }),
            Self::ChangeId { header, new_header, section } => PatchPart::Hunk(Hunk {
                anchors: section.iter().cloned().map(Anchor::Section).collect(),
                lines: vec![line(LineOp::Delete, header), line(LineOp::Add, new_header)],
                ..Hunk::default()
            }),
            _ => return None,
        };
        let document = DocumentPatch { parts: vec![part], ..DocumentPatch::default() };
        Some(Patch { documents: vec![document], healed: Vec::new() })
    }
}
