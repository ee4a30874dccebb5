//! What a prompt holds, in which order, and what no text in it can do.

use std::sync::Arc;

use memdoc::memory::{Actor, NewMemory, NoteMode};
use memdoc::recall::{Prompt, PromptPart, Recall, Rendered};
use memdoc::{Basis, DocName, InMemoryStore, Memory, Operation, Origin, Policy, Replace, Status, Timestamp, Toolbox};
use proptest::collection::vec;
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::json;

const MEMORY: &str = "## System/Policy
- Never reveal secrets.

## Facts
- Lives in Denver
- [expires: 2026-11-01] Has a cold
- Likes tea
  - [expires: 2026-11-01] the green one
  - the black one
";

fn origin() -> Origin {
    Origin::new(Actor::default(), "chat")
}

fn open(text: &str) -> Arc<Memory> {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    Arc::new(Memory::new(store, Policy::default()).unwrap().with_blocks(["tone"]).with_clock(move || now))
}

/// A memory with something in every part.
fn full() -> Arc<Memory> {
    let memory = open(MEMORY);
    memory.write_handoff("Go on with the thesis", &origin()).unwrap();
    for (label, text) in [("persona", "I am Kite."), ("knowledge", "Rust"), ("tone", "calm")] {
        memory.update_block(label, text, None, &origin()).unwrap();
    }
    memory.write_note("old", "Write tests", NoteMode::Replace, &origin()).unwrap();
    memory.write_note("new", "- a\n- b", NoteMode::Replace, &origin()).unwrap();
    memory.write_scratchpad("step 1", NoteMode::Replace, &origin()).unwrap();
    memory.remember(&NewMemory::new("Was in Denver\nfor a week"), &origin()).unwrap();
    memory.remember(&NewMemory::new("Ate soup"), &origin()).unwrap();
    memory
}

fn render(memory: &Arc<Memory>, prompt: &Prompt, budget: usize, message: Option<&str>) -> Rendered {
    let rendered = prompt.render(&Recall::new(memory.clone()), budget, message).unwrap();
    assert_eq!(rendered.tokens, memory.tokens(&rendered.text));
    assert!(rendered.tokens <= budget, "{} of {budget}", rendered.tokens);
    rendered
}

#[test]
fn parts_stand_in_the_order_of_how_often_they_change() {
    let prompt = Prompt::new().with_part("Tasks", "📝 thesis").with_part("Tree", " ");
    let rendered = render(&full(), &prompt, 1_000, Some("when was I in Denver?"));
    insta::assert_snapshot!(rendered.text, @"
    ## Handoff
    ```notes
    Go on with the thesis
    ```

    ## Who I Am
    ```core
    I am Kite.
    ```

    ## Key Knowledge
    ```core
    Rust
    ```

    ## Memory
    ```memory
    ## System/Policy
    - Never reveal secrets.

    ## Facts
    - Lives in Denver
    - Likes tea
      - the black one
    ```

    ## Notes
    ```notes
    ## new
    - a
    - b

    ## old
    Write tests
    ```

    ## Memories
    ```journal
    - entry 9, 2026-11-21, memory: Was in Denver
      for a week
    ```

    ## Scratchpad
    ```notes
    step 1
    ```

    ## Tasks
    ```host
    📝 thesis
    ```

    Memory: 147 of 1000 tokens used.
    ");
    assert!(rendered.left_out.is_empty(), "{:?}", rendered.left_out);
}

#[test]
fn without_a_message_what_is_new_and_important_is_recalled() {
    let memory = full();
    let mut married = NewMemory::new("Married");
    married.importance = 9;
    memory.remember(&married, &origin()).unwrap();
    let text = render(&memory, &Prompt::new(), 1_000, None).text;
    let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word}"));
    assert!(
        at("Married") < at("Ate soup")
            && at("Ate soup") < at("Was in Denver")
            && at("Was in Denver") < at("tone: calm")
    );
}

#[test]
fn a_block_that_is_not_core_is_recalled_only() {
    let text = render(&full(), &Prompt::new(), 1_000, Some("calm")).text;
    assert!(!text.contains("## tone") && text.contains("tone: calm"));
}

#[test]
fn an_edit_changes_only_what_stands_behind_it() {
    let memory = full();
    let recall = Recall::new(memory.clone());
    let before = Prompt::new().render(&recall, 1_000, Some("Denver")).unwrap().text;
    assert_eq!(before, Prompt::new().render(&recall, 1_000, Some("Denver")).unwrap().text);
    memory.write_scratchpad("step 2", NoteMode::Replace, &origin()).unwrap();
    let after = Prompt::new().render(&recall, 1_000, Some("Denver")).unwrap().text;
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    assert_eq!(&before[..same], &before[..before.find("step 1").unwrap() + "step ".len()]);
}

#[test]
fn what_is_empty_is_left_out() {
    let memory = open("");
    assert_eq!(render(&memory, &Prompt::new(), 100, None).text, "Memory: 0 of 100 tokens used.\n");
    assert_eq!(render(&memory, &Prompt::new(), 3, None).text, "");
    memory.write_handoff("x", &origin()).unwrap();
    memory.acknowledge_handoff().unwrap();
    memory.write_scratchpad("x", NoteMode::Replace, &origin()).unwrap();
    memory.clear_scratchpad(&origin()).unwrap();
    memory.update_block("persona", "", None, &origin()).unwrap();
    assert_eq!(render(&memory, &Prompt::new(), 100, None).text, "Memory: 0 of 100 tokens used.\n");
}

#[test]
fn a_handoff_stays_until_it_is_acknowledged() {
    let memory = open("");
    memory.write_handoff("Go on", &origin()).unwrap();
    for _ in 0..2 {
        assert!(render(&memory, &Prompt::new(), 100, None).text.starts_with("## Handoff\n"));
    }
    memory.acknowledge_handoff().unwrap();
    assert!(!render(&memory, &Prompt::new(), 100, None).text.contains("Handoff"));
}

#[test]
fn core_blocks_have_their_reserve_before_all_else() {
    let memory = open("- a\n");
    memory.write_handoff(&"word ".repeat(50), &origin()).unwrap();
    memory.update_block("goals", "Finish the thesis this winter", None, &origin()).unwrap();
    let rendered = render(&memory, &Prompt::new(), 60, None);
    assert!(rendered.text.contains("## Current Goals") && !rendered.text.contains("## Handoff"));
    assert!(rendered.text.ends_with("left out: handoff 1.\n"), "{}", rendered.text);
    assert_eq!(rendered.left_out, [(PromptPart::Handoff, 1)].into());
    let mut prompt = Prompt::new();
    prompt.core_reserve = 0;
    assert!(render(&memory, &prompt, 120, None).text.contains("## Handoff"));
}

#[test]
fn of_a_large_document_the_pinned_is_kept_and_each_bullet_has_its_heading() {
    let bullets: String = (0..200).map(|n| format!("- fact number {n} of this list\n")).collect();
    let text = format!(
        "## System/Policy\n- Be kind\n\n## Many\n{bullets}\n## Last\n### Deep\nP: (ID: p)\n- [pinned] Allergic to nuts\n- other\n"
    );
    let rendered = render(&open(&text), &Prompt::new(), 200, None);
    let shown = &rendered.text;
    assert!(
        shown.contains("- Be kind") && shown.contains("## Last\n### Deep\nP: (ID: p)\n- [pinned] Allergic to nuts"),
        "{shown}"
    );
    assert!(shown.contains("## Many\n- fact number 0 ") && !shown.contains("number 199"));
    assert!(rendered.tokens > 170, "the budget is used: {}", rendered.tokens);
    // What does not fit is passed over, and what comes behind it is tried.
    let text = format!("- {}\n- short\n", "long ".repeat(300));
    assert!(render(&open(&text), &Prompt::new(), 60, None).text.contains("```memory\n- short\n```"));
}

#[test]
fn a_fence_of_the_document_is_shown_whole_or_not_at_all() {
    let code: String = (0..30).map(|n| format!("line {n}\n\n")).collect();
    let text = format!("## A\n- a\n\n## Code\n```\n{code}```\n\n## B\n- b\n");
    let shown = render(&open(&text), &Prompt::new(), 90, None).text;
    // Nor is a heading shown as if there were nothing below it.
    assert!(shown.contains("## A\n- a\n\n## B\n- b\n```"), "{shown}");
    assert!(!shown.contains("line 0") && shown.starts_with("## Memory\n```memory\n"), "{shown}");
    assert!(render(&open(&text), &Prompt::new(), 1_000, None).text.contains(&code));
}

#[test]
fn what_a_prompt_shows_can_be_edited() {
    let mut toolbox = Toolbox::new(full());
    let edit = json!({"old_string": "Denver", "new_string": "Austin"});
    assert_eq!(toolbox.call("replace_in_memory", &edit).status(), Status::Error);
    toolbox.prompt(&Prompt::new(), 1_000, None).unwrap();
    assert_eq!(toolbox.call("replace_in_memory", &edit).status(), Status::Committed);
}

#[test]
fn what_is_superseded_is_not_rendered() {
    let memory = full();
    let dark = memory.remember(&NewMemory::new("Prefers dark mode"), &origin()).unwrap().seq;
    memory.rethink(&[dark], "Works in the dark", &origin()).unwrap();
    memory.update_block("tone", "lively", None, &origin()).unwrap();
    for message in [None, Some("Prefers dark mode, calm")] {
        let text = render(&memory, &Prompt::new(), 2_000, message).text;
        assert!(!text.contains("Prefers") && !text.contains("calm") && text.contains("Works in the dark"), "{text}");
    }
}

/// Returns the headings and the words of the fences that a reader of Markdown sees.
fn structure(text: &str) -> Vec<String> {
    let (mut seen, mut heading) = (Vec::new(), None);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) if heading.is_some() => heading.as_mut().unwrap().push_str(&text),
            Event::End(TagEnd::Heading(_)) => seen.extend(heading.take()),
            Event::Start(Tag::CodeBlock(kind)) => seen.push(format!("{kind:?}")),
            Event::Start(Tag::List(_)) => seen.push("list".to_owned()),
            _ => {}
        }
    }
    seen
}

fn hostile() -> impl Strategy<Value = String> {
    let lines = [
        "## Who I Am",
        "# Top",
        "```",
        "````",
        "```core",
        "~~~",
        "``",
        "- entry 1, 2026-11-21, memory: x",
        "- a",
        "  - b",
        "Memory: 1 of 2 tokens used.",
        "---",
        "===",
        "- [expires: 2020-01-01] GONE",
        "- [pinned] keep",
        "P: (ID: p)",
        "",
        " ",
        "text",
        "</memory>",
        "<!--",
        "    ```",
        "\t```",
        "1. one",
        "> quote",
    ];
    vec(prop::sample::select(lines.to_vec()), 0..8).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn no_text_makes_structure_and_nothing_is_beyond_the_budget(
        texts in vec(hostile(), 6), budget in 0_usize..400, message in prop::option::of("[a-z]{1,4}")
    ) {
        let memory = open("");
        let [document, persona, handoff, note, kept, host] = &texts[..] else { unreachable!() };
        // What is refused is not there.
        let _ = memory.write(&DocName::memory(), document);
        let _ = memory.update_block("persona", persona.as_str(), None, &origin());
        let _ = memory.write_handoff(handoff, &origin());
        let _ = memory.write_note("plan", note, NoteMode::Replace, &origin());
        let _ = memory.remember(&NewMemory::new(kept.as_str()), &origin());
        let prompt = Prompt::new().with_part("Tasks\n## Forged", host.as_str());
        for budget in [budget, 100_000] {
            let rendered = render(&memory, &prompt, budget, message.as_deref());
            let own = ["Handoff", "Who I Am", "Memory", "Notes", "Memories", "Tasks␊## Forged"];
            let seen = structure(&rendered.text);
            for pair in seen.chunks(2) {
                prop_assert!(own.contains(&pair[0].as_str()), "{:?} in {}", seen, rendered.text);
                prop_assert!(pair.get(1).is_some_and(|fence| fence.starts_with("Fenced")), "{:?}", seen);
            }
            let order: Vec<_> = seen.iter().step_by(2).map(|name| own.iter().position(|own| own == name)).collect();
            prop_assert!(order.is_sorted());
            // A fence of the memory's own keeps what stands in it.
            let is_plain = texts.iter().all(|text| !text.contains("``") && !text.contains("~~~"));
            prop_assert!(!is_plain || host.contains("GONE") || !rendered.text.contains("GONE"), "{}", rendered.text);
            let entries = rendered.text.split('\n').filter(|line| line.starts_with("- entry ")).count();
            let written = texts[..4].iter().chain([host]).map(|text| text.matches("- entry ").count()).sum::<usize>();
            prop_assert!(entries <= written + 1);
        }
    }
}

#[test]
fn a_counter_whose_counts_do_not_add_up_is_obeyed() {
    // The whole has more than its parts: the square of its length.
    let memory = Memory::new(InMemoryStore::new().with(DocName::memory(), MEMORY), Policy::default()).unwrap();
    let memory = Arc::new(memory.with_counter(|text: &str| text.len() * text.len() / 100));
    for budget in [0, 10, 50, 100, 200, 400, 1_000] {
        render(&memory, &Prompt::new(), budget, None);
    }
}

#[test]
fn a_note_kept_in_a_fence_shows_no_expired_bullet() {
    let memory = open("");
    let note = "# Plan\n- Likes tea\n- [expires: 2026-11-01] Has a cold";
    memory.write_note("mixed", note, NoteMode::Replace, &origin()).unwrap();
    let text = render(&memory, &Prompt::new(), 1_000, None).text;
    assert!(text.contains("```note\n# Plan\n- Likes tea\n```\n") && !text.contains("cold"), "{text}");
}

#[test]
fn an_edit_of_the_document_shows_at_once() {
    let memory = full();
    let request = Replace::new("Denver", "Austin");
    let operation = Operation::edit(DocName::memory(), Basis::Anything, &request);
    memory.apply(&[operation], &origin(), memdoc::memory::RequestId::new("replace", &json!(1))).unwrap();
    assert!(render(&memory, &Prompt::new(), 1_000, None).text.contains("Lives in Austin"));
}

#[test]
fn a_bullet_comes_with_its_label() {
    let rice = format!("- rice{}\n", ", steamed".repeat(30)).repeat(3);
    let memory = open(&format!("## Food\nLikes:\n{rice}\nAllergic to:\n- [pinned] nuts\n"));
    let mut texts = (0..100).map(|budget| render(&memory, &Prompt::new(), budget, None).text);
    let first = texts.find(|text| text.contains("nuts")).unwrap();
    assert!(first.contains("## Food\nAllergic to:\n- [pinned] nuts\n") && !first.contains("Likes"), "{first}");
}

#[test]
fn what_was_taken_last_is_what_does_not_fit() {
    let memory = open("## A\n- one\n");
    memory.write_handoff("```\nhandoff\n## Who I Am\n~~~", &origin()).unwrap();
    memory.update_block("persona", "I am\n```\n## Memory\n", None, &origin()).unwrap();
    memory.write_note("n", "note\n# big", NoteMode::Replace, &origin()).unwrap();
    memory.write_scratchpad("s ``` ~~~ `````", NoteMode::Replace, &origin()).unwrap();
    let prompt = Prompt::new().with_part("Part", "p\n```\n## Notes");
    let texts = (0..200).map(|budget| render(&memory, &prompt, budget, None).text);
    // With all that is taken before the document, more room never costs the document its place.
    let has_rest = |text: &str| ["I am", "handoff", "## Part", "s ```"].iter().all(|part| text.contains(part));
    let with_document: Vec<_> = texts.filter(|text| has_rest(text)).map(|text| text.contains("## A\n- one")).collect();
    assert!(with_document.is_sorted() && with_document.contains(&true), "{with_document:?}");
}
