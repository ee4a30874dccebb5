//! Looking at what stands behind the noted place, without writing: all that a reader of a read-only directory can do.

use super::super::journal::Erased;
use super::super::{DocName, StoreError};
use super::disk::{Disk, Found, look};
use super::layout;
use super::note::Note;
use super::place::Text;
use super::placement::{Line, Placement, Site, Step};
use super::segments::{self, Position};
use super::tail::{LastGroup, Tail};
use crate::text::{Revision, SharedText};

/// The end of the journal, as it was found.
#[derive(Debug)]
pub(super) struct Survey {
    /// The note, where there is one that counts.
    pub(super) note: Option<Note>,
    /// Where the journal ends, whatever stands there.
    pub(super) end: Position,
    /// Where `bytes` begin: at the noted place, else at the beginning of the last file.
    pub(super) from: Position,
    /// What stands behind it.
    pub(super) bytes: Vec<u8>,
    pub(super) tail: Tail,
    pub(super) damage: Vec<Damage>,
}

/// What no crash does to a journal. It is told, and nothing is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    /// Entries that were known to be durable are gone.
    Shortened { known: Position, end: Position },
    /// Bytes before a complete group cannot be read.
    Unreadable { at: Position, bytes: usize },
}

/// A document of the last group.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) name: DocName,
    /// The revision that the group was made on.
    pub(super) base: Option<Revision>,
    /// The entry that tells it, where the group must not.
    pub(super) withheld: Option<u64>,
    /// The revision that it made.
    pub(super) new: Option<Revision>,
    /// The lines that lead from the one to the other.
    pub(super) lines: Vec<Vec<u8>>,
    /// The number of the last of them.
    pub(super) seq: u64,
    /// The number of the first entry of the group.
    pub(super) first: u64,
}

impl Survey {
    /// Looks at the note and at the end of the journal.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn take<D: Disk, P: Placement>(site: &Site<'_, D, P>) -> Result<Self, StoreError> {
        let note = Note::read(site.disk)?;
        let known = note.as_ref().map(|note| note.end);
        let end = segments::end(site.disk, known)?;
        let mut survey = Self { note, end, from: end, bytes: Vec::new(), tail: Tail::default(), damage: Vec::new() };
        if known == Some(end) {
            return Ok(survey);
        }
        if let Some(known) = known.filter(|known| *known > end) {
            survey.damage.push(Damage::Shortened { known, end });
        }
        survey.from = known
            .filter(|known| known.segment == end.segment && known.offset <= end.offset)
            .unwrap_or(Position { offset: 0, ..end });
        survey.bytes = segments::read(site.disk, survey.from)?;
        survey.tail = Tail::parse(&survey.bytes, site.placement);
        for span in &survey.tail.unreadable {
            survey.damage.push(Damage::Unreadable { at: survey.from.after(span.start), bytes: span.len() });
        }
        Ok(survey)
    }

    /// Reports whether there is nothing to recover.
    pub(super) fn is_clean(&self) -> bool {
        self.note.as_ref().is_some_and(|note| note.end == self.end)
    }

    /// Returns the bytes of an append that was not completed.
    pub(super) fn torn(&self) -> &[u8] {
        self.bytes.get(self.tail.complete..).unwrap_or_default()
    }

    /// Returns the documents of the last group behind the noted place, each once.
    pub(super) fn due(&self) -> Vec<Due> {
        self.tail.last.as_ref().map_or_else(Vec::new, |last| due(&self.bytes, last))
    }

    /// Returns where the last complete group ends.
    pub(super) fn complete(&self) -> Position {
        if self.bytes.is_empty() { self.end } else { self.from.after(self.tail.complete) }
    }

    /// Returns what the last group behind the noted place says is to be erased.
    pub(super) fn erased<P: Placement>(&self, placement: &P) -> Erased {
        let lines = self.tail.last.iter().flat_map(|last| &last.lines);
        lines.fold(Erased::default(), |mut all, placed| {
            let erased = placement.erased(self.bytes.get(placed.span.clone()).unwrap_or_default());
            erased.contents.iter().for_each(|run| all.contents.insert_run(run));
            erased.states.iter().for_each(|run| all.states.insert_run(run));
            all
        })
    }

    /// Returns what the documents say that are committed but not placed: for readers that cannot place them.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn unplaced<D: Disk, P: Placement>(&self, site: &Site<'_, D, P>) -> Result<Vec<Unplaced>, StoreError> {
        let mut unplaced = Vec::new();
        for due in self.due() {
            let found = look(site.disk, &layout::place(&due.name), site.limits.document)?;
            if found.is(due.base) && !found.is(due.new) {
                unplaced.push(Unplaced { text: due.text(site.placement, &found), name: due.name });
            }
        }
        Ok(unplaced)
    }
}

/// A document that is committed, but whose file still says what it said before.
#[derive(Debug)]
pub(super) struct Unplaced {
    pub(super) name: DocName,
    /// The committed text; `None` if the document is deleted.
    pub(super) text: Option<Text>,
}

fn due(bytes: &[u8], last: &LastGroup) -> Vec<Due> {
    let mut due: Vec<Due> = Vec::new();
    for placed in &last.lines {
        let line = bytes.get(placed.span.clone()).unwrap_or_default();
        for step in &placed.line.documents {
            match due.iter_mut().find(|due| due.name == step.name) {
                Some(due) => {
                    due.new = step.new;
                    due.seq = placed.line.seq;
                    due.lines.push(line.to_vec());
                }
                None => due.push(Due::new(step, &placed.line, line)),
            }
        }
    }
    due
}

impl Due {
    /// Creates what one line does to a document.
    pub(super) fn new(step: &Step, line: &Line, bytes: &[u8]) -> Self {
        Self {
            name: step.name.clone(),
            base: step.base,
            withheld: step.withheld,
            new: step.new,
            lines: vec![bytes.to_vec()],
            seq: line.seq,
            first: line.group.first,
        }
    }

    /// Returns the committed text, made of what was found to be the base; `None` if there is none, or the lines do not
    /// lead to it.
    pub(super) fn text<P: Placement>(&self, placement: &P, base: &Found) -> Option<Text> {
        let mut text: Option<SharedText> = match base {
            Found::Text { text, .. } => Some(text.as_str().into()),
            _ => None,
        };
        for line in &self.lines {
            text = placement.text(line, &self.name, text.as_deref());
        }
        text.map(Text::new).filter(|text| Some(text.revision) == self.new)
    }
}
