//! The text of a reply, made from its JSON by one rule. Each member with a value has a line, and each row of a list has a
//! line below it. A text of several lines, or of a document, is put into a fence.

use std::fmt::{self, Write};

use serde_json::{Map, Value};

use crate::text::{escaped, fenced, hanging, on_one_line};
use crate::toolbox::keywords::{is_of, says_nothing};

/// The members that come before the others, in this order.
const FIRST: &str = "id change_id seq actor tool type part line status code before used document section block key changed_sections lines removed ops";
/// The members of a row that come last: its text, then warnings and calls that would help.
const LAST: &str = "text content excerpt message problem more warnings change retry hint";
/// The members that have no line of their own: the first line has them, or another member says the same.
const ELSEWHERE: &str = "status code message revision seq version retryable retry failures label \
    state session_id pending_changes next_actions tasks bullets replacements removed_lines content_hash";
/// The members that are written after the words of another protocol.
const BESIDE_WORDS: &str = "healed warnings candidates closest changes stale_sections hint";

/// Returns true for a member that is the text of a row: its name is not written.
fn is_text_of_row(name: &str) -> bool {
    matches!(name, "text" | "content" | "excerpt" | "message" | "problem")
}

/// Writes the text of a reply. If `words` are given, which are those of another protocol, it begins with them, and with
/// memdoc's own message in parentheses.
pub(crate) fn write(out: &mut impl Write, members: &Map<String, Value>, words: Option<&str>) -> fmt::Result {
    match words {
        Some(words) => {
            out.write_str(words)?;
            let own = members.get("message").and_then(Value::as_str).filter(|message| *message != words);
            own.map_or(Ok(()), |message| write!(out, "\n({})", on_one_line(message)))?;
        }
        None => head(out, members)?,
    }
    let is_written = |name: &&str| match words {
        Some(_) => is_of(name, BESIDE_WORDS),
        None => !is_of(name, ELSEWHERE),
    };
    let mut written = ordered(members).into_iter().filter(|(name, _)| is_written(name));
    written.try_for_each(|(name, value)| member(out, name, value, ""))
}

/// Writes the first line: `committed (revision 0123456789ab, seq 7): MESSAGE`.
fn head(out: &mut impl Write, members: &Map<String, Value>) -> fmt::Result {
    let [status, code, message] = ["status", "code", "message"].map(|name| members.get(name).map(shown));
    out.write_str(&status.unwrap_or_default())?;
    code.map_or(Ok(()), |code| write!(out, " {code}"))?;
    let mut between = " (";
    for name in ["revision", "seq", "version"] {
        if let Some(value) = members.get(name) {
            write!(out, "{between}{name} {}", shown(value))?;
            between = ", ";
        }
    }
    if between == ", " {
        out.write_str(")")?;
    }
    message.map_or(Ok(()), |message| write!(out, ": {message}"))
}

/// Writes a member on lines of its own.
fn member(out: &mut impl Write, name: &str, value: &Value, indent: &str) -> fmt::Result {
    let name_shown = match name {
        // A model that read the name alone would look for something to mend.
        "healed" => "accepted in another form than sent".to_owned(),
        _ => name.replace('_', " "),
    };
    match value {
        // The tokens before and after an edit are enough: its bytes are left out.
        Value::Object(sizes) if name == "bytes" && sizes.contains_key("before") => Ok(()),
        Value::String(text) if name == "text" || text.contains('\n') => {
            write!(out, "\n{name_shown}:\n{}", fenced("", text).trim_end_matches('\n'))
        }
        Value::Array(rows) if rows.iter().all(Value::is_object) => {
            write!(out, "\n{indent}{name_shown}:")?;
            rows.iter().filter_map(Value::as_object).try_for_each(|members| {
                write!(out, "\n{indent}- ")?;
                row(out, members, indent)
            })
        }
        Value::Object(members) => {
            write!(out, "\n{indent}{name_shown}: ")?;
            row(out, members, indent)
        }
        value => write!(out, "\n{indent}{name_shown}: {}", shown(value)),
    }
}

/// Writes the members of a row on one line, and its own rows below it.
fn row(out: &mut impl Write, members: &Map<String, Value>, indent: &str) -> fmt::Result {
    let is_below = |name: &str, value: &Value| match value {
        Value::Object(_) => !matches!(name, "change" | "retry"),
        Value::Array(rows) => rows.iter().all(Value::is_object),
        _ => false,
    };
    let (below, beside): (Vec<_>, Vec<_>) =
        ordered(members).into_iter().partition(|(name, value)| is_below(name, value));
    let mut between = "";
    for (name, value) in beside {
        let name_shown = name.replace('_', " ");
        match value {
            Value::String(text) if is_text_of_row(name) => {
                let text = if name == "content" { hanging(text) } else { on_one_line(text) };
                write!(out, "{}{text}", if between.is_empty() { "" } else { ": " })?;
            }
            Value::Bool(_) => write!(out, "{between}{name_shown}")?,
            Value::String(text) if text.contains(' ') && !text.contains('`') => {
                write!(out, "{between}{name_shown} `{}`", on_one_line(text))?;
            }
            value => write!(out, "{between}{name_shown} {}", shown(value))?,
        }
        between = if is_text_of_row(name) { "; " } else { ", " };
    }
    let indent = format!("{indent}  ");
    below.into_iter().try_for_each(|(name, value)| member(out, name, value, &indent))
}

/// Returns the members with a value, in the order in which they are written.
fn ordered(members: &Map<String, Value>) -> Vec<(&str, &Value)> {
    // All that are neither first nor last have rank 0.
    let rank = |name: &str| {
        let mut ranks = FIRST.split(' ').zip(i8::MIN..).chain(LAST.split(' ').zip(1..));
        ranks.find(|(own, _)| *own == name).map_or(0, |(_, rank)| rank)
    };
    let named = members.iter().map(|(name, value)| (name.as_str(), value));
    let mut ordered: Vec<_> = named.filter(|(_, value)| has_value(value)).collect();
    ordered.sort_by_key(|(name, _)| rank(name));
    ordered
}

/// Returns false for null, false, 0, and what is empty.
fn has_value(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        value => !says_nothing(value) && value.as_f64() != Some(0.0),
    }
}

/// Returns a value on one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => on_one_line(text),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Number(number) => number.to_string(),
        other => escaped(&other.to_string()),
    }
}
