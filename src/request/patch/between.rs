//! [`between`]: the patch that turns one text into another.

use std::ops::Range;

use thiserror::Error;

use super::planner::Planner;
use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, hunk_match};
use crate::document::MemoryDoc;
use crate::text::{Line, Lines, Span, differing};

/// Up to how many lines of context every division between before and behind is tried.
const ALL_DIVISIONS: usize = 6;

/// Two texts that no patch can take from one to the other: they differ in how a line ends, which is no part of a patch's
/// lines, or in a line that begins with one space beside bullets, which a patch reads as one space too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no patch can say what line {line} is, or how it ends")]
pub struct Inexpressible {
    /// The number, from 1, of the first line of the new text that would come out otherwise.
    pub line: usize,
}

/// Returns the text of a patch that turns `old` into `new`, with the fewest lines of context that make every hunk unique.
///
/// # Errors
///
/// The texts differ in line endings, which a patch leaves to the place, or in one space before a line.
///
/// # Examples
///
/// ```
/// let patch = memdoc::patch::between("- a\n- b\n", "- a\n- c\n")?;
/// assert_eq!(patch, "*** Begin Patch\n*** Update Memory\n@@\n-- b\n+- c\n*** End Patch\n");
/// # Ok::<(), memdoc::patch::Inexpressible>(())
/// ```
pub fn between(old: &str, new: &str) -> Result<String, Inexpressible> {
    let doc = MemoryDoc::parse(old);
    let texts = Texts { old: lines(old), new: lines(new) };
    let full = |text: &str| Lines::of(text).map(|line| unmarked(text, line.full).to_owned()).collect::<Vec<_>>();
    let runs = differing(&full(old), &full(new));
    let small = Window::of_runs(&doc, &texts, runs);
    let whole = Window { runs: vec![(0..texts.old.len(), 0..texts.new.len())], before: 0, behind: 0 };
    let mut reached = String::new();
    for windows in [small.unwrap_or_default(), vec![whole]] {
        let hunks = windows.iter().map(|window| PatchPart::Hunk(window.hunk(&texts))).collect();
        let patch = DocumentPatch { document: None, parts: hunks, healed: Vec::new() };
        reached = super::plan::plan(&patch, &doc).map(|edit| edit.apply_to(old)).unwrap_or_default();
        if reached == new {
            return Ok(Patch { documents: vec![patch], healed: Vec::new() }.to_string());
        }
    }
    let same = |(a, b): &(Line, Line)| a.full.of(&reached) == b.full.of(new);
    Err(Inexpressible { line: Lines::of(&reached).zip(Lines::of(new)).take_while(same).count() + 1 })
}

/// The lines of both texts, without endings.
struct Texts<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

fn lines(text: &str) -> Vec<&str> {
    Lines::of(text).map(|line| unmarked(text, line.text)).collect()
}

/// Returns a line without the byte order mark of the text, which is no part of it.
fn unmarked(text: &str, line: Span) -> &str {
    let line_text = line.of(text);
    line_text.strip_prefix('\u{FEFF}').filter(|_| line.start() == 0).unwrap_or(line_text)
}

/// A hunk to be: runs of lines that differ, with the lines between them, and some around them.
#[derive(Debug)]
struct Window {
    runs: Vec<(Range<usize>, Range<usize>)>,
    before: usize,
    behind: usize,
}

impl Window {
    /// Gives every run the context that it needs; runs that would need each other's lines become one.
    fn of_runs(doc: &MemoryDoc, texts: &Texts<'_>, runs: Vec<(Range<usize>, Range<usize>)>) -> Option<Vec<Self>> {
        let planner = Planner::unlimited(doc);
        let mut done: Vec<Self> = Vec::new();
        let mut waiting: Vec<_> =
            runs.into_iter().map(|run| Self { runs: vec![run], before: 0, behind: 0 }).rev().collect();
        while let Some(mut window) = waiting.pop() {
            let above = done.last().map_or(0, |window| window.old().end);
            let below = waiting.last().map_or(texts.old.len(), |window| window.old().start);
            if window.grow(&planner, texts, above, below) {
                done.push(window);
            } else if let Some(next) = waiting.pop() {
                window.runs.extend(next.runs);
                waiting.push(window);
            } else if let Some(previous) = done.pop() {
                let runs = [previous.runs, window.runs].concat();
                waiting.push(Self { runs, before: 0, behind: 0 });
            } else {
                return None;
            }
        }
        Some(done)
    }

    /// Adds context, as little as is needed, up to the lines that other hunks change.
    fn grow(&mut self, planner: &Planner<'_>, texts: &Texts<'_>, above: usize, below: usize) -> bool {
        let old = self.old();
        let (most_before, most_behind) = (old.start - above, below - old.end);
        let mut total = 0;
        loop {
            let divisions: Vec<usize> =
                if total <= ALL_DIVISIONS { (0..=total).rev().collect() } else { vec![total / 2] };
            for before in divisions {
                (self.before, self.behind) = (before.min(most_before), (total - before).min(most_behind));
                if hunk_match::stands_once(planner, &self.hunk(texts), old.start - self.before) {
                    return true;
                }
            }
            if total >= 2 * most_before.max(most_behind) {
                return false;
            }
            total = if total < 4 * ALL_DIVISIONS { total + 1 } else { 2 * total };
        }
    }

    /// Returns the lines of the old text from the first run's start to the last run's end.
    fn old(&self) -> Range<usize> {
        let start = self.runs.first().map_or(0, |(old, _)| old.start);
        start..self.runs.last().map_or(start, |(old, _)| old.end)
    }

    fn hunk(&self, texts: &Texts<'_>) -> Hunk {
        let old = self.old();
        let mut lines = Vec::new();
        let mut push = |op, texts: &[&str], range: Range<usize>| {
            let texts = texts.get(range).unwrap_or_default();
            lines.extend(texts.iter().map(|text| HunkLine { op, text: (*text).into() }));
        };
        let mut at = old.start - self.before;
        for (gone, come) in &self.runs {
            push(LineOp::Context, &texts.old, at..gone.start);
            push(LineOp::Delete, &texts.old, gone.clone());
            push(LineOp::Add, &texts.new, come.clone());
            at = gone.end;
        }
        push(LineOp::Context, &texts.old, at..old.end + self.behind);
        // Lines that are added to nothing go to the end of the file.
        let is_at_end_of_file = texts.old.is_empty();
        Hunk { lines, is_at_end_of_file, ..Hunk::default() }
    }
}
