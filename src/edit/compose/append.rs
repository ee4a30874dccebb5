//! Where text that is appended to a part of a document goes, and how it becomes a bullet of the
//! list there.

use super::lines::{before_trailing_blanks, is_rule};
use crate::document::{BulletRef, LabelRef, MemoryDoc, SectionRef};
use crate::locate::Scope;
use crate::text::{Line, Span};

/// Returns where lines appended to `scope` go: of a section to the end of its [own part](own_part),
/// of a block, a label or a bullet to its end, but before blank lines, rules and comments there; of
/// front matter before its last line; at the end of a document.
pub(crate) fn append_point(doc: &MemoryDoc, scope: Scope<'_>) -> usize {
    match scope {
        Scope::Document => doc.text().len(),
        Scope::Section(section) => end_of_content(doc, own_part(section)),
        Scope::Block(block) => match block.section().filter(|_| block.is_section) {
            Some(section) => end_of_content(doc, own_part(section)),
            None => end_of_content(doc, block.extent),
        },
        Scope::Label(label) => end_of_content(doc, label.extent),
        Scope::Bullet(_) | Scope::Slot(_) => scope.span(doc).end(),
        Scope::FrontMatter(span) => Line::holding(doc.text(), span.end().saturating_sub(1)).full.start(),
        Scope::From(span) => end_of_content(doc, span),
    }
}

/// Returns the part of a section that is appended to: its body up to its first block line or label;
/// if one label owns all its bullets, what that one owns.
fn own_part(section: SectionRef<'_>) -> Span {
    let doc = section.doc();
    if let Some(label) = label_of_all(doc, Scope::Section(section)) {
        return label.extent;
    }
    let block = doc.blocks_within(section.body).find(|block| !block.is_section).map(|block| block.line.start());
    let label = doc.labels().map(|label| label.line.start()).find(|start| section.body.contains(*start));
    let first = block.into_iter().chain(label).min();
    Span::new(section.body.start(), first.unwrap_or(section.body.end()))
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

/// Returns the labels that own all these bullets, if they are several: none of them is meant by the
/// name of the section.
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
            Some(comment) if comment.is_comment && comment.is_closed => comment.extent.start(),
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
