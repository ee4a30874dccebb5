//! The tool set `files`: what its cases in `tests/cases/files` do not reach.

use std::time::{Duration, Instant};

use memdoc::memory::journal::Seq;
use memdoc::memory::{Actor, HistoryQuery, RequestId, Undo, Undone};
use memdoc::toolbox::FilesConfig;
use memdoc::{
    Basis, Code, Dialect, DocName, InMemoryStore, Known, Memory, Operation, Origin, Policy, Replace, Reply, Status,
    ToolSet, Toolbox,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::dialects::breaches;

fn toolbox(files: &[(&str, &str)]) -> Toolbox {
    let with = |store: InMemoryStore, (name, text): &(&str, &str)| store.with(name.parse().unwrap(), *text);
    let store = files.iter().fold(InMemoryStore::new(), with);
    Toolbox::new(Memory::new(store, Policy::files()).unwrap()).with_tools(ToolSet::Files)
}

fn call(toolbox: &mut Toolbox, command: &str, arguments: Value) -> Reply {
    let mut arguments = arguments;
    arguments["command"] = command.into();
    toolbox.call("memory", &arguments)
}

fn text(toolbox: &Toolbox, name: &str) -> Option<String> {
    let doc = toolbox.memory().read(&name.parse().unwrap()).ok()?;
    Some(doc.text().to_owned())
}

#[test]
fn the_tool_is_told_in_each_dialect() {
    let [tool] = ToolSet::Files.tools() else { panic!("one tool") };
    assert_eq!(tool.to_json(Dialect::Anthropic), json!({"type": "memory_20250818", "name": "memory"}));
    let function = tool.to_json(Dialect::OpenAi);
    assert_eq!(function["name"], "memory");
    assert_eq!(function["parameters"]["additionalProperties"], false);
    let commands = ["view", "create", "str_replace", "insert", "delete", "rename"];
    assert_eq!(function["parameters"]["properties"]["command"]["enum"], json!(commands));
    assert_eq!(tool.to_json(Dialect::Mcp)["inputSchema"]["required"], json!(["command"]));
    assert!(function.to_string().chars().count() < 3_000);
    for dialect in [Dialect::OpenAi, Dialect::Mcp] {
        assert_eq!(breaches(dialect, &tool.to_json(dialect)), [""; 0], "{dialect:?}");
    }
    assert!(ToolSet::All.tools().iter().all(|other| other.name != tool.name));
}

#[test]
fn the_guidance_leaves_the_rest_to_the_vendors_prompt() {
    let guidance = toolbox(&[]).guidance();
    assert_eq!(guidance.matches(". ").count(), 2, "{guidance}");
    assert!(guidance.contains("System/Policy") && !guidance.contains("memory_read"));
}

#[test]
fn undo_is_offered_where_the_host_wants_it() {
    // No edit may write the two characters that are not seen.
    const TEXT: &str = "\u{FEFF}- a\u{200B}b\n";
    let mut toolbox = toolbox(&[("a", TEXT)]).with_files(FilesConfig { undo: true, ..FilesConfig::default() });
    assert_eq!(toolbox.tools().iter().map(|tool| tool.name).collect::<Vec<_>>(), ["memory_undo", "memory"]);
    let deleted = call(&mut toolbox, "delete", json!({"path": "/memories/a.md"}));
    assert_eq!((deleted.status(), text(&toolbox, "a")), (Status::Committed, None));
    assert_eq!(toolbox.call("memory_undo", &json!({"entry": "last"})).status(), Status::Committed);
    assert_eq!(text(&toolbox, "a").as_deref(), Some(TEXT));
}

#[test]
fn a_folder_goes_and_comes_back_as_one() {
    let mut toolbox = toolbox(&[("old/a", "- a\n"), ("old/b/c", "- c\n"), ("d", "- d\n")]);
    let renamed = call(&mut toolbox, "rename", json!({"old_path": "/memories/old", "new_path": "/memories/new"}));
    let seq = Seq::new(renamed.get("seq").and_then(Value::as_u64).unwrap());
    assert_eq!((text(&toolbox, "new/a").as_deref(), text(&toolbox, "old/a")), (Some("- a\n"), None));
    let undone = toolbox.memory().undo(Undo::Entry(seq), &Origin::host("undo")).unwrap();
    assert!(matches!(undone, Undone::Made(made) if made.len() == 4));
    assert_eq!(text(&toolbox, "old/b/c").as_deref(), Some("- c\n"));
    assert_eq!(text(&toolbox, "new/b/c"), None);
    assert!(toolbox.memory().verify(None).unwrap().is_sound());
}

#[test]
fn the_past_of_a_bullet_goes_on_under_the_name_that_its_file_had() {
    let mut toolbox = toolbox(&[("a", "")]).with_actor("ada".parse::<Actor>().unwrap());
    call(&mut toolbox, "insert", json!({"path": "/memories/a.md", "insert_line": 0, "insert_text": "- one\n- two"}));
    call(&mut toolbox, "str_replace", json!({"path": "/memories/a.md", "old_str": "two", "new_str": "2"}));
    call(&mut toolbox, "rename", json!({"old_path": "/memories/a.md", "new_path": "/memories/f/b.md"}));
    call(&mut toolbox, "rename", json!({"old_path": "/memories/f", "new_path": "/memories/g"}));
    // Another file under the old name.
    call(&mut toolbox, "create", json!({"path": "/memories/a.md", "file_text": "- one\n"}));
    let (memory, name) = (toolbox.memory(), "g/b".parse::<DocName>().unwrap());
    let doc = memory.read(&name).unwrap();
    let blamed = doc.bullets().map(|bullet| memory.blame(&name, bullet).unwrap().seq().get());
    let (inserted, replaced) = (2, 3);
    assert_eq!(blamed.collect::<Vec<_>>(), [inserted, replaced]);
    let at_once = memory.blame_all(&name, &doc, None).unwrap();
    assert_eq!(at_once.iter().flatten().map(|entry| entry.seq().get()).collect::<Vec<_>>(), [inserted, replaced]);
    let mut query = HistoryQuery::new();
    query.document = Some(name);
    let listed = memory.history(&query).unwrap().entries;
    let listed: Vec<_> = listed.iter().map(|row| row.entry.seq().get()).collect();
    assert_eq!(listed[..4], [5, 4, 3, 2]);
    query.document = Some("a".parse().unwrap());
    let of_new = memory.history(&query).unwrap().entries;
    assert_eq!(of_new.first().map(|row| row.entry.seq().get()), Some(6));
    assert_eq!(
        memory
            .blame(&"a".parse().unwrap(), memory.read(&"a".parse().unwrap()).unwrap().bullets().next().unwrap())
            .unwrap()
            .seq()
            .get(),
        6
    );
}

#[test]
fn a_file_is_edited_in_the_step_that_moves_it() {
    let mut toolbox = toolbox(&[("a", "- one\n- two\n")]);
    let patch = "*** Begin Patch\n*** Update File: a.md\n*** Move to: f/b.md\n@@\n - one\n-- two\n+- 2\n*** End Patch";
    let reply = toolbox.apply_patch(patch);
    assert_eq!(reply.to_string(), "Success. Updated the following files:\nM f/b.md");
    assert_eq!((text(&toolbox, "a"), text(&toolbox, "f/b").as_deref()), (None, Some("- one\n- 2\n")));
    let (memory, name) = (toolbox.memory(), "f/b".parse::<DocName>().unwrap());
    let doc = memory.read(&name).unwrap();
    let blamed: Vec<_> = doc.bullets().map(|bullet| memory.blame(&name, bullet).unwrap().seq().get()).collect();
    let moved = reply.get("seq").and_then(Value::as_u64).unwrap();
    assert!(blamed[0] < moved && blamed[1] == moved, "{blamed:?}, {moved}");
    assert!(memory.verify(None).unwrap().is_sound());
}

#[test]
fn an_entry_says_who_by_which_tool_and_why() {
    let mut toolbox = toolbox(&[]).with_actor("ada".parse::<Actor>().unwrap());
    let reply = call(
        &mut toolbox,
        "create",
        json!({"path": "/memories/a.md", "file_text": "- a\n", "reason": "she asked for it"}),
    );
    let entry = toolbox.memory().entry(Seq::new(reply.get("seq").and_then(Value::as_u64).unwrap())).unwrap();
    assert_eq!(entry.header().tool.as_deref(), Some("memory"));
    assert_eq!(entry.header().actor.as_str(), "ada");
    assert_eq!(entry.body().unwrap().reason.as_deref(), Some("she asked for it"));
    let arguments = &entry.body().unwrap().arguments;
    let told: Vec<_> = arguments.iter().map(|(name, text)| (&**name, text.as_str())).collect();
    assert_eq!(told, [("command", "create"), ("path", "/memories/a.md")]);
    let next = call(&mut toolbox, "insert", json!({"path": "/memories/a.md", "insert_line": 0, "insert_text": "- b"}));
    let entry = toolbox.memory().entry(Seq::new(next.get("seq").and_then(Value::as_u64).unwrap())).unwrap();
    assert_eq!(entry.body().unwrap().reason, None);
}

#[test]
fn what_the_host_showed_counts_as_viewed() {
    let mut toolbox = toolbox(&[("a", "1\n2\n")]);
    toolbox.show(&"a".parse().unwrap()).unwrap();
    let reply = call(&mut toolbox, "insert", json!({"path": "/memories/a.md", "insert_line": 1, "insert_text": "x"}));
    assert_eq!((reply.status(), text(&toolbox, "a").as_deref()), (Status::Committed, Some("1\nx\n2\n")));
}

#[test]
fn a_refusal_offers_the_call_that_would_be_made() {
    let mut toolbox = toolbox(&[("a", "# A\n- Lives in Denver\n")]);
    let sent = json!({"path": "/memories/a.md", "old_str": "- lives in Denver", "new_str": "- Lives in Austin"});
    let refused = call(&mut toolbox, "str_replace", sent);
    assert_eq!(refused.code(), Some(Code::NotFound));
    assert!(refused.to_string().starts_with("No replacement was performed, old_str `- lives in Denver`"));
    let retry = refused.get("retry").unwrap();
    assert_eq!(toolbox.call("memory", &retry["arguments"]).status(), Status::Committed);
    assert_eq!(text(&toolbox, "a").as_deref(), Some("# A\n- Lives in Austin\n"));
}

#[test]
fn a_new_memory_has_all_commands_and_nothing_is_written_by_a_view() {
    let mut toolbox = toolbox(&[]);
    call(&mut toolbox, "view", json!({"path": "/memories"}));
    call(&mut toolbox, "view", json!({"path": "/memories/memory.md"}));
    assert_eq!(toolbox.memory().documents().unwrap(), []);
    assert_eq!(
        call(&mut toolbox, "create", json!({"path": "/memories/memory.md", "file_text": "- a\n"})).status(),
        Status::Committed
    );
}

#[test]
fn tools_may_not_create_where_the_policy_says_no() {
    let mut toolbox =
        Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap()).with_tools(ToolSet::Files);
    let reply = call(&mut toolbox, "create", json!({"path": "/memories/a.md", "file_text": "- a\n"}));
    assert_eq!(reply.code(), Some(Code::UnknownDocument));
    assert!(reply.to_string().starts_with("File /memories/a.md was not created: "));
    call(&mut toolbox, "create", json!({"path": "/memories/memory.md", "file_text": "- a\n"}));
    let reply = call(&mut toolbox, "rename", json!({"old_path": "/memories/memory.md", "new_path": "/memories/b.md"}));
    assert_eq!(reply.code(), Some(Code::UnknownDocument));
    let reply = toolbox.apply_patch("*** Begin Patch\n*** Update File: memory.md\n*** Move to: b.md\n*** End Patch");
    assert_eq!((reply.status(), text(&toolbox, "memory").as_deref()), (Status::Error, Some("- a\n")));
}

#[test]
fn a_guarded_deletion_is_refused_for_what_an_edit_would_be() {
    let store = InMemoryStore::new().with("a".parse().unwrap(), "- a\n\n## System/Policy\n- Be honest.\n");
    let memory = Memory::new(store, Policy::files()).unwrap();
    let (name, to) = ("a".parse::<DocName>().unwrap(), "b".parse::<DocName>().unwrap());
    let known = Known::of(&memory.read(&name).unwrap());
    let origin = Origin::new(Actor::default(), "test");
    let apply = |operation: Operation<'_>| memory.apply(&[operation], &origin, RequestId::new("test", &Value::Null));
    let code = |error: memdoc::MemoryError| error.code();
    let deleted = apply(Operation::delete(name.clone()).guarded(Basis::Known(&known)));
    assert_eq!(deleted.map_err(code).err(), Some(Code::ReservedSection));
    let renamed = apply(Operation::rename(name.clone(), &to, None).guarded(Basis::Known(&known)));
    assert_eq!(renamed.map_err(code).err(), Some(Code::ReservedSection));
    let edit = Replace::new("- a", "- b");
    let renamed = apply(Operation::rename(name.clone(), &to, Some(&edit)).guarded(Basis::Known(&known)));
    assert_eq!(renamed.map_err(code).err(), Some(Code::ReservedSection));
    memory.write(&name, "- a\n").unwrap();
    let stale = apply(Operation::delete(name.clone()).guarded(Basis::Known(&known)));
    assert_eq!(stale.map_err(code).err(), Some(Code::StaleRevision));
    let known = Known::of(&memory.read(&name).unwrap());
    let renamed = apply(Operation::rename(name, &to, Some(&edit)).guarded(Basis::Known(&known))).unwrap();
    assert_eq!(renamed[0].doc.text(), "- b\n");
}

/// Applies a patch, and returns the first line of the answer.
fn patched(toolbox: &mut Toolbox, body: &str) -> String {
    let reply = toolbox.apply_patch(&format!("*** Begin Patch\n{body}\n*** End Patch"));
    reply.to_string().split('\n').next().unwrap_or_default().to_owned()
}

#[test]
fn a_patch_of_files_is_one_commit_or_none() {
    let mut toolbox = toolbox(&[("a", "# A\n- one\n- two\n"), ("b", "- b\n"), ("c", "- c\n")]);
    let all = "*** Add File: new/d.md\n+- d\n*** Update File: a.md\n@@ # A\n - one\n-- two\n+- 2\n*** Delete File: b.md\n\
               *** Update File: c.md\n*** Move to: e.md\n@@\n-- c\n+- C";
    let reply = toolbox.apply_patch(&format!("*** Begin Patch\n{all}\n*** End Patch"));
    assert_eq!(reply.to_string(), "Success. Updated the following files:\nA new/d.md\nM a.md\nM e.md\nD b.md");
    let texts = ["a", "b", "c", "e", "new/d"].map(|name| text(&toolbox, name));
    assert_eq!(
        texts.each_ref().map(Option::as_deref),
        [Some("# A\n- one\n- 2\n"), None, None, Some("- C\n"), Some("- d\n")]
    );
    // All of it is taken back as one.
    let seq = Seq::new(reply.get("seq").and_then(Value::as_u64).unwrap());
    toolbox.memory().undo(Undo::Entry(seq), &Origin::host("undo")).unwrap();
    let texts = ["a", "b", "c", "e", "new/d"].map(|name| text(&toolbox, name));
    assert_eq!(
        texts.each_ref().map(Option::as_deref),
        [Some("# A\n- one\n- two\n"), Some("- b\n"), Some("- c\n"), None, None]
    );
}

#[test]
fn a_patch_of_files_overwrites_nothing_and_fails_whole() {
    let mut toolbox = toolbox(&[("a", "# A\n- one\n"), ("b", "- b\n"), ("s", "- s\n\n## System/Policy\n- x\n")]);
    let before = |toolbox: &Toolbox| ["a", "b", "s", "x"].map(|name| text(toolbox, name));
    let there = before(&toolbox);
    for (body, begins) in [
        ("*** Add File: x.md\n+x\n*** Add File: b.md\n+x", "apply_patch verification failed: b.md already exists"),
        (
            "*** Add File: x.md\n+x\n*** Update File: a.md\n@@\n-- two\n+- 2",
            "apply_patch verification failed: Failed to find expected lines in a.md:",
        ),
        (
            "*** Update File: a.md\n@@ ## Nowhere\n-- one\n+- 1",
            "apply_patch verification failed: Failed to find context '## Nowhere' in a.md",
        ),
        (
            "*** Update File: a.md\n*** Move to: b.md\n@@\n-- one\n+- 1",
            "apply_patch verification failed: b.md already exists",
        ),
        (
            "*** Delete File: b.md\n*** Delete File: y.md",
            "apply_patch verification failed: File not found at path 'y.md'",
        ),
        (
            "*** Delete File: b.md\n*** Update File: b.md\n@@\n-- b\n+- c",
            "apply_patch verification failed: b.md: document `b` is named twice",
        ),
        (
            "*** Update File: b.md\n@@\n-- b\n+- c\n*** Update File: b.md\n@@\n+- d\n*** End of File",
            "apply_patch verification failed: b.md: document `b` is named twice",
        ),
        ("*** Update File: b.md", "apply_patch verification failed: invalid hunk in b.md"),
        ("*** Delete File: b.md\n*** Delete File: s.md", "apply_patch verification failed: s.md: "),
        ("*** Update File: s.md\n*** Move to: x.md", "apply_patch verification failed: s.md: "),
        ("*** Add File: ../x.md\n+x", "Path /memories/../x.md would escape /memories directory"),
        ("*** Add File: /etc/x.md\n+x", "Path must start with /memories, got: /etc/x.md"),
        ("*** Add File: B.md\n+x", "Invalid path /memories/B.md: expected a name that differs"),
        ("*** Update Memory: b\n@@\n-- b\n+- c", "invalid hunk at line 2"),
        ("", "invalid patch: it changes no file"),
    ] {
        let told = patched(&mut toolbox, body);
        assert!(told.starts_with(begins), "{body}: {told}");
        assert_eq!(before(&toolbox), there, "{body}");
    }
    assert!(
        toolbox.apply_patch("no patch").to_string().starts_with("invalid patch: The first line of the patch must be")
    );
}

#[test]
fn a_patch_is_based_on_what_was_viewed() {
    let mut toolbox = toolbox(&[("a", "- one\n- two\n")]);
    call(&mut toolbox, "view", json!({"path": "/memories/a.md"}));
    toolbox.memory().write(&"a".parse().unwrap(), "- one\n- two\n- three\n").unwrap();
    // The edit is merged; whole files are not taken away unseen.
    assert!(
        patched(&mut toolbox, "*** Delete File: a.md")
            .starts_with("apply_patch verification failed: a.md: the edit is based")
    );
    patched(&mut toolbox, "*** Update File: a.md\n@@\n-- one\n+- 1");
    assert_eq!(text(&toolbox, "a").as_deref(), Some("- 1\n- two\n- three\n"));
}

#[test]
fn calls_of_openai_are_answered_item_by_item() {
    let mut toolbox = toolbox(&[("lib", "def fib(n):\n    pass\n")]);
    let mut answer = |operation: Value| {
        let item = json!({"id": "apc_1", "type": "apply_patch_call", "status": "completed", "call_id": "call_1", "operation": operation});
        toolbox.apply_patch_call(&item)
    };
    let output = |answer: &Value| answer["output"].as_str().unwrap().to_owned();
    let created = answer(json!({"type": "create_file", "path": "notes/a.md", "diff": "+# A\n+\n+- a\n"}));
    assert_eq!(created["type"], "apply_patch_call_output");
    assert_eq!((&created["call_id"], &created["status"]), (&json!("call_1"), &json!("completed")));
    assert_eq!(answer(json!({"type": "create_file", "path": "notes/a.md", "diff": "+x"}))["status"], "failed");
    let numbered = answer(json!({"type": 1, "path": "notes/a.md"}));
    assert!(output(&numbered).starts_with("Error: expected an operation create_file"));
    let bad = answer(json!({"type": "create_file", "path": "b.md", "diff": "+x\ny"}));
    assert_eq!(output(&bad), "Error: Invalid Add File Line: y");
    let diff = "@@\n-def fib(n):\n+def fibonacci(n):\n     pass\n";
    assert_eq!(answer(json!({"type": "update_file", "path": "lib.md", "diff": diff}))["status"], "completed");
    let failed = answer(json!({"type": "update_file", "path": "lib.md", "diff": "@@\n-nowhere\n+x\n"}));
    assert_eq!(failed["status"], "failed");
    assert!(output(&failed).contains("Failed to find expected lines in lib.md:\nnowhere"));
    assert!(
        output(&answer(json!({"type": "delete_file", "path": "none.md"}))).contains("File not found at path 'none.md'")
    );
    assert_eq!(answer(json!({"type": "delete_file", "path": "notes/a.md"}))["status"], "completed");
    for odd in
        [json!({}), json!({"type": "frob", "path": "a"}), json!(null), json!({"type": "update_file", "path": "lib.md"})]
    {
        assert_eq!(answer(odd)["status"], "failed");
    }
    assert_eq!(text(&toolbox, "lib").as_deref(), Some("def fibonacci(n):\n    pass\n"));
    let item = json!({"type": "custom_tool_call", "call_id": "call_2", "name": "apply_patch",
        "input": "*** Begin Patch\n*** Delete File: lib.md\n*** End Patch"});
    let expected = json!({"type": "custom_tool_call_output", "call_id": "call_2", "output": "Success. Updated the following files:\nD lib.md"});
    assert_eq!(toolbox.apply_patch_call(&item), expected);
    assert_eq!(toolbox.apply_patch_call(&json!("x"))["status"], "failed");
}

#[test]
fn a_huge_file_is_viewed_and_edited_in_time() {
    let lines: String = (0..60_000).map(|number| format!("- entry {number}\n")).collect();
    let store = InMemoryStore::new().with("big".parse().unwrap(), lines.as_str());
    let policy = Policy::files().with_max_bytes(4 << 20);
    let mut toolbox = Toolbox::new(Memory::new(store, policy).unwrap()).with_tools(ToolSet::Files);
    let began = Instant::now();
    let viewed = call(&mut toolbox, "view", json!({"path": "/memories/big.md"})).to_string();
    assert!(viewed.chars().count() < 17_000 && viewed.contains("of 60000; view_range ["), "{}", viewed.len());
    call(&mut toolbox, "view", json!({"path": "/memories/big.md", "view_range": [59_990, -1]}));
    let inserted = json!({"path": "/memories/big.md", "insert_line": 59_995, "insert_text": "- between"});
    assert_eq!(call(&mut toolbox, "insert", inserted).status(), Status::Committed);
    let old = "- entry 30000\n- entry 30001";
    let replaced = json!({"path": "/memories/big.md", "old_str": old, "new_str": "- one"});
    assert_eq!(call(&mut toolbox, "str_replace", replaced).status(), Status::Committed);
    let sought = json!({"path": "/memories/big.md", "old_str": "x".repeat(60_000), "new_str": ""});
    let refused = call(&mut toolbox, "str_replace", sought).to_string();
    assert!(refused.chars().count() < 4_000, "{}", refused.chars().count());
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn many_files_are_listed_deleted_and_bounded() {
    let mut toolbox = toolbox(&[]);
    for number in 0..2_000 {
        toolbox.memory().create(&format!("f/{number}").parse().unwrap(), "x\n").unwrap();
    }
    let refused = call(&mut toolbox, "create", json!({"path": "/memories/one.md", "file_text": "x"}));
    assert_eq!(refused.code(), Some(Code::TooLarge));
    assert!(refused.to_string().contains("2000"));
    assert_eq!(call(&mut toolbox, "view", json!({"path": "/memories"})).to_string().split('\n').count(), 2_003);
    assert_eq!(call(&mut toolbox, "delete", json!({"path": "/memories/f"})).status(), Status::Committed);
    assert_eq!(toolbox.memory().documents().unwrap(), []);
}

/// Paths, commands and texts as nobody should send them.
fn hostile() -> impl Strategy<Value = Value> {
    let path = prop_oneof![
        "/memories(/[a-c.%\\\\_ ]{0,4}){0,3}(\\.md|\\.txt|/)?",
        "\\PC{0,20}",
        Just("/memories/a.md".to_owned()),
        Just("/memories/f".to_owned()),
        Just("/memories/\u{0}\u{202e}%2e%2e".to_owned()),
    ];
    let text =
        prop_oneof!["[a\\- \n\t#`0-9]{0,12}", "(?s).{0,12}", Just("- a".to_owned()), Just("     1\t- a".to_owned())];
    let command = prop_oneof![
        Just("view"),
        Just("create"),
        Just("str_replace"),
        Just("insert"),
        Just("delete"),
        Just("rename"),
        Just("frob")
    ];
    let value = prop_oneof![
        text.prop_map(Value::from),
        (-3_i64..9).prop_map(Value::from),
        Just(Value::Null),
        prop::collection::vec(-2_i64..6, 0..4).prop_map(Value::from),
        path.clone().prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "file_text",
        "old_str",
        "new_str",
        "insert_line",
        "insert_text",
        "new_path",
        "old_path",
        "view_range",
        "reason",
        "x",
    ]);
    let members = prop::collection::vec((names, value), 0..5);
    (command, path, members).prop_map(|(command, path, members)| {
        let mut call = json!({"command": command, "path": path});
        members.into_iter().for_each(|(name, value)| call[name] = value);
        call
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_calls_break_a_memory_or_touch_what_is_reserved(calls in prop::collection::vec(hostile(), 1..24)) {
        let reserved = "- r\n\n## System/Policy\n- Be honest.\n";
        let mut toolbox = toolbox(&[("a", "# A\n- a\n- b\n"), ("f/b", "- b\n"), ("f/s", reserved), ("t.txt", "")]);
        for arguments in calls {
            let before: Vec<_> = toolbox.memory().revisions().unwrap();
            let reply = toolbox.call("memory", &arguments);
            prop_assert!(!reply.to_string().is_empty());
            if reply.status() == Status::Error {
                prop_assert_eq!(&toolbox.memory().revisions().unwrap(), &before);
            }
            let policy = text(&toolbox, "f/s").unwrap_or_default();
            prop_assert!(policy.ends_with("## System/Policy\n- Be honest.\n"), "{:?}: {}", arguments, policy);
        }
        prop_assert!(toolbox.memory().verify(None).unwrap().is_sound());
    }

    #[test]
    fn no_text_breaks_the_reader_of_patches(body in "(\\*\\*\\* (Add|Delete|Update) File: [a-c/.]{0,5}|\\*\\*\\* Move to: [ab].md|@@( # A)?|[-+ ]- [ab]|\\PC{0,6})(\n(\\*\\*\\* (Add|Delete|Update) File: [a-c/.]{0,5}|@@|[-+ ]- [ab]|\\*\\*\\* End of File)){0,8}") {
        let mut toolbox = toolbox(&[("a", "# A\n- a\n- b\n"), ("b", "- b\n")]);
        let before: Vec<_> = toolbox.memory().revisions().unwrap();
        let reply = toolbox.apply_patch(&format!("*** Begin Patch\n{body}\n*** End Patch"));
        if reply.status() == Status::Error {
            prop_assert_eq!(toolbox.memory().revisions().unwrap(), before);
        }
        prop_assert!(toolbox.memory().verify(None).unwrap().is_sound());
    }
}
