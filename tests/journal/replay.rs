//! Texts of the past, of histories drawn at random.

use proptest::prelude::*;

use crate::memory::DocName;
use crate::memory::journal::checks::fixture::{Journal, doc, told};
use crate::memory::journal::{EntryKind, ReplayError, Splice, Verifier, text_after, text_before};
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
            Event::Delete if base.is_none() => continue,
            Event::Delete => journal.change(name.as_str(), None),
            Event::Splice(places) => {
                let splices = splices(base.as_deref().unwrap_or_default(), &places);
                let new = made(base.as_deref().unwrap_or_default(), &splices);
                journal.spliced(name.clone(), Some(&new), splices)
            }
        };
        let mut draft = journal.draft(EntryKind::Edit);
        draft.documents = vec![change];
        journal.commit(draft);
        texts.push((journal.entries.len() - 1, name.clone(), journal.texts.get(&name).cloned().flatten()));
    }
    (journal, texts)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_of_the_past_is_replayed(events in events()) {
        let (journal, texts) = history(events);
        prop_assert_eq!(told(Verifier::new(), &journal.written()), [""; 0]);
        let mut now: std::collections::BTreeMap<DocName, Option<String>> = Default::default();
        for (index, name, text) in &texts {
            let base = now.get(name).cloned().flatten();
            let entry = &journal.entries[*index];
            prop_assert_eq!(&text_after(entry, name, base.as_deref())?, text);
            // What was there before comes back, and a deletion gives the whole text.
            prop_assert_eq!(text_before(entry, name, text.as_deref())?, base.clone());
            now.insert(name.clone(), text.clone());
            prop_assert_eq!(entry.revision(name), text.as_deref().map(Revision::of));
        }
    }
}

#[test]
fn a_replay_says_which_entry_fails_it() {
    let mut journal = Journal::new(3);
    journal.edit("memory", Some("a"));
    journal.edit("memory", Some("a much longer text"));
    let name = doc("memory");
    let seq = journal.head().seq;
    let entry = &journal.entries[2];
    assert_eq!(text_after(entry, &doc("notes"), None), Err(ReplayError::Misfit(seq)));
    assert_eq!(text_after(entry, &name, Some("another")), Ok(Some("a much longer textnother".into())));
    assert_eq!(text_after(entry, &name, Some("")), Err(ReplayError::Misfit(seq)));
    let first = &journal.entries[1];
    assert_eq!(text_before(first, &name, Some("a")), Ok(None));
    assert_eq!(text_before(entry, &name, Some("another")), Err(ReplayError::Misfit(seq)));
    let erased = entry.clone().without_body();
    assert_eq!(text_before(&erased, &name, Some("a much longer text")), Err(ReplayError::Erased(seq)));
    assert_eq!(text_after(&erased, &name, Some("a")), Err(ReplayError::Erased(seq)));
}
