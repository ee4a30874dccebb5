//! [`RequestId`], by which a retry after a lost answer is recognized.

use serde_json::Value;

use crate::memory::{DocName, Origin};
use crate::text::{Digest, RevisionPrefix, as_text, display_inner, parse_inner};

/// Names a request: a digest of the tool, of its arguments, and of the documents and revisions that it is based on.
///
/// The same request against the same revisions has the same ID, whatever the order of its JSON members. Whoever
/// guesses the arguments can compute the ID, and so learn that the guess is right. So the journal keeps it where it
/// can be erased, and `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Digest);

impl RequestId {
    /// Names the call of `tool` with `arguments`, on whatever basis.
    pub fn new(tool: &str, arguments: &Value) -> Self {
        Self::leaving_out(&[], tool, arguments)
    }

    /// Names the call of `tool` with all `arguments` but those of these names.
    pub(crate) fn leaving_out(names: &[&str], tool: &str, arguments: &Value) -> Self {
        let mut fields = vec!["tool".to_owned(), tool.to_owned()];
        add_fields(arguments, names, &mut fields);
        Self(Digest::of_fields(&fields))
    }

    /// Names the same request on this revision of a document.
    #[must_use]
    pub fn on(self, document: &DocName, revision: &RevisionPrefix) -> Self {
        Self(Digest::of_fields(&[&*self.to_string(), document.as_str(), revision.as_str()]))
    }

    /// Returns the ID of the same request by one editor, who knows the entries up to `origin.since`; `None` if
    /// `origin` has no `since`.
    pub(super) fn by(self, origin: &Origin) -> Option<Self> {
        let (own, since) = (self.to_string(), origin.since?.get().to_be_bytes());
        let (actor, editor) = (origin.actor.as_str(), origin.editor.unwrap_or_default().to_be_bytes());
        Some(Self(Digest::of_fields(&[own.as_bytes(), &since, actor.as_bytes(), &editor])))
    }
}

as_text!(RequestId);
display_inner!(RequestId);
not_shown!(RequestId);
parse_inner!(RequestId);

/// Adds the fields by which a JSON value is hashed, with the members of objects sorted. Its serialized text is not
/// hashed, because that depends on features of other crates. Members of `value` itself that `left_out` names are left
/// out.
fn add_fields(value: &Value, left_out: &[&str], fields: &mut Vec<String>) {
    match value {
        Value::Null => fields.push("null".to_owned()),
        Value::Bool(value) => fields.push(value.to_string()),
        Value::Number(number) => fields.extend(["number".to_owned(), number.to_string()]),
        Value::String(text) => fields.extend(["string".to_owned(), text.clone()]),
        Value::Array(items) => {
            fields.push(format!("array {}", items.len()));
            items.iter().for_each(|item| add_fields(item, &[], fields));
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().filter(|(name, _)| !left_out.contains(&name.as_str())).collect();
            members.sort_by_key(|(name, _)| name.as_str());
            fields.push(format!("object {}", members.len()));
            for (name, value) in members {
                fields.push(name.clone());
                add_fields(value, &[], fields);
            }
        }
    }
}
