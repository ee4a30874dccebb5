//! Reads JSON as models write it: strictly, else with small repairs that lose nothing.
//!
//! Repairs: one Markdown fence around it is dropped; raw control characters inside strings are escaped; trailing
//! commas are dropped; Python's `True`, `False` and `None` outside strings are read. All else stays broken, and so
//! does an object that has a member twice.

use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::locate::Leniency;

/// Reads a text. Also returns what was healed.
pub(super) fn read(text: &str) -> Result<(Value, Option<Leniency>), Error> {
    strict(text).map(|value| (value, None)).or_else(|error| {
        let mended = mended(without_fence(text));
        // The error is about the text as it was sent.
        strict(&mended).map(|value| (value, Some(Leniency::Json))).map_err(|_| error)
    })
}

/// Reads JSON. An object with the same member twice is an error: it is not known which of the two is meant.
fn strict(text: &str) -> Result<Value, Error> {
    let value: Value = serde_json::from_str(text)?;
    let is_whole = colons(&value.to_string()) == colons(text);
    if is_whole { Ok(value) } else { Err(Error::custom("an object has a member twice")) }
}

/// Counts the colons outside of strings: JSON has one in each member.
fn colons(text: &str) -> usize {
    let (mut count, mut is_string, mut is_escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            b':' if !is_string => count += 1,
            b'"' if !is_escaped => is_string = !is_string,
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    count
}

/// Returns where JSON is broken, and how.
pub(super) fn flaw(error: &Error) -> String {
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    format!("line {}, column {}: {what}", error.line().max(1), error.column().max(1))
}

/// Drops one Markdown fence, with its language.
fn without_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let inner = trimmed.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some(inner) = inner else { return trimmed };
    let start = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(0);
    inner.get(start..).unwrap_or_default()
}

/// Returns a text with all repairs.
fn mended(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_string = false;
    let mut is_escaped = false;
    // The index of a comma outside strings that only white space has followed.
    let mut comma = None;
    for c in text.chars() {
        if is_string {
            match c {
                // A line break after a backslash is kept, and so stays an error: it may be meant, or an escape.
                c if is_escaped => out.push(c),
                c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => out.push(c),
            }
            is_string = c != '"' || is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            continue;
        }
        if let (']' | '}', Some(at)) = (c, comma) {
            out.replace_range(at..=at, "");
        }
        match c {
            ',' => comma = Some(out.len()),
            c if c.is_whitespace() => {}
            _ => comma = None,
        }
        is_string = c == '"';
        out.push(c);
        if let Some((python, json)) = PYTHON.iter().find(|(python, _)| is_word(&out, python)) {
            out.truncate(out.len() - python.len());
            out.push_str(json);
        }
    }
    out
}

/// Words of Python, and of JSON.
const PYTHON: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];

/// Returns true if a text ends with this word, as a whole word.
fn is_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_models_break_is_mended_without_loss() {
        let mend = |text: &str| read(text).ok();
        assert_eq!(mend("[1]"), Some((json!([1]), None)));
        assert_eq!(mend("```json\n[1, 2,\n]\n```"), Some((json!([1, 2]), Some(Leniency::Json))));
        assert_eq!(mend("{\"a\": \"x\ny\\\"\t,]\",}"), Some((json!({"a": "x\ny\"\t,]"}), Some(Leniency::Json))));
        assert_eq!(mend("[True, None, False]"), Some((json!([true, null, false]), Some(Leniency::Json))));
        assert_eq!(mend("[\"True\", None]"), Some((json!(["True", null]), Some(Leniency::Json))));
        assert_eq!(mend("{\"a\": \"docker run \\\n -v x\"}"), None);
        assert_eq!(mend(r#"[{"a": 1, "b": ":\":"}, {"a": {"a": 1}}]"#).map(|(_, mended)| mended), Some(None));
        assert_eq!(mend(r#"{"a": 1, "b": [{"c": 1, "c": 1}]}"#), None);
        assert_eq!(mend("[NotTrue]"), None);
        assert_eq!(mend("[Nonesuch]"), None);
        assert_eq!(mend("[1 2]"), None);
        assert_eq!(mend("[1, 2"), None);
        assert_eq!(mend("[,]"), Some((json!([]), Some(Leniency::Json))));
    }
}
