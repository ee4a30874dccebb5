//! New bullets: where they go, and whether they are there already.

use super::super::bullet_plan::TwinAllowed;
use super::super::claims::Claim;
use super::super::new_bullet::{Addition, read_at};
use super::super::{Argument, Refusal};
use super::planner::{Planner, list_of, read};
use super::{Destination, ItemEdit, ItemOp, NewItem};
use crate::edit::Part;
use crate::edit::compose::Spot;
use crate::locate::{Code, Found, Scope};

impl<'a> Planner<'a> {
    pub(super) fn insert(
        &mut self,
        number: usize,
        edit: &ItemEdit,
        new: &NewItem,
        to: &Destination,
    ) -> Result<Part, Refusal> {
        let is_insert = matches!(edit.op, ItemOp::Insert { .. });
        if is_insert && !edit.target.names_no_bullet() {
            if let Some(error) = edit.target.block_by_key(self.doc()) {
                return Err(error.into());
            }
            return Err(Refusal::invalid(Argument::List, "a section or block alone", "a selector of a bullet"));
        }
        let scope = self.list_to_fill(edit, to)?;
        let spot = to.spot(self.names(), scope.at, None)?;
        self.claim_neighbor(number, to, spot.at)?;
        let item = read_at(&self.bullets.changes, spot.at, &new.text, |text, place| read(text, new, place))?;
        let addition = Addition { part: number, list: Self::list_of(scope.at, spot.at), spot: spot.at, item };
        let twin = if new.allow_duplicate { TwinAllowed::Yes } else { TwinAllowed::No };
        let part = self.bullets.add(addition, twin)?;
        let healed = [scope.healed, spot.healed, part.healed.clone()].concat();
        Ok(Part { healed, ..part })
    }

    /// Notes the bullet that a place names, beside or below which a part writes.
    pub(super) fn claim_neighbor(&mut self, part: usize, to: &Destination, spot: Spot<'a>) -> Result<(), Refusal> {
        let named = if to.is_under() { spot.parent() } else { spot.sibling() };
        match named.filter(|_| to.is_by_bullet()) {
            Some(named) => self.bullets.claim(part, named, Claim::Neighbor),
            None => Ok(()),
        }
    }

    fn list_to_fill(&self, edit: &ItemEdit, to: &Destination) -> Result<Found<Scope<'a>>, Refusal> {
        let (outline, is_insert) = (self.doc().outline(), matches!(edit.op, ItemOp::Insert { .. }));
        match to.scope(self.names(), &edit.target)? {
            // Which list a bullet stands in that it goes beside, that one says.
            Some(scope) if is_insert && !edit.target.names_no_list() && !to.is_by_bullet() => {
                let around = edit.target.scope(self.names(), Scope::Document)?.at.span(self.doc());
                if around.covers(scope.at.span(self.doc())) {
                    return Ok(scope);
                }
                let why = "the target and the place of the new bullet name different lists";
                Err(Refusal::impossible(Code::InvalidArguments, why))
            }
            Some(scope) => Ok(scope),
            None if to.is_by_bullet() || (outline.sections().is_empty() && outline.blocks().is_empty()) => {
                Ok(Found::exactly(Scope::Document))
            }
            None => Err(Refusal::invalid(Argument::Bullet, "the section or block to insert into", "neither")),
        }
    }

    /// Returns the section or block that a bullet at `spot` would stand in.
    fn list_of(scope: Scope<'a>, spot: Spot<'a>) -> Scope<'a> {
        match spot {
            Spot::Before(bullet) | Spot::After(bullet) | Spot::Under(bullet) if scope == Scope::Document => {
                list_of(bullet)
            }
            _ => scope,
        }
    }
}
