//! Memory that is a list of facts: Hermes, mem0, Letta's blocks, and the lists that people copy from a chat.

use std::path::Path;

use memdoc::request::NoteEdit;
use memdoc::{Authority, DocName, MemoryDoc, Request as _, Timestamp, View};
use serde_json::{Value, json};

use super::{Incoming, Outgoing, Piece, pieces};
use crate::failure::Failure;
use crate::tools;

/// What stands between two entries of Hermes.
const BETWEEN: &str = "\n§\n";
/// The files of Hermes, the documents that they are, and how many characters each may have.
const HERMES: [(&str, &str, usize); 2] = [("MEMORY.md", "memory", 2_200), ("USER.md", "user", 1_375)];

pub(super) fn read_hermes(path: &Path, incoming: &mut Incoming) -> Result<(), Failure> {
    let mut is_there = false;
    for (file, name, _) in HERMES {
        let source = if path.is_dir() { path.join(file) } else { path.to_path_buf() };
        let is_it = if path.is_dir() { source.is_file() } else { path.file_name().is_some_and(|own| own == file) };
        let is_only = !path.is_dir()
            && name == "memory"
            && HERMES.iter().all(|(file, ..)| path.file_name().is_none_or(|own| own != *file));
        if !is_it && !is_only {
            continue;
        }
        let text = tools::file(&source)?.replace("\r\n", "\n");
        let entries =
            text.split(BETWEEN).map(|entry| entry.trim().trim_start_matches("§\n").trim_end_matches("\n§").trim());
        let entries = entries.filter(|entry| !entry.is_empty() && *entry != "§");
        let bullets: String = entries.filter_map(|entry| incoming.bullet("entry", entry)).collect();
        if let Ok(name) = name.parse() {
            incoming.add_facts(&name, bullets);
        }
        is_there = true;
    }
    if !is_there {
        return Err(Failure::usage(format!("expected MEMORY.md or USER.md, found neither in `{}`", path.display())));
    }
    Ok(())
}

pub(super) fn write_hermes(documents: &[(DocName, String)]) -> Result<Outgoing, Failure> {
    let mut outgoing = Outgoing::default();
    for (name, text) in documents {
        let Some((file, _, most)) = HERMES.into_iter().find(|(_, own, _)| *own == name.as_str()) else {
            outgoing.lost.add("document", "other than `memory` and `user`", name.as_str());
            continue;
        };
        let entries = facts(text, &mut outgoing).join(BETWEEN);
        let characters = entries.chars().count();
        if characters > most {
            return Err(Failure::refused(
                "too_large",
                format!("{file} would have {characters} characters, the limit is {most}"),
            ));
        }
        outgoing.files.push((file.to_owned(), entries));
    }
    Ok(outgoing)
}

/// Returns the bullets of a document, and notes what else it has.
fn facts(text: &str, outgoing: &mut Outgoing) -> Vec<String> {
    let mut facts = Vec::new();
    for piece in pieces(text) {
        match piece {
            Piece::Bullet(fact) => facts.push(fact),
            Piece::Heading(line) => outgoing.lost.add("heading", "", line.trim_start_matches(['#', ' '])),
            Piece::Number(number) => outgoing.lost.add("number", "of a list", number),
            Piece::Other(line) => outgoing.lost.add("line", "outside of bullets", line),
        }
    }
    facts
}

/// Reads rows, each as a bullet, or as a memory beside the documents.
pub(super) fn read_mem0(path: &Path, is_beside: bool, incoming: &mut Incoming) -> Result<(), Failure> {
    let value = json_of(path)?;
    let rows = value.as_array().or_else(|| value["results"].as_array());
    let rows = rows.ok_or_else(|| invalid(path, "expected an array, or an object with `results`"))?;
    let mut text = String::new();
    for row in rows {
        let fact = ["memory", "text", "content"].iter().find_map(|name| row[*name].as_str()).map(str::trim);
        let Some(fact) = fact.filter(|fact| !fact.is_empty()) else {
            incoming.lost.add("row", "without a text", "");
            continue;
        };
        if row["metadata"].as_object().is_some_and(|members| !members.is_empty()) {
            incoming.lost.add("row", "with metadata", "");
        }
        if ["created_at", "user_id", "agent_id", "run_id"].iter().any(|name| row[*name].is_string()) {
            incoming.lost.add("row", "with a time or an owner", "");
        }
        let categories: Vec<&str> =
            row["categories"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if is_beside {
            if !categories.is_empty() || row["immutable"] == true || row["expiration_date"].is_string() {
                incoming.lost.add("row", "with categories, an end or a lock", "");
            }
            let id = row["id"].as_str().map(str::to_owned);
            let memory = incoming.bullet("row", fact).map(|_| (fact.to_owned(), id));
            incoming.memories.extend(memory);
            continue;
        }
        if row["id"].is_string() {
            incoming.lost.add("row", "with an ID", "");
        }
        let pinned = row["immutable"].as_bool() == Some(true);
        let end = row["expiration_date"].as_str().map(|date| date.get(..10).unwrap_or(date));
        if end.is_some_and(|date| !is_date(date)) {
            incoming.lost.add("end", "that is no date", "");
        }
        let expires = end.filter(|date| is_date(date)).map(|date| format!("expires: {date}"));
        let tags: Vec<String> = pinned.then(|| "pinned".to_owned()).into_iter().chain(expires).collect();
        let tags = if tags.is_empty() { String::new() } else { format!("[{}] ", tags.join(", ")) };
        let categories: String =
            categories.iter().map(|category| format!(" #{}", category.replace(char::is_whitespace, "-"))).collect();
        text += &incoming.bullet("row", &format!("{tags}{fact}{categories}")).unwrap_or_default();
    }
    if !is_beside {
        incoming.add_facts(&DocName::memory(), text);
    }
    Ok(())
}

pub(super) fn write_mem0(documents: &[(DocName, String)], mut rows: Vec<Value>) -> Outgoing {
    let mut outgoing = Outgoing::default();
    for (name, text) in documents {
        let facts = facts(text, &mut outgoing);
        rows.extend(facts.into_iter().map(|fact| json!({"memory": fact, "metadata": {"document": name.as_str()}})));
    }
    outgoing.files.push((String::new(), format!("{:#}\n", Value::Array(rows))));
    outgoing
}

/// Reads the blocks of an agent file, each as a document, or as a section of the document of core blocks.
pub(super) fn read_letta(path: &Path, is_core: bool, incoming: &mut Incoming) -> Result<(), Failure> {
    let value = json_of(path)?;
    let mut core = incoming.empty.clone();
    let blocks = value["blocks"].as_array().or_else(|| value["core_memory"].as_array());
    let blocks = blocks.ok_or_else(|| invalid(path, "expected `blocks` or `core_memory`"))?;
    let label_of = |block: &Value| block["label"].as_str().unwrap_or("block").trim().to_lowercase();
    for block in blocks {
        let label = block["label"].as_str().unwrap_or("block");
        if is_core && blocks.iter().filter(|own| label_of(own) == label_of(block)).count() > 1 {
            incoming.lost.add("block", "whose label is there twice", label);
            continue;
        }
        let Some(text) = block["value"].as_str() else {
            incoming.lost.add("block", "without readable text", label);
            continue;
        };
        let ending = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let description = block["description"].as_str().map(str::trim).filter(|text| !text.is_empty());
        if block["read_only"].as_bool() == Some(true) {
            incoming.lost.add("block", "read-only there, and not here", label);
        }
        if block["limit"].is_number() {
            incoming.lost.add("block", "whose limit is not kept", label);
        }
        if is_core {
            if description.is_some() {
                incoming.lost.add("description", "of a block", label);
            }
            match block_in(&core, label, text) {
                Ok(with) => core = with,
                Err(why) => incoming.lost.add("block", "refused", format!("{label}: {why}")),
            }
            continue;
        }
        let Some(name) = incoming.free(&label.replace('/', "-")) else {
            incoming.lost.add("block", "whose label cannot be a document's name", label);
            continue;
        };
        let description = description.map_or_else(String::new, |text| format!("> {}\n\n", text.replace('\n', "\n> ")));
        incoming.add(&name, format!("{description}{text}{ending}"));
    }
    if is_core {
        incoming.add_facts(&DocName::core(), core.text().to_owned());
    }
    for (noun, member) in [("tool", "tools"), ("file", "files"), ("source", "sources"), ("message", "messages")] {
        let agents = value["agents"].as_array().into_iter().flatten().filter_map(|agent| agent[member].as_array());
        for _ in value[member].as_array().into_iter().chain(agents).flatten() {
            incoming.lost.add(noun, "of the agent", "");
        }
    }
    Ok(())
}

/// Returns the document of core blocks with another block, whose text stands in it as `block_update` writes it.
fn block_in(core: &MemoryDoc, label: &str, text: &str) -> Result<MemoryDoc, String> {
    let set = NoteEdit::set(label, text.trim_end_matches('\n'));
    let edit = set.plan(&View::current(core, Timestamp::default())).map_err(|error| error.to_string())?;
    Ok(core.commit(&edit, Authority::Agent).map_err(|error| error.to_string())?.doc)
}

/// Reads a list with a fact on each line: `1. [2024-04-26]. text`, `[2024-04-26] - text`, `- text`, or the text alone. An entry with
/// a number or a date goes on with the lines right below it that are indented to its text and have neither.
pub(super) fn read_list(path: &Path, incoming: &mut Incoming) -> Result<(), Failure> {
    // The date and the text.
    let mut entries: Vec<(Option<String>, String)> = Vec::new();
    // How deep a line is indented that goes on with the last entry; none if no line can.
    let mut deep = None;
    for line in tools::file(path)?.lines().map(str::trim_end) {
        let whole = line.trim_start();
        if whole.is_empty() {
            deep = None;
            continue;
        }
        let text = whole.trim_start_matches(['-', '*', '•']).trim_start();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let numbered =
            text.get(digits..).filter(|_| (1..=4).contains(&digits)).and_then(|rest| rest.strip_prefix(['.', ')']));
        let numbered = numbered.filter(|rest| rest.starts_with([' ', '\t']));
        let text = numbered.map_or(text, str::trim_start);
        let dated = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).filter(|(date, _)| is_date(date));
        let dated = dated.map(|(date, rest)| (date, rest.trim_start_matches(['.', ' ', '-', ':', '–'])));
        let dated = dated.filter(|(_, fact)| !fact.is_empty());
        let has_neither = numbered.is_none() && dated.is_none();
        let goes_on = has_neither && deep.is_some_and(|deep| column_of(line, whole) >= deep);
        match (entries.last_mut(), dated) {
            (Some((_, fact)), _) if goes_on => *fact += &format!("\n{whole}"),
            (_, None) if text.is_empty() => {}
            (_, dated) => {
                let fact = dated.map_or(text, |(_, fact)| fact);
                // The date belongs to the text behind a number or a bullet.
                let begin = if text.len() < whole.len() { text } else { fact };
                deep = (!has_neither).then(|| column_of(line, begin));
                entries.push((dated.map(|(date, _)| date.to_owned()), fact.to_owned()));
            }
        }
    }
    let mut text = String::new();
    for (date, fact) in entries {
        let date = date.map_or_else(String::new, |date| format!(" ({date})"));
        text += &incoming.bullet("line", &format!("{fact}{date}")).unwrap_or_default();
    }
    incoming.add_facts(&DocName::memory(), text);
    Ok(())
}

/// Returns the column at which the end of a line begins. A tab reaches to the next multiple of four.
fn column_of(line: &str, end: &str) -> usize {
    let before = line.strip_suffix(end).unwrap_or_default();
    before.chars().fold(0, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}

pub(super) fn write_list(documents: &[(DocName, String)]) -> Outgoing {
    let mut outgoing = Outgoing::default();
    let mut text = String::new();
    for (_, document) in documents {
        for fact in facts(document, &mut outgoing) {
            let fact = fact.split_whitespace().collect::<Vec<_>>().join(" ");
            let dated =
                fact.strip_suffix(')').and_then(|rest| rest.rsplit_once(" (")).filter(|(_, date)| is_date(date));
            text += &match dated {
                Some((fact, date)) => format!("[{date}] - {fact}\n"),
                None => format!("{fact}\n"),
            };
        }
    }
    outgoing.files.push((String::new(), text));
    outgoing
}

fn json_of(path: &Path) -> Result<Value, Failure> {
    serde_json::from_str(&tools::file(path)?).map_err(|error| invalid(path, &format!("not JSON: {error}")))
}

fn invalid(path: &Path, why: &str) -> Failure {
    Failure::refused("invalid_import", format!("`{}`: {why}", path.display()))
}
