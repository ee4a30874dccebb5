//! The memory server of the Model Context Protocol: JSON lines of entities and relations.
//!
//! An entity is the document `TYPE/NAME`: its observations are bullets, its relations bullets `- TYPE [[TO]]` below `## Relations`.

use std::collections::HashMap;
use std::path::Path;

use memdoc::DocName;
use serde_json::{Value, json};

use super::{Incoming, MOST, Outgoing, Piece, bullet, pieces};
use crate::failure::Failure;
use crate::tools;

const RELATIONS: &str = "## Relations";

pub(super) fn read(path: &Path) -> Result<Incoming, Failure> {
    let mut incoming = Incoming::default();
    let text = tools::file(path)?;
    let mut entities: Vec<(String, String, Vec<String>)> = Vec::new();
    let mut relations: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).map_err(|error| {
            Failure::refused("invalid_import", format!("line {number} of `{}` is not JSON: {error}", path.display()))
        })?;
        let member = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        match value["type"].as_str() {
            Some("entity") => {
                let mut observations = Vec::new();
                for observation in value["observations"].as_array().into_iter().flatten() {
                    match observation.as_str() {
                        Some(text) if !text.trim().is_empty() => observations.push(text.to_owned()),
                        _ => incoming.lost.add("observation", "without readable text", ""),
                    }
                }
                entities.push((member("name"), member("entityType"), observations));
            }
            Some("relation") => {
                relations.entry(member("from")).or_default().push((member("relationType"), member("to")));
            }
            _ => incoming.lost.add("line", "neither an entity nor a relation", format!("line {number}")),
        }
    }
    if entities.len() > MOST {
        return Err(Failure::refused(
            "too_large",
            format!("{} entities; at most {MOST} are read at once", entities.len()),
        ));
    }
    for (name, kind, observations) in entities {
        let wanted = format!("{kind}/{name}");
        let flat = format!("{}/{}", kind.replace('/', "-"), name.replace('/', "-"));
        let Some(document) = incoming.free(&flat) else {
            incoming.lost.add("entity", "whose name cannot be a document's", name);
            continue;
        };
        let mut text = String::new();
        if document.as_str() != wanted {
            // So that an export gives the names back.
            text += &format!("---\ntitle: {}\ntype: {}\n---\n", json!(name), json!(kind));
        }
        text += &format!("# {}\n\n", name.replace(['\n', '\r'], " "));
        text.extend(observations.iter().map(|observation| {
            if observation.contains('\r')
                || observation.lines().any(|line| line.ends_with([' ', '\t']))
                || observation.trim() != observation
            {
                incoming.lost.add("observation", "with spaces at the ends of lines, which go", "");
            }
            let lines: Vec<&str> = observation.trim().lines().map(str::trim_end).collect();
            bullet(&lines.join("\n"))
        }));
        if let Some(own) = relations.remove(&name) {
            text += &format!("\n{RELATIONS}\n\n");
            for (kind, to) in own {
                text += &bullet(&format!("{} [[{}]]", kind.replace(['\n', '\r'], " "), to.replace(['\n', '\r'], " ")));
            }
        }
        incoming.add(&document, text);
    }
    for (from, own) in relations {
        own.iter().for_each(|_| incoming.lost.add("relation", "of an entity that is not there", from.clone()));
    }
    Ok(incoming)
}

pub(super) fn write(documents: &[(DocName, String)]) -> Outgoing {
    let mut outgoing = Outgoing::default();
    let (mut entities, mut relations) = (Vec::new(), Vec::new());
    for (name, text) in documents {
        let (matter, body) = front_matter(text);
        let slot = |slot: &str| {
            let line = matter.lines().find_map(|line| line.strip_prefix(slot)?.strip_prefix(": "))?;
            Some(serde_json::from_str::<String>(line).unwrap_or_else(|_| line.to_owned()))
        };
        let kind = slot("type")
            .unwrap_or_else(|| if name.folder().is_empty() { "document".to_owned() } else { name.folder().to_owned() });
        let entity = slot("title").unwrap_or_else(|| name.file().to_owned());
        let (mut observations, mut is_below, mut is_first) = (Vec::new(), false, true);
        for piece in pieces(body) {
            match piece {
                Piece::Heading(line) => {
                    is_below = line == RELATIONS;
                    let is_title = std::mem::take(&mut is_first) && line.strip_prefix("# ") == Some(&*entity);
                    if !is_below && !is_title {
                        outgoing.lost.add("heading", "", line.trim_start_matches(['#', ' ']));
                    }
                }
                Piece::Bullet(text) => match relation(&text).filter(|_| is_below) {
                    Some((kind, to)) => {
                        relations.push(json!({"type": "relation", "from": entity, "to": to, "relationType": kind}));
                    }
                    None => observations.push(text),
                },
                Piece::Other(line) => outgoing.lost.add("line", "outside of bullets", line),
            }
        }
        entities.push(json!({"type": "entity", "name": entity, "entityType": kind, "observations": observations}));
    }
    let text: String = entities.iter().chain(&relations).map(|value| format!("{value}\n")).collect();
    outgoing.files.push((String::new(), text));
    outgoing
}

fn relation(text: &str) -> Option<(&str, &str)> {
    let (kind, to) = text.strip_suffix("]]")?.split_once(" [[")?;
    Some((kind, to))
}

fn front_matter(text: &str) -> (&str, &str) {
    let matter = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    matter.unwrap_or(("", text))
}
