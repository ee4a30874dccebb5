//! Lifetimes: the tags that say when a bullet expires, `[ttl: 7d, since: 2026-11-21]` or `[expires: 2026-11-28]`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::content::attribute;
use super::node::BulletRef;
use crate::text::{Timestamp, Unreadable};

/// The length of the longest text that is read as a duration.
const LONGEST: usize = 12;

/// A time to live: a number of more than 0 and one of the units `s`, `m`, `h`, `d`, `w`, as in `7d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ttl {
    // Invariant: digits and a unit, such as `7d`; `duration` is their value.
    written: String,
    duration: Duration,
}

impl Ttl {
    /// Returns the duration, in whole seconds.
    pub const fn duration(&self) -> Duration {
        self.duration
    }

    /// Returns the value of the tag `since` for a TTL that starts at `now`: a date for days and weeks, else date and
    /// time.
    pub fn start(&self, now: Timestamp) -> String {
        if self.written.ends_with(['d', 'w']) { now.date() } else { now.to_string() }
    }
}

impl fmt::Display for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl FromStr for Ttl {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let text = text.trim();
        let digits = text.strip_suffix(['s', 'm', 'h', 'd', 'w']).unwrap_or_default();
        let is_plain = !digits.is_empty() && text.len() <= LONGEST && digits.bytes().all(|byte| byte.is_ascii_digit());
        let duration = humantime::parse_duration(text).ok().filter(|duration| is_plain && !duration.is_zero());
        let expected = "a number of more than 0 and one of `s`, `m`, `h`, `d`, `w`, such as `7d`";
        let duration = duration.ok_or_else(|| Unreadable::new(expected, text))?;
        Ok(Self { written: text.to_owned(), duration })
    }
}

/// When a bullet is to expire: a time to live such as `7d`, a date, or an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expiry {
    /// After a time.
    After {
        /// The time.
        ttl: Ttl,
        /// When it starts, which may lie in the past; `None` when it is set.
        start: Option<Timestamp>,
    },
    /// At this instant; a date means its beginning, in UTC.
    At(Timestamp),
}

impl Expiry {
    /// Returns when a bullet that gets this expiry at `now` expires.
    pub fn end(&self, now: Timestamp) -> Timestamp {
        match self {
            Self::After { ttl, start: Some(start) } => start.after(ttl.duration()),
            // The tag `since` of a TTL in days is a date, so the TTL counts from 00:00.
            Self::After { ttl, start: None } => ttl.start(now).parse().unwrap_or(now).after(ttl.duration()),
            Self::At(end) => *end,
        }
    }

    /// Returns the tags that a bullet with this expiry gets at `now`: `ttl` and `since`, or `expires`.
    pub fn tags(&self, now: Timestamp) -> Vec<String> {
        match self {
            Self::After { ttl, start } => {
                let written = ttl.start(start.unwrap_or(now));
                // A given start is written as a date only if it is 00:00. Otherwise the bullet would expire too early.
                let exact = start.filter(|start| written.parse() != Ok(*start));
                let start = exact.map_or(written, |start| start.to_string());
                vec![format!("ttl: {ttl}"), format!("since: {start}")]
            }
            Self::At(end) => vec![format!("expires: {}", end.shortest())],
        }
    }
}

/// How an expiry may be written.
const EXPIRY: &str = "a duration of more than 0 such as `7d` (`s`, `m`, `h`, `d`, `w`), a date such as `2026-12-31`, or an instant such as \
                      `2026-12-31T18:00:00Z`";

impl FromStr for Expiry {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let text = text.trim();
        let end = |_| text.parse().map(Self::At);
        text.parse().map(|ttl| Self::After { ttl, start: None }).or_else(end).map_err(|_| Unreadable::new(EXPIRY, text))
    }
}

impl<'a> BulletRef<'a> {
    /// Returns when the bullet expires. If the tags give several ends, the earliest counts. A TTL without a start has
    /// no effect.
    pub fn expires_at(self) -> Option<Timestamp> {
        end_of(&self.tags())
    }

    /// Reports whether the bullet has expired: its end is at `now` or lies before it.
    pub fn is_expired(self, now: Timestamp) -> bool {
        self.expires_at().is_some_and(|end| end <= now)
    }

    /// Returns the first TTL that can be parsed.
    pub fn ttl(self) -> Option<Ttl> {
        attributes(&self.tags(), "ttl").find_map(|ttl| ttl.parse().ok())
    }

    /// Returns the date or instant that the tag `since` gives, whether or not it is the start of a
    /// TTL.
    pub fn dated(self) -> Option<Timestamp> {
        attributes(&self.tags(), "since").find_map(|since| since.parse().ok())
    }
}

/// Returns the first of the tags `ttl`, `since` and `expires` whose value cannot be parsed. A `since` without a `ttl`
/// is left out: it may mean something else.
fn unreadable_lifetime<'t>(tags: &[&'t str]) -> Option<&'t str> {
    let has_ttl = attributes(tags, "ttl").next().is_some();
    let is_unreadable = |(name, value): (&str, &str)| match name.to_ascii_lowercase().as_str() {
        "ttl" => value.parse::<Ttl>().is_err(),
        "expires" => value.parse::<Timestamp>().is_err(),
        "since" => has_ttl && value.parse::<Timestamp>().is_err(),
        _ => false,
    };
    tags.iter().copied().find(|tag| attribute(tag).is_some_and(is_unreadable))
}

/// Returns the first tag because of which the tags do not give exactly one end: one whose value cannot be parsed, a
/// second end (`ttl` or `expires`), or a second `since`.
pub(crate) fn flawed_lifetime<'t>(tags: &[&'t str]) -> Option<&'t str> {
    let second =
        |names: &[&str]| tags.iter().copied().filter(|tag| names.iter().any(|name| is_attribute(tag, name))).nth(1);
    unreadable_lifetime(tags).or_else(|| second(&["ttl", "expires"])).or_else(|| second(&["since"]))
}

/// The attributes of a lifetime, in the order in which they are written.
pub(crate) const LIFETIME: [&str; 3] = ["ttl", "since", "expires"];

/// Reports whether a tag is an attribute of a lifetime.
pub(crate) fn is_lifetime(tag: &str) -> bool {
    LIFETIME.iter().any(|name| is_attribute(tag, name))
}

pub(crate) fn is_attribute(tag: &str, name: &str) -> bool {
    attribute(tag).is_some_and(|(own, _)| own.eq_ignore_ascii_case(name))
}

/// Returns the earliest end that the tags give: `expires`, or `ttl` counted from `since`.
pub(crate) fn end_of(tags: &[&str]) -> Option<Timestamp> {
    let ends = attributes(tags, "expires").filter_map(|end| end.parse().ok());
    let start = attributes(tags, "since").filter_map(|since| since.parse::<Timestamp>().ok()).min();
    let end_of_ttl = |ttl: &str| Some(start?.after(ttl.parse::<Ttl>().ok()?.duration()));
    ends.chain(attributes(tags, "ttl").filter_map(end_of_ttl)).min()
}

/// Returns the tag `since` that is missing if these tags have a TTL without a start. The TTL then starts at `now`.
pub(crate) fn missing_start(tags: &[&str], now: Timestamp) -> Option<String> {
    let ttl: Ttl = attributes(tags, "ttl").find_map(|ttl| ttl.parse().ok())?;
    attributes(tags, "since").next().is_none().then(|| format!("since: {}", ttl.start(now)))
}

/// Returns the values of an attribute among tags.
fn attributes<'t>(tags: &[&'t str], name: &'static str) -> impl Iterator<Item = &'t str> {
    let own = tags.iter().filter_map(|tag| attribute(tag));
    own.filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::super::MemoryDoc;
    use super::*;

    #[test]
    fn a_ttl_runs_from_its_start_and_an_end_stands_by_itself() {
        let doc = |tags: &str| MemoryDoc::parse(format!("- {tags} x\n"));
        let end = |tags| doc(tags).bullets().find_map(BulletRef::expires_at);
        let at = |end: &str| end.parse().ok();
        assert_eq!(end("[ttl: 7d, since: 2026-11-21]"), at("2026-11-28"));
        assert_eq!(end("[ttl: 90m] [since: 2026-11-21T23:00:00Z]"), at("2026-11-22T00:30:00Z"));
        assert_eq!(end("[expires: 2026-11-28]"), at("2026-11-28T00:00:00Z"));
        assert_eq!(end("[expires: 2026-11-28, ttl: 1w, since: 2026-11-01]"), at("2026-11-08"));
        let is_readable = |tags| doc(tags).bullets().all(|bullet| flawed_lifetime(&bullet.tags()).is_none());
        for without in ["[ttl: 7d]", "[since: 2026-11-21]", "[work]"] {
            assert!(end(without).is_none() && is_readable(without), "{without}");
        }
        for unreadable in ["[ttl: soon]", "[expires: tomorrow]", "[ttl: 7d, since: monday]", "[ttl: 7 d]"] {
            assert!(end(unreadable).is_none() && !is_readable(unreadable), "{unreadable}");
        }
    }

    #[test]
    fn an_expiry_is_a_duration_a_date_or_an_instant() {
        let tags = |text: &str| {
            let now = Timestamp::from_seconds(1_795_251_600);
            text.parse::<Expiry>().map_or(Vec::new(), |expiry| expiry.tags(now))
        };
        assert_eq!(tags("7d"), ["ttl: 7d", "since: 2026-11-21"]);
        assert_eq!(tags("90m"), ["ttl: 90m", "since: 2026-11-21T09:00:00Z"]);
        assert_eq!(tags(" 2026-12-31 "), ["expires: 2026-12-31"]);
        assert_eq!(tags("2026-12-31T00:00:00Z"), ["expires: 2026-12-31"]);
        for wrong in ["", "soon", "2026-02-30", "7 days"] {
            assert!(wrong.parse::<Expiry>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_ttl_is_a_number_and_a_unit() {
        for (text, seconds) in [("1s", 1), ("2m", 120), ("3h", 10_800), ("7d", 604_800), (" 2w ", 1_209_600)] {
            assert_eq!(text.parse::<Ttl>().map(|ttl| ttl.duration().as_secs()), Ok(seconds), "{text}");
        }
        for wrong in [
            "",
            "d",
            "7",
            "-7d",
            "7x",
            "7.5d",
            "1d 2h",
            "7 d",
            "99999999999999999999w",
            "7D",
            "7month",
            "0000000000007d",
        ] {
            assert!(wrong.parse::<Ttl>().is_err(), "{wrong}");
        }
    }
}
