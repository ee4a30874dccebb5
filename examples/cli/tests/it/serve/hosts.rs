//! The configuration of hosts.

use serde_json::Value;

use crate::support::Host;

#[test]
fn a_configuration_is_what_the_host_reads() {
    let host = Host::new();
    let place = host.path("m").display().to_string();
    let print = |arguments: &[&str]| {
        let run = host.run(&[&["serve", "--print-config"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("put this into"), "{}", run.stderr);
        run.stdout
    };
    let json = |arguments: &[&str]| serde_json::from_str::<Value>(&print(arguments)).unwrap();
    let claude = json(&["claude-code", "--set", "standard,journal", "--stale", "rebase", "-a", "coder"]);
    let server = &claude["mcpServers"]["memory"];
    assert_eq!(server["type"], "stdio");
    assert!(server["command"].as_str().unwrap().ends_with("/memdoc"));
    let arguments: Vec<_> = server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(
        arguments,
        ["--directory", &place, "--actor", "coder", "serve", "--set", "standard,journal", "--stale", "rebase"]
    );
    let codex: toml::Table = print(&["codex"]).parse().unwrap();
    let server = codex["mcp_servers"]["memory"].as_table().unwrap();
    assert_eq!(server["args"].as_array().unwrap().len(), 3);
    assert_eq!(json(&["vscode"])["servers"]["memory"]["args"][0], "--directory");
    let gemini = json(&["gemini", "--http"]);
    assert_eq!(gemini["mcpServers"]["memory"]["httpUrl"], "http://127.0.0.1:7337/mcp");
    assert_eq!(gemini["mcpServers"]["memory"]["headers"]["Authorization"], "Bearer ${MEMDOC_TOKEN}");

    host.write("tokens", "0123456789abcdef ada\n");
    let http = ["--http", "127.0.0.1:7000", "--token-file", "tokens"];
    let cursor = json(&[&["cursor"], &http[..]].concat());
    assert_eq!(cursor["mcpServers"]["memory"]["headers"]["Authorization"], "Bearer ${env:MEMDOC_TOKEN}");
    let codex = print(&[&["codex"], &http[..]].concat());
    assert!(codex.contains("url = \"http://127.0.0.1:7000/mcp\"\nbearer_token_env_var = \"MEMDOC_TOKEN\""), "{codex}");
    assert_eq!(host.run(&[&["serve", "--print-config", "claude-desktop"], &http[..]].concat()).code, 2);
}

#[test]
fn a_wrong_command_line_is_told_on_standard_error() {
    let host = Host::new();
    host.write("tokens", "0123456789abcdef\n");
    host.write("twice", "a ada\na bob\n");
    for arguments in [
        &["--set", "frobnicate"][..],
        &["--stale", "maybe"],
        &["--http", "0.0.0.0:0"],
        &["--http", "nowhere"],
        &["--token-file", "tokens"],
        &["--http", "127.0.0.1:0", "--token-file", "tokens"],
        &["--http", "127.0.0.1:0", "--token-file", "twice"],
    ] {
        let run = host.run(&[&["serve"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.is_empty() && !run.stderr.contains("0123456789abcdef"), "{arguments:?}: {}", run.stderr);
    }
}
