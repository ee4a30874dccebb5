//! What must be random: salts, attempts, the names of memories. From the operating system, and nowhere else in the library.

use super::StoreError;
use super::journal::{Attempt, MemoryId, Salt, Salts};

/// Draws the salts of one entry.
///
/// # Errors
///
/// The system has no random bytes.
pub(crate) fn salts() -> Result<Salts, StoreError> {
    Ok(Salts { content: Salt::new(bytes()?), states: Salt::new(bytes()?) })
}

/// Draws the name of an attempt.
///
/// # Errors
///
/// The system has no random bytes.
pub(crate) fn attempt() -> Result<Attempt, StoreError> {
    bytes().map(Attempt::new)
}

/// Draws the name of a memory.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn memory_id() -> Result<MemoryId, StoreError> {
    bytes().map(MemoryId::new)
}

fn bytes() -> Result<[u8; 16], StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Other(Box::new(error)))?;
    Ok(bytes)
}
