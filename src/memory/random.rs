//! What must be random: salts, attempts, the names of memories. From the operating system, and nowhere else in the library.

use super::StoreError;
use super::journal::{Attempt, MemoryId, Salt};

/// Draws the salt of an entry.
///
/// # Errors
///
/// The system has no random bytes.
pub(crate) fn salt() -> Result<Salt, StoreError> {
    Ok(Salt::new(bytes()?))
}

/// Draws the name of an attempt.
///
/// # Errors
///
/// The system has no random bytes.
pub(crate) fn attempt() -> Result<Attempt, StoreError> {
    Ok(Attempt::new(bytes()?))
}

/// Draws the name of a memory.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn memory_id() -> Result<MemoryId, StoreError> {
    Ok(MemoryId::new(bytes()?))
}

/// Draws a number below 256.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn byte() -> Result<u8, StoreError> {
    let [byte, ..] = bytes()?;
    Ok(byte)
}

fn bytes() -> Result<[u8; 16], StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Other(Box::new(error)))?;
    Ok(bytes)
}
