//! [`Others`]: whether other writers have removed a bullet that an editor knows, or only changed it.

use std::collections::HashSet;

use super::{SubMemoryOp, SubMemoryOps};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::Comparison;
use crate::text::fold_name;

/// What others have made of the text that an editor believes in.
#[derive(Debug)]
pub(super) struct Others<'a> {
    comparison: Comparison<'a>,
    /// What the bullets of that text say, folded, and what those say that stand now.
    contents: [Vec<String>; 2],
    now: &'a MemoryDoc,
    /// What the request writes, folded: where it stands already, nobody has reworded anything to it.
    written: HashSet<String>,
}

impl<'a> Others<'a> {
    pub(super) fn between([believed, now]: [&'a MemoryDoc; 2], request: &SubMemoryOps) -> Self {
        let contents = |doc: &MemoryDoc| doc.bullets().map(folded).collect();
        let written = request.ops.iter().filter_map(SubMemoryOp::written).map(|text| fold_name(text)).collect();
        let contents = [contents(believed), contents(now)];
        Self { comparison: Comparison::between(believed, now), contents, now, written }
    }

    /// Reports whether a bullet of the believed text is gone: its line has been removed, with nothing in its place, and fewer
    /// bullets of the document hold what it says. One that was reworded or moved is not gone.
    pub(super) fn have_removed(&self, bullet: BulletRef<'_>) -> bool {
        let content = folded(bullet);
        let [before, now] =
            self.contents.each_ref().map(|contents| contents.iter().filter(|other| other.contains(&content)).count());
        now < before && self.comparison.has_removed(bullet.line_number() - 1, |line| self.is_written(line))
    }
}

impl Others<'_> {
    /// Reports whether the bullet on a line of the present text says what the request writes.
    fn is_written(&self, line: usize) -> bool {
        let bullet = self.now.bullet_at(self.now.line_start(line));
        bullet.is_some_and(|bullet| self.written.contains(&folded(bullet)))
    }
}

fn folded(bullet: BulletRef<'_>) -> String {
    fold_name(&bullet.folded_content())
}
