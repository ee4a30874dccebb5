//! The plan of a patch: locates each part in the document as it was seen, then composes all.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashSet;

use super::super::section::{SectionOp, SectionWork, Siblings, Step, check_promised, resolve};
use super::super::{Refusal, RequestError};
use super::anchor::HunkScope;
use super::search::{doubtful, is_marked, is_plain, loses_space};
use super::write::{LineEdit, Written};
use super::{Hunk, HunkLine, LineOp};
use crate::document::{Healing, MemoryDoc, SectionRef, heading};
use crate::edit::compose::replacing_lines;
use crate::edit::{Edit, EditBuilder, Overlap, Part, PartStatus, Promise, Warning};
use crate::locate::{Code, DocLines, Found as Located, Leniency, LocateError, Names, Scope, unescape};
use crate::text::{Content, Line, Span, fold_name, is_blank};

/// An edit of lines, and where it goes among those at its place.
struct Planned {
    part: usize,
    edit: LineEdit,
    promise: Promise,
    /// The first line of the scope that it is appended to, if it is.
    appended_to: Option<usize>,
}

impl Planned {
    /// Returns what orders the edits at one place: what begins with a heading goes behind all that does not; what follows its
    /// context goes first, then the innermost.
    fn order(&self) -> impl Ord + use<> {
        let LineEdit { lines, texts } = &self.edit;
        let first = texts.iter().find(|line| !is_blank(line));
        let is_headed = lines.is_empty() && first.is_some_and(|line| heading(line).is_some());
        (lines.start, lines.end, is_headed, self.appended_to.map(Reverse), self.part)
    }
}

/// What the parts of a patch do with the text, each part by its number.
#[derive(Debug, Default)]
struct Uses {
    /// What it rewrites, removes or moves away.
    changed: Vec<(usize, Span)>,
    /// What it counts on as it stands: its context, its anchor, the section beside which it writes one, or what tells that it
    /// has been applied.
    needed: Vec<(usize, Span)>,
}

impl Uses {
    /// Checks that no part changes what another one changes or counts on.
    fn check(mut self) -> Result<(), Overlap> {
        let overlap = |(one, _): (usize, Span), (other, span): (usize, Span)| Overlap {
            first: one.min(other),
            second: one.max(other),
            span,
        };
        let clash = |one: (usize, Span), other: (usize, Span)| one.0 != other.0 && one.1.overlaps(other.1);
        self.changed.sort_by_key(|(_, span)| span.start());
        for pair in self.changed.windows(2) {
            if let [one, next] = *pair
                && clash(one, next)
            {
                return Err(overlap(one, next));
            }
        }
        for needed in self.needed {
            let behind = self.changed.partition_point(|(_, span)| span.end() <= needed.1.start());
            let near = self.changed.iter().skip(behind).take_while(|(_, span)| span.start() < needed.1.end());
            if let Some(changed) = near.copied().find(|changed| clash(*changed, needed)) {
                return Err(overlap(changed, needed));
            }
        }
        Ok(())
    }
}

/// A plan that is being made.
pub(super) struct Planner<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) lines: DocLines<'a>,
    pub(super) names: Names<'a>,
    sections: SectionWork<'a>,
    /// Whether text is read and written less exactly than it was sent.
    pub(super) heals: bool,
    parts: Vec<Part>,
    edits: Vec<Planned>,
    uses: Uses,
    siblings: OnceCell<Siblings<'a>>,
    /// The titles that the patch gives to sections, by parent.
    titles: HashSet<(Option<SectionRef<'a>>, String)>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(doc: &'a MemoryDoc) -> Self {
        Self {
            doc,
            lines: DocLines::new(doc),
            names: Names::new(doc),
            sections: SectionWork::default(),
            heals: doc.policy().healing == Healing::Narrow,
            parts: Vec::new(),
            edits: Vec::new(),
            uses: Uses::default(),
            siblings: OnceCell::new(),
            titles: HashSet::new(),
        }
    }

    /// Notes that a section of `parent` gets this title; refuses one that another part has given already.
    fn give_title(&mut self, parent: Option<SectionRef<'a>>, title: &str) -> Result<(), Refusal> {
        if self.titles.insert((parent, fold_name(title))) {
            return Ok(());
        }
        let why = format!("another part of the patch gives a section the title `{title}` too");
        Err(Refusal::impossible(Code::DuplicateSection, why))
    }

    /// Locates a hunk, and notes what it writes.
    pub(super) fn hunk(&mut self, number: usize, hunk: &Hunk) -> Result<(), Refusal> {
        let Located { at: scope, mut healed } = self.scope(hunk)?;
        let mut written = self.plan_hunk(hunk, &scope);
        if let Err(Refusal::Locate(LocateError::NotFound { .. })) = &written
            && let Some(unescaped) = unescaped(hunk).filter(|_| self.heals)
            && let Ok(plain) = self.plan_hunk(&unescaped, &scope)
        {
            healed.push(Leniency::Escapes);
            written = Ok(plain);
        }
        let mut written = written?;
        let is_appended = written.needed.is_empty();
        if !scope.is_document() {
            written.needed.push(scope.start..scope.start + 1);
        }
        let promise = match scope.part {
            Scope::Section(_) | Scope::Block(_) | Scope::Label(_) | Scope::Bullet(_) => Promise::Below(scope.start),
            _ => Promise::Lines,
        };
        for edit in written.edits {
            let appended_to = (is_appended && edit.lines.is_empty()).then_some(scope.start);
            if !edit.lines.is_empty() {
                self.uses.changed.push((number, self.lines.span(&edit.lines)));
            }
            self.edits.push(Planned { part: number, edit, promise, appended_to });
        }
        self.uses.needed.extend(written.needed.iter().map(|lines| (number, self.lines.span(lines))));
        healed.extend(written.healed);
        let ignored = "line numbers were ignored; places are found by their text";
        let warnings = hunk.has_line_numbers.then(|| Warning::new("line_numbers_ignored", ignored));
        self.parts.push(Part::new(written.status).with_healed(healed).with_warnings(warnings));
        Ok(())
    }

    /// Resolves a hunk's anchors, outermost first.
    fn scope(&self, hunk: &Hunk) -> Result<Located<HunkScope<'a>>, Refusal> {
        let document = Located { at: HunkScope::document(&self.lines), healed: Vec::new() };
        let scope = hunk
            .anchors
            .iter()
            .try_fold(document, |around, anchor| Ok(self.anchor_scope(anchor, &around.at)?.behind(around.healed)));
        scope.map_err(|mut error: LocateError| {
            if let LocateError::Ambiguous { matches, .. } = &mut error {
                self.offer_places(hunk, matches);
            }
            error.into()
        })
    }

    /// Finds out what a hunk does in its scope.
    fn plan_hunk(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Result<Written, Refusal> {
        let is_idle = |line: &HunkLine| {
            is_blank(&line.text)
                && match line.op {
                    LineOp::Context => true,
                    LineOp::Add => !hunk.is_at_end_of_file,
                    LineOp::Delete => false,
                }
        };
        if hunk.lines.iter().all(is_idle) {
            return Ok(Written::nothing(PartStatus::NoChange, Vec::new()));
        }
        let has = |op| hunk.lines.iter().any(|line| line.op == op);
        let mut written = if !has(LineOp::Context) && !has(LineOp::Delete) {
            let (found, beside) = self.append(hunk, scope)?;
            self.write(hunk, &found, beside.as_ref())?
        } else if let Some(found) = self.search(hunk, scope)? {
            self.write(hunk, &found, None)?
        } else if let Some(stands) = self.stands_as_sent(hunk, scope) {
            return Ok(Written::nothing(PartStatus::AlreadyApplied, vec![stands]));
        } else if let Some(found) = self.find_apart(hunk, scope) {
            let mut all = Written::nothing(PartStatus::Applied, Vec::new());
            for found in found {
                let written = self.write(hunk, &found, None)?;
                all.edits.extend(written.edits);
                all.healed.extend(written.healed);
            }
            all
        } else if self.heals && looks_doubtful(hunk) {
            return Err(doubtful(hunk).into());
        } else {
            return Err(self.not_found(hunk, scope));
        };
        if has(LineOp::Add)
            && !has(LineOp::Delete)
            && let Some(stands) = self.insertion_stands(scope, &written.edits, has(LineOp::Context))
        {
            return Ok(Written::nothing(PartStatus::AlreadyApplied, [stands, written.needed].concat()));
        }
        // Lines that stay as they are are needed as context is.
        let same: Vec<_> = written.edits.extract_if(.., |edit| self.is_same(edit)).map(|edit| edit.lines).collect();
        written.needed.extend(same);
        if written.edits.is_empty() {
            return Ok(Written::nothing(PartStatus::NoChange, written.needed));
        }
        Ok(written)
    }

    /// Reports whether an edit writes what stands there.
    fn is_same(&self, edit: &LineEdit) -> bool {
        self.lines.texts(edit.lines.clone()).eq(edit.texts.iter().map(String::as_str))
    }

    /// Resolves a section operation, and notes what it takes or changes, and what it counts on.
    pub(super) fn section(&mut self, part: usize, op: &SectionOp) -> Result<(), Refusal> {
        let (op, healed) = if self.heals { as_written(op) } else { (Cow::Borrowed(op), Vec::new()) };
        let siblings = self.siblings.get_or_init(|| Siblings::new(self.doc));
        let resolved = resolve(&op, &self.names, siblings, &|section| self.sections.deletes(section))?;
        self.parts.push(resolved.part().with_healed(healed));
        let named = |name: &str| {
            let found = self.names.without_help(|| self.names.section(name, self.doc.span()));
            found.ok().map(|found| found.at)
        };
        let (mut changed, mut needed) = (None, vec![op.neighbor().and_then(named)]);
        match &resolved.step {
            // Where it is to be, or as it is to be called, it is already: no other part may change that.
            Step::Settled(_) => {
                if let SectionOp::Move { section, .. } | SectionOp::Rename { section, .. } = &*op {
                    let section = named(section);
                    needed.extend([section, section.and_then(SectionRef::parent)]);
                }
            }
            Step::Delete(section) => changed = Some(section.extent),
            Step::Rename { section, parent, title } => {
                self.give_title(*parent, title)?;
                changed = Some(section.line);
            }
            Step::Add { title, spot, .. } => {
                self.give_title(spot.parent, title)?;
                needed.push(spot.parent);
            }
            Step::Move { section, spot } => {
                if spot.parent != section.parent() {
                    self.give_title(spot.parent, section.title())?;
                }
                changed = Some(section.extent);
                needed.push(spot.parent);
            }
        }
        self.uses.changed.extend(changed.map(|span| (part, span)));
        self.uses.needed.extend(needed.into_iter().flatten().map(|section| (part, section.line)));
        self.sections.push(part, resolved.step);
        Ok(())
    }

    /// Composes the edit.
    pub(super) fn finish(mut self, healed: &[Leniency]) -> Result<Edit, RequestError> {
        self.uses.check()?;
        let mut edit = EditBuilder::new(self.doc);
        for part in self.parts {
            edit.part(part);
        }
        self.edits.sort_by_key(Planned::order);
        for Planned { part, edit: LineEdit { lines, texts }, promise, .. } in &self.edits {
            let mut edit = edit.for_part(*part);
            if lines.is_empty() {
                edit.insert_lines(self.doc, self.lines.start(lines.start), texts, *promise);
            } else {
                let replaced: Vec<Line> = lines.clone().map(|line| self.doc.line(line)).collect();
                edit.replace(self.lines.span(lines), replacing_lines(self.doc, &replaced, texts), *promise);
            }
        }
        let promised = self.sections.compose(self.doc, &mut edit);
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
    let is_bare = |text: &str| text.strip_prefix(' ').is_some_and(|text| !is_marked(text) && !is_blank(text));
    hunk.lines.iter().any(|line| line.op != LineOp::Context && is_marked(&line.text))
        && hunk.lines.iter().any(|line| line.op == LineOp::Delete && is_bare(&line.text))
}

/// Returns an operation with the lines of a new section as they are written: without the space that all of them begin with,
/// and as bullets if each is plain.
fn as_written(op: &SectionOp) -> (Cow<'_, SectionOp>, Vec<Leniency>) {
    let SectionOp::Add { title, lines, place } = op else { return (Cow::Borrowed(op), Vec::new()) };
    if !loses_space(lines.iter().map(Content::as_str)) {
        return (Cow::Borrowed(op), Vec::new());
    }
    let mut lines: Vec<Content> = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).into()).collect();
    let mut healed = vec![Leniency::Spaced];
    let mut full: Vec<&mut Content> = lines.iter_mut().filter(|line| !is_blank(line)).collect();
    if full.first().is_some_and(|line| heading(line).is_some()) {
        full.remove(0);
    }
    if full.iter().all(|line| is_plain(line)) {
        full.into_iter().for_each(|line| *line = format!("- {line}").into());
        healed.push(Leniency::BulletForm);
    }
    (Cow::Owned(SectionOp::Add { title: title.clone(), lines, place: place.clone() }), healed)
}
