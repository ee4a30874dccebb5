//! Any sequence of edits of bullets: the document agrees with vectors of strings after each.

#![no_main]

#[allow(dead_code)]
#[path = "../../tests/support/items_model.rs"]
mod model;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (mut model, steps) = model::read_steps(data);
    model::check_items(&mut model, &steps);
});
