//! What to send instead of an edit of bullets that is refused.

use serde_json::json;

use super::{ToolDefinition, phrase};
use crate::request::{BulletRefusal, Clash};

/// Returns the hint that the refusal ends with.
pub(super) fn bullet_hint(tool: &ToolDefinition, refusal: &BulletRefusal) -> String {
    match refusal {
        BulletRefusal::NoBullet { .. } => {
            "name the bullet in the target by \"contains\", \"equals\", \"key\", or \"index\" with \"expect\""
                .to_owned()
        }
        BulletRefusal::Duplicate { line, .. } if !tool.takes(&["edits"]) => {
            format!("leave the operation out if the bullet on line {line} is meant")
        }
        BulletRefusal::Duplicate { key, tags, .. } => {
            let edits = json!([{"op": "tag", "target": {"key": key}, "tags": tags}]);
            format!("if that one is meant, send \"edits\": {edits} instead; else set \"allow_duplicate\" to true")
        }
        BulletRefusal::NeedsNumber { text, .. } if tool.takes(&["patch"]) => {
            format!("write the line with the number that is meant, as in {}", phrase::quoted(&format!("+{text}")))
        }
        BulletRefusal::NeedsNumber { text, .. } => {
            let argument = if tool.takes(&["ops"]) { "sub_memory" } else { "text" };
            format!("begin \"{argument}\" with the number that is meant, as in {}", phrase::quoted(text))
        }
        BulletRefusal::TwoLists { list } => {
            let list = phrase::destination(list);
            format!(
                "set \"target\" to {list}, or leave out \"section\" and \"block\" in \"to\" for the list of the target"
            )
        }
        BulletRefusal::SameBullet { first, second, clash, .. } => clash_hint(clash, first + 1, second + 1),
        BulletRefusal::HasChildren { .. } => {
            "in edit_items, set \"children\" to \"delete\" to delete them too, or to \"keep\" to move them up a level"
                .to_owned()
        }
    }
}

/// Says how parts that change one bullet are sent, if not together.
fn clash_hint(clash: &Clash, first: usize, second: usize) -> String {
    match clash {
        Clash::Twice => format!("keep one of the two, and leave out part {first} or part {second}"),
        Clash::Deleted => {
            format!(
                "leave out part {first} if all of it is to go; else send part {first} first, and part {second} in a second call"
            )
        }
        _ => format!("send part {first} first, and part {second} in a second call"),
    }
}
