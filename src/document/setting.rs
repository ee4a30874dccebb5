//! Which values of settings make sense.

use thiserror::Error;

/// A setting whose value is out of its range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected} for `{setting}`, found `{found}`")]
#[non_exhaustive]
pub struct InvalidSetting {
    /// The setting, as it is called in JSON, behind the group that it belongs to: `soft_limit`,
    /// `editing.preview_max_length`.
    pub setting: &'static str,
    /// What values it may have.
    pub expected: &'static str,
    /// The value.
    pub found: String,
}

/// Checks that a count is at least 1.
pub(crate) fn check_count(setting: &'static str, count: usize) -> Result<(), InvalidSetting> {
    match count {
        0 => Err(InvalidSetting { setting, expected: "1 or more", found: count.to_string() }),
        _ => Ok(()),
    }
}

/// Checks that a share is a number from 0 to 1.
pub(super) fn check_share(setting: &'static str, share: f64) -> Result<(), InvalidSetting> {
    match (0.0..=1.0).contains(&share) {
        true => Ok(()),
        false => Err(InvalidSetting { setting, expected: "a share from 0 to 1", found: share.to_string() }),
    }
}
