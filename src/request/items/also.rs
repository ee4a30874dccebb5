//! What an edit says of its bullet beside its op: an op does what it is for, and nothing that is sent with it is dropped.

use super::super::{BulletRefusal, NotTaken, Refusal};
use super::find::OWN;
use super::planner::{Planner, named_tags, read};
use super::{ItemEdit, ItemOp};
use crate::document::BulletRef;
use crate::locate::Selector;

impl<'a> Planner<'a> {
    /// Checks that all is so already that is said of a bullet beside what is done with it.
    pub(super) fn check_also(&self, edit: &ItemEdit, bullet: BulletRef<'a>) -> Result<(), Refusal> {
        let others: Vec<_> = edit.also.iter().filter(|also| !self.is_so(edit, bullet, also)).collect();
        let Some(also) = others.first().copied().cloned() else { return Ok(()) };
        let all = [&edit.op].into_iter().chain(others).map(|op| self.edits_for(edit, bullet, op));
        let instead = all.collect::<Option<Vec<_>>>().unwrap_or_default().concat();
        let (line, op) = (bullet.line_number(), edit.op.clone());
        Err(BulletRefusal::NotTaken(Box::new(NotTaken { line, op, also, instead })).into())
    }

    /// Reports whether an op would change nothing of a bullet.
    fn is_so(&self, edit: &ItemEdit, bullet: BulletRef<'a>, also: &ItemOp) -> bool {
        let changes = &self.bullets.changes;
        match also {
            ItemOp::Reorder { to } if to.place.is_none() => {
                let scope = to.scope(self.names(), &edit.target).ok().flatten();
                scope.is_some_and(|scope| scope.at.span(self.doc()).contains(bullet.line.start()))
            }
            ItemOp::Reorder { to } => {
                self.spot_of(edit, bullet, to).is_ok_and(|spot| changes.stands_at(bullet, spot.at))
            }
            // What it begins with says which is meant.
            ItemOp::Update { item } => {
                let is_meant = !item.text.trim().is_empty() && self.begins(bullet, &item.text, OWN).is_ok();
                is_meant && item.tags.is_empty()
                    || read(&item.text, item, &changes.place_of(bullet, &item.text))
                        .is_ok_and(|read| changes.reads_so(bullet, &read))
            }
            ItemOp::Tag { tags } => named_tags(tags).is_ok_and(|tags| {
                let own = bullet.tags();
                tags.iter().all(|tag| own.contains(&tag.as_str()))
            }),
            ItemOp::Delete { .. } => bullet.children().next().is_none(),
            _ => true,
        }
    }

    /// Returns the edits that do by themselves what `op` does in `edit`, or says beside it; `None` if they cannot be made with others.
    fn edits_for(&self, edit: &ItemEdit, bullet: BulletRef<'a>, op: &ItemOp) -> Option<Vec<ItemEdit>> {
        let by_key = |bullet: BulletRef<'a>, op| ItemEdit::new(Selector::by_key(bullet.key().as_str()), op);
        let op = match op {
            // What goes cannot be changed too, and what is nested in it moves with it.
            ItemOp::Delete { .. } if matches!(edit.op, ItemOp::Delete { .. } | ItemOp::Reorder { .. }) => return None,
            ItemOp::Delete { children } => {
                let delete = |child| by_key(child, ItemOp::Delete { children: *children });
                return Some(bullet.children().map(delete).collect());
            }
            ItemOp::Reorder { to } => {
                let spot = self.spot_of(edit, bullet, to).ok()?.at;
                ItemOp::Reorder { to: Self::by_keys(bullet, spot, to.clone()) }
            }
            ItemOp::Upsert { item, .. } => ItemOp::Update { item: item.clone() },
            other => other.clone(),
        };
        Some(vec![by_key(bullet, op)])
    }
}
