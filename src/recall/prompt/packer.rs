//! [`Packer`]: chooses the items of a prompt within its budget.

use std::collections::HashSet;

use super::super::WhyLeftOut;
use super::parts::Part;
use super::{NotRendered, PromptPart};
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

    /// Keeps as many of the items, in the order in which they were taken, as the text has room for. Some counters count
    /// more tokens for a text than for its parts.
    pub(super) fn fit(&mut self) {
        let all = std::mem::take(&mut self.taken);
        let (mut fits, mut too_many, mut count) = (0, all.len() + 1, all.len());
        while fits + 1 < too_many {
            self.keep(&all, count);
            *(if self.memory.tokens(&self.text()) > self.budget { &mut too_many } else { &mut fits }) = count;
            count = fits.midpoint(too_many);
        }
        self.keep(&all, fits);
    }

    /// Keeps the first items of a list, without those at its end that are only shown with others.
    fn keep(&mut self, all: &[(usize, usize)], count: usize) {
        let is_shown = |(at, item): &&(usize, usize)| {
            self.parts.get(*at).and_then(|part| part.items.get(*item)).is_some_and(|item| !item.is_header)
        };
        let end = all.iter().take(count).rposition(|item| is_shown(&item)).map_or(0, |last| last + 1);
        self.taken = all.iter().take(end).copied().collect();
        self.is_in = self.taken.iter().copied().collect();
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

    /// Iterates over the items that are not taken.
    pub(super) fn left_out(&self) -> impl Iterator<Item = NotRendered> {
        self.parts.iter().enumerate().flat_map(move |(at, part)| {
            let items = part.items.iter().enumerate().filter(move |(item, _)| !self.has(at, *item));
            items.map(|(_, item)| NotRendered {
                part: part.kind,
                name: item.name.clone(),
                tokens: item.tokens,
                reason: WhyLeftOut::Budget,
            })
        })
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
