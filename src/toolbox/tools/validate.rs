//! `validate_memory`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::document::MemoryDoc;
use crate::memory::{DocName, Unusable};
use crate::request::{Repair, Violation, validate};
use crate::text::{excerpt, visible};
use crate::toolbox::context::Context;
use crate::toolbox::definition::{Answer, Tool};
use crate::toolbox::retry::{ToolCall, tried};
use crate::toolbox::{Reply, Status};

/// How many files a reply lists that are not read.
const MOST_FILES: usize = 10;
/// How many violations a reply lists.
const MAX_ROWS: usize = 50;

/// Lists what is wrong with your memory: size, missing sections, duplicates, open code fences,
/// malformed tags, expired bullets, invisible characters, look-alikes. A `retry` is a call that
/// mends it; make it only if you agree. Use it before a clean-up.
/// Example: {}
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ValidateMemory {}

impl Tool for ValidateMemory {
    fn run(self, cx: &mut Context<'_>) -> Answer {
        let name = cx.document()?;
        let memory = cx.desk.memory();
        let doc = memory.read(&name)?;
        let all = validate(&doc, memory.now());
        let unusable = if cx.call.arguments["document"].is_null() { memory.unusable()? } else { Vec::new() };
        let message = match all.len() {
            0 => "nothing is wrong".to_owned(),
            1 => "1 violation".to_owned(),
            count => format!("{count} violations"),
        };
        let unread = format!("; files that are not read: {}", unusable.len());
        let message = if unusable.is_empty() { message } else { message + &unread };
        let is_shown = cx.desk.known.latest(&name).is_some_and(|known| known.believed().revision() == doc.revision())
            && !doc.policy().strict;
        let around = around(&name, &doc);
        let more = Some(all.len().saturating_sub(MAX_ROWS)).filter(|more| *more > 0);
        let violations = all.iter().take(MAX_ROWS).map(|violation| row(violation, cx, &around, is_shown));
        let violations: Vec<_> = violations.chain(unusable.iter().take(MOST_FILES).map(unusable_file)).collect();
        Ok(Reply::new(Status::Ok, &json!({"violations": violations, "more": more, "tokens": doc.tokens()}))
            .with_revision(doc.revision())
            .with_message(message.as_str()))
    }
}

/// Tells of a file that looks like a document and is none. Only a person can do something about it.
fn unusable_file(unusable: &Unusable) -> Value {
    let message = format!("the file `{}` is not read: {}", visible(&excerpt(&unusable.file, 80)), unusable.why);
    json!({"code": "unusable_file", "message": message})
}

fn row(violation: &Violation, cx: &Context<'_>, around: &Map<String, Value>, is_shown: bool) -> Value {
    let retry = call_of(violation, around, is_shown);
    json!({
        "code": violation.kind.code(),
        "line": violation.line,
        "section": violation.section.as_deref().map(|path| excerpt(path, 80)),
        "key": violation.key,
        "message": excerpt(&violation.kind.to_string(), 300),
        "retry": retry.filter(|retry| tried(cx.desk, cx.call.offered, retry).is_ok()),
    })
}

/// Returns the arguments that every repair needs: its document, and the revision on which it is right.
fn around(name: &DocName, doc: &MemoryDoc) -> Map<String, Value> {
    let document = (*name != DocName::memory()).then(|| ("document".to_owned(), name.as_str().into()));
    document.into_iter().chain([("base_revision".to_owned(), doc.revision().short().into())]).collect()
}

/// Returns the call that takes a violation away. Of a text that was shown it names no revision, so that another may go before it, unless
/// it counts bullets of one key.
fn call_of(violation: &Violation, around: &Map<String, Value>, is_shown: bool) -> Option<ToolCall> {
    let key = violation.key.as_ref()?;
    let (target, names_base) = (json!({"key": key}), !is_shown || key.contains('#'));
    let (tool, mut arguments) = match violation.fix.as_ref()? {
        Repair::DeleteBullet => ("edit_items", json!({"edits": [{"op": "delete", "target": target}]})),
        Repair::StartTtl(ttl) => ("set_ttl", json!({"targets": [target], "ttl": ttl.to_string()})),
        Repair::ClearTtl => ("clear_ttl", json!({"targets": [target]})),
    };
    let around = around.iter().filter(|(name, _)| names_base || *name != "base_revision");
    arguments.as_object_mut()?.extend(around.map(|(name, value)| (name.clone(), value.clone())));
    Some(ToolCall { tool, arguments })
}
