//! Any bytes: a memory, a policy, and calls of any tool with any arguments.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/any_calls.rs"]
mod any_calls;
#[allow(dead_code)]
#[path = "../../tests/support/checks.rs"]
mod checks;
#[allow(dead_code)]
#[path = "../../tests/support/compaction_draw.rs"]
mod compaction_draw;
#[path = "../../tests/support/stores.rs"]
#[allow(dead_code, reason = "the rest is for the integration tests")]
mod stores;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    any_calls::check_calls(data);
});
