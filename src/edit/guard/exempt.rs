//! The lines that a request names, in both texts.

use super::super::Draft;
use crate::text::Span;

/// The lines that the request named: what stands there, changed or not, is its business.
pub(super) struct Exempt<'a> {
    pub(super) old: &'a [Span],
    pub(super) new: Vec<Span>,
}

impl<'a> Exempt<'a> {
    pub(super) fn new(draft: &'a Draft<'a>) -> Self {
        let old = draft.edit.named();
        let mut splices = draft.splices().peekable();
        let (mut added, mut removed) = (0, 0);
        let mut new = Vec::with_capacity(old.len());
        for region in old {
            while let Some((gone, come, _)) = splices
                .next_if(|(gone, ..)| gone.end() < region.start() || (gone.end() == region.start() && !gone.is_empty()))
            {
                added += come.len();
                removed += gone.len();
            }
            let start = (region.start() + added).saturating_sub(removed);
            let mut end = region.end();
            // What another part removes right behind the region is no part of it.
            let is_inside =
                |gone: &Span| gone.start() < region.end() || (gone.is_empty() && gone.start() == region.end());
            while let Some((gone, come, _)) = splices.next_if(|(gone, ..)| is_inside(gone)) {
                added += come.len();
                removed += gone.len();
                end = end.max(gone.end());
            }
            new.push(Span::new(start, (end + added).saturating_sub(removed)));
        }
        Self { old, new }
    }
}
