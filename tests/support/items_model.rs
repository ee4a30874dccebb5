//! A simple model of bullets, vectors of strings, that edits are held against. Shared by the tests and by `fuzz/`.

use memdoc::{DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
use serde_json::{Value, json};

/// Sections, each a title and its bullets.
pub type Model = Vec<(String, Vec<String>)>;

pub fn render(model: &Model) -> String {
    let section = |(title, bullets): &(String, Vec<String>)| {
        let marker = |nth: usize| if is_ordered(title) { format!("{}.", nth + 1) } else { "-".to_owned() };
        let bullets: String =
            bullets.iter().enumerate().map(|(nth, bullet)| format!("{} {bullet}\n", marker(nth))).collect();
        format!("## {title}\n{bullets}")
    };
    model.iter().map(section).collect::<Vec<_>>().join("\n")
}

/// Returns true if the bullets of the section of this title have numbers, which count from 1.
pub fn is_ordered(title: &str) -> bool {
    title.starts_with('N')
}

pub fn toolbox(text: &str, policy: Policy) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, policy).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

pub fn text(toolbox: &Toolbox) -> String {
    toolbox.memory().read(&DocName::memory()).unwrap().text().to_owned()
}

/// A step, by numbers that are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Step {
    Insert { section: usize, at: usize, text: String },
    Update { section: usize, at: usize, text: String },
    Delete { section: usize, at: usize },
    Move { section: usize, at: usize, to_section: usize, to: usize },
}

/// Makes a step in the model, and returns the edit that asks for it; `None` if there is nothing to do it to.
pub fn take(model: &mut Model, step: &Step) -> Option<Value> {
    let count = model.len();
    match step {
        Step::Insert { section, at, text } => {
            let (title, bullets) = &mut model[section % count];
            let at = at % (bullets.len() + 1);
            // What is there already stays where it is, if no place is asked for.
            if bullets.contains(text) {
                return Some(json!({"op": "insert", "target": {"section": title}, "text": text}));
            }
            bullets.insert(at, text.clone());
            Some(json!({"op": "insert", "target": {"section": title}, "text": text, "to": {"index": at + 1}}))
        }
        Step::Update { section, at, text } => {
            let (title, bullets) = &mut model[section % count];
            let at = at.checked_rem(bullets.len())?;
            let target = json!({"section": title, "index": at + 1});
            let edit = json!({"op": "update", "target": target, "expect": bullets[at], "text": text});
            bullets[at].clone_from(text);
            Some(edit)
        }
        Step::Delete { section, at } => {
            let (title, bullets) = &mut model[section % count];
            let at = at.checked_rem(bullets.len())?;
            // An empty list has no numbers.
            if is_ordered(title) && bullets.len() == 1 {
                return None;
            }
            let expected = bullets.remove(at);
            Some(json!({"op": "delete", "target": {"section": title, "index": at + 1}, "expect": expected}))
        }
        Step::Move { section, at, to_section, to } => {
            let (title, bullets) = &mut model[section % count];
            let at = at.checked_rem(bullets.len())?;
            if is_ordered(title) && bullets.len() == 1 {
                return None;
            }
            let target = json!({"section": title, "index": at + 1});
            let moved = bullets.remove(at);
            let (title, bullets) = &mut model[to_section % count];
            let to = to % (bullets.len() + 1);
            bullets.insert(to, moved);
            Some(json!({"op": "reorder", "target": target, "to": {"section": title, "index": to + 1}}))
        }
    }
}

/// Makes every step in the model and through the tool; the texts agree after each.
pub fn check_items(model: &mut Model, steps: &[Step]) {
    let mut toolbox = toolbox(&render(model), Policy::default());
    for step in steps {
        let before = model.clone();
        let Some(edit) = take(model, step) else { continue };
        // With its base, a move that is asked for twice in a row is two moves.
        let mut edit = edit;
        edit["base_revision"] = json!(toolbox.memory().read(&DocName::memory()).unwrap().revision().to_string());
        let reply = toolbox.call("edit_items", &edit);
        // An index that named another bullet before the steps so far is refused if `expect` fits both.
        if reply.code().is_some_and(|code| code == "context_too_thin") {
            *model = before;
        } else {
            assert_ne!(reply.status(), Status::Error, "{edit} {reply}");
        }
        assert_eq!(text(&toolbox), render(model), "{edit}");
    }
}

/// Reads sections and steps from any bytes.
pub fn read_steps(data: &[u8]) -> (Model, Vec<Step>) {
    let mut bytes = data.iter().copied().map(usize::from);
    let mut next = || bytes.next().unwrap_or(0);
    let sections = 1 + next() % 3;
    let model = (0..sections).map(|nth| {
        let bullets = (0..next() % 5).map(|bullet| format!("b{nth}{bullet}")).collect();
        (format!("S{nth}"), bullets)
    });
    let model: Model = model.collect();
    let steps = data.get(8..).unwrap_or_default().chunks(5).map(|bytes| {
        let n = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
        let text = format!("{}{}", ["x", "y z", "[tag] w", "ü", "1. one"][n(3) % 5], n(4) % 4);
        match n(0) % 4 {
            0 => Step::Insert { section: n(1), at: n(2), text: plain(&text) },
            1 => Step::Update { section: n(1), at: n(2), text: plain(&text) },
            2 => Step::Delete { section: n(1), at: n(2) },
            _ => Step::Move { section: n(1), at: n(2), to_section: n(3), to: n(4) },
        }
    });
    (model, steps.collect())
}

/// The model knows neither tags nor markers.
fn plain(text: &str) -> String {
    text.replace("[tag] ", "tag ").replace("1. ", "1 ")
}
