//! Random bytes from the operating system: for salts, attempts, the IDs of memories and waiting times.

use super::StoreError;

/// Draws random bytes.
///
/// # Errors
///
/// The system has none.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::Other(Box::new(error)))?;
    Ok(bytes)
}
