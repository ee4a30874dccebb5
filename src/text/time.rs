//! Instants, as seconds: the library has no clock of its own.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Unreadable, as_text};

/// An instant in whole seconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The last second of the year 9999. RFC 3339 cannot write a later instant.
    const LAST: u64 = 253_402_300_799;

    /// Creates the instant `seconds` after the epoch, at most the end of the year 9999.
    pub const fn from_seconds(seconds: u64) -> Self {
        Self(if seconds > Self::LAST { Self::LAST } else { seconds })
    }

    /// Returns the seconds since the epoch.
    pub const fn as_seconds(self) -> u64 {
        self.0
    }

    /// Returns the instant that lies `duration` later, at most the end of the year 9999.
    #[must_use]
    pub const fn after(self, duration: Duration) -> Self {
        Self::from_seconds(self.0.saturating_add(duration.as_secs()))
    }

    /// Returns the date alone if the instant is 00:00 UTC, else date and time.
    pub(crate) fn shortest(self) -> String {
        if self.date().parse() == Ok(self) { self.date() } else { self.to_string() }
    }

    /// Returns the date in UTC, such as `2026-11-21`.
    pub fn date(self) -> String {
        self.to_string().chars().take_while(|c| *c != 'T').collect()
    }
}

impl From<SystemTime> for Timestamp {
    /// Converts a reading of the host's clock; an instant before 1970 becomes the epoch.
    fn from(time: SystemTime) -> Self {
        Self::from_seconds(time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
    }
}

impl fmt::Display for Timestamp {
    /// Writes the instant as RFC 3339 in UTC, such as `2026-11-21T09:00:00Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(self.0)).fmt(f)
    }
}

as_text!(Timestamp);

impl FromStr for Timestamp {
    type Err = Unreadable;

    /// Reads an RFC 3339 instant in UTC, or a date, which means its 00:00 UTC.
    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let time = if text.len() == "2026-11-21".len() { "T00:00:00Z" } else { "" };
        let read = humantime::parse_rfc3339(&format!("{text}{time}"));
        let expected = "a date such as `2026-11-21` or an instant such as `2026-11-21T09:00:00Z`";
        read.map(Self::from).map_err(|_| Unreadable::new(expected, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_the_instant_at_which_it_begins() {
        assert_eq!("2026-11-21".parse(), "2026-11-21T00:00:00Z".parse::<Timestamp>());
        assert_eq!("2026-11-21".parse::<Timestamp>().map(Timestamp::date), Ok("2026-11-21".to_owned()));
        for wrong in ["2026-02-30", "2026-13-01", "2026-1-1", "20261121", "today", "2026-11-21T09:00", ""] {
            assert!(wrong.parse::<Timestamp>().is_err(), "{wrong}");
        }
    }
}
