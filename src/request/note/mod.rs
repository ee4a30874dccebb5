//! Notes: a note is the body of the one section whose title is its key. It may hold any Markdown.
//!
//! The heading of a note has level 2. The note ends at the next heading of level 2 or 1. Blank lines at its beginning and
//! end do not belong to it. Keys are compared after composing letters and folding white space, but not letter case: `Plan`
//! and `plan` are two notes. (The label of a core block also matches in another letter case.) If two notes have the same
//! key, reading and writing them is refused as ambiguous.
//!
//! Line ends at the end of a content end its last line, and are not kept: models send `- Likes tea\n` for one line. Then
//! a content is written as it is if the document reads it back unchanged: it has no heading, no block with an ID, no
//! fence that is not closed, no blank line at its beginning, and is not itself a `note` fence. An append keeps headings
//! and blocks that people have written into the note.
//!
//! Any other content is written in a fence of backticks, longer than any run of backticks in it, with the word `note`
//! after the opening fence. Reading removes such a fence if the section holds nothing else. Lines are written with the
//! document's line endings, and read with LF.
//!
//! A content that replaces another must not have a placeholder for the old text, such as `... existing text ...`.

mod activity;

pub use activity::ActivityLine;

use super::rewrite::{check_omissions, is_set_off};
use super::section::check_title;
use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::{Block, Case, Kind, MemoryDoc, Section, SectionRef, fence_closes, fence_open};
use crate::edit::compose::{NewSection, arrange_sections};
use crate::edit::guard::look_alike;
use crate::edit::{Edit, EditBuilder, EditError, Flaw, Part, PartStatus, Promise};
use crate::locate::{DocLines, Leniency, LocateError, Matches, Target};
use crate::text::{Content, Line, Span, excerpt, fenced, is_blank, normal_name, visible};

/// The level of the heading of a note.
const LEVEL: u8 = 2;

/// A change of one note.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::NoteEdit};
///
/// let doc = MemoryDoc::parse("## plan\nShip it\n");
/// let edit = NoteEdit::append("plan", "## Then rest").plan(&View::current(&doc, Timestamp::default()))?;
/// let doc = doc.commit(&edit, Authority::Agent)?.doc;
/// assert_eq!(doc.text(), "## plan\n```note\nShip it\n## Then rest\n```\n");
/// assert_eq!(NoteEdit::read(&doc, "plan")?.as_deref(), Some("Ship it\n## Then rest"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteEdit {
    key: Content,
    change: NoteChange,
    /// Whether a title in another letter case matches, if no title is exactly the key.
    case: Case,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NoteChange {
    Set(Content),
    Append(Content),
    Clear,
}

impl NoteEdit {
    /// Gives the note `key` this content, and makes the note if there is none.
    pub fn set(key: impl Into<Content>, content: impl Into<Content>) -> Self {
        Self { key: key.into(), change: NoteChange::Set(content.into()), case: Case::Kept }
    }

    /// Adds a content behind that of the note `key`, on a new line. If the note is empty or does not exist, the content is
    /// set. An empty content changes nothing.
    pub fn append(key: impl Into<Content>, content: impl Into<Content>) -> Self {
        Self { key: key.into(), change: NoteChange::Append(content.into()), case: Case::Kept }
    }

    /// Empties the note `key`, if it is there. Its heading stays.
    pub fn clear(key: impl Into<Content>) -> Self {
        Self { key: key.into(), change: NoteChange::Clear, case: Case::Kept }
    }

    /// Gives the core block of this label this content, and makes the block if there is none.
    pub(crate) fn block(label: &str, content: impl Into<Content>) -> Self {
        Self { case: Case::Folded, ..Self::set(label, content) }
    }

    /// Returns the content of the note `key`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// There are several notes with this key: people may write them so.
    pub fn read(doc: &MemoryDoc, key: &str) -> Result<Option<String>, Refusal> {
        Ok(only(doc, key, Case::Kept)?.map(Self::content))
    }

    /// Returns the content of the core block of this label; `None` if there is none.
    pub(crate) fn read_block(doc: &MemoryDoc, label: &str) -> Result<Option<String>, Refusal> {
        Ok(only(doc, label, Case::Folded)?.map(Self::content))
    }

    /// Returns the contents of all notes, or blocks, with a key. There is at most one, unless people have written several.
    pub(crate) fn texts(doc: &MemoryDoc, key: &str, case: Case) -> String {
        named(doc, key, case).into_iter().map(Self::content).collect::<Vec<_>>().join("\n\n")
    }

    /// Iterates over all notes in document order: each section, with its content.
    pub fn all(doc: &MemoryDoc) -> impl Iterator<Item = (SectionRef<'_>, String)> {
        doc.sections().filter(|section| section.level == LEVEL).map(|section| (section, Self::content(section)))
    }

    /// Returns the content of the note that a section is. Its lines end with LF.
    pub fn content(note: SectionRef<'_>) -> String {
        let (text, core) = (note.doc().text(), core_of(note));
        if core.is_empty() {
            return String::new();
        }
        let lines: Vec<&str> = Line::texts_within(text, core).collect();
        inside_fence(&lines).unwrap_or(&lines).join("\n")
    }

    /// Returns the title of the section for a key; `None` if the key cannot be a title.
    pub(crate) fn title(key: &str) -> Option<String> {
        checked_key(key).ok()
    }

    /// Returns the new content of the note, with LF between its lines and none at its end; `None` if nothing is to be changed.
    fn wanted(&self, old: Option<&str>) -> Option<String> {
        let wanted = match (&self.change, old) {
            (NoteChange::Append(content), _) if content.is_empty() => None,
            (NoteChange::Append(content), Some(old)) if !old.is_empty() => Some(format!("{old}\n{content}")),
            (NoteChange::Set(content) | NoteChange::Append(content), _) => Some(content.to_string()),
            (NoteChange::Clear, old) => old.map(|_| String::new()),
        };
        wanted.map(|wanted| wanted.replace("\r\n", "\n").trim_end_matches('\n').to_owned())
    }
}

impl Request for NoteEdit {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let doc = view.doc;
        let key = checked_key(&self.key)?;
        let section = only(doc, &key, self.case)?;
        let old = section.map(Self::content);
        let Some(wanted) = self.wanted(old.as_deref()).filter(|wanted| old.as_ref() != Some(wanted)) else {
            return Ok(Edit::nothing(doc).with_parts(vec![Part::new(PartStatus::NoChange)]));
        };
        check_content(doc, &wanted)?;
        if let (NoteChange::Set(_), Some(old)) = (&self.change, old.as_ref().filter(|old| !old.is_empty())) {
            check_replaced(old, &wanted)?;
        }
        // An append keeps the headings and blocks that people have written into the note.
        let own = section.filter(|_| matches!(self.change, NoteChange::Append(_))).and_then(structure_of);
        let place = NotePlace { doc, key: &key, case: self.case, section, own: own.unwrap_or_default() };
        let text = if wanted.is_empty() { String::new() } else { format!("{wanted}\n") };
        for text in [&text, &fenced(WORD, &text)] {
            let edit = place.write(text.split_terminator('\n').map(str::to_owned).collect())?;
            if place.is_read_back(&edit, &wanted) {
                return Ok(edit);
            }
        }
        // A fenced content is always read back, unless a fence or front matter above the section is not closed.
        let open = doc.outline().fences.iter().find(|fence| !fence.is_closed);
        let flaw = open
            .map_or(Flaw::Gained("front matter", 1), |fence| Flaw::InOpenFence(doc.line_number(fence.extent.start())));
        Err(Refusal::from(EditError::InvalidText(flaw)).into())
    }
}

/// Returns a key as it is written in a heading. Refuses a key that cannot be a title.
fn checked_key(key: &str) -> Result<String, Refusal> {
    let title = normal_name(key);
    if check_title(&title).is_ok() && !key.trim().contains(['\n', '\r']) {
        return Ok(title);
    }
    let expected = "a key that can be the title of a section: one line, not blank, without an ID or a `#` at its end";
    Err(Refusal::invalid(Argument::NoteKey, expected, format!("`{}`", visible(&excerpt(key, 80)))))
}

/// Returns the notes with a key. If there are none, and letter case may differ, returns those with the key in another case.
fn named<'a>(doc: &'a MemoryDoc, key: &str, case: Case) -> Vec<SectionRef<'a>> {
    let of = |case: Case| {
        let key = case.fold(key);
        doc.sections().filter(|section| section.level == LEVEL && case.fold(section.title()) == key).collect()
    };
    let exact: Vec<_> = of(Case::Kept);
    if exact.is_empty() && case == Case::Folded { of(case) } else { exact }
}

/// Returns the one note with a key, if there is one. Refuses a key that several notes have.
fn only<'a>(doc: &'a MemoryDoc, key: &str, case: Case) -> Result<Option<SectionRef<'a>>, Refusal> {
    let notes = named(doc, key, case);
    if notes.len() < 2 {
        return Ok(notes.first().copied());
    }
    let matches = Box::new(Matches::new(doc, notes.iter().map(|note| note.line).collect()));
    Err(LocateError::Ambiguous { what: Target::Section(key.into()), matches }.into())
}

/// Refuses a content with a line that looks like the heading of a reserved section, outside of fences.
fn check_content(doc: &MemoryDoc, content: &str) -> Result<(), Refusal> {
    // The blank line keeps the content from being read as front matter.
    let alone = MemoryDoc::with_rules(format!("\n{content}"), doc.rules().clone());
    let look_alikes = alone.look_alikes(alone.span());
    let Some(found) = look_alikes.first() else { return Ok(()) };
    Err(look_alike(alone.line_index(found.lines.start()), found.name).into())
}

/// Refuses a content with a placeholder for the text that it replaces. Only lines that are set off, and not in a code
/// fence, count as placeholders.
fn check_replaced(old: &str, wanted: &str) -> Result<(), Refusal> {
    let wanted = MemoryDoc::parse(wanted);
    let lines = DocLines::new(&wanted);
    let is_code = |at: usize| lines.is_fenced(at) && !wanted.line_text(at).trim_start().starts_with("<!--");
    let is_marked = |at: usize| is_set_off(wanted.line_text(at)) && !is_code(at);
    let marked = (0..lines.len()).map(|at| if is_marked(at) { wanted.line_text(at) } else { "" });
    let marked = MemoryDoc::parse(marked.collect::<Vec<_>>().join("\n"));
    Ok(check_omissions(&MemoryDoc::parse(old), &marked, [marked.span()])?)
}

/// Where a note is written.
struct NotePlace<'a> {
    doc: &'a MemoryDoc,
    key: &'a str,
    case: Case,
    section: Option<SectionRef<'a>>,
    /// The number of headings and blocks that people have written into the note. An append keeps them.
    own: usize,
}

impl NotePlace<'_> {
    /// Writes these lines below the heading. A heading that does not exist is written at the end of the document.
    fn write(&self, lines: Vec<String>) -> Result<Edit, RequestError> {
        let mut edit = EditBuilder::new(self.doc);
        let is_cased = self.section.is_some_and(|section| normal_name(section.title()) != self.key);
        edit.part(Part::new(PartStatus::Applied).with_healed(Leniency::needed([(Leniency::Case, is_cased)])));
        match self.section {
            Some(section) => self.rewrite(section, lines, &mut edit),
            None => {
                let lines = [vec![format!("## {}", self.key)], lines].concat();
                let written = NewSection { part: 0, at: self.doc.text().len(), lines, promise: Promise::Note };
                arrange_sections(self.doc, &[], vec![written], &mut edit);
            }
        }
        Ok(edit.finish()?)
    }

    /// Replaces the lines of the note. If it was empty, and other lines follow right behind the heading, a blank line is
    /// added.
    fn rewrite(&self, section: SectionRef<'_>, mut lines: Vec<String>, edit: &mut EditBuilder) {
        let replaced = self.doc.line_range(core_of(section));
        if replaced.is_empty() && !lines.is_empty() && !is_blank(self.doc.line_text(replaced.end)) {
            lines.push(String::new());
        }
        edit.for_part(0).replace_lines(self.doc, &replaced, &lines, Promise::Note);
    }

    /// Returns true if the result has the note with this content, and as many other sections as before.
    fn is_read_back(&self, edit: &Edit, content: &str) -> bool {
        let new = edit.result(self.doc);
        let outside = |doc: &MemoryDoc, note: SectionRef<'_>| {
            doc.sections().filter(|section| !note.extent.covers(section.line)).count()
        };
        let others = self.section.map_or(self.doc.sections().count(), |note| outside(self.doc, note));
        only(&new, self.key, self.case).ok().flatten().is_some_and(|note| {
            let is_own = structure_of(note).is_some_and(|count| count == 0 || count == self.own);
            NoteEdit::content(note) == content && is_own && outside(&new, note) == others
        })
    }
}

/// The word behind the opening fence.
const WORD: &str = "note";

/// Returns the span of a note without blank lines at both ends. For an empty note, it is the empty span at its place.
fn core_of(section: SectionRef<'_>) -> Span {
    let text = section.doc().text();
    let below = Span::new(section.body.start(), section.extent.end());
    let lines = || Line::all_within(text, below).filter(|line| !is_blank(line.text.of(text)));
    match (lines().next(), lines().last()) {
        (Some(first), Some(last)) => Span::new(first.full.start(), last.full.end()),
        _ => Span::at(below.start()),
    }
}

/// Returns the lines inside of the `note` fence around all `lines`; `None` if there is none.
fn inside_fence<'l, 't>(lines: &'l [&'t str]) -> Option<&'l [&'t str]> {
    let [first, own @ .., last] = lines else { return None };
    let open = fence_open(first).filter(|open| open.byte == b'`' && first.get(open.length..) == Some(WORD))?;
    (fence_closes(last, open) && !own.iter().any(|line| fence_closes(line, open))).then_some(own)
}

/// Counts the headings and blocks in a note; `None` if a fence is open at its end.
fn structure_of(note: SectionRef<'_>) -> Option<usize> {
    let below = Span::new(note.body.start(), note.extent.end());
    let outline = note.doc().outline();
    let is_open = outline.fences.iter().any(|own| below.contains(own.extent.start()) && !own.is_closed);
    let headings = Section::within(outline, below).len();
    (!is_open).then(|| headings + Block::within(outline, below).iter().filter(|block| !block.is_section).count())
}
