//! How long the long tests run.

/// Returns by how much the rounds of a long test are multiplied.
///
/// The environment variable `MEMDOC_SOAK` says it: 1 where it is not set, as in CI; 50 before a release.
pub fn factor() -> usize {
    std::env::var("MEMDOC_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}
