//! What hosts are told of the tools, in every dialect.

use std::collections::BTreeSet;

use memdoc::{Dialect, Effect, InMemoryStore, Memory, Policy, Status, ToolSet, Toolbox};
use serde_json::{Value, json};

use crate::support::dialects::breaches;
use crate::support::layout::{Told, laid_out};

/// Leaves out the descriptions that another dialect has too.
fn without_descriptions(value: &mut Value, known: &BTreeSet<String>) {
    if let Value::Object(members) = value {
        members.retain(|name, value| name != "description" || !value.as_str().is_some_and(|text| known.contains(text)));
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(|value| without_descriptions(value, known)),
        Value::Array(items) => items.iter_mut().for_each(|value| without_descriptions(value, known)),
        _ => {}
    }
}

fn descriptions(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(members) => {
            let own = members.get("description").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(descriptions)).collect()
        }
        Value::Array(items) => items.iter().flat_map(descriptions).collect(),
        _ => BTreeSet::new(),
    }
}

/// Writes what a dialect says of every tool, each behind its name and how many characters it is sent as. Descriptions that
/// are the same for Anthropic are written there alone, and input schemas too.
fn told(dialect: Dialect) -> String {
    let mut told = Told::default();
    let mut text = String::new();
    for tool in Toolbox::definitions() {
        let mut json = tool.to_json(dialect);
        text.push_str(&format!("{}: {} characters\n", tool.name, json.to_string().chars().count()));
        if dialect != Dialect::Anthropic {
            let other = tool.to_json(Dialect::Anthropic);
            if json["inputSchema"] == other["input_schema"] {
                json["inputSchema"] = "as for anthropic".into();
            }
            without_descriptions(&mut json, &descriptions(&other));
        }
        text.push_str(&format!("{}\n\n", laid_out(&told.shorten(tool.name, &json))));
    }
    text
}

#[test]
fn every_tool_in_every_dialect_is_as_it_was_read() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    for dialect in Dialect::ALL {
        let told = told(dialect);
        let lines = told.matches('\n').count();
        insta::assert_snapshot!(format!("tools__{}", dialect.as_str()), told);
        assert!(lines <= 600, "{lines} lines for {dialect:?} are too long to be read");
    }
}

#[test]
fn every_tool_keeps_the_rules_of_every_dialect() {
    for dialect in Dialect::ALL {
        for tool in Toolbox::definitions() {
            let found = breaches(dialect, &tool.to_json(dialect));
            assert!(found.is_empty(), "{} for {dialect:?}: {found:#?}", tool.name);
        }
    }
}

#[test]
fn the_definitions_of_a_set_are_short() {
    for (set, bound) in [(ToolSet::Standard, 12_000), (ToolSet::All, 45_000)] {
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let tools: Value = set.tools().iter().map(|tool| tool.to_json(dialect)).collect();
            let length = tools.to_string().chars().count();
            assert!(length <= bound, "{set} for {dialect:?}: {length} characters");
        }
    }
}

#[test]
fn the_rules_find_what_breaks_them() {
    let tool = |dialect| Toolbox::definitions()[1].to_json(dialect);
    let mut loose = tool(Dialect::OpenAi);
    loose["parameters"]["required"] = json!(["patch"]);
    assert_eq!(breaches(Dialect::OpenAi, &loose).len(), 1);
    let mut formatted = tool(Dialect::OpenAi);
    formatted["parameters"]["properties"]["patch"]["format"] = "int64".into();
    assert_eq!(breaches(Dialect::OpenAi, &formatted).len(), 1);
    let mut referring = tool(Dialect::Anthropic);
    referring["input_schema"]["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    assert_eq!(breaches(Dialect::Anthropic, &referring).len(), 1);
    let mut silent = tool(Dialect::Mcp);
    silent["annotations"] = json!({"readOnlyHint": false});
    assert_eq!(breaches(Dialect::Mcp, &silent).len(), 1);
}

#[test]
fn only_tools_that_edit_say_so() {
    for tool in Toolbox::definitions() {
        let is_editor = tool.output_schema()["properties"].get("changed_sections").is_some();
        assert_eq!(tool.effect == Effect::Read, !is_editor, "{}", tool.name);
    }
}

#[test]
fn names_of_dialects_are_read() {
    for dialect in Dialect::ALL {
        assert_eq!(dialect.as_str().parse(), Ok(dialect));
    }
    let error = "OpenAI".parse::<Dialect>().unwrap_err();
    assert_eq!(error.to_string(), "expected the dialect `openai`, `anthropic` or `mcp`, found `OpenAI`");
}

#[test]
fn strict_calls_are_read_as_they_are() {
    let store = InMemoryStore::new().with("notes".parse().unwrap(), "- a\n");
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).into());
    let revision = memdoc::Revision::of("- a\n").short();
    let patch = "*** Begin Patch\n*** Update Memory: notes\n@@\n-- a\n+- b\n*** End Patch";
    let arguments = json!({
        "patch": patch,
        "base_revisions": [{"name": "notes", "value": revision}],
        "base_revision": null,
        "document": null,
    });
    let previewed = json!({"tool": "patch_memory", "arguments": arguments.to_string(), "format": null});
    let reply = toolbox.call("diff_preview", &previewed);
    assert_eq!((reply.status(), reply.get("healed")), (Status::Preview, None), "{reply}");
    let reply = toolbox.call("patch_memory", &arguments);
    assert_eq!((reply.status(), reply.get("healed")), (Status::Committed, Some(&json!([]))), "{reply}");
}

#[test]
fn arguments_in_a_string_that_is_no_object_are_refused() {
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).into());
    for arguments in ["[]", "{", "1", ""] {
        let call = json!({"tool": "patch_memory", "arguments": arguments});
        assert_eq!(toolbox.call("diff_preview", &call).code(), Some("invalid_arguments"), "{arguments}");
    }
    let call = json!({"patch": "", "base_revisions": [{"name": "notes"}]});
    let refused = toolbox.call("patch_memory", &call);
    assert_eq!(refused.get("code").and_then(Value::as_str), Some("invalid_arguments"), "{refused}");
}
