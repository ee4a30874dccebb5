//! How many cases a property draws.

use proptest::test_runner::Config;

/// Returns the settings of a property that usually draws so many cases, where others draw 256; here all draw fewer, as `.cargo/config.toml` says.
///
/// `PROPTEST_CASES` asks for more or fewer of both.
pub fn usually(cases: u32) -> Config {
    let config = Config::default();
    let cases = u64::from(cases) * u64::from(config.cases) / 256;
    Config { cases: u32::try_from(cases.max(1)).unwrap_or(u32::MAX), ..config }
}
