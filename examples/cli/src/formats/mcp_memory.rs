//! The memory server of the Model Context Protocol: JSON lines of entities and relations.
//!
//! An entity is the document `TYPE/NAME`: its observations are bullets, its relations bullets `- TYPE [[TO]]` below `## Relations`. In
//! one document for all, it is a section.

use std::collections::HashMap;
use std::path::Path;

use memdoc::DocName;
use serde_json::{Value, json};

use super::{Incoming, MOST, Outgoing, Piece, pieces};
use crate::failure::Failure;
use crate::tools;

const RELATIONS: &str = "## Relations";

/// An entity, and what starts at it.
struct Entity {
    name: String,
    kind: String,
    observations: Vec<String>,
    relations: Vec<(String, String)>,
}

pub(super) fn read(path: &Path, is_one: bool, incoming: &mut Incoming) -> Result<(), Failure> {
    let mut entities = entities(path, incoming)?;
    entities.retain(|entity| incoming.may_write("entity", &format!("# {}\n", on_one_line(&entity.name))));
    if entities.len() > MOST {
        let message = format!("{} entities; at most {MOST} are read at once", entities.len());
        return Err(Failure::refused("too_large", message));
    }
    if is_one {
        // A heading for each type.
        entities.sort_by(|left, right| left.kind.cmp(&right.kind));
        let mut text = String::new();
        for (nth, entity) in entities.iter().enumerate() {
            if nth.checked_sub(1).and_then(|above| entities.get(above)).is_none_or(|above| above.kind != entity.kind) {
                text += &format!("# {}\n\n", on_one_line(&entity.kind));
            }
            text += &format!("## {}\n\n{}", on_one_line(&entity.name), observations(entity, incoming));
            text.extend(relations(entity, incoming));
            text.push('\n');
        }
        text.pop();
        incoming.add(&DocName::memory(), text);
        return Ok(());
    }
    for entity in entities {
        let wanted = format!("{}/{}", entity.kind, entity.name);
        let flat = format!("{}/{}", entity.kind.replace('/', "-"), entity.name.replace('/', "-"));
        let Some(document) = incoming.free(&flat) else {
            incoming.lost.add("entity", "whose name cannot be a document's", entity.name);
            continue;
        };
        let mut text = String::new();
        if document.as_str() != wanted {
            // So that an export gives the names back.
            text += &format!("---\ntitle: {}\ntype: {}\n---\n", json!(entity.name), json!(entity.kind));
        }
        text += &format!("# {}\n\n{}", on_one_line(&entity.name), observations(&entity, incoming));
        if !entity.relations.is_empty() {
            text += &format!("\n{RELATIONS}\n\n");
            text.extend(relations(&entity, incoming));
        }
        incoming.add(&document, text);
    }
    Ok(())
}

/// Reads the lines. An entity that stands there again has what both say.
fn entities(path: &Path, incoming: &mut Incoming) -> Result<Vec<Entity>, Failure> {
    let (mut entities, mut places) = (Vec::<Entity>::new(), HashMap::new());
    let mut relations = Vec::new();
    for (number, line) in (1..).zip(tools::file(path)?.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).map_err(|error| {
            Failure::refused("invalid_import", format!("line {number} of `{}` is not JSON: {error}", path.display()))
        })?;
        let member = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        match value["type"].as_str() {
            Some("entity") => {
                let (name, kind) = (member("name"), member("entityType"));
                let place = *places.entry(name.clone()).or_insert(entities.len());
                if place == entities.len() {
                    entities.push(Entity { name, kind, observations: Vec::new(), relations: Vec::new() });
                }
                for observation in value["observations"].as_array().into_iter().flatten() {
                    match observation.as_str().filter(|text| !text.trim().is_empty()) {
                        Some(text) => {
                            entities.get_mut(place).into_iter().for_each(|own| own.observations.push(text.to_owned()))
                        }
                        None => incoming.lost.add("observation", "without readable text", ""),
                    }
                }
            }
            Some("relation") => relations.push((member("from"), (member("relationType"), member("to")))),
            _ => incoming.lost.add("line", "neither an entity nor a relation", format!("line {number}")),
        }
    }
    for (from, relation) in relations {
        match places.get(&from).and_then(|place| entities.get_mut(*place)) {
            Some(entity) => entity.relations.push(relation),
            None => incoming.lost.add("relation", "of an entity that is not there", from),
        }
    }
    Ok(entities)
}

/// Writes what is observed of an entity, a bullet each.
fn observations(entity: &Entity, incoming: &mut Incoming) -> String {
    let mut text = String::new();
    for observation in &entity.observations {
        let lines: Vec<&str> = observation.trim().lines().map(str::trim_end).collect();
        let kept = lines.join("\n");
        if kept != *observation {
            incoming.lost.add("observation", "with spaces at the ends of lines, which go", "");
        }
        text += &incoming.bullet("observation", &kept).unwrap_or_default();
    }
    text
}

/// Writes the relations that start at an entity, a bullet each.
fn relations(entity: &Entity, incoming: &mut Incoming) -> Vec<String> {
    let bullet = |(kind, to): &(String, String)| {
        incoming.bullet("relation", &format!("{} [[{}]]", on_one_line(kind), on_one_line(to)))
    };
    entity.relations.iter().filter_map(bullet).collect()
}

fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
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
                Piece::Number(number) => outgoing.lost.add("number", "of a list", number),
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
