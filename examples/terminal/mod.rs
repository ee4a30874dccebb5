//! Colors for the terminal that an example is run in. What is piped, or where `NO_COLOR` is set, stays plain.

use std::io::{IsTerminal as _, stdout};

/// Colors the lines of a reply or diff: refusals and removed lines red, what succeeded and added lines green, hints yellow.
pub(crate) fn painted(text: &str) -> String {
    if !stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some() {
        return text.to_owned();
    }
    let mut is_diff = false;
    let lines = text.split('\n').map(|line| {
        is_diff |= line.starts_with("@@ ");
        match color(line, is_diff) {
            Some(color) => format!("\u{1b}[{color}m{line}\u{1b}[0m"),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the number of a line's color. In the preview of a session, a sign stands behind the number of its line.
fn color(line: &str, is_diff: bool) -> Option<u8> {
    let numbered = line.split_once('│').map(|(_, rest)| rest);
    let changed = numbered.or(is_diff.then_some(line)).unwrap_or_default();
    match line.split([' ', ':']).next()? {
        "error" => Some(31),
        "committed" | "editing" | "ok" | "preview" => Some(32),
        "hint" => Some(33),
        "@@" => Some(36),
        _ if changed.starts_with('-') => Some(31),
        _ if changed.starts_with('+') => Some(32),
        _ => None,
    }
}
