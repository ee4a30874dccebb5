//! Any bytes: what is done to the lines of a journal.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/compaction_draw.rs"]
mod compaction_draw;
#[allow(dead_code)]
#[path = "../../tests/support/journal_checks.rs"]
mod journal_checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    journal_checks::check_journal(data);
});
