//! The text of a reply, made of its JSON by one rule: a line for each member that says something, and under it one for each row of
//! a list; a text of several lines, or of a document, stands in a fence.

use serde_json::{Map, Value};

use crate::recall::hanging;
use crate::text::{escaped, fenced, on_one_line};
use crate::toolbox::arguments::is_of;

/// The members that are told before the others, in this order.
const FIRST: &str = "id change_id seq part line in status code before used document section block key changed_sections lines removed ops";
/// The members of a row that stand behind all that tells where and when it is, and then those that are told last.
const LAST: &str = "text content excerpt message problem more warnings change retry hint";
/// The members of a row that are what it says.
const SAYS: &str = "text content excerpt message problem";
/// The members that are a call, or the part of one, and told as JSON.
const CALLS: &str = "change retry";
/// What the first line tells, or another member.
const ELSEWHERE: &str = "status code message revision seq retryable retry failures label \
    state session_id pending_changes next_actions tasks bullets replacements removed_lines content_hash";
/// What is told behind the words of another protocol.
const BESIDE_WORDS: &str = "healed warnings candidates closest changes stale_sections hint";

/// Returns the text of a reply, which begins with `words` if they are given.
pub(crate) fn text(members: &Map<String, Value>, words: Option<&str>) -> String {
    let mut out = words.map_or_else(|| head(members), |words| with_message(words, members));
    for (name, value) in ordered(members) {
        let is_told = words.map_or_else(|| !is_of(name, ELSEWHERE), |_| is_of(name, BESIDE_WORDS));
        if is_told {
            member(name, value, "", &mut out);
        }
    }
    out
}

/// Returns the words of another protocol, and what memdoc says behind them.
fn with_message(words: &str, members: &Map<String, Value>) -> String {
    let message = members.get("message").and_then(Value::as_str).filter(|message| *message != words);
    words.to_owned() + &message.map(|message| format!("\n({})", on_one_line(message))).unwrap_or_default()
}

fn head(members: &Map<String, Value>) -> String {
    let told = |name: &str| members.get(name).map(shown);
    let marks = ["revision", "seq"].into_iter().filter_map(|name| Some(format!("{name} {}", told(name)?)));
    let marks = marks.collect::<Vec<_>>().join(", ");
    let mut head = told("status").unwrap_or_default();
    head.extend(told("code").map(|code| format!(" {code}")));
    head.extend((!marks.is_empty()).then(|| format!(" ({marks})")));
    head.extend(told("message").map(|message| format!(": {message}")));
    head
}

/// Writes a member on lines of its own.
fn member(name: &str, value: &Value, indent: &str, out: &mut String) {
    let name_shown = match name {
        // A model that read the name alone would look for something to mend.
        "healed" => "read in another form than sent, nothing to do".to_owned(),
        _ => name.replace('_', " "),
    };
    match value {
        value if !says_something(value) => {}
        // Tokens tell how much an edit has added.
        Value::Object(sizes) if name == "bytes" && sizes.contains_key("before") => {}
        Value::String(text) if name == "text" || text.contains('\n') => {
            out.push_str(&format!("\n{name_shown}:\n{}", fenced("", text).trim_end_matches('\n')));
        }
        Value::Array(rows) if rows.iter().all(Value::is_object) => {
            out.push_str(&format!("\n{indent}{name_shown}:"));
            for members in rows.iter().filter_map(Value::as_object) {
                out.push_str(&format!("\n{indent}- "));
                row(members, indent, out);
            }
        }
        Value::Object(members) => {
            out.push_str(&format!("\n{indent}{name_shown}: "));
            row(members, indent, out);
        }
        value => out.push_str(&format!("\n{indent}{name_shown}: {}", shown(value))),
    }
}

/// Writes the members of a row on one line, and its own rows below it.
fn row(members: &Map<String, Value>, indent: &str, out: &mut String) {
    let is_below = |(name, value): &(&str, &Value)| match value {
        Value::Object(_) => !is_of(name, CALLS),
        Value::Array(rows) => rows.iter().all(Value::is_object),
        _ => false,
    };
    let told = ordered(members).filter(|(_, value)| says_something(value));
    let (below, beside): (Vec<_>, Vec<_>) = told.partition(is_below);
    let mut between = "";
    for (name, value) in beside {
        let name_shown = name.replace('_', " ");
        match value {
            Value::String(text) if is_of(name, SAYS) => {
                let text = if name == "content" { hanging(text) } else { on_one_line(text) };
                out.push_str(&format!("{}{text}", if between.is_empty() { "" } else { ": " }));
            }
            Value::Bool(_) => out.push_str(&format!("{between}{name_shown}")),
            Value::String(text) if text.contains(' ') && !text.contains('`') => {
                out.push_str(&format!("{between}{name_shown} `{}`", on_one_line(text)));
            }
            value => out.push_str(&format!("{between}{name_shown} {}", shown(value))),
        }
        between = if is_of(name, SAYS) { "; " } else { ", " };
    }
    below.into_iter().for_each(|(name, value)| member(name, value, &format!("{indent}  "), out));
}

/// Iterates over members in the order in which they are told.
fn ordered(members: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let named = |names: &'static str| names.split(' ').filter_map(|name| members.get_key_value(name));
    let others = members.iter().filter(|(name, _)| !is_of(name, FIRST) && !is_of(name, LAST));
    named(FIRST).chain(others).chain(named(LAST)).map(|(name, value)| (name.as_str(), value))
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// Returns a value on one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => on_one_line(text),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => escaped(&other.to_string()),
    }
}
