//! What must hold of compactions that a host's hook writes, and of edits that make room for themselves: as in
//! `compaction_checks.rs`, whose oracle they share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use memdoc::request::patch::Patch;
use memdoc::{
    Basis, DocName, InMemoryStore, Memory, MemoryError, Operation, Origin, Policy, Replace, Request, Status, Timestamp,
    Toolbox, document::AutoCompact, locate::Selector, memory::Applied, memory::Clock, memory::CompactorError,
    memory::RequestId, request::CompactionRequest, request::ItemEdit, request::ItemOp, request::Items,
    request::NewItem, request::Restore, request::Rewrite, request::SubMemoryIntent, request::SubMemoryOp,
    request::SubMemoryOps,
};
use serde_json::{Value, json};

use super::compaction_checks::{
    Bytes, CODES, check_budget, check_candidate, check_clean, check_section, document, now, policy, stands_in_place,
    unmet,
};
use super::compaction_draw::Draw;
use super::compaction_scan::{Scan, lacking, scan};

struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> Timestamp {
        now()
    }
}

/// Checks the invariant that the first byte names on what the others choose.
pub fn check_any(data: &[u8]) {
    let checks: [fn(&[u8]); 6] = [check_clean, check_budget, check_candidate, check_section, check_hook, check_room];
    if let Some((which, data)) = data.split_first() {
        checks[usize::from(*which) % checks.len()](data);
    }
}

/// A hook that answers anything is asked at most three times, and what it changes meets every condition.
pub fn check_hook(data: &[u8]) {
    let mut draw = Draw::new(data);
    let text = draw.document();
    let answers: Vec<String> = (0..4).map(|_| draw.candidate(&text)).collect();
    let calls = Arc::new(AtomicUsize::new(0));
    let hook = {
        let (calls, answers) = (calls.clone(), Mutex::new(answers.into_iter()));
        move |_: &CompactionRequest| -> Result<String, CompactorError> {
            calls.fetch_add(1, Ordering::Relaxed);
            answers.lock().unwrap().next().ok_or_else(|| "no more".into())
        }
    };
    let memory = memory(&text, policy()).with_compactor(hook);
    let applied = made(&memory, Operation::edit(DocName::memory(), Basis::Anything, &Rewrite::new("")));
    let asked = calls.load(Ordering::Relaxed);
    assert!((1..=3).contains(&asked), "asked {asked} times: {text:?}");
    let after = read(&memory);
    match applied {
        Ok(_) => {
            let unmet = unmet(&text, &after, None).unwrap_or_default();
            assert!(unmet.is_empty(), "accepted in spite of {unmet:?}: {text:?} {after:?}");
        }
        Err(error) => {
            assert_eq!(asked, 3);
            assert_eq!(after, text, "{error}");
            // A text of nothing is none.
            let other = ["invalid_arguments", "loss_too_high"];
            let code = error.code().as_str();
            assert!(CODES.contains(&code) || other.contains(&code), "{error}: {text:?}");
        }
    }
}

fn memory(text: &str, policy: Policy) -> Memory {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    Memory::new(store, policy).unwrap().with_counter(Bytes).with_clock(Fixed)
}

fn apply(memory: &Memory, request: &dyn Request) -> Result<Vec<Applied>, MemoryError> {
    made(memory, Operation::edit(DocName::memory(), Basis::Anything, request))
}

fn made(memory: &Memory, operation: Operation<'_>) -> Result<Vec<Applied>, MemoryError> {
    memory.apply(&[operation], &Origin::new("tester".parse().unwrap(), "test"), RequestId::new("test", &Value::Null))
}

fn read(memory: &Memory) -> String {
    memory.read(&DocName::memory()).unwrap().text().to_owned()
}

/// Edits by several tools that outgrow the limits make room for themselves, in the same write, and can be taken back.
pub fn check_room(data: &[u8]) {
    let mut draw = Draw::new(data);
    let text = draw.document();
    let mut rules = policy().with_max_bytes((text.len() + draw.below(120)).max(40));
    rules.auto_compact = [AutoCompact::Over, AutoCompact::Near][draw.below(2)];
    let limit = rules.max_bytes;
    let mut toolbox = Toolbox::new(memory(&text, rules.clone()));
    toolbox.show(&DocName::memory()).unwrap();
    for nth in 0..=draw.below(6) {
        let before = read(toolbox.memory());
        let Some((tool, arguments, request, written)) = step(&mut draw, &before, nth) else { continue };
        let reply = toolbox.call(tool, &arguments);
        let after = read(toolbox.memory());
        let told =
            || format!("{tool} {arguments} {reply}\n--- limit {limit}\n--- before\n{before:?}\n--- after\n{after:?}");
        if reply.status() != Status::Committed {
            assert_eq!(after, before, "{}", told());
            continue;
        }
        assert!(after.len() <= limit || after.len() <= before.len(), "too large: {}", told());
        assert!(after.contains(&written), "what was written is gone: {}", told());
        let (Some(old), Some(new)) = (scan(&before), scan(&after)) else { continue };
        let pinned = |scan: &Scan| -> Vec<String> {
            scan.bullets.iter().filter(|bullet| bullet.is_pinned()).map(|bullet| bullet.wording.clone()).collect()
        };
        assert_eq!(lacking(pinned(&old), pinned(&new)), None, "a pinned bullet is gone: {}", told());
        assert!(old.reserved == new.reserved && stands_in_place(&old, &new), "a reserved section: {}", told());
        assert_eq!(lacking(old.front, new.front), None, "front matter: {}", told());
        assert_eq!(lacking(old.ids, new.ids), None, "an ID is gone: {}", told());
        check_taken_back((&before, &after), &*request, &rules);
    }
}

/// The same request on the same text gives the same text, and its inverse takes all of it back at once.
fn check_taken_back((before, after): (&str, &str), request: &dyn Request, rules: &Policy) {
    let twin = memory(before, rules.clone());
    let applied = apply(&twin, request).expect("what the tool commits, the request does");
    assert_eq!(read(&twin), after, "the tool and the request differ on {before:?}");
    let commit = applied[0].commit.clone().expect("it was committed");
    let doc = document(before, rules.clone());
    // A text that was too large itself need not be welcome again.
    if doc.over_soft_limit().is_none() {
        if let Err(error) = apply(&twin, &Restore::new(commit.inverse)) {
            panic!("what was there may not be restored: {error}: {before:?}, after {after:?}");
        }
        assert_eq!(read(&twin), before, "after {after:?}");
    }
}

type Step = (&'static str, Value, Box<dyn Request>, String);

/// Makes a call of one of the tools: its name, its arguments, the same as a request, and what it writes.
fn step(draw: &mut Draw<'_>, text: &str, nth: usize) -> Option<Step> {
    let written = format!("Step {nth} {}", "writes and writes ".repeat(draw.below(6)).trim_end());
    let section = || scan(text)?.headings.into_iter().map(|(path, _)| path.join(" > ")).next();
    match draw.below(4) {
        0 => {
            let section = section()?;
            let arguments = json!({"op": "insert", "target": {"section": section}, "text": written});
            let op = ItemOp::Insert { item: NewItem::new(&*written), to: memdoc::request::Destination::default() };
            let items = Items::new([ItemEdit::new(Selector::in_section(section), op)]);
            Some(("edit_items", arguments, Box::new(items), written))
        }
        1 => {
            let section = section()?;
            let patch = format!(
                "*** Begin Patch\n*** Update Memory\n@@ section: {section}\n+- {written}\n+prose {nth}\n*** End Patch\n"
            );
            let parsed: Patch = patch.parse().expect("it is a patch");
            Some((
                "patch_memory",
                json!({"patch": patch}),
                Box::new(parsed.documents[0].clone()),
                format!("prose {nth}"),
            ))
        }
        2 => {
            let scan = scan(text)?;
            let bullets = scan.bullets.iter().filter(|bullet| !bullet.is_pinned() && !bullet.content.contains('\n'));
            let bullets: Vec<_> = bullets.filter(|bullet| text.matches(&*bullet.content).count() == 1).collect();
            let old = bullets.get(draw.below(bullets.len().max(1)))?.content.clone();
            let arguments = json!({"old_string": old, "new_string": written});
            Some(("replace_in_memory", arguments, Box::new(Replace::new(old, &*written)), written))
        }
        _ => {
            let (id, category) = (format!("new{nth}"), "New");
            let ids = scan(text)?.ids;
            let id = ids.first().filter(|_| draw.is_one_in(2)).cloned().unwrap_or(id);
            let category = if ids.contains(&id) { None } else { Some(format!("{category} {nth}")) };
            let mut op = SubMemoryOp::new(SubMemoryIntent::Add);
            op.memory_id = Some(id.clone().into());
            op.category = category.clone().map(Into::into);
            op.text = Some(written.clone().into());
            let mut row = json!({"memory_id": id, "sub_memory": written, "intent": "add"});
            if let Some(category) = category {
                row["category"] = category.into();
            }
            Some(("apply_sub_memory_ops", json!({"ops": [row]}), Box::new(SubMemoryOps::new([op])), written))
        }
    }
}
