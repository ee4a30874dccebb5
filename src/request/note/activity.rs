//! The log of what was written, a line each, under a heading for each day.
//!
//! A log that has no room for another line loses its oldest days, or the oldest lines of the only day: the journal has them.

use super::super::{Request, RequestError, View};
use super::LEVEL;
use crate::document::{MemoryDoc, SectionRef};
use crate::edit::compose::{Written, delete_sections, extent_without_blanks, write_sections};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::text::{Content, Span, Timestamp};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityLine {
    entry: Entry,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    /// It is written, at the time of the plan.
    Made(Content),
    /// It is taken out again, as it stands, under the day of this instant.
    Gone { line: Content, day: Timestamp },
}

impl ActivityLine {
    /// Notes `what` was done, on one line, at the time of the plan.
    pub fn new(what: impl Into<Content>) -> Self {
        Self { entry: Entry::Made(what.into()) }
    }

    /// Takes back a line that was written on this day. If it is not there, there is nothing to be done.
    pub fn gone(line: impl Into<Content>, day: Timestamp) -> Self {
        Self { entry: Entry::Gone { line: line.into(), day } }
    }
}

impl Request for ActivityLine {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let mut edit = EditBuilder::new(view.doc);
        edit.part(Part::new(PartStatus::Applied));
        match &self.entry {
            Entry::Made(what) => write(view, what, &mut edit),
            Entry::Gone { line, day } => remove(view.doc, line, &day.date(), &mut edit),
        }
        Ok(edit.finish()?)
    }
}

fn write(view: &View<'_>, what: &str, edit: &mut EditBuilder) {
    let (doc, now) = (view.doc, view.now.to_string());
    let (date, time) = now.split_once('T').unwrap_or_default();
    let line = format!("- {} {what}", time.get(..5).unwrap_or(time));
    let today = days(doc).filter(|(day, _)| *day == date).last().map(|(_, section)| section);
    make_room(doc, today, line.len(), edit);
    match today {
        Some(today) => {
            let at = extent_without_blanks(today).end();
            edit.for_part(0).insert_lines(doc, at, &[line], Promise::Lines);
        }
        None => {
            let lines = vec![format!("## {date}"), line];
            write_sections(doc, vec![Written { part: 0, at: doc.text().len(), lines }], &[], edit);
        }
    }
}

/// Iterates over the sections of days.
fn days(doc: &MemoryDoc) -> impl Iterator<Item = (&str, SectionRef<'_>)> {
    let sections = doc.sections().filter(|section| section.level == LEVEL && section.title().len() == 10);
    sections.map(|section| (section.title(), section)).filter(|(title, _)| title.parse::<Timestamp>().is_ok())
}

/// Drops what is oldest, down to three quarters of the limit, where a line of this length would go beyond it.
fn make_room(doc: &MemoryDoc, today: Option<SectionRef<'_>>, length: usize, edit: &mut EditBuilder) {
    let (is, policy) = (doc.text().len(), doc.policy());
    // A heading and blank lines may come with the line.
    let would_be = is + length + 32;
    let is_over = would_be > policy.max_bytes
        || policy
            .max_tokens
            .is_some_and(|limit| doc.tokens().saturating_mul(would_be) > limit.saturating_mul(is.max(1)));
    if !is_over {
        return;
    }
    let limit = match policy.max_tokens {
        Some(tokens) => policy.max_bytes.min(is.saturating_mul(tokens) / doc.tokens().max(1)),
        None => policy.max_bytes,
    };
    let mut excess = would_be.saturating_sub(limit / 4 * 3);
    let mut old = Vec::new();
    for (_, day) in days(doc).filter(|(_, day)| Some(*day) != today) {
        if excess == 0 {
            break;
        }
        excess = excess.saturating_sub(day.extent.len());
        old.push((0, day));
    }
    delete_sections(&old, edit);
    let lines = today.into_iter().flat_map(|today| doc.bullets_within(today.extent)).filter(|line| line.depth == 0);
    for line in lines {
        if excess == 0 {
            break;
        }
        excess = excess.saturating_sub(line.extent.len());
        edit.for_part(0).replace(line.extent, "", Promise::Lines);
    }
}

/// Removes a line, and the heading of its day with the last one.
fn remove(doc: &MemoryDoc, line: &str, date: &str, edit: &mut EditBuilder) {
    let of_day = |is_day: bool| {
        let days = days(doc).filter(move |(day, _)| (*day == date) == is_day);
        days.flat_map(|(_, section)| doc.bullets_within(section.extent).map(move |bullet| (section, bullet)))
            .filter(|(_, bullet)| bullet.line.of(doc.text()).trim_end_matches(['\r', '\n']) == line)
            .last()
    };
    // Between the plan and the entry midnight may have passed.
    let Some((day, bullet)) = of_day(true).or_else(|| of_day(false)) else { return };
    let own = Span::new(day.body.start(), extent_without_blanks(day).end());
    match own == bullet.extent {
        true => drop(delete_sections(&[(0, day)], edit)),
        false => edit.for_part(0).replace(bullet.extent, "", Promise::Lines),
    }
}
