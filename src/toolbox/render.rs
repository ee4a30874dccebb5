//! The text of a reply, made of its JSON: a table says how each member reads.
//!
//! A form is written as it reads. `{name}` stands for a member of the row, or of the reply, and `{name.of}` for a member of that; `{}` for the value itself; `{#}` for the
//! number of the row. What stands in `[` and `]` is left out where a value in it is missing, null, false, 0 or empty, and `{?name}`
//! only asks for one. A line that lacks another value is left out.

use serde_json::{Map, Value};

use crate::recall::hanging;
use crate::text::{escaped, fenced, on_one_line};

/// How a member reads: a line for it, or one for each of its rows.
struct Line {
    member: &'static str,
    form: &'static str,
    /// How the members of a row read, below its line.
    below: &'static [Line],
}

const fn line(member: &'static str, form: &'static str) -> Line {
    Line { member, form, below: &[] }
}

/// The form of a text that stands as it is, in a fence.
const FENCE: &str = "```";
/// The end of the form of lines each of which has a sign or number of its own.
const LINES: &str = "|";

/// The first line.
const HEAD: &str = "{status}[ {code}][ ({marks})][: {message}]";
/// What is told beside the status, if the reply has it.
const MARKS: [(&str, &str); 3] = [("revision", ""), ("seq", ""), ("tokens", "after")];

const REPORT: &str =
    "bullets: {kept} kept, {moved} moved, {merged} merged, {expired} expired, {gone} gone, {added} added";

/// What became of bullets.
const FATES: &[Line] = &[
    line("bullets", "{status}: [line {line}, ]`{text}`[{?now_section} [{section}] → {now_section}][, now line {now}]"),
    line("more", "… and {} more"),
    line("other_lines", "other lines that are gone: {}"),
    line("added_lines", "other lines that are new: {}"),
];

/// All members that are told, in their order.
static REPLY: [Line; 33] = [
    line("changed_sections", "changed sections: {}"),
    line("lines", "{line}[ in {in}]| {text}"),
    line("more_lines", "… and {} more lines"),
    line("removed", "removed {line}[ in {in}]| {text}"),
    line("more_removed", "… and {} more lines removed"),
    Line { member: "documents", form: "`{document}`, revision {revision}[, seq {seq}]:", below: &REPLY },
    line("healed", "read in another form than sent, nothing to do: {}"),
    line("warnings", "warning {code}: {message}"),
    line("parts", "part {part}: {status}"),
    line("ops", "op {#}: {status}[ (memory_id `{memory_id}`)]"),
    line("text", FENCE),
    line("bytes", "bytes: {used}[ of {limit}]"),
    line("tokens", "tokens: {used}[ of {limit}]"),
    line("version", "version {version}[, in every prompt{?is_core}]"),
    line("task_id", "task #{}"),
    line("summary", "summary: {}"),
    line("applied_changes", "changes: {}"),
    line("new_length", "length: {} characters"),
    line("history_delta", "history: {messages_removed} messages fewer, {tokens_saved} tokens saved"),
    Line { member: "report", form: REPORT, below: FATES },
    line(
        "candidates",
        "{id})[ line {line}][, section `{section}`][, block `{block}`][, key `{key}`]: {excerpt}[ (under `{context}`)]\
         [ (recommended{?recommended}[: {reason}])][ => change: {change}]",
    ),
    line("closest", "closest: line {line}[, section `{section}`] ({reason}): {text}"),
    line("bad", "{problem}"),
    line("stale_sections", "changed sections: {}"),
    line("violations", "{code}[, line {line}]: {message}[\n  retry: {retry.tool} {retry.arguments}]"),
    Line {
        member: "entries",
        form: "{seq} {time} {actor} [{tool} · ]{type}[ in {sections}][, from {source}][: {reason}]\
               [ (undone by {undone_by})]",
        below: &[line("documents", "  {document}:[ - {removed}][ + {added}]")],
    },
    line(
        "results",
        "- {document}[, {section}][, line {line}][, key {key}][, removed by entry {seq}, {time}][ (expired{?expired})]: {excerpt}",
    ),
    line(
        "memories",
        "- entry {seq}, {time}, {type}[ `{block_label}`], importance {importance}[, superseded by entry {superseded_by}]: {content}",
    ),
    line("left_out", "left out: entry {seq} ({tokens} tokens, {reason})"),
    line("more", "… and {} more"),
    line("changes", "changes since you saw it:\n|"),
    line("overview", LINES),
    line("hint", "hint: {}"),
];

/// What is told behind the words of another protocol.
const BESIDE_WORDS: [&str; 7] = ["healed", "warnings", "candidates", "closest", "changes", "stale_sections", "hint"];

/// Returns the text of a reply, which begins with `words` if they are given.
pub(crate) fn text(members: &Map<String, Value>, words: Option<&str>) -> String {
    let Some(words) = words else {
        let mut out = head(members);
        write(&REPLY, members, &mut out);
        return out;
    };
    let mut out = words.to_owned();
    if let Some(message) = members.get("message").and_then(Value::as_str).filter(|message| *message != words) {
        out.push_str(&format!("\n({})", on_one_line(message)));
    }
    let beside = members.iter().filter(|(name, _)| BESIDE_WORDS.contains(&name.as_str()));
    write(&REPLY, &beside.map(|(name, value)| (name.clone(), value.clone())).collect(), &mut out);
    out
}

fn head(members: &Map<String, Value>) -> String {
    let mark = |(name, part): &(&str, &str)| {
        let value = members.get(*name)?;
        let value = if part.is_empty() { value } else { value.get(part)? };
        Some(format!("{name} {}", shown(value)))
    };
    let marks: Vec<_> = MARKS.iter().filter_map(mark).collect();
    let mut first = members.clone();
    first.insert("marks".to_owned(), marks.join(", ").into());
    Row { value: &Value::Null, members: &first, number: 0 }.filled(HEAD).unwrap_or_default()
}

fn write(lines: &[Line], members: &Map<String, Value>, out: &mut String) {
    for line in lines {
        let Some(value) = members.get(line.member).filter(|value| says_something(value)) else { continue };
        let title = if line.form == FENCE { Some("") } else { line.form.strip_suffix(LINES) };
        if let (Some(title), Some(text)) = (title, value.as_str()) {
            let text = if line.form == FENCE { fenced("", text) } else { text.to_owned() };
            out.push('\n');
            out.push_str(title);
            out.push_str(text.trim_end_matches('\n'));
            continue;
        }
        let rows = match value.as_array() {
            Some(rows) if rows.iter().all(Value::is_object) => rows.as_slice(),
            _ => std::slice::from_ref(value),
        };
        for (value, number) in rows.iter().zip(1..) {
            let of_row = value.as_object().unwrap_or(members);
            if let Some(filled) = (Row { value, members: of_row, number }).filled(line.form) {
                out.push('\n');
                out.push_str(&filled);
                if value.is_object() {
                    write(line.below, of_row, out);
                }
            }
        }
    }
}

/// The values that a form is filled with.
struct Row<'a> {
    value: &'a Value,
    members: &'a Map<String, Value>,
    number: usize,
}

impl Row<'_> {
    /// Fills a form; `None` if a value is missing outside brackets.
    fn filled(&self, form: &str) -> Option<String> {
        let mut out = String::new();
        let mut rest = form;
        while let Some(at) = rest.find(['{', '[']) {
            out.push_str(rest.get(..at)?);
            let is_optional = rest.get(at..)?.starts_with('[');
            let end = at + closing(rest.get(at..)?)?;
            let inner = rest.get(at + 1..end)?;
            match is_optional {
                true => out.push_str(&self.filled(inner).unwrap_or_default()),
                false => out.push_str(&self.named(inner)?),
            }
            rest = rest.get(end + 1..)?;
        }
        out.push_str(rest);
        Some(out)
    }

    fn named(&self, name: &str) -> Option<String> {
        match name {
            "#" => Some(self.number.to_string()),
            "" => Some(shown(self.value)).filter(|_| says_something(self.value) && !self.value.is_boolean()),
            "content" => self.members.get(name).and_then(Value::as_str).map(hanging),
            _ if name.contains('.') => {
                let value = name.split('.').try_fold(None, |value: Option<&Value>, step| {
                    Some(Some(value.map_or_else(|| self.members.get(step), |value| value.get(step))?))
                });
                value.flatten().map(shown)
            }
            // A count is told even if it is none.
            _ => match name.strip_prefix('?') {
                Some(name) => self.members.get(name).filter(|value| says_something(value)).map(|_| String::new()),
                None => {
                    let value = self.members.get(name)?;
                    (says_something(value) || value.is_number()).then(|| shown(value))
                }
            },
        }
    }
}

/// Returns where the bracket closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
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
