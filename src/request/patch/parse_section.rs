//! The parser of operations on whole sections.

use super::error::{PatchError, unplaced, unprefixed_of_section, untitled};
use super::marker::{marker, named};
use super::parser::Parser;
use super::{SectionOp, SectionPlace};
use crate::text::Content;

impl<'a> Parser<'a> {
    pub(super) fn section(&mut self, number: usize, line: &str, said: &'a str) -> Result<SectionOp, PatchError> {
        self.at += 1;
        let name = |keyword: &str| named(said, keyword);
        if let Some(title) = name("Add Section") {
            return self.added(non_empty(number, line, title)?);
        }
        if let Some(section) = name("Delete Section") {
            return Ok(SectionOp::Delete { section: non_empty(number, line, section)?.into() });
        }
        if let Some(section) = name("Rename Section") {
            let section = non_empty(number, line, section)?;
            let (number, line, said) = self.continuation("`*** To: NEW TITLE`")?;
            return match named(said, "To") {
                Some(title) => {
                    Ok(SectionOp::Rename { section: section.into(), title: non_empty(number, line, title)?.into() })
                }
                None => Err(untitled(number, line)),
            };
        }
        if let Some(section) = name("Move Section") {
            return self.moved(non_empty(number, line, section)?);
        }
        let expected = "`*** Update Memory`, `*** Add Section: NAME`, `*** Delete Section: NAME`, `*** Rename Section: NAME`, \
            `*** Move Section: NAME`, `*** End of File` behind a hunk, or `*** End Patch`";
        Err(PatchError::new(number, expected, line))
    }

    fn moved(&mut self, section: String) -> Result<SectionOp, PatchError> {
        let expected = "`*** Before: NAME`, `*** After: NAME`, `*** Under: NAME`, `*** First` or `*** Last`";
        let (number, line, said) = self.continuation(expected).map_err(|error| {
            // An anchor there means the section that it is to stand in.
            let anchor = self.peek().filter(|(_, line)| line.starts_with("@@"));
            anchor.map_or(error, |(number, line)| unplaced(number, expected, line))
        })?;
        let place = place(said).ok_or_else(|| unplaced(number, expected, line))?;
        Ok(SectionOp::Move { section: section.into(), place: self.with_end(place) })
    }

    fn added(&mut self, title: String) -> Result<SectionOp, PatchError> {
        let mut lines = Vec::new();
        let mut where_to = None;
        loop {
            self.skip_empty_before_marker();
            let Some((number, line)) = self.peek() else { break };
            if line.starts_with("@@") {
                break;
            }
            if let Some(said) = self.said(line) {
                match place(said).filter(|place| !matches!(place, SectionPlace::First | SectionPlace::Last)) {
                    Some(place) if where_to.is_none() => {
                        self.at += 1;
                        where_to = Some(self.with_end(place));
                        continue;
                    }
                    _ => break,
                }
            } else if let Some(text) = line.strip_prefix('+') {
                lines.push(text.into());
            } else if line.is_empty() {
                lines.push(Content::default());
            } else {
                return Err(unprefixed_of_section(number, line));
            }
            self.at += 1;
        }
        Ok(SectionOp::Add { title: title.into(), lines, place: where_to })
    }

    /// Reads at which end of the sections below another one is to stand; without a word, the last.
    fn with_end(&mut self, place: SectionPlace) -> SectionPlace {
        let SectionPlace::LastUnder(parent) = place else { return place };
        self.skip_empty_before_marker();
        let end = self.peek().and_then(|(_, line)| marker(line));
        let is = |word: &str| end.is_some_and(|(said, _)| said.eq_ignore_ascii_case(word));
        let is_first = is("First");
        if is_first || is("Last") {
            self.is_healed |= end.is_some_and(|(_, is_odd)| is_odd);
            self.at += 1;
        }
        if is_first { SectionPlace::FirstUnder(parent) } else { SectionPlace::LastUnder(parent) }
    }

    /// Returns the `***` line that must follow.
    fn continuation(&mut self, expected: &str) -> Result<(usize, &'a str, &'a str), PatchError> {
        self.skip_empty_before_marker();
        let Some((number, line)) = self.peek() else {
            return Err(PatchError::at_end(self.end, expected));
        };
        let said = self.said(line).ok_or_else(|| PatchError::new(number, expected, line))?;
        self.at += 1;
        Ok((number, line, said))
    }
}

fn place(said: &str) -> Option<SectionPlace> {
    match said {
        _ if said.eq_ignore_ascii_case("First") => Some(SectionPlace::First),
        _ if said.eq_ignore_ascii_case("Last") => Some(SectionPlace::Last),
        _ => {
            let beside =
                |keyword, make: fn(Content) -> SectionPlace| named(said, keyword).map(|name| make(name.into()));
            let place = beside("Before", SectionPlace::Before).or_else(|| beside("After", SectionPlace::After));
            place.or_else(|| beside("Under", SectionPlace::LastUnder))
        }
    }
}

fn non_empty(number: usize, line: &str, name: &str) -> Result<String, PatchError> {
    match name {
        "" => Err(PatchError::new(number, "a name behind the colon", line)),
        name => Ok(name.to_owned()),
    }
}
