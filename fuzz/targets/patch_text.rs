//! Any bytes: a patch and a document, between which stands a NUL.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/patch_checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    checks::check_patch_pair(&String::from_utf8_lossy(data));
});
