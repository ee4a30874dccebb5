//! Edits of several bullets: as many as the edit says that its target names.

use super::super::Refusal;
use super::super::bullet_plan::too_many;
use super::planner::Planner;
use super::{ItemEdit, ItemOp, Items};
use crate::edit::{Part, PartStatus};
use crate::locate::{Matches, Selector};

impl Planner<'_> {
    /// Plans an edit for each of the bullets that its target names.
    ///
    /// # Errors
    ///
    /// The target names another number of bullets, or one of them cannot be edited so.
    pub(super) fn counted(&mut self, number: usize, edit: &ItemEdit, count: usize) -> Result<Part, Refusal> {
        let found = edit.target.find_all(self.names())?;
        if found.at.len() != count {
            let spans = found.at.iter().map(|bullet| bullet.line).collect();
            let matches = Box::new(Matches::new(self.doc(), spans));
            return Err(Refusal::CountMismatch {
                what: edit.target.target(),
                expected: count,
                matches,
                fix: None,
                inside_words: 0,
            });
        }
        let bullets = self.doc().outline().bullets().len();
        if count > Items::MOST {
            return Err(too_many(count, bullets));
        }
        let mut part = Part::new(PartStatus::NoChange).with_healed(found.healed);
        for bullet in found.at {
            if matches!(edit.op, ItemOp::Delete { .. }) || self.counts_unseen(edit) {
                self.check_care(edit)?;
            }
            let one = ItemEdit { target: Selector::by_key(bullet.key().as_str()), count: None, ..edit.clone() };
            let planned = self.one(number, &one)?;
            part.status = if part.status == PartStatus::Applied { part.status } else { planned.status };
            part = part.with_healed(planned.healed).with_warnings(planned.warnings);
        }
        Ok(part)
    }
}
