//! Repairs as calls that a model can make as they stand.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::request::Repair;

/// How many characters the arguments of a call may have to be offered.
const LONGEST: usize = 600;

/// A call of a tool.
#[derive(Clone, Serialize, JsonSchema)]
pub(super) struct RepairCall {
    pub(super) tool: &'static str,
    #[schemars(with = "Map<String, Value>")]
    pub(super) arguments: Value,
}

/// Words a repair as a call, with `around` among its arguments; `None` if that would be too long.
pub(super) fn call_of(repair: &Repair, around: &[(&str, &str)]) -> Option<RepairCall> {
    let (tool, mut arguments) = match repair {
        Repair::DeleteBullet { key } => {
            ("edit_items", json!({"edits": [{"op": "delete", "target": {"key": key}, "children": "keep"}]}))
        }
        Repair::StartTtl { key, ttl } => ("set_ttl", json!({"targets": [{"key": key}], "ttl": ttl.to_string()})),
        Repair::ClearTtl { key } => ("clear_ttl", json!({"targets": [{"key": key}]})),
        Repair::DropCharacter { character, count } => {
            let old = character.to_string();
            ("replace_in_memory", json!({"old_string": old, "new_string": "", "expected_replacements": count}))
        }
        Repair::AddSection { .. } | Repair::CloseFence { .. } | Repair::ChangeId { .. } => {
            ("patch_memory", json!({"patch": repair.to_patch()?.to_string()}))
        }
    };
    let members = arguments.as_object_mut()?;
    members.extend(around.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))));
    let is_short = arguments.to_string().chars().take(LONGEST + 1).count() <= LONGEST;
    is_short.then_some(RepairCall { tool, arguments })
}
