//! Where text is written: [`Spot`], the place of a bullet in a list; the point at which lines are appended to a scope;
//! and the insertion and replacement of whole lines, with the line endings of the place.

use std::ops::Range;

use super::item::below;
use super::{Prefix, are_siblings, prefix_of};
use crate::document::{Block, BulletRef, Fence, Kind, Label, LabelRef, MemoryDoc};
use crate::edit::{EditBuilder, EditError, Flaw, Promise};
use crate::locate::{Scope, indexed_bullets};
use crate::text::{ChangedRange, Line, Span, diff_ranges, is_blank};

/// Where a bullet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot<'a> {
    /// Right before this one, as its sibling.
    Before(BulletRef<'a>),
    /// After this one and its children, as its sibling.
    After(BulletRef<'a>),
    /// As the first child of this one.
    Under(BulletRef<'a>),
    /// Into a section or block that has no bullet of its own.
    Into(Scope<'a>),
}

impl<'a> Spot<'a> {
    /// Returns the spot at which a bullet has the place `place`, from 0, among the bullets of `scope`. The bullets of
    /// `moving` are not counted.
    pub(crate) fn at_place(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>], place: usize) -> Self {
        let others = indexed_except(doc, scope, moving);
        let first = others.first().filter(|first| is_own(doc, scope)(first));
        match (place.checked_sub(1).and_then(|before| others.get(before)), first) {
            (Some(before), _) => Self::After(*before),
            (None, Some(first)) => Self::Before(*first),
            (None, None) => Self::into(doc, scope, moving),
        }
    }

    /// Returns the spot after the last bullet of `scope`. In a section, that is the last bullet of its [own
    /// part](own_part). The bullets of `moving` are not counted.
    pub(crate) fn last(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>]) -> Self {
        let last = indexed_except(doc, scope, moving).into_iter().rfind(is_own(doc, scope));
        last.map_or_else(|| Self::into(doc, scope, moving), Self::After)
    }

    /// Returns the spot after the last child of `parent`. The bullets of `moving` are not counted.
    pub(crate) fn under(parent: BulletRef<'a>, moving: &[BulletRef<'a>]) -> Self {
        let last = parent.children().rfind(|child| moving.binary_search(child).is_err());
        // If the only children are moving, they are at the right place already.
        let only = moving.iter().copied().find(|moving| moving.parent() == Some(parent));
        last.or(only).map_or(Self::Under(parent), Self::After)
    }

    /// Returns the bullet of which a bullet written here is a sibling; `None` if it has no sibling to adapt to.
    pub(crate) const fn sibling(self) -> Option<BulletRef<'a>> {
        if let Self::Before(sibling) | Self::After(sibling) = self { Some(sibling) } else { None }
    }

    /// Returns the parent of a bullet written here.
    pub(crate) fn parent(self) -> Option<BulletRef<'a>> {
        match self {
            Self::Before(sibling) | Self::After(sibling) => sibling.parent(),
            Self::Under(parent) => Some(parent),
            Self::Into(_) => None,
        }
    }

    /// Returns the depth of a bullet written here: in how many bullets it is nested.
    pub(super) fn depth(self) -> usize {
        self.parent().map_or(0, |parent| parent.depth() + 1)
    }

    /// Reports whether `bullet` would be a sibling of a bullet written here.
    pub(crate) fn is_beside(self, bullet: BulletRef<'_>) -> bool {
        match self {
            Self::Before(sibling) | Self::After(sibling) => are_siblings(sibling, bullet),
            Self::Under(parent) => bullet.parent() == Some(parent),
            // The scope has no bullets.
            Self::Into(_) => false,
        }
    }

    /// Returns the prefix of a bullet written here. The number of its place is not yet filled in.
    pub(crate) fn prefix(self) -> Prefix {
        match self {
            Self::Into(_) => Prefix::plain(),
            Self::Under(parent) => below(parent),
            Self::Before(sibling) | Self::After(sibling) => prefix_of(sibling),
        }
    }

    /// Returns the least indentation, in bytes, of a bullet written here.
    pub(crate) fn indentation(self) -> usize {
        match self {
            Self::Before(bullet) | Self::After(bullet) | Self::Under(bullet) => bullet.indentation().len(),
            Self::Into(_) => 0,
        }
    }

    /// Reports whether the spot is inside `bullet`, so that this bullet cannot be moved to it.
    pub(crate) fn is_inside(self, bullet: BulletRef<'a>) -> bool {
        self.parent().is_some_and(|parent| parent.ancestors().any(|around| around == bullet))
    }

    /// Returns the spot in a scope whose own bullets, if it has any, are all moving.
    fn into(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>]) -> Self {
        let moves = |bullet: &BulletRef<'a>| moving.binary_search(bullet).is_ok();
        let only = indexed_bullets(doc, scope).into_iter().filter(is_own(doc, scope)).find(moves);
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

/// Returns the bullets that an index in `scope` counts, without those of `moving`, which is in document order.
pub(crate) fn indexed_except<'a>(doc: &'a MemoryDoc, scope: Scope<'a>, moving: &[BulletRef<'a>]) -> Vec<BulletRef<'a>> {
    let mut others = indexed_bullets(doc, scope);
    others.retain(|other| moving.binary_search(other).is_err());
    others
}

/// Returns a test that is true for the bullets in the [own part](own_part) of a scope.
fn is_own<'a>(doc: &'a MemoryDoc, scope: Scope<'a>) -> impl Fn(&BulletRef<'a>) -> bool {
    let part = own_part(doc, scope);
    move |bullet| part.contains(bullet.line.start())
}

/// Returns the offset at which lines are appended to `scope`:
///
/// - section: the end of its [own part](own_part); block and label: its end; each before blank lines, rules and
///   comments there
/// - bullet and slot: its end
/// - front matter: before its last line
/// - document: its end
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

/// Refuses to write at an offset that is in an unclosed fence.
pub(crate) fn check_open_fence(doc: &MemoryDoc, at: usize) -> Result<(), EditError> {
    let fence = at.checked_sub(1).and_then(|above| doc.outline().fence_at(above)).filter(|fence| !fence.is_closed);
    let flaw = |fence: &Fence| EditError::InvalidText(Flaw::InOpenFence(doc.line_number(fence.extent.start())));
    fence.map_or(Ok(()), |fence| Err(flaw(fence)))
}

/// Returns the part of a scope to which bullets and lines are appended. For a section that is its body, for a document
/// the text before the first heading, but only up to the first block line or label. If one label owns all bullets, it
/// is the part of that label.
fn own_part(doc: &MemoryDoc, scope: Scope<'_>) -> Span {
    let Some(body) = body(doc, scope) else { return scope.span(doc) };
    if let [Some(label)] = labels_of(doc, body).as_slice() {
        return label.extent;
    }
    let block = Block::within(doc.outline(), body).iter().find(|block| !block.is_section).map(|block| block.line);
    let label = Label::within(doc.outline(), body).first().map(|label| label.line);
    let first = block.into_iter().chain(label).map(Span::start).min();
    Span::new(body.start(), first.unwrap_or(body.end()))
}

/// Returns the body of a section, or the text of a document before the first heading; `None` for another scope.
fn body(doc: &MemoryDoc, scope: Scope<'_>) -> Option<Span> {
    match scope {
        Scope::Section(section) => Some(section.body),
        Scope::Document => Some(doc.preamble()),
        _ => None,
    }
}

/// Returns the labels of the top-level bullets in `body`. A bullet without a label gives `None`. Equal neighbors are
/// listed once.
fn labels_of(doc: &MemoryDoc, body: Span) -> Vec<Option<LabelRef<'_>>> {
    let bullets = doc.bullets_within(body).filter(|bullet| bullet.depth() == 0);
    let mut labels: Vec<_> = bullets.map(BulletRef::label).collect();
    labels.dedup();
    labels
}

/// Returns the labels of the bullets of a section or document, if each bullet has one and there are several. Then the
/// name of the section alone does not say to which label to append.
pub(crate) fn competing_labels<'a>(doc: &'a MemoryDoc, scope: Scope<'_>) -> Vec<LabelRef<'a>> {
    let labels: Option<Vec<_>> = body(doc, scope).and_then(|body| labels_of(doc, body).into_iter().collect());
    labels.filter(|labels| labels.len() > 1).unwrap_or_default()
}

/// Returns where the content of `span` ends: before the blank lines, rules and comments at its end.
pub(super) fn end_of_content(doc: &MemoryDoc, span: Span) -> usize {
    let (text, mut end) = (doc.text(), before_trailing_blanks(doc, span));
    while let Some(last) = end.checked_sub(1).filter(|last| *last >= span.start()) {
        let line = Line::holding(text, last);
        let start = match doc.outline().fence_at(last) {
            Some(comment) if comment.is_comment => comment.extent.start(),
            Some(_) => break,
            None if is_separator(line.text.of(text)) => line.full.start(),
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
    /// If the last line of the text has no ending and `at` is after it, it gets an ending first.
    pub(crate) fn insert_lines<T: AsRef<str>>(&mut self, doc: &MemoryDoc, at: usize, lines: &[T], promise: Promise) {
        let ending = last_ending_before(doc, at);
        // A BOM alone is no line to complete.
        let before = doc.text().get(..at).filter(|_| at > doc.line_start(0));
        if before.is_some_and(|before| !before.ends_with('\n')) {
            self.completion.get_or_insert_with(|| (at, ending.to_owned()));
        }
        let written: String = lines.iter().flat_map(|line| [line.as_ref(), ending]).collect();
        self.replace(Span::at(at), written, promise);
    }

    /// Replaces the lines `replaced` by lines with these `texts`. If the range is empty, inserts them before its line.
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

/// Returns the text that replaces the lines `replaced` by lines with these `texts`. Each line gets the ending of the
/// line that it replaces, else the ending of the line before it. The last one gets the ending of the last replaced
/// line.
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

/// Returns the ending for a line written at `offset`: the ending of the line before it, else of the line after it, else
/// LF. The time does not depend on the length of lines.
pub(crate) fn last_ending_before(doc: &MemoryDoc, offset: usize) -> &'static str {
    let line_at = |at| doc.line(doc.line_index(at));
    let before = offset.checked_sub(1).map(line_at);
    // If the line before has no ending, it is the last line of the text: use the ending of the line above it.
    let above = before.and_then(|line| line.full.start().checked_sub(1)).map(line_at);
    let all = [before, above, Some(line_at(offset))].into_iter().flatten();
    all.map(|line| line.ending()).find(|ending| !ending.is_empty()).unwrap_or("\n")
}

/// Returns where the trailing blank lines of `span` begin. `span` ends at the end of a line.
pub(crate) fn before_trailing_blanks(doc: &MemoryDoc, span: Span) -> usize {
    let lines = doc.lines().range(span).rev();
    let first = lines.take_while(|index| is_blank(doc.line(*index).text.of(doc.text()))).last();
    first.map_or(span.end(), |first| doc.lines().start(first))
}

/// Returns true if a line is `---`, which separates parts of a document.
pub(super) fn is_separator(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Replaces the lines of `span` by `lines`. Only lines that differ are written. `span` begins and ends at line
/// boundaries.
pub(crate) fn rewrite_lines(doc: &MemoryDoc, span: Span, lines: &[&str], edit: &mut EditBuilder) {
    let range = doc.line_range(span);
    let old: Vec<&str> = range.clone().map(|line| doc.line_text(line)).collect();
    for ChangedRange { old: removed, new: written } in diff_ranges(&old, lines) {
        let replaced = range.start + removed.start..range.start + removed.end;
        edit.for_part(0).replace_lines(doc, &replaced, lines.get(written).unwrap_or_default(), Promise::Whole);
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
