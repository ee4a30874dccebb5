//! What the `+` lines of a hunk are written as.

use std::ops::Range;

use super::envelope::numberless;
use super::reading::{Form, NumberMarker, ReadLine, is_one_in, is_plain, loses_space};
use super::search::{Found, FoundRun};
use super::{LineOp, Refusal};
use crate::document::{BulletRef, bullet_start, columns};
use crate::locate::{DocLines, ItemText, Leniency, graft, is_ordered};
use crate::text::{Ending, is_blank};

/// How far in a bullet may stand that others are written like, in bytes: a short patch is to write no long text.
const DEEPEST: usize = 64;

/// Lines that are written in the place of others, or between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineEdit {
    /// The lines that go; empty for an insertion before that line.
    pub(super) lines: Range<usize>,
    pub(super) texts: Vec<String>,
}

/// What is written, and what was healed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) edits: Vec<LineEdit>,
    pub(super) healed: Vec<Leniency>,
    /// The lines that it counts on as they stand.
    pub(super) needed: Vec<Range<usize>>,
}

/// The bullet that others are written like: its indentation and marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) indentation: String,
    pub(super) marker: String,
}

impl Model {
    pub(super) fn of(bullet: BulletRef<'_>) -> Self {
        let indentation = bullet.indentation().of(bullet.doc().text());
        Self { indentation: indentation.to_owned(), marker: bullet.marker().to_owned() }
    }

    pub(super) fn is_ordered(&self) -> bool {
        is_ordered(&self.marker)
    }

    /// Returns which numbers are the markers of lines that are written as bullets beside it.
    fn numbers(&self) -> NumberMarker<'_> {
        if self.is_ordered() { NumberMarker::Any } else { NumberMarker::None }
    }

    /// Returns a bullet with this text, and with the checkbox and the tags that it does not bring.
    fn item(&self, text: &str, checkbox: &str, tags: &str) -> String {
        let own = ItemText::of(text);
        let or = |own, other| if str::is_empty(own) { other } else { own };
        let said = [or(own.checkbox, checkbox), or(own.tags, tags), own.content];
        let said: Vec<_> = said.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}{} {}", self.indentation, self.marker, said.join(" "))
    }

    /// Makes bullets of lines that are written beside this one, if the first is not blank and all of them are plain.
    /// `number` is the first one's in the patch.
    pub(super) fn make_items(&self, texts: &mut [String], number: usize) -> Result<Option<Leniency>, Refusal> {
        let Some(first) = texts.first().filter(|text| !is_blank(text)) else { return Ok(None) };
        let are_plain = texts.iter().all(|text| is_blank(text) || is_plain(text, self.numbers()));
        if !are_plain || self.indentation.len() > DEEPEST {
            return Ok(None);
        }
        if self.is_ordered() {
            return Err(numberless(number, first).into());
        }
        for text in texts.iter_mut().filter(|text| !is_blank(text)) {
            *text = self.item(text, "", "");
        }
        Ok(Some(Leniency::BulletForm))
    }
}

/// A hunk that was found, and is about to be written.
pub(super) struct Writer<'w, 'a> {
    pub(super) lines: &'w DocLines<'a>,
    pub(super) found: &'w Found<'w>,
    pub(super) heals: bool,
    /// The number, from 1, of the patch's line that the hunk's first line stands on.
    pub(super) first_line: usize,
}

impl Writer<'_, '_> {
    /// Writes each run of the hunk.
    pub(super) fn write(&self) -> Result<Written, Refusal> {
        let (lines, found) = (self.lines, self.found);
        let is_fenced = found.range().any(|line| lines.is_fenced(line));
        let stands_one_in = || found.range().any(|line| is_one_in(lines.text(line)));
        let is_as_sent = matches!(found.reading.form, Form::AsSent | Form::Prefixed);
        let added = found.reading.lines.iter().filter(|line| line.op == LineOp::Add).map(|line| line.text);
        let is_spaced = self.heals && !(is_as_sent && (is_fenced || stands_one_in())) && loses_space(added);
        let mut written = Written { healed: found.healed(lines), ..Written::default() };
        written.healed.extend(is_spaced.then_some(Leniency::Spaced));
        written.needed = found.old().filter(|(line, _)| line.op == LineOp::Context).map(|(_, at)| at..at + 1).collect();
        for run in found.runs() {
            let less =
                |line: &ReadLine<'_>| line.text.strip_prefix(' ').filter(|_| is_spaced).unwrap_or(line.text).to_owned();
            let mut texts: Vec<String> = run.added.iter().map(less).collect();
            if self.heals {
                written.healed.extend(self.make_items(&run, &mut texts, is_spaced)?);
                if !found.run.is_exact && run.deleted.len() == texts.len() {
                    self.graft(&run, &mut texts);
                }
                if !is_fenced {
                    let around = open_above(lines, run.deleted.start).into_iter();
                    let around = around.chain(run.deleted.clone().filter_map(|line| lines.bullet(line)));
                    written.healed.extend(snap(&mut texts, around.map(|bullet| columns(bullet.line_text())).collect()));
                }
            }
            written.edits.push(LineEdit { lines: run.deleted, texts });
        }
        Ok(written)
    }

    /// Makes bullets of the plain lines of a run that stand in the place of bullets, or beside one.
    fn make_items(
        &self,
        run: &FoundRun<'_>,
        texts: &mut [String],
        is_spaced: bool,
    ) -> Result<Option<Leniency>, Refusal> {
        let number = |nth: usize| self.first_line + run.added.get(nth).map_or(0, |line| line.index);
        if run.deleted.is_empty() {
            let beside = touched(self.lines, run.deleted.start).filter(|_| is_spaced).map(Model::of);
            return beside.map_or(Ok(None), |model| model.make_items(texts, number(0)));
        }
        let bullets: Vec<_> = run.deleted.clone().filter_map(|line| Some((line, self.lines.bullet(line)?))).collect();
        let Some((_, last)) =
            bullets.last().filter(|_| is_spaced || run.deleted.clone().any(|line| self.found.is_content(line)))
        else {
            return Ok(None);
        };
        let mut healed = None;
        let full = texts.iter_mut().enumerate().filter(|(_, text)| !is_blank(text));
        for (nth, (index, text)) in full.enumerate() {
            let own = bullets.get(nth);
            let replaced = own.filter(|(at, _)| self.found.is_content(*at));
            let model = Model::of(own.map_or(*last, |(_, bullet)| *bullet));
            let numbers = match replaced {
                Some(_) if model.is_ordered() => NumberMarker::Only(&model.marker),
                _ => model.numbers(),
            };
            if !is_plain(text, numbers) || model.indentation.len() > DEEPEST {
                continue;
            }
            if own.is_none() && model.is_ordered() {
                return Err(numberless(number(index), text).into());
            }
            let [checkbox, tags] = replaced.map_or(["", ""], |(at, bullet)| kept_marks(run, *at, *bullet));
            *text = model.item(text, checkbox, tags);
            healed = Some(Leniency::BulletForm);
        }
        Ok(healed)
    }

    /// Keeps the characters of the document in what each written line has in common with the line that it replaces.
    fn graft(&self, run: &FoundRun<'_>, texts: &mut [String]) {
        for ((at, sent), text) in run.deleted.clone().zip(&run.sent).zip(texts) {
            let there = self.lines.text(at).trim_end_matches([' ', '\t']);
            let old = match self.lines.bullet(at).filter(|_| self.found.is_content(at)) {
                // What the `-` line left out stands there as in the document.
                Some(bullet) => {
                    let before = there.len().saturating_sub(item_text(bullet).content.len());
                    [there.get(..before).unwrap_or_default(), ItemText::of(sent).content].concat()
                }
                None => sent.trim_end_matches([' ', '\t']).to_owned(),
            };
            *text = graft(there, &old, text, Ending::Lf);
        }
    }
}

/// Returns the checkbox and the tags of a bullet that the `-` line for its content left out.
fn kept_marks<'a>(run: &FoundRun<'_>, at: usize, bullet: BulletRef<'a>) -> [&'a str; 2] {
    let sent = ItemText::of(run.sent.get(at - run.deleted.start).copied().unwrap_or_default());
    let own = item_text(bullet);
    let kept = |own, sent: &str| if sent.is_empty() { own } else { "" };
    [kept(own.checkbox, sent.checkbox), kept(own.tags, sent.tags)]
}

/// Returns what the first line of a bullet says.
fn item_text(bullet: BulletRef<'_>) -> ItemText<'_> {
    ItemText::of_line(bullet.line_text())
}

/// Returns the bullets that are open above a line, innermost first.
pub(super) fn open_above<'a>(lines: &DocLines<'a>, line: usize) -> Vec<BulletRef<'a>> {
    let above = lines.before_blanks(0, line).checked_sub(1);
    let innermost = above.and_then(|above| lines.bullet_around(above));
    innermost.into_iter().flat_map(BulletRef::ancestors).collect()
}

/// Returns the top-level bullet that a line inserted before `line` touches: the one above, else the one below.
fn touched<'a>(lines: &DocLines<'a>, line: usize) -> Option<BulletRef<'a>> {
    let above = line.checked_sub(1).filter(|above| !lines.text(*above).trim().is_empty());
    if above.is_some_and(|above| lines.is_fenced(above)) {
        return None;
    }
    let above = above.and_then(|above| lines.bullet_around(above));
    above.or_else(|| lines.bullet(line)).filter(|bullet| bullet.parent().is_none())
}

/// Moves written bullets that are one column deeper than one of `columns_around`, or than one written before, to that
/// column, with what is below them.
pub(super) fn snap(texts: &mut [String], mut columns_around: Vec<usize>) -> Option<Leniency> {
    let mut shifted = None;
    let mut base: Option<(usize, bool)> = None;
    for text in texts {
        let column = columns(text);
        let is_bullet = bullet_start(text).is_some();
        let is_below = base.is_some_and(|(base, is_shifted)| is_shifted && column > base);
        if is_bullet && !is_below {
            let is_near = column.checked_sub(1).is_some_and(|near| columns_around.contains(&near));
            base = Some((column, is_near && !columns_around.contains(&column) && text.starts_with(' ')));
        } else if !is_blank(text) && base.is_some_and(|(base, _)| column <= base) {
            base = None;
        }
        if base.is_some_and(|(_, is_shifted)| is_shifted) && text.starts_with(' ') {
            text.remove(0);
            shifted = Some(Leniency::Spaced);
        }
        if is_bullet {
            columns_around.push(columns(text));
        }
    }
    shifted
}
