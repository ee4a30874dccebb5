//! Writes that wait, and edits as they come.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::support::Host;

/// A server that holds writes back.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(host: &Host) -> Self {
        let mut child = host.command(&["-q", "serve", "--set", "all", "--approve"]).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut server = Self { child, input, output };
        let client = json!({"name": "test", "version": "1"});
        server
            .request("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}));
        server
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        writeln!(self.input, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).unwrap();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0);
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == 1 {
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))["structuredContent"].clone()
    }

    fn stop(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

fn waiting(host: &Host) -> Vec<u64> {
    let lines = host.run(&["--json", "pending"]).stdout;
    lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["seq"].as_u64().unwrap()).collect()
}

#[test]
fn writes_wait_until_a_person_decides() {
    let host = Host::new();
    host.write("list.txt", "Lives in Denver\nLikes tea\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    assert_eq!(host.run(&["pending"]).code, 1);
    let mut server = Server::start(&host);
    server.call("memory_read", json!({}));
    for (old, new) in [("Denver", "Austin"), ("Likes tea", "Likes rye")] {
        let edit = json!({"old_string": old, "new_string": new});
        let refused = server.call("replace_in_memory", edit.clone());
        assert_eq!(refused["code"], "refused_by_policy", "{refused}");
        // The same call again waits once.
        server.call("replace_in_memory", edit);
    }
    server.stop();
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Lives in Denver\n- Likes tea\n");
    let shown = host.run(&["pending"]).stdout;
    assert!(shown.contains("-- Lives in Denver\n+- Lives in Austin") && shown.contains("replace_in_memory"), "{shown}");
    let [first, second] = waiting(&host)[..] else { panic!("{shown}") };
    let (first, second) = (first.to_string(), second.to_string());

    assert_eq!(host.run(&["approve", &first, "-n"]).code, 0);
    let approved = host.run(&["approve", &first]);
    assert_eq!(approved.code, 0, "{}", approved.stderr);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Lives in Austin\n- Likes tea\n");
    assert_eq!(host.run(&["reject", &second]).code, 0);
    assert!(waiting(&host).is_empty());
    for command in ["approve", "reject"] {
        for entry in ["1", "2", &first, &second, "999"] {
            assert_eq!(host.run(&[command, entry]).code, 1, "{command} {entry}");
        }
    }
    assert_eq!(host.run(&["approve", "--all"]).code, 1);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Lives in Austin\n- Likes tea\n");
    assert_eq!(host.run(&["verify"]).code, 0);
}

#[test]
fn what_others_changed_meanwhile_is_not_overwritten() {
    let host = Host::new();
    host.write("list.txt", "Lives in Denver\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    let mut server = Server::start(&host);
    server.call("memory_read", json!({}));
    server.call("replace_in_memory", json!({"old_string": "Denver", "new_string": "Austin"}));
    server.stop();
    host.run(&["call", "replace_in_memory", r#"{"old_string":"Denver","new_string":"Oslo"}"#]);
    assert_eq!(host.run(&["approve", "--all"]).code, 1);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Lives in Oslo\n");
}

#[test]
fn an_edit_is_shown_as_it_comes() {
    let host = Host::new();
    host.write("list.txt", "Lives in Denver\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    let mut child = host.command(&["watch", "-c", "1"]).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("waiting for edits"), "{line}");
    host.run(&["call", "replace_in_memory", r#"{"old_string":"Denver","new_string":"Oslo"}"#]);
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("-- Lives in Denver\n+- Lives in Oslo") && output.status.success(), "{shown}");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let host = Host::new();
    assert!(host.run(&["man"]).stdout.contains(".TH memdoc"));
    assert_eq!(host.run(&["man", "pages"]).code, 0);
    assert!(host.path("pages/memdoc-undo.1").is_file());
}
