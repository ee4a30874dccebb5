//! Staged work: how many changes may be pending, how they are shown, how deep tasks nest.

mod config;

pub use config::{EditingConfig, HistoryConfig, MatchingConfig, PreviewMode, SessionConfig, TaskConfig};
