//! Cases of the tool set `files` in the form of its own: files, commands, and what others write.
//!
//! ```json
//! {"name": "rename", "files": {"a.md": "- a\n"}, "policy": {"pins": "host", "overwrite": "guarded"},
//!  "calls": [{"outside": {"a.md": "- b\n"}},
//!            {"command": {"command": "view", "path": "/memories/a.md"},
//!             "expect": {"text_has": ["     1\t- b"], "text_lacks": [], "error": false, "files": {"a.md": "- b\n", "c.md": null}}}]}
//! ```

use memdoc::toolbox::FilesConfig;
use serde_json::{Map, Value, json};

/// The options of the tool set that stand among the members of a policy.
const OPTIONS: [&str; 3] = ["root", "overwrite", "undo"];

/// Brings a case of this form into the common one.
pub(super) fn convert(case: &mut Value) {
    let has_command = |call: &Value| call.get("command").is_some() || call.get("outside").is_some();
    let is_of_files = case["calls"].as_array().is_some_and(|calls| calls.iter().any(has_command));
    let Some(members) = case.as_object_mut().filter(|_| is_of_files) else { return };
    members.retain(|name, _| !matches!(name.as_str(), "why" | "reference"));
    let files = members.remove("files").unwrap_or_default();
    members.insert("docs".to_owned(), documents(files));
    members.insert("shown".to_owned(), false.into());
    let mut policy = match members.remove("policy") {
        Some(Value::Object(policy)) => policy,
        _ => Map::new(),
    };
    let options: Map<_, _> = OPTIONS.iter().filter_map(|name| policy.remove_entry(*name)).collect();
    let config: FilesConfig = serde_json::from_value(Value::Object(options)).unwrap_or_default();
    members.insert("files".to_owned(), json!(config));
    for (name, value) in
        [("allow_new_documents", json!(true)), ("allow_folders", json!(true)), ("on_stale", json!("rebase"))]
    {
        policy.entry(name).or_insert(value);
    }
    members.insert("policy".to_owned(), Value::Object(policy));
    let calls = members.get_mut("calls").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
    members.insert("calls".to_owned(), calls.into_iter().flat_map(calls_of).collect());
}

/// Returns the calls of the common form that one of this form stands for.
fn calls_of(mut call: Value) -> Vec<Value> {
    if let Some(outside) = call.get("outside").and_then(Value::as_object) {
        let write = |(name, text): (&String, &Value)| json!({"tool": "host.write", "args": {"doc": document(name), "text": text}});
        return outside.iter().map(write).collect();
    }
    if call.get("command").is_none() {
        return vec![call];
    }
    let mut expect = call["expect"].take();
    if let Some(members) = expect.as_object_mut()
        && let Some(files) = members.remove("files")
    {
        members.insert("no_others".to_owned(), files.as_object().is_some_and(Map::is_empty).into());
        members.insert("docs".to_owned(), documents(files));
    }
    let expect = if expect.is_null() { json!({}) } else { expect };
    vec![json!({"tool": "memory", "args": call["command"], "expect": expect})]
}

/// Names documents as their files are named.
fn documents(files: Value) -> Value {
    let Value::Object(files) = files else { return json!({}) };
    Value::Object(files.into_iter().map(|(name, text)| (document(&name).to_owned(), text)).collect())
}

fn document(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}
