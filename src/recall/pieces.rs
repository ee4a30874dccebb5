//! Divides a document into pieces: headings, bullets with their children, and other text. Expired bullets are left
//! out.

use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Content, Line, Span, Timestamp, is_blank};

/// An item of a prompt: a piece of a document, or a whole text.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// Its text, with all line ends.
    pub(super) text: String,
    /// The key of the bullet, or `line n` of another piece.
    pub(super) name: Content,
    pub(super) tokens: usize,
    /// The items that it needs: the headings above it, and the header of its block.
    pub(super) above: Vec<usize>,
    /// Whether it is taken first: it is pinned, reserved or front matter.
    pub(super) is_kept: bool,
    /// Whether it is a heading or a header, which is never shown alone.
    pub(super) is_of_others: bool,
}

/// The pieces of a document, in order: together they are its text without expired bullets.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pub(super) pieces: Vec<Item>,
}

/// The headings and the header above the next piece.
#[derive(Default)]
struct Above {
    /// Headings by level, outermost first.
    headings: Vec<(u8, usize)>,
    /// The header of a block, by where it starts.
    block: Option<(usize, usize)>,
}

impl Pieces {
    pub(super) fn of(doc: &MemoryDoc, now: Timestamp) -> Self {
        let mut pieces = Self::default();
        let mut above = Above::default();
        // A byte order mark means nothing to a model.
        let (mut at, end) = (doc.line_start(0), doc.text().len());
        while at < end {
            let next = pieces.piece(doc, at, &mut above, now);
            at = next.max(at + 1);
        }
        let above: Vec<usize> = pieces.pieces.iter().flat_map(|piece| piece.above.iter().copied()).collect();
        for at in above {
            if let Some(piece) = pieces.pieces.get_mut(at) {
                piece.is_of_others = true;
            }
        }
        pieces
    }

    /// Adds the piece at an offset. Returns its end.
    fn piece(&mut self, doc: &MemoryDoc, start: usize, above: &mut Above, now: Timestamp) -> usize {
        let Some(line) = Line::all_within(doc.text(), Span::new(start, doc.text().len())).next() else {
            return doc.text().len();
        };
        let own = self.pieces.len();
        if let Some(bullet) = doc.bullet_at(start).filter(|bullet| bullet.depth() == 0) {
            self.bullet(bullet, above, now);
            return bullet.extent.end();
        }
        if let Some(section) = doc.section_at(start).filter(|section| section.line.start() == start) {
            above.headings.retain(|(level, _)| *level < section.level);
            self.add(doc, section.line, above);
            above.headings.push((section.level, own));
            above.block = section.block().map(|block| (block.line.start(), own));
            return section.line.end();
        }
        let end = end_of_prose(doc, start);
        let is_continued = is_blank(line.text.of(doc.text())) && end == line.full.end();
        match self.pieces.last_mut().filter(|_| is_continued) {
            // A blank line belongs to the piece before it.
            Some(last) => last.text.push_str(line.full.of(doc.text())),
            None => {
                self.add(doc, Span::new(start, end), above);
                if doc.block_at(start).is_some_and(|block| block.line.start() == start) {
                    above.block = Some((start, own));
                }
            }
        }
        end
    }

    fn bullet(&mut self, bullet: BulletRef<'_>, above: &Above, now: Timestamp) {
        let doc = bullet.doc();
        let (mut text, mut at) = (String::new(), bullet.extent.start());
        for own in doc.bullets_within(bullet.extent).filter(|own| own.is_expired(now)) {
            // A child of an expired bullet is left out with it.
            if own.extent.start() >= at {
                text.push_str(Span::new(at, own.extent.start()).of(doc.text()));
                at = own.extent.end();
            }
        }
        text.push_str(Span::new(at, bullet.extent.end()).of(doc.text()));
        if text.is_empty() {
            return;
        }
        let header = above.block.filter(|(start, _)| bullet.block().is_some_and(|block| block.line.start() == *start));
        let mut names: Vec<usize> = above.headings.iter().map(|(_, at)| *at).chain(header.map(|(_, at)| at)).collect();
        names.dedup();
        let is_kept =
            doc.bullets_within(bullet.extent).any(BulletRef::is_pinned) || is_reserved(doc, bullet.line.start());
        let name = bullet.key().as_str().into();
        self.pieces.push(Item { text, name, above: names, is_kept, ..Item::default() });
    }

    fn add(&mut self, doc: &MemoryDoc, span: Span, above: &Above) {
        let is_kept = is_reserved(doc, span.end().saturating_sub(1)) || span.start() < doc.outline().body_start;
        let name = format!("line {}", doc.line_number(span.start()));
        let above = above.headings.iter().map(|(_, at)| *at).collect();
        let text = span.of(doc.text()).to_owned();
        self.pieces.push(Item { text, name: name.into(), above, is_kept, ..Item::default() });
    }
}

/// Returns the end of the piece that starts at `start` and is no bullet or heading. It goes on to the next bullet,
/// heading or block header, or up to and including a blank line outside of fences. The header of a block is a piece
/// by itself.
fn end_of_prose(doc: &MemoryDoc, start: usize) -> usize {
    let is_header = |at: usize| doc.block_at(at).is_some_and(|block| block.line.start() == at);
    let is_node = |at: usize| {
        is_header(at)
            || doc.section_at(at).is_some_and(|section| section.line.start() == at)
            || doc.bullet_at(at).is_some()
    };
    let mut end = start;
    let front = doc.outline().body_start;
    for line in Line::all_within(doc.text(), Span::new(start, doc.text().len())) {
        let at = line.full.start();
        if at > start && (at == front || (at > front && is_node(at))) {
            break;
        }
        end = line.full.end();
        // Half of a fence would take what follows for its own.
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
