//! Divides a document into pieces that a prompt takes or leaves out as a whole: headings, bullets with their children,
//! and other text. Expired bullets are left out.

use crate::document::{Block, BulletRef, LabelRef, MemoryDoc, Section};
use crate::text::{Line, Span, Timestamp, is_blank};

/// An item of a prompt: a piece of a document, or a whole text such as a note.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// The offset in its document.
    pub(super) start: usize,
    /// Its text, with all line endings.
    pub(super) text: String,
    pub(super) tokens: usize,
    /// The items that must be shown with it: the headings above it, the line of its block, and its label.
    pub(super) above: Vec<usize>,
    /// Whether it is taken first, because it is pinned, reserved or front matter.
    pub(super) is_kept: bool,
    /// Whether it is a heading, block line or label that other items need. It is shown only together with one of them.
    pub(super) is_header: bool,
}

/// Returns the pieces of a document, in order. Together they are its text without expired bullets.
pub(super) fn pieces(doc: &MemoryDoc, now: Timestamp) -> Vec<Item> {
    let mut pieces = Pieces { doc, now, items: Vec::new(), headings: Vec::new(), block: None };
    // A BOM means nothing to a model.
    let mut at = doc.line_start(0);
    while at < doc.text().len() {
        at = pieces.piece(at);
    }
    let mut items = pieces.items;
    let above: Vec<usize> = items.iter().flat_map(|piece| piece.above.iter().copied()).collect();
    for at in above {
        if let Some(piece) = items.get_mut(at) {
            piece.is_header = true;
        }
    }
    items
}

/// The pieces so far, and the headings and the block line above the next one.
struct Pieces<'d> {
    doc: &'d MemoryDoc,
    now: Timestamp,
    items: Vec<Item>,
    /// The level and the item of each heading above, outermost first.
    headings: Vec<(u8, usize)>,
    /// The offset and the item of the last block line.
    block: Option<(usize, usize)>,
}

impl Pieces<'_> {
    /// Adds the piece at an offset. Returns its end.
    fn piece(&mut self, start: usize) -> usize {
        let (doc, own) = (self.doc, self.items.len());
        if let Some(bullet) = doc.bullet_at(start) {
            self.bullet(bullet);
            return bullet.extent.end();
        }
        if let Some(section) = doc.starting_at::<Section>(start) {
            self.headings.retain(|(level, _)| *level < section.level);
            self.add(section.line);
            self.headings.push((section.level, own));
            self.block = None;
            return section.line.end();
        }
        let (line, end) = (Line::starting_at(doc.text(), start), end_of_prose(doc, start));
        let is_continued = is_blank(line.text.of(doc.text())) && end == line.full.end();
        match self.items.last_mut().filter(|_| is_continued) {
            // A blank line belongs to the piece before it.
            Some(last) => last.text.push_str(line.full.of(doc.text())),
            None => {
                self.add(Span::new(start, end));
                let block = doc.starting_at::<Block>(start).map(|block| (block.line.start(), own));
                self.block = block.or(self.block);
            }
        }
        end
    }

    fn bullet(&mut self, bullet: BulletRef<'_>) {
        let doc = self.doc;
        let (mut text, mut at) = (String::new(), bullet.extent.start());
        for own in doc.bullets_within(bullet.extent).filter(|own| own.is_expired(self.now)) {
            // A bullet inside an expired one is left out already.
            if own.extent.start() >= at {
                text.push_str(Span::new(at, own.extent.start()).of(doc.text()));
                at = own.extent.end();
            }
        }
        text.push_str(Span::new(at, bullet.extent.end()).of(doc.text()));
        if text.is_empty() {
            return;
        }
        let header = self.block.filter(|(start, _)| bullet.block().is_some_and(|block| block.line.start() == *start));
        // A label is in the last piece that starts at it or before it.
        let of_label = |label: LabelRef<'_>| self.items.partition_point(|item| item.start <= label.line.start());
        let label = bullet.label().map(of_label).and_then(|after| after.checked_sub(1));
        let above = self.headings.iter().map(|(_, at)| *at).chain(header.map(|(_, at)| at)).chain(label).collect();
        let start = bullet.line.start();
        let is_kept = doc.bullets_within(bullet.extent).any(BulletRef::is_pinned) || is_reserved(doc, start);
        self.items.push(Item { start, text, above, is_kept, ..Item::default() });
    }

    fn add(&mut self, span: Span) {
        let (doc, start) = (self.doc, span.start());
        let is_kept = is_reserved(doc, span.end().saturating_sub(1)) || start < doc.outline().body_start;
        let above = self.headings.iter().map(|(_, at)| *at).collect();
        self.items.push(Item { start, text: span.of(doc.text()).to_owned(), above, is_kept, ..Item::default() });
    }
}

/// Returns the end of the piece that starts at `start` and is neither bullet nor heading. It extends to the next
/// bullet, heading or block line, or to the end of the next blank line outside of fences. A block line is a piece of
/// its own.
fn end_of_prose(doc: &MemoryDoc, start: usize) -> usize {
    let is_header = |at: usize| doc.starting_at::<Block>(at).is_some();
    let is_node = |at: usize| is_header(at) || doc.starting_at::<Section>(at).is_some() || doc.bullet_at(at).is_some();
    let mut end = start;
    let front = doc.outline().body_start;
    for line in Line::all_within(doc.text(), Span::new(start, doc.text().len())) {
        let at = line.full.start();
        if at > start && (at == front || (at > front && is_node(at))) {
            break;
        }
        end = line.full.end();
        // A fence must stay whole: an unclosed half would swallow the text after it.
        let is_fenced = doc.outline().fence_at(at).is_some_and(|fence| end < fence.extent.end());
        if end >= front && !is_fenced && (is_header(start) || is_blank(line.text.of(doc.text()))) {
            break;
        }
    }
    end
}

fn is_reserved(doc: &MemoryDoc, at: usize) -> bool {
    doc.reserved_section_at(at).is_some()
}
