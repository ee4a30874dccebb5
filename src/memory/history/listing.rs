//! The history of a memory: entries of its journal that meet a query, latest first.

use crate::document::PATH_SEPARATOR;
use crate::locate::{Code, Names, NodeKind, Scope, Selector, readings};
use crate::memory::history::Undoings;
use crate::memory::history::diff::{ChangedDocument, PastTexts};
use crate::memory::history::trace::own_lines;
use crate::memory::journal::{Entry, EntryKind, Runs, Seq};
use crate::memory::{Actor, DocName, Memory, MemoryError};
use crate::text::{Content, Timestamp, fold_name};

/// Which entries to list. Without any condition: all that anybody did, latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryQuery {
    /// Only those that changed this document. The names that it had before are followed.
    pub document: Option<DocName>,
    /// Only those that changed this section, by the title or path that it had then. A path may begin at any ancestor:
    /// `Work > Tasks` also finds what was done in `Archive > Work > Tasks`.
    pub section: Option<Content>,
    /// Only those that wrote or changed the bullet that has this key now, in `document`, or in `memory` if none is
    /// named.
    pub key: Option<Content>,
    /// Only those by this actor.
    pub actor: Option<Actor>,
    /// Only those by this tool.
    pub tool: Option<String>,
    /// Only those of this time or later.
    pub since: Option<Timestamp>,
    /// Only those of this time or earlier.
    pub until: Option<Timestamp>,
    /// Only those with a lower number: for the page after one that ended with this entry.
    pub before: Option<Seq>,
    /// How many at most.
    pub limit: usize,
}

impl HistoryQuery {
    /// How many entries are listed unless a query says otherwise.
    pub const LIMIT: usize = 20;

    /// Asks for the latest entries.
    pub fn new() -> Self {
        Self { limit: Self::LIMIT, ..Self::default() }
    }
}

/// Entries that were listed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryPage {
    /// The entries, latest first.
    pub entries: Vec<HistoryRow>,
    /// Whether there are more after the last of them.
    pub more: bool,
}

/// An entry, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryRow {
    /// The entry.
    pub entry: Entry,
    /// The entry that undid it, if there is one that was not undone itself.
    pub undone_by: Option<Seq>,
    /// The documents that it changed, each with the lines that it removed and wrote. The sections and counts in the
    /// entry's body are those of all documents together.
    pub changes: Vec<ChangedDocument>,
}

impl Memory {
    /// Lists entries of the journal, latest first.
    ///
    /// # Errors
    ///
    /// No bullet has the key; nothing was found, and there is no such document or section; the store cannot be read.
    pub fn history(&self, query: &HistoryQuery) -> Result<HistoryPage, MemoryError> {
        let of_key = query.key.as_deref().map(|key| self.of_key(query, key)).transpose()?;
        let folded = |name| readings(name).iter().map(|name| fold_name(name)).collect::<Vec<_>>();
        let section = query.section.as_deref().map(folded);
        let (mut undoings, mut texts) = (Undoings::default(), PastTexts::of(self));
        // The name that the document had at this entry.
        let mut document = query.document.clone();
        let mut page = HistoryPage { entries: Vec::new(), more: false };
        for entry in self.latest_first(Seq::default())? {
            let entry = entry?;
            undoings.see(&entry);
            let is_of_document = document.as_ref().is_none_or(|document| entry.link(document).is_some());
            if let Some(old) = document.as_ref().and_then(|document| entry.renamed_from(document)) {
                document = Some(old.clone());
            }
            let is_wanted = is_of_document
                && query.before.is_none_or(|before| entry.seq() < before)
                && of_key.as_ref().is_none_or(|of_key| of_key.contains(entry.seq()))
                && query.is_met_by(&entry, section.as_deref());
            if is_wanted && page.entries.len() == query.limit {
                page.more = true;
                break;
            }
            if is_wanted {
                let links = entry.header().documents.iter();
                let changes = links.map(|link| texts.changed(&entry, &link.name)).collect::<Result<_, _>>()?;
                page.entries.push(HistoryRow { undone_by: undoings.by(entry.seq()), entry, changes });
            }
        }
        if page.entries.is_empty() {
            self.check_names(query)?;
        }
        Ok(page)
    }

    /// Checks the names of a query that found nothing: the document, `memory` if none is named, must exist and have the
    /// section.
    fn check_names(&self, query: &HistoryQuery) -> Result<(), MemoryError> {
        let document = query.document.clone().unwrap_or_else(DocName::memory);
        let doc = self.read(&document)?;
        let Some(section) = query.section.as_deref() else { return Ok(()) };
        match Names::new(&doc).scope(NodeKind::Section, section, doc.span()) {
            Err(error) if error.is_absence() => Err(MemoryError::of(document, error)),
            _ => Ok(()),
        }
    }

    /// Returns the entries that wrote or changed the bullet that has a key now.
    fn of_key(&self, query: &HistoryQuery, key: &str) -> Result<Runs, MemoryError> {
        let document = query.document.clone().unwrap_or_else(DocName::memory);
        let doc = self.read(&document)?;
        let names = Names::new(&doc);
        let found = Selector::by_key(key).find(&names, Scope::Document);
        let own = own_lines(found.map_err(|error| MemoryError::of(document.clone(), error))?.at);
        let mut writers = Runs::default();
        for entry in self.writers(&document, own)? {
            match entry {
                // The writers before an erased entry are not known.
                Err(error) if error.code() == Code::Redacted => break,
                entry => writers.insert(entry?.seq()),
            }
        }
        Ok(writers)
    }
}

impl HistoryQuery {
    fn is_met_by(&self, entry: &Entry, section: Option<&[String]>) -> bool {
        let header = entry.header();
        header.kind != EntryKind::Genesis
            && self.actor.as_ref().is_none_or(|actor| header.actor == *actor)
            && self.tool.as_deref().is_none_or(|tool| header.tool.as_deref() == Some(tool))
            && self.since.is_none_or(|since| entry.time() >= since)
            && self.until.is_none_or(|until| entry.time() <= until)
            && section.is_none_or(|section| {
                let paths = entry.body().map(|body| body.sections.as_slice()).unwrap_or_default();
                paths.iter().any(|path| is_path(section, path))
            })
    }
}

/// Returns true if one of the readings can mean this path: if one of the two is the other without its first titles.
fn is_path(readings: &[String], path: &str) -> bool {
    let path = fold_name(path);
    let ends = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|above| above.is_empty() || above.ends_with(PATH_SEPARATOR))
    };
    readings.iter().any(|name| ends(&path, name) || ends(name, &path))
}
