//! `merge_sections`: one section goes into another.
//!
//! A bullet counts as a duplicate only if nothing of it is lost, that is, if the target has one of the
//! same content and checkbox with all its tags and children. Bullets of blocks are no duplicates, nor is what stands below a
//! line of prose, and two of the source are none of each other. Subsections go behind those of the target, with their headings' levels shifted.

use std::collections::HashMap;

use super::super::{Argument, Refusal, Request, RequestError, SectionRefusal, View};
use super::siblings::Siblings;
use crate::document::{BulletRef, MemoryDoc, NodeRef, SectionRef, fold_said};
use crate::edit::compose::{Merge, Merged, Stretches, TakenIn, loose_bullets, too_deep};
use crate::edit::{Edit, Part, PartStatus, Warning};
use crate::locate::Names;
use crate::text::{Content, Lines, Span, fold_white_space, sort};

/// How many different bullets of one content a bullet is compared with; behind them, it is kept.
const COMPARED: usize = 32;

/// Merges one section into another: what stands below its heading goes behind the other's body, but for exact duplicates, and
/// the section is gone.
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

    fn resolve(&self, doc: &MemoryDoc) -> Result<Edit, Refusal> {
        let names = Names::new(doc);
        let (source, target) = (names.section(&self.source, doc.span())?, names.section(&self.target, doc.span())?);
        check_places(source.at, target.at)?;
        check_subsections(source.at, target.at)?;
        let (source, target) = (source.at, target.behind(source.healed));
        let deeper = i16::from(target.at.level) - i16::from(source.level);
        if let Some(line) = too_deep(doc, Span::new(source.body.end(), source.extent.end()), deeper) {
            return Err(SectionRefusal::TooDeep { line }.into());
        }
        let merged = Merge::new(source, target.at).write(duplicates(source, target.at));
        let Merged { edit, dropped } =
            merged.map_err(|TakenIn { line, of }| SectionRefusal::Unmergeable { line, of })?;
        let lines: Vec<_> = dropped.into_iter().map(NodeRef::line_number).collect();
        let warning = (!lines.is_empty()).then_some(Warning::DuplicatesDropped { lines });
        Ok(edit.with_part(Part::new(PartStatus::Applied).with_healed(target.healed).with_warnings(warning)))
    }
}

impl Request for MergeSections {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        Ok(self.resolve(view.doc)?)
    }
}

/// Refuses a target in the source, and a source whose ID would be gone.
fn check_places(source: SectionRef<'_>, target: SectionRef<'_>) -> Result<(), Refusal> {
    let found = match target == source {
        true => Some("the source itself"),
        false => target.ancestors().any(|around| around == source).then_some("one of its subsections"),
    };
    if let Some(found) = found {
        return Err(Refusal::invalid(Argument::IntoSection, "a section outside the source", found));
    }
    match source.block() {
        None => Ok(()),
        Some(block) => Err(SectionRefusal::LostId { id: block.id().into(), line: block.line_number() }.into()),
    }
}

/// Refuses subsections of which the target has one of the same title.
fn check_subsections(source: SectionRef<'_>, target: SectionRef<'_>) -> Result<(), Refusal> {
    let siblings = Siblings::new(source.doc());
    for moved in siblings.of(Some(source)).iter() {
        let title = moved.title();
        // One that passes for a reserved one is the guard's business.
        if moved.reserved_name().is_none()
            && let Some(other) = siblings.called(Some(target), title, Some(source))
        {
            let (line, other) = (moved.line_number(), other.line_number());
            return Err(SectionRefusal::SameSubsection { title: title.into(), line, other }.into());
        }
    }
    Ok(())
}

/// Returns the bullets of the source of which the target has all.
fn duplicates<'a>(source: SectionRef<'a>, target: SectionRef<'a>) -> Vec<BulletRef<'a>> {
    let stretches = Stretches::new(source.doc());
    let content = |bullet: BulletRef<'a>| fold_said(&stretches.said(bullet)).into_owned();
    let is_led_by_heading = |bullet: &BulletRef<'a>| stretches.is_led_by_heading(*bullet);
    let mut known: HashMap<String, Vec<Said>> = HashMap::new();
    for bullet in loose_bullets(target).filter(is_led_by_heading) {
        let (said, of_content) = (Said::by(bullet), known.entry(content(bullet)).or_default());
        if of_content.len() < COMPARED && !of_content.contains(&said) {
            of_content.push(said);
        }
    }
    let is_known = |bullet: &BulletRef<'a>| {
        let of_content = known.get(&content(*bullet));
        of_content.is_some_and(|twins| {
            let said = Said::by(*bullet);
            twins.iter().any(|twin| twin.holds(&said))
        })
    };
    loose_bullets(source).filter(is_led_by_heading).filter(is_known).collect()
}

/// What a bullet says beside its content.
#[derive(PartialEq, Eq)]
struct Said {
    checkbox: Option<String>,
    /// The protected ones, and the others; each once, in order.
    tags: [Vec<String>; 2],
    /// The lines of each child, as far in as they stand from the bullet; each once, in order.
    children: Vec<Vec<String>>,
}

impl Said {
    fn by(bullet: BulletRef<'_>) -> Self {
        let text = bullet.doc().text();
        let indentation = bullet.indentation().of(text);
        let unindented = |line: &str| line.strip_prefix(indentation).unwrap_or(line).to_owned();
        let lines = |child: BulletRef<'_>| {
            Lines::within(text, child.extent).map(|line| unindented(line.text.of(text))).collect()
        };
        let (pins, others): (Vec<&str>, Vec<&str>) =
            bullet.tags().into_iter().partition(|tag| bullet.doc().policy().protects(tag));
        let folded =
            |tags: Vec<&str>| each_once(tags.into_iter().map(|tag| fold_white_space(tag).into_owned()).collect());
        let checkbox = bullet.checkbox().map(str::to_lowercase);
        let children = each_once(bullet.children().map(lines).collect());
        Self { checkbox, tags: [folded(pins), folded(others)], children }
    }

    /// Reports whether it says all that `other` says, for as long and of the same: with the same tags but for protected ones.
    fn holds(&self, other: &Self) -> bool {
        let ([pins, tags], [other_pins, other_tags]) = (&self.tags, &other.tags);
        self.checkbox == other.checkbox
            && tags == other_tags
            && are_among(other_pins, pins)
            && are_among(&other.children, &self.children)
    }
}

fn each_once<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    sort(&mut items);
    items.dedup();
    items
}

/// Reports whether all of these are among others, which are in order.
fn are_among<T: Ord>(these: &[T], others: &[T]) -> bool {
    these.iter().all(|item| others.binary_search(item).is_ok())
}
