//! Wording of fixes that several tools share.

use serde_json::{Map, Value, json};

use super::definition::Asked;
use super::json::object_of;
use crate::locate::{Fix, NodeKind, Selector};
use crate::memory::DocName;
use crate::request::{Argument, Destination, Enough, ItemPlace, Refusal};
use crate::text::{Revision, escaped};

/// The bound of a hint, in characters; a longer fix is left out.
pub(super) const HINT: usize = 800;

/// How a text or a name is refused that could mean another place.
const TOO_LITTLE: &str = "what was sent is too little to be sure of the place";

/// Says what is wrong, in the names that tools have for what was sent.
pub(super) fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::InvalidArgument { argument, .. } => format!("{}: {refusal}", name(*argument)),
        Refusal::ContextTooThin { enough: Enough::BesideIndex, .. } => {
            format!("{TOO_LITTLE}: an index needs `expect` or `neighbors` beside it, or a key or a text instead")
        }
        Refusal::ContextTooThin { enough: Enough::BesideText, .. } => {
            format!("{TOO_LITTLE}: this memory asks for `expect`, `neighbors`, `key` or a unique tag")
        }
        Refusal::ContextTooThin { enough: Enough::TextBesideIndex(argument), .. } => {
            format!("{refusal}, as {}", name(*argument))
        }
        _ => refusal.to_string(),
    }
}

/// Names an argument as the tools do that have it.
const fn name(argument: Argument) -> &'static str {
    match argument {
        Argument::OldText => "`old_string`",
        Argument::NewText => "`text`",
        Argument::Count => "`expected_replacements`",
        Argument::Index => "`index`",
        Argument::Contains => "`contains`",
        Argument::StartsWith => "`starts_with`",
        Argument::Edits => "`edits`",
        Argument::Bullet | Argument::IntoSection => "`target`",
        Argument::List => "`target` (the place goes into `to`)",
        Argument::Place => "`to`",
        Argument::Tags => "`tags`",
        Argument::Bullets => "`targets`",
        Argument::Lifetime => "`ttl`",
        Argument::Operations => "`ops`",
        Argument::Block => "`memory_id` or `category`",
        Argument::BlockText => "`sub_memory`",
        Argument::OldBlockText => "`old_sub_memory`",
        Argument::SectionPlace => "the place",
        Argument::Parent => "`under`",
        Argument::Budget => "`budget_tokens`",
        Argument::Candidate => "`candidate`",
        Argument::NoteKey => "`key`",
    }
}

/// Words a fix of a scope as the arguments `section` and `block`.
pub(super) fn scope(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSection(name) => Some(format!("set \"section\" to {}", quoted(name))),
        Fix::NameBlock(id) => Some(format!("set \"block\" to {}", quoted(id))),
        Fix::Instead { of, fix } => Some(format!("leave out \"{of}\" and {}", scope(fix)?)),
        Fix::Under { section, .. } => scope(&Fix::NameSection(section.clone()?)),
        Fix::DropScope => Some("leave out \"section\" and \"block\"".to_owned()),
        _ => None,
    }
}

/// Words no fix: the tool looks for nothing in a document.
pub(super) const fn nothing(_: &Fix) -> Option<String> {
    None
}

/// What to do where nothing is known to help.
pub(super) const READ: &str = "call memory_read";

/// Words the call that reads a document.
pub(super) fn read(document: &str) -> String {
    match document {
        "memory" => READ.to_owned(),
        other => format!("{READ} with {{\"document\": {}}}", quoted(other)),
    }
}

/// Words the call that reads the draft of a document.
pub(super) fn read_draft(document: &str) -> String {
    read(document).replacen("memory_read", "memo_read", 1)
}

/// Makes a hint, where it asks to read, ask for this document. What it quotes stays.
pub(super) fn reading(hint: &str, document: &str) -> String {
    let is_quoted = |at: usize| hint.get(..at).is_some_and(|before| before.matches(['"', '`']).count() % 2 == 1);
    match hint.match_indices(READ).find(|(at, _)| !is_quoted(*at)) {
        Some((at, _)) => {
            let (before, behind) = hint.split_at(at);
            format!("{before}{}{}", read(document), behind.strip_prefix(READ).unwrap_or(behind))
        }
        None => hint.to_owned(),
    }
}

/// Names the argument that gives a revision of a document as the base of an edit, and what to set it to; of an edit of several
/// documents, with the bases of the others.
pub(super) fn base(document: &DocName, revision: Revision, asked: &[Asked]) -> String {
    let others = asked.iter().filter(|asked| asked.document != *document);
    let is_default = *document == DocName::memory() && others.clone().all(|other| other.base.is_none());
    if is_default || asked.len() < 2 {
        return format!("\"base_revision\" set to \"{}\"", revision.short());
    }
    let named = others.filter_map(|asked| Some((&asked.document, asked.base.as_ref()?.as_str().into())));
    let bases = named.chain([(document, Value::from(revision.short()))]).map(|(name, base)| (name.to_string(), base));
    format!("\"base_revisions\" set to {}", json(&Value::Object(object_of(bases.collect()))))
}

/// Says what to do where a change cannot be shown.
pub(super) fn reread(document: &str) -> String {
    format!("{}, look at what has changed, then send the edit again if it is still right", read(document))
}

/// Returns JSON in which nothing hides.
fn json(value: &Value) -> String {
    escaped(&value.to_string())
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    json(&text.into())
}

/// Words a fix of a section that one of several arguments names.
pub(super) fn section(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSection(name) => Some(format!("name it {}", quoted(name))),
        Fix::Place(relation, name) => Some(format!("give as its place \"{relation}\": {}", quoted(name))),
        _ => None,
    }
}

/// Words a fix of the one section that a tool takes, which takes no block and no bullet.
pub(super) fn whole_section(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSection(_) => scope(fix),
        _ => None,
    }
}

/// Words a fix of a slot's name.
pub(super) fn slot(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSlot(name) => Some(format!("set \"name\" to {}", quoted(name))),
        _ => None,
    }
}

/// Words a fix of a bullet's selector.
pub(super) fn bullet(fix: &Fix) -> Option<String> {
    match fix {
        Fix::UseKey(key) => Some(format!("set \"key\" to {} in the target", quoted(key))),
        Fix::UseIndex(index) => Some(format!("set \"index\" to {index} in the target")),
        Fix::CopyText(text) => Some(format!("set \"equals\" to {} in the target", quoted(text))),
        Fix::ExpectText(text) => Some(format!("set \"expect\" to {}, beside \"target\"", quoted(text))),
        Fix::Beside { section, block, side, key } => {
            let list = [("section", section), ("block", block)];
            let mut to: Vec<_> =
                list.into_iter().filter_map(|(name, list)| Some((name.to_owned(), list.as_deref()?.into()))).collect();
            to.push((side.to_string(), json!({"key": key})));
            Some(format!("set \"to\" to {}", json(&Value::Object(object_of(to)))))
        }
        Fix::NameSection(name) => Some(format!("set \"section\" to {} in the target", quoted(name))),
        Fix::NameBlock(id) => Some(format!("set \"block\" to {} in the target", quoted(id))),
        Fix::Instead { of: NodeKind::Bullet, fix } => {
            Some(format!("leave out \"key\" (or \"id\") and {}", bullet(fix)?))
        }
        Fix::Instead { of, fix } => Some(format!("leave out \"{of}\" and {}", bullet(fix)?)),
        Fix::Under { section, text } => {
            let place = format!("\"to\" to {{\"under\": {{\"equals\": {}}}}}", quoted(text));
            Some(match section {
                Some(section) => format!("set \"target\" to {{\"section\": {}}} and {place}", quoted(section)),
                None => format!("leave out \"target\" and set {place}"),
            })
        }
        Fix::DropScope => Some("leave out \"section\" and \"block\" in the target".to_owned()),
        _ => scope(fix),
    }
}

/// Words a place as the argument `to`.
pub(super) fn destination(to: &Destination) -> Value {
    let mut words = Map::new();
    words.extend(to.section.as_deref().map(|section| ("section".to_owned(), section.into())));
    words.extend(to.block.as_deref().map(|block| ("block".to_owned(), block.into())));
    let by_key = |bullet: &Selector| json!({"key": bullet.key()});
    let place = match &to.place {
        Some(ItemPlace::Index(index)) => Some(("index", json!(index))),
        Some(ItemPlace::First) => Some(("place", json!("first"))),
        Some(ItemPlace::Last) => Some(("place", json!("last"))),
        Some(ItemPlace::Before(bullet)) => Some(("before", by_key(bullet))),
        Some(ItemPlace::After(bullet)) => Some(("after", by_key(bullet))),
        Some(ItemPlace::Under(bullet)) => Some(("under", by_key(bullet))),
        None => None,
    };
    words.extend(place.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(words)
}
