//! Runs of the binary on memories in temporary directories.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A memory in a directory, and a clock that stands still until it is set.
pub(crate) struct Host {
    pub(crate) directory: tempfile::TempDir,
    pub(crate) now: String,
}

/// What a run came to.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

impl Host {
    /// Makes a memory in the directory `m`.
    pub(crate) fn new() -> Self {
        let host = Self { directory: tempfile::tempdir().unwrap(), now: "2026-11-27T17:42:00Z".to_owned() };
        assert_eq!(host.run(&["init", "m"]).code, 0);
        host
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.directory.path().join(below)
    }

    pub(crate) fn write(&self, below: &str, text: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_memdoc"));
        command.args(arguments);
        self.prepare(&mut command);
        command
    }

    /// Runs a script as a user would who has `memdoc` on the path.
    pub(crate) fn shell(&self, script: &str, input: &str) -> Run {
        let mut command = Command::new("sh");
        command.args(["-e", "-c", script]);
        self.prepare(&mut command);
        let programs = Path::new(env!("CARGO_BIN_EXE_memdoc")).parent().unwrap().display();
        command.env("PATH", format!("{programs}:/usr/bin:/bin"));
        finished(command, input)
    }

    fn prepare(&self, command: &mut Command) {
        command.current_dir(self.directory.path());
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.directory.path()).env("TZ", "UTC");
        command.env("USER", "ada").env("MEMDOC_DIRECTORY", "m").env("MEMDOC_NOW", &self.now);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        finished(self.command(arguments), input)
    }
}

pub(crate) fn finished(mut command: Command, input: &str) -> Run {
    let mut child = command.spawn().unwrap();
    // One that reads nothing closes its end early.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a session of the shell: each line after `$ ` is a command, and what it prints stands below it.
pub(crate) fn session(host: &Host, commands: &[(&str, &str)]) -> String {
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
pub(crate) fn words(line: &str) -> Vec<String> {
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

pub(crate) fn claude_code(host: &Host) {
    host.write("cc/MEMORY.md", "## People\n- Ada lives in Denver\n- Bo lives in Oslo\n- [plan](old-plan.md) the move\n\n## House\n- Blue door\n");
    host.write("cc/testing-rules.md", "# Rules\n- Run the gate\n- Read the log\n");
}

/// Reads all files below a directory.
pub(crate) fn tree(directory: &Path) -> Vec<(PathBuf, String)> {
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
