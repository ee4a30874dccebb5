//! What must hold when one section is merged into another, and when a slot is set or removed.

use memdoc::request::patch::{SectionOp, SectionPlace};
use memdoc::{
    Authority, Commit, MemoryDoc, Request, Timestamp, View, document::BulletRef, document::SectionRef, edit::Warning,
    request::MergeSections, request::SlotOp,
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
pub fn check_merge(source: SectionRef<'_>, target: SectionRef<'_>) -> bool {
    let (doc, request) = (source.doc(), MergeSections::new(source.path(), target.path()));
    let Some((commit, warnings)) = committed(doc, &request) else { return false };
    let dropped: Vec<usize> = warnings.iter().flat_map(dropped_lines).collect();
    let is_dropped = |bullet: BulletRef<'_>| dropped.contains(&bullet.ancestors().last().unwrap().line_number());
    let (gone, kept): (Vec<_>, Vec<_>) = doc.bullets().partition(|bullet| is_dropped(*bullet));
    assert_eq!(gone.iter().filter(|bullet| bullet.depth() == 0).count(), dropped.len());
    let sorted = |mut said: Vec<Reading>| {
        said.sort();
        said
    };
    let expected = sorted(kept.into_iter().map(reading).collect());
    let found = sorted(commit.doc.bullets().map(reading).collect());
    assert_eq!(found, expected, "bullets are lost or made\n{:?}\n{:?}", doc.text(), commit.doc.text());
    for (content, checkbox, tags, _) in gone.into_iter().map(reading) {
        let holds =
            |twin: &Reading| twin.0 == content && twin.1 == checkbox && tags.iter().all(|tag| twin.2.contains(tag));
        assert!(found.iter().any(holds), "nothing says {content:?} any more\n{:?}", commit.doc.text());
    }
    check_other_sections(&commit.doc, source, target);
    true
}

/// The lines that a warning counts.
fn dropped_lines(warning: &Warning) -> Vec<usize> {
    if warning.code == "duplicates_dropped" { warning.lines.clone() } else { Vec::new() }
}

/// Content, checkbox, tags, depth.
type Reading = (String, String, Vec<String>, usize);

fn reading(bullet: BulletRef<'_>) -> Reading {
    let checkbox = bullet.checkbox().map(str::to_lowercase).unwrap_or_default();
    let tags = bullet.tags().into_iter().map(str::to_owned).collect();
    (bullet.folded_content().into_owned(), checkbox, tags, bullet.depth())
}

/// Sections that take no part in a merge keep heading and body, but for the blank lines that set them apart; IDs stay.
fn check_other_sections(new: &MemoryDoc, source: SectionRef<'_>, target: SectionRef<'_>) {
    let old = source.doc();
    let words = |section: SectionRef<'_>| {
        let body = section.body.of(section.doc().text()).trim_end_matches(['\n', '\r', ' ', '\t']).to_owned();
        (section.line_text().trim_end_matches('\r').to_owned(), body)
    };
    let is_apart = |other: &SectionRef<'_>| *other != target && !other.ancestors().any(|above| above == source);
    let mut found: Vec<_> = new.sections().map(words).collect();
    assert_eq!(found.len() + 1, old.outline().sections.len(), "{:?}\n{:?}", old.text(), new.text());
    for apart in old.sections().filter(is_apart).map(words) {
        let place = found.iter().position(|section| *section == apart);
        let place = place.unwrap_or_else(|| panic!("{apart:?} has changed\n{:?}\n{:?}", old.text(), new.text()));
        found.remove(place);
    }
    let ids = |doc: &MemoryDoc| {
        let mut ids: Vec<_> = doc.blocks().map(|block| block.id().to_owned()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(old), ids(new));
}

/// A slot that is set has the value, one that is removed is gone; the other slots and all below the front matter stay.
pub fn check_slot(doc: &MemoryDoc, name: &str, value: Option<&str>) -> bool {
    let request = value.map_or_else(|| SlotOp::remove(name), |value| SlotOp::set(name, value));
    let Some((commit, _)) = committed(doc, &request) else { return false };
    let below = &doc.text()[doc.outline().body_start..];
    assert!(commit.doc.text().ends_with(below), "{:?}\n{:?}", doc.text(), commit.doc.text());
    let is_meant = |slot: &(String, String)| slot.0.to_lowercase() == name.trim().to_lowercase();
    let slots = |doc: &MemoryDoc| {
        let text = |span: memdoc::text::Span| span.of(doc.text()).to_owned();
        doc.outline().slots.iter().map(|slot| (text(slot.name), text(slot.value))).collect::<Vec<_>>()
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
pub fn check_transfer(section: SectionRef<'_>, parent: SectionRef<'_>, is_first: bool) -> bool {
    let (doc, under) = (section.doc(), parent.path());
    let place = if is_first { SectionPlace::First(Some(under.into())) } else { SectionPlace::Last(Some(under.into())) };
    let request = SectionOp::Move { section: section.path().into(), place };
    let Some((commit, _)) = committed(doc, &request) else { return false };
    let said = |doc: &MemoryDoc| {
        let bullets = doc.bullets().map(|bullet| format!("{:?}", reading(bullet)));
        let titles = doc.sections().map(|section| section.title().to_owned());
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
    let is_there = commit.doc.sections().filter(|other| other.title() == parent.title()).any(|parent| {
        let mut children = commit.doc.sections().filter(|child| child.parent() == Some(parent));
        let end = if is_first { children.next() } else { children.next_back() };
        end.is_some_and(|end| end.title() == section.title())
    });
    assert!(is_there, "{request:?}\n{:?}\n{:?}", doc.text(), commit.doc.text());
    true
}
