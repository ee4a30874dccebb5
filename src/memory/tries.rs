//! Trying again, when another writer was first.

use std::time::Duration;

use super::{MemoryError, StoreError, random};

/// How often something is tried: for about two seconds.
pub(super) const TRIES: u32 = 160;
/// The first wait, which doubles with each round, and the longest. Each time that a try fails, another writer has
/// succeeded: so nobody needs to wait for long, and a writer who did would only be overtaken again.
pub(super) const WAITS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(16));

/// Sleeps before another try. The time doubles with each round. At random, between a half and the whole of it is
/// slept, so that writers who have collided do not collide again.
///
/// # Errors
///
/// The system has no random numbers.
pub(super) fn nap((first, longest): (Duration, Duration), round: u32) -> Result<(), StoreError> {
    let wait = longest.min(first.saturating_mul(1 << round.min(8)));
    let [share] = random::bytes()?;
    std::thread::sleep(wait.saturating_mul(256_u32.saturating_add(share.into())) / 512);
    Ok(())
}

/// Calls `act` until it returns something else than `Contended`, with pauses, at most [`TRIES`] times.
///
/// # Errors
///
/// Those of `act`; `Contended` if others get in its way each time.
pub(super) fn until_free<T>(mut act: impl FnMut() -> Result<T, MemoryError>) -> Result<T, MemoryError> {
    for round in 1..TRIES {
        match act() {
            Err(MemoryError::Contended { .. }) => nap(WAITS, round.saturating_sub(1))?,
            done => return done,
        }
    }
    act()
}
