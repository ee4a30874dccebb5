//! [`Others`]: whether other writers have removed a bullet that an editor knows, or only changed it.

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::Comparison;
use crate::text::fold_name;

/// What others have made of the text that an editor believes in.
#[derive(Debug)]
pub(super) struct Others<'a> {
    comparison: Comparison<'a>,
    /// What the bullets of that text say, folded, and what those say that stand now.
    contents: [Vec<String>; 2],
}

impl<'a> Others<'a> {
    pub(super) fn between(believed: &'a MemoryDoc, now: &'a MemoryDoc) -> Self {
        let contents = |doc: &MemoryDoc| doc.bullets().map(folded).collect();
        Self { comparison: Comparison::between(believed, now), contents: [contents(believed), contents(now)] }
    }

    /// Reports whether a bullet of the believed text is gone: its line has been removed, with nothing in its place, and fewer
    /// bullets of the document hold what it says. One that was reworded or moved is not gone.
    pub(super) fn have_removed(&self, bullet: BulletRef<'_>) -> bool {
        let content = folded(bullet);
        let [before, now] =
            self.contents.each_ref().map(|contents| contents.iter().filter(|other| other.contains(&content)).count());
        now < before && self.comparison.has_removed(bullet.line_number() - 1)
    }
}

fn folded(bullet: BulletRef<'_>) -> String {
    fold_name(&bullet.folded_content())
}
