//! [`TracingObserver`]: calls of tools as events of `tracing`.

use crate::locate::Code;
use crate::toolbox::{Event, Observer};

/// Emits every call as an event of level `INFO` and target `memdoc`, with the fields of [`Event`]. A call that committed
/// nothing has no sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct TracingObserver;

impl Observer for TracingObserver {
    fn observe(&self, event: &Event<'_>) {
        let (tool, status) = (event.tool.unwrap_or("unknown"), event.status.as_str());
        let micros = u64::try_from(event.duration.as_micros()).unwrap_or(u64::MAX);
        match &event.committed {
            Some(done) => tracing::info!(
                target: "memdoc",
                tool,
                status,
                bytes_before = done.bytes.before,
                bytes_after = done.bytes.after,
                tokens_before = done.tokens.before,
                tokens_after = done.tokens.after,
                changed_sections = ?done.changed_sections,
                bullets_added = done.bullets.added,
                bullets_removed = done.bullets.removed,
                bullets_changed = done.bullets.changed,
                bullets_moved = done.bullets.moved,
                splices = done.splices,
                healed = ?done.healed,
                warnings = done.warnings,
                micros,
                "tool call"
            ),
            None => tracing::info!(
                target: "memdoc",
                tool,
                status,
                code = event.code.map(Code::as_str),
                failures = event.failures,
                micros,
                "tool call"
            ),
        }
    }
}
