//! Texts of the past, of histories drawn at random.

use proptest::prelude::*;

use crate::memory::DocName;
use crate::memory::journal::checks::fixture::{Journal, doc, told};
use crate::memory::journal::{
    Before, DocumentDraft, EntryKind, Previous, Replay, ReplayError, Seq, Splice, Step, Verifier, is_keyframe_due,
    text_after, text_before,
};
use crate::text::{Revision, Span};

/// What happens to a document: it goes, or is cut at these places, each given a text.
#[derive(Clone, Debug)]
enum Event {
    Delete,
    Splice(Vec<(prop::sample::Index, prop::sample::Index, String)>),
}

fn events() -> impl Strategy<Value = Vec<(bool, Event)>> {
    let places = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), "[ab\r\n\"é\u{1F600}]{0,9}");
    let event = prop_oneof![
        1 => Just(Event::Delete),
        9 => prop::collection::vec(places, 1..4).prop_map(Event::Splice),
    ];
    prop::collection::vec((any::<bool>(), event), 1..40)
}

/// Draws sorted, disjoint splices of `base`, on character boundaries.
fn splices(base: &str, places: &[(prop::sample::Index, prop::sample::Index, String)]) -> Vec<Splice> {
    let bounds: Vec<usize> = base.char_indices().map(|(at, _)| at).chain([base.len()]).collect();
    let mut spans: Vec<_> =
        places.iter().map(|(a, b, text)| (Span::new(*a.get(&bounds), *b.get(&bounds)), text)).collect();
    spans.sort_by_key(|(span, _)| (span.start(), span.end()));
    let mut end = 0;
    spans.retain(|(span, _)| {
        let fits = span.start() >= end;
        end = if fits { span.end() } else { end };
        fits
    });
    spans.into_iter().map(|(span, text)| Splice::new(base, span, text)).collect()
}

/// Makes the new text by itself, without the code under test.
fn made(base: &str, splices: &[Splice]) -> String {
    let mut text = base.to_owned();
    for splice in splices.iter().rev() {
        text.replace_range(splice.at..splice.at + splice.removed.len(), &splice.added);
    }
    text
}

/// A history, and the text of each document after each entry that changed it.
type History = (Journal, Vec<(usize, DocName, Option<String>)>);

fn history(events: Vec<(bool, Event)>) -> History {
    let mut journal = Journal::new(3);
    let mut texts = Vec::new();
    for (first, event) in events {
        let name = doc(if first { "memory" } else { "notes" });
        let base = journal.texts.get(&name).cloned().flatten();
        let change = match event {
            Event::Delete => journal.change(name.as_str(), None),
            Event::Splice(places) => {
                let splices = splices(base.as_deref().unwrap_or_default(), &places);
                let new = made(base.as_deref().unwrap_or_default(), &splices);
                journal.spliced(name.clone(), Some(&new), splices)
            }
        };
        let mut draft = journal.draft(EntryKind::Edit);
        draft.documents = vec![change];
        journal.commit(vec![draft]);
        texts.push((journal.entries.len() - 1, name.clone(), journal.texts.get(&name).cloned().flatten()));
    }
    (journal, texts)
}

/// Replays the text after the entry at `index`, and counts what it reads.
fn replay(journal: &Journal, index: usize, name: &DocName) -> Result<(Option<String>, usize), ReplayError> {
    let mut replay = Replay::new(name.clone());
    let mut entry = &journal.entries[index];
    let mut read = 0;
    while let Step::Earlier(seq) = replay.back(entry)? {
        read += entry.splices(name).map_or(0, |splices| splices.iter().map(|splice| splice.added.len()).sum());
        entry = journal.entry(seq).ok_or(ReplayError::NotChanged(seq))?;
    }
    Ok((replay.text()?, read))
}

/// Returns the index of the last entry, from that at `index` back, that made this revision of a document.
fn find(journal: &Journal, index: usize, name: &DocName, revision: &Revision) -> Option<usize> {
    let mut entry = journal.entries.get(index)?;
    while entry.state(name)?.new != Some(*revision) {
        entry = journal.entry(entry.previous_of(entry.link(name)?)?)?;
    }
    journal.entries.iter().position(|other| other.seq() == entry.seq())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_of_the_past_is_replayed(events in events()) {
        let (journal, texts) = history(events);
        prop_assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
        let mut now: std::collections::BTreeMap<DocName, Option<String>> = Default::default();
        for (index, name, text) in &texts {
            let (replayed, read) = replay(&journal, *index, name)?;
            prop_assert_eq!(&replayed, text);
            prop_assert!(read <= text.as_ref().map_or(0, String::len).max(1) * 2 + 200, "{read}");
            let base = now.get(name).cloned().flatten();
            let entry = &journal.entries[*index];
            prop_assert_eq!(&text_after(entry, name, base.as_deref())?, text);
            // What was there before comes back, and a deletion gives the whole text.
            prop_assert_eq!(text_before(entry, name, text.as_deref())?, base.clone());
            now.insert(name.clone(), text.clone());
            prop_assert_eq!(entry.state(name).and_then(|state| state.base), base.as_deref().map(Revision::of));
            let Some(text) = text else { continue };
            let found = find(&journal, *index, name, &Revision::of(text));
            prop_assert_eq!(found.map(|found| replay(&journal, found, name)).transpose()?.and_then(|(found, _)| found), Some(text.clone()));
        }
    }
}

#[test]
fn a_replay_reads_a_stretch_that_does_not_grow_with_the_journal() -> crate::memory::journal::checks::fixture::Checked {
    let mut journal = Journal::new(3);
    let mut text = "0123456789".repeat(50);
    let mut keyframes = 0;
    for step in 0..400 {
        text.replace_range(step..=step, "x");
        journal.edit("memory", Some(&text));
        let states = journal.entries.last().and_then(crate::memory::journal::Entry::states);
        keyframes +=
            states.map_or(0, |states| states.documents.iter().filter(|state| state.keyframe.is_some()).count());
    }
    // 42 bytes a step and 500 of text: one keyframe in 12.
    assert_eq!(keyframes, 399 / 12);
    let name = doc("memory");
    let mut replay = Replay::new(name.clone());
    let mut entry = &journal.entries[400];
    let mut steps = 1;
    while let Step::Earlier(seq) = replay.back(entry)? {
        entry = journal.entry(seq).ok_or("no such entry")?;
        steps += 1;
    }
    assert!(steps <= 12, "{steps}");
    assert_eq!(replay.text()?, Some(text));
    assert!(is_keyframe_due(501, 500));
    Ok(())
}

#[test]
fn a_replay_says_which_entry_fails_it() {
    let mut journal = Journal::new(3);
    journal.edit("memory", Some("a"));
    journal.edit("memory", Some("a much longer text"));
    let name = doc("memory");
    let seq = journal.head().seq;
    let entry = &journal.entries[2];
    assert_eq!(text_after(entry, &doc("notes"), None), Err(ReplayError::NotChanged(seq)));
    assert_eq!(text_after(entry, &name, Some("another")), Ok(Some("a much longer text".into())), "it is a keyframe");
    let first = &journal.entries[1];
    assert_eq!(text_before(first, &name, Some("a")), Ok(None));
    assert_eq!(text_before(entry, &name, Some("another")), Err(ReplayError::Misfit(seq)));
    let erased = entry.clone().without(crate::memory::journal::Part::Content);
    assert_eq!(text_before(&erased, &name, Some("a much longer text")), Err(ReplayError::Erased(seq)));
    assert_eq!(Replay::new(name.clone()).back(&erased), Ok(Step::Complete), "the keyframe is left");
    let erased = erased.without(crate::memory::journal::Part::States);
    assert_eq!(Replay::new(name).back(&erased), Err(ReplayError::Erased(seq)));
}

#[test]
fn a_replay_gives_no_text_of_another_revision() {
    let (mut journal, name, text) = (Journal::new(3), doc("memory"), "0123456789".repeat(50));
    journal.edit("memory", Some(&text));
    let splices = vec![Splice::new(&text, Span::at(text.len()), "y")];
    let change = journal.spliced(name.clone(), Some(&format!("{text}x")), splices);
    let mut draft = journal.draft(EntryKind::Edit);
    draft.documents = vec![change];
    let seq = journal.commit(vec![draft]);
    assert_eq!(replay(&journal, journal.entries.len() - 1, &name), Err(ReplayError::Misfit(seq)));
}

/// Returns a journal of a long text, or of its deletion, and behind that an entry that was drafted wrong.
fn faulty(is_deleted: bool, with: impl FnOnce(&mut DocumentDraft)) -> Journal {
    let (mut journal, name, text) = (Journal::new(3), doc("memory"), "0123456789".repeat(50));
    journal.edit("memory", Some(&text));
    if is_deleted {
        journal.edit("memory", None);
    }
    let mut change = journal.spliced(name, Some("x"), Vec::new());
    change.keyframe = None;
    with(&mut change);
    let mut draft = journal.draft(EntryKind::Edit);
    draft.documents = vec![change];
    journal.commit(vec![draft]);
    journal
}

#[test]
fn an_entry_that_names_no_earlier_one_is_not_replayed() {
    for previous in [Previous::Member(0), Previous::Entry(Seq::new(3)), Previous::Entry(Seq::new(4))] {
        let journal = faulty(false, |change| change.previous = Some(previous));
        let step = Replay::new(doc("memory")).back(&journal.entries[2]);
        assert_eq!(step, Err(ReplayError::Misfit(Seq::new(3))), "{previous:?}");
    }
}

#[test]
fn an_entry_that_changes_what_was_deleted_is_not_replayed() {
    let journal = faulty(true, |change| change.base = Before::At(Revision::of("x")));
    assert_eq!(replay(&journal, 3, &doc("memory")), Err(ReplayError::Misfit(Seq::new(4))));
}
