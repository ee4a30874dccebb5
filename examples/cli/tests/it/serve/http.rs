//! HTTP, spoken to byte by byte.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::Failure;

/// A server process; it is stopped in the end.
struct Server {
    child: Child,
    address: String,
    directory: tempfile::TempDir,
    /// The token that the server has made.
    own: Option<String>,
}

struct Response {
    status: u16,
    session: Option<String>,
    body: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(text: &str, tokens: Option<&str>) -> Result<Self, Failure> {
        let directory = tempfile::tempdir()?;
        std::fs::write(directory.path().join("memory.md"), text)?;
        let mut command = Command::new(env!("CARGO_BIN_EXE_memdoc"));
        command.arg("-d").arg(directory.path()).args(["serve", "--http", "127.0.0.1:0"]);
        if let Some(tokens) = tokens {
            let file = directory.path().join("tokens");
            std::fs::write(&file, tokens)?;
            command.arg("--token-file").arg(file);
        }
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let mut log = BufReader::new(child.stderr.take().ok_or("no log")?);
        let mut next = || {
            let mut line = String::new();
            log.read_line(&mut line).map(|_| line)
        };
        let own = if tokens.is_none() { next()?.rsplit(' ').next().map(|token| token.trim().to_owned()) } else { None };
        let line = next()?;
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let address = line.trim().strip_prefix("listening on http://").and_then(|rest| rest.strip_suffix("/mcp"));
        Ok(Self { address: address.ok_or(line.clone())?.to_owned(), child, directory, own })
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Result<Response, Failure> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.address);
        }
        head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        if let Some(own) = self.own.as_ref().filter(|_| !headers.iter().any(|(name, _)| *name == "Authorization")) {
            head += &format!("Authorization: Bearer {own}\r\n");
        }
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        stream.write_all(format!("{head}\r\n").as_bytes())?;
        // A server that refuses may stop reading.
        let _ = stream.write_all(body);
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8(text)?;
        let (head, body) = text.split_once("\r\n\r\n").ok_or("no head")?;
        let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
        let headers = head.lines().filter_map(|line| line.split_once(':'));
        let session = headers
            .filter(|(name, _)| name.eq_ignore_ascii_case("mcp-session-id"))
            .map(|(_, value)| value.trim().to_owned())
            .next();
        Ok(Response { status, session, body: body.to_owned() })
    }

    /// Sends a message, and returns the response in the stream that comes.
    fn post(&self, headers: &[(&str, &str)], message: &Value) -> Result<(Value, Option<String>), Failure> {
        let response = self.send("POST", "/mcp", headers, message.to_string().as_bytes())?;
        let data = response.body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let message =
            data.filter_map(|data| serde_json::from_str::<Value>(data).ok()).find(|found| found["id"] == message["id"]);
        Ok((message.ok_or_else(|| format!("{}: {}", response.status, response.body))?, response.session))
    }

    /// Shakes hands, and returns the session.
    fn greet(&self, headers: &[(&str, &str)]) -> Result<String, Failure> {
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let (_, session) = self.post(headers, &hello)?;
        let session = session.ok_or("no session")?;
        let all = [headers, &[("Mcp-Session-Id", session.as_str())]].concat();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        assert_eq!(self.send("POST", "/mcp", &all, initialized.as_bytes())?.status, 202);
        Ok(session)
    }

    fn call(&self, headers: &[(&str, &str)], tool: &str, arguments: Value) -> Result<Value, Failure> {
        let params = json!({"name": tool, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        Ok(self.post(headers, &message)?.0["result"]["structuredContent"].clone())
    }
}

const TOKENS: &str = "# who may come in\nfirst-token-of-ada ada\nsecond-token-of-bob  user:bob\n";

#[test]
fn what_was_shown_hangs_on_the_session_and_the_name_on_the_token() -> Result<(), Failure> {
    let server = Server::start("- Denver\n", Some(TOKENS))?;
    let (ada, bob) = (("Authorization", "Bearer first-token-of-ada"), ("Authorization", "bearer second-token-of-bob"));
    let sessions = [server.greet(&[ada])?, server.greet(&[ada])?, server.greet(&[bob])?];
    let [first, second, of_bob] = sessions.each_ref().map(|session| ("Mcp-Session-Id", session.as_str()));
    let edit = json!({"old_string": "Denver", "new_string": "Austin"});
    assert_eq!(server.call(&[ada, first], "memory_read", json!({}))?["status"], "ok");
    for headers in [[ada, second], [bob, of_bob]] {
        assert_eq!(server.call(&headers, "replace_in_memory", edit.clone())?["code"], "missing_revision");
    }
    assert_eq!(server.call(&[ada, first], "replace_in_memory", edit)?["status"], "committed");
    server.call(&[bob, of_bob], "memory_read", json!({}))?;
    let edit = json!({"old_string": "Austin", "new_string": "Oslo"});
    assert_eq!(server.call(&[bob, of_bob], "replace_in_memory", edit)?["status"], "committed");
    let memory = memdoc::Memory::new(memdoc::FileStore::open(server.directory.path())?, memdoc::Policy::default())?;
    let entries = memory.history(&memdoc::memory::HistoryQuery::new())?.entries;
    let actors: Vec<_> = entries.iter().map(|row| row.entry.header().actor.as_str().to_owned()).collect();
    assert_eq!(&actors[..2], ["user:bob", "ada"]);
    Ok(())
}

#[test]
fn without_sessions_what_was_shown_hangs_on_the_token() -> Result<(), Failure> {
    let server = Server::start("- Denver\n", Some(TOKENS))?;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = |token: &str, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let bearer = format!("Bearer {token}");
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Mcp-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
        ];
        Ok::<_, Failure>(server.post(&headers, &message)?.0["result"]["structuredContent"].clone())
    };
    let edit = json!({"old_string": "Denver", "new_string": "Austin"});
    assert_eq!(call("first-token-of-ada", "memory_read", json!({}))?["status"], "ok");
    assert_eq!(call("second-token-of-bob", "replace_in_memory", edit.clone())?["code"], "missing_revision");
    assert_eq!(call("first-token-of-ada", "replace_in_memory", edit)?["status"], "committed");
    Ok(())
}

#[test]
fn who_has_no_business_here_is_turned_away() -> Result<(), Failure> {
    let server = Server::start("- x\n", Some(TOKENS))?;
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let good = ("Authorization", "Bearer first-token-of-ada");
    let status =
        |path: &str, headers: &[(&str, &str)]| Ok::<_, Failure>(server.send("POST", path, headers, ping)?.status);
    for wrong in
        ["Bearer first-token-of-ad", "Bearer first-token-of-ada2", "Basic first-token-of-ada", "Bearer", "Bearer "]
    {
        assert_eq!(status("/mcp", &[("Authorization", wrong)])?, 401, "{wrong}");
    }
    assert_eq!(status("/mcp", &[])?, 401);
    assert_eq!(status("/", &[good])?, 404);
    assert_eq!(status("/mcp", &[good, ("Host", "evil.example")])?, 403);
    assert_eq!(status("/mcp", &[good, ("Origin", "https://evil.example")])?, 403);
    Ok(())
}

#[test]
fn without_a_file_the_server_makes_a_token() -> Result<(), Failure> {
    let server = Server::start("- x\n", None)?;
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(server.own.as_ref().map(String::len), Some(64));
    for wrong in ["", "Bearer ", "Bearer 0", "Bearer none"] {
        assert_eq!(server.send("POST", "/mcp", &[("Authorization", wrong)], ping)?.status, 401, "{wrong}");
    }
    let session = server.greet(&[])?;
    assert_eq!(server.call(&[("Mcp-Session-Id", &session)], "memory_read", json!({}))?["status"], "ok");
    Ok(())
}

#[test]
fn a_body_that_cannot_be_read_is_answered_by_its_id() -> Result<(), Failure> {
    let server = Server::start("- x\n", None)?;
    let deep = format!(r#"{{"jsonrpc":"2.0","id":3,"method":"ping","params":{}{}}}"#, "[".repeat(500), "]".repeat(500));
    let cases: [(&[u8], Value); 5] = [
        (br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\udfff"}}"#, json!(1)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"x\":\"\xC0\"}}", json!(2)),
        (deep.as_bytes(), json!(3)),
        (br#"{"jsonrpc":"2.0","id":4.5,"method":"ping"}"#, json!(4.5)),
        (b"nonsense", json!(null)),
    ];
    for (body, id) in cases {
        let response = server.send("POST", "/mcp", &[], body)?;
        assert_eq!(response.status, 400, "{}", response.body);
        assert_eq!(serde_json::from_str::<Value>(&response.body)?["id"], id);
    }
    let batch = server.send(
        "POST",
        "/mcp",
        &[],
        br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
    )?;
    assert_eq!(serde_json::from_str::<Value>(&batch.body)?.as_array().map(Vec::len), Some(2));
    let large = server.send("POST", "/mcp", &[], &vec![b' '; 5 << 20])?;
    assert_eq!(large.status, 413, "{}", large.body);
    Ok(())
}

#[test]
fn requests_of_one_session_with_one_id_are_all_answered() -> Result<(), Failure> {
    let server = Server::start("- Denver\n", None)?;
    let session = server.greet(&[])?;
    let session = ("Mcp-Session-Id", session.as_str());
    let body =
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "memory_read", "arguments": {}}});
    let body = body.to_string();
    let bodies: Vec<String> = std::thread::scope(|scope| {
        let send =
            || server.send("POST", "/mcp", &[session], body.as_bytes()).map(|answer| answer.body).unwrap_or_default();
        let all: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        all.into_iter().map(|one| one.join().unwrap_or_default()).collect()
    });
    for body in &bodies {
        assert!(body.contains("\"id\":7") && (body.contains("Denver") || body.contains("no response yet")), "{body}");
    }
    assert!(bodies.iter().any(|body| body.contains("Denver")));
    // Under the same ID, once the others are answered.
    assert_eq!(server.call(&[session], "memory_read", json!({}))?["status"], "ok");
    Ok(())
}

#[test]
fn what_is_read_leniently_is_carried_out() -> Result<(), Failure> {
    let server = Server::start("- Denver\n", None)?;
    let session = server.greet(&[])?;
    let headers = [("Mcp-Session-Id", session.as_str())];
    let params = json!({"name": "memory_read", "arguments": "{\"view\": \"numbered\"}"});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    for body in [message.to_string(), format!("\u{FEFF}{message}")] {
        let answer = server.send("POST", "/mcp", &headers, body.as_bytes())?;
        assert!(answer.status == 200 && answer.body.contains("1| - Denver"), "{}: {}", answer.status, answer.body);
    }
    let twice = format!("{message}{message}");
    let answer = server.send("POST", "/mcp", &headers, twice.as_bytes())?;
    assert!(serde_json::from_str::<Value>(&answer.body).is_ok(), "{}", answer.body);
    Ok(())
}

#[test]
fn connections_without_a_token_keep_nobody_out() -> Result<(), Failure> {
    let server = Server::start("- Denver\n", None)?;
    let idle: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(&server.address)).collect::<Result<_, _>>()?;
    let session = server.greet(&[])?;
    let session = ("Mcp-Session-Id", session.as_str());
    assert_eq!(server.call(&[session], "memory_read", json!({}))?["status"], "ok");
    drop(idle);
    Ok(())
}

#[test]
fn a_session_is_that_of_the_token_that_began_it() -> Result<(), Failure> {
    let server = Server::start("- Denver\n", Some(TOKENS))?;
    let (ada, bob) = (("Authorization", "Bearer first-token-of-ada"), ("Authorization", "Bearer second-token-of-bob"));
    let session = server.greet(&[ada])?;
    let session = ("Mcp-Session-Id", session.as_str());
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    for method in ["POST", "GET", "DELETE"] {
        assert_eq!(server.send(method, "/mcp", &[bob, session], ping.as_bytes())?.status, 404, "{method}");
    }
    assert_eq!(server.call(&[ada, session], "memory_read", json!({}))?["status"], "ok");
    assert_eq!(server.send("DELETE", "/mcp", &[ada, session], b"")?.status, 202);
    assert_eq!(server.send("POST", "/mcp", &[ada, session], ping.as_bytes())?.status, 404);
    Ok(())
}
