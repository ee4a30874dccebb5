//! What a session answers, asked by the SDK's client.

use std::time::Duration;

use memdoc::{DocName, Status, ToolSet};
use rmcp::ClientServiceExt as _;
use rmcp::model::{
    CallToolRequestParams, ErrorCode, GetPromptRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ResourceContents, ServerNotification, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{ClientLifecycleMode, ServiceError, Subscription};
use serde_json::{Value, json};

use super::Failure;
use super::client::{Pair, Told, member, server, text};

const TWO_DENVERS: &str = "## Home\n- Denver\n\n## Work\n- Denver office\n";

#[tokio::test]
async fn instructions_and_prompt_are_the_guidance() -> Result<(), Failure> {
    let pair = Pair::over("").await?;
    let info = pair.client.peer_info().ok_or("no info")?.clone();
    let guidance = ToolSet::All.guidance(1);
    assert_eq!(info.instructions.as_deref(), Some(guidance.as_str()));
    // Hosts cut what is longer.
    assert!(guidance.chars().count() < 2_000);

    let prompts = pair.client.list_all_prompts().await?;
    assert_eq!(prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>(), ["memory-guidance"]);
    let prompt = pair.client.get_prompt(GetPromptRequestParams::new("memory-guidance")).await?;
    let [message] = prompt.messages.as_slice() else { return Err("expected one message".into()) };
    assert_eq!(message.content.as_text().map(|text| text.text.as_str()), Some(guidance.as_str()));

    let unknown = pair.client.get_prompt(GetPromptRequestParams::new("other")).await;
    assert_eq!(code(unknown.err()), Some(ErrorCode::INVALID_PARAMS));
    Ok(())
}

#[tokio::test]
async fn a_set_offers_its_tools_and_calls_no_others() -> Result<(), Failure> {
    let pair = Pair::with("", &["--set", "minimal"]).await?;
    let tools = pair.client.list_all_tools().await?;
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["memory_read", "patch_memory", "replace_in_memory"]);

    let refused = pair.call("validate_memory", json!({})).await.err().ok_or("it was called")?;
    assert!(refused.to_string().contains("unknown tool"), "{refused}");
    Ok(())
}

#[tokio::test]
async fn an_edit_after_reading_is_committed() -> Result<(), Failure> {
    let pair = Pair::over("- Lives in Denver\n").await?;
    let unseen = pair.call("replace_in_memory", json!({"old_string": "Denver", "new_string": "Austin"})).await?;
    assert_eq!((unseen.is_error, member(&unseen, "code")), (Some(true), &json!("missing_revision")));

    let read = pair.call("memory_read", json!({})).await?;
    assert_eq!((read.is_error, member(&read, "text")), (Some(false), &json!("- Lives in Denver\n")));
    assert!(text(&read).contains("- Lives in Denver"));

    let edited = pair.call("replace_in_memory", json!({"old_string": "Denver", "new_string": "Austin"})).await?;
    assert_eq!((edited.is_error, member(&edited, "status")), (Some(false), &json!("committed")));
    assert!(text(&edited).starts_with("committed (revision "), "{}", text(&edited));
    assert_eq!(pair.text()?, "- Lives in Austin\n");
    Ok(())
}

#[tokio::test]
async fn an_ambiguous_edit_is_an_error_with_candidates() -> Result<(), Failure> {
    let pair = Pair::over(TWO_DENVERS).await?;
    pair.call("memory_read", json!({})).await?;
    let refused = pair.call("replace_in_memory", json!({"old_string": "Denver", "new_string": "Austin"})).await?;
    assert_eq!((refused.is_error, member(&refused, "status")), (Some(true), &json!("error")));
    assert_eq!(member(&refused, "candidates").as_array().map(Vec::len), Some(2));
    assert!(text(&refused).contains("section Work") && text(&refused).contains("hint: "), "{}", text(&refused));

    let section = json!({"old_string": "Denver", "new_string": "Austin", "section": "Home"});
    assert_eq!(member(&pair.call("replace_in_memory", section).await?, "status"), &json!("committed"));
    assert_eq!(pair.text()?, TWO_DENVERS.replacen("Denver", "Austin", 1));
    Ok(())
}

#[tokio::test]
async fn an_edit_of_what_others_have_changed_is_refused_until_it_is_read() -> Result<(), Failure> {
    let pair = Pair::over(TWO_DENVERS).await?;
    pair.call("memory_read", json!({})).await?;
    let mut other = pair.other()?;
    other.show(&DocName::memory())?;
    let theirs = other.call("replace_in_memory", &json!({"old_string": "Denver office", "new_string": "remote"}));
    assert_eq!(theirs.status(), Status::Committed);

    let ours = json!({"old_string": "- Denver\n", "new_string": "- Austin\n"});
    let stale = pair.call("replace_in_memory", ours.clone()).await?;
    assert_eq!((stale.is_error, member(&stale, "code")), (Some(true), &json!("stale_revision")));
    assert!(text(&pair.call("memory_read", json!({})).await?).contains("- remote"));
    assert_eq!(member(&pair.call("replace_in_memory", ours).await?, "status"), &json!("committed"));
    assert_eq!(pair.text()?, "## Home\n- Austin\n\n## Work\n- remote\n");
    Ok(())
}

#[tokio::test]
async fn documents_are_resources_and_reading_one_shows_it() -> Result<(), Failure> {
    let pair = Pair::over("- a\n").await?;
    pair.memory()?.write(&"notes".parse()?, "- b\n")?;
    let listed = pair.client.list_all_resources().await?;
    let uris: Vec<_> = listed.iter().map(|resource| resource.uri.as_str()).collect();
    assert_eq!(uris, ["memdoc://memory", "memdoc://notes"]);
    let templates = pair.client.list_all_resource_templates().await?;
    assert_eq!(templates.first().map(|template| template.uri_template.as_str()), Some("memdoc://{name}"));

    let read = pair.client.read_resource(ReadResourceRequestParams::new("memdoc://notes")).await?;
    let [ResourceContents::TextResourceContents { uri, mime_type, text, .. }] = read.contents.as_slice() else {
        return Err("expected one text".into());
    };
    assert_eq!((uri.as_str(), mime_type.as_deref(), text.as_str()), ("memdoc://notes", Some("text/markdown"), "- b\n"));
    let arguments = json!({"document": "notes", "old_string": "b", "new_string": "c"});
    assert_eq!(member(&pair.call("replace_in_memory", arguments).await?, "status"), &json!("committed"));
    Ok(())
}

#[tokio::test]
async fn a_name_is_escaped_in_its_uri() -> Result<(), Failure> {
    let pair = Pair::over("- a\n").await?;
    pair.memory()?.write(&"Über mich".parse()?, "- b\n")?;
    let listed = pair.client.list_all_resources().await?;
    let uri = listed
        .iter()
        .map(|resource| resource.uri.clone())
        .find(|uri| uri != "memdoc://memory")
        .ok_or("it is listed")?;
    assert_eq!(uri, "memdoc://%C3%9Cber%20mich");
    for uri in [&*uri, "memdoc://Über mich"] {
        let read = pair.client.read_resource(ReadResourceRequestParams::new(uri)).await?;
        assert_eq!(read.contents.len(), 1, "{uri}");
    }
    Ok(())
}

#[tokio::test]
async fn a_document_that_is_not_there_is_no_resource() -> Result<(), Failure> {
    let pair = Pair::over("- a\n").await?;
    let unknown = pair.client.read_resource(ReadResourceRequestParams::new("memdoc://diary")).await;
    assert_eq!(code(unknown.err()), Some(ErrorCode::RESOURCE_NOT_FOUND));
    for uri in ["memdoc://../secret", "file:///etc/passwd", "memdoc://", ""] {
        let refused = pair.client.read_resource(ReadResourceRequestParams::new(uri)).await;
        assert_eq!(code(refused.err()), Some(ErrorCode::INVALID_PARAMS), "{uri}");
    }
    Ok(())
}

#[tokio::test]
#[expect(deprecated, reason = "clients of earlier versions subscribe so")]
async fn a_client_is_told_of_what_it_has_subscribed_to() -> Result<(), Failure> {
    let mut pair = Pair::over("- a\n").await?;
    pair.client.subscribe(SubscribeRequestParams::new("memdoc://memory")).await?;
    pair.call("memory_read", json!({})).await?;
    pair.call("replace_in_memory", json!({"old_string": "a", "new_string": "b"})).await?;
    assert_eq!(pair.next_told().await?, Told::Document("memdoc://memory".to_owned()));

    // A first document of this name: the list is another, and `notes` is not subscribed to.
    let patch = "*** Begin Patch\n*** Update Memory\n+- n\n*** End of File\n*** End Patch";
    let made = pair.call("patch_memory", json!({"document": "notes", "patch": patch})).await?;
    assert_eq!(member(&made, "status"), &json!("committed"), "{}", text(&made));
    assert_eq!(pair.next_told().await?, Told::List);

    // What another has changed is told without a call.
    let mut other = pair.other()?;
    other.show(&DocName::memory())?;
    other.call("replace_in_memory", &json!({"old_string": "b", "new_string": "c"}));
    assert_eq!(pair.next_told().await?, Told::Document("memdoc://memory".to_owned()));

    pair.client.unsubscribe(UnsubscribeRequestParams::new("memdoc://memory")).await?;
    pair.call("memory_read", json!({})).await?;
    let unheard = pair.call("replace_in_memory", json!({"old_string": "c", "new_string": "d"})).await?;
    assert_eq!(member(&unheard, "status"), &json!("committed"));
    pair.call("memory_read", json!({})).await?;
    assert!(pair.told.try_recv().is_err());
    Ok(())
}

#[tokio::test]
async fn a_client_without_a_handshake_is_told_by_the_stream_that_it_opens() -> Result<(), Failure> {
    let pair = Pair::over("- a\n").await?;
    let (_child, output, input) = server(pair.directory.path(), &["--set", "all"])?;
    let discover = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let client = ().serve_with_lifecycle((output, input), discover).await?;

    let filter = SubscriptionFilter::builder().resources_list_changed().resource_subscription("memdoc://memory");
    let mut stream = client.listen(filter.build()).await?;
    client.call_tool(call("memory_read", json!({}))?).await?;
    client.call_tool(call("replace_in_memory", json!({"old_string": "a", "new_string": "b"}))?).await?;
    assert_eq!(next_uri(&mut stream).await?, "memdoc://memory");

    // What another has changed is told without a call.
    let mut other = pair.other()?;
    other.show(&DocName::memory())?;
    other.call("replace_in_memory", &json!({"old_string": "b", "new_string": "c"}));
    assert_eq!(next_uri(&mut stream).await?, "memdoc://memory");
    Ok(())
}

#[tokio::test]
async fn each_session_remembers_what_its_own_agent_was_shown() -> Result<(), Failure> {
    let pair = Pair::over("- a\n").await?;
    pair.other()?.show(&DocName::memory())?;
    let unseen = pair.call("replace_in_memory", json!({"old_string": "a", "new_string": "b"})).await?;
    assert_eq!(member(&unseen, "code"), &json!("missing_revision"));
    Ok(())
}

async fn next_uri(stream: &mut Subscription) -> Result<String, Failure> {
    match tokio::time::timeout(Duration::from_secs(10), stream.next()).await?? {
        Some(ServerNotification::ResourceUpdatedNotification(updated)) => Ok(updated.params.uri),
        other => Err(format!("expected an update, found {other:?}").into()),
    }
}

fn call(tool: &'static str, arguments: Value) -> Result<CallToolRequestParams, Failure> {
    let arguments = arguments.as_object().cloned().ok_or("arguments are an object")?;
    Ok(CallToolRequestParams::new(tool).with_arguments(arguments))
}

fn code(error: Option<ServiceError>) -> Option<ErrorCode> {
    match error {
        Some(ServiceError::McpError(error)) => Some(error.code),
        _ => None,
    }
}

#[tokio::test]
async fn the_set_files_is_served_as_any_other() -> Result<(), Failure> {
    let pair = Pair::with("- a\n", &["--set", "files"]).await?;
    let names: Vec<_> = pair.client.list_all_tools().await?.iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["memory"]);
    let viewed = pair.call("memory", json!({"command": "view", "path": "/memories/memory.md"})).await?;
    assert!(text(&viewed).contains("     1\t- a"), "{}", text(&viewed));
    let edit = json!({"command": "str_replace", "path": "/memories/memory.md", "old_str": "a", "new_str": "b"});
    assert_eq!(pair.call("memory", edit).await?.is_error, Some(false));
    assert_eq!(pair.text()?, "- b\n");
    Ok(())
}
