//! No content leaves by events, logs or `Debug`: twenty canaries, in documents and arguments, through every tool.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use memdoc::request::patch::Patch;
use memdoc::{
    Authority, Basis, DocName, InMemoryStore, Known, Memory, MemoryDoc, Operation, Origin, Policy, Replace, Request,
    Revision, Store as _, Timestamp, Toolbox, View, document::Expiry, document::OnStale, document::Ttl,
    locate::BulletTest, locate::Selector, memory::Actor, memory::RequestId, memory::Stored, memory::Version,
    request::Annotation, request::Destination, request::Evidence, request::ItemEdit, request::ItemOp,
    request::ItemPlace, request::Items, request::MergeSections, request::NewItem, request::SectionOp, request::SlotOp,
    request::SubMemoryIntent, request::SubMemoryOp, request::SubMemoryOps, request::validate, text::RevisionPrefix,
    toolbox::Event, toolbox::Observer,
};

const CANARIES: usize = 20;

pub(crate) fn text(canary: &str) -> String {
    format!(
        "## System/Policy\n- {canary} stays\n\n## Facts\n- [{canary}] {canary} lives in Denver\n- {canary} twice, {canary} twice\n  - {canary} nested\n\n\
         ## People\nAnna {canary}: (ID: {canary}-1)\n- {canary} likes tea\n\n## Facts of {canary}\n- `{canary}`\n- `{canary}`\n~~~\n"
    )
}

/// Calls that succeed and calls that fail, for every tool and most codes. `*` is the canary.
pub(crate) const CALLS: &[(&str, &str)] = &[
    ("memory_read", r#"{}"#),
    ("memory_read", r#"{"section": "Facts of *", "view": "keyed"}"#),
    ("memory_read", r#"{"section": "Facts of the *"}"#),
    ("memory_read", r#"{"view": "*"}"#),
    ("memory_read", r#"{"document": "* *"}"#),
    ("memory_read", r#"{"*": "*"}"#),
    ("read_*", r#"{"*": "*"}"#),
    ("validate_memory", r#"{}"#),
    ("replace_in_memory", r#"{"old_string": "*", "new_string": "gone"}"#),
    ("replace_in_memory", r#"{"old_string": "*", "new_string": "gone"}"#),
    ("replace_in_memory", r#"{"old_string": "*", "new_string": "gone"}"#),
    ("replace_in_memory", r#"{"old_string": "* was never there", "new_string": "gone"}"#),
    ("replace_in_memory", r#"{"old_string": "* stays", "new_string": "* goes"}"#),
    ("replace_in_memory", r#"{"old_string": "* lives in Denver", "new_string": "* lives\u202E in Austin"}"#),
    ("replace_in_memory", r#"{"old_string": "*", "new_string": "*", "base_revision": "*"}"#),
    ("replace_in_memory", r#"{"old_string": "*", "new_string": "*", "section": "*"}"#),
    ("replace_in_memory", r#"{"old_string": "* lives in Denver", "new_string": "* lives in Austin"}"#),
    ("replace_in_memory", r#"{"old_string": "*" "new_string": "*"}"#),
    ("patch_memory", r#"{"patch": "*"}"#),
    ("patch_memory", r#"{"patch": "*** Begin Patch\n*** Update Memory: * *\n+*\n*** End Patch"}"#),
    ("patch_memory", r#"{"patch": "*** Begin Patch\n*** Update Memory\n@@ section: *\n-- *\n+- *\n*** End Patch"}"#),
    ("patch_memory", r#"{"patch": "*** Begin Patch\n*** Update Memory\n@@ *\n-- *\n+- *\n@@\n-- *!\n*** End Patch"}"#),
    ("patch_memory", r#"{"patch": "*** Begin Patch\n*** Update Memory\n+- *\n*** End Patch"}"#),
    (
        "patch_memory",
        r#"{"patch": "*** Begin Patch\n*** Update Memory\n*** Add Section: Facts of *\n+*\n*** End Patch"}"#,
    ),
    (
        "patch_memory",
        r#"{"patch": "*** Begin Patch\n*** Update Memory\n*** Rename Section: Facts\n*** To: Facts of *\n*** End Patch"}"#,
    ),
    ("patch_memory", r#"{"patch": "*** Begin Patch\n*** Update Memory\n@@ section: Facts\n+- * more\n*** End Patch"}"#),
    ("edit_items", r#"{"edits": [{"op": "insert", "target": {"section": "Facts"}, "text": "[x] * likes tea"}]}"#),
    ("memory_undo", r#"{"entry": "last"}"#),
    ("edit_items", r#"{"edits": [{"op": "delete", "target": {"contains": "* twice"}}]}"#),
    ("edit_items", r#"{"edits": [{"op": "delete", "target": {"equals": "*", "tag": "*", "key": "*"}}]}"#),
    ("edit_items", r#"{"edits": [{"op": "update", "target": {"section": "Facts", "index": 1}, "text": "*"}]}"#),
    (
        "edit_items",
        r#"{"edits": [{"op": "update", "target": {"section": "Facts", "index": 1}, "text": "*", "expect": "*!"}]}"#,
    ),
    ("edit_items", r##"{"edits": [{"op": "insert", "target": {"section": "Facts"}, "text": "*\n# *"}]}"##),
    (
        "edit_items",
        r#"{"edits": [{"op": "insert", "target": {"section": "Facts"}, "text": "[x] [*] * new", "to": "*"}]}"#,
    ),
    ("edit_items", r#"{"edits": [{"op": "insert", "target": {"section": "Facts"}, "text": "[*] * new"}]}"#),
    ("edit_items", r#"{"edits": [{"op": "tag", "target": {"contains": "* nested"}, "tags": ["*"]}]}"#),
    ("pin_items", r#"{"targets": [{"contains": "* twice"}, {"equals": "* was never there"}]}"#),
    ("pin_items", r#"{"targets": ["* nested"]}"#),
    ("set_ttl", r#"{"targets": ["* nested"], "ttl": "*"}"#),
    ("set_ttl", r#"{"targets": ["* nested"], "ttl": "7d"}"#),
    ("unpin_items", r#"{"targets": ["* nested"]}"#),
    ("clear_ttl", r#"{"targets": ["* nested"]}"#),
    ("apply_sub_memory_ops", r#"{"ops": [{"intent": "delete", "memory_id": "*-1", "sub_memory": "*", "index": 9}]}"#),
    (
        "apply_sub_memory_ops",
        r#"{"ops": [{"intent": "update", "memory_id": "*-2", "old_sub_memory": "*", "new_sub_memory": "* *"}]}"#,
    ),
    ("apply_sub_memory_ops", r#"{"ops": "[{*"}"#),
    ("apply_sub_memory_ops", r#"{"ops": [{"intent": "add", "memory_id": "*-1", "sub_memory": "* walks"}]}"#),
    ("rewrite_memory", r##"{"instructions": "*", "candidate": "# *\n- (rest unchanged)"}"##),
    ("rewrite_memory", r#"{"instructions": "*", "section": "*"}"#),
    (
        "rewrite_memory",
        r#"{"instructions": "*", "section": "People", "candidate": "Anna *: (ID: *-1)\n- * likes tea\n- * walks\n- * walks\n- *"}"#,
    ),
    // A receipt names sections by their titles: those that change have none of the canary.
    ("rename_section", r#"{"section": "*", "title": "*"}"#),
    ("rename_section", r#"{"section": "People", "title": "Facts of *"}"#),
    ("rename_section", r#"{"section": "People", "title": "* (ID: *)"}"#),
    ("rename_section", r#"{"section": "People", "title": "Folks"}"#),
    ("edit_section", r#"{"op": "move", "section": "Folks", "before": "Facts"}"#),
    ("move_section", r#"{"section": "Folks", "to": "*"}"#),
    ("move_section", r#"{"section": "Folks", "before": "*"}"#),
    ("move_section", r#"{"section": "Folks", "before": "Facts"}"#),
    ("sort_items", r#"{"section": "*"}"#),
    ("sort_items", r#"{"section": "Folks"}"#),
    ("merge_sections", r#"{"source": "*", "target": "*"}"#),
    ("merge_sections", r#"{"source": "Folks", "target": "Facts"}"#),
    ("set_slot", r#"{"name": "*:", "value": "*"}"#),
    ("set_slot", r#"{"name": "*", "value": "*"}"#),
    ("remove_slot", r#"{"name": "* *"}"#),
    ("remove_slot", r#"{"name": "*"}"#),
    ("delete_section", r#"{"section": "Facts of *!"}"#),
    ("diff_preview", r#"{"tool": "*", "arguments": {"old_string": "*"}}"#),
    ("diff_preview", r#"{"tool": "replace_in_memory", "arguments": {"old_string": "* nested", "new_string": "*"}}"#),
    ("delete_section", r#"{"section": "Facts"}"#),
    ("memory_history", r#"{"section": "*", "actor": "*", "key": "*"}"#),
    ("memory_history", r#"{"section": "Facts"}"#),
    ("memory_diff", r#"{"from": "*"}"#),
    ("memory_diff", r#"{"from": 1}"#),
    ("memory_undo", r#"{"entry": "*", "reason": "*"}"#),
    ("memory_undo", r#"{"entry": "last", "reason": "*"}"#),
    ("memory_verify", r#"{}"#),
    ("memory_commit", r#"{"content": "*", "tier": "*"}"#),
    ("memory_commit", r#"{"content": "* remembers"}"#),
    ("memory_commit", r#"{"content": "* remembers more"}"#),
    ("memory_recall", r#"{"query": "*"}"#),
    ("memory_recall", r#"{"query": "*", "type": "*"}"#),
    ("search_memory", r#"{"query": "*"}"#),
    ("search_memory", r#"{"query": "*", "section": "*"}"#),
    ("search_memory", r#"{"query": "*", "scope": "*"}"#),
    ("memory_rethink", r#"{"supersedes": [999], "new_understanding": "*"}"#),
    ("memory_rethink", r#"{"supersedes": [LAST], "new_understanding": "*", "reason": "*"}"#),
    ("write_memory", r##"{"key": "* *", "content": "* # *\n## *"}"##),
    ("write_memory", r#"{"key": "* (ID: *)", "content": "*"}"#),
    ("write_memory", r#"{"key": "*", "content": "*", "mode": "*"}"#),
    ("write_session_handoff", r#"{"content": "* and *"}"#),
    ("scratch_note", r#"{"mode": "append", "content": "*"}"#),
    ("scratch_note", r#"{"mode": "read"}"#),
    ("scratch_note", r#"{"mode": "*"}"#),
    ("block_update", r#"{"label": "persona", "content": "I am *."}"#),
    ("block_update", r#"{"label": "*", "content": "*"}"#),
    ("block_get", r#"{"label": "persona"}"#),
    ("block_get", r#"{"label": "*"}"#),
    ("memo_commit", r#"{"summary": "*"}"#),
    ("memory_read", r#"{"document": "core"}"#),
    ("memo_begin_task", r#"{"goal": "*", "parent_task_id": "*"}"#),
    ("memo_begin_task", r#"{"goal": "*"}"#),
    ("memo_append", r#"{"text": "* * *", "section": "*"}"#),
    ("memo_append", r#"{"text": "- * one\n- * two", "document": "core"}"#),
    ("memo_read", r#"{"section": "*"}"#),
    ("memo_read", r#"{"document": "core"}"#),
    ("memo_replace", r#"{"old_text": "* three", "new_text": "*"}"#),
    ("memo_replace", r#"{"old_text": "*", "new_text": "*", "match_id": "*"}"#),
    ("memo_replace", r#"{"old_text": "* one", "new_text": "*, one", "document": "core", "match_id": "*"}"#),
    ("memo_replace", r#"{"old_text": "* one", "new_text": "*, one", "document": "core"}"#),
    ("memo_replace_span", r#"{"start_text": "* two", "end_text": "*!", "new_text": "*"}"#),
    ("memo_replace_span", r#"{"start_text": "- * tw", "end_text": "o", "new_text": "- *, two", "document": "core"}"#),
    ("memo_stage", r#"{"tool": "*", "args": {"*": "*"}}"#),
    ("memo_stage", r#"{"tool": "edit_items", "args": {"op": "insert", "target": {"section": "*"}, "text": "*"}}"#),
    ("memo_stage", r#"{"tool": "set_slot", "args": {"name": "user", "value": "*"}}"#),
    ("memo_unstage", r#"{"change_id": "*"}"#),
    ("memo_unstage", r#"{"change_id": "D"}"#),
    ("memo_preview", r#"{"format": "full"}"#),
    ("memo_export_session", r#"{}"#),
    ("memo_export_diff", r#"{}"#),
    ("memo_commit", r#"{"summary": "*", "session_id": "*"}"#),
    ("memo_commit", r#"{"summary": "* is written"}"#),
    ("memo_append", r#"{"text": "- * once more", "document": "core"}"#),
    ("memo_commit_auto", r#"{}"#),
    ("memo_append", r#"{"text": "- * again", "document": "core"}"#),
    ("memo_revert", r#"{"reason": "*"}"#),
    ("memo_append", r#"{"text": "- * still pending", "document": "core"}"#),
];

/// Keeps what it hears as text.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<String>>);

impl Observer for Heard {
    fn observe(&self, event: &Event<'_>) {
        let mut heard = self.0.lock().unwrap();
        let warnings = event.receipt.iter().flat_map(|receipt| &receipt.warnings);
        let said: Vec<&str> = warnings.map(|warning| warning.message.as_str()).collect();
        writeln!(heard, "{event:?} {said:?}").unwrap();
    }
}

/// Makes all calls, and returns the `Debug` of all that a host holds of them. Checks that both kinds of reply occur.
fn called(canary: &str, observer: impl Observer + 'static) -> String {
    let mut seen = String::new();
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), text(canary)));
    let policy = Policy::default().with_on_stale(OnStale::Rebase);
    let mut toolbox = Toolbox::new(Memory::new(store.clone(), policy).unwrap()).with_observer(observer);
    let shown = toolbox.show(&DocName::memory()).unwrap();
    let (mut refused, mut done) = (0, Vec::new());
    for (tool, arguments) in CALLS {
        // The asterisks of a patch's own markers stay.
        let arguments = arguments.replace("***", "\0").replace('*', canary).replace('\0', "***");
        let last = toolbox.memory().head().unwrap().seq;
        let reply = toolbox.call_str(&tool.replace('*', canary), &arguments.replace("LAST", &last.to_string()));
        match reply.code() {
            Some(_) => refused += 1,
            None => done.push(*tool),
        }
        writeln!(seen, "{reply:?} {:?}", reply.receipt()).unwrap();
    }
    let mut known = Toolbox::definitions().iter().map(|tool| tool.name);
    assert!(refused >= 20 && known.all(|tool| done.contains(&tool)), "{refused} refused, done: {done:?}");
    writeln!(
        seen,
        "{toolbox:?} {:?} {store:?} {shown:?} {:?}",
        toolbox.memory(),
        store.read(&[DocName::memory()]).unwrap()
    )
    .unwrap();
    seen
}

fn assert_quiet(seen: &str) {
    let at = seen.to_lowercase().find("canary");
    assert!(at.is_none(), "{}", seen.get(at.unwrap_or(0).saturating_sub(300)..).unwrap_or_default());
}

#[test]
fn no_content_leaves_by_events_and_debug_of_a_toolbox() {
    let heard = Heard::default();
    for number in 0..CANARIES {
        assert_quiet(&called(&format!("canary{number}q"), heard.clone()));
    }
    let heard = heard.0.lock().unwrap();
    assert_eq!(heard.matches("Event { tool").count(), CANARIES * CALLS.len());
    assert!(heard.contains("changed_sections: [\"Facts\"]") && heard.contains("code: Some(CountMismatch)"));
    assert_quiet(&heard);
}

fn requests(canary: &str) -> Vec<Box<dyn Request>> {
    let c = || canary.to_owned();
    let mut place = Destination::at(ItemPlace::Before(Box::new(Selector::in_section(c()).containing(c()))));
    place.section = Some(c().into());
    place.block = Some(c().into());
    let evidence = Evidence { expect: Some(c().into()), before: Some(c().into()), after: Some(c().into()) };
    let mut item = NewItem::new(c());
    item.tags.push(c().into());
    let ops = [
        ItemOp::Insert { item: item.clone(), to: place.clone() },
        ItemOp::Update { item: item.clone() },
        ItemOp::Upsert { item, to: place.clone() },
        ItemOp::Reorder { to: place },
        ItemOp::Tag { tags: vec![c().into()] },
        ItemOp::Untag { tags: vec![c().into()] },
    ];
    let mut target = Selector::in_section(c()).containing(c());
    target.block = Some(c().into());
    target.says.push(BulletTest::Key(c().into()));
    target.says.push(BulletTest::Tag(c().into()));
    target.says.push(BulletTest::StartsWith(c().into()));
    target.says.push(BulletTest::Equals(c().into()));
    let items = ops.into_iter().map(|op| {
        let mut edit = ItemEdit::new(target.clone(), op);
        edit.evidence = evidence.clone();
        edit
    });
    let mut op = SubMemoryOp::new(SubMemoryIntent::Update { new: c().into() });
    op.memory_id = Some(c().into());
    op.category = Some(c().into());
    op.text = Some(c().into());
    let patch = format!(
        "*** Begin Patch\n*** Update Memory: {canary}\n@@ section: {canary}\n@@ block: {canary}\n@@ item: contains(\"{canary}\")\n {canary}\n-{canary}\n+{canary}\n\
         @@ {canary}\n-{canary}\n*** Add Section: {canary}\n+{canary}\n*** Before: {canary}\n*** Delete Section: {canary}\n\
         *** Rename Section: {canary}\n*** To: {canary}\n*** Move Section: {canary}\n*** After: {canary}\n*** End Patch"
    );
    let patch: Patch = patch.parse().unwrap();
    let mut in_section = Replace::new(c(), c());
    in_section.section = Some(c().into());
    let mut all: Vec<Box<dyn Request>> = vec![
        Box::new(Items::new(items)),
        Box::new(SubMemoryOps::new([op])),
        Box::new(Items::annotating(Annotation::Pin, [target.clone()])),
        Box::new(Items::annotating(Annotation::ClearTtl, [Selector::in_section(c())])),
        Box::new(Replace::new(c(), c())),
        Box::new(in_section),
        Box::new(Replace::new(format!("{canary} lives"), format!("{canary} dwells"))),
        Box::new(Replace::new(format!("({canary}-1"), format!("({canary}-2"))),
        Box::new(Replace::new(format!("{canary} LIVES"), c())),
    ];
    let sections = [MergeSections::new(c(), c()), MergeSections::new("People", format!("Facts of {canary}"))];
    all.extend(sections.map(|request| Box::new(request) as Box<dyn Request>));
    let slots = [SlotOp::set(c(), c()), SlotOp::set(format!("{canary}:"), c()), SlotOp::remove(c())];
    all.extend(slots.map(|request| Box::new(request) as Box<dyn Request>));
    all.push(Box::new(SectionOp::Rename { section: "People".into(), title: c().into() }));
    all.extend(patch.documents.into_iter().map(|document| Box::new(document) as Box<dyn Request>));
    all
}

#[test]
fn no_content_leaves_by_debug_of_requests_plans_and_errors() {
    for number in 0..CANARIES {
        let canary = format!("canary{number}q");
        let doc = MemoryDoc::parse(text(&canary));
        let memory = Memory::new(InMemoryStore::new().with(DocName::memory(), doc.text()), Policy::default()).unwrap();
        let mut seen = String::new();
        let mut show = |value: &dyn Debug| writeln!(seen, "{value:?}").unwrap();
        for request in requests(&canary) {
            show(&request);
            show(&request.plan(&View::current(&doc, Timestamp::default())));
            show(&View::current(&doc, Timestamp::default()));
            let known = Known::of(&doc);
            let operations = [Operation::edit(DocName::memory(), Basis::Known(&known), &*request)];
            show(&operations);
            show(&memory.apply(&operations, &Origin::host("test"), RequestId::new("test", &canary.as_str().into())));
        }
        show(&Origin::host("test").with_reason(&canary).with_source(&canary));
        show(&memory.create(&DocName::memory(), &canary));
        show(&format!("{canary}\n").parse::<Actor>());
        show(&doc);
        show(&doc.outline());
        show(&validate(&doc, Timestamp::default()));
        let wrong = format!(
            "- [ttl: {canary}] a\n- [ttl: 1d, since: {canary}] b\n- [ttl: 1d] {canary}\n- [expires: 1960-01-01] {canary}\n\
             A {canary}: (ID: {canary}-1)\nB {canary}: (ID: {canary}-1)\n"
        );
        show(&validate(&MemoryDoc::parse(wrong), Timestamp::default()));
        show(&(canary.parse::<Ttl>(), canary.parse::<Expiry>()));
        show(&canary.parse::<Patch>());
        show(&format!("{canary}!").parse::<DocName>());
        show(&canary.parse::<Revision>());
        show(&canary.parse::<RevisionPrefix>());
        show(&canary.parse::<Timestamp>());
        show(&[
            BulletTest::Equals(canary.clone().into()),
            BulletTest::Tag(canary.clone().into()),
            BulletTest::Key(canary.clone().into()),
        ]);
        show(&Stored::new(DocName::memory(), Some(doc.shared_text().clone()), Version::default()));
        let edit = Replace::new(format!("{canary} lives"), &*canary).plan(&View::current(&doc, Timestamp::default()));
        let edit = edit.unwrap();
        show(&doc.draft(&edit, Authority::Agent));
        show(&doc.commit(&edit, Authority::Agent));
        assert_quiet(&seen);
    }
}

#[test]
fn content_is_shown_to_who_asks_for_it() {
    let doc = MemoryDoc::parse(text("canary"));
    for request in requests("canary") {
        assert!(format!("{request:#?}").contains("canary"));
    }
    assert!(format!("{doc:#?}").contains("- canary likes tea"));
}

#[cfg(feature = "tracing")]
mod tracing_output {
    use std::sync::LazyLock;

    use memdoc::toolbox::TracingObserver;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Metadata, Subscriber};

    use super::*;

    static WRITTEN: LazyLock<Mutex<String>> = LazyLock::new(Mutex::default);

    /// Writes every event, of whatever level, with all its fields.
    struct Writer;

    struct Fields<'a>(&'a mut String);

    impl Visit for Fields<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
            write!(self.0, " {field}={value:?}").unwrap();
        }
    }

    impl Subscriber for Writer {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &tracing::Event<'_>) {
            let mut written = WRITTEN.lock().unwrap();
            written.push_str(event.metadata().target());
            event.record(&mut Fields(&mut written));
            written.push('\n');
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn no_content_leaves_by_tracing() {
        tracing::subscriber::set_global_default(Writer).unwrap();
        for number in 0..CANARIES {
            called(&format!("canary{number}q"), TracingObserver);
        }
        let written = WRITTEN.lock().unwrap();
        assert_eq!(written.matches("memdoc").count(), CANARIES * CALLS.len());
        assert!(written.contains("changed_sections=[\"Facts\"]") && written.contains("code=\"count_mismatch\""));
        assert_quiet(&written);
    }
}
