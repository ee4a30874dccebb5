//! The log of written notes: one line for each write, under a heading for each day.
//!
//! If there is no room for another line, the oldest days are removed; the journal still has them. Days in which people
//! wrote something stay. If that leaves no room, or the line would be in a fence that is not closed, no line is added.
//! In each case there is a warning.

use super::LEVEL;
use crate::document::{MemoryDoc, SectionRef};
use crate::edit::compose::{NewSection, append_point, arrange_sections, extent_without_blanks};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise, Warning};
use crate::locate::Scope;
use crate::request::{Request, RequestError, View};
use crate::text::{Content, Line, Span, Timestamp};

/// The word between the time and the text of each line.
const WROTE: &str = "wrote ";

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityLine {
    what: Content,
}

impl ActivityLine {
    /// Creates a line that tells `what` was written, at the time of the plan.
    pub fn new(what: impl Into<Content>) -> Self {
        Self { what: what.into() }
    }
}

/// The warning about a line that is not logged.
const NOT_LOGGED: &str = "no line was added to the document `activity`: it is full, or a code fence there is not closed; memory_history has it";

impl Request for ActivityLine {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let mut edit = EditBuilder::new(view.doc);
        let warning = write(view, &self.what, &mut edit);
        edit.part(Part::new(PartStatus::Applied).with_warnings(warning));
        Ok(edit.finish()?)
    }
}

fn write(view: &View<'_>, what: &str, edit: &mut EditBuilder) -> Option<Warning> {
    let (doc, now) = (view.doc, view.now.to_string());
    let (date, time) = now.split_once('T').unwrap_or_default();
    let line = format!("- {} {WROTE}{what}", time.get(..5).unwrap_or(time));
    let today = days(doc).filter(|(day, _)| *day == date).last().map(|(_, section)| section);
    let at = append_point(doc, today.map_or(Scope::Document, Scope::Section));
    let is_in_fence = doc.outline().fences.iter().any(|fence| !fence.is_closed && fence.extent.start() < at);
    let Some(old) = days_to_remove(doc, &line, today).filter(|_| !is_in_fence) else {
        return Some(Warning::new("activity_trimmed", NOT_LOGGED));
    };
    let new_day = |line| NewSection { part: 0, at, lines: vec![format!("## {date}"), line], promise: Promise::Lines };
    let mut written = Vec::new();
    match today {
        Some(_) => edit.for_part(0).insert_lines(doc, at, &[line], Promise::Lines),
        None => written.push(new_day(line)),
    }
    let lines: usize = old.iter().map(|day| doc.bullets_within(day.extent).count()).sum();
    let days: Vec<_> = old.into_iter().map(|day| (0, day)).collect();
    arrange_sections(doc, &days, written, edit);
    (!days.is_empty()).then(|| {
        let why = format!("the document `activity` was full; its oldest lines went ({lines}), memory_history has them");
        Warning::new("activity_trimmed", why)
    })
}

/// Iterates over the sections of days.
fn days(doc: &MemoryDoc) -> impl Iterator<Item = (&str, SectionRef<'_>)> {
    let sections = doc.sections().filter(|section| section.level == LEVEL && section.title().len() == 10);
    sections.map(|section| (section.title(), section)).filter(|(title, _)| title.parse::<Timestamp>().is_ok())
}

/// Returns the oldest days to remove, so that the document with the new line shrinks to three quarters of the limit; no
/// days if the line fits without that. `None` if removing them makes no room for the line.
fn days_to_remove<'a>(doc: &'a MemoryDoc, line: &str, today: Option<SectionRef<'a>>) -> Option<Vec<SectionRef<'a>>> {
    let (is, policy) = (doc.text().len(), doc.policy());
    // The 32 bytes are for a heading and blank lines that may come with the line.
    let would_be = is + line.len() + 32;
    let limit = match policy.max_tokens {
        Some(tokens) => {
            let used = doc.tokens() + doc.rules().tokens(line);
            policy.max_bytes.min((is + line.len()).saturating_mul(tokens) / used.max(1))
        }
        None => policy.max_bytes,
    };
    let wanted = if would_be > limit { would_be - limit / 4 * 3 } else { 0 };
    // If there is a reserved section, no day is removed: the end of the reserved section may depend on it.
    let is_free = doc.reserved_sections().next().is_none();
    let (mut freed, mut old) = (0, Vec::new());
    for (_, day) in days(doc).filter(|(_, day)| is_free && Some(*day) != today && is_own(*day)) {
        if freed < wanted {
            freed += day.extent.len();
            old.push(day);
        }
    }
    (would_be <= limit + freed).then_some(old)
}

/// Returns true if all lines of a day are `- HH:MM wrote KEY (MODE, N characters)`. Lines that people write are not
/// removed.
fn is_own(day: SectionRef<'_>) -> bool {
    let text = day.doc().text();
    let is_written = |line: &str| {
        let line = line.strip_prefix("- ").and_then(|rest| rest.split_once(' '));
        let is_time = |time: &str| time.len() == 5 && format!("2026-01-01T{time}:00Z").parse::<Timestamp>().is_ok();
        line.is_some_and(|(time, what)| is_time(time) && what.starts_with(WROTE) && what.ends_with(" characters)"))
    };
    let own = Span::new(day.body.start(), extent_without_blanks(day).end());
    Line::texts_within(text, own).all(is_written)
}
