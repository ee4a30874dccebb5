//! Sequences of edits to draw at random, by hand and by requests, undone ones included, and what must hold of their composition.

use memdoc::request::patch::Patch;
use memdoc::{
    Authority, Commit, Edit, MemoryDoc, Replace, Request, Timestamp, View, edit::EditBuilder, edit::Part,
    edit::PartStatus, locate::Selector, request::Annotation, request::Children, request::Destination,
    request::ItemEdit, request::ItemOp, request::ItemPlace, request::Items, request::NewItem, request::Rewrite,
    request::SectionOp, request::SectionPlace, request::SlotOp, text::Lines,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::checks;
use super::strategies::{self, Cut};

/// One edit before it is known which text it is made in.
#[derive(Clone, Debug)]
pub enum Move {
    /// Splices of any promise.
    Cuts(Vec<Cut>),
    /// A line is replaced.
    Replace(Index, String),
    /// Something is done with a bullet.
    Item(Index, u8, String),
    /// Lines from here on are kept, removed, or written behind.
    Hunk(Index, Vec<u8>, String),
    /// Something is done with a section.
    Section(Index, u8, String),
    /// A slot is set.
    Slot(String),
    /// The whole is written anew, its paragraphs in another order.
    Rewrite(u8),
    /// A commit of the sequence is taken back, over what came after it.
    Undo(Index),
}

/// A sequence of edits.
pub fn moves() -> impl Strategy<Value = Vec<Move>> {
    let line = || prop_oneof![3 => strategies::payload(), 1 => "[a-z]{1,4}"];
    let one = prop_oneof![
        3 => strategies::cuts(3).prop_map(Move::Cuts),
        2 => (any::<Index>(), line()).prop_map(|(at, text)| Move::Replace(at, text)),
        3 => (any::<Index>(), any::<u8>(), line()).prop_map(|(at, op, text)| Move::Item(at, op, text)),
        3 => (any::<Index>(), vec(any::<u8>(), 1..5), line()).prop_map(|(at, ops, text)| Move::Hunk(at, ops, text)),
        2 => (any::<Index>(), any::<u8>(), "[A-C]{1,2}").prop_map(|(at, op, text)| Move::Section(at, op, text)),
        1 => "[a-z]{1,2}".prop_map(Move::Slot),
        1 => any::<u8>().prop_map(Move::Rewrite),
        2 => any::<Index>().prop_map(Move::Undo),
    ];
    vec(one, 2..6)
}

/// A document of the usual kind, or one that breaks every rule of the kind.
pub fn document() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("## Facts\n- Lives in Denver\n- Likes tea\n  - green\n  - black\n"),
        Just("## Work\r\n- [work] Acme\r\n- [x] done\r\n\r\n"),
        Just("P: (ID: m)\n- a b\n- c\n\n"),
        Just("```\np\n  - c\nP: (ID: m)\n"),
        Just("```\ncode\n```\n\n"),
        Just("prose\nmore\n\n"),
        Just("1. one\n2. two\n10. ten\n"),
        Just("### Deep\n- deep\n"),
    ];
    let usual = vec(piece, 1..5).prop_map(|pieces| pieces.concat());
    let slots = usual.clone().prop_map(|text| format!("---\nname: Eve\n---\n{text}"));
    prop_oneof![3 => usual, 1 => slots, 3 => strategies::document(), 1 => strategies::guarded_document()]
}

impl Move {
    fn plan(&self, made: &[Made]) -> Option<Edit> {
        let doc = &made.last()?.after;
        let view = View::current(doc, Timestamp::default());
        let by = |request: &dyn Request| request.plan(&view).ok();
        match self {
            Self::Cuts(cuts) => Some(with_parts(doc, &strategies::edit(doc, cuts)?)),
            Self::Replace(at, text) => {
                let said: Vec<_> = lines(doc.text()).filter(|line| !line.is_empty()).collect();
                by(&Replace::new(*said.get(at.index(said.len().max(1)))?, text.as_str()))
            }
            Self::Item(at, op, text) => item(doc, *at, *op, text).and_then(|request| by(&*request)),
            Self::Hunk(at, ops, text) => {
                let patch: Patch = hunk(doc, *at, ops, text).parse().ok()?;
                by(patch.documents.first()?)
            }
            Self::Section(at, op, text) => by(&section(doc, *at, *op, text)?),
            Self::Slot(value) => by(&SlotOp::set("name", value.as_str())),
            Self::Rewrite(turn) => {
                let mut paragraphs: Vec<_> = doc.text().split_inclusive("\n\n").collect();
                let turn = usize::from(*turn) % paragraphs.len().max(1);
                paragraphs.rotate_left(turn);
                by(&Rewrite::new("tidy").with_candidate(paragraphs.concat()))
            }
            Self::Undo(which) => {
                let (_, commits) = made.split_first().filter(|(_, commits)| !commits.is_empty())?;
                let (taken, later) = commits.split_at(which.index(commits.len()) + 1);
                let inverse = &taken.last()?.commit.as_ref()?.inverse;
                let later = later.iter().filter_map(|made| made.edit.clone()).reduce(|first, next| first.then(&next));
                later.map_or_else(|| Some(inverse.clone()), |later| inverse.over(&later, doc).ok())
            }
        }
    }
}

fn item(doc: &MemoryDoc, at: Index, op: u8, text: &str) -> Option<Box<dyn Request>> {
    let bullets: Vec<_> = doc.bullets().collect();
    let key = |at: usize| Some(Selector::by_key(bullets.get(at % bullets.len().max(1))?.key().as_str()));
    let nth = at.index(bullets.len().max(1));
    let (target, other) = (key(nth)?, key(nth + usize::from(op) / 8)?);
    let is_even = op.is_multiple_of(2);
    let to = Destination::at(if is_even { ItemPlace::After(Box::new(other)) } else { ItemPlace::First });
    let children = if is_even { Children::Delete } else { Children::Keep };
    let op = match op % 8 {
        0 | 1 => ItemOp::Upsert { item: NewItem::new(text), to },
        2 => ItemOp::Update { item: NewItem::new(text) },
        3 | 4 => ItemOp::Delete { children },
        5 => ItemOp::Tag { tags: vec!["x".into()] },
        6 => return Some(Box::new(Items::annotating(Annotation::Pin, [target]))),
        _ => ItemOp::Reorder { to },
    };
    Some(Box::new(Items::new([ItemEdit::new(target, op)])))
}

/// Iterates over the lines without their endings.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    Lines::of(text).map(|line| line.text.of(text))
}

fn hunk(doc: &MemoryDoc, at: Index, ops: &[u8], text: &str) -> String {
    let from = at.index(lines(doc.text()).count().max(1));
    let old = ops.iter().zip(lines(doc.text()).skip(from)).map(|(op, line)| {
        let sign = if op % 3 == 0 { '-' } else { ' ' };
        format!("{sign}{line}\n")
    });
    let new: String = lines(text).map(|line| format!("+{line}\n")).collect();
    format!("*** Begin Patch\n*** Update Memory\n@@\n{}{new}*** End Patch\n", old.collect::<String>())
}

fn section(doc: &MemoryDoc, at: Index, op: u8, text: &str) -> Option<SectionOp> {
    let paths: Vec<_> = doc.sections().map(|section| section.path()).collect();
    let section = paths.get(at.index(paths.len().max(1)))?.clone();
    let other = paths.get(usize::from(op) % paths.len())?.clone();
    let lines = vec![format!("- {text}").into()];
    Some(match op % 5 {
        0 => SectionOp::Add { title: text.into(), lines, place: Some(SectionPlace::Before(section.into())) },
        1 => SectionOp::Delete { section: section.into() },
        2 => SectionOp::Rename { section: section.into(), title: text.into() },
        3 => SectionOp::Move { section: section.into(), place: SectionPlace::After(other.into()) },
        _ => SectionOp::Move { section: section.into(), place: SectionPlace::First },
    })
}

/// Makes each splice a part of its own.
fn with_parts(doc: &MemoryDoc, edit: &Edit) -> Edit {
    let mut builder = EditBuilder::new(doc);
    for splice in edit.splices() {
        builder.part(Part::new(PartStatus::Applied)).replace(splice.span, splice.text.clone(), splice.promise);
    }
    builder.finish().unwrap()
}

/// A step of a sequence; the first is the document.
#[derive(Debug)]
struct Made {
    edit: Option<Edit>,
    commit: Option<Commit>,
    after: MemoryDoc,
}

/// Makes what is accepted of the moves, and checks that what is refused is refused as the end of a composition, too.
fn sequence(text: &str, moves: &[Move], authority: Authority) -> Vec<Made> {
    let doc = MemoryDoc::parse(text);
    let mut made = vec![Made { edit: None, commit: None, after: doc.clone() }];
    for planned in moves {
        let Some(edit) = planned.plan(&made) else { continue };
        let before = &made.last().unwrap().after;
        match before.commit(&edit, authority) {
            Ok(commit) => {
                let after = commit.doc.clone();
                made.push(Made { edit: Some(edit), commit: Some(commit), after });
            }
            Err(refusal) => {
                if let Some(whole) = composed(&made) {
                    assert_eq!(doc.commit(&whole.then(&edit), authority).unwrap_err(), refusal, "{text:?}");
                }
            }
        }
    }
    made
}

/// What is accepted step by step is accepted as one, what is refused is not, for the same reason; the bytes are the same, the
/// inverse takes them back, and each splice knows whose it is.
pub fn check_sequence(text: &str, moves: &[Move], authority: Authority) {
    let made = sequence(text, moves, authority);
    let (doc, result) = (&made.first().unwrap().after, &made.last().unwrap().after);
    let steps: Vec<_> = steps(&made).cloned().collect();
    let from_the_end = steps.iter().rev().cloned().reduce(|next, first| first.then(&next));
    for whole in [composed(&made), from_the_end].into_iter().flatten() {
        let told = || format!("{text:?} to {:?} by {steps:#?}", result.text());
        let commit = checks::check_commit(doc, &whole, authority);
        let commit = commit.unwrap_or_else(|| panic!("{:?}: {}", doc.commit(&whole, authority).unwrap_err(), told()));
        assert_eq!(commit.doc.text(), result.text(), "{}", told());
        let undone = commit.doc.commit(&commit.inverse, authority);
        assert_eq!(undone.unwrap_or_else(|error| panic!("{error}: {}", told())).doc.text(), text);
        check_parts(text, &steps, &whole);
    }
}

/// A composition that is carried over another edit of the same text is of that edit's result, and does there what it did.
pub fn check_carried(text: &str, moves: &[Move], later: &[Cut]) {
    let made = sequence(text, moves, Authority::Host);
    let doc = &made.first().unwrap().after;
    let (Some(whole), Some(later)) = (composed(&made), strategies::edit(doc, later)) else { return };
    let result = MemoryDoc::parse(checks::spliced(text, &later));
    let Ok(carried) = whole.over(&later, &result) else { return };
    // The other way round less is in the way: what the steps wrote and took back.
    let other = later.over(&whole, &made.last().unwrap().after).unwrap();
    checks::check_meeting(doc, (&whole, &carried), (&later, &other));
    assert_eq!(carried.parts(), whole.parts());
    match result.commit(&carried, Authority::Host) {
        Ok(commit) => assert_eq!(commit.doc.text(), checks::spliced(result.text(), &carried)),
        Err(refusal) => assert_ne!(refusal.code(), "stale_revision", "{text:?} {later:?}"),
    }
}

fn composed(made: &[Made]) -> Option<Edit> {
    steps(made).cloned().reduce(|first, next| first.then(&next))
}

fn steps(made: &[Made]) -> impl Iterator<Item = &Edit> {
    made.iter().filter_map(|made| made.edit.as_ref())
}

/// Where a byte comes from: a place in the first text, or a part of the composition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Base(usize),
    Part(usize),
}

/// Every byte that is written or removed names the part that did it.
fn check_parts(text: &str, steps: &[Edit], whole: &Edit) {
    let mut sources: Vec<_> = (0..text.len()).map(Source::Base).collect();
    let mut removed_by = vec![None; text.len()];
    let mut before = 0;
    for step in steps {
        for splice in step.splices().iter().rev() {
            let own = vec![Source::Part(before + splice.part); splice.text.len()];
            for gone in sources.splice(splice.span.range(), own) {
                if let Source::Base(at) = gone {
                    removed_by[at] = Some(before + splice.part);
                }
            }
        }
        before += step.parts().len();
    }
    assert_eq!(whole.parts().len(), before);
    let mut found = Vec::with_capacity(sources.len());
    let mut read = 0;
    for splice in whole.splices() {
        found.extend((read..splice.span.start()).map(Source::Base));
        let parts: Vec<_> = splice.parts().collect();
        assert!(parts.is_sorted_by(|a, b| a < b) && parts.last() == Some(&splice.part) && splice.part < before);
        for source in sources.iter().skip(found.len()).take(splice.text.len()) {
            assert!(matches!(source, Source::Part(part) if parts.contains(part)), "{source:?} in {parts:?}");
        }
        found.extend(sources.iter().skip(found.len()).take(splice.text.len()).copied().collect::<Vec<_>>());
        assert!(removed_by[splice.span.range()].iter().all(|part| part.is_some_and(|part| parts.contains(&part))));
        read = splice.span.end();
    }
    found.extend((read..text.len()).map(Source::Base));
    assert_eq!(found, sources);
}
