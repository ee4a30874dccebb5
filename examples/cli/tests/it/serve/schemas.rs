//! What a tool's description promises, and that its results keep it.

use memdoc::Toolbox;
use rmcp::model::Tool;
use serde_json::{Value, json};

use super::Failure;
use super::client::Pair;

#[tokio::test]
async fn every_tool_of_the_toolbox_is_described() -> Result<(), Failure> {
    let tools = Pair::over("").await?.client.list_all_tools().await?;
    let described: Vec<_> = tools.iter().map(|tool| (&*tool.name, tool.description.as_deref())).collect();
    let defined: Vec<_> = Toolbox::definitions().iter().map(|tool| (tool.name, Some(tool.description()))).collect();
    assert_eq!(described, defined);
    Ok(())
}

#[tokio::test]
async fn hints_say_what_a_tool_does_to_the_memory() -> Result<(), Failure> {
    let tools = Pair::over("").await?.client.list_all_tools().await?;
    for (tool, definition) in tools.iter().zip(Toolbox::definitions()) {
        let hints = serde_json::to_value(&tool.annotations)?;
        let effect = definition.effect;
        let expected = json!({
            "readOnlyHint": effect.is_read_only(),
            "destructiveHint": effect.is_destructive(),
            "idempotentHint": effect.is_idempotent(),
            "openWorldHint": false,
        });
        assert_eq!(hints, expected, "{}", tool.name);
    }
    Ok(())
}

#[tokio::test]
async fn schemas_are_plain_objects() -> Result<(), Failure> {
    for tool in Pair::over("").await?.client.list_all_tools().await? {
        for schema in both(&tool)? {
            assert!(jsonschema::meta::is_valid(&schema), "{}: {schema}", tool.name);
            jsonschema::validator_for(&schema).map_err(|error| format!("{}: {error}", tool.name))?;
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert!(schema["properties"].is_object(), "{}", tool.name);
            assert_eq!((schema.get("$schema"), schema.get("title")), (None, None), "{}", tool.name);
        }
        let [input, _] = both(&tool)?;
        for (name, property) in input["properties"].as_object().into_iter().flatten() {
            assert!(property["type"].is_string() || property["$ref"].is_string(), "{}, {name}: {property}", tool.name);
            assert!(property["description"].is_string(), "{}, {name}: {property}", tool.name);
            assert!(!property["format"].is_string(), "{}, {name}: {property}", tool.name);
        }
    }
    Ok(())
}

#[tokio::test]
async fn arguments_of_the_examples_fit_the_input_schemas() -> Result<(), Failure> {
    let tools = Pair::over("").await?.client.list_all_tools().await?;
    let fits = |name: &str, arguments: &Value| -> Result<bool, Failure> {
        let tool = tools.iter().find(|tool| tool.name == name).ok_or("no such tool")?;
        Ok(jsonschema::validator_for(&Value::Object((*tool.input_schema).clone()))?.is_valid(arguments))
    };
    assert!(fits("memory_read", &json!({}))?);
    assert!(fits("memory_read", &json!({"section": "Facts", "view": "keyed"}))?);
    assert!(fits("replace_in_memory", &json!({"old_string": "a", "new_string": "b", "expected_replacements": 2}))?);
    assert!(!fits("replace_in_memory", &json!({"old_string": "a"}))?);
    assert!(!fits("patch_memory", &json!({"patch": 1}))?);
    Ok(())
}

#[tokio::test]
async fn every_reply_fits_the_output_schema() -> Result<(), Failure> {
    let pair = Pair::over("## A\n- x\n\n## B\n- x\n").await?;
    let tools = pair.client.list_all_tools().await?;
    let calls = [
        ("replace_in_memory", json!({"old_string": "x", "new_string": "y"}), "error"),
        ("memory_read", json!({"view": "keyed"}), "ok"),
        ("replace_in_memory", json!({"old_string": "x", "new_string": "y"}), "error"),
        ("replace_in_memory", json!({"old_string": "x", "new_string": "x", "section": "A"}), "no_change"),
        (
            "diff_preview",
            json!({"tool": "replace_in_memory", "arguments": {"old_string": "## A", "new_string": "## C"}}),
            "preview",
        ),
        ("replace_in_memory", json!({"old_string": "x", "new_string": "y", "section": "A"}), "committed"),
        ("patch_memory", json!({"patch": "nonsense"}), "error"),
        ("patch_memory", json!({"path": 1}), "error"),
        ("validate_memory", json!({}), "ok"),
    ];
    for (name, arguments, status) in calls {
        let tool = tools.iter().find(|tool| tool.name == name).ok_or("no such tool")?;
        let [_, output] = both(tool)?;
        let reply = pair.call(name, arguments.clone()).await?.structured_content.ok_or("no structured content")?;
        assert_eq!(reply["status"], status, "{name} {arguments}: {reply}");
        jsonschema::validator_for(&output)?.validate(&reply).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn both(tool: &Tool) -> Result<[Value; 2], Failure> {
    let output = tool.output_schema.as_ref().ok_or("no output schema")?;
    Ok([Value::Object((*tool.input_schema).clone()), Value::Object((**output).clone())])
}
