//! A run of the properties that fails fails again: every run draws the same cases.

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
fn a_property_draws_more_if_all_do() {
    let all = ProptestConfig::default().cases;
    assert_eq!(usually(256).cases, all);
    assert_eq!(usually(512).cases, 2 * all);
    assert_eq!(usually(512).rng_seed, ProptestConfig::default().rng_seed);
}
