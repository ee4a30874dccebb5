//! The binary, run on memories in temporary directories.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::io::Read as _;
use std::time::{Duration, SystemTime};

mod docs;
mod imports;
mod page;
mod review;
mod serve;
mod support;

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::{Host, claude_code, finished, session, tree};

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
            ("memdoc diff 2 --words", ""),
            ("memdoc blame memory", ""),
            ("memdoc undo 3 -r 'it was a visit'", "y\n"),
            ("memdoc undo 3", ""),
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
    for command in [
        "show", "log", "diff", "blame", "undo", "import", "doctor", "edit", "patch", "serve", "pending", "approve",
        "export",
    ] {
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
        (2, vec!["log", "--count", "many"]),
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
        if code != 0 && (code != 1 || !run.stdout.is_empty()) {
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
    assert_eq!(rows.len(), 2, "{log}");
    assert_eq!(rows[1]["tool"], "import");
}

#[test]
fn a_dry_run_writes_nothing_and_says_so_in_json() {
    let host = Host::new();
    claude_code(&host);
    host.run(&["import", "claude-code", "cc"]);
    let before = tree(&host.path("m"));
    for arguments in [
        &["init", "other"][..],
        &["rename", "memory", "x"],
        &["delete", "memory"],
        &["remember", "x"],
        &["undo", "2", "-y"],
        &["backup", "copy"],
        &["checkpoint", "-o", "line.txt"],
        &["import", "folder", "cc", "--into", "x"],
        &["export", "folder", "out"],
        &["export", "--html", "page.html"],
        &["call", "replace_in_memory", r#"{"old_string":"Denver","new_string":"Oslo"}"#],
        &["doctor", "--fix"],
    ] {
        let run = host.run(&[&["--json", "-n"], arguments].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.stdout, run.stderr);
        run.json();
    }
    assert_eq!(tree(&host.path("m")), before);
    for made in ["other", "copy", "line.txt", "out", "page.html"] {
        assert!(!host.path(made).exists(), "{made}");
    }
    assert_eq!(host.run(&["rename", "memory", "testing-rules", "-n"]).code, 1);
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
    assert!(run.stdout.contains("Lost: 1 link not followed (b.md)"), "{}", run.stdout);
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
fn the_doctor_deletes_what_has_expired_or_is_said_twice() {
    let host = Host::new();
    let text = "## A\n- Likes tea\n- [ttl: 1d, since: 2026-01-01] Is in Rome\n- Likes tea\n- [pinned, expires: 2026-01-01] Stays\n";
    host.write("m/memory.md", text);
    let seen = host.run(&["doctor", "--fix", "-n"]).stdout;
    assert!(seen.contains("would delete 2 bullets"), "{seen}");
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, text);
    let run = host.run(&["check", "--fix"]);
    assert!(run.code == 0 && run.stdout.contains("deleted 2 bullets"), "{}", run.stdout);
    let kept = "## A\n- Likes tea\n- [pinned, expires: 2026-01-01] Stays\n";
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, kept);
    assert!(!host.run(&["doctor", "--fix"]).stdout.contains("deleted"));
    assert_eq!(host.run(&["undo"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, text);
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

#[test]
fn settings_of_the_user_stand_below_the_command_line() {
    let host = Host::new();
    host.write("config.toml", "actor = \"user:bo\"\ncolor = \"always\"\n");
    host.write("list.txt", "Likes tea\n");
    let with_settings = |arguments: &[&str]| {
        let mut command = host.command(arguments);
        command.env("MEMDOC_CONFIG", "config.toml");
        finished(command, "")
    };
    assert_eq!(with_settings(&["import", "chatgpt", "list.txt"]).code, 0);
    assert!(with_settings(&["log"]).stdout.contains("user:bo"));
    assert!(with_settings(&["show"]).stdout.contains('\u{1B}'));
    assert!(!with_settings(&["show", "--color", "never"]).stdout.contains('\u{1B}'));
    host.write("config.toml", "actors = 1\n");
    let wrong = with_settings(&["log"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("config.toml"), "{}", wrong.stderr);
}

#[test]
fn blame_tells_of_the_past_and_follows_a_rename() {
    let host = Host::new();
    host.write("list.txt", "Lives in Denver\nLikes tea\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    host.run(&["call", "replace_in_memory", r#"{"old_string":"Denver","new_string":"Oslo"}"#, "-a", "agent"]);
    assert_eq!(host.run(&["rename", "memory", "ada"]).code, 0);
    let now = host.run(&["blame", "ada"]).stdout;
    assert!(now.contains("3  agent") && now.contains("2  user:ada"), "{now}");
    let past = host.run(&["blame", "memory", "--at", "2"]).stdout;
    assert!(past.contains("2  user:ada") && past.contains("Denver") && !past.contains("agent"), "{past}");
    let early = host.run(&["blame", "ada", "--at", "2"]);
    assert!(early.code == 1 && early.stderr.contains("no document `ada` after entry 2"), "{}", early.stderr);
}

#[test]
fn a_session_does_not_outlive_its_call() {
    let host = Host::new();
    host.write("m/memory.md", "- a\n");
    let run = host.run(&["call", "memo_append", r#"{"content":"- b"}"#]);
    assert!(run.code == 1 && run.stderr.contains("no_session"), "{}", run.stderr);
}

/// Gives a document another text, as a person does.
fn edited(host: &Host, name: &str, text: &str) {
    host.write("new", text);
    let mut command = host.command(&["edit", name, "-y", "--reserved"]);
    command.env("EDITOR", "cp new");
    assert_eq!(finished(command, "").code, 0);
}

#[test]
fn whole_lines_are_searched_in_the_log() {
    let host = Host::new();
    host.write("m/memory.md", "- phone 555-1234\n");
    host.run(&["show", "memory"]);
    // A file that has only just been written may not be finished.
    host.write("m/memory.md", "- phone 555-1299\n");
    for (below, seconds) in [("m/.memdoc/journal.jsonl", 60), ("m/memory.md", 1)] {
        let file = fs::File::options().write(true).open(host.path(below)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    }
    host.run(&["show", "memory"]);
    let run = host.run(&["--json", "log", "--grep", "555-1299"]);
    assert_eq!((run.code, run.stdout.split('\n').count()), (0, 2), "{}", run.stdout);
    assert_eq!(host.run(&["log", "--grep", "555-1300"]).code, 1);
}

#[test]
fn reserved_sections_go_only_where_that_is_said() {
    let host = Host::new();
    let text = "## System/Policy\n- Be kind\n\n## A\n- x\n";
    host.write("m/memory.md", text);
    host.run(&["show", "memory"]);
    edited(&host, "memory", &text.replace("kind", "fair"));
    edited(&host, "memory", &text.replace("kind", "fair").replace("- x", "- y"));
    for arguments in [&["delete", "memory", "-y"][..], &["undo", "3", "-y"]] {
        let run = host.run(arguments);
        assert!(run.code == 1 && run.stderr.contains("reserved_section"), "{arguments:?} {}", run.stderr);
    }
    assert_eq!(host.run(&["undo", "4", "-y"]).code, 0);
    assert_eq!(host.run(&["undo", "3", "-y", "--reserved"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, text);
    assert_eq!(host.run(&["delete", "memory", "-y", "--reserved"]).code, 0);
}

#[test]
fn a_text_that_nothing_holds_is_not_erased() {
    let host = Host::new();
    host.write("m/memory.md", "- the PIN is 4711\n");
    let run = host.run(&["redact", "4712", "-y"]);
    assert!(run.code == 1 && run.stderr.contains("nothing holds"), "{}", run.stderr);
    assert_eq!(host.run(&["log", "--tool", "redact"]).code, 1);
    assert_eq!(host.run(&["redact", "4711", "-y"]).code, 0);
}

#[test]
fn a_backup_is_no_part_of_the_memory() {
    let host = Host::new();
    for place in ["m/in", "m/new/in"] {
        assert_eq!(host.run(&["backup", place]).code, 2);
    }
    assert_eq!(host.run(&["backup", "copy"]).code, 0);
}

#[test]
fn a_document_that_came_and_went_is_no_difference() {
    let host = Host::new();
    host.write("m/memory.md", "- a\n");
    host.run(&["show", "memory"]);
    host.write("m/a.md", "- a\n");
    host.run(&["show", "a"]);
    assert_eq!(host.run(&["delete", "a", "-y"]).code, 0);
    for moment in ["1", "2", "3"] {
        let run = host.run(&["diff", moment]);
        assert_eq!(run.code, 0, "{moment} {}", run.stderr);
        assert_eq!(run.stdout.contains("a/a.md"), moment == "3", "{}", run.stdout);
    }
    assert_eq!(host.run(&["diff", "1", "b"]).code, 1);
}

#[test]
fn a_patch_takes_what_diff_prints() {
    let host = Host::new();
    let texts = [("memory", "- x\n- y\n"), ("people/memory", "- p\n-- q\n"), ("notes", "## n\nz\n")];
    for (name, text) in texts {
        host.write(&format!("m/{name}.md"), text);
        host.run(&["show", name]);
    }
    let changed = ["- x\n- w\n", "- p\n- r\n", "## n\nv\n"];
    for ((name, _), text) in texts.iter().zip(changed) {
        edited(&host, name, text);
    }
    let diff = host.run(&["diff", "4"]).stdout;
    assert_eq!(diff.matches("+++ ").count(), 3, "{diff}");
    for name in ["5", "6", "7"] {
        assert_eq!(host.run(&["undo", name, "-y"]).code, 0);
    }
    let of_git =
        diff.replace("--- a/memory.md", "diff --git a/memory.md b/memory.md\nindex 1..2 100644\n--- a/memory.md");
    let run = host.run_with(&["patch"], &of_git);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(host.run(&["diff", "4"]).stdout, diff);
}

#[test]
fn the_doctor_leaves_reserved_sections_alone() {
    let host = Host::new();
    host.write("m/memory.md", "## System/Policy\n- a\n- a\n\n## A\n- b\n- b\n");
    let run = host.run(&["doctor", "--fix"]);
    assert!(run.code == 0 && run.stdout.contains("deleted 1 bullet"), "{}", run.stdout);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "## System/Policy\n- a\n- a\n\n## A\n- b\n");
}

#[test]
fn what_a_hand_has_written_is_listed_and_undone_first() {
    let host = Host::new();
    host.write("m/memory.md", "- tea\n- milk\n");
    host.run(&["show", "memory"]);
    host.run(&["call", "replace_in_memory", r#"{"old_string":"tea","new_string":"coffee"}"#]);
    host.write("m/memory.md", "- coffee\n- cream\n");
    let file = fs::File::options().write(true).open(host.path("m/memory.md")).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(2)).unwrap();
    assert!(host.run(&["log", "-c", "1"]).stdout.contains("external"));
    host.write("m/memory.md", "- coffee\n- oat milk\n");
    file.set_modified(SystemTime::now() - Duration::from_secs(1)).unwrap();
    assert!(host.run(&["diff"]).stdout.contains("-- cream\n+- oat milk"));
    assert_eq!(host.run(&["undo", "-y"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- coffee\n- cream\n");
}
