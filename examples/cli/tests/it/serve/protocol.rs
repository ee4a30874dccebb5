//! Lines of every kind: each request that has an ID is answered, and the server goes on.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Failure;

const CALL: &str =
    r#"{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"memory_read","arguments":{}}}"#;

/// Sends lines to a new server, closes its input, and returns what it wrote; it must end well.
fn conversation(directory: &Path, lines: &[&[u8]]) -> Result<Vec<Value>, Failure> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_memdoc"))
        .arg("-qd")
        .arg(directory)
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let lines: Vec<u8> = lines.iter().flat_map(|line| [*line, b"\n"].concat()).collect();
    let writer = std::thread::spawn(move || input.write_all(&lines));
    let output = BufReader::new(child.stdout.take().ok_or("no output")?);
    let answers = output.lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect::<Result<_, Failure>>()?;
    writer.join().map_err(|_| "the writer has panicked")??;
    let end = child.wait_with_output()?;
    assert!(end.status.success() && end.stderr.is_empty(), "{}", String::from_utf8_lossy(&end.stderr));
    Ok(answers)
}

fn hello() -> String {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string()
}

fn answer<'a>(answers: &'a [Value], id: &Value) -> Option<&'a Value> {
    answers.iter().find(|answer| answer["id"] == *id)
}

#[test]
fn every_request_with_an_id_is_answered() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let deep = |levels: usize| {
        let nested = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        format!(
            r#"{{"jsonrpc":"2.0","id":{levels},"method":"tools/call","params":{{"name":"memory_read","arguments":{{"x":{nested}}}}}}}"#
        )
    };
    let (shallow, nested, very) = (deep(100), deep(126), deep(100_000));
    let long = format!(r#"{{"method":"ping","params":{{"x":"{}"}},"jsonrpc":"2.0","id":"long"}}"#, "a".repeat(5 << 20));
    let hello = hello();
    let lines: Vec<(&[u8], Value)> = vec![
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_read","arguments":{"section":"\ud800"}}}"#, json!(1)),
        (shallow.as_bytes(), json!(100)),
        (nested.as_bytes(), json!(126)),
        (very.as_bytes(), json!(100_000)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"x\":\"\xFF\xFE\"}}", json!(2)),
        (br#"[{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]"#, json!(3)),
        (br#"{"jsonrpc":"2.0","id":4.5,"method":"ping"}"#, json!(4.5)),
        (br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, json!(u64::MAX)),
        (br#"{"jsonrpc":"2.0","id":-9,"method":"ping"}"#, json!(-9)),
        (br#"{"jsonrpc":"2.0","id":"","method":"ping"}"#, json!("")),
        (br#"{"jsonrpc":"2.0","id":"\u0000\u2028","method":"ping"}"#, json!("\0\u{2028}")),
        (br#"{"id":5,"method":"ping"}"#, json!(5)),
        (br#"{"jsonrpc":"1.0","id":6,"method":"ping"}"#, json!(6)),
        (br#"{"jsonrpc":"2.0","id":7,"method":5}"#, json!(7)),
        (br#"{"jsonrpc":"2.0","id":8}"#, json!(8)),
        (br#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}"#, json!(9)),
        (br#"{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":7}}"#, json!(10)),
        (br#"{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"memory_read","arguments":"x"}}"#, json!(11)),
        (br#"{"jsonrpc":"2.0","id":12,"method":"no/such"}"#, json!(12)),
        (br#"{"jsonrpc":"2.0","id":13,"method":"ping""#, json!(13)),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null)),
        (long.as_bytes(), json!("long")),
        (CALL.as_bytes(), json!("last")),
    ];
    let mut sent: Vec<&[u8]> = vec![hello.as_bytes()];
    sent.extend(lines.iter().map(|(line, _)| *line));
    let answers = conversation(directory.path(), &sent)?;
    for (line, id) in &lines {
        let line = String::from_utf8_lossy(line).chars().take(120).collect::<String>();
        assert!(answer(&answers, id).is_some(), "{line}");
    }
    assert_eq!(answers.len(), sent.len());
    assert_eq!(answer(&answers, &json!("last")).ok_or("none")?["result"]["structuredContent"]["status"], "ok");
    Ok(())
}

#[test]
fn what_comes_before_the_handshake_does_not_end_the_server() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let hello = hello();
    for first in [
        &br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#[..],
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        br#"{"jsonrpc":"2.0","method":"no/such"}"#,
        br#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#,
        b"nonsense",
        b"",
    ] {
        let answers = conversation(directory.path(), &[first, first, hello.as_bytes(), CALL.as_bytes()])?;
        let last = answer(&answers, &json!("last")).ok_or("no answer")?;
        assert_eq!(last["result"]["structuredContent"]["status"], "ok", "{}", String::from_utf8_lossy(first));
    }
    Ok(())
}

#[test]
fn an_id_in_use_is_answered_each_time() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let hello = hello();
    let answers =
        conversation(directory.path(), &[hello.as_bytes(), CALL.as_bytes(), CALL.as_bytes(), CALL.as_bytes()])?;
    assert_eq!(answers.iter().filter(|answer| answer["id"] == "last").count(), 3);
    Ok(())
}

#[test]
fn calls_are_carried_out_in_their_order() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("memory.md"), "- 0\n")?;
    let hello = hello();
    let call = |id: usize, tool: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
            .to_string()
    };
    let mut lines = vec![hello, call(1, "memory_read", json!({}))];
    lines.extend((0..30).map(|number| {
        let (old, new) = (format!("- {number}"), format!("- {}", number + 1));
        call(number + 2, "replace_in_memory", json!({"old_string": old, "new_string": new}))
    }));
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    conversation(directory.path(), &lines)?;
    assert_eq!(std::fs::read_to_string(directory.path().join("memory.md"))?, "- 30\n");
    Ok(())
}

#[test]
fn a_reply_is_never_megabytes() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let text: String = (0..4_000).map(|number| format!("- fact {number} of many that were collected\n")).collect();
    std::fs::write(directory.path().join("memory.md"), format!("{text}{}\n- end\n", "x".repeat(200_000)))?;
    let read = |arguments: Value| {
        json!({"jsonrpc": "2.0", "id": arguments.to_string(), "method": "tools/call", "params": {"name": "memory_read", "arguments": arguments}})
            .to_string()
    };
    let calls = [
        json!({}),
        json!({"from": 1500}),
        json!({"view": "numbered", "from": 3_990}),
        json!({"from": 4_001}),
        json!({"from": 4_002}),
    ];
    let mut lines = vec![hello()];
    lines.extend(calls.iter().cloned().map(read));
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    let answers = conversation(directory.path(), &lines)?;
    let reply =
        |arguments: &Value| answer(&answers, &json!(arguments.to_string())).map(|answer| answer["result"].clone());
    for answer in &answers {
        assert!(answer.to_string().len() < 250_000, "{}", answer.to_string().len());
    }
    let first = reply(&calls[0]).ok_or("none")?;
    let note = first["structuredContent"]["message"].as_str().ok_or("no note")?;
    assert!(note.starts_with("lines 1-") && note.contains("of 4002 are shown; read on with `from`"), "{note}");
    assert!(
        reply(&calls[1]).ok_or("none")?["structuredContent"]["text"]
            .as_str()
            .unwrap_or_default()
            .starts_with("- fact 1499 ")
    );
    assert!(reply(&calls[2]).ok_or("none")?.to_string().contains("3990-4000 of 4002"));
    assert!(
        reply(&calls[3]).ok_or("none")?["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
            .contains("line 4001 is longer")
    );
    assert_eq!(reply(&calls[4]).ok_or("none")?["structuredContent"]["text"], "- end\n");
    Ok(())
}
