//! Processes over standard input and output, spoken to line by line so that every byte that they write is looked at.

use std::ffi::OsStr;
#[cfg(feature = "postgres")]
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Failure;

const LINES: usize = 20;

/// A server process and the pipes to it.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Server {
    /// Starts a server over a directory.
    fn spawn(directory: &Path) -> Result<Self, Failure> {
        Self::spawn_over("--directory", directory.as_os_str())
    }

    /// Starts a server over what an option names.
    fn spawn_over(option: &str, place: &OsStr) -> Result<Self, Failure> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_memdoc"))
            .env_remove("MEMDOC_DIRECTORY")
            .env_remove("MEMDOC_DATABASE")
            .env_remove("MEMDOC_ACTOR")
            .arg(option)
            .arg(place)
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self { child, input, output, requests: 0 })
    }

    /// Starts a server over a directory, and shakes hands.
    fn start(directory: &Path) -> Result<Self, Failure> {
        Self::spawn(directory)?.greeted()
    }

    fn greeted(self) -> Result<Self, Failure> {
        let mut server = self;
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        assert_eq!(server.request("initialize", hello)?["result"]["serverInfo"]["name"], "memdoc");
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string())?;
        Ok(server)
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        let input = self.input.as_mut().ok_or("the input is closed")?;
        Ok(writeln!(input, "{line}")?)
    }

    /// Sends a request, and returns its response; what comes before it must be a message too.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        self.requests += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params});
        self.send(&request.to_string())?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server is gone".into());
            }
            let message = message(&line)?;
            if message["id"] == self.requests {
                return Ok(message);
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, Failure> {
        let response = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        Ok(response["result"]["structuredContent"].clone())
    }

    /// Closes the input, and returns what was written to the log; the process must end well.
    fn stop(mut self) -> Result<String, Failure> {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest)?;
        rest.split_inclusive('\n').try_for_each(|line| message(line).map(drop))?;
        let mut log = String::new();
        self.child.stderr.take().ok_or("no log")?.read_to_string(&mut log)?;
        if self.child.wait()?.success() { Ok(log) } else { Err(log.into()) }
    }

    /// Appends lines by patches to what has been read, each sent again after reading until it is committed. Returns how often one was stale.
    fn append(&mut self, name: &str) -> Result<usize, Failure> {
        let mut stale = 0;
        for number in 0..LINES {
            let patch =
                format!("*** Begin Patch\n*** Update Memory\n@@ section: Log\n+- {name} {number}\n*** End Patch");
            loop {
                let reply = self.call("patch_memory", json!({"patch": patch}))?;
                match (reply["status"].as_str(), reply["code"].as_str()) {
                    (Some("committed"), _) => break,
                    (_, Some("stale_revision" | "busy")) => stale += 1,
                    _ => return Err(reply.to_string().into()),
                }
                self.call("memory_read", json!({}))?;
            }
        }
        Ok(stale)
    }
}

/// Reads a line of standard output, which is a JSON-RPC message and nothing else.
fn message(line: &str) -> Result<Value, Failure> {
    let message: Value = serde_json::from_str(line).map_err(|error| format!("no message: {line:?}: {error}"))?;
    assert_eq!(message["jsonrpc"], "2.0", "{line}");
    Ok(message)
}

#[test]
fn two_servers_on_one_directory_lose_no_edit() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    fs::write(directory.path().join("memory.md"), "## Log\n- begin\n")?;
    let mut servers = [Server::start(directory.path())?, Server::start(directory.path())?];
    for server in &mut servers {
        server.call("memory_read", json!({}))?;
    }
    let append = |mut server: Server, name| {
        let stale = server.append(name)?;
        server.stop()?;
        Ok::<_, Failure>(stale)
    };
    let stale = std::thread::scope(|scope| {
        let [left, right] = servers;
        let writers = [(left, "left"), (right, "right")];
        let writers = writers.map(|(server, name)| scope.spawn(move || append(server, name)));
        let stale = writers.map(|writer| writer.join().map_err(|_| Failure::from("a writer has panicked"))?);
        stale.into_iter().sum::<Result<usize, Failure>>()
    })?;
    // Both have read before either has written.
    assert!(stale > 0);
    let text = fs::read_to_string(directory.path().join("memory.md"))?;
    for name in ["left", "right"] {
        for number in 0..LINES {
            let line = format!("- {name} {number}");
            assert_eq!(text.split('\n').filter(|other| **other == line).count(), 1, "{line} in\n{text}");
        }
    }
    Ok(())
}

#[cfg(feature = "postgres")]
#[test]
fn two_servers_on_one_database_see_each_other() -> Result<(), Failure> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stores/cluster");
    let started =
        Command::new(script).args(["start", &std::process::id().to_string()]).stderr(Stdio::inherit()).output()?;
    if started.status.code() == Some(77) {
        // The script has said why.
        return Ok(());
    }
    let directory = String::from_utf8(started.stdout)?;
    let url = format!("host={} user=memdoc dbname=postgres", directory.trim());
    let store = memdoc::memory::PostgresStore::open(&url, "main")?;
    memdoc::Memory::new(store, memdoc::Policy::default())?.seed(&memdoc::DocName::memory(), "## Log\n- begin\n")?;
    let url = OsString::from(url);
    let start = || Server::spawn_over("--database", &url)?.greeted();
    let [mut left, mut right] = [start()?, start()?];
    left.call("memory_read", json!({}))?;
    left.append("left")?;
    right.call("memory_read", json!({}))?;
    right.append("right")?;
    let read = left.call("memory_read", json!({}))?;
    let text = read["text"].as_str().unwrap_or_default();
    assert!(text.contains("- left 0\n") && text.contains("- right 19\n"), "{read}");
    assert!(!left.stop()?.contains("dbname"), "the log tells how to connect");
    right.stop().map(drop)
}

#[test]
fn standard_output_carries_messages_and_the_log_no_content() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    fs::write(directory.path().join("memory.md"), "- canary-in-memory\n")?;
    let mut server = Server::start(directory.path())?;
    // What is no message is answered as the protocol says, or not at all.
    for line in ["canary-no-json", "[]", "{\"jsonrpc\": \"2.0\"}", "", "\"canary-string\""] {
        server.send(line)?;
    }
    server.request("canary/unknown", json!({"text": "canary-parameter"}))?;
    server.request("tools/call", json!({"name": "canary-tool", "arguments": {}}))?;
    server.call("memory_read", json!({"section": "canary-section"}))?;
    server.call("memory_read", json!({}))?;
    let edit = json!({"old_string": "canary-in-memory", "new_string": "canary-edited"});
    assert_eq!(server.call("replace_in_memory", edit.clone())?["status"], "committed");
    assert_eq!(server.call("replace_in_memory", edit)?["status"], "already_applied");
    let log = server.stop()?;
    assert!(log.contains("call tool=\"memory_read\" status=\"ok\""), "{log}");
    assert!(!log.contains("canary-in-memory") && !log.contains("canary-edited") && !log.contains("canary-p"), "{log}");
    Ok(())
}

#[test]
fn a_client_that_leaves_before_the_handshake_is_no_failure() -> Result<(), Failure> {
    let directory = tempfile::tempdir()?;
    let mut server = Server::spawn(directory.path())?;
    server.send(&json!({"jsonrpc": "2.0", "id": 1, "result": {"text": "canary"}}).to_string())?;
    let log = server.stop()?;
    assert!(log.contains("left before the handshake") && !log.contains("canary"), "{log}");
    Ok(())
}
