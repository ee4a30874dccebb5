//! Any bytes: a document, and edits of it one after the other, of whose results only a part is parsed again.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/update_checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::check_updates(data);
});
