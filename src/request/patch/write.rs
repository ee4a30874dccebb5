//! What the `+` lines of a hunk are written as.

use std::cell::Cell;
use std::ops::Range;

use super::error::{PatchError, numberless};
use super::item_text::{ItemText, NumberMarker, is_one_in, is_plain};
use super::lines::{Comparison, DocLines};
use super::reading::{Form, loses_space};
use super::search::{Found, FoundRun};
use super::{LineOp, Refusal};
use crate::document::{BulletRef, bullet_start, columns};
use crate::edit::guard::Indented;
use crate::locate::{Rung, graft, is_ordered, view_prefix};
use crate::text::{Ending, Span, is_blank};

/// Lines that are written in the place of others, or between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineEdit {
    /// The lines that go; empty for an insertion before that line.
    pub(super) lines: Range<usize>,
    pub(super) texts: Vec<String>,
}

/// What a bullet is written with: the indentation and the marker of another one.
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
    pub(super) fn numbers(&self) -> NumberMarker<'_> {
        if self.is_ordered() { NumberMarker::Any } else { NumberMarker::None }
    }

    /// Returns a bullet with this text, and with the marks that it does not bring.
    pub(super) fn item(&self, text: &str, marks: Marks<'_>) -> String {
        let own = ItemText::of(text);
        let or = |own: &'_ str, other: &'_ str| if own.is_empty() { other.to_owned() } else { own.to_owned() };
        let said = [or(own.checkbox, marks.checkbox), or(own.tags, marks.tags), own.content.to_owned()];
        let said: Vec<_> = said.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}{} {}", self.indentation, self.marker, said.join(" "))
    }
}

/// A checkbox and tags; empty without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks<'t> {
    pub(super) checkbox: &'t str,
    pub(super) tags: &'t str,
}

/// What is written, and what was healed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) edits: Vec<LineEdit>,
    pub(super) healed: Vec<Rung>,
    /// The lines that it counts on as they stand.
    pub(super) needed: Vec<Range<usize>>,
}

/// A hunk that was found, and is about to be written.
pub(super) struct Writer<'w, 'a> {
    pub(super) lines: &'w DocLines<'a>,
    pub(super) found: &'w Found<'w>,
    pub(super) heals: bool,
    /// The number, from 1, of the patch's line that the hunk's first line stands on.
    pub(super) first_line: usize,
    /// How much indentation the patch writes.
    pub(super) indented: &'w Cell<Indented>,
}

impl<'a> Writer<'_, 'a> {
    /// Writes each run of the hunk.
    pub(super) fn write(&self) -> Result<Written, Refusal> {
        let mut written = Written::default();
        let added: Vec<&str> =
            self.found.lines.iter().filter(|line| line.op == LineOp::Add).map(|line| self.bare(&line.text)).collect();
        let range = self.found.range();
        let is_fenced = range.clone().any(|line| self.lines.is_fenced(line));
        let stands_one_in = || range.clone().any(|line| is_one_in(self.lines.text(line)));
        let is_as_sent = self.found.reading.form == Form::AsSent;
        let is_spaced =
            self.heals && !(is_as_sent && (is_fenced || stands_one_in())) && loses_space(added.iter().copied());
        written.healed.extend(is_spaced.then_some(Rung::Spaced));
        for run in self.found.runs() {
            let own = added.get(run.first_added..run.first_added + run.added.len()).unwrap_or_default();
            let own: Vec<&str> =
                own.iter().map(|line| line.strip_prefix(' ').filter(|_| is_spaced).unwrap_or(line)).collect();
            let mut texts = self.items(&run, &own, is_spaced, &mut written.healed)?;
            if self.heals && self.found.comparison == Comparison::Normal && run.deleted.len() == texts.len() {
                self.graft(&run, &mut texts);
            }
            if self.heals && !is_fenced {
                let around = open_above(self.lines, run.deleted.start).into_iter();
                let around = around.chain(run.deleted.clone().filter_map(|line| self.lines.bullet(line)));
                written.healed.extend(snap(&mut texts, around.map(column_of).collect()));
            }
            written.edits.push(LineEdit { lines: run.deleted, texts });
        }
        Ok(written)
    }

    /// Returns a `+` line without the prefix of a view, if the others brought some.
    fn bare<'t>(&self, line: &'t str) -> &'t str {
        let prefix = view_prefix(line).filter(|_| self.found.has_prefixes);
        prefix.map_or(line, |(_, rest)| rest)
    }

    /// Makes bullets of the plain lines of a run that stand in the place of bullets, or beside one.
    fn items(
        &self,
        run: &FoundRun<'_>,
        added: &[&str],
        is_spaced: bool,
        healed: &mut Vec<Rung>,
    ) -> Result<Vec<String>, Refusal> {
        let mut texts: Vec<String> = added.iter().map(|line| (*line).to_owned()).collect();
        if !self.heals {
            return Ok(texts);
        }
        let bullets: Vec<_> = run.deleted.clone().filter_map(|line| Some((line, self.lines.bullet(line)?))).collect();
        let has_contents = run.deleted.clone().any(|line| self.found.is_content(line));
        let is_plain_run =
            |model: &Model| added.iter().filter(|line| !is_blank(line)).all(|line| is_plain(line, model.numbers()));
        let beside = touched(self.lines, run.deleted.start).map(Model::of);
        let begins_full = added.first().is_some_and(|line| !is_blank(line));
        let beside = beside.filter(|model| is_spaced && run.deleted.is_empty() && begins_full && is_plain_run(model));
        let mut nth = 0;
        for (text, line) in texts.iter_mut().zip(added) {
            if is_blank(line) {
                continue;
            }
            let own = bullets.get(nth);
            nth += 1;
            match own.or(bullets.last()) {
                Some((at, bullet)) if is_spaced || has_contents => {
                    let model = Model::of(*bullet);
                    let replaced = own.filter(|_| self.found.is_content(*at));
                    let numbers = match replaced {
                        _ if !model.is_ordered() => NumberMarker::None,
                        Some(_) => NumberMarker::Only(&model.marker),
                        None => NumberMarker::Any,
                    };
                    if !is_plain(line, numbers) {
                        continue;
                    }
                    if own.is_none() && model.is_ordered() {
                        return Err(self.numberless(line).into());
                    }
                    self.indent(&model)?;
                    *text = model.item(line, replaced.map_or(Marks::default(), |_| self.marks_kept(run, *at, *bullet)));
                    healed.push(Rung::BulletForm);
                }
                _ => {
                    if let Some(model) = &beside {
                        if model.is_ordered() {
                            return Err(self.numberless(line).into());
                        }
                        self.indent(model)?;
                        *text = model.item(line, Marks::default());
                        healed.push(Rung::BulletForm);
                    }
                }
            }
        }
        Ok(texts)
    }

    /// Returns the checkbox and the tags of a bullet that the `-` line for its content left out.
    fn marks_kept(&self, run: &FoundRun<'_>, at: usize, bullet: BulletRef<'a>) -> Marks<'a> {
        let sent = run.sent.get(at - run.deleted.start).map_or("", |line| self.found.reading.text(line));
        let (brought, own) = (ItemText::of(sent), said(bullet));
        let kept = |own: &'a str, brought: &str| if brought.is_empty() { own } else { "" };
        Marks { checkbox: kept(own.checkbox, brought.checkbox), tags: kept(own.tags, brought.tags) }
    }

    /// Keeps the characters of the document in what each written line has in common with the line that it replaces.
    fn graft(&self, run: &FoundRun<'_>, texts: &mut [String]) {
        for ((at, sent), text) in run.deleted.clone().zip(&run.sent).zip(texts) {
            let there = self.lines.text(at).trim_end_matches([' ', '\t']);
            let sent = match view_prefix(&sent.text).filter(|_| self.found.has_prefixes) {
                Some((_, rest)) => rest,
                None => self.found.reading.text(sent),
            };
            let old = match self.lines.bullet(at).filter(|_| self.found.is_content(at)) {
                // What the `-` line left out stands there as in the document.
                Some(bullet) => {
                    let before = there.len().saturating_sub(said(bullet).content.len());
                    [there.get(..before).unwrap_or_default(), ItemText::of(sent).content].concat()
                }
                None => sent.trim_end_matches([' ', '\t']).to_owned(),
            };
            *text = graft(there, &old, text, Ending::Lf);
        }
    }

    /// Notes the indentation of a line; refuses what would make the document far too large.
    fn indent(&self, model: &Model) -> Result<(), Refusal> {
        let mut indented = self.indented.get();
        indented.add(self.lines.doc, 1, model.indentation.len())?;
        self.indented.set(indented);
        Ok(())
    }

    fn numberless(&self, line: &str) -> PatchError {
        let at = self.found.lines.iter().position(|sent| sent.text.trim() == line.trim()).unwrap_or_default();
        numberless(self.first_line + at, line)
    }
}

/// Returns what the first line of a bullet says.
pub(super) fn said(bullet: BulletRef<'_>) -> ItemText<'_> {
    let text = Span::new(bullet.marker.end(), bullet.first_text().end());
    ItemText::of(text.of(bullet.doc().text()))
}

fn column_of(bullet: BulletRef<'_>) -> usize {
    columns(bullet.indentation().of(bullet.doc().text()))
}

/// Returns the bullets that are open above a line, innermost first.
pub(super) fn open_above<'a>(lines: &DocLines<'a>, line: usize) -> Vec<BulletRef<'a>> {
    let above = lines.before_blanks(0, line).checked_sub(1);
    let innermost = above.and_then(|above| lines.bullet_around(above));
    innermost.into_iter().flat_map(BulletRef::ancestors).collect()
}

/// Returns the top-level bullet that a line inserted before `line` touches: the one above, else the one below.
fn touched<'a>(lines: &DocLines<'a>, line: usize) -> Option<BulletRef<'a>> {
    let above = line.checked_sub(1);
    let is_fenced = above.is_some_and(|above| lines.is_fenced(above));
    let above =
        above.filter(|above| !is_fenced && !lines.is_blank(*above)).and_then(|above| lines.bullet_around(above));
    let bullet = above.or_else(|| lines.bullet(line).filter(|_| !is_fenced))?;
    bullet.parent().is_none().then_some(bullet)
}

/// Moves written bullets that are one column deeper than one of `columns_around`, or than one written before, to that
/// column, with what is below them.
pub(super) fn snap(texts: &mut [String], mut columns_around: Vec<usize>) -> Option<Rung> {
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
            shifted = Some(Rung::Spaced);
        }
        if is_bullet {
            columns_around.push(columns(text));
        }
    }
    shifted
}
