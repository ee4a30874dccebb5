//! Titles and bodies of new sections, as models write them: with the `#`s of a heading, and with the heading in the body.

use super::super::Refusal;
use crate::document::heading;
use crate::locate::{Code, Found, Leniency};
use crate::text::{Content, excerpt, is_blank, normal_name, visible};

/// Reads a title that may be written as a heading, whose level says nothing.
pub(super) fn title_of(called: &str) -> Found<&str> {
    let called = called.trim();
    let heading = heading(called).filter(|heading| heading.id.is_none());
    match heading.and_then(|heading| called.get(heading.title)).filter(|title| !title.is_empty()) {
        Some(title) => Found { at: title, healed: vec![Leniency::TitleMarks] },
        None => Found { at: called, healed: Vec::new() },
    }
}

/// Reads the lines below a heading: without it, if they begin with it again, without blank lines at their end, and with at most
/// one at their beginning.
pub(super) fn body_of(title: &str, lines: &[Content]) -> Found<Vec<Content>> {
    let repeats = |line: &Content| {
        let own = heading(line).filter(|heading| heading.id.is_none()).and_then(|heading| line.get(heading.title));
        own.is_some_and(|own| same_title(own, title))
    };
    let text = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    match lines.get(text..).and_then(<[Content]>::split_first).filter(|(first, _)| repeats(first)) {
        Some((_, below)) => Found { at: without_gaps(below), healed: vec![Leniency::TitleMarks] },
        None => Found { at: without_gaps(lines), healed: Vec::new() },
    }
}

fn without_gaps(lines: &[Content]) -> Vec<Content> {
    let start = lines.iter().take_while(|line| is_blank(line)).count();
    let end = lines.len() - lines.iter().rev().take_while(|line| is_blank(line)).count();
    lines.get(start.saturating_sub(1)..end).unwrap_or_default().to_vec()
}

/// Refuses a title that would not be read back as it is written, or that no one could name.
pub(super) fn check_title(title: &str) -> Result<(), Refusal> {
    let line = format!("# {title}");
    let is_read_back =
        heading(&line).is_some_and(|heading| line.get(heading.title) == Some(title) && heading.id.is_none());
    match is_read_back && !title.is_empty() && !title.contains(['\n', '\r']) {
        true => Ok(()),
        false => {
            let why = format!("`{}` cannot be the title of a section", visible(&excerpt(title, 80)));
            Err(Refusal::impossible(Code::InvalidText, why))
        }
    }
}

/// Reports whether two titles are the same, letter case included.
pub(super) fn same_title(a: &str, b: &str) -> bool {
    normal_name(a) == normal_name(b)
}
