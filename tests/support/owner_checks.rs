//! No line that an edit leaves alone comes to stand below another heading, block line, label, bullet or fence: a slow reader of the
//! lines, written apart from the crate's.

use std::ops::Range;

use memdoc::edit::{EditBuilder, Part, PartStatus, Promise};
use memdoc::text::Span;
use memdoc::{Authority, MemoryDoc};

use super::compaction_draw::Draw;

/// What documents are made of, and what is written into them.
const LINES: &[&str] = &[
    "# A",
    "## B",
    "## C",
    "### D",
    "M: (ID: m)",
    "N: (ID: n)",
    "Anna:",
    "Bob:",
    "prose",
    "- a",
    "- b",
    "  - c",
    "  - d",
    "    - e",
    "  goes on",
    "1. one",
    "  * star",
    "\t- tab",
    "",
    "```",
];

/// Lines that go, and those that are written in their place.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The index of the first line that goes, and of the one behind the last.
    pub old: Range<usize>,
    /// What is written.
    pub new: Vec<&'static str>,
}

/// Reads any bytes as a document and one or two rewrites of it, and checks the owners if they are committed together.
pub fn check_owners(data: &[u8]) {
    let mut draw = Draw::new(data);
    let lines = drawn_lines(&mut draw, 16);
    let mut rewrites = Vec::new();
    let mut first = 0;
    for _ in 0..=draw.below(2) {
        first += draw.below(lines.len() - first + 1);
        let behind = (first + draw.below(4)).min(lines.len());
        rewrites.push(Rewrite { old: first..behind, new: drawn_lines(&mut draw, 4) });
        first = behind;
    }
    if let Some(result) = committed(&lines, &rewrites)
        && let Some(fault) = fault(&lines, &rewrites)
    {
        panic!("{fault} when {lines:#?} with {rewrites:?} became:\n{result}");
    }
}

fn drawn_lines(draw: &mut Draw<'_>, limit: usize) -> Vec<&'static str> {
    (0..draw.below(limit)).map(|_| LINES[draw.below(LINES.len())]).collect()
}

/// Returns the text that the rewrites make, each a part of its own; `None` if they are refused.
pub fn committed(lines: &[&str], rewrites: &[Rewrite]) -> Option<String> {
    let doc = MemoryDoc::parse(written(lines));
    let start = |line: usize| lines[..line].iter().map(|line| line.len() + 1).sum();
    let mut edit = EditBuilder::new(&doc);
    for Rewrite { old, new } in rewrites {
        let span = Span::new(start(old.start), start(old.end));
        edit.part(Part::new(PartStatus::Applied)).replace(span, written(new), Promise::Lines);
    }
    Some(doc.commit(&edit.finish().ok()?, Authority::Agent).ok()?.doc.text().to_owned())
}

fn written(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns what is wrong with the owners, should these rewrites be made.
pub fn fault(lines: &[&str], rewrites: &[Rewrite]) -> Option<String> {
    let mut result: Vec<&str> = Vec::new();
    // Of each line of the result: the line of the document that it is, or the rewrite that writes it.
    let mut origins: Vec<Result<usize, usize>> = Vec::new();
    let mut read = 0;
    let end = Rewrite { old: lines.len()..lines.len(), new: Vec::new() };
    for (nth, rewrite) in rewrites.iter().chain([&end]).enumerate() {
        result.extend(&lines[read..rewrite.old.start]);
        origins.extend((read..rewrite.old.start).map(Ok));
        result.extend(&rewrite.new);
        origins.extend(rewrite.new.iter().map(|_| Err(nth)));
        read = rewrite.old.end;
    }
    let [old, new] = [lines, &result].map(Reading::of);
    if old.is_open {
        return None;
    }
    let rewrite_of = |line: usize| rewrites.iter().position(|rewrite| rewrite.old.contains(&line));
    for (line, origin) in origins.iter().enumerate().filter(|(line, _)| !new.is_blank(*line)) {
        match *origin {
            Ok(before) => {
                let [was, is] = [old.chain(before), new.chain(line)];
                let kinds = |reading: &Reading<'_>, chain: &[usize]| {
                    chain.iter().map(|owner| reading.heads[*owner]).collect::<Vec<_>>()
                };
                if kinds(&old, &was) != kinds(&new, &is) {
                    return Some(format!("line {} stands below {is:?}, and stood below {was:?}", before + 1));
                }
                let is_same = |was: usize, is: usize| match rewrite_of(was) {
                    None => origins[is] == Ok(was),
                    Some(nth) => origins[is] == Err(nth),
                };
                if let Some((was, is)) = was.iter().zip(&is).find(|(was, is)| !is_same(**was, **is)) {
                    return Some(format!("line {} came from line {} to line {}", before + 1, was + 1, is + 1));
                }
            }
            Err(nth) => {
                let is_strange = |owner: &usize| match origins[*owner] {
                    Ok(_) => false,
                    // A successor stands for a line of its kind.
                    Err(other) => {
                        let removed = rewrites[other].old.clone();
                        other != nth && !removed.into_iter().any(|line| old.heads[line] == new.heads[*owner])
                    }
                };
                if let Some(owner) = new.chain(line).first().filter(|owner| is_strange(owner)) {
                    return Some(format!("what one part writes stands below line {} of another", owner + 1));
                }
            }
        }
    }
    None
}

/// What a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Section,
    Block,
    Label,
    Bullet,
    Fence,
}

fn is_bullet(line: &str) -> bool {
    ["- ", "* ", "1. "].iter().any(|marker| line.trim_start().starts_with(marker))
}

/// Lines, each with what it begins and the line that owns it.
pub struct Reading<'l> {
    lines: &'l [&'l str],
    heads: Vec<Option<Head>>,
    owners: Vec<Option<usize>>,
    /// Whether the last fence is not closed.
    is_open: bool,
}

impl<'l> Reading<'l> {
    /// Reads the lines.
    pub fn of(lines: &'l [&'l str]) -> Self {
        let mut reading = Self { lines, heads: Vec::new(), owners: Vec::new(), is_open: false };
        let mut sections: Vec<(usize, usize)> = Vec::new();
        let mut bullets: Vec<(usize, usize)> = Vec::new();
        let (mut list, mut fence) = (None, None);
        for (at, line) in lines.iter().enumerate() {
            // A tab goes to the fourth column.
            let indent = line.replace('\t', "    ").len() - line.trim_start().len();
            let level = line.len() - line.trim_start_matches('#').len();
            let mut head = None;
            let owner;
            if fence.is_some() {
                owner = fence;
                fence = fence.filter(|_| *line != "```");
            } else if level > 0 {
                sections.retain(|(outer, _)| *outer < level);
                owner = sections.last().map(|(_, line)| *line);
                head = Some(Head::Section);
                sections.push((level, at));
                (bullets, list) = (Vec::new(), None);
            } else if line.is_empty() {
                reading.push(None, None);
                continue;
            } else {
                let section = sections.last().map(|(_, line)| *line);
                if indent == 0 {
                    bullets.clear();
                }
                bullets.retain(|(outer, _)| outer + 2 <= indent);
                let is_bullet = is_bullet(line);
                if is_bullet || *line == "```" || indent > 0 {
                    owner = bullets.last().map(|(_, line)| *line).or(list).or(section);
                } else {
                    owner = section;
                    list = None;
                }
                if is_bullet {
                    head = Some(Head::Bullet);
                    bullets.push((indent, at));
                } else if *line == "```" {
                    (head, fence) = (Some(Head::Fence), Some(at));
                } else if line.contains("(ID: ") {
                    (head, list) = (Some(Head::Block), Some(at));
                } else if indent == 0 && reading.is_label(at) {
                    (head, list) = (Some(Head::Label), Some(at));
                }
            }
            reading.push(head, owner);
        }
        reading.is_open = fence.is_some();
        reading
    }

    fn push(&mut self, head: Option<Head>, owner: Option<usize>) {
        self.heads.push(head);
        self.owners.push(owner);
    }

    /// Reports whether a bullet follows a line of prose: at once, or behind blank lines if it ends in a colon.
    fn is_label(&self, at: usize) -> bool {
        let below = &self.lines[at + 1..];
        let blank = below.iter().take_while(|line| line.is_empty()).count();
        let is_above_bullet = below.get(blank).is_some_and(|line| is_bullet(line));
        is_above_bullet && (blank == 0 || self.lines[at].ends_with(':'))
    }

    fn is_blank(&self, line: usize) -> bool {
        self.lines[line].is_empty()
    }

    /// Returns the owner of a line, the owner of that, and so on.
    pub fn chain(&self, line: usize) -> Vec<usize> {
        std::iter::successors(self.owners[line], |owner| self.owners[*owner]).collect()
    }
}
