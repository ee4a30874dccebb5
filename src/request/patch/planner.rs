//! [`Planner`]: locates each part in the document as it was seen, then composes all.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::super::section::{SectionWork, Siblings, check_promised};
use super::super::{Refusal, RequestError};
use super::anchor::HunkScope;
use super::append::append;
use super::reading::{NumberMarker, is_marked};
use super::search::{Found, find_apart, insertion_stands, search, stands_as_sent};
use super::uses::{LineUses, Use};
use super::write::{LineEdit, Writer, Written};
use super::{Hunk, HunkLine, LineOp};
use crate::document::{Healing, MemoryDoc, SectionRef, heading};
use crate::edit::compose::replacing_lines;
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise, Warning};
use crate::locate::{Code, DocLines, Found as Located, Leniency, LocateError, Names, Scope, unescape};
use crate::text::{Line, fold_name, is_blank};

/// Why a hunk is not planned.
#[derive(Debug)]
pub(super) enum Miss<'a> {
    /// It cannot be written so.
    Refused(Refusal),
    /// Its anchors do not lead to one scope.
    Unscoped(LocateError),
    /// It adds lines, and nothing says where.
    NoPlace,
    /// It stands in several places: the lines of each.
    Several(Vec<Range<usize>>),
    /// A `-` line of it could be context that lacks its space.
    Doubtful,
    /// It stands nowhere in its scope.
    Nowhere(HunkScope<'a>),
}

impl From<Refusal> for Miss<'_> {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// What one hunk comes to.
enum Outcome {
    /// It writes.
    Writes(Written),
    /// It changes nothing, by what stands on these lines.
    Idle(PartStatus, Vec<Range<usize>>),
}

/// An edit of lines, and where it goes among those at its place.
struct Planned {
    part: usize,
    edit: LineEdit,
    promise: Promise,
    /// Whether it begins with a heading: it goes behind all that does not.
    is_headed: bool,
    /// The first line of the scope that it is appended to, if it is: what follows its context goes first, then the innermost.
    appended_to: Option<usize>,
}

/// A plan that is being made.
pub(super) struct Planner<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) lines: DocLines<'a>,
    pub(super) names: Names<'a>,
    /// Whether refusals are explained.
    pub(super) explains: bool,
    pub(super) uses: LineUses,
    pub(super) sections: SectionWork<'a>,
    /// Whether text is read and written less exactly than it was sent.
    pub(super) heals: bool,
    pub(super) parts: Vec<Part>,
    edits: Vec<Planned>,
    siblings: OnceCell<Siblings<'a>>,
    /// The titles that the patch gives to sections, by parent.
    titles: HashSet<(Option<SectionRef<'a>>, String)>,
}

impl<'a> Planner<'a> {
    /// Begins a plan of so many parts.
    pub(super) fn new(doc: &'a MemoryDoc, parts: usize) -> Self {
        Self {
            doc,
            lines: DocLines::new(doc, parts),
            names: Names::new(doc),
            explains: true,
            uses: LineUses::default(),
            sections: SectionWork::default(),
            heals: doc.policy().healing == Healing::Narrow,
            parts: Vec::new(),
            edits: Vec::new(),
            siblings: OnceCell::new(),
            titles: HashSet::new(),
        }
    }

    /// Explains no refusal any more.
    pub(super) fn withhold_help(&mut self) {
        self.explains = false;
        self.names.withhold_help();
    }

    /// Returns the sections of each parent.
    pub(super) fn siblings(&self) -> &Siblings<'a> {
        self.siblings.get_or_init(|| Siblings::new(self.doc))
    }

    /// Notes that a section of `parent` gets this title; refuses one that another part has given already.
    pub(super) fn give_title(&mut self, parent: Option<SectionRef<'a>>, title: &str) -> Result<(), Refusal> {
        match self.titles.insert((parent, fold_name(title))) {
            true => Ok(()),
            false => {
                let why = format!("another part of the patch gives a section the title `{title}` too");
                Err(Refusal::impossible(Code::DuplicateSection, why))
            }
        }
    }

    /// Locates a hunk, and notes what it writes.
    pub(super) fn hunk(&mut self, number: usize, hunk: &Hunk) -> Result<(), Miss<'a>> {
        let Located { at: scope, mut healed } = self.scope(hunk).map_err(Miss::Unscoped)?;
        let mut outcome = self.outcome(hunk, &scope);
        if let Err(Miss::Nowhere(_)) = &outcome
            && let Some(unescaped) = unescaped(hunk).filter(|_| self.heals)
            && let Ok(plain) = self.outcome(&unescaped, &scope)
        {
            healed.push(Leniency::Escapes);
            outcome = Ok(plain);
        }
        if !scope.is_document() {
            self.uses.add(number, scope.start..scope.start + 1, Use::Needs);
        }
        let (status, needed) = match outcome? {
            Outcome::Idle(status, needed) => (status, needed),
            Outcome::Writes(written) => {
                healed.extend(written.healed.iter().copied());
                let needed = written.needed.clone();
                self.write(number, &scope, written);
                (PartStatus::Applied, needed)
            }
        };
        needed.into_iter().for_each(|lines| self.uses.add(number, lines, Use::Needs));
        let ignored = "line numbers were ignored; places are found by their text";
        let warnings = hunk.has_line_numbers.then(|| Warning::new("line_numbers_ignored", ignored));
        self.parts.push(Part::new(status).with_healed(healed).with_warnings(warnings));
        Ok(())
    }

    /// Notes what a hunk writes.
    fn write(&mut self, part: usize, scope: &HunkScope<'a>, written: Written) {
        let promise = match scope.part {
            Scope::Section(_) | Scope::Block(_) | Scope::Label(_) | Scope::Bullet(_) => Promise::Below(scope.start),
            _ => Promise::Lines,
        };
        let is_appended = written.needed.is_empty();
        for edit in written.edits {
            let kind = if edit.lines.is_empty() { Use::Inserts } else { Use::Changes };
            self.uses.add(part, edit.lines.clone(), kind);
            let first = edit.texts.iter().find(|line| !is_blank(line));
            let is_headed = edit.lines.is_empty() && first.is_some_and(|line| heading(line).is_some());
            let appended_to = (is_appended && edit.lines.is_empty()).then_some(scope.start);
            self.edits.push(Planned { part, edit, promise, is_headed, appended_to });
        }
    }

    /// Resolves a hunk's anchors, outermost first.
    fn scope(&self, hunk: &Hunk) -> Result<Located<HunkScope<'a>>, LocateError> {
        let document = Located { at: HunkScope::document(&self.lines), healed: Vec::new() };
        let mut anchors = hunk.anchors.iter();
        anchors.try_fold(document, |around, anchor| Ok(self.anchor_scope(anchor, &around.at)?.behind(around.healed)))
    }

    /// Finds out what a hunk does in its scope.
    fn outcome(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Result<Outcome, Miss<'a>> {
        let (lines, heals) = (&self.lines, self.heals);
        let is_idle = |line: &HunkLine| {
            is_blank(&line.text)
                && match line.op {
                    LineOp::Context => true,
                    LineOp::Add => !hunk.is_at_end_of_file,
                    LineOp::Delete => false,
                }
        };
        if hunk.lines.iter().all(is_idle) {
            return Ok(Outcome::Idle(PartStatus::NoChange, Vec::new()));
        }
        if hunk.lines.iter().all(|line| line.op == LineOp::Add) {
            let written = append(lines, hunk, scope, heals)?.ok_or(Miss::NoPlace)?;
            return Ok(match insertion_stands(lines, scope, &written.edits, false) {
                Some(needed) => Outcome::Idle(PartStatus::AlreadyApplied, needed),
                None => Outcome::Writes(written),
            });
        }
        if let Some(found) = search(lines, hunk, scope, heals)? {
            return Ok(self.found(hunk, scope, &found)?);
        }
        if let Some(stands) = stands_as_sent(lines, hunk, scope) {
            return Ok(Outcome::Idle(PartStatus::AlreadyApplied, vec![stands]));
        }
        if let Some(found) = heals.then(|| find_apart(lines, hunk, scope)).flatten() {
            return Ok(self.written_apart(hunk, &found)?);
        }
        Err(if heals && looks_doubtful(hunk) { Miss::Doubtful } else { Miss::Nowhere(*scope) })
    }

    fn found(&self, hunk: &Hunk, scope: &HunkScope<'a>, found: &Found<'_>) -> Result<Outcome, Refusal> {
        let written = self.written(hunk, found)?;
        if found.has(LineOp::Add)
            && !found.has(LineOp::Delete)
            && let Some(needed) = insertion_stands(&self.lines, scope, &written.edits, true)
        {
            let needed = needed.into_iter().chain(written.needed).collect();
            return Ok(Outcome::Idle(PartStatus::AlreadyApplied, needed));
        }
        match written.edits.iter().all(|edit| self.is_same(edit)) {
            true => Ok(Outcome::Idle(PartStatus::NoChange, vec![found.range()])),
            false => Ok(Outcome::Writes(written)),
        }
    }

    /// Reports whether an edit writes what stands there.
    fn is_same(&self, edit: &LineEdit) -> bool {
        self.lines.texts(edit.lines.clone()).eq(edit.texts.iter().map(String::as_str))
    }

    /// Writes a hunk that was found.
    fn written(&self, hunk: &Hunk, found: &Found<'_>) -> Result<Written, Refusal> {
        Writer { lines: &self.lines, found, heals: self.heals, first_line: hunk.first_line }.write()
    }

    fn written_apart(&self, hunk: &Hunk, found: &[Found<'_>]) -> Result<Outcome, Refusal> {
        let mut all = Written::default();
        for found in found {
            let written = self.written(hunk, found)?;
            all.edits.extend(written.edits);
            all.healed.extend(written.healed);
        }
        Ok(Outcome::Writes(all))
    }

    /// Composes the edit.
    pub(super) fn finish(mut self, healed: &[Leniency]) -> Result<Edit, RequestError> {
        self.uses.check(&self.lines)?;
        let mut edit = EditBuilder::new(self.doc);
        for part in std::mem::take(&mut self.parts) {
            edit.part(part);
        }
        let mut edits = std::mem::take(&mut self.edits);
        edits.sort_by_key(|planned| {
            let lines = &planned.edit.lines;
            (lines.start, lines.end, planned.is_headed, planned.appended_to.map(Reverse), planned.part)
        });
        for planned in edits.iter().filter(|planned| !self.is_same(&planned.edit)) {
            let LineEdit { lines, texts } = &planned.edit;
            let mut edit = edit.for_part(planned.part);
            if lines.is_empty() {
                edit.insert_lines(self.doc, self.lines.start(lines.start), texts, planned.promise);
                continue;
            }
            let replaced: Vec<Line> = lines.clone().map(|line| self.doc.line(line)).collect();
            edit.replace(self.lines.span(lines), replacing_lines(self.doc, &replaced, texts), planned.promise);
        }
        let promised = std::mem::take(&mut self.sections).compose(self.doc, &mut edit);
        edit.heal(healed);
        let edit = edit.finish()?;
        check_promised(&promised, self.doc, &edit)?;
        Ok(edit)
    }
}

/// Returns the hunk with its escapes read as what they stand for, if it has any and no line breaks are among them.
fn unescaped(hunk: &Hunk) -> Option<Hunk> {
    let lines: Vec<HunkLine> =
        hunk.lines.iter().map(|line| HunkLine { op: line.op, text: unescape(&line.text).as_ref().into() }).collect();
    let is_plain = lines != hunk.lines && !lines.iter().any(|line| line.text.contains('\n'));
    is_plain.then(|| Hunk { lines, ..hunk.clone() })
}

/// Reports whether lines written in full stand beside a `-` line that could be context without its space.
fn looks_doubtful(hunk: &Hunk) -> bool {
    let is_full = |text: &str| is_marked(text, NumberMarker::None);
    let is_bare = |text: &str| text.strip_prefix(' ').is_some_and(|text| !is_full(text) && !is_blank(text));
    let mut lines = hunk.lines.iter();
    lines.clone().any(|line| line.op != LineOp::Context && is_full(&line.text))
        && lines.any(|line| line.op == LineOp::Delete && is_bare(&line.text))
}
