//! `merge_sections`: one section goes into another.
//!
//! Where SPEC is silent: a bullet counts as a duplicate only if nothing of it is lost, that is, if the target has one of the
//! same content and checkbox with all its tags and children. Bullets of blocks are no duplicates, and two of the source are
//! none of each other. Subsections go behind those of the target, with their headings' levels shifted.

use std::collections::{BTreeSet, HashMap};

use super::super::{Refusal, Request, RequestError, View};
use super::siblings::Siblings;
use crate::document::{BulletId, MemoryDoc, SectionId};
use crate::edit::compose::{Merge, loose_bullets};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Warning};
use crate::locate::Names;
use crate::text::{Content, Lines, fold_white_space};

/// How many different bullets of one content a bullet is compared with; behind them, it is kept.
const COMPARED: usize = 32;

/// Merges one section into another: what stands below its heading goes behind the other's body, but for exact duplicates, and
/// the section is gone.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, MergeSections, Request, Timestamp, View};
///
/// let doc = MemoryDoc::parse("## Food\n- Likes tea\n\n## Drinks\n- Likes tea\n- Hates milk\n");
/// let edit = MergeSections::new("Drinks", "Food").plan(&View::current(&doc, Timestamp::default()))?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
/// assert_eq!(commit.doc.text(), "## Food\n- Likes tea\n- Hates milk\n");
/// assert_eq!(commit.receipt.warnings[0].code(), "duplicates_dropped");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeSections {
    /// The title or path of the section that goes.
    pub source: Content,
    /// The title or path of the section that it goes into.
    pub target: Content,
}

impl MergeSections {
    /// Merges `source` into `target`.
    pub fn new(source: impl Into<Content>, target: impl Into<Content>) -> Self {
        Self { source: source.into(), target: target.into() }
    }

    fn resolve(&self, doc: &MemoryDoc, edit: &mut EditBuilder) -> Result<(), Refusal> {
        let names = Names::new(doc);
        let (source, target) = (names.section(&self.source, doc.span())?, names.section(&self.target, doc.span())?);
        check_places(doc, source.at, target.at)?;
        check_subsections(doc, source.at, target.at)?;
        let Some(merge) = Merge::new(doc, source.at, target.at, duplicates(doc, source.at, target.at)) else {
            return Ok(());
        };
        let start = |id: BulletId| doc.outline().bullet(id).map_or(0, |bullet| bullet.line.start());
        let lines: Vec<_> = merge.dropped().into_iter().map(|id| doc.line_number(start(id))).collect();
        let warning = (!lines.is_empty()).then_some(Warning::DuplicatesDropped { lines });
        let healed = [source.healed, target.healed].concat();
        edit.part(Part::new(PartStatus::Applied).with_healed(healed).with_warnings(warning));
        Ok(merge.compose(edit, 0)?)
    }
}

impl Request for MergeSections {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let mut edit = EditBuilder::new(view.doc);
        self.resolve(view.doc, &mut edit).map_err(|refusal| RequestError::of(0, refusal))?;
        edit.finish().map_err(|overlap| RequestError::of(overlap.first, overlap))
    }
}

/// Refuses a target in the source, and a source whose ID would be gone.
fn check_places(doc: &MemoryDoc, source: SectionId, target: SectionId) -> Result<(), Refusal> {
    let found = match target == source {
        true => Some("the source itself"),
        false => doc.outline().ancestors(target).any(|id| id == source).then_some("one of its subsections"),
    };
    if let Some(found) = found {
        let expected = "a section outside the source";
        return Err(Refusal::InvalidArgument { argument: "target", expected, found: found.into() });
    }
    let section = doc.outline().section(source);
    match section.and_then(|section| Some((section.line, section.block?))) {
        None => Ok(()),
        Some((line, block)) => {
            let (id, line) = (doc.block_id(block).to_owned(), doc.line_number(line.start()));
            Err(Refusal::LostId { id: id.into(), line })
        }
    }
}

/// Refuses subsections of which the target has one of the same title.
fn check_subsections(doc: &MemoryDoc, source: SectionId, target: SectionId) -> Result<(), Refusal> {
    let siblings = Siblings::new(doc);
    for moved in siblings.of(Some(source)).iter() {
        let title = doc.section_title(*moved);
        // One that passes for a reserved one is the guard's business.
        if doc.rules().reserved_name(title).is_none()
            && let Some(other) = siblings.called(Some(target), title, Some(source))
        {
            let line =
                |id: SectionId| doc.line_number(doc.outline().section(id).map_or(0, |section| section.line.start()));
            return Err(Refusal::SameSubsection { title: title.into(), line: line(*moved), other: line(other) });
        }
    }
    Ok(())
}

/// Returns the bullets of the source of which the target has all.
fn duplicates(doc: &MemoryDoc, source: SectionId, target: SectionId) -> Vec<BulletId> {
    let mut known: HashMap<String, Vec<Said>> = HashMap::new();
    for id in loose_bullets(doc, target) {
        let (said, of_content) = (Said::by(doc, id), known.entry(doc.folded_content(id).into_owned()).or_default());
        if of_content.len() < COMPARED && !of_content.contains(&said) {
            of_content.push(said);
        }
    }
    let is_known = |id: &BulletId| {
        let of_content = known.get(&*doc.folded_content(*id));
        of_content.is_some_and(|twins| {
            let said = Said::by(doc, *id);
            twins.iter().any(|twin| twin.holds(&said))
        })
    };
    loose_bullets(doc, source).into_iter().filter(is_known).collect()
}

/// What a bullet says beside its content.
#[derive(PartialEq, Eq)]
struct Said {
    checkbox: Option<String>,
    tags: BTreeSet<String>,
    /// The lines of each child, as far in as they stand from the bullet.
    children: BTreeSet<Vec<String>>,
}

impl Said {
    fn by(doc: &MemoryDoc, id: BulletId) -> Self {
        let (text, outline) = (doc.text(), doc.outline());
        let bullet = outline.bullet(id);
        let checkbox = bullet.and_then(|bullet| bullet.checkbox).map(|checkbox| checkbox.of(text).to_lowercase());
        let indentation = bullet.map_or("", |bullet| bullet.indentation().of(text));
        let unindented = |line: &str| line.strip_prefix(indentation).unwrap_or(line).to_owned();
        let lines = |child: BulletId| {
            let extent = outline.bullet(child).map(|child| child.extent);
            let lines = extent.into_iter().flat_map(|extent| Lines::within(text, extent));
            lines.map(|line| unindented(line.text.of(text))).collect()
        };
        let tags = doc.tags(id).into_iter().map(|tag| fold_white_space(tag).into_owned()).collect();
        Self { checkbox, tags, children: outline.children(id).map(lines).collect() }
    }

    /// Reports whether it says all that `other` says.
    fn holds(&self, other: &Self) -> bool {
        self.checkbox == other.checkbox && other.tags.is_subset(&self.tags) && other.children.is_subset(&self.children)
    }
}
