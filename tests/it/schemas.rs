//! What hosts are told of the tools, in every dialect.

use memdoc::{Code, Dialect, InMemoryStore, Memory, Policy, Status, ToolSet, Toolbox};
use serde_json::{Value, json};

use crate::support::dialects::{breaches, outline};

#[test]
fn every_tool_in_every_dialect_is_as_it_was_read() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    for &dialect in Dialect::ALL {
        let tools: Vec<_> = Toolbox::definitions().iter().map(|tool| tool.to_json(dialect)).collect();
        insta::assert_snapshot!(format!("schemas__{}", dialect.as_str()), outline(&tools));
    }
}

#[test]
fn every_tool_keeps_the_rules_of_every_dialect() {
    for &dialect in Dialect::ALL {
        for tool in Toolbox::definitions() {
            let found = breaches(dialect, &tool.to_json(dialect));
            assert!(found.is_empty(), "{} for {dialect:?}: {found:#?}", tool.name);
        }
    }
}

fn length(json: &Value) -> usize {
    json.to_string().chars().count()
}

fn listing(set: ToolSet, dialect: Dialect) -> Value {
    set.tools().iter().map(|tool| tool.to_json(dialect)).collect()
}

#[test]
fn the_definitions_of_a_set_are_short() {
    for (set, bound) in [(ToolSet::Standard, 12_000), (ToolSet::All, 45_000)] {
        for dialect in [Dialect::OpenAi, Dialect::Anthropic] {
            let length = length(&listing(set, dialect));
            assert!(length <= bound, "{set} for {dialect:?}: {length} characters");
        }
    }
}

#[test]
fn a_listing_with_the_schema_of_replies_is_short() {
    let length = length(&listing(ToolSet::Standard, Dialect::Mcp));
    assert!(length <= 14_000, "{length} characters");
}

#[test]
fn schemas_are_made_once() {
    for tool in Toolbox::definitions() {
        assert!(std::ptr::eq(tool.input_schema(), tool.input_schema()), "{}", tool.name);
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
fn names_of_dialects_are_read() {
    for &dialect in Dialect::ALL {
        assert_eq!(dialect.as_str().parse(), Ok(dialect));
    }
    let error = "OpenAI".parse::<Dialect>().unwrap_err();
    assert_eq!(error.to_string(), "expected the dialect `openai`, `anthropic` or `mcp`, found `OpenAI`");
}

#[test]
fn strict_calls_are_read_as_they_are() {
    let store = InMemoryStore::new().with("notes".parse().unwrap(), "- a\n");
    let mut toolbox = Toolbox::new(Memory::new(store, Policy::default()).unwrap());
    let revision = memdoc::Revision::of("- a\n").short();
    let patch = "*** Begin Patch\n*** Update Memory: notes\n@@\n-- a\n+- b\n*** End Patch";
    let arguments = json!({
        "patch": patch,
        "base_revision": revision,
        "document": "notes",
    });
    let previewed = json!({"tool": "patch_memory", "arguments": arguments.to_string(), "format": null});
    let reply = toolbox.call("diff_preview", &previewed);
    assert_eq!((reply.status(), reply.get("healed")), (Status::Preview, Some(&json!([]))), "{reply}");
    let reply = toolbox.call("patch_memory", &arguments);
    assert_eq!((reply.status(), reply.get("healed")), (Status::Committed, Some(&json!([]))), "{reply}");
}

#[test]
fn arguments_in_a_string_that_is_no_object_are_refused() {
    let mut toolbox = Toolbox::new(Memory::new(InMemoryStore::new(), Policy::default()).unwrap());
    for arguments in ["[]", "{", "1", ""] {
        let call = json!({"tool": "patch_memory", "arguments": arguments});
        assert_eq!(toolbox.call("diff_preview", &call).code(), Some(Code::InvalidArguments), "{arguments}");
    }
}
