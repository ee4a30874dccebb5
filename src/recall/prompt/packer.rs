//! [`Packer`]: chooses the items of a prompt within its budget.

use std::collections::{BTreeMap, HashSet};

use super::PromptPart;
use super::parts::Part;
use crate::memory::Memory;
use crate::recall::pieces::Item;
use crate::text::fenced;

/// The parts of a prompt, and the items that are taken so far.
pub(super) struct Packer<'a> {
    pub(super) memory: &'a Memory,
    pub(super) parts: &'a [Part],
    budget: usize,
    used: usize,
    /// The taken items, as indexes of part and item, in the order in which they were taken.
    taken: Vec<(usize, usize)>,
    /// The same, for look-ups.
    is_in: HashSet<(usize, usize)>,
}

impl<'a> Packer<'a> {
    pub(super) fn new(memory: &'a Memory, parts: &'a [Part], budget: usize) -> Self {
        Self { memory, parts, budget, used: 0, taken: Vec::new(), is_in: HashSet::new() }
    }

    /// Takes each wanted item of these parts, in order, that fits: all items taken so far must be within `limit` tokens
    /// and within the budget.
    pub(super) fn take(&mut self, kind: PromptPart, limit: usize, wanted: impl Fn(&Item) -> bool) {
        let limit = limit.min(self.budget);
        for (at, part) in self.parts.iter().enumerate().filter(|(_, part)| part.kind == kind) {
            for (item, _) in part.items.iter().enumerate().filter(|(_, item)| wanted(item) && !item.is_header) {
                self.take_one(at, item, limit);
            }
        }
    }

    fn take_one(&mut self, at: usize, item: usize, limit: usize) {
        let Some((part, own)) = self.parts.get(at).and_then(|part| Some((part, part.items.get(item)?))) else { return };
        let needed: Vec<usize> = own.above.iter().copied().chain([item]).filter(|item| !self.has(at, *item)).collect();
        let heading = if self.has_any_of(at) { 0 } else { self.memory.tokens(&rendered(part, "")) };
        let own: usize = needed.iter().filter_map(|item| part.items.get(*item)).map(|item| item.tokens).sum();
        if needed.is_empty() || self.used.saturating_add(own).saturating_add(heading) > limit {
            return;
        }
        self.used += own + heading;
        self.is_in.extend(needed.iter().map(|item| (at, *item)));
        self.taken.extend(needed.into_iter().map(|item| (at, item)));
    }

    /// Drops the items that were taken last, until the text has room. Some counters count more tokens for a text than for
    /// its parts.
    pub(super) fn fit(&mut self) {
        let parts = self.parts;
        let is_header = |(at, item): &mut (usize, usize)| {
            parts.get(*at).and_then(|part| part.items.get(*item)).is_some_and(|item| item.is_header)
        };
        while self.memory.tokens(&self.text()) > self.budget
            && let Some(last) = self.taken.pop()
        {
            self.is_in.remove(&last);
            // A heading is not shown alone.
            while let Some(header) = self.taken.pop_if(is_header) {
                self.is_in.remove(&header);
            }
        }
    }

    /// Renders the parts that have items, each under its heading.
    pub(super) fn text(&self) -> String {
        let mut shown: Vec<String> = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let items = part.items.iter().enumerate().filter(|(item, _)| self.has(at, *item));
            let texts: Vec<_> = items.map(|(_, item)| item.text.as_str()).collect();
            let between = if part.kind == PromptPart::Notes { "\n" } else { "" };
            if !texts.is_empty() {
                shown.push(rendered(part, texts.join(between).trim_end_matches(['\n', '\r'])));
            }
        }
        shown.join("\n")
    }

    /// Returns how many items are not taken, for each kind of part that has such items.
    pub(super) fn left_out(&self) -> BTreeMap<PromptPart, usize> {
        let mut counts = BTreeMap::new();
        for (at, part) in self.parts.iter().enumerate() {
            let not_taken = (0..part.items.len()).filter(|item| !self.has(at, *item)).count();
            *counts.entry(part.kind).or_default() += not_taken + part.left_out;
        }
        counts.retain(|_, count| *count > 0);
        counts
    }

    /// Returns true if an item of one of these parts is taken.
    pub(super) fn has_any(&self, kinds: &[PromptPart]) -> bool {
        let mut of_kind = self.parts.iter().enumerate().filter(|(_, part)| kinds.contains(&part.kind));
        of_kind.any(|(at, _)| self.has_any_of(at))
    }

    fn has_any_of(&self, at: usize) -> bool {
        self.taken.iter().any(|(part, _)| *part == at)
    }

    fn has(&self, at: usize, item: usize) -> bool {
        self.is_in.contains(&(at, item))
    }
}

fn rendered(part: &Part, text: &str) -> String {
    format!("## {}\n{}", part.title, fenced(&part.word, text))
}
