//! The host's clock.

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use crate::text::Timestamp;

/// Tells the time. Only `memory/` asks; plans are given what it says. A closure is one, too.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::from(SystemTime::now())
    }
}

/// The clock of a store: the host's, once a memory has handed it over.
#[derive(Clone)]
pub(crate) struct HostClock(pub(crate) Arc<dyn Clock>);

impl fmt::Debug for HostClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HostClock(..)")
    }
}

impl Default for HostClock {
    fn default() -> Self {
        Self(Arc::new(SystemClock))
    }
}

impl Clock for HostClock {
    fn now(&self) -> Timestamp {
        self.0.now()
    }
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }
}

impl<F: Fn() -> Timestamp + Send + Sync> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}
