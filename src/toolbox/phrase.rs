//! Wording of fixes that several tools share.

use serde_json::Value;

use crate::locate::Fix;

/// Words a fix of a scope as the arguments `section` and `block`.
pub(super) fn scope(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSection(name) => Some(format!("set \"section\" to {}", quoted(name))),
        Fix::NameBlock(id) => Some(format!("set \"block\" to {}", quoted(id))),
        Fix::DropScope => Some("leave out \"section\" and \"block\"".to_owned()),
        Fix::ReadFirst => Some("call memory_read, then send the edit again".to_owned()),
        _ => None,
    }
}

/// Words the call that reads a document.
pub(super) fn read(document: &str) -> String {
    match document {
        "memory" => "call memory_read".to_owned(),
        other => format!("call memory_read with {{\"document\": {}}}", quoted(other)),
    }
}

/// Returns a text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Words a fix of a section that one of several arguments names.
pub(super) fn section(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSection(name) => Some(format!("name it {}", quoted(name))),
        Fix::ReadFirst => scope(fix),
        _ => None,
    }
}

/// Words a fix of a slot's name.
pub(super) fn slot(fix: &Fix) -> Option<String> {
    match fix {
        Fix::NameSlot(name) => Some(format!("set \"name\" to {}", quoted(name))),
        Fix::ReadFirst => scope(fix),
        _ => None,
    }
}

/// Words a fix of a bullet's selector.
pub(super) fn bullet(fix: &Fix) -> Option<String> {
    match fix {
        Fix::UseKey(key) => Some(format!("set \"key\" to {} in the target", quoted(key))),
        Fix::UseIndex(index) => Some(format!("set \"index\" to {index} in the target")),
        Fix::ExpectText(text) => Some(format!("set \"expect\" to {}", quoted(text))),
        Fix::NameSection(name) => Some(format!("set \"section\" to {} in the target", quoted(name))),
        Fix::NameBlock(id) => Some(format!("set \"block\" to {} in the target", quoted(id))),
        Fix::DropScope => Some("leave out \"section\" and \"block\" in the target".to_owned()),
        _ => scope(fix),
    }
}
