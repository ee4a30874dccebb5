//! The pages of this package: what they say to type is typed, and prints what they show.

use std::fs;

use crate::support::{Host, claude_code};

/// What an agent sends that wants to edit the memory.
const AGENT: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_read","arguments":{}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"replace_in_memory","arguments":{"old_string":"Denver","new_string":"Austin"}}}
"#;

#[test]
fn the_pages_say_what_the_commands_print() {
    for page in ["README.md", "docs/import.md", "docs/page.md", "docs/serve.md"] {
        let text = fs::read_to_string(format!("{}/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let mut host = Host::new();
        if page == "README.md" {
            fs::remove_dir_all(host.path("m")).unwrap();
        }
        claude_code(&host);
        host.write("agent.jsonl", AGENT);
        for folder in [".codex", ".cursor", ".vscode"] {
            fs::create_dir(host.path(folder)).unwrap();
        }
        let blocks: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
        assert!(!blocks.is_empty(), "{page}");
        for block in blocks {
            let (kind, script) = block.split_once('\n').unwrap();
            match kind {
                "sh" => {
                    let run = host.shell(script, "");
                    assert_eq!(run.code, 0, "{page}: {script}{}", run.stderr);
                }
                "console" => session(&mut host, page, script),
                // What runs until it is stopped, or needs another program, says so.
                _ => assert!(["sh no_run", "toml", "text"].contains(&kind), "{page}: {kind}"),
            }
        }
    }
}

/// Types each line that begins with `$ `, and compares what stands below it with what is printed.
fn session(host: &mut Host, page: &str, block: &str) {
    for step in format!("\n{block}").split("\n$ ").skip(1) {
        let (line, wanted) = step.split_once('\n').unwrap_or((step, ""));
        let run = host.shell(line, "y\n");
        assert_eq!(run.stdout.trim_end(), wanted.trim_end(), "{page}: {line}: {}", run.stderr);
        if line.starts_with("memdoc checkpoint") {
            host.now = "2026-11-27T18:02:00Z".to_owned();
        }
    }
}
