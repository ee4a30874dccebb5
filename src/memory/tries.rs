//! Trying again, when another writer was first.

use std::time::{Duration, Instant};

use super::{MemoryError, StoreError, random};

/// How often something is tried: for about two seconds, if a try takes no time.
pub(super) const TRIES: u32 = 160;
/// So often it is tried even if a try takes long, and after that only until so much time has passed.
const LONG: (u32, Duration) = (16, Duration::from_secs(10));
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

/// Returns true if no more tries follow the one of this number, because they take long.
pub(super) fn is_late(round: u32, started: Instant) -> bool {
    round >= LONG.0 && started.elapsed() >= LONG.1
}

/// Calls `act` until it returns something else than `Contended`, with pauses, at most [`TRIES`] times.
///
/// # Errors
///
/// Those of `act`; `Contended` if others get in its way each time.
pub(super) fn until_free<T>(mut act: impl FnMut() -> Result<T, MemoryError>) -> Result<T, MemoryError> {
    let started = Instant::now();
    for round in 1..TRIES {
        match act() {
            Err(MemoryError::Contended { .. }) if !is_late(round, started) => nap(WAITS, round.saturating_sub(1))?,
            done => return done,
        }
    }
    act()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn tries_that_take_long_are_fewer() {
        let (now, (tries, time)) = (Instant::now(), LONG);
        let before = now.checked_sub(time).unwrap();
        assert_eq!(
            [(tries, now), (tries - 1, before), (tries, before)].map(|(round, started)| is_late(round, started)),
            [false, false, true]
        );
    }
}
