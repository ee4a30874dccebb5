//! How long a bullet is to be kept: `[ttl: 7d, since: 2026-11-21]` or `[expires: 2026-11-28]` (SPEC § 11).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::doc::MemoryDoc;
use super::outline::BulletId;
use crate::text::{Size, Timestamp, excerpt};

/// The longest text that is read as a duration.
const LONGEST: usize = 12;

/// A time to live: a number and one of the units `s`, `m`, `h`, `d`, `w`, as in `7d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ttl {
    // Invariant: digits and a unit, which stand for `duration`.
    written: String,
    duration: Duration,
}

impl Ttl {
    /// Returns the time that it stands for, in whole seconds.
    pub const fn duration(&self) -> Duration {
        self.duration
    }

    /// Returns its start as it is written: a date for days and weeks, else date and time.
    pub fn start(&self, now: Timestamp) -> String {
        if self.written.ends_with(['d', 'w']) { now.date() } else { now.to_string() }
    }
}

impl fmt::Display for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// A text that is no time to live.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("expected a number and one of `s`, `m`, `h`, `d`, `w`, such as `7d`, found `{found}`")]
pub struct InvalidTtl {
    /// What was given, cut to 80 characters.
    pub found: String,
}

impl fmt::Debug for InvalidTtl {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InvalidTtl").field("found", &Size(&self.found)).finish()
    }
}

impl FromStr for Ttl {
    type Err = InvalidTtl;

    fn from_str(text: &str) -> Result<Self, InvalidTtl> {
        let text = text.trim();
        let digits = text.strip_suffix(['s', 'm', 'h', 'd', 'w']).unwrap_or_default();
        let is_plain = !digits.is_empty() && text.len() <= LONGEST && digits.bytes().all(|byte| byte.is_ascii_digit());
        let duration = is_plain.then(|| humantime::parse_duration(text).ok()).flatten();
        let duration = duration.ok_or_else(|| InvalidTtl { found: excerpt(text, 80) })?;
        Ok(Self { written: text.to_owned(), duration })
    }
}

/// What the tags of a bullet say of how long it is to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lifetime {
    /// Nothing.
    Unlimited,
    /// It expires at this instant.
    Until(Timestamp),
    /// It has a TTL without a start: a hint, which nothing acts on alone.
    Hint,
    /// It has a TTL, a start or an end that cannot be read, and none that can.
    Unreadable,
}

impl MemoryDoc {
    /// Returns how long a bullet is to be kept. Of several ends, the first counts.
    pub fn lifetime(&self, id: BulletId) -> Lifetime {
        let tags = self.tags(id);
        let values = |name: &'static str| attributes(&tags, name);
        let starts = values("since").filter_map(|since| since.parse::<Timestamp>().ok());
        let ttls = || values("ttl").filter_map(|ttl| ttl.parse::<Ttl>().ok());
        let ends = values("expires").filter_map(|end| end.parse().ok());
        let run_out = starts.min().into_iter().flat_map(|start| ttls().map(move |ttl| start.after(ttl.duration())));
        match ends.chain(run_out).min() {
            Some(end) => Lifetime::Until(end),
            None if values("since").chain(values("expires")).any(|time| time.parse::<Timestamp>().is_err()) => {
                Lifetime::Unreadable
            }
            None if ttls().next().is_some() => Lifetime::Hint,
            None if values("ttl").next().is_some() => Lifetime::Unreadable,
            None => Lifetime::Unlimited,
        }
    }

    /// Reports whether a bullet has expired: its end is at `now` or lies before it.
    pub fn is_expired(&self, id: BulletId, now: Timestamp) -> bool {
        matches!(self.lifetime(id), Lifetime::Until(end) if end <= now)
    }

    /// Returns the date or instant that a bullet's tag `since` gives, whether or not it is the start of a TTL.
    pub fn dated(&self, id: BulletId) -> Option<Timestamp> {
        attributes(&self.tags(id), "since").find_map(|since| since.parse().ok())
    }
}

/// Returns the values of an attribute among tags.
fn attributes<'t>(tags: &'t [&str], name: &'static str) -> impl Iterator<Item = &'t str> {
    let value = move |tag: &&'t str| {
        tag.split_once(':').filter(|(own, _)| own.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    tags.iter().filter_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifetime(tags: &str) -> Lifetime {
        let doc = MemoryDoc::parse(format!("- {tags} x\n"));
        doc.outline().bullets_within(doc.span()).next().map_or(Lifetime::Unlimited, |id| doc.lifetime(id))
    }

    fn until(end: &str) -> Lifetime {
        end.parse().map_or(Lifetime::Unlimited, Lifetime::Until)
    }

    #[test]
    fn a_ttl_runs_from_its_start_and_an_end_stands_by_itself() {
        assert_eq!(lifetime("[ttl: 7d, since: 2026-11-21]"), until("2026-11-28"));
        assert_eq!(lifetime("[ttl: 90m] [since: 2026-11-21T23:00:00Z]"), until("2026-11-22T00:30:00Z"));
        assert_eq!(lifetime("[expires: 2026-11-28]"), until("2026-11-28T00:00:00Z"));
        assert_eq!(lifetime("[expires: 2026-11-28, ttl: 1w, since: 2026-11-01]"), until("2026-11-08"));
        assert_eq!(lifetime("[ttl: 7d]"), Lifetime::Hint);
        assert_eq!(lifetime("[since: 2026-11-21]"), Lifetime::Unlimited);
        assert_eq!(lifetime("[work]"), Lifetime::Unlimited);
        for unreadable in ["[ttl: soon]", "[expires: tomorrow]", "[ttl: 7d, since: monday]", "[ttl: 7 d]"] {
            assert_eq!(lifetime(unreadable), Lifetime::Unreadable, "{unreadable}");
        }
    }

    #[test]
    fn a_ttl_is_a_number_and_a_unit() {
        for (text, seconds) in [("1s", 1), ("2m", 120), ("3h", 10_800), ("7d", 604_800), (" 2w ", 1_209_600)] {
            assert_eq!(text.parse::<Ttl>().map(|ttl| ttl.duration().as_secs()), Ok(seconds), "{text}");
        }
        for wrong in ["", "d", "7", "-7d", "7x", "7.5d", "1d 2h", "7 d", "99999999999999999999w", "7D", "7month"] {
            assert!(wrong.parse::<Ttl>().is_err(), "{wrong}");
        }
    }
}
