//! Where text goes: spots, the places of bullets in lists; where lines are appended to a scope; and whole lines that
//! are inserted or replace others, with the line endings of the place.

use std::ops::Range;

use super::super::{EditBuilder, EditError, Flaw, Promise};
use super::are_siblings;
use crate::document::{Block, BulletRef, Fence, Kind, Label, LabelRef, MemoryDoc};
use crate::locate::{Scope, listed};
use crate::text::{Line, Span, differing, is_blank};

/// Where a bullet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot<'a> {
    /// Right before this one, as its sibling.
    Before(BulletRef<'a>),
    /// Behind this one and all that belongs to it, as its sibling.
    After(BulletRef<'a>),
    /// As the first child of this one.
    Under(BulletRef<'a>),
    /// Into a section or block that has no bullet of its own.
    Into(Scope<'a>),
}

impl<'a> Spot<'a> {
    /// Returns the spot in `scope` at which a bullet has `place`, from 0, among the others;
    /// those of `moving` are not counted.
    pub(crate) fn at_place(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>], place: usize) -> Self {
        let others = others(doc, scope, moving);
        match place.checked_sub(1).and_then(|before| others.get(before)) {
            Some(before) => Self::After(*before),
            None => others
                .first()
                .filter(|first| is_own(doc, scope)(first))
                .map_or_else(|| Self::into(doc, scope, moving), |first| Self::Before(*first)),
        }
    }

    /// Returns the spot behind the last bullet of `scope`; in a section, behind the last that
    /// belongs to no block.
    pub(crate) fn last(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>]) -> Self {
        let last = others(doc, scope, moving).into_iter().rfind(is_own(doc, scope));
        last.map_or_else(|| Self::into(doc, scope, moving), Self::After)
    }

    /// Returns the spot behind the last child of `parent`; those of `moving` are not counted.
    pub(crate) fn under(parent: BulletRef<'a>, moving: &[BulletRef<'a>]) -> Self {
        let last = parent.children().rfind(|child| moving.binary_search(child).is_err());
        // An only child stands there already.
        let only = moving.iter().copied().find(|moving| moving.parent() == Some(parent));
        last.or(only).map_or(Self::Under(parent), Self::After)
    }

    /// Returns the bullet beside which one is written there.
    pub(crate) const fn sibling(self) -> Option<BulletRef<'a>> {
        match self {
            Self::Before(sibling) | Self::After(sibling) => Some(sibling),
            Self::Under(_) | Self::Into(_) => None,
        }
    }

    /// Returns the bullet whose child is written there.
    pub(crate) fn parent(self) -> Option<BulletRef<'a>> {
        match self {
            Self::Before(sibling) | Self::After(sibling) => sibling.parent(),
            Self::Under(parent) => Some(parent),
            Self::Into(_) => None,
        }
    }

    /// Returns in how many bullets it lies.
    pub(super) fn depth(self) -> usize {
        self.parent().map_or(0, |parent| parent.depth() + 1)
    }

    /// Reports whether a bullet is in the list that is written to.
    pub(crate) fn is_beside(self, bullet: BulletRef<'_>) -> bool {
        match self {
            Self::Before(sibling) | Self::After(sibling) => are_siblings(sibling, bullet),
            Self::Under(parent) => bullet.parent() == Some(parent),
            // There is none in it.
            Self::Into(_) => false,
        }
    }

    /// Returns how many bytes stand before what is written there, at least.
    pub(crate) fn indentation(self) -> usize {
        match self {
            Self::Before(bullet) | Self::After(bullet) | Self::Under(bullet) => bullet.indentation().len(),
            Self::Into(_) => 0,
        }
    }

    /// Reports whether it lies inside a bullet, which cannot be moved there.
    pub(crate) fn is_inside(self, bullet: BulletRef<'a>) -> bool {
        self.parent().is_some_and(|parent| parent.ancestors().any(|around| around == bullet))
    }

    fn into(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>]) -> Self {
        let moves = |bullet: &BulletRef<'a>| moving.binary_search(bullet).is_ok();
        let only = listed(doc, scope).into_iter().filter(is_own(doc, scope)).find(moves);
        only.map_or(Self::Into(scope), Self::After)
    }

    /// Returns the offset at which the lines of the bullet are inserted.
    pub(crate) fn offset(self, doc: &MemoryDoc) -> usize {
        match self {
            Self::Before(bullet) => bullet.extent.start(),
            Self::After(bullet) | Self::Under(bullet) => bullet.extent.end(),
            Self::Into(scope) => append_point(doc, scope),
        }
    }
}

/// Returns the bullets that an index in `scope` counts; those of `moving`, in document order, are not counted.
pub(crate) fn others<'a>(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>]) -> Vec<BulletRef<'a>> {
    let mut others = listed(doc, scope);
    others.retain(|other| moving.binary_search(other).is_err());
    others
}

/// Returns which bullets are a scope's own: those in its [own part](own_part).
fn is_own<'a>(doc: &'a MemoryDoc, scope: Scope<'a>) -> impl Fn(&BulletRef<'a>) -> bool {
    let part = own_part(doc, scope);
    move |bullet| part.contains(bullet.line.start())
}

/// Returns where lines appended to `scope` go: of a section to the end of its [own part](own_part),
/// of a block, a label or a bullet to its end, but before blank lines, rules and comments there; of
/// front matter before its last line; at the end of a document.
pub(crate) fn append_point(doc: &MemoryDoc, scope: Scope<'_>) -> usize {
    match scope {
        Scope::Document => doc.text().len(),
        Scope::Section(_) => end_of_content(doc, own_part(doc, scope)),
        Scope::Block(block) => match block.section().filter(|_| block.is_section) {
            Some(section) => append_point(doc, Scope::Section(section)),
            None => end_of_content(doc, block.extent),
        },
        Scope::Label(label) => end_of_content(doc, label.extent),
        Scope::Bullet(_) | Scope::Slot(_) => scope.span(doc).end(),
        Scope::FrontMatter(span) => Line::holding(doc.text(), span.end().saturating_sub(1)).full.start(),
        Scope::From(span) => end_of_content(doc, span),
    }
}

/// Refuses to write at an offset that lies in a fence which nothing closes.
pub(crate) fn check_open_fence(doc: &MemoryDoc, at: usize) -> Result<(), EditError> {
    let fence = at.checked_sub(1).and_then(|above| doc.outline().fence_at(above)).filter(|fence| !fence.is_closed);
    let flaw = |fence: &Fence| EditError::InvalidText(Flaw::InOpenFence(doc.line_number(fence.extent.start())));
    fence.map_or(Ok(()), |fence| Err(flaw(fence)))
}

/// Returns the part of a scope that is appended to: of a section its body, and of a document what stands before the
/// first heading, up to the first block line or label; if one label owns all bullets, what that one owns.
fn own_part(doc: &MemoryDoc, scope: Scope<'_>) -> Span {
    let whole = match scope {
        Scope::Section(section) => section.body,
        Scope::Document => Span::new(0, doc.sections().next().map_or(doc.text().len(), |first| first.line.start())),
        _ => return scope.span(doc),
    };
    if let Some(label) = label_of_all(doc, scope) {
        return label.extent;
    }
    let block = Block::within(doc.outline(), whole).iter().find(|block| !block.is_section).map(|block| block.line);
    let label = Label::within(doc.outline(), whole).first().map(|label| label.line);
    let first = block.into_iter().chain(label).map(Span::start).min();
    Span::new(whole.start(), first.unwrap_or(whole.end()))
}

/// Returns the labels of the top-level bullets of a section's body, or of those before the first
/// heading; `None` for each that has none.
fn labels_of<'a>(doc: &'a MemoryDoc, scope: Scope<'a>) -> Vec<Option<LabelRef<'a>>> {
    let bullets: Vec<BulletRef<'a>> = match scope {
        Scope::Section(section) => section.bullets().collect(),
        Scope::Document => doc.bullets().take_while(|bullet| bullet.section().is_none()).collect(),
        _ => Vec::new(),
    };
    let mut labels: Vec<_> = bullets.into_iter().filter(|bullet| bullet.depth() == 0).map(BulletRef::label).collect();
    labels.dedup();
    labels
}

/// Returns the label that owns all bullets of a section's body, or all before the first heading.
pub(crate) fn label_of_all<'a>(doc: &'a MemoryDoc, scope: Scope<'a>) -> Option<LabelRef<'a>> {
    if let [label] = labels_of(doc, scope).as_slice() { *label } else { None }
}

/// Returns the labels of these bullets if each bullet has one and there are several: the name of the section then
/// says of none of them that it is meant.
pub(crate) fn competing_labels<'a>(doc: &'a MemoryDoc, scope: Scope<'a>) -> Vec<LabelRef<'a>> {
    let labels = labels_of(doc, scope).into_iter().collect::<Option<Vec<_>>>().unwrap_or_default();
    if labels.len() > 1 { labels } else { Vec::new() }
}

/// Returns where what `span` holds ends: before the blank lines, rules and comments at its end.
pub(super) fn end_of_content(doc: &MemoryDoc, span: Span) -> usize {
    let (text, mut end) = (doc.text(), before_trailing_blanks(doc, span));
    while let Some(last) = end.checked_sub(1).filter(|last| *last >= span.start()) {
        let line = Line::holding(text, last);
        let start = match doc.outline().fence_at(last) {
            Some(comment) if comment.is_comment => comment.extent.start(),
            Some(_) => break,
            None if is_rule(line.text.of(text)) => line.full.start(),
            None => break,
        };
        if start < span.start() || doc.bullet_at(start).is_some() {
            break;
        }
        end = before_trailing_blanks(doc, Span::new(span.start(), start));
    }
    end
}

impl EditBuilder {
    /// Inserts `lines` at `at`, which is the start of a line of `doc` or its end.
    ///
    /// At the end of a text without a final newline, the last line is completed first.
    pub(crate) fn insert_lines<T: AsRef<str>>(&mut self, doc: &MemoryDoc, at: usize, lines: &[T], promise: Promise) {
        let ending = last_ending_before(doc, at);
        // Behind a byte order mark no line is to be completed.
        let before = doc.text().get(..at).filter(|before| !before.is_empty() && *before != "\u{FEFF}");
        if before.is_some_and(|before| !before.ends_with('\n')) {
            self.complete_last_line(at, ending);
        }
        let written: String = lines.iter().flat_map(|line| [line.as_ref(), ending]).collect();
        self.replace(Span::at(at), written, promise);
    }

    /// Puts lines of these `texts` in the place of some lines; if there are none, before the line of that index.
    pub(crate) fn replace_lines<T: AsRef<str>>(
        &mut self,
        doc: &MemoryDoc,
        replaced: &Range<usize>,
        texts: &[T],
        promise: Promise,
    ) {
        let [start, end] = [replaced.start, replaced.end].map(|line| doc.line_start(line));
        if replaced.is_empty() {
            self.insert_lines(doc, start, texts, promise);
        } else {
            self.replace(Span::new(start, end), replacing_lines(doc, replaced, texts), promise);
        }
    }
}

/// Returns the text that puts lines of these `texts` in the place of the lines `replaced`. Each gets the ending of the line
/// that it replaces, else that of the line before; the last one gets that of the last line replaced.
pub(crate) fn replacing_lines<T: AsRef<str>>(doc: &MemoryDoc, replaced: &Range<usize>, texts: &[T]) -> String {
    let mut ending = last_ending_before(doc, doc.lines().start(replaced.start));
    let mut written = String::new();
    for (nth, text) in texts.iter().enumerate() {
        let is_last = nth + 1 == texts.len();
        let line = if is_last { replaced.clone().last() } else { replaced.clone().nth(nth) };
        let own = line.map_or(ending, |line| doc.line(line).ending());
        ending = if own.is_empty() { ending } else { own };
        written.push_str(text.as_ref());
        written.push_str(if is_last { own } else { ending });
    }
    written
}

/// Returns the ending for a line written at `offset`: that of the line before it, else that of the
/// line after, else LF.
///
/// It takes no longer in a long line than in a short one.
pub(crate) fn last_ending_before(doc: &MemoryDoc, offset: usize) -> &'static str {
    let line_at = |at| doc.line(doc.lines().index_at(at));
    let before = offset.checked_sub(1).map(line_at);
    // A line without an ending of its own is the last: one before it may have one.
    let above = before.and_then(|line| line.full.start().checked_sub(1)).map(line_at);
    let all = [before, above, Some(line_at(offset))].into_iter().flatten();
    all.map(|line| line.ending()).find(|ending| !ending.is_empty()).unwrap_or("\n")
}

/// Returns where the trailing blank lines of `span`, which ends where a line does, begin.
pub(crate) fn before_trailing_blanks(doc: &MemoryDoc, span: Span) -> usize {
    let lines = doc.lines().range(span).rev();
    let first = lines.take_while(|index| is_blank(doc.line(*index).text.of(doc.text()))).last();
    first.map_or(span.end(), |first| doc.lines().start(first))
}

/// Returns true for a line that only separates: `---`.
pub(super) fn is_rule(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Puts `lines` in the place of those under `span`, which begins and ends where lines do.
pub(crate) fn rewrite_lines(doc: &MemoryDoc, span: Span, lines: &[&str], edit: &mut EditBuilder) {
    let there = doc.line_range(span);
    let old: Vec<&str> = there.clone().map(|line| doc.line_text(line)).collect();
    for (gone, come) in differing(&old, lines) {
        let replaced = there.start + gone.start..there.start + gone.end;
        edit.for_part(0).replace_lines(doc, &replaced, lines.get(come).unwrap_or_default(), Promise::Whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_as_the_one_before_it_wherever_it_is_written() {
        for (text, ending) in [("", "\n"), ("a", "\n"), ("a\r\nb", "\r\n"), ("a\n", "\n"), ("a\r\n", "\r\n")] {
            let doc = MemoryDoc::parse(text);
            let all: Vec<_> = (0..=text.len()).map(|offset| last_ending_before(&doc, offset)).collect();
            assert_eq!(all, vec![ending; text.len() + 1], "{text:?}");
        }
        let doc = MemoryDoc::parse("a\r\nb\nc");
        assert_eq!([0, 3, 5, 6].map(|offset| last_ending_before(&doc, offset)), ["\r\n", "\r\n", "\n", "\n"]);
    }
}
