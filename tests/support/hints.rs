//! Follows the hint of a refusal to the letter, as a model would that understands nothing else.
//!
//! The imperative forms are `set "NAME" to JSON` (with `and "NAME" to JSON`, and `in the target` or `in "PATH"` behind),
//! `leave out "NAME" and "NAME"`, `send the same call again`, `call TOOL {…}`, `send {…}` for the same tool, `send "NAME": JSON`,
//! `anchor the hunk by "@@ …"` and
//! `begin the hunk with the context "…"`. What stands before one (`if that is the one you mean,`) is a condition that holds,
//! what stands behind the last a remark. A hint without any of them cannot be followed.

use serde_json::{Map, Value};

/// What introduces the anchor that a hunk is to have.
const ANCHOR_FORMS: [&str; 5] =
    ["anchor the hunk by ", "in a hunk by ", "add ", "put ", "leave out the hunk's anchors: write "];
/// What stands between two steps of one hint.
const JOINERS: [&str; 7] = [", and then ", " and then ", ", and ", " and ", ", then ", "; ", ", "];
/// Where a tool's arguments list its parts.
const LISTS: [&str; 3] = ["edits", "ops", "targets"];
/// The arguments that stand beside the list of parts.
const BESIDE_THE_LIST: [&str; 5] = ["document", "base_revision", "base_revisions", "ttl", "since"];

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) tool: String,
    pub(crate) args: Value,
}

/// One thing that a hint asks for.
#[derive(Debug)]
enum Step {
    Set(Member, Value),
    LeaveOut(Member),
    Again,
    Call(Attempt),
    /// Arguments for the same tool.
    Send(Value),
    Anchor(String),
    Context(String),
}

/// An argument by its name, and where it belongs, if that is said.
#[derive(Debug)]
struct Member {
    name: String,
    place: Option<Vec<String>>,
}

impl Member {
    /// Returns the names that lead to it.
    fn path(&self) -> Vec<String> {
        self.place.iter().flatten().cloned().chain(steps_of(&self.name)).collect()
    }

    fn is_beside_the_list(&self) -> bool {
        BESIDE_THE_LIST.contains(&self.name.as_str())
    }
}

/// Returns the call that the hint of `reply` asks for, as a call of `tool`, made from the call that was refused.
///
/// # Errors
///
/// The hint has no form that is known, or cannot be applied to that call; the text says which hint.
pub(crate) fn follow(refused: &Attempt, reply: &Value, tool: &str) -> Result<Attempt, String> {
    let hint = reply["hint"].as_str().unwrap_or_default();
    follow_words(hint, refused, reply, tool)
}

/// Returns the call that the candidate of this letter asks for, as [`follow`] does for the hint.
pub(crate) fn choose(refused: &Attempt, reply: &Value, letter: &str, tool: &str) -> Result<Attempt, String> {
    let candidates = reply["candidates"].as_array();
    let chosen = candidates.into_iter().flatten().find(|candidate| candidate["id"] == *letter);
    let words = chosen.and_then(|candidate| candidate["use"].as_str());
    follow_words(words.ok_or(format!("no way to take candidate {letter} in {reply}"))?, refused, reply, tool)
}

fn follow_words(words: &str, refused: &Attempt, reply: &Value, tool: &str) -> Result<Attempt, String> {
    let part = reply["failures"][0]["part"].as_u64().and_then(|part| usize::try_from(part).ok()).unwrap_or(1);
    let told =
        |error: &str| format!("a hint that cannot be followed to the letter as a call of {tool} ({error}): {words}");
    let mut rest = words;
    // What asks for another tool than the case goes on with is passed over, whole.
    while let Some((steps, behind)) = starts(rest).find_map(steps) {
        let attempt = steps.iter().try_fold(refused.clone(), |attempt, step| applied(step, attempt, part));
        let attempt = attempt.map_err(|error| told(&error))?;
        if attempt.tool == tool {
            return Ok(attempt);
        }
        rest = behind;
    }
    Err(told("no form that is known"))
}

/// Iterates over what begins with a word of the text, from its first on.
fn starts(text: &str) -> impl Iterator<Item = &str> {
    std::iter::once(text).chain(text.match_indices(' ').filter_map(|(at, _)| text.get(at + 1..)))
}

/// Reads the steps that a text begins with.
fn steps(text: &str) -> Option<(Vec<Step>, &str)> {
    let (mut all, mut rest) = clause(text)?;
    while let Some((more, behind)) = JOINERS.iter().filter_map(|joiner| rest.strip_prefix(joiner)).find_map(clause) {
        all.extend(more);
        rest = behind;
    }
    spread_place(&mut all);
    let is_understood = ![" and ", " in "].iter().any(|more| rest.starts_with(more));
    is_understood.then_some((all, rest))
}

/// Gives a place that is said once, behind the last argument, to those before it.
fn spread_place(steps: &mut [Step]) {
    let mut said: Option<Vec<String>> = None;
    for step in steps.iter_mut().rev() {
        if let Step::Set(member, _) | Step::LeaveOut(member) = step
            && !member.is_beside_the_list()
        {
            if member.place.is_none() {
                member.place.clone_from(&said);
            }
            said.clone_from(&member.place);
        }
    }
}

fn clause(text: &str) -> Option<(Vec<Step>, &str)> {
    if let Some(rest) = text.strip_prefix("set ") {
        return settings(rest);
    }
    if let Some((names, rest)) = text.strip_prefix("leave out ").and_then(names) {
        let (place, rest) = place(rest);
        let member = |name| Step::LeaveOut(Member { name, place: place.clone() });
        return Some((names.into_iter().map(member).collect(), rest));
    }
    if let Some(rest) = text.strip_prefix("send the same call again") {
        return Some(again(rest));
    }
    if let Some(rest) = text.strip_prefix("call ") {
        return call(rest);
    }
    if let Some((arguments, rest)) = text.strip_prefix("send ").and_then(json).filter(|(value, _)| value.is_object()) {
        return Some((vec![Step::Send(arguments)], rest));
    }
    if let Some((name, rest)) = text.strip_prefix("send ").and_then(string) {
        let (value, rest) = json(rest.strip_prefix(": ")?)?;
        return Some((vec![Step::Set(Member { name, place: None }, value)], rest));
    }
    if let Some(rest) = text.strip_prefix("begin the hunk with the context ") {
        let (line, rest) = line(rest)?;
        return Some((vec![Step::Context(line)], rest));
    }
    let (line, rest) = ANCHOR_FORMS.iter().find_map(|form| line(text.strip_prefix(form)?))?;
    line.starts_with("@@").then_some((vec![Step::Anchor(line)], rest))
}

/// Reads `"NAME" to JSON and "NAME" to JSON … in the target`.
fn settings(text: &str) -> Option<(Vec<Step>, &str)> {
    let mut set = Vec::new();
    let mut rest = text;
    loop {
        let (name, behind) = string(rest)?;
        let (value, behind) = json(behind.strip_prefix(" to ")?)?;
        set.push((name, value));
        rest = behind;
        let Some(next) = rest.strip_prefix(" and ").filter(|next| next.starts_with('"')) else { break };
        rest = next;
    }
    let (place, rest) = place(rest);
    let step = |(name, value)| Step::Set(Member { name, place: place.clone() }, value);
    Some((set.into_iter().map(step).collect(), rest))
}

/// Reads `"NAME", "NAME" and "NAME"`.
fn names(text: &str) -> Option<(Vec<String>, &str)> {
    let (name, mut rest) = string(text)?;
    let mut all = vec![name];
    while let Some((name, behind)) =
        [" and ", ", "].iter().filter_map(|joiner| rest.strip_prefix(joiner)).find_map(string)
    {
        all.push(name);
        rest = behind;
    }
    Some((all, rest))
}

/// Reads the new base that may be asked for behind `send the same call again`.
fn again(rest: &str) -> (Vec<Step>, &str) {
    let behind = rest.split_once("\"base_revision\"").map_or("", |(_, behind)| behind);
    let base = behind.find('"').and_then(|at| string(behind.get(at..)?));
    let Some((revision, rest)) = base else { return (vec![Step::Again], rest) };
    let base = Member { name: "base_revision".to_owned(), place: None };
    (vec![Step::Again, Step::Set(base, revision.into())], rest)
}

/// Reads `TOOL {…}`, `TOOL with {…}` or `TOOL({…})`.
fn call(text: &str) -> Option<(Vec<Step>, &str)> {
    let end = text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_')?;
    let (tool, rest) = text.split_at(end);
    let rest = rest.strip_prefix(" with").unwrap_or(rest);
    let (args, rest) = json(rest.trim_start_matches([' ', '(', ':', '`']))?;
    let attempt = Attempt { tool: tool.to_owned(), args };
    attempt.args.is_object().then(|| (vec![Step::Call(attempt)], rest.trim_start_matches([')', '`'])))
}

/// Reads where an argument belongs, if that is said: `in the target`, or `in "to.after"`.
fn place(text: &str) -> (Option<Vec<String>>, &str) {
    if let Some(rest) = text.strip_prefix(" in the target") {
        return (Some(vec!["target".to_owned()]), rest);
    }
    let named = text.strip_prefix(" in ").and_then(string);
    named.map_or((None, text), |(place, rest)| (Some(steps_of(&place).collect()), rest))
}

/// Iterates over the names of a path such as `to.after`.
fn steps_of(path: &str) -> impl Iterator<Item = String> {
    path.split('.').map(str::to_owned)
}

/// Reads a line of a patch in quotation marks; those inside it may be escaped or not.
fn line(text: &str) -> Option<(String, &str)> {
    let is_end = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == ')' || next == '"');
    let escaped = string(text).filter(|(_, rest)| is_end(rest));
    escaped.or_else(|| {
        let inner = text.strip_prefix('"')?;
        let mut ends = inner.match_indices('"').filter_map(|(at, _)| Some((inner.get(..at)?, inner.get(at + 1..)?)));
        ends.find(|(_, rest)| is_end(rest)).map(|(line, rest)| (line.to_owned(), rest))
    })
}

fn string(text: &str) -> Option<(String, &str)> {
    match json(text)? {
        (Value::String(string), rest) => Some((string, rest)),
        _ => None,
    }
}

/// Reads the JSON value that a text begins with.
fn json(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, text.get(values.byte_offset()..)?))
}

fn applied(step: &Step, mut attempt: Attempt, part: usize) -> Result<Attempt, String> {
    match step {
        Step::Again => {}
        Step::Call(call) => attempt = call.clone(),
        Step::Send(arguments) => attempt.args = arguments.clone(),
        Step::Set(member, value) => {
            let path = member.path();
            let (name, object) = found(&mut attempt.args, &path, part)?;
            object.insert(name.clone(), value.clone());
        }
        Step::LeaveOut(member) => {
            let path = member.path();
            let (name, object) = found(&mut attempt.args, &path, part)?;
            object.remove(name).ok_or(format!("there is no `{name}` to leave out"))?;
        }
        Step::Anchor(line) => reworded(&mut attempt, part, |lines, hunk| {
            lines.splice(hunk.anchors..hunk.body, [line.clone()]);
        })?,
        Step::Context(line) => reworded(&mut attempt, part, |lines, hunk| lines.insert(hunk.body, line.clone()))?,
    }
    Ok(attempt)
}

/// Finds the object that an argument is a member of: of the call, or of the part that failed.
fn found<'a, 'p>(
    args: &'a mut Value,
    path: &'p [String],
    part: usize,
) -> Result<(&'p String, &'a mut Map<String, Value>), String> {
    let (name, outer) = path.split_last().ok_or("an argument without a name")?;
    let list = LISTS.into_iter().find(|list| args[list].is_array());
    let is_beside = path.first().is_some_and(|first| BESIDE_THE_LIST.contains(&first.as_str()));
    let mut value = match list.filter(|list| !is_beside && path.first().is_none_or(|first| first != list)) {
        Some(list) => args[list].get_mut(part - 1).ok_or(format!("there is no part {part}"))?,
        None => args,
    };
    // A tool that lists selectors has the target itself where others have it in an edit.
    let outer =
        if list == Some("targets") { outer.strip_prefix(&["target".to_owned()]).unwrap_or(outer) } else { outer };
    for step in outer {
        let object = value.as_object_mut().ok_or(format!("`{step}` is no member of an object"))?;
        value = object.entry(step.clone()).or_insert_with(|| Value::Object(Map::new()));
    }
    Ok((name, value.as_object_mut().ok_or(format!("`{name}` is no member of an object"))?))
}

/// Where a hunk begins: its anchors, and the lines behind them.
struct Hunk {
    anchors: usize,
    body: usize,
}

fn reworded(attempt: &mut Attempt, part: usize, change: impl FnOnce(&mut Vec<String>, &Hunk)) -> Result<(), String> {
    let patch = attempt.args["patch"].as_str().ok_or("an anchor is asked for where there is no patch")?;
    let mut lines: Vec<String> = patch.split('\n').map(str::to_owned).collect();
    let hunks = hunks(&lines);
    change(&mut lines, hunks.get(part - 1).ok_or(format!("there is no hunk {part}"))?);
    attempt.args["patch"] = lines.join("\n").into();
    Ok(())
}

fn hunks(lines: &[String]) -> Vec<Hunk> {
    let mut all: Vec<Hunk> = Vec::new();
    let mut is_open = false;
    for (at, line) in lines.iter().enumerate() {
        let is_anchor = line.starts_with("@@");
        let is_nested = is_anchor && all.last().is_some_and(|hunk| is_open && hunk.body == at);
        if let Some(last) = all.last_mut().filter(|_| is_nested) {
            last.body += 1;
        } else if is_anchor || (!is_open && line.starts_with([' ', '-', '+'])) {
            all.push(Hunk { anchors: at, body: at + usize::from(is_anchor) });
            is_open = true;
        }
        is_open &= !line.starts_with("*** ");
    }
    all
}
