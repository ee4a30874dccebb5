//! [`Observer`]: reports each call to the host, without content; and `TracingObserver`, which reports them to
//! `tracing`.

use std::time::Duration;

use serde_json::Value;

use crate::edit::Receipt;
use crate::locate::Code;
use crate::toolbox::{Reply, Status};

/// Gets an [`Event`] for every call of a toolbox, before the reply is returned. It should be quick: the call waits
/// for it. A closure is an observer, too.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use memdoc::{InMemoryStore, Memory, Policy, Status, Toolbox, toolbox::Event};
///
/// let refused = Arc::new(AtomicUsize::new(0));
/// let count = Arc::clone(&refused);
/// let observer = move |event: &Event<'_>| {
///     if event.status == Status::Error {
///         count.fetch_add(1, Ordering::Relaxed);
///     }
/// };
/// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
/// let mut toolbox = Toolbox::new(memory).with_observer(observer);
/// toolbox.call_str("replace_in_memory", "{}");
/// assert_eq!(refused.load(Ordering::Relaxed), 1);
/// # Ok::<(), memdoc::document::InvalidSetting>(())
/// ```
pub trait Observer: Send + Sync {
    /// Gets the event of a call.
    fn observe(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + Send + Sync> Observer for F {
    fn observe(&self, event: &Event<'_>) {
        self(event);
    }
}

/// A call of a tool: codes, sizes and counts, and the titles of changed sections; no other content.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The tool; `None` if the model called an unknown one.
    pub tool: Option<&'static str>,
    /// The outcome of the call.
    pub status: Status,
    /// The code of a refusal.
    pub code: Option<Code>,
    /// How many parts of the request failed.
    pub failures: usize,
    /// The number of the entry in the journal.
    pub seq: Option<u64>,
    /// The receipt of the commit, for all its documents together. Its warnings have no message, which may quote the text.
    pub receipt: Option<&'a Receipt>,
    /// How long the call took.
    pub duration: Duration,
}

impl<'a> Event<'a> {
    pub(super) fn new(
        tool: Option<&'static str>,
        reply: &Reply,
        receipt: Option<&'a Receipt>,
        duration: Duration,
    ) -> Self {
        let failures = reply.get("failures").and_then(Value::as_array).map_or(0, Vec::len);
        let seq = reply.get("seq").and_then(Value::as_u64);
        Self { tool, status: reply.status(), code: reply.code(), failures, seq, receipt, duration }
    }
}

/// Emits each call as an event of level `INFO` and target `memdoc`, with the fields of [`Event`]. A call without a
/// commit has no sizes.
#[cfg(feature = "tracing")]
#[derive(Clone, Copy, Debug, Default)]
pub struct TracingObserver;

#[cfg(feature = "tracing")]
impl Observer for TracingObserver {
    fn observe(&self, event: &Event<'_>) {
        let micros = u64::try_from(event.duration.as_micros()).unwrap_or(u64::MAX);
        let receipt = event.receipt;
        tracing::info!(
            target: "memdoc",
            tool = event.tool.unwrap_or("unknown"),
            status = event.status.as_str(),
            code = event.code.map(Code::as_str),
            failures = event.failures,
            seq = event.seq,
            bytes_before = receipt.map(|receipt| receipt.bytes.before),
            bytes_after = receipt.map(|receipt| receipt.bytes.after),
            tokens_before = receipt.map(|receipt| receipt.tokens.before),
            tokens_after = receipt.map(|receipt| receipt.tokens.after),
            changed_sections = receipt.map(|receipt| tracing::field::debug(&receipt.changed_sections)),
            bullets_added = receipt.map(|receipt| receipt.bullets.added),
            bullets_removed = receipt.map(|receipt| receipt.bullets.removed),
            bullets_changed = receipt.map(|receipt| receipt.bullets.changed),
            bullets_moved = receipt.map(|receipt| receipt.bullets.moved),
            splices = receipt.map(|receipt| receipt.splices),
            healed = receipt.map(|receipt| tracing::field::debug(&receipt.healed)),
            warnings = receipt.map(|receipt| receipt.warnings.len()),
            micros,
            "tool call"
        );
    }
}
