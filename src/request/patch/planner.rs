//! [`Planner`]: locates each part in the document as it was seen, then composes all.

use std::cell::{Cell, OnceCell};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::super::section::{SectionWork, Siblings, check_promised};
use super::super::{Refusal, RequestError, SectionRefusal};
use super::anchored;
use super::apart::Pieces;
use super::append::{Appended, append};
use super::applied::{insertion_stands, stands_as_sent};
use super::item_text::{NumberMarker, is_marked};
use super::lines::{Comparison, DocLines, SoughtLine};
use super::scope::{HunkScope, Kind, Scopes};
use super::search::{Found, Search, search};
use super::table::{LineUses, Use};
use super::write::{LineEdit, Writer, Written};
use super::{Anchor, Hunk, HunkLine, LineOp};
use crate::document::{Healing, MemoryDoc, SectionRef, fence_open, heading, is_block_line};
use crate::edit::compose::replacing_lines;
use crate::edit::guard::Indented;
use crate::edit::{Authority, Edit, EditBuilder, Part, PartStatus, Promise, Warning, made};
use crate::locate::{Found as Located, LocateError, Names, Rung, unescape};
use crate::text::{Line, fold_name, is_blank};

/// Reports whether a hunk, alone, makes an edit that would be committed.
pub(super) fn makes_edit(doc: &MemoryDoc, hunk: &Hunk) -> bool {
    let mut planner = Planner::new(doc, 1);
    planner.withhold_help();
    if planner.hunk(0, hunk).is_err() {
        return false;
    }
    let is_made = |edit: Edit| doc.draft(&edit, Authority::Agent).is_ok() && !edit.splices().is_empty();
    planner.finish(&[]).is_ok_and(is_made)
}

/// Why a hunk is not planned.
#[derive(Debug)]
pub(super) enum Miss<'a> {
    /// It cannot be written so.
    Refused(Refusal),
    /// Its anchors do not lead to one scope.
    Unscoped(Refusal),
    /// It adds lines, and nothing says where.
    NoPlace { end_is_open: bool },
    /// It stands in several places: the lines of each.
    Several(Vec<std::ops::Range<usize>>),
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
pub(super) enum Outcome {
    /// It writes.
    Writes(Written),
    /// It changes nothing, by what stands on these lines.
    Idle(PartStatus, Vec<std::ops::Range<usize>>),
}

/// An edit of lines, and where it goes among those at its place.
struct Planned {
    part: usize,
    edit: LineEdit,
    /// Whether it begins with a heading: it goes behind all that does not.
    is_headed: bool,
    /// For what is appended to a scope the first line of that: the innermost goes first.
    appended_to: Option<usize>,
}

/// A hunk that writes inside of a scope.
struct Anchored<'a> {
    part: usize,
    scope: HunkScope<'a>,
    /// Whether the scope is a section, below whose heading all is written.
    is_plain: bool,
}

/// Sorts edits by place: what is inserted at one place in the order of the request, but headings last, and of what is appended to
/// several scopes there the innermost first.
fn in_order(mut edits: Vec<Planned>) -> Vec<Planned> {
    let place = |planned: &Planned| (planned.edit.lines.start, planned.edit.lines.end, planned.is_headed);
    edits.sort_by_key(|planned| (place(planned), planned.part));
    for group in edits.chunk_by_mut(|one, next| place(one) == place(next)) {
        let mut scopes: Vec<_> =
            group.iter().filter_map(|planned| Some((Reverse(planned.appended_to?), planned.part))).collect();
        let appended: Vec<usize> =
            (0..group.len()).filter(|at| group.get(*at).is_some_and(|one| one.appended_to.is_some())).collect();
        scopes.sort_unstable();
        for (at, (_, part)) in appended.into_iter().zip(scopes) {
            if let Some(other) = group.iter().position(|planned| planned.part == part && planned.appended_to.is_some())
            {
                group.swap(at, other);
            }
        }
    }
    edits
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
    parts: Vec<Part>,
    edits: Vec<Planned>,
    /// The hunks that write inside of a scope.
    anchored: Vec<Anchored<'a>>,
    /// Whether a hunk writes what may end a section, or hide a heading.
    writes_structure: bool,
    scopes: HashMap<(usize, usize, Anchor), Result<Located<HunkScope<'a>>, LocateError>>,
    siblings: OnceCell<Siblings<'a>>,
    /// The titles that the patch gives to sections, by parent.
    titles: HashSet<(Option<SectionRef<'a>>, String)>,
    indented: Cell<Indented>,
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
            anchored: Vec::new(),
            writes_structure: false,
            scopes: HashMap::new(),
            siblings: OnceCell::new(),
            titles: HashSet::new(),
            indented: Cell::default(),
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

    /// Begins the next part.
    pub(super) fn begin(&mut self, part: Part) {
        self.parts.push(part);
    }

    /// Notes that a section of `parent` gets this title; refuses one that another part has given already.
    pub(super) fn give_title(&mut self, parent: Option<SectionRef<'a>>, title: &str) -> Result<(), Refusal> {
        match self.titles.insert((parent, fold_name(title))) {
            true => Ok(()),
            false => Err(SectionRefusal::DuplicateTitle { title: title.into() }.into()),
        }
    }

    /// Locates a hunk, and notes what it writes.
    pub(super) fn hunk(&mut self, number: usize, hunk: &Hunk) -> Result<(), Miss<'a>> {
        let located = self.scope(hunk).map_err(Miss::Unscoped)?;
        let scope = located.at;
        let mut healed = located.healed;
        let mut outcome = self.outcome(hunk, &scope);
        if let Err(Miss::Nowhere(_)) = &outcome
            && let Some(unescaped) = unescaped(hunk).filter(|_| self.heals)
            && let Ok(plain) = self.outcome(&unescaped, &scope)
        {
            healed.push(Rung::Escapes);
            outcome = Ok(plain);
        }
        let warnings = hunk.has_line_numbers.then_some(Warning::LineNumbersIgnored);
        if scope.kind != Kind::Document {
            self.uses.add(number, scope.start..scope.start + 1, Use::Names);
        }
        match outcome? {
            Outcome::Idle(status, needed) => {
                self.parts.push(Part::new(status).with_healed(unique(healed)).with_warnings(warnings));
                needed.into_iter().for_each(|lines| self.uses.add(number, lines, Use::Needs));
            }
            Outcome::Writes(written) => {
                healed.extend(written.healed.iter().copied());
                self.parts.push(Part::new(PartStatus::Applied).with_healed(unique(healed)).with_warnings(warnings));
                self.write(number, &scope, written);
            }
        }
        Ok(())
    }

    /// Notes what a hunk writes.
    fn write(&mut self, number: usize, scope: &HunkScope<'a>, written: Written) {
        let Written { edits, needed, .. } = written;
        let ends_scope =
            |line: &String| heading(line).is_some() || is_block_line(line) || fence_open(line.trim_start()).is_some();
        self.writes_structure |= edits.iter().any(|edit| edit.texts.iter().any(ends_scope));
        let is_plain =
            matches!(scope.kind, Kind::Section(_)) && edits.iter().all(|edit| edit.lines.start > scope.start);
        if !matches!(scope.kind, Kind::Document | Kind::Slot | Kind::FrontMatter | Kind::Line) {
            self.anchored.push(Anchored { part: number, scope: *scope, is_plain });
        }
        needed.iter().for_each(|lines| self.uses.add(number, lines.clone(), Use::Needs));
        for edit in edits {
            let kind = if edit.lines.is_empty() {
                Use::Inserts
            } else if edit.texts.is_empty() {
                Use::Takes
            } else {
                Use::Rewrites
            };
            self.uses.add(number, edit.lines.clone(), kind);
            let first = edit.texts.iter().find(|line| !is_blank(line));
            let is_headed = edit.lines.is_empty() && first.is_some_and(|line| heading(line).is_some());
            let appended_to = (needed.is_empty() && edit.lines.is_empty()).then_some(scope.start);
            self.edits.push(Planned { part: number, edit, is_headed, appended_to });
        }
    }

    /// Resolves a hunk's anchors, outermost first.
    fn scope(&mut self, hunk: &Hunk) -> Result<Located<HunkScope<'a>>, Refusal> {
        let mut scope = Located { at: HunkScope::document(&self.lines), healed: Vec::new() };
        // What other tools show above a hunk counts if it names a heading.
        let shown = hunk.shown_above.as_ref().filter(|shown| heading(shown).is_some());
        let shown = shown.map(|shown| Anchor::Section(shown.as_str().into()));
        for anchor in hunk.anchors.iter().chain(&shown) {
            let key = (scope.at.start, scope.at.full, anchor.clone());
            let found = match self.scopes.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let found = Scopes { lines: &self.lines, names: &self.names }.find(anchor, &scope.at);
                    self.scopes.insert(key, found.clone());
                    found
                }
            };
            scope = found?.behind(scope.healed);
        }
        Ok(scope)
    }

    /// Finds out what a hunk does in its scope.
    fn outcome(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Result<Outcome, Miss<'a>> {
        let (lines, heals) = (&self.lines, self.heals);
        if hunk.lines.iter().all(|line| line.op != LineOp::Delete && is_blank(&line.text)) {
            return Ok(Outcome::Idle(PartStatus::NoChange, Vec::new()));
        }
        if hunk.lines.iter().all(|line| line.op == LineOp::Add) {
            let written = match append(lines, hunk, scope, heals)? {
                Appended::Written(written) => written,
                Appended::Nowhere { end_is_open } => return Err(Miss::NoPlace { end_is_open }),
            };
            return Ok(match insertion_stands(lines, scope, &written.edits, false) {
                Some(needed) => Outcome::Idle(PartStatus::AlreadyApplied, needed),
                None => Outcome::Writes(written),
            });
        }
        match search(lines, hunk, scope, heals) {
            Search::Found(found) => Ok(self.found(hunk, scope, &found)?),
            Search::Doubtful => Err(Miss::Doubtful),
            Search::Several(places) => Err(Miss::Several(places)),
            Search::Nowhere => {
                if let Some(stands) = stands_as_sent(lines, hunk, scope) {
                    return Ok(Outcome::Idle(PartStatus::AlreadyApplied, vec![stands]));
                }
                let pieces = Pieces::of(hunk).filter(|_| heals);
                if let Some(found) = pieces.as_ref().and_then(|pieces| pieces.search(lines, scope)) {
                    return Ok(self.written_apart(hunk, &found)?);
                }
                match heals && looks_doubtful(lines, hunk, scope) {
                    true => Err(Miss::Doubtful),
                    false => Err(Miss::Nowhere(*scope)),
                }
            }
        }
    }

    fn found(&self, hunk: &Hunk, scope: &HunkScope<'a>, found: &Found<'_>) -> Result<Outcome, Refusal> {
        let written = self.written(hunk, found)?;
        let has = |op| found.lines.iter().any(|line| line.op == op);
        if has(LineOp::Add)
            && !has(LineOp::Delete)
            && let Some(needed) = insertion_stands(&self.lines, scope, &written.edits, true)
        {
            let needed = needed.into_iter().chain(written.needed).collect();
            return Ok(Outcome::Idle(PartStatus::AlreadyApplied, needed));
        }
        let is_same = |edit: &LineEdit| self.lines.texts(edit.lines.clone()).eq(edit.texts.iter().map(String::as_str));
        if written.edits.iter().all(is_same) {
            return Ok(Outcome::Idle(PartStatus::NoChange, vec![found.range()]));
        }
        Ok(Outcome::Writes(written))
    }

    /// Writes a hunk that was found.
    fn written(&self, hunk: &Hunk, found: &Found<'_>) -> Result<Written, Refusal> {
        let writer = Writer {
            lines: &self.lines,
            found,
            heals: self.heals,
            first_line: hunk.first_line,
            indented: &self.indented,
        };
        let mut written = writer.write()?;
        written.healed.extend(found.healed(&self.lines));
        written.needed = found.context().map(|line| line..line + 1).collect();
        Ok(written)
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
    pub(super) fn finish(mut self, healed: &[Rung]) -> Result<Edit, RequestError> {
        self.uses.check(&self.lines)?;
        let mut edit = EditBuilder::new(self.doc);
        for part in std::mem::take(&mut self.parts) {
            edit.part(part);
        }
        for Planned { part, edit: LineEdit { lines, texts }, .. } in in_order(std::mem::take(&mut self.edits)) {
            if self.lines.texts(lines.clone()).eq(texts.iter().map(String::as_str)) {
                continue;
            }
            if lines.is_empty() {
                edit.for_part(part).insert_lines(self.doc, self.lines.start(lines.start), &texts, Promise::Lines);
                continue;
            }
            let replaced: Vec<Line> = lines.clone().map(|line| self.doc.lines().line(self.doc.text(), line)).collect();
            let text = replacing_lines(self.doc, &replaced, &texts);
            edit.for_part(part).replace(self.lines.span(&lines), text, Promise::Lines);
        }
        let has_sections = !self.sections.is_empty();
        let promised = std::mem::take(&mut self.sections).compose(self.doc, &mut edit);
        edit.heal(healed);
        let edit = edit.finish()?;
        check_promised(&promised, self.doc, &edit)?;
        // What is written into a section stays in it, if nothing else is.
        let may_leave = self.writes_structure || has_sections;
        let anchored = self.anchored.iter().filter(|anchored| may_leave || !anchored.is_plain);
        let mut new = None;
        for Anchored { part, scope, .. } in anchored {
            let new = new.get_or_insert_with(|| made(self.doc, &edit));
            anchored::check(&self.lines, &edit, new, (*part, scope))
                .map_err(|refusal| RequestError::of(*part, refusal))?;
        }
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
fn looks_doubtful(lines: &DocLines<'_>, hunk: &Hunk, scope: &HunkScope<'_>) -> bool {
    let is_full = |line: &HunkLine| line.op != LineOp::Context && is_marked(&line.text, NumberMarker::None);
    let bare =
        hunk.lines.iter().filter(|line| line.op == LineOp::Delete).filter_map(|line| line.text.strip_prefix(' '));
    let mut bare = bare.filter(|text| !is_marked(text, NumberMarker::None));
    hunk.lines.iter().any(is_full)
        && bare.any(|text| {
            let sought = [SoughtLine { text, may_be_content: true }];
            lines.find(&sought, &scope.range(), Comparison::Exact).iter().any(|run| !run.contents.is_empty())
        })
}

fn unique(mut healed: Vec<Rung>) -> Vec<Rung> {
    let mut seen = Vec::new();
    healed.retain(|rung| {
        let is_new = !seen.contains(rung);
        seen.push(*rung);
        is_new
    });
    healed
}
