//! The manual: one page for each thing that a host has to know.

#[doc = include_str!("format.md")]
pub mod format {}

#[doc = include_str!("patches.md")]
#[cfg(feature = "toolbox")]
pub mod patches {}

#[doc = include_str!("files.md")]
#[cfg(feature = "toolbox")]
pub mod files {}

#[doc = include_str!("sessions.md")]
#[cfg(feature = "toolbox")]
pub mod sessions {}

#[doc = include_str!("compaction.md")]
#[cfg(feature = "toolbox")]
pub mod compaction {}

#[doc = include_str!("journal.md")]
pub mod journal {}

#[doc = include_str!("stores.md")]
pub mod stores {}

#[doc = include_str!("prompt.md")]
#[cfg(feature = "toolbox")]
pub mod prompt {}
