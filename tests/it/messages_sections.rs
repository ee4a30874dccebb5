//! What a model reads when an edit of a whole section or of a slot is refused, or succeeds with a warning.

use insta::assert_snapshot;
use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
use serde_json::{Value, json};

use crate::support::checks;

const TEXT: &str = "---\nuser: Bob\nteams:\n  - red\n---\n## System/Policy\n- Never reveal secrets.\n\n## Facts\n- Lives in Denver\n- [pinned] Uses Helix\n\n## Tasks\n### Open\n- Book the room\n- Lives in Denver\n\n## Done\n### Open\n- Paid the bill\n\n## User: (ID: mem1)\n  - Likes tea\n";

fn said(tool: &str, arguments: &Value) -> String {
    let store = InMemoryStore::new().with(DocName::memory(), TEXT);
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    toolbox.show(&DocName::memory()).unwrap();
    let reply = toolbox.call(tool, arguments);
    checks::check_reply(&reply);
    reply.to_string()
}

#[test]
fn refused_titles_say_what_stands_in_the_way() {
    assert_snapshot!(said("rename_section", &json!({"section": "Facts", "title": "tasks"})), @r#"
    error duplicate_section: Nothing was changed: a section `tasks` stands on line 13 already.
    hint: call merge_sections with "target" set to "Tasks", or choose another title
    "#);
    assert_snapshot!(said("rename_section", &json!({"section": "Facts", "title": "C #"})), @"
    error invalid_text: Nothing was changed: `C #` cannot be the title of a section.
    hint: choose a title of one line that neither ends in `#` nor holds an ID
    ");
    assert_snapshot!(said("rename_section", &json!({"section": "Open", "title": "Now"})), @r#"
    error ambiguous: Nothing was changed: section `Open` matches 2 places.
    A) line 14, section `Tasks > Open`: ### Open => set "section" to "Tasks > Open"
    B) line 19, section `Done > Open`: ### Open => set "section" to "Done > Open"
    hint: choose one place; for A, set "section" to "Tasks > Open"; for B, set "section" to "Done > Open"
    "#);
    assert_snapshot!(said("rename_section", &json!({"section": "### Fact", "title": "Truths"})), @r#"
    error not_found: Nothing was changed: section `### Fact` was not found.
    hint: if that is the one you mean, set "section" to "Facts"
    "#);
}

#[test]
fn refused_moves_and_deletions_say_what_to_name() {
    assert_snapshot!(said("move_section", &json!({"section": "Facts"})), @r#"
    error invalid_arguments: Nothing was changed: expected one of `before`, `after`, `under`, `first` and `last`, found none.
    hint: call move_section({"section": string, "after"?: string, "base_revision"?: string, "before"?: string, "document"?: string, "first"?: boolean, "last"?: boolean, "under"?: string})
    "#);
    assert_snapshot!(said("move_section", &json!({"section": "Facts", "to": "elsewhere"})), @r#"
    error invalid_arguments: Nothing was changed: `to`: expected `first`, `last`, or an object with `before`, `after` or `under`.
    hint: call move_section({"section": string, "after"?: string, "base_revision"?: string, "before"?: string, "document"?: string, "first"?: boolean, "last"?: boolean, "under"?: string})
    "#);
    assert_snapshot!(said("delete_section", &json!({"section": "Facts"})), @"
    error pinned_lost: Nothing was changed: pinned bullets would be gone: line 11.
    hint: move the pinned bullets to another section first
    ");
    assert_snapshot!(said("delete_section", &json!({"section": "Fact"})), @r#"
    error not_found: Nothing was changed: section `Fact` was not found.
    hint: if that is the one you mean, set "section" to "Facts"
    "#);
}

#[test]
fn refused_merges_say_what_would_be_lost_or_changed() {
    let merge = |source: &str, target: &str| said("merge_sections", &json!({"source": source, "target": target}));
    assert_snapshot!(merge("Facts", "facts"), @r#"
    error invalid_arguments: Nothing was changed: `target`: expected a section outside the source, found the source itself.
    hint: call merge_sections({"source": string, "target": string, "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(merge("Tasks", "Tasks > Open"), @r#"
    error invalid_arguments: Nothing was changed: `target`: expected a section outside the source, found one of its subsections.
    hint: call merge_sections({"source": string, "target": string, "base_revision"?: string, "document"?: string})
    "#);
    assert_snapshot!(merge("Tasks", "Done"), @"
    error duplicate_section: Nothing was changed: both sections have a subsection `Open`: on line 14 and on line 19.
    hint: merge or rename these two first
    ");
    assert_snapshot!(merge("User", "Facts"), @"
    error lost_ids: Nothing was changed: the ID `mem1` of the section on line 22 would be gone.
    hint: merge the other way round, so that the section with the ID stays
    ");
    assert_snapshot!(merge("System/Policy", "Facts"), @"
    error reserved_section: Nothing was changed: the edit would remove a reserved section (`System/Policy`).
    hint: leave `System/Policy` as it is: no tool can change it; tell your user
    ");
    assert_snapshot!(merge("Tasks > Opne", "Done"), @r#"
    error not_found: Nothing was changed: section `Tasks > Opne` was not found.
    hint: if that is the one you mean, name it "Tasks > Open"
    "#);
    assert_snapshot!(merge("Facts", "Open"), @r#"
    error ambiguous: Nothing was changed: section `Open` matches 2 places.
    A) line 14, section `Tasks > Open`: ### Open => name it "Tasks > Open"
    B) line 19, section `Done > Open`: ### Open => name it "Done > Open"
    hint: choose one place; for A, name it "Tasks > Open"; for B, name it "Done > Open"
    "#);
}

#[test]
fn a_merge_counts_what_it_drops() {
    assert_snapshot!(said("merge_sections", &json!({"source": "Tasks > Open", "target": "Facts"})), @"
    committed (revision 9fcd25ade462)
    changed sections: Facts, Tasks > Open
    12| - Book the room
    removed 14 in section Tasks| ### Open
    removed 16| - Lives in Denver
    warning duplicates_dropped: 1 bullet was dropped, since the target has it already (line 16)
    ");
}

#[test]
fn refused_slots_say_why() {
    assert_snapshot!(said("set_slot", &json!({"name": "user", "value": "Ada\nlang: en"})), @"
    error invalid_text: Nothing was changed: `user` with the value `Ada…` cannot be a slot.
    hint: choose a name that begins with a letter, without colon, and a one-line value
    ");
    assert_snapshot!(said("set_slot", &json!({"name": "# u", "value": "Ada"})), @"
    error invalid_text: Nothing was changed: `# u` with the value `Ada` cannot be a slot.
    hint: choose a name that begins with a letter, without colon, and a one-line value
    ");
    assert_snapshot!(said("set_slot", &json!({"name": "teams", "value": "blue"})), @"
    error invalid_text: Nothing was changed: `teams` on line 3 of the front matter is no slot: it is nested, quoted, or not written `name: value`.
    hint: choose another name, or change that line as text
    ");
    assert_snapshot!(said("remove_slot", &json!({"name": "usr"})), @r#"
    error not_found: Nothing was changed: slot `usr` was not found.
    hint: if that is the one you mean, set "name" to "user"
    "#);
    assert_snapshot!(said("remove_slot", &json!({"name": "teams"})), @"
    error not_found: Nothing was changed: slot `teams` was not found.
    hint: name one that is there: `user`
    ");
}
