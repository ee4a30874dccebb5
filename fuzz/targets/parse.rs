//! Any bytes: every text is a document, kept byte for byte.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/patch_checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::check_parse(&String::from_utf8_lossy(data));
});
