//! What is recalled of a journal: by words first, and by all that counts beside them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memdoc::memory::journal::{EntryKind, Seq, Tier};
use memdoc::memory::{Actor, NewMemory, NoteMode};
use memdoc::recall::{Passage, Prompt, Recall, RecallQuery, Recalled, SearchQuery, WhyLeftOut};
use memdoc::{DocName, InMemoryStore, Memory, Origin, Policy, Timestamp};
use proptest::collection::vec;
use proptest::prelude::*;

fn origin() -> Origin {
    Origin::new(Actor::default(), "chat")
}

/// A memory whose clock the test moves, by days.
struct Diary {
    memory: Arc<Memory>,
    recall: Recall,
    day: Arc<AtomicU64>,
}

impl Diary {
    fn new() -> Self {
        let day = Arc::new(AtomicU64::new(20_000));
        let own = day.clone();
        let clock = move || Timestamp::from_seconds(own.load(Ordering::Relaxed) * 86_400);
        let memory = Memory::new(InMemoryStore::new(), Policy::default()).unwrap().with_clock(clock);
        let memory = Arc::new(memory.with_blocks(["tone"]));
        Self { recall: Recall::new(memory.clone()), memory, day }
    }

    fn later(&self, days: u64) {
        self.day.fetch_add(days, Ordering::Relaxed);
    }

    fn note(&self, text: &str) -> Seq {
        self.keep(text, |_| {})
    }

    fn keep(&self, text: &str, change: impl FnOnce(&mut NewMemory)) -> Seq {
        let mut memory = NewMemory::new(text);
        change(&mut memory);
        self.memory.remember(&memory, &origin()).unwrap().seq
    }

    fn block(&self, label: &str, text: &str) -> Seq {
        self.memory.update_block(label, text, None, &origin()).unwrap().applied.seq.unwrap()
    }

    fn ask(&self, text: &str) -> Vec<String> {
        contents(&self.recall.recall(&RecallQuery::new(text)).unwrap())
    }
}

fn contents(recalled: &Recalled) -> Vec<String> {
    recalled.memories.iter().map(|memory| memory.content.to_string()).collect()
}

#[test]
fn what_shares_a_word_is_recalled_whatever_its_case_and_form() {
    let diary = Diary::new();
    diary.note("The user’s CAFÉ is in Köln");
    diary.note("住在柏林");
    diary.note("memory_read failed");
    assert_eq!(diary.ask("User").len(), 1);
    assert_eq!(diary.ask("cafe\u{301}?").len(), 1);
    assert_eq!(diary.ask("柏林").len(), 1);
    assert_eq!(diary.ask("the memory"), ["memory_read failed", "The user’s CAFÉ is in Köln"]);
    assert!(diary.ask("use").is_empty() && diary.ask("?! 👍").is_empty());
}

#[test]
fn rare_words_and_short_texts_count_more() {
    let diary = Diary::new();
    for n in 0..20 {
        diary.note(&format!("coffee at place {n}"));
    }
    let rare = diary.note("coffee with Zoe");
    assert_eq!(diary.recall.recall(&RecallQuery::new("coffee Zoe")).unwrap().memories[0].seq, rare);
    let diary = Diary::new();
    let short = diary.note("Zoe called");
    diary.note("Zoe was mentioned somewhere in a long talk about very many other people and places of the last year");
    assert_eq!(diary.recall.recall(&RecallQuery::new("Zoe")).unwrap().memories[0].seq, short);
}

#[test]
fn among_equals_the_newest_comes_first() {
    let diary = Diary::new();
    let seqs: Vec<_> = (0..5).map(|_| diary.note("same words")).collect();
    let recalled = diary.recall.recall(&RecallQuery::new("same words")).unwrap();
    let found: Vec<_> = recalled.memories.iter().map(|memory| memory.seq).collect();
    assert_eq!(found, seqs.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn recency_importance_and_tier_count_as_they_are_weighed() {
    let diary = Diary::new();
    diary.note("tea in the old house");
    diary.later(400);
    diary.note("tea in the new house");
    assert_eq!(diary.ask("tea")[0], "tea in the new house");
    diary.keep("tea in the big house", |memory| memory.importance = 10);
    assert_eq!(diary.ask("tea")[0], "tea in the big house");
    diary.keep("tea in the red house", |memory| (memory.importance, memory.tier) = (10, Tier::Relationship));
    assert_eq!(diary.ask("tea")[0], "tea in the red house");
    diary.keep("tea in the hot house", |memory| (memory.importance, memory.tier) = (10, Tier::Ephemeral));
    assert_eq!(diary.ask("tea")[2], "tea in the hot house");
}

#[test]
fn filters_let_through_what_they_name() {
    let diary = Diary::new();
    diary.note("tea one");
    diary.later(1);
    diary.keep("tea two", |memory| (memory.kind, memory.importance) = (EntryKind::Decision, 8));
    diary.later(1);
    diary.keep("tea three", |memory| memory.tier = Tier::Ephemeral);
    let asked = |change: fn(&mut RecallQuery)| {
        let mut query = RecallQuery::new("tea");
        change(&mut query);
        contents(&diary.recall.recall(&query).unwrap())
    };
    assert_eq!(asked(|query| query.kind = Some(EntryKind::Decision)), ["tea two"]);
    assert_eq!(asked(|query| query.tier = Some(Tier::Ephemeral)), ["tea three"]);
    assert_eq!(asked(|query| query.min_importance = Some(8)), ["tea two"]);
    assert_eq!(asked(|query| query.since = Some(Timestamp::from_seconds(20_002 * 86_400))), ["tea three"]);
    assert_eq!(asked(|query| query.until = Some(Timestamp::from_seconds(20_000 * 86_400))), ["tea one"]);
}

#[test]
fn an_identity_is_the_hosts_and_not_recalled() {
    let diary = Diary::new();
    let mut identity = NewMemory::new("I am Kite");
    identity.kind = EntryKind::Identity;
    diary.memory.remember(&identity, &Origin::host("setup")).unwrap();
    assert!(diary.ask("Kite").is_empty());
}

#[test]
fn what_is_superseded_is_hidden_unless_it_is_asked_for() {
    let diary = Diary::new();
    let old = diary.note("Prefers dark mode");
    let new = diary.memory.rethink(&[old], "Prefers light mode", &origin()).unwrap().seq;
    assert_eq!(diary.ask("mode"), ["Prefers light mode"]);
    let mut query = RecallQuery::new("dark mode");
    query.include_superseded = true;
    let recalled = diary.recall.recall(&query).unwrap();
    assert_eq!(contents(&recalled), ["Prefers dark mode", "Prefers light mode"]);
    assert_eq!(recalled.memories[0].superseded_by, Some(new));
    assert_eq!((&recalled.memories[1].kind, recalled.memories[1].tier), (&EntryKind::Consolidation, None));
}

#[test]
fn the_version_of_a_block_takes_the_place_of_the_one_before_whoever_made_it() {
    let diary = Diary::new();
    let first = diary.block("tone", "calm voice");
    assert_eq!(diary.ask("voice"), ["calm voice"]);
    let second = diary.block("tone", "lively voice");
    assert_eq!(diary.ask("voice"), ["lively voice"]);
    diary.memory.write(&DocName::core(), "## tone\nlow voice\n").unwrap();
    assert_eq!(diary.ask("voice"), ["low voice"]);
    let mut query = RecallQuery::new("voice");
    query.include_superseded = true;
    let recalled = diary.recall.recall(&query).unwrap();
    let of = |seq| recalled.memories.iter().find(|memory| memory.seq == seq).unwrap();
    assert_eq!(of(first).superseded_by, Some(second));
    assert_eq!((of(second).block_label.as_deref(), of(second).is_core), (Some("tone"), Some(false)));
    diary.block("tone", "");
    assert!(diary.ask("voice").is_empty());
}

#[test]
fn a_block_that_was_emptied_stands_in_the_prompt_no_more_than_before() {
    let diary = Diary::new();
    diary.memory.update_block("knowledge", "calm voice", Some(false), &origin()).unwrap();
    diary.memory.write(&DocName::core(), "## knowledge\n").unwrap();
    assert!(diary.ask("voice").is_empty());
    diary.memory.write(&DocName::core(), "## knowledge\nlow voice\n").unwrap();
    let recalled = diary.recall.recall(&RecallQuery::new("voice")).unwrap();
    let found = recalled.memories.first().unwrap();
    assert_eq!((found.content.as_str(), found.is_core), ("low voice", Some(false)));
    assert!(!diary.memory.block("knowledge", None).unwrap().is_core);
}

#[test]
fn packing_skips_what_does_not_fit_and_goes_on() {
    let diary = Diary::new();
    let small = diary.note("tea");
    let large = diary.note(&format!("tea tea tea {}", "of the finest leaves ".repeat(10)));
    let other = diary.note("tea tea");
    let mut query = RecallQuery::new("tea");
    query.max_tokens = 5;
    let recalled = diary.recall.recall(&query).unwrap();
    assert!(recalled.tokens_used <= 5 && recalled.memories.len() == 2);
    assert_eq!(recalled.left_out.len(), 1);
    assert_eq!((recalled.left_out[0].seq, recalled.left_out[0].reason), (large, WhyLeftOut::Budget));
    query.max_results = 1;
    let recalled = diary.recall.recall(&query).unwrap();
    assert_eq!(recalled.memories[0].seq, other);
    let reasons: Vec<_> = recalled.left_out.iter().map(|left| (left.seq, left.reason)).collect();
    assert!(reasons.contains(&(small, WhyLeftOut::MaxResults)), "{reasons:?}");
}

#[test]
fn what_is_left_out_is_listed_up_to_a_bound_and_counted() {
    let diary = Diary::new();
    for _ in 0..50 {
        diary.note("tea");
    }
    let recalled = diary.recall.recall(&RecallQuery::new("tea")).unwrap();
    assert_eq!((recalled.memories.len(), recalled.left_out.len(), recalled.more), (10, Recalled::LISTED, 20));
    let mut query = RecallQuery::new("tea");
    query.max_tokens = 0;
    let recalled = diary.recall.recall(&query).unwrap();
    assert_eq!((recalled.memories.len(), recalled.left_out.len(), recalled.more), (0, Recalled::LISTED, 30));
}

#[test]
fn a_ranker_finds_what_shares_no_word_and_wrong_answers_find_nothing() {
    let diary = Diary::new();
    let spaniel = diary.note("Has a spaniel");
    diary.note("Has a car");
    let by = |rank: fn(&str, &[Passage<'_>]) -> Vec<f64>| {
        let recall = Recall::new(diary.memory.clone()).with_ranker(rank);
        recall.recall(&RecallQuery::new("a dog")).unwrap()
    };
    let dogs = by(|_, passages| passages.iter().map(|passage| f64::from(passage.text.contains("spaniel"))).collect());
    assert_eq!((dogs.memories.len(), dogs.memories[0].seq), (1, spaniel));
    assert_eq!(by(|_, passages| passages.iter().map(|passage| passage.words).collect()).memories.len(), 2);
    assert!(by(|_, _| Vec::new()).memories.is_empty());
    assert!(by(|_, _| vec![f64::NAN, f64::INFINITY, -1.0]).memories.is_empty());
    assert_eq!(by(|_, _| vec![1.0; 9]).memories.len(), 2);
}

#[test]
fn a_redacted_text_is_never_found() {
    let diary = Diary::new();
    diary.note("The PIN is 4711");
    diary.note("The PIN was set in spring");
    diary.memory.write(&DocName::memory(), "- PIN 4711\n").unwrap();
    diary.memory.write_note("pin", "4711", NoteMode::Replace, &origin()).unwrap();
    diary.block("tone", "4711 times");
    assert_eq!(diary.ask("PIN 4711").len(), 3);
    assert_eq!(diary.recall.search(&SearchQuery::new("4711")).unwrap().len(), 3);
    diary.memory.redact(&[], &["4711"], &Origin::host("privacy")).unwrap();
    assert_eq!(diary.ask("PIN 4711"), ["The PIN was set in spring"]);
    assert!(diary.recall.search(&SearchQuery::new("4711")).unwrap().is_empty());
    assert!(!format!("{:#?}", Prompt::new().render(&diary.recall, 1_000, Some("4711")).unwrap()).contains("4711"));
    assert_eq!(Recall::new(diary.memory.clone()).recall(&RecallQuery::new("PIN")).unwrap().memories.len(), 1);
}

#[test]
fn what_another_handle_wrote_is_recalled() {
    let store = Arc::new(InMemoryStore::new());
    let memory = Arc::new(Memory::new(store.clone(), Policy::default()).unwrap());
    memory.remember(&NewMemory::new("tea in spring"), &origin()).unwrap();
    let recall = Recall::new(memory);
    assert_eq!(recall.recall(&RecallQuery::new("tea")).unwrap().memories.len(), 1);
    let other = Memory::new(store, Policy::default()).unwrap();
    other.remember(&NewMemory::new("tea in autumn"), &origin()).unwrap();
    assert_eq!(recall.recall(&RecallQuery::new("tea")).unwrap().memories.len(), 2);
}

#[cfg(unix)]
mod in_a_directory {
    use std::fs;
    use std::path::Path;

    use memdoc::FileStore;

    use super::*;
    use crate::support::scratch::Scratch;

    fn recall(directory: &Path) -> Recall {
        Recall::new(Memory::new(FileStore::open(directory).unwrap(), Policy::default()).unwrap())
    }

    fn ask(recall: &Recall, text: &str) -> Vec<String> {
        let mut found = contents(&recall.recall(&RecallQuery::new(text)).unwrap());
        found.sort();
        found
    }

    #[test]
    fn an_entry_that_cannot_be_read_is_passed_over() {
        let scratch = Scratch::create();
        let directory: &Path = &scratch;
        let written = recall(directory);
        for text in ["tea one", "tea two", "tea three"] {
            written.memory().remember(&NewMemory::new(text), &origin()).unwrap();
        }
        assert_eq!(ask(&written, "tea").len(), 3);
        let journal = directory.join(".memdoc/journal.jsonl");
        let text = fs::read_to_string(&journal).unwrap();
        // As long as it was: what is known to have been longer is reported first.
        let damaged = |line: &str| if line.contains("tea two") { "x".repeat(line.len()) } else { line.to_owned() };
        let broken: Vec<_> = text.split('\n').map(damaged).collect();
        fs::write(&journal, broken.join("\n")).unwrap();
        let anew = recall(directory);
        assert_eq!(ask(&anew, "tea"), ["tea one", "tea three"]);
        anew.memory().remember(&NewMemory::new("tea four"), &origin()).unwrap();
        assert_eq!(ask(&anew, "tea"), ["tea four", "tea one", "tea three"]);
    }

    #[test]
    fn what_a_hand_writes_is_found() {
        let scratch = Scratch::create();
        let directory: &Path = &scratch;
        let recall = recall(directory);
        recall.memory().update_block("goals", "Finish the thesis", None, &origin()).unwrap();
        assert_eq!(ask(&recall, "thesis"), ["Finish the thesis"]);
        fs::write(directory.join("core.md"), "## goals\nBurn the thesis\n").unwrap();
        fs::write(directory.join("memory.md"), "- the thesis is hot\n").unwrap();
        // A text that has not been still for a moment may be one that is being saved.
        for name in ["core.md", "memory.md"] {
            let file = fs::File::options().write(true).open(directory.join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(10)).unwrap();
        }
        assert_eq!(recall.search(&SearchQuery::new("hot")).unwrap().len(), 1);
        assert_eq!(ask(&recall, "thesis"), ["Burn the thesis"]);
    }
}

/// Something that is done to a memory.
#[derive(Clone, Debug)]
enum Deed {
    Remember(String, u8),
    Rethink(usize, String),
    Block(&'static str, String),
    Write(String),
    Core(String),
    Note(String, String),
    Redact(String),
    Ask(String),
}

fn words() -> impl Strategy<Value = String> {
    vec(prop::sample::select(vec!["tea", "cat", "Zoe", "house", "red", "ten", "10", "it’s"]), 1..6)
        .prop_map(|words| words.join(" "))
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (words(), 0_u8..12).prop_map(|(text, importance)| Deed::Remember(text, importance)),
        1 => (0_usize..20, words()).prop_map(|(at, text)| Deed::Rethink(at, text)),
        1 => (prop::sample::select(vec!["tone", "persona"]), words()).prop_map(|(label, text)| Deed::Block(label, text)),
        1 => words().prop_map(|text| Deed::Write(format!("## A\n- {text}\n\n{text}\n"))),
        1 => words().prop_map(|text| Deed::Core(format!("## tone\n{text}\n"))),
        1 => (words(), words()).prop_map(|(key, text)| Deed::Note(key, text)),
        1 => prop::sample::select(vec!["tea", "Zoe"]).prop_map(|text| Deed::Redact(text.to_owned())),
        2 => words().prop_map(Deed::Ask),
    ]
}

impl Diary {
    fn does(&self, deed: &Deed, seqs: &mut Vec<Seq>) {
        let memory = &self.memory;
        match deed {
            Deed::Remember(text, importance) => seqs.push(self.keep(text, |memory| memory.importance = *importance)),
            Deed::Rethink(at, text) => {
                let named = seqs.get(*at).copied().unwrap_or(Seq::new(1));
                seqs.extend(memory.rethink(&[named], text, &origin()).ok().map(|recorded| recorded.seq));
            }
            Deed::Block(label, text) => drop(memory.update_block(label, text.as_str(), None, &origin())),
            Deed::Write(text) => drop(memory.write(&DocName::memory(), text)),
            Deed::Core(text) => drop(memory.write(&DocName::core(), text)),
            Deed::Note(key, text) => drop(memory.write_note(key, text, NoteMode::Append, &origin())),
            Deed::Redact(text) => drop(memory.redact(&[], &[text], &Origin::host("privacy"))),
            Deed::Ask(text) => drop(self.ask(text)),
        }
        self.later(1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn an_index_that_follows_is_the_one_built_anew(deeds in vec(deed(), 1..40), question in words(), budget in 0_usize..60) {
        let (diary, mut seqs) = (Diary::new(), Vec::new());
        for deed in &deeds {
            diary.does(deed, &mut seqs);
        }
        let anew = Recall::new(diary.memory.clone());
        for include_superseded in [false, true] {
            for text in [question.as_str(), ""] {
                let mut query = RecallQuery::new(text);
                (query.include_superseded, query.max_tokens, query.max_results) = (include_superseded, budget, 100);
                let recalled = diary.recall.recall(&query).unwrap();
                prop_assert_eq!(&recalled, &anew.recall(&query).unwrap());
                let sum: usize = recalled.memories.iter().map(|memory| diary.memory.tokens(&memory.content)).sum();
                prop_assert!(sum == recalled.tokens_used && sum <= budget);
                prop_assert!(include_superseded || recalled.memories.iter().all(|memory| memory.superseded_by.is_none()));
            }
        }
        let search = SearchQuery::new(question.as_str());
        prop_assert_eq!(diary.recall.search(&search).unwrap(), anew.search(&search).unwrap());
        let rendered = Prompt::new().render(&diary.recall, 200, Some(&question)).unwrap();
        prop_assert_eq!(rendered, Prompt::new().render(&anew, 200, Some(&question)).unwrap());
    }

    #[test]
    fn what_was_redacted_last_is_found_nowhere(deeds in vec(deed(), 1..30)) {
        let (diary, mut seqs) = (Diary::new(), Vec::new());
        for deed in &deeds {
            diary.does(deed, &mut seqs);
        }
        diary.ask("tea");
        if diary.memory.redact(&[], &["tea"], &Origin::host("privacy")).is_ok() {
            let mut query = RecallQuery::new("tea cat house");
            (query.include_superseded, query.max_results) = (true, 100);
            prop_assert!(contents(&diary.recall.recall(&query).unwrap()).iter().all(|text| !text.contains("tea")));
            prop_assert!(diary.recall.search(&SearchQuery::new("tea")).unwrap().is_empty());
        }
    }
}
