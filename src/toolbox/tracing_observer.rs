//! [`TracingObserver`]: calls of tools as events of `tracing`.

use crate::locate::Code;
use crate::toolbox::{Event, Observer};

/// Emits every call as an event of level `INFO` and target `memdoc`, with the fields of [`Event`]. A call that committed
/// nothing has no sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct TracingObserver;

impl Observer for TracingObserver {
    fn observe(&self, event: &Event<'_>) {
        let micros = u64::try_from(event.duration.as_micros()).unwrap_or(u64::MAX);
        let done = event.committed.as_ref();
        tracing::info!(
            target: "memdoc",
            tool = event.tool.unwrap_or("unknown"),
            status = event.status.as_str(),
            code = event.code.map(Code::as_str),
            failures = event.failures,
            bytes_before = done.map(|done| done.bytes.before),
            bytes_after = done.map(|done| done.bytes.after),
            tokens_before = done.map(|done| done.tokens.before),
            tokens_after = done.map(|done| done.tokens.after),
            changed_sections = done.map(|done| tracing::field::debug(done.changed_sections)),
            bullets_added = done.map(|done| done.bullets.added),
            bullets_removed = done.map(|done| done.bullets.removed),
            bullets_changed = done.map(|done| done.bullets.changed),
            bullets_moved = done.map(|done| done.bullets.moved),
            splices = done.map(|done| done.splices),
            healed = done.map(|done| tracing::field::debug(done.healed)),
            warnings = done.map(|done| done.warnings),
            micros,
            "tool call"
        );
    }
}
