//! `call`, `patch`, `remember`, `recall` and `search`: what agents do with tools, done by a person.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use memdoc::memory::NewMemory;
use memdoc::memory::journal::EntryKind;
use memdoc::recall::{Recall as Recaller, RecallQuery, SearchQuery};
use memdoc::request::patch::Patch as Parsed;
use memdoc::{DocName, Reply, Status, ToolSet, Toolbox};
use serde_json::{Value, json};

use crate::arguments::{Call, Patch, Recall, Remember, Search};
use crate::failure::{Answer, Done, Failure};
use crate::moment::local;
use crate::place::{Desk, document};

/// The most that is read from a file or from standard input.
const LARGEST: u64 = 16 << 20;

pub(crate) fn call(desk: &mut Desk, asked: &Call) -> Done {
    let arguments = match asked.arguments.as_deref() {
        None => "{}".to_owned(),
        Some("-") => input()?,
        Some(json) => json.to_owned(),
    };
    if ToolSet::Session.tools().iter().any(|tool| tool.name == asked.tool) {
        let message =
            format!("`{}` works in a session, which ends with this call: nothing would be written", asked.tool);
        return Err(Failure::refused("no_session", message)
            .with_hint("`memdoc serve --set session` keeps a session; `memdoc call edit_items` edits at once"));
    }
    let mut toolbox = toolbox(desk);
    let named = serde_json::from_str::<Value>(&arguments)
        .ok()
        .and_then(|value| Some(value.get("document")?.as_str()?.to_owned()));
    show(&mut toolbox, &[named.and_then(|name| name.parse().ok()).unwrap_or_else(DocName::memory)]);
    let is_edit =
        toolbox.tool(&asked.tool).is_none_or(|tool| tool.definition().effect == memdoc::toolbox::Effect::Edit);
    let reply = match desk.is_dry && is_edit {
        true => {
            let inner: Value =
                serde_json::from_str(&arguments).map_err(|error| Failure::usage(format!("the arguments: {error}")))?;
            toolbox.call("diff_preview", &json!({"tool": asked.tool, "arguments": inner}))
        }
        false => toolbox.call_str(&asked.tool, &arguments),
    };
    answer(desk, &reply)
}

pub(crate) fn patch(desk: &mut Desk, asked: &Patch) -> Done {
    let text = match asked.file.as_deref() {
        None => input()?,
        Some(path) if path == Path::new("-") => input()?,
        Some(path) => file(path)?,
    };
    let text = with_documents(&text, &desk.memory.documents()?);
    let parsed: Parsed = text
        .parse()
        .map_err(|error: memdoc::request::patch::PatchError| Failure::refused("invalid_patch", error.to_string()))?;
    let names: Vec<DocName> = parsed
        .documents
        .iter()
        .map(|part| part.document.as_deref().map_or_else(|| Ok(DocName::memory()), document))
        .collect::<Result<_, _>>()?;
    let mut toolbox = toolbox(desk);
    show(&mut toolbox, &names);
    let arguments = json!({"patch": text});
    let reply = match desk.is_dry {
        true => toolbox.call("diff_preview", &json!({"tool": "patch_memory", "arguments": arguments})),
        false => toolbox.call("patch_memory", &arguments),
    };
    answer(desk, &reply)
}

/// Says of each file of a unified diff which document it is. Where a hunk has all the lines that it counts, `--- a/x.md` is no line that
/// it deletes, and what git says of a file besides its name says nothing.
fn with_documents(text: &str, documents: &[DocName]) -> String {
    let mut plain = String::new();
    // How many lines are left of a hunk, old and new; `None` in what counts no lines.
    let mut left = Some((0_usize, 0_usize));
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let is_between = left == Some((0, 0));
        let next = lines.peek().and_then(|next| file_name(next, ["+++ ", "b/"]));
        let named = file_name(line, ["--- ", "a/"]).filter(|name| is_between && next == Some(*name));
        if let Some(counts) = counts(line) {
            left = Some(counts);
        } else if let Some(name) = named {
            let is_there = documents.iter().any(|own| own.as_str() == name);
            let second = lines.next().unwrap_or_default();
            plain += &if is_there { format!("*** Update File: {name}.md\n") } else { format!("\n{line}{second}") };
            continue;
        } else if is_between && (line.starts_with("diff --git ") || line.starts_with("index ")) {
            continue;
        } else {
            let (old, new) = left.unwrap_or_default();
            left = match line.as_bytes().first() {
                Some(b'\\') => left,
                _ if line.trim().is_empty() && is_between => left,
                Some(b'-') if old > 0 => Some((old - 1, new)),
                Some(b'+') if new > 0 => Some((old, new - 1)),
                Some(b' ' | b'\r' | b'\n') if old.min(new) > 0 => Some((old - 1, new - 1)),
                _ => None,
            };
        }
        plain += line;
    }
    plain
}

/// Reads the name of a document from a line such as `--- a/NAME.md`.
fn file_name<'l>(line: &'l str, [sign, side]: [&str; 2]) -> Option<&'l str> {
    let path = line.strip_prefix(sign)?.split('\t').next()?.trim();
    let path = path.strip_prefix(side).unwrap_or(path);
    Some(path.strip_suffix(".md").unwrap_or(path))
}

/// Reads how many lines a hunk has, old and new, from `@@ -1,3 +1,4 @@`.
fn counts(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some((count(old)?, count(new)?))
}

pub(crate) fn toolbox(desk: &Desk) -> Toolbox {
    // All tools can be called; that of the set `files` must be offered.
    Toolbox::new(desk.memory.clone()).and_tools(ToolSet::Files).with_actor(desk.actor.clone())
}

/// Counts documents as seen: a person looks at them in other ways. What cannot be shown, the call is refused for.
fn show(toolbox: &mut Toolbox, names: &[DocName]) {
    for name in names {
        let _ = toolbox.show(name);
    }
}

/// Prints a reply, or returns it as the failure that it is.
fn answer(desk: &mut Desk, reply: &Reply) -> Done {
    if desk.output.is_json() {
        desk.output.json(&reply.to_json());
        return Ok(if reply.status() == Status::Error { Answer::No } else { Answer::Yes });
    }
    let text = reply.to_string();
    if let (Status::Error, Some(code)) = (reply.status(), reply.code()) {
        let said = text.strip_prefix(&format!("error {code}: ")).unwrap_or(&text);
        return Err(Failure::refused(code.as_str(), said));
    }
    let shown = desk.output.shown(&text);
    desk.output.diff(&shown);
    Ok(Answer::Yes)
}

pub(crate) fn remember(desk: &mut Desk, asked: &Remember) -> Done {
    let text = if asked.text == "-" { input()? } else { asked.text.clone() };
    let mut memory = NewMemory::new(text.trim_end());
    memory.importance = asked.importance;
    if asked.decision {
        memory.kind = EntryKind::Decision;
    }
    if desk.is_dry {
        desk.output.preview("would remember it");
        return Ok(Answer::Yes);
    }
    let recorded = desk.memory.remember(&memory, &desk.origin("remember", None))?;
    if desk.output.is_json() {
        desk.output.json(&json!({"status": "ok", "seq": recorded.seq.get()}));
    } else {
        desk.output.line(format!("remembered, as entry {}", recorded.seq));
    }
    Ok(Answer::Yes)
}

pub(crate) fn recall(desk: &mut Desk, asked: &Recall) -> Done {
    let mut query = RecallQuery::new(asked.words.join(" "));
    (query.max_results, query.max_tokens) = (asked.count, usize::MAX);
    let recalled = Recaller::new(desk.memory.clone()).recall(&query)?;
    for memory in &recalled.memories {
        if desk.output.is_json() {
            let value = json!({
                "seq": memory.seq.get(), "content": memory.content.as_str(), "type": memory.kind.to_string(),
                "importance": memory.importance, "time": memory.time.to_string(), "score": memory.score,
            });
            desk.output.json(&value);
            continue;
        }
        let text = desk.output.shown(memory.content.as_str()).replace('\n', "\n        ");
        desk.output.line(format!("{:>6}  {}  {text}", memory.seq.to_string(), local(memory.time)));
    }
    Ok(if recalled.memories.is_empty() { nothing(desk) } else { Answer::Yes })
}

pub(crate) fn search(desk: &mut Desk, asked: &Search) -> Done {
    let mut query = SearchQuery::new(asked.words.join(" "));
    query.limit = asked.count;
    query.document = asked.within.as_deref().map(document).transpose()?;
    let found = Recaller::new(desk.memory.clone()).search(&query)?;
    for place in &found {
        if desk.output.is_json() {
            let value = json!({
                "document": place.document.as_str(), "section": place.section.as_deref(), "key": place.key.as_deref(),
                "line": place.line, "score": place.score, "excerpt": place.excerpt.as_str(), "expired": place.is_expired,
            });
            desk.output.json(&value);
            continue;
        }
        let expired = if place.is_expired { " (expired)" } else { "" };
        let text = desk.output.shown(&place.excerpt);
        desk.output.line(format!("{}:{}:{expired} {}", place.document, place.line, text));
    }
    Ok(if found.is_empty() { nothing(desk) } else { Answer::Yes })
}

fn nothing(desk: &Desk) -> Answer {
    desk.output.note("nothing shares a word with that");
    Answer::No
}

/// Reads standard input.
pub(crate) fn input() -> Result<String, Failure> {
    bounded(io::stdin().lock()).map_err(|error| Failure::usage(format!("could not read standard input: {error}")))
}

/// Reads a file.
pub(crate) fn file(path: &Path) -> Result<String, Failure> {
    File::open(path).and_then(bounded).map_err(|error| Failure::file("read", path, &error))
}

fn bounded(source: impl io::Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    let invalid = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST {
        return Err(invalid("larger than 16 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| invalid("not UTF-8"))
}
