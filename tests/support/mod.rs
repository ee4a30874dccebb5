//! What the integration tests share: the case runner, the invariants, the strategies, scratch directories.

pub mod any_calls;
pub mod cases;
pub mod changes;
pub mod checks;
pub mod compaction_calls;
pub mod compaction_checks;
pub mod compaction_draw;
pub mod compaction_facts;
pub mod compaction_scan;
pub mod dialects;
pub mod draws;
pub mod facts;
pub mod healing_checks;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod hostile_calls;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod hostile_pairs;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod hostile_patches;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod hostile_scenes;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod hostile_sections;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod hostile_sessions;
pub mod item_lists;
#[allow(missing_docs, reason = "steps say what they are by their names")]
pub mod items_model;
pub mod journal_checks;
#[allow(missing_docs, reason = "the reference matcher says it all in its names")]
pub mod matcher;
pub mod merge_checks;
pub mod outside;
pub mod owner_checks;
#[allow(clippy::missing_errors_doc, reason = "a refusal is its code")]
pub mod patch_checks;
pub mod readings;
pub mod scratch;
pub mod section_checks;
#[allow(missing_docs, reason = "steps say what they are by their names")]
pub mod session_model;
pub mod slips;
pub mod sloppy_calls;
pub mod soak;
#[allow(missing_docs, reason = "members are what they are called")]
pub mod stores;
pub mod strategies;
pub mod touched;
#[cfg(feature = "testing")]
pub mod update_checks;
pub mod writings;
