//! Two edits of one text that are merged: each line stands once, below what it stood below where it was written, or there is a conflict.

use memdoc::edit::{EditBuilder, Part, PartStatus, Promise};
use memdoc::request::{RequestError, rebase};
use memdoc::text::Span;
use memdoc::{Authority, Basis, Edit, Known, MemoryDoc, Request, Timestamp, View};

use super::compaction_draw::Draw;
use super::owner_checks::Reading;

/// What lines are made of: each gets a number in the place of the `@`, so that no two are equal.
const LINES: &[&str] = &[
    "- a@",
    "- b@",
    "- c@",
    "- d@",
    "- e@",
    "# A@",
    "## B@",
    "### C@",
    "M@: (ID: m@)",
    "Anna@:",
    "prose@",
    "- a@",
    "- b@",
    "  - c@",
    "    - d@",
    "  goes on@",
    "",
];

/// A text by lines, and what one editor makes of it.
#[derive(Debug)]
struct Side {
    /// The runs of lines that go, each with what is written in its place.
    rewrites: Vec<(std::ops::Range<usize>, Vec<String>)>,
    lines: Vec<String>,
}

/// Makes lines of which no two are equal.
struct Writer<'d> {
    draw: Draw<'d>,
    count: usize,
}

impl Writer<'_> {
    fn lines(&mut self, limit: usize) -> Vec<String> {
        let count = self.draw.below(limit);
        (0..count)
            .map(|_| {
                self.count += 1;
                LINES[self.draw.below(LINES.len())].replace('@', &self.count.to_string())
            })
            .collect()
    }

    /// Makes one or two rewrites of a text.
    fn side(&mut self, base: &[String]) -> Side {
        let (mut rewrites, mut lines, mut read) = (Vec::new(), Vec::new(), 0);
        for _ in 0..=usize::from(self.draw.is_one_in(4)) {
            let first = read + self.draw.below(base.len() - read + 1);
            let behind = (first + self.draw.below(3)).min(base.len());
            let new = self.lines(3);
            lines.extend(base[read..first].iter().chain(&new).cloned());
            rewrites.push((first..behind, new));
            read = behind;
        }
        lines.extend_from_slice(&base[read..]);
        Side { rewrites, lines }
    }
}

/// An edit that is known already.
#[derive(Debug)]
struct Planned(Edit);

impl Request for Planned {
    fn plan(&self, _view: &View<'_>) -> Result<Edit, RequestError> {
        Ok(self.0.clone())
    }
}

/// Reads any bytes as a text and two edits of it, and checks what is made of them. Returns false if they cannot be merged.
pub fn check_merge(data: &[u8]) -> bool {
    let mut writer = Writer { draw: Draw::new(data), count: 0 };
    let base = writer.lines(24);
    let [ours, theirs] = [(); 2].map(|()| writer.side(&base));
    let [seen, now] = [&base, &theirs.lines].map(|lines| MemoryDoc::parse(written(lines)));
    let start = |line: usize| base[..line].iter().map(|line| line.len() + 1).sum();
    let mut edit = EditBuilder::new(&seen);
    for (old, new) in &ours.rewrites {
        let span = Span::new(start(old.start), start(old.end));
        edit.part(Part::new(PartStatus::Applied)).replace(span, written(new), Promise::Lines);
    }
    let Ok(edit) = edit.finish() else { return false };
    let known = Known::of(&seen);
    let basis = Basis::Known(&known);
    let Ok(rebased) = rebase(&Planned(edit), &View::new(&now, &basis, Timestamp::default())) else { return false };
    let Ok(commit) = now.commit(&rebased.current, Authority::Host) else { return false };
    if let Some(fault) = fault(&base, &ours, &theirs, commit.doc.text()) {
        let [base, own, other] = [&base, &ours.lines, &theirs.lines].map(|lines| written(lines));
        panic!("{fault}\n--- base\n{base}--- ours\n{own}--- theirs\n{other}--- result\n{}", commit.doc.text());
    }
    true
}

fn written(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns what is wrong with the result.
fn fault(base: &[String], ours: &Side, theirs: &Side, result: &str) -> Option<String> {
    let result: Vec<&str> = result.split_terminator('\n').collect();
    let is_there = |lines: &[String], line: &str| lines.iter().any(|other| other == line);
    let kept = base.iter().filter(|line| is_there(&ours.lines, line) && is_there(&theirs.lines, line));
    let added = ours.lines.iter().chain(&theirs.lines).filter(|line| !is_there(base, line));
    let expected: Vec<&String> = kept.chain(added).filter(|line| !line.is_empty()).collect();
    let count = result.iter().filter(|line| !line.is_empty()).count();
    if let Some(line) = expected.iter().find(|line| result.iter().filter(|other| **other == line.as_str()).count() != 1)
    {
        return Some(format!("`{line}` does not stand once"));
    }
    if count != expected.len() {
        return Some("a line came back".to_owned());
    }
    let reading = Reading::of(&result);
    for side in [ours, theirs] {
        let lines: Vec<&str> = side.lines.iter().map(String::as_str).collect();
        let own = Reading::of(&lines);
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty() && !is_there(base, line)) {
            let place = result.iter().position(|other| other == line)?;
            let was: Vec<&str> = own.chain(at).into_iter().map(|owner| lines[owner]).collect();
            let is: Vec<&str> = reading.chain(place).into_iter().map(|owner| result[owner]).collect();
            if was != is {
                return Some(format!("`{line}` stands below {is:?}, and was written below {was:?}"));
            }
        }
    }
    None
}
