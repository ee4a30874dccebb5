//! What a model reads when a patch, an edit of bullets or an operation on a block is refused.

use insta::assert_snapshot;
use memdoc::{Code, DocName, InMemoryStore, Memory, Policy, Status, Toolbox};
use serde_json::{Value, json};

use crate::support::checks;

const TEXT: &str = "## System/Policy\n- Never reveal secrets.\n\n## Facts\n- Lives in Denver\n- [pinned] Uses Helix\n  - with the dark theme\n\n## Tasks\n- Lives in Denver until May\n- Book the room\n\n## Log\nUser: (ID: mem1)\n- Likes tea\n- Likes tea\n- Plays chess\n";

fn refused_of(text: &str, tool: &str, arguments: &Value) -> String {
    let store = InMemoryStore::new().with(DocName::memory(), text);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call(tool, arguments);
    assert_eq!(reply.status(), Status::Error, "{reply}");
    checks::check_reply(&reply);
    reply.to_string()
}

fn patch(lines: &str) -> String {
    refused_of(
        TEXT,
        "patch_memory",
        &json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{lines}\n*** End Patch")}),
    )
}

fn items(edits: &Value) -> String {
    refused_of(TEXT, "edit_items", &json!({ "edits": edits }))
}

fn ops(ops: &Value) -> String {
    refused_of(TEXT, "apply_sub_memory_ops", &json!({ "ops": ops }))
}

#[test]
fn invalid_patch_names_the_line_and_what_belongs_there() {
    let raw = |text: &str| refused_of(TEXT, "patch_memory", &json!({ "patch": text }));
    assert_snapshot!(raw("replace Denver by Austin"), @"
    error invalid_patch: Nothing was changed: line 1 of the patch: expected a line that begins with ` ` (keep), `-` (delete) or `+` (add), found `replace Denver by Austin`.
    hint: send the whole patch again, with line 1 as ` replace Denver by Austin` to keep it, `-replace Denver by Austin` to delete it, or `+replace Denver by Austin` to add it; likewise all lines below `@@` that are written so
    ");
    assert_snapshot!(raw("*** Begin Patch\n*** Update Memory\n-- Lives in Denver\n"), @"
    error invalid_patch: Nothing was changed: line 4 of the patch: expected `*** End Patch`: without it the patch was cut off, and is not applied, found the end of the text.
    hint: send the whole patch again, with `*** End Patch` as its last line
    ");
    assert_snapshot!(raw("*** Begin Patch\n*** End Patch"), @"
    error invalid_patch: Nothing was changed: line 2 of the patch: expected `*** Update Memory`, `@@` or an operation such as `*** Add Section: NAME`, found the end of the patch.
    hint: send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`
    ");
    assert_snapshot!(raw("*** Begin Patch\nLives in Denver\n*** End Patch"), @"
    error invalid_patch: Nothing was changed: line 2 of the patch: expected a line that begins with ` ` (keep), `-` (delete) or `+` (add), found `Lives in Denver`.
    hint: send the whole patch again, with line 2 as ` Lives in Denver` to keep it, `-Lives in Denver` to delete it, or `+Lives in Denver` to add it; likewise all lines below `@@` that are written so
    ");
    assert_snapshot!(raw(
        "*** Begin Patch\n*** Update Memory\n@@\n-a\n*** End Patch\n*** Begin Patch\n*** Update Memory\n@@\n-b\n*** End Patch"
    ), @"
    error invalid_patch: Nothing was changed: line 6 of the patch: expected one patch, from `*** Begin Patch` to `*** End Patch`, and nothing of another around it, found `*** Begin Patch`.
    hint: send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`
    ");
    assert_snapshot!(patch("@@ section: Facts\n- Lives in Denver\nLives in Austin"), @"
    error invalid_patch: Nothing was changed: line 5 of the patch: expected a line that begins with ` ` (keep), `-` (delete) or `+` (add), found `Lives in Austin`.
    hint: send the whole patch again, with line 5 as ` Lives in Austin` to keep it, `-Lives in Austin` to delete it, or `+Lives in Austin` to add it; likewise all lines below `@@` that are written so
    ");
    assert_snapshot!(patch("@@ section: \n-- Lives in Denver"), @"
    error invalid_patch: Nothing was changed: line 3 of the patch: expected a name behind the colon, found `@@ section:·`.
    hint: send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`
    ");
    assert_snapshot!(patch("@@ item: Denver\n-- Lives in Denver"), @r#"
    error invalid_patch: Nothing was changed: line 3 of the patch: expected `item: startsWith("…")`, `item: contains("…")` or `item: equals("…")`, found `@@ item: Denver`.
    hint: send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`
    "#);
    assert_snapshot!(patch("*** Rename Section: Facts"), @"
    error invalid_patch: Nothing was changed: line 4 of the patch: expected `*** To: NEW TITLE`, found the end of the patch.
    hint: send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`
    ");
    assert_snapshot!(patch("*** Rename Section: Facts\n*** Into: Truths"), @"
    error invalid_patch: Nothing was changed: line 4 of the patch: expected `*** To: NEW TITLE`, found `*** Into: Truths`.
    hint: send the whole patch again with line 4 as `*** To: Truths`
    ");
    assert_snapshot!(patch("*** Move Section: Facts\n*** Below: Tasks"), @"
    error invalid_patch: Nothing was changed: line 4 of the patch: expected `*** Before: NAME`, `*** After: NAME`, `*** Under: NAME`, `*** First` or `*** Last`, found `*** Below: Tasks`.
    hint: send the whole patch again with line 4 as `*** Under: Tasks` to move it into that section, or as `*** After: Tasks` to move it behind that section
    ");
    assert_snapshot!(patch("*** Add Section: New\nno prefix"), @"
    error invalid_patch: Nothing was changed: line 4 of the patch: expected a line of the new section, with `+` before it, found `no prefix`.
    hint: send the whole patch again, with line 4 as `+no prefix`; likewise all lines of the new section
    ");
    assert_snapshot!(patch("*** Remove Section: Facts"), @"
    error invalid_patch: Nothing was changed: line 3 of the patch: expected `*** Update Memory`, `*** Add Section: NAME`, `*** Delete Section: NAME`, `*** Rename Section: NAME`, `*** Move Section: NAME`, `*** End of File` behind a hunk, or `*** End Patch`, found `*** Remove Section: Facts`.
    hint: send the whole patch again with that line corrected: `*** Begin Patch`, `*** Update Memory`, then under each `@@ section: NAME` lines that begin with ` `, `-` or `+`, then `*** End Patch`
    ");
}

#[test]
fn hunks_are_refused_with_their_places() {
    assert_snapshot!(patch("+- Lives in Austin"), @r#"
    error needs_anchor: Nothing was changed: nothing says where the new lines go.
    hint: to add at the end of a section, put one of "@@ section: Facts", "@@ section: Tasks", "@@ section: Log" above the hunk, or "*** End of File" below it; to add elsewhere, begin the hunk with the line before it as context, behind a space
    "#);
    assert_snapshot!(patch("@@\n-- Lives in Dallas\n+- Lives in Austin"), @"
    error not_found: Nothing was changed: line `- Lives in Dallas` was not found.
    closest: line 5, section `Facts`: - Lives in Denver (differs in the text: sought `allas`, found `enver`)
    closest: line 10, section `Tasks`: - Lives in Denver until May (differs in the text: sought `allas`, found `enver until May`)
    hint: copy the text exactly from line 5 if you mean that: `- Lives in Denver`; else it may not be there: call memory_read
    ");
    assert_snapshot!(patch("@@\n-- Likes tea\n+- Likes coffee"), @r#"
    error ambiguous: Nothing was changed: line `- Likes tea` matches 2 places.
    A) line 15, section `Log`, block `mem1`, key `twz19g#1`: - Likes tea => anchor the hunk by "@@ key: twz19g#1"
    B) line 16, section `Log`, block `mem1`, key `twz19g#2`: - Likes tea => anchor the hunk by "@@ key: twz19g#2"
    hint: choose one place; for A, anchor the hunk by "@@ key: twz19g#1"; for B, anchor the hunk by "@@ key: twz19g#2"
    "#);
    assert_snapshot!(patch("@@ section: Fact\n-- Lives in Denver"), @r#"
    error not_found: Nothing was changed: section `Fact` was not found.
    hint: if that is the one you mean, name the section `Facts`, in a hunk by "@@ section: Facts"
    "#);
    assert_snapshot!(patch("@@ section: Done\n+- x"), @"
    error not_found: Nothing was changed: section `Done` was not found (it can be added).
    hint: name one that is there: `System/Policy`, `Facts`, `Tasks`, `Log`; a new one is made by `*** Add Section: Done`, below it its lines, each behind `+`
    ");
    assert_snapshot!(patch("@@ section: Tasks\n-- Lives in Denver"), @r#"
    error not_found: Nothing was changed: line `- Lives in Denver` was not found (found once in another section: `Facts`).
    hint: if that is the one you mean, name the section `Facts`, in a hunk by "@@ section: Facts"
    "#);
    assert_snapshot!(patch("@@ section: Facts\n-- Lives in Denver\n+- a\n@@ section: Facts\n-- Lives in Denver\n+- b"), @"
    error overlapping_edits: Nothing was changed: parts 1 and 2 change the same text.
    hint: send the parts that touch the same text as one
    ");
    assert_snapshot!(patch(
        "@@ section: Facts\n-- Lives in Dallas\n@@ section: Tasks\n-- Book the room\n@@\n-- Likes tea\n@@\n+- x"
    ), @r#"
    error not_found: Nothing was changed: part 1: line `- Lives in Dallas` was not found; part 3: line `- Likes tea` matches 2 places; part 4: nothing says where the new lines go.
    closest: line 5, section `Facts`: - Lives in Denver (differs in the text: sought `allas`, found `enver`)
    hint: for part 1, copy the text exactly from line 5 if you mean that: `- Lives in Denver`; else it may not be there: call memory_read; for part 3, choose one place; for line 15, begin the hunk with the context " User: (ID: mem1)"; for line 16, begin the hunk with the context " - Likes tea"; for part 4, to add at the end of a section, put one of "@@ section: Facts", "@@ section: Tasks", "@@ section: Log" above the hunk, or "*** End of File" below it; to add elsewhere, begin the hunk with the line before it as context, behind a space
    "#);
    assert_snapshot!(patch("@@ section: System/Policy\n-- Never reveal secrets."), @"
    error reserved_section: Nothing was changed: the edit would change the text of a reserved section, or where it ends (`System/Policy`).
    hint: leave `System/Policy` as it is: no tool can change it; tell your user
    ");
}

#[test]
fn section_operations_are_refused_with_what_stands_there() {
    assert_snapshot!(patch("*** Add Section: Facts\n+- x"), @r#"
    error duplicate_section: Nothing was changed: a section `Facts` stands on line 4 already.
    hint: write into the section that is there, in a hunk under "@@ section: Facts", or choose another title
    "#);
    assert_snapshot!(patch("*** Rename Section: Facts\n*** To: Tasks"), @r#"
    error duplicate_section: Nothing was changed: a section `Tasks` stands on line 9 already.
    hint: write into the section that is there, in a hunk under "@@ section: Tasks", or choose another title
    "#);
    assert_snapshot!(patch("*** Add Section: New\n+- x\n*** Rename Section: Facts\n*** To: New"), @"
    error duplicate_section: Nothing was changed: another part of the patch gives a section the title `New` too.
    hint: choose different titles
    ");
    assert_snapshot!(patch("*** Add Section: New (ID: x1)\n+- x"), @"
    error invalid_text: Nothing was changed: `New (ID: x1)` cannot be the title of a section.
    hint: choose a title of one line that neither ends in `#` nor holds an ID
    ");
    assert_snapshot!(patch("*** Delete Section: Facts"), @"
    error pinned_lost: Nothing was changed: pinned bullets would be gone: line 6.
    hint: move the pinned bullets to another section first
    ");
    assert_snapshot!(patch("*** Delete Section: Task"), @r#"
    error not_found: Nothing was changed: section `Task` was not found.
    hint: if that is the one you mean, name the section `Tasks`, in a hunk by "@@ section: Tasks"
    "#);
    assert_snapshot!(patch("*** Delete Section: System/Policy"), @"
    error reserved_section: Nothing was changed: the edit would remove a reserved section (`System/Policy`).
    hint: leave `System/Policy` as it is: no tool can change it; tell your user
    ");
}

#[test]
fn items_are_refused_with_keys_and_evidence() {
    assert_snapshot!(items(&json!([{"op": "reorder", "target": {"contains": "Denver"}, "to": "mem1"}])), @r#"
    error invalid_arguments: Nothing was changed: `to`: expected "first", "last" or a place, found `mem1`.
    hint: set "to" to {"block":"mem1"} if that is the ID of a block, to {"section":"mem1"} if it is a section, or to {"after":{"contains":"mem1"}} to go behind a bullet
    "#);
    assert_snapshot!(items(&json!([{"op": "delete", "target": {"contains": "Lives"}}])), @r#"
    error ambiguous: Nothing was changed: bullet that contains `Lives` matches 2 places.
    A) line 5, section `Facts`, key `vbr7qt`: - Lives in Denver => set "key" to "vbr7qt" in the target
    B) line 10, section `Tasks`, key `ve41cx`: - Lives in Denver until May => set "key" to "ve41cx" in the target
    hint: choose one place; for A, set "key" to "vbr7qt" in the target; for B, set "key" to "ve41cx" in the target
    "#);
    assert_snapshot!(items(&json!([{"op": "delete", "target": {"equals": "Likes tea"}}])), @r#"
    error ambiguous: Nothing was changed: bullet that equals `Likes tea` matches 2 places.
    A) line 15, section `Log`, block `mem1`, key `twz19g#1`: - Likes tea => set "key" to "twz19g#1" in the target
    B) line 16, section `Log`, block `mem1`, key `twz19g#2`: - Likes tea => set "key" to "twz19g#2" in the target
    hint: choose one place; for A, set "key" to "twz19g#1" in the target; for B, set "key" to "twz19g#2" in the target
    "#);
    assert_snapshot!(items(&json!([{"op": "delete", "target": {"contains": "Helix"}}])), @r#"
    error has_children: Nothing was changed: the bullet on line 6 has 1 nested bullet.
    hint: in edit_items, set "children" to "delete" to delete them too, or to "keep" to move them up a level
    "#);
    assert_snapshot!(items(&json!([{"op": "update", "target": {"section": "Facts", "index": 0}, "text": "x"}])), @r#"
    error invalid_arguments: Nothing was changed: `index`: expected an index of 1 or more, found 0.
    hint: call edit_items({"edits": [{"op": "insert"|"update"|"delete"|"reorder"|"upsert"|"tag"|"untag"|"check"|"uncheck"|"pin"|"unpin"|"set_ttl"|"clear_ttl", "target"?: {"block"?: string, "checkbox"?: "open"|"done", "contains"?: string, "equals"?: string, "index"?: integer, "key"?: string, "section"?: string, "starts_with"?: string, "tag"?: string}, "allow_duplicate"?: boolean, "children"?: "delete"|"keep", "count"?: integer, "expect"?: string, "neighbors"?: {"after"?: string, "before"?: string}, "since"?: string, "tags"?: [string], "text"?: string, "to"?: "first"|"last" or {"after"?: as "target", "before"?: as "target", "block"?: string, "index"?: integer, "place"?: "first"|"last", "section"?: string, "under"?: as "target"}, "ttl"?: string}], "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(items(
        &json!([{"op": "update", "target": {"section": "Facts", "index": 0}, "expect": "Uses Helix", "text": "x"}])
    ), @r#"
    error invalid_arguments: Nothing was changed: `index`: expected an index of 1 or more, found 0.
    hint: call edit_items({"edits": [{"op": "insert"|"update"|"delete"|"reorder"|"upsert"|"tag"|"untag"|"check"|"uncheck"|"pin"|"unpin"|"set_ttl"|"clear_ttl", "target"?: {"block"?: string, "checkbox"?: "open"|"done", "contains"?: string, "equals"?: string, "index"?: integer, "key"?: string, "section"?: string, "starts_with"?: string, "tag"?: string}, "allow_duplicate"?: boolean, "children"?: "delete"|"keep", "count"?: integer, "expect"?: string, "neighbors"?: {"after"?: string, "before"?: string}, "since"?: string, "tags"?: [string], "text"?: string, "to"?: "first"|"last" or {"after"?: as "target", "before"?: as "target", "block"?: string, "index"?: integer, "place"?: "first"|"last", "section"?: string, "under"?: as "target"}, "ttl"?: string}], "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(items(
        &json!([{"op": "update", "target": {"section": "Facts", "index": 7}, "expect": "x", "text": "x"}])
    ), @"
    error not_found: Nothing was changed: index 7 in a list of 2 bullets was not found.
    hint: name the bullet by its text or its key, or call memory_read and count again
    ");
    assert_snapshot!(items(&json!([{"op": "update", "target": {"index": 1}, "expect": "x", "text": "x"}])), @r#"
    error invalid_arguments: Nothing was changed: `index`: expected a section or block beside the index, which counts its bullets, found neither.
    hint: call edit_items({"edits": [{"op": "insert"|"update"|"delete"|"reorder"|"upsert"|"tag"|"untag"|"check"|"uncheck"|"pin"|"unpin"|"set_ttl"|"clear_ttl", "target"?: {"block"?: string, "checkbox"?: "open"|"done", "contains"?: string, "equals"?: string, "index"?: integer, "key"?: string, "section"?: string, "starts_with"?: string, "tag"?: string}, "allow_duplicate"?: boolean, "children"?: "delete"|"keep", "count"?: integer, "expect"?: string, "neighbors"?: {"after"?: string, "before"?: string}, "since"?: string, "tags"?: [string], "text"?: string, "to"?: "first"|"last" or {"after"?: as "target", "before"?: as "target", "block"?: string, "index"?: integer, "place"?: "first"|"last", "section"?: string, "under"?: as "target"}, "ttl"?: string}], "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(items(&json!([{"op": "delete", "target": {"contains": "Emacs"}}])), @"
    error not_found: Nothing was changed: bullet that contains `Emacs` was not found.
    hint: call memory_read and copy the text exactly, if it is there at all
    ");
    assert_snapshot!(items(&json!([{"op": "delete", "target": {"contains": ""}}])), @r#"
    error invalid_arguments: Nothing was changed: `contains`: expected a text, found an empty text.
    hint: call edit_items({"edits": [{"op": "insert"|"update"|"delete"|"reorder"|"upsert"|"tag"|"untag"|"check"|"uncheck"|"pin"|"unpin"|"set_ttl"|"clear_ttl", "target"?: {"block"?: string, "checkbox"?: "open"|"done", "contains"?: string, "equals"?: string, "index"?: integer, "key"?: string, "section"?: string, "starts_with"?: string, "tag"?: string}, "allow_duplicate"?: boolean, "children"?: "delete"|"keep", "count"?: integer, "expect"?: string, "neighbors"?: {"after"?: string, "before"?: string}, "since"?: string, "tags"?: [string], "text"?: string, "to"?: "first"|"last" or {"after"?: as "target", "before"?: as "target", "block"?: string, "index"?: integer, "place"?: "first"|"last", "section"?: string, "under"?: as "target"}, "ttl"?: string}], "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(items(&json!([{"op": "insert", "target": {"section": "Facts"}, "text": "a\n- b"}])), @"
    error invalid_text: Nothing was changed: line 2 of the text, taken alone, would make a bullet.
    hint: send one edit for each bullet; further lines of a bullet are plain text, without markers and headings
    ");
    assert_snapshot!(items(&json!([{"op": "insert", "target": {"section": "Facts"}, "text": " "}])), @r#"
    error invalid_text: Nothing was changed: the text has no content.
    hint: set "text" to what the bullet says
    "#);
    assert_snapshot!(items(&json!([{"op": "insert", "target": {"section": "Facts"}, "text": "a\n```\nb"}])), @"
    error invalid_text: Nothing was changed: line 2 of the text opens a code fence.
    hint: write the text without the code fence
    ");
    assert_snapshot!(items(&json!([{"op": "insert", "target": {"section": "Facts"}}])), @r#"
    error invalid_arguments: Nothing was changed: `text`: expected with `insert`, found nothing.
    hint: set "text" to what the bullet is to say, beside "op", as in edit_items({"edits": [{"op": "insert", "target": {"section": string}, "text": string}]})
    "#);
    assert_snapshot!(items(&json!([{"op": "reorder", "target": {"contains": "Book"}}])), @r#"
    error invalid_arguments: Nothing was changed: `to`: expected with `reorder`, found nothing.
    hint: set "to" to "first", "last" or {"after": {"contains": TEXT OF A BULLET}}, beside "op", as in edit_items({"edits": [{"op": "reorder", "target": {"contains": string}, "to": "first"}]})
    "#);
    assert_snapshot!(items(&json!([{"op": "insert", "target": {"section": "Fact"}, "text": "x"}])), @r#"
    error not_found: Nothing was changed: section `Fact` was not found.
    hint: if that is the one you mean, set "section" to "Facts" in the target
    "#);
    assert_snapshot!(items(&json!([
        {"op": "update", "target": {"contains": "Book"}, "text": "a"}, {"op": "delete", "target": {"contains": "Book"}}
    ])), @"
    error overlapping_edits: Nothing was changed: parts 1 and 2 cannot be made together: one changes the bullet on line 11, the other deletes it or what it is nested in.
    hint: leave out part 1 if all of it is to go; else send part 1 first, and part 2 in a second call
    ");
    assert_snapshot!(items(&json!([
        {"op": "delete", "target": {"contains": "Emacs"}}, {"op": "delete", "target": {"contains": "Helix"}}
    ])), @r#"
    error not_found: Nothing was changed: part 1: bullet that contains `Emacs` was not found; part 2: the bullet on line 6 has 1 nested bullet.
    hint: for part 1, call memory_read and copy the text exactly, if it is there at all; for part 2, in edit_items, set "children" to "delete" to delete them too, or to "keep" to move them up a level
    "#);
}

#[test]
fn operations_on_blocks_are_refused_row_by_row() {
    let delete =
        |text: &str, index: i64| json!({"intent": "delete", "memory_id": "mem1", "sub_memory": text, "index": index});
    assert_snapshot!(ops(&json!([{"intent": "delete", "memory_id": "mem1", "sub_memory": "Likes tea"}])), @r#"
    error ambiguous: Nothing was changed: bullet that equals `Likes tea` matches 2 places.
    op 1: failed
    A) line 15, section `Log`, block `mem1`, key `twz19g#1`: - Likes tea => set "index" to 1
    B) line 16, section `Log`, block `mem1`, key `twz19g#2`: - Likes tea => set "index" to 2
    hint: choose one place; for A, set "index" to 1; for B, set "index" to 2
    "#);
    assert_snapshot!(ops(&json!([{"intent": "delete", "memory_id": "mem1", "index": 1}])), @r#"
    error context_too_thin: Nothing was changed: what was sent is too little to be sure of the place: an index needs the text beside it, as `sub_memory`.
    op 1: failed
    hint: set "sub_memory" (to update: "old_sub_memory") to "Likes tea"
    "#);
    assert_snapshot!(ops(
        &json!([{"intent": "update", "memory_id": "mem1", "old_sub_memory": "Likes wine", "new_sub_memory": "x", "index": 2}])
    ), @"
    error not_found: Nothing was changed: bullet that equals `Likes wine` was not found.
    op 1: failed
    closest: line 16, section `Log`: - Likes tea (differs in the text: sought `wine`, found `tea`)
    hint: copy the text exactly from line 16 if you mean that: `Likes tea`; else it may not be there: call memory_read
    ");
    assert_snapshot!(ops(
        &json!([{"intent": "update", "memory_id": "mem1", "old_sub_memory": "Plays chess", "index": 2}])
    ), @r#"
    error invalid_arguments: Nothing was changed: `ops[0].new_sub_memory`: expected with `update`, found nothing.
    hint: call apply_sub_memory_ops({"ops": [{"intent": "add"|"update"|"delete", "category"?: string, "index"?: integer, "memory_id"?: string, "new_sub_memory"?: string, "old_sub_memory"?: string, "sub_memory"?: string}], "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(ops(&json!([{"intent": "add", "memory_id": "mem9", "sub_memory": "x"}])), @r#"
    error not_found: Nothing was changed: block `mem9` was not found.
    op 1: failed
    hint: set "category" to the title of the new block, or "memory_id" to one that is there: `mem1`
    "#);
    assert_snapshot!(ops(&json!([{"intent": "add", "sub_memory": "x"}])), @r#"
    error invalid_arguments: Nothing was changed: `memory_id` or `category`: expected the ID of a block, or the title of a new one, found neither.
    op 1: failed
    hint: call apply_sub_memory_ops({"ops": [{"intent": "add"|"update"|"delete", "category"?: string, "index"?: integer, "memory_id"?: string, "new_sub_memory"?: string, "old_sub_memory"?: string, "sub_memory"?: string}], "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(ops(&json!([{"intent": "add", "memory_id": "mem2", "category": "User", "sub_memory": "x"}])), @r#"
    error duplicate_section: Nothing was changed: a block `User` stands on line 14 already, with the ID `mem1`.
    op 1: failed
    hint: set "memory_id" to "mem1"
    "#);
    assert_snapshot!(ops(&json!([{"intent": "add", "memory_id": "m 2", "category": "New", "sub_memory": "x"}])), @"
    error invalid_text: Nothing was changed: `New` with the ID `m 2` cannot be the header of a block.
    op 1: failed
    hint: choose a title of one line that is no bullet or heading, and an ID without spaces and parentheses
    ");
    assert_snapshot!(ops(&json!([delete("Plays chess", 2), delete("Plays go", 1), delete("Plays chess", 2)])), @"
    error not_found: Nothing was changed: bullet that equals `Plays go` was not found.
    op 1: not_applied
    op 2: failed
    op 3: not_applied
    closest: line 15, section `Log`: - Likes tea (differs in the text: sought `Plays go`, found `Likes tea`)
    hint: copy the text exactly from line 15 if you mean that: `Likes tea`; else it may not be there: call memory_read
    ");
    assert_snapshot!(ops(&json!("[{\"intent\": \"add\" \"memory_id\": \"mem1\"}]")), @r#"
    error invalid_arguments: Nothing was changed: `ops`: expected a JSON array, found broken JSON at line 1, column 19: expected `,` or `}`.
    hint: call apply_sub_memory_ops({"ops": [{"intent": "add"|"update"|"delete", "category"?: string, "index"?: integer, "memory_id"?: string, "new_sub_memory"?: string, "old_sub_memory"?: string, "sub_memory"?: string}], "base_revision"?: string, "document"?: string})
    "#);
}

#[test]
fn the_same_refused_call_is_answered_more_firmly_each_time() {
    let store = InMemoryStore::new().with(DocName::memory(), TEXT);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    let replace = json!({"old_string": "Likes tea", "new_string": "Likes coffee"});
    let first = toolbox.call("replace_in_memory", &replace).to_string();
    let second = toolbox.call_str("replace_in_memory", r#"{"new_string": "Likes coffee", "old_string": "Likes tea"}"#);
    assert_eq!(second.code(), Some(Code::CountMismatch));
    assert_snapshot!(second, @r#"
    error count_mismatch: Nothing was changed, again: this is the same call that was just refused. The reason: text `Likes tea` occurs 2 times, 1 expected.
    A) line 15, section `Log`, block `mem1`, key `twz19g#1`: - Likes tea => set "old_string" to "User: (ID: mem1)\n- Likes tea" and "new_string" to "User: (ID: mem1)\n- Likes coffee"
    B) line 16, section `Log`, block `mem1`, key `twz19g#2`: - Likes tea => set "old_string" to "- Likes tea\n- Likes tea" and "new_string" to "- Likes tea\n- Likes coffee"
    hint: choose one place; for A, set "old_string" to "User: (ID: mem1)\n- Likes tea" and "new_string" to "User: (ID: mem1)\n- Likes coffee"; for B, set "old_string" to "- Likes tea\n- Likes tea" and "new_string" to "- Likes tea\n- Likes coffee"; to change all 2, set "expected_replacements" to 2
    "#);
    let third = toolbox.call("replace_in_memory", &replace);
    checks::check_reply(&third);
    assert_snapshot!(third, @r#"
    error count_mismatch: Nothing was changed, again: this is the same call that was just refused. The reason: text `Likes tea` occurs 2 times, 1 expected.
    A) line 15, section `Log`, block `mem1`, key `twz19g#1`: - Likes tea => set "old_string" to "User: (ID: mem1)\n- Likes tea" and "new_string" to "User: (ID: mem1)\n- Likes coffee"
    B) line 16, section `Log`, block `mem1`, key `twz19g#2`: - Likes tea => set "old_string" to "- Likes tea\n- Likes tea" and "new_string" to "- Likes tea\n- Likes coffee"
    hint: go another way: call memory_read with {}, and write a new call from what it shows; the last hint was: choose one place; for A, set "old_string" to "User: (ID: mem1)\n- Likes tea" and "new_string" to "User: (ID: mem1)\n- Likes coffee"; for B, set "old_string" to "- Likes tea\n- Likes tea" and "new_string" to "- Likes tea\n- Likes coffee"; to change all 2, set "expected_replacements" to 2
    "#);
    // A call that succeeds, or another that is refused, begins anew.
    toolbox.call("memory_read", &json!({}));
    assert_eq!(toolbox.call("replace_in_memory", &replace).to_string(), first);
    toolbox.call("memory_read", &json!({"section": "nowhere"}));
    assert_eq!(toolbox.call("replace_in_memory", &replace).to_string(), first);

    let patch = json!({"patch": "*** Begin Patch\n*** Update Memory\n@@\n-- Lives in Dallas\n*** End Patch"});
    toolbox.call("patch_memory", &patch);
    toolbox.call("patch_memory", &patch);
    assert_snapshot!(toolbox.call("patch_memory", &patch), @"
    error not_found: Nothing was changed, again: this is the same call that was just refused. The reason: line `- Lives in Dallas` was not found.
    closest: line 5, section `Facts`: - Lives in Denver (differs in the text: sought `allas`, found `enver`)
    closest: line 10, section `Tasks`: - Lives in Denver until May (differs in the text: sought `allas`, found `enver until May`)
    hint: go another way: make the edits one by one with replace_in_memory; the last hint was: copy the text exactly from line 5 if you mean that: `- Lives in Denver`; else it may not be there: call memory_read
    ");
    toolbox.call_str("patch_memory", "{");
    assert_snapshot!(toolbox.call_str("patch_memory", "{"), @"
    error invalid_arguments: Nothing was changed, again: this is the same call that was just refused. The reason: the arguments are not valid JSON at line 1, column 1: EOF while parsing an object.
    hint: send one JSON object, without a fence or words around it
    ");
}

#[test]
fn a_repeated_message_is_bounded_too() {
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap());
    let hunks: String = (0..60).map(|n| format!("@@ section: Nowhere {n}\n-- {}\n", "x".repeat(300))).collect();
    let call = json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch")});
    for _ in 0..4 {
        checks::check_reply(&toolbox.call("patch_memory", &call));
    }
}
