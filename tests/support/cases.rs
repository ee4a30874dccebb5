//! Runs case files through a toolbox over an in-memory store, and checks what they expect.
//!
//! Shared by the `replay` example and the integration tests; `tests/cases/README.md` tells the format.

#[path = "case_files.rs"]
pub mod case_files;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use memdoc::{
    DocName, InMemoryStore, Memory, Revision, Timestamp, Toolbox, memory::Clock, memory::Compactor,
    memory::CompactorError, memory::journal::Seq, request::CompactionRequest,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use case_files::{Case, Expect, Retry, Text};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What one call did, and in what it differs from what was expected.
pub(crate) struct Outcome {
    /// The line that `replay` prints.
    #[allow(dead_code, reason = "the tests look at the differences only")]
    pub(crate) line: Value,
    /// The arguments of the call, with placeholders filled in.
    #[allow(dead_code, reason = "only the check of schemas looks at them")]
    pub(crate) args: Value,
    /// In what the call differs from what was expected.
    pub(crate) differences: Vec<String>,
}

/// The clock of a case, which `host.now` moves.
#[derive(Clone)]
struct CaseClock(Arc<Mutex<Timestamp>>);

impl CaseClock {
    fn set(&self, now: &str) -> Result<(), Failure> {
        *self.0.lock().map_err(|_| "the clock is broken")? = now.parse()?;
        Ok(())
    }
}

impl Clock for CaseClock {
    fn now(&self) -> Timestamp {
        self.0.lock().map(|now| *now).unwrap_or_default()
    }
}

/// Runs every call of a case.
///
/// # Errors
///
/// The case itself is broken: a name, a time, a placeholder.
pub(crate) fn run(case: &Case) -> Result<Vec<Outcome>, Failure> {
    let mut store = InMemoryStore::new();
    for (name, text) in &case.docs {
        store = store.with(name.parse()?, text.joined());
    }
    let clock = CaseClock(Arc::default());
    clock.set(case.now.as_deref().unwrap_or("2026-11-21T09:00:00Z"))?;
    let mut memory = Memory::new(store, case.policy.policies.clone())?.with_clock(clock.clone());
    if let Some(answers) = case.compactor.clone() {
        memory = memory.with_compactor(hook(answers));
    }
    let mut toolbox = Toolbox::new(memory).with_sessions(case.policy.session.clone())?;
    if let Some(config) = case.files.clone() {
        toolbox = toolbox.with_files(config);
    }
    if case.shown {
        for name in case.docs.keys() {
            toolbox.show(&name.parse()?)?;
        }
    }
    let start = documents(toolbox.memory())?;
    let mut replies: Vec<Value> = Vec::new();
    let mut last = Value::Null;
    let mut outcomes = Vec::new();
    for (number, call) in case.calls.iter().enumerate() {
        let before = documents(toolbox.memory())?;
        let args = match &call.retry {
            None | Some(Retry::Offered(false)) => {
                filled(&call.args, &Known { start: &start, now: &before, replies: &replies })?
            }
            Some(retry) => retried(retry, &last, replies.last().unwrap_or(&Value::Null))?,
        };
        let mut shown = String::new();
        let reply = match call.tool.as_str() {
            "host.write" => write(toolbox.memory(), &args)?,
            "host.now" => {
                clock.set(args["now"].as_str().ok_or("host.now needs `now`")?)?;
                json!({})
            }
            tool => {
                let reply = toolbox.call(tool, &args);
                shown = reply.to_string();
                reply.to_json()
            }
        };
        let after = documents(toolbox.memory())?;
        let mut differences = differences(&call.expect, &reply, &before, &after);
        differences.extend(differences_of_text(&call.expect, &reply, &shown));
        let line = json!({"case": case.name, "call": number, "tool": call.tool, "reply": reply, "docs": after});
        replies.push(reply);
        last = args.clone();
        outcomes.push(Outcome { line, args, differences });
    }
    Ok(outcomes)
}

/// Returns the arguments of the call that a reply offers, or of the call `last` with the change that means one of its candidates.
fn retried(retry: &Retry, last: &Value, reply: &Value) -> Result<Value, Failure> {
    match retry {
        Retry::Offered(_) => {
            reply["retry"].get("arguments").cloned().ok_or_else(|| format!("no retry in {reply}").into())
        }
        Retry::Candidate(letter) => {
            let mut all = reply["candidates"].as_array().into_iter().flatten();
            let chosen = all.find(|candidate| candidate["id"] == *letter);
            let change = chosen.and_then(|candidate| candidate["change"].as_object());
            let change = change.ok_or_else(|| format!("no change that means candidate {letter} in {reply}"))?;
            let mut args = last.clone();
            args.as_object_mut().ok_or("the arguments are no object")?.extend(change.clone());
            Ok(args)
        }
    }
}

/// A hook that gives these answers, one after the other, and then fails.
fn hook(answers: Vec<String>) -> impl Compactor {
    let answers = Mutex::new(answers.into_iter());
    move |_: &CompactionRequest| -> Result<String, CompactorError> {
        let next = answers.lock().map_err(|_| "the hook is broken")?.next();
        Ok(next.ok_or("the hook has no more answers")?)
    }
}

fn documents(memory: &Memory) -> Result<BTreeMap<String, String>, Failure> {
    let text = |name: DocName| Ok((name.to_string(), memory.read(&name)?.text().to_owned()));
    memory.documents()?.into_iter().map(text).collect()
}

/// Another writer, whose commit the agent has not been shown.
fn write(memory: &Memory, args: &Value) -> Result<Value, Failure> {
    let name: DocName = args["doc"].as_str().unwrap_or("memory").parse()?;
    if args["text"].is_null() {
        memory.delete(&name)?;
        return Ok(json!({}));
    }
    let text = Text::deserialize(&args["text"]).map_err(|_| "host.write needs `text`")?.joined();
    Ok(json!({ "seq": memory.write(&name, &text)?.seq.map(Seq::get) }))
}

struct Known<'a> {
    start: &'a BTreeMap<String, String>,
    now: &'a BTreeMap<String, String>,
    replies: &'a [Value],
}

/// Fills in the placeholders of arguments.
fn filled(value: &Value, known: &Known<'_>) -> Result<Value, Failure> {
    Ok(match value {
        Value::String(text) => placeholder(text, known)?.unwrap_or_else(|| value.clone()),
        Value::Array(items) => Value::Array(items.iter().map(|item| filled(item, known)).collect::<Result<_, _>>()?),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| Ok((name.clone(), filled(value, known)?));
            Value::Object(members.iter().map(member).collect::<Result<Map<_, _>, Failure>>()?)
        }
        other => other.clone(),
    })
}

fn placeholder(text: &str, known: &Known<'_>) -> Result<Option<Value>, Failure> {
    let revision = |documents: &BTreeMap<String, String>, name: &str| {
        Value::from(Revision::of(documents.get(name).map_or("", String::as_str)).short())
    };
    if text == "$start" {
        return Ok(Some(revision(known.start, "memory")));
    }
    if text == "$revision" {
        return Ok(Some(revision(known.now, "memory")));
    }
    if let Some(name) = text.strip_prefix("$revision:") {
        return Ok(Some(revision(known.now, name)));
    }
    let Some(path) = text.strip_prefix("$id:") else { return Ok(None) };
    let (number, path) = path.split_once('.').ok_or("`$id:N.PATH` needs a path")?;
    let mut value = known.replies.get(number.parse::<usize>()?).ok_or("`$id:N.PATH` names a call to come")?;
    for step in path.split('.') {
        value = match step.parse::<usize>() {
            Ok(index) => value.get(index),
            Err(_) => value.get(step),
        }
        .ok_or_else(|| format!("`{text}` is not in the reply"))?;
    }
    Ok(Some(value.clone()))
}

fn differences(
    expect: &Expect,
    reply: &Value,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut equal = |what: &str, expected: &Option<String>| {
        if let Some(expected) = expected
            && reply[what] != *expected
        {
            found.push(format!("{what}: expected `{expected}`, found {}", reply[what]));
        }
    };
    equal("status", &expect.status);
    equal("code", &expect.code);
    for (name, text) in expect.docs.iter().flatten() {
        let text = text.as_ref().map(Text::joined);
        if after.get(name) != text.as_ref() {
            found.push(format!("document {name}: expected {text:?}, found {:?}", after.get(name)));
        }
    }
    let is_expected = |name: &String| expect.docs.iter().flatten().any(|(expected, _)| expected == name);
    if expect.no_others && !after.keys().all(is_expected) {
        found.push(format!("there are other documents: {after:?}"));
    }
    if expect.unchanged && before != after {
        found.push(format!("the documents have changed: {after:?}"));
    }
    if let Some(expected) = &expect.reply {
        contains(reply, expected, "reply", &mut found);
    }
    if let Some(expected) = &expect.healed {
        let codes = |codes: Vec<&str>| codes.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
        let healed = codes(reply["healed"].as_array().into_iter().flatten().filter_map(Value::as_str).collect());
        if !is_healed_so(&healed, codes(expected.iter().map(String::as_str).collect())) {
            found.push(format!("healed: expected {expected:?}, found {healed:?}"));
        }
    }
    for code in expect.warnings.iter().flatten() {
        let warnings = reply["warnings"].as_array();
        if !warnings.into_iter().flatten().any(|warning| warning["code"] == *code) {
            found.push(format!("warnings: expected `{code}`, found {}", reply["warnings"]));
        }
    }
    let words: String = ["message", "hint", "changes", "closest", "candidates"]
        .map(|member| plain(&reply[member]))
        .concat()
        .to_lowercase();
    for part in expect.message_has.iter().flatten() {
        if !words.contains(&part.to_lowercase()) {
            found.push(format!("message: expected `{part}` in {words}"));
        }
    }
    found
}

/// Compares the text of a reply, as a model reads it.
fn differences_of_text(expect: &Expect, reply: &Value, shown: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in expect.text_has.iter().flatten().filter(|part| !shown.contains(part.as_str())) {
        found.push(format!("text: expected {part:?} in {shown:?}"));
    }
    for part in expect.text_lacks.iter().flatten().filter(|part| shown.contains(part.as_str())) {
        found.push(format!("text: expected no {part:?} in {shown:?}"));
    }
    let is_error = reply["status"] == "error";
    if expect.error.is_some_and(|expected| expected != is_error) {
        found.push(format!("error: expected {}, found {shown:?}", !is_error));
    }
    found
}

/// Returns the words of a value, without JSON's escapes.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => members.values().map(plain).collect(),
        Value::Null => String::new(),
        other => format!("{other}\n"),
    }
}

fn contains(found: &Value, expected: &Value, path: &str, differences: &mut Vec<String>) {
    match (found, expected) {
        (_, Value::String(any)) if any == "$any" => {}
        (Value::Object(found), Value::Object(expected)) => {
            for (name, expected) in expected {
                let value = found.get(name).unwrap_or(&Value::Null);
                contains(value, expected, &format!("{path}.{name}"), differences);
            }
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                contains(found, expected, &format!("{path}.{index}"), differences);
            }
        }
        (found, expected) if found == expected => {}
        (found, expected) => differences.push(format!("{path}: expected {expected}, found {found}")),
    }
}

/// Reports whether these are the expected names of what was healed. Older cases call `bullet_marker` what `bullet_form` and
/// `spaced` are now: one of them, or both.
fn is_healed_so(healed: &BTreeSet<String>, mut expected: BTreeSet<String>) -> bool {
    let is_new_name = |name: &&String| matches!(name.as_str(), "bullet_form" | "spaced");
    if !expected.remove("bullet_marker") {
        return *healed == expected;
    }
    let others: BTreeSet<String> = healed.iter().filter(|name| !is_new_name(name)).cloned().collect();
    healed.iter().any(|name| is_new_name(&name)) && others == expected
}
