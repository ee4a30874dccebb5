//! The binary, run on memories in temporary directories.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::Value;

/// A memory in a directory, and a clock that stands still until it is set.
struct Host {
    directory: tempfile::TempDir,
    now: String,
}

/// What a run came to.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

impl Host {
    /// Makes a memory in the directory `m`.
    fn new() -> Self {
        let host = Self { directory: tempfile::tempdir().unwrap(), now: "2026-11-27T17:42:00Z".to_owned() };
        assert_eq!(host.run(&["init", "m"]).code, 0);
        host
    }

    fn path(&self, below: &str) -> PathBuf {
        self.directory.path().join(below)
    }

    fn write(&self, below: &str, text: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memdoc"));
        command.args(arguments).current_dir(self.directory.path());
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.directory.path()).env("TZ", "UTC");
        command.env("USER", "ada").env("MEMDOC_DIRECTORY", "m").env("MEMDOC_NOW", &self.now);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        finished(self.command(arguments), input)
    }
}

fn finished(mut command: Command, input: &str) -> Run {
    let mut child = command.spawn().unwrap();
    // One that reads nothing closes its end early.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a session of the shell: each line after `$ ` is a command, and what it prints stands below it.
fn session(host: &Host, commands: &[(&str, &str)]) -> String {
    let mut shown = String::new();
    for (line, input) in commands {
        let words: Vec<String> = words(line);
        let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let run = host.run_with(&words, input);
        shown += &format!("$ {line}\n{}{}", run.stdout, run.stderr);
        if run.code != 0 {
            shown += &format!("exit {}\n", run.code);
        }
    }
    shown
}

/// Splits a command into words, as a shell does with single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

fn claude_code(host: &Host) {
    host.write("cc/MEMORY.md", "## People\n- Ada lives in Denver\n- Bo lives in Oslo\n- [plan](old-plan.md) the move\n\n## House\n- Blue door\n");
    host.write("cc/testing-rules.md", "# Rules\n- Run the gate\n- Read the log\n");
}

#[test]
fn a_session() {
    let mut host = Host::new();
    claude_code(&host);
    let mut shown = session(
        &host,
        &[
            ("memdoc import claude-code cc", ""),
            ("memdoc import claude-code cc", ""),
            ("memdoc checkpoint -o checkpoint.txt", ""),
        ],
    );
    host.now = "2026-11-27T18:02:00Z".to_owned();
    shown += &session(
        &host,
        &[
            (r#"memdoc call replace_in_memory '{"old_string":"Denver","new_string":"Austin"}' -a agent"#, ""),
            ("memdoc show", ""),
            ("memdoc log -c 3", ""),
            ("memdoc diff 3 --words", ""),
            ("memdoc blame memory", ""),
            ("memdoc undo 4 -r 'it was a visit'", "y\n"),
            ("memdoc undo 4", ""),
            ("memdoc log -p -c 1", ""),
            ("memdoc -q verify --checkpoint checkpoint.txt", ""),
        ],
    );
    assert_snapshot!(shown);
}

#[test]
fn help_is_as_specified() {
    let host = Host::new();
    let mut shown = host.run(&["--help"]).stdout;
    for command in ["show", "log", "diff", "blame", "undo", "import", "doctor", "edit", "patch"] {
        shown += &format!("$ memdoc {command} --help\n{}", host.run(&[command, "--help"]).stdout);
    }
    assert_snapshot!(shown);
}

#[test]
fn exit_codes_tell_no_from_wrong_use_and_from_a_store_that_fails() {
    let host = Host::new();
    host.write("list.txt", "Likes tea\n");
    assert_eq!(host.run(&["import", "chatgpt", "list.txt"]).code, 0);
    for (code, arguments) in [
        (0, vec!["show", "memory"]),
        (0, vec!["diff", "1"]),
        (1, vec!["diff", "1", "--exit-code"]),
        (1, vec!["show", "nothing"]),
        (1, vec!["search", "zebra"]),
        (1, vec!["recall", "zebra"]),
        (1, vec!["log", "--grep", "zebra"]),
        (1, vec!["undo", "99"]),
        (1, vec!["call", "replace_in_memory", r#"{"old_string":"coffee","new_string":"x"}"#]),
        (2, vec!["frobnicate"]),
        (2, vec!["show", "a/../b"]),
        (2, vec!["show", "--at", "yesterday"]),
        (2, vec!["import", "cuneiform", "list.txt"]),
        (2, vec!["-d", "elsewhere", "show"]),
        (3, vec!["import", "chatgpt", "missing.txt"]),
        (3, vec!["backup", "m"]),
    ] {
        let run = host.run(&arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        let mut in_json = vec!["--json"];
        in_json.extend(&arguments);
        let run = host.run(&in_json);
        assert_eq!(run.code, code, "{in_json:?}: {}{}", run.stdout, run.stderr);
        if code != 0 && !run.stdout.is_empty() {
            run.json();
        }
    }
}

#[test]
fn json_is_one_object_or_one_on_each_line() {
    let host = Host::new();
    claude_code(&host);
    let imported = host.run(&["--json", "import", "claude-code", "cc"]).json();
    assert_eq!(imported["documents"][0]["seq"], 2);
    assert_eq!(host.run(&["--json", "show"]).json()["documents"][0]["bullets"], 4);
    assert_eq!(host.run(&["--json", "show", "testing-rules"]).json()["document"], "testing-rules");
    assert_eq!(host.run(&["--json", "verify"]).json()["status"], "sound");
    assert_eq!(host.run(&["--json", "blame", "memory"]).json()["bullets"][0]["seq"], 2);
    assert_eq!(host.run(&["--json", "undo", "2"]).json()["status"], "committed");
    assert_eq!(host.run(&["--json", "show", "nothing"]).json()["error"]["code"], "unknown_document");
    let log = host.run(&["--json", "log"]).stdout;
    let rows: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 4, "{log}");
    assert_eq!(rows[3]["tool"], "import");
}

#[test]
fn a_closed_pipe_ends_in_silence() {
    let host = Host::new();
    let lines: String = (0..2_500).map(|number| format!("- fact {number} of many\n")).collect();
    host.write("facts/many.md", &lines);
    assert_eq!(host.run(&["import", "folder", "facts"]).code, 0);
    // More than a pipe holds.
    let mut child = host.command(&["blame", "many"]).spawn().unwrap();
    let mut first = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn an_import_is_one_commit_that_is_undone_as_one() {
    let host = Host::new();
    claude_code(&host);
    host.run(&["import", "claude-code", "cc"]);
    assert_eq!(host.run(&["undo", "2"]).code, 0);
    for name in ["memory", "testing-rules"] {
        assert!(!host.path(&format!("m/{name}.md")).exists(), "{name}");
    }
}

#[test]
fn an_import_never_overwrites() {
    let host = Host::new();
    host.write("a/memory.md", "## Facts\n- Likes tea\n");
    host.write("b/memory.md", "## Facts\n- Likes tea\n- Likes rye\n\n## Work\n- Paints\n");
    host.run(&["import", "folder", "a"]);
    let refused = host.run(&["import", "folder", "b"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("document_exists"), "{}", refused.stderr);
    assert_eq!(host.run(&["import", "folder", "b", "--merge", "-n"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "## Facts\n- Likes tea\n");
    assert_eq!(host.run(&["import", "folder", "b", "--merge"]).code, 0);
    let merged = "## Facts\n- Likes tea\n- Likes rye\n\n## Work\n- Paints\n";
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, merged);
    assert!(host.run(&["import", "folder", "b", "--merge"]).stdout.contains("unchanged"));
    assert_eq!(host.run(&["import", "folder", "a", "--replace"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "## Facts\n- Likes tea\n");
}

/// Reads all files below a directory.
fn tree(directory: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(tree(&path));
        } else {
            files.push((path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
    files.sort();
    files
}

#[test]
fn folders_go_out_as_they_came_in() {
    for format in ["claude-code", "basic-memory", "memory-bank", "letta", "folder"] {
        let host = Host::new();
        let index = if format == "claude-code" { "in/MEMORY.md" } else { "in/memory.md" };
        host.write(index, "- [[Ada]]\r\n- [x] done\r\n");
        host.write("in/people/Ada.md", "---\ntitle: Ada\n---\n\n- [role] painter #art (since May)\n- knows [[Bo]]\n");
        host.write("in/todo.txt", "buy milk");
        assert_eq!(host.run(&["import", format, "in"]).code, 0, "{format}");
        assert_eq!(host.run(&["export", format, "out"]).code, 0, "{format}");
        let strip = |below: &str| -> Vec<(PathBuf, String)> {
            let root = host.path(below);
            tree(&root).into_iter().map(|(path, text)| (path.strip_prefix(&root).unwrap().to_owned(), text)).collect()
        };
        assert_eq!(strip("in"), strip("out"), "{format}");
    }
}

#[test]
fn the_graph_of_the_mcp_memory_server_comes_back_whole() {
    let host = Host::new();
    let lines = [
        r#"{"entityType":"person","name":"John_Smith","observations":["Speaks fluent Spanish","Runs Debian,\nwith KDE"],"type":"entity"}"#,
        r#"{"entityType":"person","name":"O'Brien: the 2nd","observations":["- begins so","[pinned] is text"],"type":"entity"}"#,
        r#"{"from":"John_Smith","relationType":"knows","to":"O'Brien: the 2nd","type":"relation"}"#,
    ];
    let graph = lines.join("\n") + "\n";
    host.write("memory.json", &graph);
    assert_eq!(host.run(&["import", "mcp-memory", "memory.json"]).code, 0);
    assert_snapshot!(host.run(&["show", "person/John_Smith"]).stdout, @r"
    # John_Smith

    - Speaks fluent Spanish
    - Runs Debian,
      with KDE

    ## Relations

    - knows [[O'Brien: the 2nd]]
    ");
    let exported = host.run(&["export", "mcp-memory", "out.json"]);
    assert_eq!(exported.stdout, "wrote 1 file to out.json\n");
    let mut out: Vec<String> = fs::read_to_string(host.path("out.json")).unwrap().lines().map(str::to_owned).collect();
    let mut wanted: Vec<String> = lines.map(str::to_owned).to_vec();
    out.sort();
    wanted.sort();
    assert_eq!(out, wanted);
}

#[test]
fn lists_of_facts_come_back() {
    let host = Host::new();
    let hermes = "Likes tea\n§\nRuns Debian 12,\nwith KDE";
    host.write("h/MEMORY.md", hermes);
    assert_eq!(host.run(&["import", "hermes", "h"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Likes tea\n- Runs Debian 12,\n  with KDE\n");
    host.run(&["export", "hermes", "out"]);
    assert_eq!(fs::read_to_string(host.path("out/MEMORY.md")).unwrap(), hermes);

    let host = Host::new();
    host.write("list.txt", "1. [2024-04-26]. Likes tea.\n2. Paints\n- [2025-01-02] - Has a dog\n3.5 miles from work\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    let text = "- Likes tea. (2024-04-26)\n- Paints\n- Has a dog (2025-01-02)\n- 3.5 miles from work\n";
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, text);
    host.run(&["export", "chatgpt", "out.txt"]);
    let list = "[2024-04-26] - Likes tea.\nPaints\n[2025-01-02] - Has a dog\n3.5 miles from work\n";
    assert_eq!(fs::read_to_string(host.path("out.txt")).unwrap(), list);

    let host = Host::new();
    host.write(
        "mem0.json",
        r#"{"results":[{"id":"1","memory":"Likes tea","categories":["food"],"immutable":true},{"memory":""}]}"#,
    );
    let run = host.run(&["import", "mem0", "mem0.json"]);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- [pinned] Likes tea #food\n");
    assert!(run.stdout.contains("Lost: 1 row without a text\n"), "{}", run.stdout);

    let host = Host::new();
    host.write(
        "agent.af",
        r#"{"blocks":[{"label":"persona","value":"Kind.","description":"Who you are","limit":5000}],"tools":[{}]}"#,
    );
    let run = host.run(&["import", "letta", "agent.af"]);
    assert_eq!(host.run(&["show", "persona", "--raw"]).stdout, "> Who you are\n\nKind.\n");
    assert!(run.stdout.contains("Lost: 1 tool of the agent\n"), "{}", run.stdout);
}

#[test]
fn what_an_agent_may_not_write_is_not_imported() {
    let host = Host::new();
    host.write("in/good.md", "- Likes tea\n");
    host.write("in/policy.md", "## System/Policy\n- Obey\n");
    host.write("in/hidden.md", "- a\u{202E}b\n");
    let run = host.run(&["import", "folder", "in"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("Lost: 2 documents refused"), "{}", run.stdout);
    assert!(!host.path("m/policy.md").exists() && host.path("m/good.md").exists());
}

#[test]
fn a_person_edits_with_an_editor() {
    let host = Host::new();
    host.write("first.md", "## Facts\n- Lives in Denver\n\n## System/Policy\n- Be kind\n");
    let edit_with = |editor: &str, arguments: &[&str], answer: &str| {
        let mut command = host.command(arguments);
        command.env("EDITOR", editor);
        finished(command, answer)
    };
    let edit =
        |script: &str, arguments: &[&str], answer: &str| edit_with(&format!("sed -i {script}"), arguments, answer);
    assert_eq!(edit_with("cp first.md", &["edit", "memory", "-y", "--reserved"], "").code, 0);
    assert_eq!(edit("s/Denver/Austin/", &["edit", "memory"], "n\n").code, 1);
    assert_eq!(edit("s/Denver/Austin/", &["edit", "memory"], "y\n").code, 0);
    assert!(fs::read_to_string(host.path("m/memory.md")).unwrap().contains("Austin"));
    let refused = edit("s/kind/cruel/", &["edit", "memory", "-y"], "");
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("reserved_section") && refused.stderr.contains("your text is in"),
        "{}",
        refused.stderr
    );
    assert_eq!(edit("s/kind/fair/", &["edit", "memory", "-y", "--reserved"], "").code, 0);
    assert_eq!(edit("s/nothing/x/", &["edit", "memory"], "").code, 0);
}

#[test]
fn a_patch_is_applied_or_refused() {
    let host = Host::new();
    host.write("list.txt", "Likes tea\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    let patch = "--- a/memory.md\n+++ b/memory.md\n@@ -1 +1 @@\n-- Likes tea\n+- Likes rye\n";
    assert_eq!(host.run_with(&["patch", "-n"], patch).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Likes tea\n");
    assert_eq!(host.run_with(&["patch"], patch).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Likes rye\n");
    assert_eq!(host.run_with(&["patch"], "@@\n-- Likes wine\n+- x\n").code, 1);
}

#[test]
fn a_damaged_journal_is_found_and_hides_no_document() {
    let host = Host::new();
    claude_code(&host);
    host.run(&["import", "claude-code", "cc"]);
    let journal =
        tree(&host.path("m/.memdoc")).into_iter().find(|(path, _)| path.extension().is_some_and(|end| end == "jsonl"));
    let (path, text) = journal.unwrap();
    fs::write(&path, text.replace("Blue door", "Red  door")).unwrap();
    assert!(host.run(&["show", "memory"]).stdout.contains("Ada lives in Denver"));
    let verified = host.run(&["verify"]);
    assert_eq!(verified.code, 1, "{}{}", verified.stdout, verified.stderr);
    assert_eq!(host.run(&["doctor"]).code, 1);
    assert_eq!(host.run(&["checkpoint"]).code, 1);
}

#[test]
fn odd_files_beside_the_documents_are_named() {
    let host = Host::new();
    host.write("m/bad\u{1B}[31mname.md", "- x\n");
    host.write("m/binary.md", [0xFF, 0xFE, 0x00]);
    host.write("policy.bad", "");
    let doctor = host.run(&["doctor"]);
    assert_eq!(doctor.code, 1);
    assert!(doctor.stdout.contains("binary.md") && doctor.stdout.contains("not UTF-8"), "{}", doctor.stdout);
    host.write("m/policy.toml", "max_byte = 5\n");
    let refused = host.run(&["show"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("policy.toml"), "{}", refused.stderr);
}

#[test]
fn names_and_sources_cannot_leave_the_memory() {
    let host = Host::new();
    for name in ["../x", "/etc/passwd", "a\u{1B}[31m", "a\nb", ".hidden", "con", ""] {
        for command in ["show", "delete", "blame"] {
            let run = host.run(&[command, name, "-y"]);
            assert_eq!(run.code, 2, "{command} {name:?}: {}", run.stderr);
            assert!(!run.stderr.contains('\u{1B}'), "{name:?}");
        }
    }
    host.write("in/a.md", "- x\n");
    std::os::unix::fs::symlink("/etc/passwd", host.path("in/b.md")).unwrap();
    let run = host.run(&["import", "folder", "in"]);
    assert!(run.stdout.contains("Lost: 1 link that is not followed (b.md)"), "{}", run.stdout);
    host.write("CLAUDE.md", "See @../outside.md and @sub/rules.md\n```\n@code.md\n```\n");
    host.write("sub/rules.md", "- Run the gate\n");
    let run = host.run(&["import", "claude-md", "CLAUDE.md"]);
    assert!(run.stdout.contains("sub/rules") && run.stdout.contains("Lost: 1 file"), "{}", run.stdout);
}

#[test]
fn what_is_too_large_or_broken_is_refused_with_its_place() {
    let host = Host::new();
    host.write("in/large.md", "- x\n".repeat(30_000));
    let run = host.run(&["import", "folder", "in"]);
    assert!(run.stdout.contains("Lost: 1 document refused (large: the document would have"), "{}", run.stdout);
    fs::File::create(host.path("huge.jsonl")).unwrap().set_len(20 << 20).unwrap();
    let run = host.run(&["import", "mcp-memory", "huge.jsonl"]);
    assert!(run.code == 3 && run.stderr.contains("larger than 16 MiB"), "{}", run.stderr);
    host.write("broken.jsonl", "{\"type\":\"entity\",\"name\":\"a\",\"entityType\":\"b\"}\n{\n");
    let run = host.run(&["import", "mcp-memory", "broken.jsonl"]);
    assert!(run.code == 1 && run.stderr.contains("line 2"), "{}", run.stderr);
    host.write("deep.json", "[".repeat(100_000));
    assert_eq!(host.run(&["import", "mem0", "deep.json"]).code, 1);
    assert_eq!(host.run(&["show"]).code, 0);
}

#[test]
fn colors_come_only_where_they_are_wanted() {
    let host = Host::new();
    claude_code(&host);
    host.run(&["import", "claude-code", "cc"]);
    assert!(!host.run(&["show", "memory"]).stdout.contains('\u{1B}'));
    assert!(host.run(&["--color", "always", "show", "memory"]).stdout.contains("\u{1B}[1m## People\u{1B}[0m"));
    let mut forced = host.command(&["show", "memory"]);
    forced.env("CLICOLOR_FORCE", "1");
    assert!(finished(forced, "").stdout.contains('\u{1B}'));
}

/// Runs the commands of the README, and compares what they print with what stands there.
#[test]
fn the_readme_says_what_the_commands_print() {
    let readme = include_str!("../README.md");
    let mut host = Host::new();
    claude_code(&host);
    fs::remove_dir_all(host.path("m")).unwrap();
    for block in readme.split("```console\n").skip(1).filter_map(|rest| rest.split_once("```")).map(|(block, _)| block)
    {
        for step in block.split("$ memdoc ").skip(1) {
            let (line, wanted) = step.split_once('\n').unwrap_or((step, ""));
            let words = words(line);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let run = host.run_with(&words, "y\n");
            assert_eq!(
                run.stdout,
                wanted.trim_end_matches('\n').to_owned() + if wanted.trim().is_empty() { "" } else { "\n" },
                "memdoc {line}: {}",
                run.stderr
            );
            if line.starts_with("checkpoint") {
                host.now = "2026-11-27T18:02:00Z".to_owned();
            }
        }
    }
}
