//! What to send instead of an edit of bullets that is refused.

use super::phrase::HINT;
use super::{ToolDefinition, phrase};
use crate::request::{BulletRefusal, Clash, Duplicate, ItemOp, NotTaken};

/// Returns the hint that the refusal ends with.
pub(super) fn bullet_hint(tool: &ToolDefinition, refusal: &BulletRefusal) -> String {
    match refusal {
        BulletRefusal::NoBullet { .. } => {
            "name the bullet in the target by \"contains\", \"equals\", \"key\", or \"index\" with \"expect\""
                .to_owned()
        }
        BulletRefusal::Duplicate(duplicate) => duplicate_hint(tool, duplicate),
        BulletRefusal::InsertedTwice { second, .. } => format!("leave part {} out", second + 1),
        BulletRefusal::NeedsNumber { text, .. } if tool.takes(&["patch"]) => {
            format!("write the line with the number that is meant, as in {}", phrase::quoted(&format!("+{text}")))
        }
        BulletRefusal::NeedsNumber { text, .. } => {
            let argument = if tool.takes(&["ops"]) { "sub_memory" } else { "text" };
            format!("begin \"{argument}\" with the number that is meant, as in {}", phrase::quoted(text))
        }
        BulletRefusal::NotTaken(refused) => not_taken_hint(refused),
        BulletRefusal::TwoLists { list } => {
            let list = phrase::destination(list);
            format!(
                "set \"target\" to {list}, or leave out \"section\" and \"block\" in \"to\" for the list of the target"
            )
        }
        BulletRefusal::SameBullet { first, second, clash, .. } => clash_hint(clash, first + 1, second + 1),
        BulletRefusal::HasChildren { are_changed: true, .. } => {
            "other parts change its children: send those, and then this part in a second call".to_owned()
        }
        BulletRefusal::HasChildren { .. } => {
            "in edit_items, set \"children\" to \"delete\" to delete them too, or to \"keep\" to move them up a level"
                .to_owned()
        }
    }
}

/// Says how parts that change one bullet are sent, if not together.
fn clash_hint(clash: &Clash, first: usize, second: usize) -> String {
    match clash {
        Clash::Twice | Clash::Circle => format!("keep one of the two, and leave out part {first} or part {second}"),
        Clash::Deleted => {
            format!(
                "leave out part {first} if all of it is to go; else send part {first} first, and part {second} in a second call"
            )
        }
        _ => format!("send part {first} first, and part {second} in a second call"),
    }
}

/// Says how to send what an op does not do.
fn not_taken_hint(refused: &NotTaken) -> String {
    let member = match refused.also {
        ItemOp::Reorder { .. } => "to",
        ItemOp::Update { .. } => "text",
        ItemOp::Delete { .. } => "children",
        _ => "tags",
    };
    let edits = phrase::edits(&refused.instead);
    match !refused.instead.is_empty() && edits.chars().count() <= HINT - 100 {
        true => format!("for both, send \"edits\": {edits} instead of this one; else leave out \"{member}\""),
        false => format!("leave out \"{member}\""),
    }
}

/// Says what to send instead of a bullet that is there already.
fn duplicate_hint(tool: &ToolDefinition, duplicate: &Duplicate) -> String {
    if tool.takes(&["edits"]) && duplicate.is_kept {
        return format!(
            "leave the part out if the bullet on line {} is meant; else set \"allow_duplicate\" to true",
            duplicate.line
        );
    }
    if tool.takes(&["edits"]) {
        let edits = phrase::retagged(duplicate);
        if edits.chars().count() <= HINT - 100 {
            return format!(
                "if that one is meant, send \"edits\": {edits} instead; else set \"allow_duplicate\" to true"
            );
        }
    }
    format!("leave the operation out if the bullet on line {} is meant", duplicate.line)
}
