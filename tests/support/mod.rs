//! What the integration tests share: the case runner, the invariants, the strategies, scratch directories.

pub mod cases;
pub mod checks;
pub mod scratch;
pub mod strategies;
