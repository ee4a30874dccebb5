//! The log of what was written, a line each, under a heading for each day.
//!
//! A log that has no room for another line loses the oldest that it wrote: the journal has them. What people put into it stays, and
//! where that takes all the room, or leaves a fence open in which the line would be code, no line is added. A warning tells of each.

use super::super::{Request, RequestError, View};
use super::LEVEL;
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::compose::{Written, append_point, arrange_sections, extent_without_blanks};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise, Warning};
use crate::locate::Scope;
use crate::text::{Content, Span, Timestamp};

/// What each line says behind its time.
const WROTE: &str = "wrote ";

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
    /// Notes `what` was written, on one line, at the time of the plan.
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
        let warning = match &self.entry {
            Entry::Made(what) => write(view, what, &mut edit),
            Entry::Gone { line, day } => {
                remove(view.doc, line, &day.date(), &mut edit);
                None
            }
        };
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
    let is_in_fence = doc.outline().fences().iter().any(|fence| !fence.is_closed && fence.extent.start() < at);
    let Some(old) = outlived(doc, &line).filter(|_| !is_in_fence) else { return Some(Warning::NotLogged) };
    let days = drop_lines(&old, today, edit);
    let mut written = Vec::new();
    match today {
        Some(_) => edit.for_part(0).insert_lines(doc, at, &[line], Promise::Lines),
        None => written.push(Written { part: 0, at, lines: vec![format!("## {date}"), line], promise: Promise::Lines }),
    }
    arrange_sections(doc, &days, written, edit);
    (!old.is_empty()).then_some(Warning::ActivityTrimmed { lines: old.len() })
}

/// Iterates over the sections of days.
fn days(doc: &MemoryDoc) -> impl Iterator<Item = (&str, SectionRef<'_>)> {
    let sections = doc.sections().filter(|section| section.level == LEVEL && section.title().len() == 10);
    sections.map(|section| (section.title(), section)).filter(|(title, _)| title.parse::<Timestamp>().is_ok())
}

/// Finds the oldest lines that must go, down to three quarters of the limit, where a line would go beyond it; `None` if that
/// makes no room for it.
fn outlived<'a>(doc: &'a MemoryDoc, line: &str) -> Option<Vec<(SectionRef<'a>, BulletRef<'a>)>> {
    let (is, policy) = (doc.text().len(), doc.policy());
    // A heading and blank lines may come with the line.
    let length = line.len() + 32;
    let would_be = is + length;
    let limit = match policy.max_tokens {
        Some(tokens) => {
            let used = doc.tokens() + doc.rules().tokens(line);
            policy.max_bytes.min((is + line.len()).saturating_mul(tokens) / used.max(1))
        }
        None => policy.max_bytes,
    };
    let needed = would_be.saturating_sub(limit);
    let wanted = if needed == 0 { 0 } else { would_be - limit / 4 * 3 };
    let mut freed = 0;
    // Around a reserved section nothing goes: it may end where they do.
    let is_free = doc.reserved_sections().next().is_none();
    let own = days(doc)
        .filter(|_| is_free)
        .flat_map(|(_, day)| doc.bullets_within(day.extent).filter(is_own).map(move |line| (day, line)));
    let old = own.take_while(|(_, line)| {
        let is_wanted = freed < wanted;
        freed += if is_wanted { line.extent.len() } else { 0 };
        is_wanted
    });
    let old: Vec<_> = old.collect();
    (freed >= needed).then_some(old)
}

/// Removes lines of the log, and returns the days before today of which none is left.
fn drop_lines<'a>(
    lines: &[(SectionRef<'a>, BulletRef<'a>)],
    today: Option<SectionRef<'a>>,
    edit: &mut EditBuilder,
) -> Vec<(usize, SectionRef<'a>)> {
    let mut days = Vec::new();
    for lines in lines.chunk_by(|(day, _), (next, _)| day == next) {
        let size: usize = lines.iter().map(|(_, line)| line.extent.len()).sum();
        let whole =
            lines.first().map(|(day, _)| *day).filter(|day| Some(*day) != today && own_body(*day).len() == size);
        match whole {
            Some(day) => days.push((0, day)),
            None => lines.iter().for_each(|(_, line)| edit.for_part(0).replace(line.extent, "", Promise::Lines)),
        }
    }
    days
}

/// Returns what stands below the heading of a day, without the blank lines behind it.
fn own_body(day: SectionRef<'_>) -> Span {
    Span::new(day.body.start(), extent_without_blanks(day).end())
}

/// Reports whether a bullet is a line as the log writes it.
fn is_own(bullet: &BulletRef<'_>) -> bool {
    let said = bullet.first_text().start() == bullet.marker.end() + 1 && bullet.extent == bullet.line;
    let content = bullet.content();
    said && bullet.depth() == 0 && bullet.marker() == "-" && is_written(&content).unwrap_or_default()
}

/// Reports whether a line is `HH:MM wrote KEY (MODE, N characters)`: what people write is not thrown away.
fn is_written(content: &str) -> Option<bool> {
    let (time, what) = content.split_once(' ')?;
    let (hours, minutes) = time.split_once(':')?;
    let (_, told) = what.strip_prefix(WROTE)?.rsplit_once(" (")?;
    let (mode, count) = told.strip_suffix(" characters)")?.split_once(", ")?;
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = [hours, minutes].into_iter().all(|part| part.len() == 2 && is_number(part));
    Some(is_time && mode.bytes().all(|byte| byte.is_ascii_lowercase()) && is_number(count))
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
    match own_body(day) == bullet.extent {
        true => arrange_sections(doc, &[(0, day)], Vec::new(), edit),
        false => edit.for_part(0).replace(bullet.extent, "", Promise::Lines),
    }
}
