//! Any bytes: a document, and two edits of it that are merged.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/compaction_draw.rs"]
mod compaction_draw;
#[allow(dead_code)]
#[path = "../../tests/support/merge_checks.rs"]
mod merge_checks;
#[allow(dead_code)]
#[path = "../../tests/support/owner_checks.rs"]
mod owner_checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    merge_checks::check_merge(data);
});
