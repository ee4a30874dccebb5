//! How many cases a property draws.

use proptest::test_runner::Config;

/// How many cases a property draws where others would draw 256, unless `MEMDOC_CASES` says another number.
const USUAL: u32 = 96;

/// Returns the settings of a property that would draw so many cases where others draw 256: by default it draws fewer, as each run of
/// the tests is waited for.
pub fn usually(cases: u32) -> Config {
    let usual = std::env::var("MEMDOC_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(USUAL);
    let cases = u64::from(cases) * u64::from(usual) / 256;
    Config { cases: u32::try_from(cases.max(1)).unwrap_or(u32::MAX), ..Config::default() }
}
