//! [`Tries`]: how often something is tried beside other writers, and how long is waited in between.

use std::time::Duration;

use super::{StoreError, random};

/// How often something is tried.
const MOST: u32 = 16;
/// The first wait, which is doubled, and the longest.
const WAITS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(250));

/// The tries of one call.
#[derive(Debug, Default)]
pub(super) struct Tries {
    done: u32,
}

impl Tries {
    /// Waits for the next try, not as long as others do; false if there is none.
    ///
    /// # Errors
    ///
    /// The system has no random numbers.
    pub(super) fn wait(&mut self) -> Result<bool, StoreError> {
        self.done = self.done.saturating_add(1);
        if self.done >= MOST {
            return Ok(false);
        }
        let (first, longest) = WAITS;
        let wait = longest.min(first.saturating_mul(1 << self.done.saturating_sub(1).min(8)));
        // Between a half and the whole.
        std::thread::sleep(wait.saturating_mul(256_u32.saturating_add(random::byte()?.into())) / 512);
        Ok(true)
    }
}
