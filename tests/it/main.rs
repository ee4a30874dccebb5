//! The integration tests, as one binary: a module for each subject.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stderr,
    reason = "a test that meets what it did not expect stops and says so"
)]

#[path = "../support/mod.rs"]
pub mod support;

mod any_calls;
mod attacks_on_history;
mod backup;
mod between;
mod blocks;
mod canary;
mod carried;
mod cases;
mod characters;
mod compaction;
mod compactor;
#[cfg(feature = "testing")]
mod conformance;
mod corpus;
mod counted_keys;
mod data;
mod documents;
mod draws;
mod edits;
mod errors;
#[cfg(unix)]
mod file_store;
#[cfg(unix)]
mod file_store_editors;
#[cfg(unix)]
mod file_store_faults;
#[cfg(unix)]
mod file_store_kill;
#[cfg(unix)]
mod file_store_strange;
mod files;
mod floors;
mod git_apply;
mod guarded;
mod healing;
mod history;
mod history_edges;
mod hostile;
mod indentations;
mod item_places;
mod items;
#[cfg(feature = "testing")]
mod linear;
mod look_alikes;
mod lossless;
mod marks;
mod matches;
mod memory;
mod messages;

mod names;
mod notes;
mod others;
#[cfg(feature = "testing")]
mod outline;
mod overflow;
mod owners;
mod patch;
mod patch_data;
mod policies;
mod promises;
mod prompt;
mod quoted;
mod recall;
mod redaction;
mod released;
mod remember;
mod replace;
mod reserved;
mod schemas;
mod search;
mod sections;
mod session_model;
mod session_pairs;
mod sessions;
mod store;
mod structure;
mod sub_memory;
#[cfg(feature = "tiktoken")]
mod token_bounds;
mod tokens;
mod tool_sets;
mod toolbox;
mod validate;
mod values;
mod write_policy;
