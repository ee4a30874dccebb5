//! `merge_sections`: merges one section into another.
//!
//! A bullet is a duplicate only if the target has it with the same checkbox, tags and children. Bullets in blocks or below
//! labels are never duplicates. Subsections go behind those of the target. Their levels change as the source's level would.

use std::collections::HashSet;

use super::place::Siblings;
use super::resolve::too_many_levels;
use crate::document::{BulletRef, NodeRef, SectionRef, fold_content};
use crate::edit::compose::{Lists, Merge, loose_bullets, too_deep};
use crate::edit::{Edit, Part, PartStatus, Warning, named_lines};
use crate::locate::{Code, Names};
use crate::request::{Argument, Refusal, Request, RequestError, View};
use crate::text::{Content, Line, Span, excerpt, visible};

/// Merges one section into another: the text below its heading is moved behind the other's body, without exact duplicates,
/// and the section is removed.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Request, Timestamp, View, request::MergeSections};
///
/// let doc = MemoryDoc::parse("## Food\n- Likes tea\n\n## Drinks\n- Likes tea\n- Hates milk\n");
/// let edit = MergeSections::new("Drinks", "Food").plan(&View::current(&doc, Timestamp::default()))?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
/// assert_eq!(commit.doc.text(), "## Food\n- Likes tea\n- Hates milk\n");
/// assert_eq!(commit.receipt.warnings[0].code, "duplicates_dropped");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeSections {
    /// The title or path of the section that is merged and removed.
    pub source: Content,
    /// The title or path of the section that it is merged into.
    pub target: Content,
}

impl MergeSections {
    /// Merges `source` into `target`.
    pub fn new(source: impl Into<Content>, target: impl Into<Content>) -> Self {
        Self { source: source.into(), target: target.into() }
    }
}

impl Request for MergeSections {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let (doc, names) = (view.doc, Names::new(view.doc));
        let (source, target) = (names.section(&self.source, doc.span())?, names.section(&self.target, doc.span())?);
        check_places(source.at, target.at)?;
        check_subsections(source.at, target.at)?;
        let (source, target) = (source.at, target.with_earlier(source.healed));
        let merge = Merge { source, target: target.at, dropped: duplicates(source, target.at) };
        if let Some(line) = too_deep(doc, Span::new(source.body.end(), source.extent.end()), merge.deeper()) {
            return Err(too_many_levels(line).into());
        }
        let edit = merge.edit().map_err(|flaw| Refusal::impossible(Code::InvalidText, flaw))?;
        let lines: Vec<_> = merge.dropped.into_iter().map(NodeRef::line_number).collect();
        let warning = (!lines.is_empty()).then(|| {
            let message = format!("what the target has already was dropped: {}", named_lines(&lines));
            Warning::new("duplicates_dropped", message).about(lines)
        });
        // A bullet that is dropped counts as already applied: the target has it.
        let there = warning.as_ref().map(|_| Part::new(PartStatus::AlreadyApplied));
        let merged = Part::new(PartStatus::Applied).with_healed(target.healed).with_warnings(warning);
        Ok(edit.with_parts([merged].into_iter().chain(there).collect()))
    }
}

/// Refuses a target that is inside of the source, and a source with an ID, which would be lost.
fn check_places(source: SectionRef<'_>, target: SectionRef<'_>) -> Result<(), Refusal> {
    if target.ancestors().any(|around| around == source) {
        let found = "the source itself or one of its subsections";
        return Err(Refusal::invalid(Argument::IntoSection, "a section outside the source", found));
    }
    let Some(block) = source.block() else { return Ok(()) };
    let id = visible(&excerpt(block.id(), 80));
    let why = format!("the ID `{id}` of the section on line {} would be gone", block.line_number());
    Err(Refusal::impossible(Code::LostIds, why))
}

/// Refuses a subsection whose title a subsection of the target has, and one that would become a child of the target's last
/// subsection.
fn check_subsections(source: SectionRef<'_>, target: SectionRef<'_>) -> Result<(), Refusal> {
    let siblings = Siblings::new(source.doc());
    for moved in siblings.of(Some(source)).iter() {
        let title = moved.title();
        // A subsection that looks like a reserved one is left to the guard.
        if moved.reserved_name().is_none()
            && let Some(other) = siblings.called(Some(target), title).iter().find(|other| **other != source)
        {
            let (line, other) = (moved.line_number(), other.line_number());
            let why = format!("both sections have a subsection `{title}`: on line {line} and on line {other}");
            return Err(Refusal::impossible(Code::DuplicateSection, why));
        }
    }
    let last = siblings.of(Some(target)).iter().rfind(|last| **last != source);
    match siblings.of(Some(source)).first().zip(last) {
        Some((first, last)) if first.level - source.level > last.level - target.level => {
            let (line, other) = (first.line_number(), last.line_number());
            let why = format!("the subsection on line {line} would stand below the one on line {other}");
            Err(Refusal::impossible(Code::InvalidText, why))
        }
        _ => Ok(()),
    }
}

/// Returns the bullets of the source that the target has with the same content, checkbox, tags and children. Bullets
/// below a label do not count.
fn duplicates<'a>(source: SectionRef<'a>, target: SectionRef<'a>) -> Vec<BulletRef<'a>> {
    let lists = Lists::new(source.doc());
    let wording = |bullet: BulletRef<'a>| wording(bullet, lists.own_number(bullet));
    let has_no_label = |bullet: &BulletRef<'a>| bullet.label().is_none();
    let known: HashSet<_> = loose_bullets(target).filter(has_no_label).map(wording).collect();
    loose_bullets(source).filter(has_no_label).filter(|bullet| known.contains(&wording(*bullet))).collect()
}

/// Returns the text of a bullet to compare: number, checkbox, tags, content, and the lines of its children, indented
/// relative to the bullet.
fn wording(bullet: BulletRef<'_>, number: Option<&str>) -> Vec<String> {
    let text = bullet.doc().text();
    let indentation = bullet.indentation().of(text);
    let mut wording = vec![number.unwrap_or_default().to_owned(), fold_content(&bullet.wording()).into_owned()];
    for child in bullet.children() {
        let lines = Line::texts_within(text, child.extent);
        wording.extend(lines.map(|line| line.strip_prefix(indentation).unwrap_or(line).trim_end().to_owned()));
    }
    wording
}
