//! The format as it is documented: the example is what the code writes, and Python comes to the same.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::memory::journal::checks::fixture::{Checked, Draft, Journal, rich, told};
use crate::memory::journal::{EntryKind, Verifier};

const FORMAT: &str = include_str!("../../src/memory/journal/format.md");

/// Returns what stands between the fence that opens with `language`, the last such, and the one that ends it.
fn block(language: &str) -> &str {
    let opening = format!("```{language}\n");
    let inner = FORMAT.rsplit_once(&opening).map_or("", |(_, rest)| rest);
    inner.split_once("```").map_or("", |(inner, _)| inner)
}

/// Returns the journal of the example: its beginning, and an edit that makes a document.
fn example() -> Journal {
    let mut journal = Journal::new(0x11);
    let mut draft: Draft = journal.draft(EntryKind::Edit);
    draft.header.tool = Some("patch_memory".into());
    draft.body.reason = Some("Sie wohnt jetzt in Zürich.".into());
    draft.request = "ab".repeat(32).parse().ok();
    draft.documents = vec![journal.change("memory", Some("- Wohnt in Zürich\n"))];
    journal.commit(draft);
    journal
}

#[test]
fn the_example_is_what_is_written_and_it_verifies() {
    let lines = example().written();
    assert_eq!(block("json"), lines.join("\n") + "\n", "the example in the documentation");
    let prints: Vec<_> = example().entries.iter().map(|entry| format!("{} {}\n", entry.seq(), entry.hash())).collect();
    assert_eq!(block("text"), prints.concat(), "what it prints");
    assert_eq!(told(Verifier::new(), &lines), [""; 0]);
}

/// Runs the documented lines of Python over `lines`; `None` if there is no Python.
fn python(lines: &[String]) -> Option<std::io::Result<std::process::Output>> {
    let run = Command::new("python3")
        .args(["-c", block("python")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut run = match run {
        Ok(run) => run,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Err(error)),
    };
    let input: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    // Where it stops at a bad line it does not read the rest; what it says then is what counts.
    let written = run.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    drop(written);
    Some(run.wait_with_output())
}

#[test]
fn the_documented_lines_of_python_come_to_the_same() -> Checked {
    for journal in [example(), rich(1)] {
        let Some(output) = python(&journal.written()) else {
            let skipped = "skipped: python3 is not installed\n";
            return Ok(std::io::stderr().write_all(skipped.as_bytes())?);
        };
        let output = output?;
        let prints: Vec<_> =
            journal.entries.iter().map(|entry| format!("{} {}\n", entry.seq(), entry.hash())).collect();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n"), prints.concat(), "{error}");
    }
    let mut lines = example().written();
    lines[1] = lines[1].replacen("agent:test", "agent:best", 1);
    let output = python(&lines).ok_or("python3 is gone")??;
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("the entry"));
    Ok(())
}

#[test]
fn erased_entries_are_verified_by_python_too() -> Checked {
    let entries = rich(1).entries.into_iter();
    let lines: Vec<String> = entries.map(|entry| entry.without_body().without_lookup().to_line()).collect();
    if let Some(output) = python(&lines) {
        assert!(output?.status.success());
    }
    Ok(())
}
