//! Lines as the rungs of the ladder see them: where one stands that is not looked for as it is.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::ladder::{Rung, Rungs};
use super::line_core::lookup_key;
use super::same_lines::line_text;
use super::words::may_hold;
use crate::document::MemoryDoc;

/// How many runs are looked for by their words alone, before all lines are folded.
const FEW: usize = 32;

/// By what lines are looked up that are not as they stand.
#[derive(Clone, Copy)]
enum Lookup {
    Trimmed,
    Folded,
    /// Folded, without white space, markers and, with [`Rung::ViewPrefix`], prefixes before it.
    Core,
    CoreOfView,
}

impl Lookup {
    const fn count() -> usize {
        Self::CoreOfView as usize + 1
    }

    fn of(rungs: Rungs) -> Self {
        match rungs {
            _ if rungs.has(Rung::ViewPrefix) => Self::CoreOfView,
            _ if rungs.has(Rung::BulletMarker) => Self::Core,
            _ if rungs.has(Rung::Punctuation) => Self::Folded,
            _ => Self::Trimmed,
        }
    }
}

/// The lines of a document by what they read, folded when they are first asked for.
#[derive(Debug)]
pub(super) struct FoldedLines<'a> {
    doc: &'a MemoryDoc,
    lookups: [OnceCell<HashMap<Cow<'a, str>, Vec<usize>>>; Lookup::count()],
    /// How many runs were looked for by their words.
    asked: Cell<usize>,
}

impl<'a> FoldedLines<'a> {
    pub(super) fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, lookups: Default::default(), asked: Cell::new(0) }
    }

    /// Returns the indexes of the lines that `text` may stand for on `rungs`: all that it does are among them.
    pub(super) fn of(&self, text: &str, rungs: Rungs) -> &[usize] {
        let fill = || {
            let mut lookup: HashMap<Cow<'a, str>, Vec<usize>> = HashMap::new();
            for line in 0..self.doc.lines().len() {
                lookup.entry(lookup_key(line_text(self.doc, line), rungs)).or_default().push(line);
            }
            lookup
        };
        let read = rungs.read(text);
        let places = self.cell(rungs).get_or_init(fill).get(&*lookup_key(&read, rungs));
        places.map_or(&[], Vec::as_slice)
    }

    /// Reports whether all of these lines may stand in the document, as far as that is sooner told than by folding it.
    pub(super) fn may_hold<'t>(&self, texts: impl Iterator<Item = &'t str>, rungs: Rungs) -> bool {
        if self.asked.get() >= FEW || self.cell(rungs).get().is_some() {
            return true;
        }
        self.asked.set(self.asked.get() + 1);
        may_hold(self.doc.text(), texts, rungs)
    }

    fn cell(&self, rungs: Rungs) -> &OnceCell<HashMap<Cow<'a, str>, Vec<usize>>> {
        let [trimmed, folded, core, core_of_view] = &self.lookups;
        match Lookup::of(rungs) {
            Lookup::Trimmed => trimmed,
            Lookup::Folded => folded,
            Lookup::Core => core,
            Lookup::CoreOfView => core_of_view,
        }
    }
}
