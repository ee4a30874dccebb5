//! Any bytes: a document, and edits of its lines, of which each line keeps its owners.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/compaction_draw.rs"]
mod compaction_draw;
#[allow(dead_code)]
#[path = "../../tests/support/owner_checks.rs"]
mod owner_checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    owner_checks::check_owners(data);
});
