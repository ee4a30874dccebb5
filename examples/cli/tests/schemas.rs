//! Every case of the repository: replies fit the schema of results, and arguments that are taken as they are fit that of
//! arguments, in every dialect.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets what it did not expect stops and says so")]

#[path = "../../../tests/support/cases.rs"]
pub mod cases;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

use cases::case_files::{self, Case};
use jsonschema::Validator;
use memdoc::{Dialect, Toolbox};
use serde_json::Value;

/// The schemas of one tool, ready to validate.
struct Checks {
    input: Validator,
    strict_input: Validator,
    output: Validator,
    strict_schema: Value,
}

fn checks() -> HashMap<&'static str, Checks> {
    let check = |schema: &Value| {
        assert!(jsonschema::meta::is_valid(schema), "{schema}");
        jsonschema::validator_for(schema).unwrap()
    };
    let checks = Toolbox::definitions().iter().map(|tool| {
        let output = tool.to_json(Dialect::Mcp)["outputSchema"].take();
        let input = tool.to_json(Dialect::Anthropic)["input_schema"].take();
        let strict_schema = tool.to_json(Dialect::OpenAi)["parameters"].take();
        let checks =
            Checks { input: check(&input), strict_input: check(&strict_schema), output: check(&output), strict_schema };
        (tool.name, checks)
    });
    checks.collect()
}

/// Takes out members that are null: no value is another way to leave one out.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let given = members.iter().filter(|(_, value)| !value.is_null());
            Value::Object(given.map(|(name, value)| (name.clone(), without_nulls(value))).collect())
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

/// Writes arguments as a strict function call does: null for what is left out, maps as lists, free objects as strings.
fn strictly(value: &Value, schema: &Value, definitions: &Value) -> Value {
    let resolved = |schema: &'_ Value| match schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        Some(name) => definitions[name].clone(),
        None => schema.clone(),
    };
    let schema = &resolved(schema);
    if let Some(choices) = schema["anyOf"].as_array() {
        let kind = match value {
            Value::Object(_) if choices.iter().map(resolved).all(|choice| choice["type"] != "object") => "array",
            Value::Object(_) => "object",
            Value::Array(_) => "array",
            _ => return value.clone(),
        };
        let choice = choices.iter().map(resolved).find(|choice| choice["type"] == kind);
        return choice.map_or_else(|| value.clone(), |choice| strictly(value, &choice, definitions));
    }
    match (value, schema["properties"].as_object()) {
        (Value::Object(members), Some(properties)) => {
            let member = |(name, property): (&String, &Value)| {
                (name.clone(), members.get(name).map_or(Value::Null, |value| strictly(value, property, definitions)))
            };
            Value::Object(properties.iter().map(member).collect())
        }
        // A map, whose names no strict schema can list, is written as JSON in a text.
        (Value::Object(_), None) if is_text(&schema["type"]) => value.to_string().into(),
        (Value::Array(items), _) => items.iter().map(|item| strictly(item, &schema["items"], definitions)).collect(),
        _ => value.clone(),
    }
}

/// Reports whether a schema's `type` allows a text.
fn is_text(kinds: &Value) -> bool {
    kinds == "string" || kinds.as_array().is_some_and(|kinds| kinds.contains(&"string".into()))
}

/// Reports whether the arguments are in the schema's form: the tools that take lists also read a list in a string
/// and a single item without a list, which no schema offers to a model.
fn is_listed(arguments: &Value, schema: &Value) -> bool {
    let is_list = |name: &&Value| name.as_str().is_some_and(|name| schema["properties"][name]["type"] == "array");
    let mut lists = schema["required"].as_array().into_iter().flatten().filter(is_list);
    lists.all(|name| name.as_str().is_some_and(|name| arguments[name].is_array()))
}

/// Writes the numbers of entries as the schemas offer them: as texts, since they may be `last` or a revision. A number is read as
/// it is, and no model need know.
fn with_entries_as_texts(mut arguments: Value, schema: &Value) -> Value {
    for name in ["entry", "from", "to"] {
        if !is_text(&schema["properties"][name]["type"]) {
            continue;
        }
        if let Some(number) = arguments.get_mut(name).filter(|value| value.is_u64()) {
            *number = number.to_string().into();
        }
    }
    arguments
}

/// Returns the cases of this repository, and those of the folder beside it, where it is at hand, that call known tools only.
fn all_cases() -> Vec<Case> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = cases_in(&repository.join("tests/cases"));
    let shared = repository.join("../shared/cases");
    if shared.is_dir() {
        all.extend(cases_in(&shared).into_iter().filter(Case::is_of_known_tools));
    } else {
        // The test harness keeps back what is printed.
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped for want of the shared cases").unwrap();
    }
    all
}

fn cases_in(directory: &Path) -> Vec<Case> {
    case_files::files(directory).unwrap().iter().flat_map(|file| case_files::read(file).unwrap()).collect()
}

#[test]
fn replies_and_arguments_fit_the_schemas() {
    let checks = checks();
    let (mut replies, mut arguments, mut found) = (0, 0, Vec::new());
    for case in all_cases() {
        for outcome in cases::run(&case).unwrap() {
            found.extend(outcome.differences.iter().map(|difference| format!("{}: {difference}", case.name)));
            let Some(checks) = outcome.line["tool"].as_str().and_then(|tool| checks.get(tool)) else { continue };
            let mut note = |what: &str, validator: &Validator, value: &Value| {
                for error in validator.iter_errors(value) {
                    found.push(format!("{}, {what} at `{}`: {error}", case.name, error.instance_path()));
                }
            };
            let reply = &outcome.line["reply"];
            replies += 1;
            note("reply", &checks.output, reply);
            let is_healed = reply["healed"]
                .as_array()
                .is_some_and(|healed| healed.iter().any(|how| how == "arguments" || how == "json"));
            if reply["status"] != "error" && !is_healed && is_listed(&outcome.args, &checks.strict_schema) {
                arguments += 1;
                let schema = &checks.strict_schema;
                let given = with_entries_as_texts(without_nulls(&outcome.args), schema);
                note("arguments", &checks.input, &given);
                note("strict arguments", &checks.strict_input, &strictly(&given, schema, &schema["$defs"]));
            }
        }
    }
    assert!(found.is_empty(), "{} findings\n{}", found.len(), found.join("\n"));
    assert!(
        replies > 300 && arguments > 100,
        "{replies} replies and {arguments} arguments are too few to mean anything"
    );
}
