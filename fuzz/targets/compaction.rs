//! Any bytes: which invariant of compactions, and what memory, candidate and calls it is held against.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/compaction_calls.rs"]
mod compaction_calls;
#[allow(dead_code)]
#[path = "../../tests/support/compaction_checks.rs"]
mod compaction_checks;
#[allow(dead_code)]
#[path = "../../tests/support/compaction_draw.rs"]
mod compaction_draw;
#[allow(dead_code)]
#[path = "../../tests/support/compaction_facts.rs"]
mod compaction_facts;
#[path = "../../tests/support/compaction_scan.rs"]
mod compaction_scan;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    compaction_calls::check_any(data);
});
