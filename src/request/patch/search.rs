//! How a hunk is read, as a whole, and the one place where it stands in its scope: as a whole, or each run of a hunk without
//! context; or where what it writes stands already.
//!
//! ```text
//! document    - User’s advisor: TBD
//! as sent     -- User’s advisor: TBD          the rest of the line is the line
//! spaced      - - User’s advisor: TBD         one space less
//! contents    - User’s advisor: TBD           one space less, and what the bullet says
//! prefixed    -12| - User’s advisor: TBD      without what a view shows before the line
//! ```

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::anchor::HunkScope;
use super::parse::{MOST, PatchError, PatchLine, unprefixed};
use super::planner::Planner;
use super::write::LineEdit;
use super::{Hunk, HunkLine, LineOp, Refusal};
use crate::document::{ItemText, block_line, bullet_line, fence_open, heading, stands_apart};
use crate::locate::{
    DocLines, Leniency, LineForm, LineLabel, SoughtLine, is_ordered, normal_content, overlooked, view_prefix,
};
use crate::text::is_blank;

/// What the lines of a hunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Whole lines.
    AsSent,
    /// Whole lines behind a space.
    Spaced,
    /// Whole lines or contents of bullets, one of these at least.
    Contents,
    /// Whole lines behind what a view shows before them.
    Prefixed,
}

/// A line of a hunk as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReadLine<'h> {
    pub(super) op: LineOp,
    pub(super) text: &'h str,
    /// What stood before it, as a view shows it.
    pub(super) label: Option<&'h str>,
}

/// One way to read a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading<'h> {
    /// What its lines are, if none is a content.
    pub(super) form: Form,
    pub(super) lines: Rc<[ReadLine<'h>]>,
    may_be_contents: bool,
}

impl<'h> Reading<'h> {
    /// Reads a hunk with one space less on the lines of some operators.
    pub(super) fn new(lines: &[&'h HunkLine], spaced: &[LineOp]) -> Self {
        let read = |line: &&'h HunkLine| {
            let less = line.text.strip_prefix(' ').filter(|_| spaced.contains(&line.op) && !is_blank(&line.text));
            ReadLine { op: line.op, text: less.unwrap_or(&line.text), label: None }
        };
        let form = if spaced.is_empty() { Form::AsSent } else { Form::Spaced };
        Self { form, lines: lines.iter().map(read).collect(), may_be_contents: !spaced.is_empty() }
    }

    /// Returns the ways to read a hunk, the nearest first.
    pub(super) fn all(lines: &[&'h HunkLine]) -> Vec<Self> {
        let of = |op| lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
        let is_spaced = |op| of(op).next().is_some() && of(op).all(|line| line.text.starts_with(' '));
        let has_deletes = of(LineOp::Delete).next().is_some();
        let deletes = is_spaced(LineOp::Delete);
        let may_be_spaced = deletes || (!has_deletes && loses_space(of(LineOp::Add).map(|line| line.text.as_str())));
        let mut as_sent = Self::new(lines, &[]);
        // What begins as a whole line does is no content.
        as_sent.may_be_contents = !deletes && !of(LineOp::Delete).any(|line| is_marked(&line.text));
        let mut all = vec![as_sent];
        all.extend(deletes.then(|| Self::new(lines, &[LineOp::Delete])));
        let context = may_be_spaced && is_spaced(LineOp::Context);
        all.extend(context.then(|| Self::new(lines, &[LineOp::Delete, LineOp::Context])));
        all.extend(Self::prefixed(lines));
        all
    }

    /// Reads a hunk of which each `-` and context line brings the prefix of a view.
    fn prefixed(lines: &[&'h HunkLine]) -> Option<Self> {
        let read = |line: &&'h HunkLine| {
            let (label, text) = view_prefix(&line.text).unzip();
            ReadLine { op: line.op, text: text.unwrap_or(&line.text), label }
        };
        let lines: Rc<[_]> = lines.iter().map(read).collect();
        let reading = Self { form: Form::Prefixed, lines, may_be_contents: false };
        let is_complete = reading.old().all(|line| line.label.is_some() || is_blank(line.text));
        (is_complete && reading.old().any(|line| line.label.is_some())).then_some(reading)
    }

    /// Iterates over its `-` and context lines.
    pub(super) fn old(&self) -> impl Iterator<Item = &ReadLine<'h>> {
        self.lines.iter().filter(|line| line.op != LineOp::Add)
    }

    /// Returns the lines that are looked for.
    pub(super) fn sought(&self) -> Vec<SoughtLine<'h>> {
        let may_be_content = |text| self.may_be_contents && !is_marked(text) && !is_blank(text);
        self.old().map(|line| SoughtLine { text: line.text, may_be_content: may_be_content(line.text) }).collect()
    }
}

/// Reports whether written lines lose one space: each that is not blank begins with one, and one of them with no more.
pub(super) fn loses_space<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut full = lines.filter(|line| !is_blank(line));
    full.clone().all(|line| line.starts_with(' ')) && full.any(is_one_in)
}

/// Reports whether a line brings the marker of a bullet that has no number: what begins with a number may be text.
pub(super) fn is_marked(line: &str) -> bool {
    bullet_line(line).is_some_and(|line| !is_ordered(line.marker))
}

/// Reports whether a line could be the content of a bullet: it is unindented, and no marker, heading, block line, fence,
/// rule, table row, comment or label.
pub(super) fn is_plain(line: &str) -> bool {
    !is_blank(line)
        && !line.starts_with([' ', '\t', '|'])
        && !is_marked(line)
        && heading(line).is_none()
        && block_line(line).is_none()
        && fence_open(line).is_none()
        && !matches!(line.trim_end(), "---" | "...")
        && !line.starts_with("<!--")
        && !stands_apart(line)
}

/// Reports whether a line is indented by exactly one space.
pub(super) fn is_one_in(line: &str) -> bool {
    line.strip_prefix(' ').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}

/// A hunk that was found.
#[derive(Clone, Debug)]
pub(super) struct Found<'h> {
    pub(super) lines: Rc<[ReadLine<'h>]>,
    /// What its lines are.
    pub(super) form: Form,
    /// How they were compared.
    pub(super) compared: LineForm,
    /// The line of the document at which it begins.
    pub(super) first: usize,
    /// The lines of which it has the contents, ascending.
    pub(super) contents: Vec<usize>,
}

/// A run of a hunk: `-` lines, and the `+` lines behind them.
#[derive(Clone, Debug)]
pub(super) struct Run<'h> {
    /// The lines of the document that go; empty, where none does.
    pub(super) deleted: Range<usize>,
    /// The `-` lines.
    pub(super) sent: Vec<&'h str>,
    /// The `+` lines.
    pub(super) added: Vec<&'h str>,
}

impl<'h> Found<'h> {
    /// Iterates over its `-` and context lines, each with the line of the document that it is.
    pub(super) fn old(&self) -> impl Iterator<Item = (&ReadLine<'h>, usize)> {
        self.lines.iter().filter(|line| line.op != LineOp::Add).zip(self.first..)
    }

    /// Returns the lines of the document that it takes up.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.old().count()
    }

    pub(super) fn has(&self, op: LineOp) -> bool {
        self.lines.iter().any(|line| line.op == op)
    }

    pub(super) fn is_content(&self, line: usize) -> bool {
        self.contents.binary_search(&line).is_ok()
    }

    /// Divides the hunk into its runs: a `-` line behind a `+` line begins a new one.
    pub(super) fn runs(&self) -> Vec<Run<'h>> {
        let goes_on = |line: &ReadLine<'_>, next: &ReadLine<'_>| {
            let is_context = |line: &ReadLine<'_>| line.op == LineOp::Context;
            is_context(line) == is_context(next) && (line.op, next.op) != (LineOp::Add, LineOp::Delete)
        };
        let (mut runs, mut at) = (Vec::new(), self.first);
        for run in self.lines.chunk_by(goes_on) {
            let of = |op| run.iter().filter(move |line| line.op == op).map(|line| line.text).collect::<Vec<_>>();
            let (sent, added) = (of(LineOp::Delete), of(LineOp::Add));
            let behind = at + run.len() - added.len();
            if !(sent.is_empty() && added.is_empty()) {
                runs.push(Run { deleted: at..behind, sent, added });
            }
            at = behind;
        }
        runs
    }

    /// Returns the names of what was healed.
    pub(super) fn healed(&self, lines: &DocLines<'_>) -> Vec<Leniency> {
        let mut healed: Vec<Leniency> = match self.form {
            Form::AsSent => Vec::new(),
            Form::Spaced => vec![Leniency::Spaced],
            Form::Contents => vec![Leniency::BulletForm],
            Form::Prefixed => vec![Leniency::ViewPrefix],
        };
        if self.compared == LineForm::Normal {
            healed.extend(self.old().flat_map(|(line, at)| overlooked(line.text, lines.text(at))));
        }
        healed
    }

    /// Reports whether it is the first line of a bullet that has more: then it is not that bullet's content.
    fn is_part_of_bullet(&self, lines: &DocLines<'_>) -> bool {
        let mut bullets = self.contents.iter().filter_map(|line| lines.bullet(*line));
        bullets.any(|bullet| bullet.continuation_lines().any(|line| !is_blank(line.of(lines.doc.text()))))
    }

    /// Reports whether it is read as contents and could be meant otherwise: `- old` could be context that lacks its space.
    fn is_doubtful(&self) -> bool {
        let is_fewer = |run: &Run<'_>| {
            let full = run.added.iter().filter(|line| !is_blank(line)).count();
            self.has(LineOp::Add) && full < run.deleted.len() && run.deleted.clone().any(|line| self.is_content(line))
        };
        let stands_full = |run: &Run<'_>| {
            let mut pairs = run.deleted.clone().zip(&run.added);
            pairs.any(|(line, added)| self.is_content(line) && is_marked(added.trim_start()))
        };
        !self.contents.is_empty() && self.runs().iter().any(|run| is_fewer(run) || stands_full(run))
    }
}

impl<'a> Planner<'a> {
    /// Looks for lines of a hunk in its scope, in each reading: exactly, then in normal form; at last without the prefixes of
    /// a view. What only the first line of a bullet reads as is no place, but makes another one ambiguous.
    pub(super) fn search<'h>(&self, hunk: &'h Hunk, scope: &HunkScope<'a>) -> Result<Option<Found<'h>>, Refusal> {
        let mut range = scope.range();
        if hunk.is_at_end_of_file {
            let height = hunk.lines.iter().filter(|line| line.op != LineOp::Add).count();
            range.start = range.start.max(self.lines.len().saturating_sub(height));
        }
        self.search_lines(hunk, &hunk.lines.iter().collect::<Vec<_>>(), &range)
    }

    fn search_lines<'h>(
        &self,
        hunk: &Hunk,
        sent: &[&'h HunkLine],
        range: &Range<usize>,
    ) -> Result<Option<Found<'h>>, Refusal> {
        let readings = if self.heals { Reading::all(sent) } else { vec![Reading::new(sent, &[])] };
        let forms = if self.heals { &[LineForm::Exact, LineForm::Normal][..] } else { &[LineForm::Exact] };
        for readings in readings.chunk_by(|_, next| next.form != Form::Prefixed) {
            for form in forms {
                let mut seen = HashSet::new();
                let mut found: Vec<_> = readings.iter().flat_map(|reading| self.find(reading, range, *form)).collect();
                found.retain(|found| seen.insert(found.first));
                match found.as_slice() {
                    [only] if only.is_part_of_bullet(&self.lines) => {}
                    [only] if only.is_doubtful() => return Err(doubtful(hunk).into()),
                    [] => {}
                    [_] => return Ok(found.pop()),
                    several => {
                        let places: Vec<_> = several.iter().map(Found::range).collect();
                        return Err(self.several(hunk, &places).into());
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns where lines stand in one reading.
    fn find<'h>(&self, reading: &Reading<'h>, range: &Range<usize>, compared: LineForm) -> Vec<Found<'h>> {
        let sought: Vec<SoughtLine<'_>> = reading.sought();
        let found = self.lines.find(&sought, range, compared).into_iter().map(|run| Found {
            lines: Rc::clone(&reading.lines),
            form: if run.contents.is_empty() { reading.form } else { Form::Contents },
            compared,
            first: run.first,
            contents: run.contents,
        });
        let has_label = |(line, at): (&ReadLine<'_>, _)| {
            line.label.is_none_or(|label| LineLabel::of_line(self.lines.doc, at).is(label))
        };
        found.filter(|found| found.old().all(has_label)).collect()
    }

    /// Returns where each run of a hunk without context stands, else each `-` line of the runs that write nothing or as many
    /// lines as they delete.
    pub(super) fn find_apart<'h>(&self, hunk: &'h Hunk, scope: &HunkScope<'a>) -> Option<Vec<Found<'h>>> {
        let lines: Vec<&HunkLine> = hunk.lines.iter().collect();
        let begins_with_delete = lines.first().is_some_and(|line| line.op == LineOp::Delete);
        let has_context = lines.iter().any(|line| line.op == LineOp::Context);
        if !self.heals || !begins_with_delete || has_context || hunk.is_at_end_of_file {
            return None;
        }
        let runs = lines.chunk_by(|line, next| (line.op, next.op) != (LineOp::Add, LineOp::Delete));
        let runs: Vec<_> = runs.map(<[_]>::to_vec).collect();
        let single: Vec<_> = runs.iter().flat_map(|run| divided(run)).collect();
        // Each piece is looked for in the whole scope.
        [runs, single]
            .iter()
            .filter(|pieces| pieces.len() <= MOST)
            .find_map(|pieces| self.find_pieces(hunk, pieces, &scope.range()))
    }

    /// Returns where each piece of a hunk stands, if that is in their order, in one reading for all, and not to be meant otherwise.
    fn find_pieces<'h>(
        &self,
        hunk: &Hunk,
        pieces: &[Vec<&'h HunkLine>],
        range: &Range<usize>,
    ) -> Option<Vec<Found<'h>>> {
        let found = |piece: &Vec<&'h HunkLine>| self.search_lines(hunk, piece, range).ok().flatten();
        let found: Vec<Found<'_>> = pieces.iter().map(found).collect::<Option<_>>()?;
        let writes = |found: &Found<'_>| found.lines.iter().any(|line| line.op == LineOp::Add && !is_blank(line.text));
        let are_apart = found.windows(2).all(|pair| match pair {
            // What only deletes could be the context of what writes right beside it.
            [one, next] if one.range().end == next.first => writes(one) == writes(next) && one.form == next.form,
            [one, next] => one.first < next.first && one.form == next.form,
            _ => true,
        });
        let is_full = || hunk.lines.iter().any(|line| is_marked(line.text.trim_start()));
        let is_clear = found.iter().all(|found| match found.form {
            Form::AsSent | Form::Spaced => true,
            Form::Contents => !is_full(),
            Form::Prefixed => false,
        });
        (found.len() > 1 && are_apart && is_clear).then_some(found)
    }

    /// Returns the lines on which insertions stand already, right where each would go; behind it too, if there is context.
    pub(super) fn insertion_stands(
        &self,
        scope: &HunkScope<'_>,
        edits: &[LineEdit],
        has_context: bool,
    ) -> Option<Vec<Range<usize>>> {
        let low = if scope.is_document() { 0 } else { scope.start + 1 };
        let stands = |edit: &LineEdit| {
            let full: Vec<&str> = edit.texts.iter().map(String::as_str).filter(|text| !is_blank(text)).collect();
            let at = edit.lines.start;
            let before = at.saturating_sub(full.len()).max(low)..at;
            let behind = at..(at + full.len()).min(scope.full);
            let is_there =
                |range: &Range<usize>| !full.is_empty() && self.lines.texts(range.clone()).eq(full.iter().copied());
            [Some(before), Some(behind).filter(|_| has_context)].into_iter().flatten().find(is_there)
        };
        edits.iter().map(stands).collect()
    }

    /// Returns the lines on which the context and the `+` lines of a hunk stand as sent, once in its scope, while no other
    /// line there says what a `-` line does.
    pub(super) fn stands_as_sent(&self, hunk: &Hunk, scope: &HunkScope<'_>) -> Option<Range<usize>> {
        let of = |op| hunk.lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
        let (has_deletes, has_context) = (of(LineOp::Delete).next().is_some(), of(LineOp::Context).next().is_some());
        if of(LineOp::Add).next().is_none() || (!has_context && (has_deletes || scope.is_document())) {
            return None;
        }
        let new = hunk.lines.iter().filter(|line| line.op != LineOp::Delete);
        let sought: Vec<_> = new.map(|line| SoughtLine { text: &line.text, may_be_content: false }).collect();
        let found = self.lines.find(&sought, &scope.range(), LineForm::Exact);
        let [only] = found.as_slice() else { return None };
        let range = only.first..only.first + sought.len();
        let content = |line: &str| normal_content(ItemText::of_line(line).content);
        let deleted: HashSet<String> =
            of(LineOp::Delete).flat_map(|line| [content(&line.text), normal_content(&line.text)]).collect();
        let is_elsewhere = |at: usize| {
            !range.contains(&at) && !is_blank(self.lines.text(at)) && deleted.contains(&content(self.lines.text(at)))
        };
        (!scope.range().any(is_elsewhere)).then_some(range)
    }
}

/// Divides a run into its `-` lines, if it writes nothing, or as many lines as it deletes: each with the line for it.
fn divided<'h>(run: &[&'h HunkLine]) -> Vec<Vec<&'h HunkLine>> {
    let (deleted, added): (Vec<_>, Vec<_>) = run.iter().copied().partition(|line| line.op == LineOp::Delete);
    match added.len() {
        0 => deleted.into_iter().map(|line| vec![line]).collect(),
        count if count == deleted.len() => deleted.into_iter().zip(added).map(|(line, new)| vec![line, new]).collect(),
        _ => vec![run.to_vec()],
    }
}

/// The refusal of a hunk of which a `-` line may be context that lacks its space.
pub(super) fn doubtful(hunk: &Hunk) -> PatchError {
    let is_bare = |line: &HunkLine| line.op == LineOp::Delete && line.text.starts_with(' ');
    let at = hunk.lines.iter().position(is_bare).unwrap_or_default();
    let text = hunk.lines.get(at).map_or("", |line| line.text.as_str());
    unprefixed(PatchLine::new(hunk.first_line + at, text, "\n"))
}
