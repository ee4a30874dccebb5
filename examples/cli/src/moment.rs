//! Moments of the past as people write them, and instants as people read them.

use std::fs;
use std::io::Read as _;
use std::time::Duration;

use jiff::civil;
use jiff::tz::TimeZone;
use memdoc::memory::journal::{Checkpoint, Seq};
use memdoc::memory::{HistoryQuery, Moment};
use memdoc::text::excerpt;
use memdoc::{Memory, Timestamp};

use crate::failure::Failure;
use crate::place::look_at_all;

/// Reports whether an argument is a moment rather than the name of a document.
pub(crate) fn is_moment(text: &str) -> bool {
    text.starts_with('@') || number(text).is_some()
}

fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// Finds the last entry of a moment: of `12` the entry 12, of `-1` the one before the last, of `@2h` the last one two hours ago.
pub(crate) fn entry_at(memory: &Memory, text: &str) -> Result<Seq, Failure> {
    look_at_all(memory)?;
    let head = memory.head()?.seq;
    let seq = match (text.strip_prefix('@'), number(text)) {
        (Some(when), _) => match instant(memory, when) {
            Some(instant) => last_until(memory, instant)?,
            None => checkpoint_entry(when)?,
        },
        (None, Some(back)) if text.starts_with('-') => head.minus(back),
        (None, Some(seq)) => Seq::new(seq),
        (None, None) => return Err(unreadable(text)),
    };
    // Before the first entry there is nothing, as after it.
    let seq = seq.max(Seq::FIRST);
    Ok(if head == Seq::default() { Seq::FIRST } else { memory.entry(seq)?.seq() })
}

/// Returns the moment after an entry.
pub(crate) fn after(seq: Seq) -> Moment {
    Moment::After(seq)
}

fn unreadable(text: &str) -> Failure {
    let found = excerpt(text, 40);
    Failure::usage(format!(
        "expected a moment such as `12`, `-1`, `@2026-11-01`, `@2h` or `@FILE` of a checkpoint, found `{found}`"
    ))
}

fn last_until(memory: &Memory, until: Timestamp) -> Result<Seq, Failure> {
    let mut query = HistoryQuery::new();
    (query.until, query.limit) = (Some(until), 1);
    Ok(memory.history(&query)?.entries.first().map_or(Seq::FIRST, |row| row.entry.seq()))
}

/// Reads the entry of a checkpoint.
fn checkpoint_entry(file: &str) -> Result<Seq, Failure> {
    let mut line = String::new();
    let read = fs::File::open(file).and_then(|file| file.take(4096).read_to_string(&mut line));
    read.map_err(|_| unreadable(&format!("@{file}")))?;
    let checkpoint: Checkpoint = line.parse().map_err(|_| unreadable(&format!("@{file}")))?;
    Ok(checkpoint.head.seq)
}

/// Reads an instant: `2h` ago, or a date or a date with a time, here; without `@` likewise.
pub(crate) fn instant(memory: &Memory, text: &str) -> Option<Timestamp> {
    if let Some(ago) = ago(text) {
        return Some(Timestamp::from_seconds(memory.now().as_seconds().saturating_sub(ago.as_secs())));
    }
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return u64::try_from(instant.as_second()).ok().map(Timestamp::from_seconds);
    }
    let local: civil::DateTime = match text.parse::<civil::Date>() {
        Ok(date) if text.len() <= "2026-11-01".len() => date.at(0, 0, 0, 0),
        _ => text.parse().ok()?,
    };
    let second = local.to_zoned(TimeZone::system()).ok()?.timestamp().as_second();
    u64::try_from(second).ok().map(Timestamp::from_seconds)
}

/// Reads an instant of an option, for which an entry stands, too.
pub(crate) fn instant_of(memory: &Memory, text: &str) -> Result<Timestamp, Failure> {
    match instant(memory, text.trim_start_matches('@')) {
        Some(instant) => Ok(instant),
        None => Ok(memory.entry(entry_at(memory, text)?)?.time()),
    }
}

fn ago(text: &str) -> Option<Duration> {
    let unit = text.chars().next_back()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        _ => return None,
    };
    let count: u64 = text.strip_suffix(unit)?.parse().ok()?;
    Some(Duration::from_secs(count.saturating_mul(seconds)))
}

/// Writes an instant in the time of this place.
pub(crate) fn local(time: Timestamp) -> String {
    let instant = i64::try_from(time.as_seconds()).ok().and_then(|second| jiff::Timestamp::from_second(second).ok());
    instant.map_or_else(
        || time.to_string(),
        |instant| instant.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
    )
}

/// Writes how long ago something was.
pub(crate) fn since(now: Timestamp, time: Timestamp) -> String {
    let seconds = now.as_seconds().saturating_sub(time.as_seconds());
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)];
    let (unit, count) = units
        .into_iter()
        .map(|(unit, length)| (unit, seconds / length))
        .find(|(_, count)| *count > 0)
        .unwrap_or(("second", seconds));
    let plural = if count == 1 { "" } else { "s" };
    if unit == "day" && count > 30 { local(time) } else { format!("{count} {unit}{plural} ago") }
}
