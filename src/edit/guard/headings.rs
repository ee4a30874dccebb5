//! Headings and block lines that an edit makes, and headings that it unmakes.

use std::cell::RefCell;
use std::collections::HashMap;

use super::super::Draft;
use super::super::carry::Carry;
use super::heirs::Heirs;
use super::nodes::{begins, is_kept};
use crate::document::SectionRef;
use crate::text::{Span, is_blank};

/// What becomes of headings, and of what they hold.
pub(super) struct Headings<'g, 'a> {
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    heirs: &'g Heirs<'a>,
    /// What is known of what is left to which section, by where their headings start.
    left: RefCell<HashMap<usize, Option<usize>>>,
}

impl<'g, 'a> Headings<'g, 'a> {
    pub(super) fn new(draft: &'a Draft<'a>, heirs: &'g Heirs<'a>) -> Self {
        Self { draft, carry: Carry::of(draft), heirs, left: RefCell::default() }
    }

    /// Reports whether what belonged to one section may belong to another: that has stayed, or is written in its place.
    pub(super) fn keeps(&self, old: Option<SectionRef<'_>>, new: Option<SectionRef<'_>>) -> bool {
        is_kept([old, new], |old, new| self.heirs.of_section(old, new))
    }

    /// Reports whether a section's heading goes alone, and what it holds comes to another section than the one above it.
    pub(super) fn is_left_elsewhere(&self, old: SectionRef<'a>, new: Option<SectionRef<'a>>) -> bool {
        self.gone_alone(old).is_some() && !self.keeps(self.left_to(old), new)
    }

    /// Returns the section above a heading that goes alone, and above those that go so above it.
    fn left_to(&self, old: SectionRef<'a>) -> Option<SectionRef<'a>> {
        let mut left = Some(old);
        while let Some((section, gone)) = left.and_then(|section| Some((section, self.gone_alone(section)?))) {
            let above = gone.start().checked_sub(1).and_then(|above| self.draft.old.section_at(above));
            left = above.filter(|above| above.line.start() < section.line.start());
            let known = left.and_then(|left| self.left.borrow().get(&left.line.start()).copied());
            if let Some(known) = known {
                left = known.and_then(|start| self.draft.old.section_at(start));
                break;
            }
        }
        self.left.borrow_mut().insert(old.line.start(), left.map(|left| left.line.start()));
        left
    }

    /// Returns what goes with a section's heading, if nothing comes in its place and nothing below it goes.
    pub(super) fn gone_alone(&self, section: SectionRef<'_>) -> Option<Span> {
        let (gone, come) = self.carry.replaced(section.line.start())?;
        let below = Span::new(section.line.end(), gone.end().max(section.line.end()));
        let is_alone = is_blank(come.of(self.draft.new.text())) && is_blank(below.of(self.draft.old.text()));
        is_alone.then_some(gone)
    }

    /// Reports whether a heading or a block line is written, or was other text: code, maybe.
    pub(super) fn is_made(&self, start: usize) -> bool {
        self.carry.origin(start).is_none_or(|was| !begins(self.draft.old, was).iter().take(2).any(|begins| *begins))
    }

    /// Reports whether a heading or a block line that is [made](Self::is_made) was code of the fence that held a line, too.
    pub(super) fn were_code(&self, line: usize, head: usize) -> bool {
        let fence = |at: usize| self.draft.old.outline().fence_at(at).map(|fence| fence.extent);
        self.carry.origin(head).and_then(fence).is_some_and(|held| held.contains(line))
    }

    /// Reports whether a section's heading, which nothing requires, stays as other text, goes with a part of what stands below it, or
    /// has other text in its place.
    pub(super) fn is_unmade(&self, section: SectionRef<'_>) -> bool {
        let is_required = || self.draft.old.policy().required_sections.iter().any(|title| *title == section.title());
        if let Some(start) = self.carry.survivor(section.line.start()) {
            return self.draft.new.section_at(start).is_none_or(|section| section.line.start() != start);
        }
        self.carry.replaced(section.line.start()).is_some() && self.gone_alone(section).is_none() && !is_required()
    }
}
