//! A change that is taken out, or an edit beside a session, leaves what the others alone would have made, or is refused.

use memdoc::{Code, DocName, InMemoryStore, Memory, MemoryDoc, Policy, Reply, Status, Toolbox, document};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::soak;

/// What bullets say. Words that stand in others, dates, signs and paths are among them.
const SAYINGS: &[&str] =
    &["tea", "13. Juni", "+ 5 %", "- 3 °C", "rye", "Ada", "phone 1", "C:\\new", "nuts", "no nuts", "x2", "x3", "東京"];
const TITLES: &[&str] = &["A", "B", "C", "Likes"];

/// A tool and its arguments.
#[derive(Clone, Debug)]
struct Call {
    tool: &'static str,
    arguments: Value,
}

fn bullets() -> impl Strategy<Value = String> {
    let tags = select(vec!["", "", "", "[pinned] ", "[ttl: 2027-01-01] "]);
    let child = prop::option::weighted(0.25, select(SAYINGS));
    let bullet = (tags, select(SAYINGS), child);
    (prop::collection::vec(bullet, 0..4), prop::bool::weighted(0.2)).prop_map(|(bullets, is_ordered)| {
        let line = |(nth, (tags, says, child)): (usize, &(&str, &str, Option<&str>))| {
            let marker = if is_ordered { format!("{}.", nth + 1) } else { "-".to_owned() };
            let child = child.map(|says| format!("{}- {says}\n", " ".repeat(marker.len() + 1)));
            format!("{marker} {tags}{says}\n{}", child.unwrap_or_default())
        };
        bullets.iter().enumerate().map(line).collect()
    })
}

fn document() -> impl Strategy<Value = String> {
    let section = |title: &'static str| {
        (select(vec!["## ", "\n## ", "### "]), bullets())
            .prop_map(move |(marks, bullets)| format!("{marks}{title}\n{bullets}"))
    };
    let sections = prop::sample::subsequence(TITLES, 1..=TITLES.len())
        .prop_flat_map(move |titles| titles.into_iter().map(section).collect::<Vec<_>>());
    let front = prop::option::weighted(0.2, Just("---\nuser: Ada\n---\n"));
    let ends = (prop::bool::weighted(0.75), prop::bool::weighted(0.1));
    (front, bullets(), sections, ends).prop_map(|(front, first, sections, (is_ended, is_crlf))| {
        let text = format!("{}{first}{}", front.unwrap_or_default(), sections.concat());
        let text = if is_ended { text } else { text.trim_end_matches('\n').to_owned() };
        if is_crlf { text.replace('\n', "\r\n") } else { text }
    })
}

fn call() -> impl Strategy<Value = Call> {
    let news = select(vec!["new", "oat", "7. Mai", "nuts", "- 5 °C"]);
    (0..20_usize, select(SAYINGS), select(TITLES), select(TITLES), news, 0..4_usize).prop_map(
        |(kind, says, section, other, new, index)| {
            let target = json!({"equals": says});
            let side = ["after", "before", "under"][index % 3];
            let (end, slot) = [("first", "user"), ("last", "city")][index % 2];
            let (tool, arguments) = match kind {
                0 => ("edit_items", json!({"op": "insert", "target": {"section": section}, "text": new})),
                1 => ("edit_items", json!({"op": "insert", "to": {side: target}, "text": new})),
                2 => ("edit_items", json!({"op": "delete", "target": target})),
                3 => ("edit_items", json!({"op": "reorder", "target": target, "to": end})),
                4 => ("edit_items", json!({"op": "replace", "target": target, "text": new})),
                5 => ("edit_items", json!({"op": "delete", "target": {"section": section, "index": index}})),
                6 => {
                    let target = json!({"section": section});
                    ("edit_items", json!({"op": "insert", "target": target, "text": new, "to": {"index": index}}))
                }
                7 => ("move_section", json!({"section": section, end: true})),
                8 => ("delete_section", json!({"section": section})),
                9 => ("rename_section", json!({"section": section, "new_title": "Z"})),
                10 => ("merge_sections", json!({"from": section, "into": other})),
                11 => ("set_slot", json!({"name": slot, "value": new})),
                12 => ("pin_items", json!({"targets": [target]})),
                13 => ("unpin_items", json!({"targets": [target]})),
                14 => ("set_ttl", json!({"targets": [target], "ttl": "30d"})),
                15 => ("replace_in_memory", json!({"old_string": says, "new_string": new})),
                16 => {
                    let both = format!("{says}\n- {new}\n");
                    ("replace_in_memory", json!({"old_string": format!("{says}\n"), "new_string": both}))
                }
                17 => ("replace_in_memory", json!({"old_string": says, "new_string": format!("{says} {new}")})),
                18 => ("patch_memory", json!({"patch": format!("@@ section: {section}\n+- {new}")})),
                _ => ("patch_memory", json!({"patch": format!("@@\n+- {new}")})),
            };
            Call { tool, arguments }
        },
    )
}

/// An agent that has been shown the document.
struct Agent(Toolbox);

impl Agent {
    fn of(text: &str) -> Self {
        let store = InMemoryStore::new().with(DocName::memory(), text);
        let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
        toolbox.show(&DocName::memory()).unwrap();
        Self(toolbox)
    }

    fn make(&mut self, call: &Call) -> Reply {
        self.0.call(call.tool, &call.arguments)
    }

    fn stage(&mut self, call: &Call) -> Reply {
        self.0.call("memo_stage", &json!({"tool": call.tool, "args": call.arguments}))
    }

    /// Commits what is pending, and returns what stands there then, but for blank lines, which are not planned anew.
    fn committed(mut self) -> String {
        let reply = self.0.call("memo_commit", &json!({"summary": "s"}));
        let is_nothing = reply.status() == Status::NoChange || reply.code() == Some(Code::NoSession);
        assert!(is_nothing || reply.status() == Status::Committed, "{reply}");
        let text = self.0.memory().read(&DocName::memory()).unwrap().text().to_owned();
        text.split_inclusive('\n').filter(|line| !line.trim().is_empty()).collect()
    }
}

/// The later changes stand below what they would stand below if the first had never been staged.
fn check_unstaged(text: &str, first: &Call, later: &[Call]) {
    let (mut agent, mut other) = (Agent::of(text), Agent::of(text));
    let staged = [first].into_iter().chain(later).all(|call| agent.stage(call).status() == Status::Editing);
    if !staged {
        return;
    }
    let reply = agent.0.call("memo_unstage", &json!({"change_id": "A"}));
    if reply.status() == Status::Error {
        assert_eq!(reply.code(), Some(Code::Conflict), "{reply}");
        return;
    }
    // What changes nothing now would not be pending if it were planned anew.
    if later.iter().all(|call| other.stage(call).status() == Status::Editing) {
        let mut all = Agent::of(text);
        [first].into_iter().chain(later).for_each(|call| drop(all.stage(call)));
        check_homes(&agent.committed(), &other.committed(), [text, &all.committed()]);
    }
}

/// Checks that a result has the lines that are expected, each below what it is expected to stand below, or stood below on one of two
/// sides: where the one moved what the other wrote beside, the line goes along with it or stays in its section.
fn check_homes(result: &str, expected: &str, sides: [&str; 2]) {
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.split_terminator('\n').map(|line| line.trim().to_owned()).collect();
        lines.sort();
        lines
    };
    let (own, expected_homes, sides) = (homes(result), homes(expected), sides.map(homes));
    let is_on_a_side = || own.iter().all(|home| sides.iter().any(|side| side.contains(home)));
    let is_right = own == expected_homes || (sorted(result) == sorted(expected) && is_on_a_side());
    assert!(is_right, "{result}\nexpected\n{expected}");
}

/// Returns what each line stands below, and what it says, in no order: of two insertions at one place, which goes first is a matter of
/// the merge. A number of a list follows from its place.
fn homes(text: &str) -> Vec<String> {
    let doc = MemoryDoc::parse(text);
    let home = |start: usize, line: &str| {
        let section = doc.section_at(start).map(|section| section.path().to_owned()).unwrap_or_default();
        match doc.bullet_at(start) {
            Some(bullet) => {
                let chain: Vec<_> =
                    bullet.ancestors().map(|around| (around.checkbox(), around.tags(), around.content())).collect();
                format!("{section} | {chain:?}")
            }
            None => format!("{section} | {}", line.trim()),
        }
    };
    let mut at = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        home(at - line.len(), line)
    });
    let mut homes: Vec<_> = lines.collect();
    homes.sort();
    homes
}

/// What is pending stands below what it would stand below if the edit had been made first.
fn check_beside(text: &str, pending: &[Call], direct: &Call) {
    let (mut agent, mut other) = (Agent::of(text), Agent::of(text));
    if !pending.iter().all(|call| agent.stage(call).status() == Status::Editing) {
        return;
    }
    let reply = agent.make(direct);
    if reply.status() != Status::Committed {
        return;
    }
    assert_eq!(other.make(direct).status(), Status::Committed);
    let mut alone = Agent::of(text);
    pending.iter().for_each(|call| drop(alone.stage(call)));
    let read = |agent: &Agent| agent.0.memory().read(&DocName::memory()).unwrap().text().to_owned();
    let new_lines =
        |result: &str| homes(result).into_iter().filter(|home| !homes(text).contains(home)).collect::<Vec<_>>();
    let sides = [read(&other), alone.committed()];
    let [direct, pending_alone] = sides.each_ref().map(|side| new_lines(side));
    // What both write is written once.
    let is_twice = pending_alone.iter().any(|home| direct.contains(home));
    // What is written already, or has lost the line that it named, would not be planned anew.
    if !is_twice && pending.iter().all(|call| other.stage(call).status() == Status::Editing) {
        check_homes(&agent.committed(), &other.committed(), [&sides[0], &sides[1]]);
    }
}

/// Returns what is asked of the bullet at an index of a section, beside that with its text, or the beginning of it, and of the one
/// bullet of that text; `None` if there is no such bullet.
fn by_index(text: &str, section: &str, index: usize, op: &Value) -> Option<[Call; 2]> {
    let doc = MemoryDoc::parse(text);
    let section = doc.sections().find(|found| found.title() == section)?;
    let inside =
        |bullet: &document::BulletRef<'_>| bullet.parent().is_none() && section.body.contains(bullet.line.start());
    let bullet = doc.bullets().filter(inside).nth(index)?;
    let content = bullet.folded_content().into_owned();
    let is_only = doc.bullets().filter(|bullet| bullet.folded_content() == content).count() == 1;
    let with = |members: Value| {
        let members = op.as_object()?.iter().chain(members.as_object()?);
        let arguments = members.map(|(name, value)| (name.clone(), value.clone())).collect::<serde_json::Map<_, _>>();
        Some(Call { tool: "edit_items", arguments: Value::Object(arguments) })
    };
    let mut numbered = json!({"target": {"section": section.title(), "index": index + 1}, "expect": content});
    if op["op"] == "tag" {
        // Tags need no text beside the index.
        numbered.as_object_mut()?.remove("expect");
    }
    is_only.then_some([with(numbered)?, with(json!({"target": {"equals": content}}))?])
}

/// A pending edit by index stands as that of the text which stood there does, or the edit beside it is refused.
fn check_numbered(text: &str, [numbered, by_text]: &[Call; 2], direct: &Call) {
    let (mut agent, mut other) = (Agent::of(text), Agent::of(text));
    let staged = [agent.stage(numbered), other.stage(by_text)].map(|reply| reply.status() == Status::Editing);
    assert_eq!(staged[0], staged[1]);
    let is_made = |reply: Reply| reply.status() == Status::Committed;
    // A direct edit may write the text a second time.
    if staged[0] && is_made(agent.make(direct)) && is_made(other.make(direct)) {
        // Where its bytes are is not planned anew, nor the numbers and the blank lines around them.
        let content = |line: &str| line.trim().split_once(' ').map(|(_, content)| content.to_owned());
        let [own, others] =
            [agent, other].map(|agent| agent.committed().split('\n').filter_map(content).collect::<Vec<_>>());
        assert_eq!(own, others);
    }
}

fn config() -> ProptestConfig {
    let cases = u32::try_from(192 * soak::factor()).unwrap();
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn without_a_change_the_later_ones_stand_below_what_they_would_if_it_had_not_been_staged() {
    let later = prop::collection::vec(call(), 1..3);
    proptest!(config(), |(text in document(), first in call(), later in later)| {
        check_unstaged(&text, &first, &later);
    });
}

#[test]
fn beside_an_edit_what_is_pending_stands_below_what_it_would_if_that_had_been_made_first() {
    let pending = prop::collection::vec(call(), 1..3);
    proptest!(config(), |(text in document(), pending in pending, direct in call())| {
        check_beside(&text, &pending, &direct);
    });
}

#[test]
fn a_pending_index_stays_with_the_bullet_that_it_named() {
    let op = select(vec![
        json!({"op": "delete", "children": "delete"}),
        json!({"op": "replace", "text": "new"}),
        json!({"op": "tag", "tags": ["work"]}),
    ]);
    proptest!(config(), |(text in document(), section in select(TITLES), index in 0..4_usize, op in op, direct in call())| {
        if let Some(calls) = by_index(&text, section, index, &op) {
            check_numbered(&text, &calls, &direct);
        }
    });
}
