//! A run of the properties that fails fails again: every run draws the same cases.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::support::draws::usually;
use crate::support::outside::skipped;

#[test]
fn every_run_draws_the_same_cases() {
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        return skipped("a seed, which cargo sets in this repository");
    }
    let drawn = || {
        let mut runner = TestRunner::default();
        (0..8).map(|_| any::<u64>().new_tree(&mut runner).unwrap().current()).collect::<Vec<_>>()
    };
    assert_eq!(drawn(), drawn());
}

#[test]
fn a_property_draws_as_many_cases_as_it_says() {
    let (config, drawn) = (usually(512), Cell::new(0));
    let cases = config.cases;
    proptest!(config, |(_ in any::<bool>())| drawn.set(drawn.get() + 1));
    assert_eq!(drawn.get(), cases, "is PROPTEST_CASES set? It overrides what each property says");
    assert_eq!(usually(1024).cases, 2 * cases);
    assert_eq!(usually(512).rng_seed, ProptestConfig::default().rng_seed);
}
