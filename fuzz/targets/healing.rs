//! Any bytes: a memory of facts that nearly read alike, and a call that seeks one of them, or nearly one.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/compaction_draw.rs"]
mod compaction_draw;
#[allow(dead_code)]
#[path = "../../tests/support/facts.rs"]
mod facts;
#[allow(dead_code)]
#[path = "../../tests/support/healing_checks.rs"]
mod healing_checks;
#[allow(dead_code)]
#[path = "../../tests/support/readings.rs"]
mod readings;
#[allow(dead_code)]
#[path = "../../tests/support/slips.rs"]
mod slips;
#[allow(dead_code)]
#[path = "../../tests/support/sloppy_calls.rs"]
mod sloppy_calls;
#[allow(dead_code)]
#[path = "../../tests/support/touched.rs"]
mod touched;
#[allow(dead_code)]
#[path = "../../tests/support/writings.rs"]
mod writings;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    healing_checks::check_healing(data);
});
