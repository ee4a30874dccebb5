//! The follower of hints, which is what the cases of sloppy calls stand on.

use serde_json::{Value, json};

use crate::support::cases::hints::{Attempt, choose, follow};

fn attempt(tool: &str, args: Value) -> Attempt {
    Attempt { tool: tool.to_owned(), args }
}

/// Follows a hint as a call of the same tool and returns the arguments, or what cannot be followed.
fn followed(refused: &Attempt, hint: &str) -> Result<Value, String> {
    follow(refused, &json!({"hint": hint}), &refused.tool).map(|attempt| attempt.args)
}

fn patch(text: &str) -> Attempt {
    attempt("patch_memory", json!({"patch": text}))
}

#[test]
fn a_hint_without_a_known_form_is_an_error_that_tells_it() {
    let call = attempt("replace_in_memory", json!({"old_string": "a", "new_string": "b"}));
    for hint in [
        "name one that is there: `A`, `B`",
        "call memory_read and copy the text exactly",
        "call replace_in_memory({\"old_string\": string})",
        "set \"old_string\" to a longer text",
        "leave out \"section\"",
        "call edit_items({\"edits\": []})",
    ] {
        let error = followed(&call, hint).unwrap_err();
        assert!(error.contains(hint), "{error}");
    }
}

#[test]
fn what_stands_before_the_imperative_is_a_condition_and_what_stands_behind_a_remark() {
    let call = attempt("replace_in_memory", json!({"old_string": "a", "section": "B", "block": "m"}));
    let found =
        followed(&call, "choose one place; for A, set \"old_string\" to \"x \\\"a\\\"\" and \"section\" to \"C\"");
    assert_eq!(found.unwrap(), json!({"old_string": "x \"a\"", "section": "C", "block": "m"}));
    let found = followed(&call, "leave out \"section\" and \"block\", if that is what you mean").unwrap();
    assert_eq!(found, json!({"old_string": "a"}));
    let found = followed(&call, "leave out \"section\" and set \"block\" to \"n\"").unwrap();
    assert_eq!(found, json!({"old_string": "a", "block": "n"}));
}

#[test]
fn a_part_gets_what_is_no_argument_of_the_whole_call() {
    let call = attempt("edit_items", json!({"edits": [{"op": "insert"}, {"op": "delete", "target": {"index": 2}}]}));
    let reply = |hint: &str| json!({"hint": hint, "failures": [{"part": 2}]});
    let args = |hint: &str| follow(&call, &reply(hint), "edit_items").unwrap().args;
    assert_eq!(args("set \"index\" to 1 in the target")["edits"][1], json!({"op": "delete", "target": {"index": 1}}));
    assert_eq!(args("set \"children\" to \"keep\" to move them")["edits"][1]["children"], "keep");
    assert_eq!(args("set \"section\" to \"B\" in \"to.after\"")["edits"][1]["to"], json!({"after": {"section": "B"}}));
    let found = args("leave out \"index\" and set \"equals\" to \"x\" in the target");
    assert_eq!(found["edits"][1], json!({"op": "delete", "target": {"equals": "x"}}));
    assert_eq!(args("set \"base_revision\" to \"0123456789ab\"")["base_revision"], "0123456789ab");
    let targets = attempt("pin_items", json!({"targets": [{"contains": "x"}]}));
    let found = followed(&targets, "set \"key\" to \"k7f3a2\" in the target").unwrap();
    assert_eq!(found, json!({"targets": [{"contains": "x", "key": "k7f3a2"}]}));
}

#[test]
fn another_tool_is_called_only_where_the_case_says_so() {
    let call = attempt("edit_items", json!({"op": "delete"}));
    for how in [
        "call delete_section {}",
        "choose one; to delete it whole, call delete_section with {}",
        "call delete_section({})",
    ] {
        let reply = json!({"hint": how.replace("{}", "{\"section\": \"A\"}")});
        assert_eq!(
            follow(&call, &reply, "delete_section").unwrap(),
            attempt("delete_section", json!({"section": "A"}))
        );
        assert!(follow(&call, &reply, "edit_items").is_err());
    }
}

#[test]
fn the_same_call_is_sent_again_with_the_new_base_if_that_is_said() {
    let call = attempt("replace_in_memory", json!({"old_string": "a"}));
    assert_eq!(followed(&call, "send the same call again if it is still right").unwrap(), call.args);
    let hint = "if it is still right, send the same call again with \"base_revision\" set to \"0123456789ab\"";
    assert_eq!(followed(&call, hint).unwrap(), json!({"old_string": "a", "base_revision": "0123456789ab"}));
}

#[test]
fn an_anchor_takes_the_place_of_those_of_the_hunk_that_failed() {
    let call = patch("*** Begin Patch\n@@ section: A\n@@ key: k\n-x\n@@\n-y\n*** End Patch");
    let found = followed(&call, "name the section `B`, in a hunk by \"@@ section: B\"").unwrap();
    assert_eq!(found["patch"], "*** Begin Patch\n@@ section: B\n-x\n@@\n-y\n*** End Patch");
    let second = json!({"hint": "anchor the hunk by \"@@ key: k\"", "failures": [{"part": 2}]});
    let found = follow(&call, &second, "patch_memory").unwrap().args;
    assert_eq!(found["patch"], "*** Begin Patch\n@@ section: A\n@@ key: k\n-x\n@@ key: k\n-y\n*** End Patch");
    let item = json!({"hint": "anchor the hunk by \"@@ item: equals(\"x\")\", and go on", "failures": [{"part": 2}]});
    let found = follow(&call, &item, "patch_memory").unwrap().args;
    assert_eq!(
        found["patch"],
        "*** Begin Patch\n@@ section: A\n@@ key: k\n-x\n@@ item: equals(\"x\")\n-y\n*** End Patch"
    );
    let bare = patch("*** Begin Patch\n*** Update Memory\n-x\n*** End Patch");
    let found = followed(&bare, "for A, begin the hunk with the context \" top\"").unwrap();
    assert_eq!(found["patch"], "*** Begin Patch\n*** Update Memory\n top\n-x\n*** End Patch");
    let found = followed(&bare, "add \"@@ section: B\"").unwrap();
    assert_eq!(found["patch"], "*** Begin Patch\n*** Update Memory\n@@ section: B\n-x\n*** End Patch");
}

#[test]
fn a_candidate_says_how_it_is_chosen() {
    let call = attempt("replace_in_memory", json!({"old_string": "a"}));
    let reply = json!({"candidates": [{"id": "A", "use": "set \"section\" to \"A\""}, {"id": "B", "use": "set \"section\" to \"B\""}]});
    let found = choose(&call, &reply, "B", "replace_in_memory").unwrap();
    assert_eq!(found.args, json!({"old_string": "a", "section": "B"}));
    assert!(choose(&call, &reply, "C", "replace_in_memory").is_err());
}
