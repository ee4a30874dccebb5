//! What a model reads when a call is refused: every code, word by word.

use std::sync::Arc;

use insta::assert_snapshot;
use memdoc::{
    DocName, FileStore, InMemoryStore, Memory, Policy, Reply, Revision, Status, Toolbox, document::OnStale,
    memory::Landed, memory::Outcome, memory::StoreError, memory::Version,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::scratch::Scratch;
use crate::support::stores::Hooked;
use crate::support::{checks, strategies};

const TEXT: &str = "## System/Policy\n- Never reveal secrets.\n\n## Facts\n- User’s advisor: TBD\n- Lives in Denver\n- [work] Uses Helix\n\n## Tasks\n- Lives in Denver until May\n- Book the room\n";

fn toolbox(text: &str, policy: Policy) -> Toolbox {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, policy).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox
}

/// Returns the message of a call that must be refused.
fn refused_by(policy: Policy, text: &str, arguments: &Value) -> String {
    let reply = toolbox(text, policy).call("replace_in_memory", arguments);
    assert_eq!(reply.status(), Status::Error, "{reply}");
    checks::check_reply(&reply);
    let shown = reply.to_string();
    assert!(!shown.contains(|c: char| c.is_control() && c != '\n'), "{shown:?}");
    shown
}

fn refused(arguments: &Value) -> String {
    refused_by(Policy::default(), TEXT, arguments)
}

fn replace(old: &str, new: &str) -> Value {
    json!({"old_string": old, "new_string": new})
}

#[test]
fn count_mismatch_letters_the_places_and_says_how_to_choose() {
    assert_snapshot!(refused(&replace("Lives in Denver", "Lives in Austin")), @r#"
    error count_mismatch: Nothing was changed: text `Lives in Denver` occurs 2 times, 1 expected.
    A) line 6, section `Facts`, key `vbr7qt`: - Lives in Denver => set "section" to "Facts"
    B) line 10, section `Tasks`, key `ve41cx`: - Lives in Denver until May => set "section" to "Tasks"
    hint: choose one place; for A, set "section" to "Facts"; for B, set "section" to "Tasks"; to change all 2, set "expected_replacements" to 2
    "#);
    assert_snapshot!(refused(&json!({"old_string": "Denver", "new_string": "Austin", "expected_replacements": 3})), @r#"
    error count_mismatch: Nothing was changed: text `Denver` occurs 2 times, 3 expected.
    A) line 6, section `Facts`, key `vbr7qt`: - Lives in Denver => set "section" to "Facts" and "expected_replacements" to 1
    B) line 10, section `Tasks`, key `ve41cx`: - Lives in Denver until May => set "section" to "Tasks" and "expected_replacements" to 1
    hint: to change all 2, set "expected_replacements" to 2
    "#);
    let many = "- tea\n".repeat(9);
    assert_snapshot!(refused_by(Policy::default(), &many, &replace("tea", "coffee")), @r#"
    error count_mismatch: Nothing was changed: text `tea` occurs 9 times, 1 expected.
    A) line 1, key `n7vmt7#1`: - tea
    B) line 2, key `n7vmt7#2`: - tea
    C) line 3, key `n7vmt7#3`: - tea
    D) line 4, key `n7vmt7#4`: - tea
    E) line 5, key `n7vmt7#5`: - tea
    … and 4 more
    hint: to change all 9, set "expected_replacements" to 9
    "#);
}

#[test]
fn ambiguous_means_places_that_overlap_or_sections_of_one_name() {
    assert_snapshot!(refused_by(Policy::default(), "- a a a\n", &replace("a a", "b")), @r#"
    error ambiguous: Nothing was changed: text `a a` matches 2 places that overlap one another.
    A) line 1, key `jmmxwp`: - a a a => set "old_string" to "- a a a" and "new_string" to "- b a"
    B) line 1, key `jmmxwp`: - a a a => set "old_string" to "- a a a" and "new_string" to "- a b"
    hint: choose one place; for A, set "old_string" to "- a a a" and "new_string" to "- b a"; for B, set "old_string" to "- a a a" and "new_string" to "- a b"
    "#);
    let text = "# A\n## Log\n- x\n# B\n## Log\n- x\n";
    let arguments = json!({"old_string": "x", "new_string": "y", "section": "Log"});
    assert_snapshot!(refused_by(Policy::default(), text, &arguments), @r#"
    error ambiguous: Nothing was changed: section `Log` matches 2 places.
    A) line 2, section `A > Log`: ## Log => set "section" to "A > Log"
    B) line 5, section `B > Log`: ## Log => set "section" to "B > Log"
    hint: choose one place; for A, set "section" to "A > Log"; for B, set "section" to "B > Log"
    "#);
}

#[test]
fn not_found_says_why() {
    assert_snapshot!(refused(&replace("lives in denver until may", "Gone.")), @r#"
    error not_found: Nothing was changed: text `lives in denver until may` was not found.
    closest: line 10, section `Tasks`: - Lives in Denver until May (differs in letter case: sought `lives in denver until may`, found `Lives in Denver until May`)
    closest: line 6, section `Facts`: - Lives in Denver (differs in the text: sought `lives in denver until may`, found `Lives in Denver`)
    hint: set "old_string" to "Lives in Denver until May"
    "#);
    assert_snapshot!(refused(&replace("- Lives in Dallas", "Gone.")), @r#"
    error not_found: Nothing was changed: text `- Lives in Dallas` was not found.
    closest: line 6, section `Facts`: - Lives in Denver (differs in the text: sought `allas`, found `enver`)
    closest: line 10, section `Tasks`: - Lives in Denver until May (differs in the text: sought `allas`, found `enver until May`)
    hint: copy the text exactly from line 6 if you mean that: `- Lives in Denver`; else it may not be there: call memory_read
    "#);
    assert_snapshot!(refused(&replace("- Uses Helix", "- Uses Zed")), @r#"
    error not_found: Nothing was changed: text `- Uses Helix` was not found.
    closest: line 7, section `Facts`: - [work] Uses Helix (differs in tags: the bullet has `[work]`: sought `Uses Helix`, found `[work] Uses Helix`)
    hint: copy the text exactly from line 7 if you mean that: `- [work] Uses Helix`; else it may not be there: call memory_read
    "#);
    assert_snapshot!(refused(&replace("Book the table", "Book the room")), @"
    error not_found: Nothing was changed: text `Book the table` was not found (the new text stands there: already applied?).
    closest: line 11, section `Tasks`: - Book the room (differs in the text: sought `table`, found `room`)
    hint: copy the text exactly from line 11 if you mean that: `Book the room`; else it may not be there: call memory_read
    ");
    assert_snapshot!(refused(&json!({"old_string": "Book", "new_string": "Cancel", "section": "Facts"})), @r#"
    error not_found: Nothing was changed: text `Book` was not found (found once in another section: `Tasks`).
    hint: if that is the one you mean, set "section" to "Tasks"
    "#);
    assert_snapshot!(refused(&json!({"old_string": "Never", "new_string": "Always", "section": "Facts"})), @"
    error not_found: Nothing was changed: text `Never` was not found (found in the reserved section `System/Policy`, which tools cannot change).
    hint: leave that text as it is: no tool can change it; tell your user
    ");
    assert_snapshot!(refused(&json!({"old_string": "User's", "new_string": "Gone.", "expected_replacements": 2})), @r#"
    error not_found: Nothing was changed: text `User's` was not found (differs in a quote: sought U+0027 `'`, found U+2019 `’`; it would match if punctuation were overlooked).
    hint: set "old_string" to "User’s" and "expected_replacements" to 1
    "#);
    assert_snapshot!(refused(&replace("an entirely different text", "Gone.")), @r#"
    error not_found: Nothing was changed: text `an entirely different text` was not found.
    hint: call memory_read and copy the text exactly, if it is there at all
    "#);
}

#[test]
fn not_found_names_the_nearest_section_or_block() {
    assert_snapshot!(refused(&json!({"old_string": "Book", "new_string": "Cancel", "section": "Task"})), @r#"
    error not_found: Nothing was changed: section `Task` was not found.
    hint: if that is the one you mean, set "section" to "Tasks"
    "#);
    assert_snapshot!(refused(&json!({"old_string": "Book", "new_string": "Cancel", "section": "Projects > Alpha"})), @"
    error not_found: Nothing was changed: section `Projects > Alpha` was not found.
    hint: name one that is there: `System/Policy`, `Facts`, `Tasks`
    ");
    let text = "Profile: (ID: mem123)\n- x\n";
    let arguments = json!({"old_string": "x", "new_string": "y", "block": "mem132"});
    assert_snapshot!(refused_by(Policy::default(), text, &arguments), @r#"
    error not_found: Nothing was changed: block `mem132` was not found.
    hint: if that is the one you mean, set "block" to "mem123"
    "#);
}

#[test]
fn context_too_thin_offers_more_lines() {
    let mut arguments = replace("Book", "Cancel");
    arguments["base_revision"] = Revision::of(TEXT).short().into();
    assert_snapshot!(refused_by(Policy::strict(), TEXT, &arguments), @r###"
    error context_too_thin: Nothing was changed: what was sent is too little to be sure of the place: this memory asks for at least 3 lines, or a heading and two neighbors, or a whole line with its section named.
    hint: set "old_string" to "## Tasks\n- Lives in Denver until May\n- Book the room" and "new_string" to "## Tasks\n- Lives in Denver until May\n- Cancel the room"
    "###);
}

#[test]
fn a_revision_is_missing_or_stale() {
    let store = InMemoryStore::new().with(DocName::memory(), TEXT);
    let mut unread = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    assert_snapshot!(unread.call("replace_in_memory", &replace("a", "b")), @r#"
    error missing_revision: Nothing was changed: you have not been shown the document (`memory`).
    hint: call memory_read, then send the edit again; if you know the text as it stands, set "base_revision" to "ab4d5f489f78"
    "#);
    assert_snapshot!(refused_by(Policy::strict(), TEXT, &replace("Book", "Cancel")), @r#"
    error missing_revision: Nothing was changed: this memory asks for `base_revision` in every edit (`memory`).
    hint: call memory_read, then send the edit again; if you know the text as it stands, set "base_revision" to "ab4d5f489f78"
    "#);
    let mut arguments = replace("Book", "Cancel");
    arguments["base_revision"] = "0123456789ab".into();
    assert_snapshot!(refused(&arguments), @"
    error stale_revision: Nothing was changed: the edit is based on revision `0123456789ab` of `memory`, which is now at `ab4d5f489f78`.
    hint: call memory_read, look at what has changed, then send the edit again if it is still right
    ");
}

/// Lets another editor write between what the agent was shown and its call.
fn after_another_write(policy: Policy, now: &str, arguments: &Value) -> String {
    let store = Arc::new(InMemoryStore::new().with(DocName::memory(), TEXT));
    let mut toolbox = Toolbox::new(Memory::new(store.clone(), policy).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    store.write_outside(&DocName::memory(), Some(now)).unwrap();
    toolbox.call("replace_in_memory", arguments).to_string()
}

#[test]
fn stale_names_both_revisions_and_conflict_the_text_that_stands_there() {
    let now = TEXT.replace("Book the room", "Book the large room");
    assert_snapshot!(after_another_write(Policy::default(), &now, &replace("Book", "Cancel")), @"
    error stale_revision: Nothing was changed: the edit is based on revision `ab4d5f489f78` of `memory`, which is now at `b5152a440be3`.
    changes:
    --- a/memory.md
    +++ b/memory.md
    @@ -8,4 +8,4 @@
     
     ## Tasks
     - Lives in Denver until May
    -- Book the room
    +- Book the large room
    hint: look at `changes`, then send the same call again if it is still right, else adapt it
    ");
    let rebase = || Policy::default().with_on_stale(OnStale::Rebase);
    assert_snapshot!(after_another_write(rebase(), &now, &replace("Book", "Cancel")), @"
    error conflict: Nothing was changed: the text around this part has changed since it was seen; there is now `- Book the large room`.
    changes:
    --- a/memory.md
    +++ b/memory.md
    @@ -8,4 +8,4 @@
     
     ## Tasks
     - Lives in Denver until May
    -- Book the room
    +- Book the large room
    hint: look at `changes`, then send an edit of the text as it now stands
    ");
    let gone = TEXT.replace("- Book the room\n", "");
    assert_snapshot!(after_another_write(rebase(), &gone, &replace("Book", "Cancel")), @"
    error conflict: Nothing was changed: the text around this part has changed since it was seen.
    changes:
    --- a/memory.md
    +++ b/memory.md
    @@ -8,4 +8,3 @@
     
     ## Tasks
     - Lives in Denver until May
    -- Book the room
    hint: look at `changes`, then send an edit of the text as it now stands
    ");
}

#[test]
fn reserved_sections_are_named_with_what_would_happen_to_them() {
    assert_snapshot!(refused(&replace("Never reveal", "Always reveal")), @"
    error reserved_section: Nothing was changed: the edit would change the text of a reserved section, or where it ends (`System/Policy`).
    hint: leave `System/Policy` as it is: no tool can change it; tell your user
    ");
    assert_snapshot!(refused(&replace("- Book the room", "## ѕystem / policy")), @"
    error reserved_section: Nothing was changed: line 11 of the result would be another reserved heading (`System/Policy`).
    hint: give that heading a title that does not read like `System/Policy`: no tool can add one that does; tell your user
    ");
    assert_snapshot!(refused(&replace("## System/Policy\n", "Preface\n## System/Policy\n")), @"
    error reserved_section: Nothing was changed: the edit would put text above the reserved section at the top (`System/Policy`).
    hint: write below `System/Policy`
    ");
}

#[test]
fn invalid_text_names_what_is_wrong_and_where() {
    assert_snapshot!(refused(&replace("Book", "B\u{202E}ook")), @r#"
    error invalid_text: Nothing was changed: the text would bring U+202E RIGHT-TO-LEFT OVERRIDE into line 11, a character that is invisible or ends lines.
    hint: send the text without that character
    "#);
    assert_snapshot!(refused(&replace("Book", "B\rook")), @r#"
    error invalid_text: Nothing was changed: the text would bring U+000D CARRIAGE RETURN into line 11, a character that is invisible or ends lines.
    hint: send the text without that character
    "#);
    assert_snapshot!(refused(&replace("- Book the room", "- Book\n```\nthe room")), @r#"
    error invalid_text: Nothing was changed: the code fence opened on line 12 would not be closed.
    hint: close the code fence in the same text
    "#);
    assert_snapshot!(refused(&replace("until May\n", "until May; ")), @"
    error invalid_text: Nothing was changed: line 11, which the edit does not write, would be joined to another line.
    hint: end the new text with a line break, as the old text does; or take that line into the old text
    ");
    assert_snapshot!(refused(&replace("- User’s advisor", "~~~\n- User’s advisor")), @r#"
    error invalid_text: Nothing was changed: the code fence opened on line 5 would not be closed.
    hint: close the code fence in the same text
    "#);
}

#[test]
fn limits_are_told_with_numbers_and_names() {
    assert_snapshot!(refused_by(Policy::default().with_max_bytes(160), TEXT, &replace("Book", "Book and confirm")), @r#"
    error too_large: Nothing was changed: the document would have 179 bytes, the limit is 160.
    hint: shorten or remove something in the same edit, or before it
    "#);
    assert_snapshot!(refused_by(Policy::default().with_max_tokens(10), TEXT, &replace("Book", "Book and confirm")), @r#"
    error too_large: Nothing was changed: the document would have 48 tokens, the limit is 10.
    hint: shorten or remove something in the same edit, or before it
    "#);
    let required = Policy::default().with_required_sections(["Tasks"]);
    assert_snapshot!(refused_by(required, TEXT, &replace("## Tasks", "## To do")), @r#"
    error missing_section: Nothing was changed: section `Tasks` is required and would be gone.
    hint: keep the heading `Tasks`
    "#);
    let text = "A: (ID: a1)\n- x\nB: (ID: b1)\n- y\n";
    assert_snapshot!(refused_by(Policy::default(), text, &replace("(ID: b1)", "(ID: a1)")), @"
    error duplicate_id: Nothing was changed: block ID `a1` would stand on line 1 and on line 3.
    hint: use an ID that no other block has
    ");
}

#[test]
fn arguments_are_answered_with_the_shape_of_the_call() {
    assert_snapshot!(refused(&json!({"old_string": "a"})), @r#"
    error invalid_arguments: Nothing was changed: arguments missing: `new_string`.
    hint: call replace_in_memory({"old_string": string, "new_string": string, "base_revision"?: string, "block"?: string, "document"?: string, "expected_replacements"?: integer, "replace_all"?: boolean, "section"?: string, "whole_words"?: boolean})
    "#);
    let message = |arguments: &Value| refused(arguments).split('\n').next().unwrap_or_default().to_owned();
    assert_snapshot!(message(&json!({"old_string": "a", "new_string": "b", "regex": true})), @r#"
    error invalid_arguments: Nothing was changed: arguments unknown: `regex`.
    "#);
    assert_snapshot!(message(&json!({"old_string": ["a"], "new_string": "b"})), @r#"
    error invalid_arguments: Nothing was changed: `old_string`: expected string, found an array.
    "#);
    assert_snapshot!(message(&json!({"old_string": "a", "new_string": "b", "expected_replacements": 0})), @r#"
    error invalid_arguments: Nothing was changed: `expected_replacements`: expected a number of at least 1, found 0.
    "#);
    assert_snapshot!(message(&json!({"old_string": "", "new_string": "b"})), @r#"
    error invalid_arguments: Nothing was changed: `old_string`: expected the text to be replaced, found an empty text.
    "#);
    assert_snapshot!(message(&json!(["a", "b"])), @r#"
    error invalid_arguments: Nothing was changed: expected a JSON object of arguments, found an array.
    "#);
    assert_snapshot!(toolbox(TEXT, Policy::default()).call_str("memory_read", "{\"section\": \"Facts\""), @"
    error invalid_arguments: Nothing was changed: the arguments are not valid JSON at line 1, column 19: EOF while parsing an object.
    hint: send one JSON object, without a fence or words around it
    ");
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("memory_read", &json!({"view": "html"})), @r#"
    error invalid_arguments: Nothing was changed: `view`: expected `text`, `numbered` or `keyed`, found `html`.
    hint: call memory_read({"document"?: string, "section"?: string, "view"?: "text"|"numbered"|"keyed"})
    "#);
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("memory_read", &json!({"document": "../memory"})), @r#"
    error invalid_arguments: Nothing was changed: `document`: expected a document name that begins with a letter or digit, found `../memory`.
    hint: call memory_read({"document"?: string, "section"?: string, "view"?: "text"|"numbered"|"keyed"})
    "#);
}

#[test]
fn unknown_tools_and_documents_are_answered_with_those_there_are() {
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("str_replace", &json!({})), @"
    error unknown_tool: Nothing was changed: there is no tool `str_replace`.
    hint: call one of memory_read, patch_memory, replace_in_memory, edit_items, pin_items, unpin_items, set_ttl, clear_ttl, rename_section, merge_sections, move_section, delete_section, set_slot, remove_slot, apply_sub_memory_ops, rewrite_memory, diff_preview, validate_memory, memory_history, memory_diff, memory_undo, memory_verify, memory_commit, memory_rethink, memory_recall, block_get, block_update, write_memory, search_memory, write_session_handoff, scratch_note, memo_read, memo_replace, memo_replace_span, memo_append, memo_stage, memo_unstage, memo_preview, memo_commit, memo_commit_auto, memo_revert, memo_begin_task, memo_export_session, memo_export_diff
    ");
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("memory_read", &json!({"document": "projects"})), @r#"
    error unknown_document: Nothing was changed: there is no document `projects`.
    hint: use one of `memory`
    "#);
}

#[test]
fn what_succeeded_is_told_in_a_few_lines() {
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("replace_in_memory", &replace("User's advisor: TBD", "User's advisor: X")), @"
    committed (revision e89944c14232)
    changed sections: Facts
    5| - User’s advisor: X
    read less exactly than written: punctuation (other quotes, dashes or spaces stood there; they stay where you change nothing else)
    ");
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("replace_in_memory", &replace("Book", "Book")), @"no_change (revision ab4d5f489f78): the text would be the same; nothing was written");
    assert_snapshot!(toolbox("## A\n- x\n- x\n", Policy::default()).call("validate_memory", &json!({})), @r#"
    ok (revision a6f744efda32): 1 violation
    duplicate_bullet, line 3: says the same as line 2
      fix: edit_items {"base_revision":"a6f744efda32","edits":[{"children":"keep","op":"delete","target":{"key":"5nrhcg#2"}}]}
    "#);
    assert_snapshot!(toolbox(TEXT, Policy::default()).call("memory_read", &json!({"section": "tasks", "view": "numbered"})), @r#"
    ok (revision ab4d5f489f78)
    read less exactly than written: case
    9| ## Tasks
    10| - Lives in Denver until May
    11| - Book the room
    "#);
}

proptest! {
    #[test]
    fn every_message_is_bounded_and_says_that_nothing_was_changed(
        text in strategies::document(), old in strategies::payload(), new in strategies::payload(),
        count in -1..4_i64, section in proptest::option::of(strategies::line()), repeat in 1..400_usize,
    ) {
        let old = old.repeat(if old.len() < 8 { 1 } else { repeat });
        let arguments = json!({"old_string": old, "new_string": new, "expected_replacements": count, "section": section});
        let mut toolbox = toolbox(&text, Policy::default());
        checks::check_reply(&toolbox.call("replace_in_memory", &arguments));
        checks::check_reply(&toolbox.call(&old, &arguments));
        checks::check_reply(&toolbox.call("memory_read", &json!({"section": section, "view": old})));
        checks::check_reply(&toolbox.call("validate_memory", &json!({old.as_str(): new})));
        checks::check_reply(&toolbox.call_str("replace_in_memory", &old));
    }
}

fn failing(answer: fn() -> Result<Outcome, StoreError>) -> Reply {
    let inner = InMemoryStore::new().with(DocName::memory(), TEXT);
    let store = Hooked { landed: Some(|| Ok(Landed::Unknown)), ..Hooked::new(inner, move |_, _| answer()) };
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    toolbox.call("replace_in_memory", &replace("Book", "Cancel"))
}

#[test]
fn a_busy_store_and_a_lost_answer_are_told_apart() {
    let busy = failing(|| Err(StoreError::Busy { path: "lock".into() }));
    assert_snapshot!(busy, @"
    error busy: Nothing was changed: `lock` is locked by another process.
    hint: send the same call again later
    ");
    let lost = failing(|| Ok(Outcome::Indeterminate(StoreError::Busy { path: "lock".into() })));
    assert_snapshot!(lost, @"
    error indeterminate: It is not known whether anything was changed: `lock` is locked by another process.
    hint: send the same call again: if the change was made, the reply says so
    ");
    let overtaken = failing(|| {
        let [expected, found] = [Version::default(); 2];
        Ok(Outcome::Conflict { document: DocName::memory(), expected, found })
    });
    assert_snapshot!(overtaken, @"
    error busy: Nothing was changed: `memory` is being changed by others all the time.
    hint: send the same call again later
    ");
}

#[test]
fn a_patch_of_too_many_hunks_is_refused() {
    let hunks: String = (0..501).map(|nth| format!("@@\n-- b{nth}\n+- c\n")).collect();
    let patch = format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch");
    assert_snapshot!(toolbox("- a\n", Policy::default()).call("patch_memory", &json!({ "patch": patch })), @"
    error invalid_patch: Nothing was changed: line 1503 of the patch: expected at most 500 hunks and operations in one patch, found more.
    hint: send at most 500 of them in one call, and the others in further calls
    ");
}

#[test]
fn a_document_that_cannot_be_used_is_told_by_its_name_and_not_by_its_path() {
    let scratch = Scratch::create();
    let store = FileStore::open(&*scratch).unwrap();
    std::fs::create_dir(store.path(&DocName::memory())).unwrap();
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    assert_snapshot!(toolbox.call("memory_read", &json!({})), @"
    error store: Nothing was changed: `memory.md` is not a file.
    hint: tell the user that the memory cannot be written
    ");
    // It is the trouble of that document alone.
    assert_eq!(toolbox.call("memory_read", &json!({"document": "notes"})).status(), Status::Ok);
}
