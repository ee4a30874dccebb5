//! What others have written stays said of what they said it of, whatever is undone, planned anew or taken out of a session.

use std::sync::Arc;

use memdoc::document::OnStale;
use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::support::draws::usually;

const FOREIGN: &str = "- what others wrote";

/// Lines of which no two are equal.
fn document() -> impl Strategy<Value = String> {
    let line = select(vec!["## S", "- b", "- c", "  - d", "  - e", "    - f", "K: (ID: m", ""]);
    proptest::collection::vec(line, 2..9).prop_map(|lines| {
        let lines = lines.into_iter().zip(0..).map(|(line, nth)| match line {
            "" => "\n".to_owned(),
            "K: (ID: m" => format!("K{nth}: (ID: m{nth})\n"),
            line => format!("{line}{nth}\n"),
        });
        lines.collect()
    })
}

/// What is done to a line: it goes, is called something else, or gets something below it.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Remove,
    Rename,
    Below(&'static str),
}

fn deed() -> impl Strategy<Value = Deed> {
    let below = ["## New\n", "- new\n", "  - new\n", "New: (ID: new)\n"].map(Deed::Below);
    select([Deed::Remove, Deed::Rename].into_iter().chain(below).collect::<Vec<_>>())
}

/// Returns what is found and what is written instead to do a deed to one of the lines.
fn worded(text: &str, at: Index, deed: Deed) -> Option<[String; 2]> {
    let lines: Vec<&str> = text.split_terminator('\n').filter(|line| !line.is_empty()).collect();
    let line = lines.get(at.index(lines.len().max(1)))?;
    Some(match deed {
        Deed::Remove => [format!("{line}\n"), String::new()],
        Deed::Rename => [format!("{line}\n"), format!("{line} of another\n")],
        Deed::Below(below) => [format!("{line}\n"), format!("{line}\n{below}")],
    })
}

/// The heading, the header and the bullet that the foreign line is below, by their indentation alone.
fn owners(text: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let above: Vec<&str> = text.split_terminator('\n').take_while(|line| line.trim_start() != FOREIGN).collect();
    let own = text.split_terminator('\n').find(|line| line.trim_start() == FOREIGN).unwrap_or_default();
    let in_section: Vec<&str> = above.iter().rev().copied().take_while(|line| !line.starts_with("## ")).collect();
    let heading = above.iter().rev().find(|line| line.starts_with("## "));
    let block = in_section.iter().find(|line| line.contains("(ID:"));
    let in_list = in_section.iter().take_while(|line| !line.contains("(ID:"));
    let parent = in_list.filter(|line| !line.is_empty()).find(|line| indent(line) < indent(own));
    [heading, block, parent].into_iter().flatten().copied().collect()
}

fn agents(text: &str) -> (Arc<Memory>, [Toolbox; 2]) {
    let policy = Policy::default().with_on_stale(OnStale::Rebase);
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let memory = Arc::new(Memory::new(store, policy).unwrap());
    let mut both = [Toolbox::new(memory.clone()), Toolbox::new(memory.clone())];
    both.iter_mut().for_each(|agent| drop(agent.show(&DocName::memory()).unwrap()));
    (memory, both)
}

fn call(agent: &mut Toolbox, tool: &str, arguments: &Value) -> bool {
    agent.call(tool, arguments).to_json()["status"] != "error"
}

fn replace(agent: &mut Toolbox, words: &[String; 2]) -> bool {
    let [old, new] = words;
    call(agent, "replace_in_memory", &json!({"old_string": old, "new_string": new}))
}

fn text(memory: &Memory) -> String {
    memory.read(&DocName::memory()).unwrap().text().to_owned()
}

proptest! {
    #![proptest_config(usually(400))]

    #[test]
    fn an_undo_leaves_what_others_wrote_where_they_wrote_it(
        start in document(), at in any::<Index>(), deed in deed(), beside in any::<Index>(), indent in 0..3_usize,
    ) {
        let (memory, [mut ann, mut bob]) = agents(&start);
        let Some(words) = worded(&start, at, deed).filter(|words| replace(&mut ann, words)) else { return Ok(()) };
        bob.show(&DocName::memory()).unwrap();
        let Some([line, _]) = worded(&text(&memory), beside, Deed::Rename) else { return Ok(()) };
        let foreign = [line.clone(), format!("{line}{}{FOREIGN}\n", "  ".repeat(indent))];
        if !replace(&mut bob, &foreign) {
            return Ok(());
        }
        let before = text(&memory);
        if call(&mut ann, "memory_undo", &json!({"entry": "last"})) && text(&memory).contains(FOREIGN) {
            let after = text(&memory);
            prop_assert_eq!(owners(&before), owners(&after), "{:?}: {} became {}", words, &before, &after);
        }
    }

    #[test]
    fn a_rebase_leaves_what_others_wrote_where_they_wrote_it(
        start in document(), at in any::<Index>(), deed in deed(), beside in any::<Index>(), indent in 0..3_usize,
    ) {
        let (memory, [mut ann, mut bob]) = agents(&start);
        let Some([line, _]) = worded(&start, beside, Deed::Rename) else { return Ok(()) };
        let foreign = [line.clone(), format!("{line}{}{FOREIGN}\n", "  ".repeat(indent))];
        let Some(words) = worded(&start, at, deed).filter(|_| replace(&mut bob, &foreign)) else { return Ok(()) };
        let before = text(&memory);
        if replace(&mut ann, &words) && text(&memory).contains(FOREIGN) {
            let after = text(&memory);
            prop_assert_eq!(owners(&before), owners(&after), "{:?}: {} became {}", words, &before, &after);
        }
    }

    #[test]
    fn a_change_taken_out_leaves_later_ones_where_they_were_shown(
        start in document(), at in any::<Index>(), deed in deed(), beside in any::<Index>(), indent in 0..3_usize,
    ) {
        let (memory, [mut ann, _]) = agents(&start);
        let stage = |ann: &mut Toolbox, [old, new]: &[String; 2]| {
            call(ann, "memo_replace", &json!({"old_text": old, "new_text": new}))
        };
        let Some(words) = worded(&start, at, deed).filter(|words| stage(&mut ann, words)) else { return Ok(()) };
        let staged = start.replacen(&words[0], &words[1], 1);
        let Some([line, _]) = worded(&staged, beside, Deed::Rename) else { return Ok(()) };
        let below = format!("{line}{}{FOREIGN}\n", "  ".repeat(indent));
        if !stage(&mut ann, &[line.clone(), below.clone()]) {
            return Ok(());
        }
        let before = staged.replacen(&line, &below, 1);
        let is_out = call(&mut ann, "memo_unstage", &json!({"change_id": "A"}));
        if is_out && call(&mut ann, "memo_commit", &json!({"summary": "done"})) && text(&memory).contains(FOREIGN) {
            let after = text(&memory);
            prop_assert_eq!(owners(&before), owners(&after), "{:?}: {} became {}", words, &before, &after);
        }
    }
}
