//! What must be random: salts, attempts, the names of memories. From the operating system, and nowhere else in the library.

use super::StoreError;
use super::journal::{Attempt, MemoryId, Salt};

/// Draws the salt of an entry.
///
/// # Errors
///
/// The system has no random bytes.
pub(crate) fn salt() -> Result<Salt, StoreError> {
    let [salt] = bytes()?;
    Ok(Salt::new(salt))
}

/// Draws the name of an attempt.
///
/// # Errors
///
/// The system has no random bytes.
pub(crate) fn attempt() -> Result<Attempt, StoreError> {
    let [attempt] = bytes()?;
    Ok(Attempt::new(attempt))
}

/// Draws the name of a memory.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn memory_id() -> Result<MemoryId, StoreError> {
    let [id] = bytes()?;
    Ok(MemoryId::new(id))
}

/// Draws a number below 256.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn byte() -> Result<u8, StoreError> {
    let [[byte, ..]] = bytes()?;
    Ok(byte)
}

/// Draws several times 16 bytes, at once: the system is asked, which takes as long as hashing a few hundred bytes.
fn bytes<const N: usize>() -> Result<[[u8; 16]; N], StoreError> {
    let mut bytes = [[0; 16]; N];
    getrandom::fill(bytes.as_flattened_mut()).map_err(|error| StoreError::Other(Box::new(error)))?;
    Ok(bytes)
}
