//! Any sequence of calls of a session: drafts are what strings would be.

#![no_main]

#[path = "../../tests/support/session_model.rs"]
mod model;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    model::check_session(&model::read_steps(data));
});
