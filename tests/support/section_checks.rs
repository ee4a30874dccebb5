//! What must hold when one section is merged into another, and when a slot is set or removed.

use memdoc::patch::{SectionOp, SectionPlace};
use memdoc::{
    Authority, BulletId, Commit, MemoryDoc, MergeSections, Request, SectionId, SlotOp, Timestamp, View, Warning,
};

use super::checks;

/// Plans and commits a request, with all that must hold of every commit; `None` if it is refused or changes nothing.
fn committed(doc: &MemoryDoc, request: &dyn Request) -> Option<(Commit, Vec<Warning>)> {
    let edit = request.plan(&View::current(doc, Timestamp::default())).ok()?;
    let warnings = edit.parts().iter().flat_map(|part| part.warnings.clone()).collect();
    checks::check_commit(doc, &edit, Authority::Agent).map(|commit| (commit, warnings))
}

/// A merge loses no bullet but those that it counts, which the target has; the source is gone, and what stands elsewhere is
/// as it was. Returns whether it was made.
pub fn check_merge(doc: &MemoryDoc, source: SectionId, target: SectionId) -> bool {
    let request = MergeSections::new(doc.section_path(source), doc.section_path(target));
    let Some((commit, warnings)) = committed(doc, &request) else { return false };
    let dropped: Vec<usize> = warnings.iter().flat_map(dropped_lines).collect();
    let is_dropped = |id: BulletId| {
        let bullet = doc.outline().bullet(outermost(doc, id)).unwrap();
        dropped.contains(&doc.line_number(bullet.line.start()))
    };
    let all = |doc: &MemoryDoc| doc.outline().bullets_within(doc.span()).collect::<Vec<_>>();
    let (gone, kept): (Vec<_>, Vec<_>) = all(doc).into_iter().partition(|id| is_dropped(*id));
    assert_eq!(gone.iter().filter(|id| outermost(doc, **id) == **id).count(), dropped.len());
    let said = |doc: &MemoryDoc, ids: &[BulletId]| {
        let mut said: Vec<_> = ids.iter().map(|id| reading(doc, *id)).collect();
        said.sort();
        said
    };
    let (expected, found) = (said(doc, &kept), said(&commit.doc, &all(&commit.doc)));
    assert_eq!(found, expected, "bullets are lost or made\n{:?}\n{:?}", doc.text(), commit.doc.text());
    for (content, checkbox, tags, _) in gone.iter().map(|id| reading(doc, *id)) {
        let holds =
            |twin: &Reading| twin.0 == content && twin.1 == checkbox && tags.iter().all(|tag| twin.2.contains(tag));
        assert!(found.iter().any(holds), "nothing says {content:?} any more\n{:?}", commit.doc.text());
    }
    check_other_sections(doc, &commit.doc, (source, target));
    true
}

/// The lines that a warning counts.
fn dropped_lines(warning: &Warning) -> Vec<usize> {
    if let Warning::DuplicatesDropped { lines } = warning { lines.clone() } else { Vec::new() }
}

fn outermost(doc: &MemoryDoc, id: BulletId) -> BulletId {
    std::iter::successors(Some(id), |id| doc.outline().bullet(*id).and_then(|bullet| bullet.parent)).last().unwrap()
}

/// Content, checkbox, tags, depth.
type Reading = (String, String, Vec<String>, usize);

fn reading(doc: &MemoryDoc, id: BulletId) -> Reading {
    let bullet = doc.outline().bullet(id).unwrap();
    let checkbox = bullet.checkbox.map(|checkbox| checkbox.of(doc.text()).to_lowercase()).unwrap_or_default();
    let tags = doc.tags(id).into_iter().map(str::to_owned).collect();
    (doc.folded_content(id).into_owned(), checkbox, tags, bullet.depth)
}

/// Sections that take no part in a merge keep heading and body, but for the blank lines that set them apart; IDs stay.
fn check_other_sections(old: &MemoryDoc, new: &MemoryDoc, (source, target): (SectionId, SectionId)) {
    let words = |doc: &MemoryDoc, id: SectionId| {
        let section = doc.outline().section(id).unwrap();
        let body = section.body.of(doc.text()).trim_end_matches(['\n', '\r', ' ', '\t']).to_owned();
        (section.line.of(doc.text()).trim_end_matches(['\n', '\r']).to_owned(), body)
    };
    let is_apart = |id: &SectionId| *id != target && !old.outline().ancestors(*id).any(|above| above == source);
    let mut found: Vec<_> = new.outline().section_ids().map(|id| words(new, id)).collect();
    assert_eq!(found.len() + 1, old.outline().sections().len(), "{:?}\n{:?}", old.text(), new.text());
    for apart in old.outline().section_ids().filter(is_apart).map(|id| words(old, id)) {
        let place = found.iter().position(|section| *section == apart);
        let place = place.unwrap_or_else(|| panic!("{apart:?} has changed\n{:?}\n{:?}", old.text(), new.text()));
        found.remove(place);
    }
    let ids = |doc: &MemoryDoc| {
        let mut ids: Vec<_> = doc.outline().block_ids().map(|id| doc.block_id(id).to_owned()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(old), ids(new));
}

/// A slot that is set has the value, one that is removed is gone; the other slots and all below the front matter stay.
pub fn check_slot(doc: &MemoryDoc, name: &str, value: Option<&str>) -> bool {
    let request = value.map_or_else(|| SlotOp::remove(name), |value| SlotOp::set(name, value));
    let Some((commit, _)) = committed(doc, &request) else { return false };
    let below = &doc.text()[doc.outline().body_start()..];
    assert!(commit.doc.text().ends_with(below), "{:?}\n{:?}", doc.text(), commit.doc.text());
    let is_meant = |slot: &(String, String)| slot.0.to_lowercase() == name.trim().to_lowercase();
    let slots = |doc: &MemoryDoc| {
        let text = |span: memdoc::Span| span.of(doc.text()).to_owned();
        doc.outline().slots().iter().map(|slot| (text(slot.name), text(slot.value))).collect::<Vec<_>>()
    };
    let (before, mut after) = (slots(doc), slots(&commit.doc));
    if let Some(value) = value {
        assert!(after.iter().any(|slot| is_meant(slot) && slot.1 == value.trim()), "{:?}", commit.doc.text());
        assert!(after.len() == before.len() || before.iter().all(|slot| !is_meant(slot)));
        let again = committed(&commit.doc, &request).map(|(commit, _)| commit.doc);
        assert!(again.is_some_and(|again| again == commit.doc), "a slot that is set twice");
    } else {
        assert_eq!(after.len() + 1, before.len());
    }
    let mut others = before.into_iter().filter(|slot| !is_meant(slot)).collect::<Vec<_>>();
    after.retain(|slot| !is_meant(slot));
    others.sort();
    after.sort();
    assert_eq!(after, others);
    true
}

/// A move below another parent keeps all bullets, contents and titles, and the depth of what moves below its heading; it is
/// the last or the first of its parent then. Returns whether it was made.
pub fn check_transfer(doc: &MemoryDoc, (section, parent): (SectionId, SectionId), is_first: bool) -> bool {
    let under = doc.section_path(parent);
    let place = if is_first { SectionPlace::FirstUnder(under.into()) } else { SectionPlace::LastUnder(under.into()) };
    let request = SectionOp::Move { section: doc.section_path(section).into(), place };
    let Some((commit, _)) = committed(doc, &request) else { return false };
    let said = |doc: &MemoryDoc| {
        let bullets = doc.outline().bullets_within(doc.span()).map(|id| format!("{:?}", reading(doc, id)));
        let titles = doc.outline().section_ids().map(|id| doc.section_title(id).to_owned());
        let lines = doc
            .text()
            .trim_start_matches('\u{FEFF}')
            .split(['\n', '\r'])
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.replace('#', "").trim().to_owned());
        let mut said: Vec<_> = bullets.chain(titles).chain(lines).collect();
        said.sort();
        said
    };
    assert_eq!(said(&commit.doc), said(doc), "{:?}\n{:?}", doc.text(), commit.doc.text());
    let below = |doc: &MemoryDoc, id: SectionId| {
        doc.outline()
            .section_ids()
            .filter(|other| doc.outline().section(*other).unwrap().parent == Some(id))
            .collect::<Vec<_>>()
    };
    let title = doc.section_title(section);
    let is_there = commit.doc.outline().section_ids().any(|id| {
        let children = below(&commit.doc, id);
        let end = if is_first { children.first() } else { children.last() };
        commit.doc.section_title(id) == doc.section_title(parent)
            && end.is_some_and(|end| commit.doc.section_title(*end) == title)
    });
    assert!(is_there, "{request:?}\n{:?}\n{:?}", doc.text(), commit.doc.text());
    true
}
