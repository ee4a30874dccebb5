//! Writes the `+` lines of a hunk, and finds the place of a hunk that has only `+` lines.

use std::ops::Range;
use std::rc::Rc;

use super::anchor::HunkScope;
use super::parse::PatchError;
use super::planner::Planner;
use super::search::{HunkMatch, Reading, Run, doubtful, full, old};
use super::{Hunk, HunkLine, LineOp};
use crate::document::{BulletRef, ItemText, bullet_line, columns, heading, is_ordered, is_plain};
use crate::edit::PartStatus;
use crate::edit::compose::{Prefix, Spot, prefix_of};
use crate::locate::{Diagnostic, DocLines, Leniency, LineForm, LineRun, LocateError, Reason, Scope, Target};
use crate::request::graft::{Replaced, graft_lines};
use crate::request::written_lines::{align_columns, as_bullet, is_indented_by_one};
use crate::request::{Refusal, insert::end_for};
use crate::text::{Content, Span, is_blank};

/// Lines that replace others, or are inserted between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineEdit {
    /// The lines that are replaced; an empty range for an insertion before that line.
    pub(super) lines: Range<usize>,
    pub(super) texts: Vec<String>,
}

/// What a hunk writes.
#[derive(Clone, Debug)]
pub(super) struct HunkPlan {
    pub(super) status: PartStatus,
    pub(super) edits: Vec<LineEdit>,
    pub(super) healed: Vec<Leniency>,
    /// The lines that it needs unchanged.
    pub(super) needed: Vec<Range<usize>>,
}

impl HunkPlan {
    /// Writes nothing: the lines `needed` show why.
    pub(super) const fn nothing(status: PartStatus, needed: Vec<Range<usize>>) -> Self {
        Self { status, edits: Vec::new(), healed: Vec::new(), needed }
    }
}

impl<'a> Planner<'a> {
    /// Adds the line edits of a hunk that was found to `written`, one for each run.
    pub(super) fn write(&self, hunk: &Hunk, found: &HunkMatch, written: &mut HunkPlan) -> Result<(), Refusal> {
        let (lines, is_spaced) = (&self.lines, self.is_spaced(hunk, found));
        let is_fenced = found.range().any(|line| lines.is_fenced(line));
        let mut added = full(&found.reading.lines, LineOp::Add);
        // One line of words appended directly below a bullet would be prose, which is refused; so it can only mean a bullet.
        // Several lines may be one sentence, and a number or another sign may be meant as it is.
        let is_text =
            |line: &str| bullet_line(line).is_none() && line.starts_with(|c: char| c.is_alphanumeric() || c == '[');
        let joins_list = added.next().filter(|_| added.next().is_none()).is_some_and(is_text)
            && found.model.as_ref().is_some_and(|list| list.indentation.is_empty());
        written.healed.extend(found.healed(lines));
        written.healed.extend(is_spaced.then_some(Leniency::Spaced));
        for run in found.runs() {
            let less = |line: &&str| line.strip_prefix(' ').filter(|_| is_spaced).unwrap_or(line).to_owned();
            let mut texts: Vec<String> = run.added.iter().map(less).collect();
            // Inserted lines join no list if one of them has a marker, or if they stand between the lines of a bullet.
            let is_apart = run.deleted.is_empty()
                && (texts.iter().any(|text| bullet_line(text).is_some()) || is_inside(lines, run.deleted.start));
            let reads_as_list = is_spaced || joins_list || !(found.run.contents.is_empty() || is_apart);
            if self.doc.heals() && reads_as_list && self.make_items(hunk, found, &run, &mut texts)? {
                written.healed.push(Leniency::BulletForm);
            }
            if found.compared == LineForm::Normal && !texts.is_empty() {
                let replaced =
                    |(at, sent)| Replaced { line: self.doc.line_text(at), sent, is_content: found.is_content(at) };
                texts = graft_lines(run.deleted.clone().zip(run.sent.iter().copied()).map(replaced), &texts);
            }
            if self.doc.heals() && !is_fenced {
                let around = open_above(lines, run.deleted.start);
                let around = around.chain(run.deleted.clone().filter_map(|line| lines.bullet(line)));
                let columns = around.map(|bullet| columns(bullet.line_text())).collect();
                written.healed.extend(align_columns(&mut texts, columns).then_some(Leniency::Spaced));
            }
            written.edits.push(LineEdit { lines: run.deleted, texts });
        }
        let context = found.old().filter(|(line, _)| line.op == LineOp::Context);
        written.needed.extend(context.map(|(_, at)| at..at + 1));
        Ok(())
    }

    /// Returns true if the `+` lines lose their first space, because it was put between operator and line.
    fn is_spaced(&self, hunk: &Hunk, found: &HunkMatch) -> bool {
        let (lines, mut added) = (&self.lines, full(&found.reading.lines, LineOp::Add));
        // If the `-` lines lose one space, `+` lines that were sent as deep lose it too.
        let depth = |op| full(&hunk.lines, op).map(columns).min();
        let is_as_deep = found.reading.healed == Some(Leniency::Spaced) && depth(LineOp::Add) == depth(LineOp::Delete);
        let may_lose =
            added.clone().all(|line| line.starts_with(' ')) && (is_as_deep || added.clone().any(is_indented_by_one));
        if !may_lose || !self.doc.heals() {
            return false;
        }
        // Not where the lines of the document may begin with one space themselves.
        if found.range().is_empty() {
            let is_headed = added.next().is_some_and(|line| heading(line).is_some());
            let mut list = open_above(lines, found.run.first).map(BulletRef::line_text);
            return is_headed || !list.any(is_indented_by_one);
        }
        let begins_with_space = |line| lines.is_fenced(line) || is_indented_by_one(lines.doc.line_text(line));
        let is_as_sent = matches!(found.form(), None | Some(Leniency::ViewPrefix));
        !(is_as_sent && found.range().any(begins_with_space))
    }

    /// Turns plain lines of a run into bullets, if they replace bullets, or if all of them are plain and are inserted
    /// beside a bullet. Returns true if any line was changed so.
    fn make_items(&self, hunk: &Hunk, found: &HunkMatch, run: &Run<'_>, texts: &mut [String]) -> Result<bool, Refusal> {
        let bullets: Vec<_> = run.deleted.clone().filter_map(|line| self.lines.bullet(line)).collect();
        // Inserted lines that begin with a blank one are set apart: they join no list.
        let is_list = run.deleted.is_empty()
            && texts.first().is_some_and(|text| !is_blank(text))
            && texts.iter().all(|text| is_blank(text) || is_plain(text));
        let joined = || found.model.clone().or_else(|| touched(&self.lines, run.deleted.start)).filter(|_| is_list);
        let Some(last) = bullets.last().copied().map(prefix_of).or_else(joined) else { return Ok(false) };
        check_depths(hunk, &bullets, texts)?;
        let (mut indentation, mut is_healed) = (String::new(), false);
        // If sought lines were sent with indentation, `+` lines have the document's indentation too. Otherwise an indented
        // `+` line is relative to the line before it.
        let is_relative =
            old(&found.reading.lines).all(|line| is_blank(&line.text) || !line.text.starts_with([' ', '\t']));
        for (nth, text) in texts.iter_mut().filter(|text| !is_blank(text)).enumerate() {
            let own = bullets.get(nth).copied();
            let replaced = own.filter(|bullet| found.is_content(bullet.line_index()));
            let marks = replaced.map(|bullet| kept_marks(run, bullet));
            let model = own.map_or_else(|| last.clone(), prefix_of);
            if let Some(item) = as_bullet(&model, text, marks) {
                if let Some(expected) = expected_number(text, own, replaced.is_some(), &model) {
                    return Err(PatchError::new(hunk.first_line, expected, text).into());
                }
                *text = item;
                indentation = model.indentation;
                is_healed = true;
            } else if replaced.is_some() && !is_plain(text) {
                return Err(doubtful(hunk).into());
            } else if text.starts_with([' ', '\t']) {
                text.insert_str(0, if is_relative { &indentation } else { "" });
            } else {
                indentation.clear();
            }
        }
        Ok(is_healed)
    }

    /// Finds the place of a hunk that has only `+` lines: the end of its scope.
    pub(super) fn append(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Result<HunkMatch, Refusal> {
        let mut added = hunk.lines.clone();
        let blanks = added.iter().take_while(|line| is_blank(&line.text)).count();
        let first = added.get(blanks).map_or("", |line| line.text.as_str());
        let is_headed = heading(first).is_some() && matches!(scope.part, Scope::Document | Scope::Section(_));
        if scope.is_document() && !is_headed && !hunk.is_at_end_of_file {
            return Err(self.no_place());
        }
        let mut first = self.doc.line_range(Span::new(0, end_for(self.doc, scope.part, first)?)).end;
        let model = if is_headed { None } else { self.model(scope, first) };
        if is_headed {
            first = self.lines.before_blanks(scope.lines.start, first);
            // A blank line sets the heading apart.
            added.splice(..blanks, (first > 0).then(|| HunkLine { op: LineOp::Add, text: Content::default() }));
        }
        if hunk.is_at_end_of_file && (first..self.lines.len()).any(|line| !is_blank(self.doc.line_text(line))) {
            let help = Diagnostic::because(Reason::at(first, "not at the end of the document"));
            return Err(LocateError::not_found(Target::End, help).into());
        }
        let (reading, run) = (Rc::new(Reading::as_sent(added)), LineRun { first, contents: Vec::new() });
        Ok(HunkMatch { reading, compared: LineForm::Exact, run, model })
    }

    /// Returns the indentation and marker for lines appended at `at`. If the scope is a bullet, they are those of its
    /// children; else those of the outermost bullet right above, if that is inside of the scope.
    fn model(&self, scope: &HunkScope<'a>, at: usize) -> Option<Prefix> {
        if let Scope::Bullet(parent) = scope.part {
            return Some(Spot::under(parent, &[]).prefix());
        }
        let outermost = open_above(&self.lines, at).last()?;
        let is_inside = outermost.line_index() > scope.lines.start && !self.lines.is_blank(at.saturating_sub(1));
        (is_inside || scope.is_document()).then(|| prefix_of(outermost))
    }
}

/// Refuses plain lines in place of more bullets, if those that they leave over are less deep than the others: a line would
/// then stand for bullets of several depths.
fn check_depths(hunk: &Hunk, bullets: &[BulletRef<'_>], texts: &[String]) -> Result<(), PatchError> {
    let written = texts.iter().filter(|text| !is_blank(text)).count();
    let depth = |bullets: &[BulletRef<'_>]| bullets.iter().map(|bullet| columns(bullet.line_text())).min();
    let depths = bullets.split_at_checked(written).and_then(|(replaced, left)| depth(replaced).zip(depth(left)));
    let is_flat = depths.is_none_or(|(replaced, left)| replaced <= left);
    let Some(plain) = texts.iter().find(|text| is_plain(text)).filter(|_| !is_flat) else { return Ok(()) };
    let expected =
        "the line with its indentation and marker, such as `  - TEXT`: it would stand for bullets of several depths";
    Err(PatchError::new(hunk.first_line, expected, plain))
}

/// Returns what is expected in place of a line that becomes a bullet, if it is not clear what its number is. `own` is the
/// bullet that the line replaces; `is_content` says that only the content of that bullet was sent.
fn expected_number(text: &str, own: Option<BulletRef<'_>>, is_content: bool, model: &Prefix) -> Option<&'static str> {
    let is_numbered = |text: &str| bullet_line(text).is_some();
    match own {
        None if is_ordered(&model.marker) => Some("a number such as `2.`, which a line needs to join an ordered list"),
        // If the replaced text has no number, a number may be meant as the marker or as text.
        Some(own) if !is_content && is_numbered(text) && !is_numbered(ItemText::of_line(own.line_text()).content) => {
            Some("a number right behind the `+` if it is a marker, or `- ` before one that is text")
        }
        _ => None,
    }
}

/// Returns the checkbox and the tags of a bullet, each only if the `-` line for the bullet leaves it out: then it stays.
fn kept_marks<'a>(run: &Run<'_>, bullet: BulletRef<'a>) -> [&'a str; 2] {
    let sent = run.sent.get(bullet.line_index() - run.deleted.start).copied().unwrap_or_default();
    let (sent, own) = (ItemText::trimmed(sent), ItemText::of_line(bullet.line_text()));
    let kept = |own, sent: &str| if sent.is_empty() { own } else { "" };
    [kept(own.checkbox, sent.checkbox), kept(own.tags, sent.tags)]
}

/// Returns the bullets that are open above a line, innermost first.
fn open_above<'a>(lines: &DocLines<'a>, line: usize) -> impl Iterator<Item = BulletRef<'a>> {
    let above = lines.before_blanks(0, line).checked_sub(1);
    above.and_then(|above| lines.bullet_around(above)).into_iter().flat_map(BulletRef::ancestors)
}

/// Reports whether a line inserted before `line` stands between the lines of a bullet.
fn is_inside(lines: &DocLines<'_>, line: usize) -> bool {
    lines.bullet_around(line).is_some_and(|bullet| bullet.parent().is_some() || bullet.line_number() <= line)
}

/// Returns the top-level bullet that a line inserted before `line` touches: the one above, else the one below.
fn touched(lines: &DocLines<'_>, line: usize) -> Option<Prefix> {
    let above = line.checked_sub(1).filter(|above| !is_blank(lines.doc.line_text(*above)));
    if above.is_some_and(|above| lines.is_fenced(above)) {
        return None;
    }
    let bullet = above.and_then(|above| lines.bullet_around(above)).or_else(|| lines.bullet(line));
    bullet.filter(|bullet| bullet.parent().is_none()).map(prefix_of)
}
