//! Reading. Each answer is one statement's, which sees the database as of one moment.

use std::collections::BTreeMap;

use tokio_postgres::Row;

use crate::memory::journal::{Entry, Head, Seq};
use crate::memory::postgres_store::failure::{Failure, Task};
use crate::memory::postgres_store::session::{Session, column, entries, int, limit, number, seq, text, texts};
use crate::memory::{DocName, IoAction, Snapshot, Stored, Version};
use crate::text::{Revision, SharedText};

/// How many lines are read at once.
const PAGE: usize = 500;

const MEMORY: Task = Task::new(IoAction::Read, "memdoc.memory");
const DOCUMENT: Task = Task::new(IoAction::Read, "memdoc.document");
const ENTRY: Task = Task::new(IoAction::Read, "memdoc.entry");

/// A line of the journal, whether it can be read or not.
pub(crate) struct Line {
    pub(crate) seq: i64,
    pub(crate) bytes: Vec<u8>,
}

impl Session {
    /// Reads where the journal ends.
    ///
    /// # Errors
    ///
    /// The server refuses; the journal was set back.
    pub(crate) async fn head(self) -> Result<Head, Failure> {
        let asked = self.register.seen();
        let statement = "SELECT m.seq, m.hash, \
             (SELECT e.hash FROM memdoc.entry e WHERE e.memory = $1 AND e.seq = $2) AS known \
             FROM (SELECT) one LEFT JOIN memdoc.memory m ON m.memory = $1";
        let values = [text(&self.register.memory), int(&asked)];
        let rows = self.rows(MEMORY, statement, &values).await?;
        rows.first().map_or(Ok(Head::START), |row| self.register.see(asked, row))
    }

    /// Reads documents.
    ///
    /// # Errors
    ///
    /// The server refuses; the journal was set back; a document is no text.
    pub(crate) async fn documents(self, names: Vec<DocName>) -> Result<Snapshot, Failure> {
        let asked = self.register.seen();
        let statement = "SELECT m.seq, m.hash, \
             (SELECT e.hash FROM memdoc.entry e WHERE e.memory = $1 AND e.seq = $2) AS known, \
             d.name, d.text, d.revision, d.tip \
             FROM (SELECT) one LEFT JOIN memdoc.memory m ON m.memory = $1 \
             LEFT JOIN memdoc.document d ON d.memory = $1 AND d.name = ANY ($3)";
        let wanted: Vec<_> = names.iter().map(DocName::as_str).collect();
        let values = [text(&self.register.memory), int(&asked), texts(&wanted)];
        let rows = self.rows(DOCUMENT, statement, &values).await?;
        let head = rows.first().map_or(Ok(Head::START), |row| self.register.see(asked, row))?;
        let mut found = BTreeMap::new();
        for row in &rows {
            if let Some(name) = column::<Option<&str>>(row, "name", DOCUMENT)? {
                found.insert(name, (document_text(row)?, version(row, DOCUMENT)?));
            }
        }
        let stored = |name: &DocName| {
            let (text, version) = found.get(name.as_str()).cloned().unwrap_or_default();
            Stored::new(name.clone(), text, version)
        };
        Ok(Snapshot::new(head, names.iter().map(stored).collect()))
    }

    /// Lists documents.
    ///
    /// # Errors
    ///
    /// The server refuses, or a row holds something else: what is listed must be all there is.
    pub(crate) async fn revisions(
        self,
        after: Option<DocName>,
        most: usize,
    ) -> Result<Vec<(DocName, Revision)>, Failure> {
        let statement = "SELECT name, revision FROM memdoc.document \
             WHERE memory = $1 AND revision IS NOT NULL AND name > $2 ORDER BY name LIMIT $3";
        let (after, most) = (after.as_ref().map_or("", DocName::as_str), limit(most));
        let values = [text(&self.register.memory), text(&after), int(&most)];
        let listed = |row: &Row| {
            let (name, revision): (&str, &str) = (column(row, "name", DOCUMENT)?, column(row, "revision", DOCUMENT)?);
            let name = name.parse().map_err(|error| DOCUMENT.refused(error))?;
            Ok((name, revision.parse().map_err(|error| DOCUMENT.refused(error))?))
        };
        self.rows(DOCUMENT, statement, &values).await?.iter().map(listed).collect()
    }

    /// Reads the entries that changed a document, latest first, from the number `last` on.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(crate) async fn entries_of(self, document: DocName, last: Seq, most: usize) -> Result<Vec<Entry>, Failure> {
        let statement = "SELECT e.line FROM memdoc.link l \
             JOIN memdoc.entry e ON e.memory = l.memory AND e.seq = l.seq \
             WHERE l.memory = $1 AND l.name = $2 AND l.seq <= $3 ORDER BY l.seq DESC LIMIT $4";
        let (document, last, most) = (document.as_str(), number(last), limit(most));
        let values = [text(&self.register.memory), text(&document), int(&last), int(&most)];
        entries(&self.rows(ENTRY, statement, &values).await?, ENTRY)
    }

    /// Reads the entries from a number on.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(crate) async fn entries_from(self, first: Seq, most: usize) -> Result<Vec<Entry>, Failure> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut next = number(first);
        while entries.len() < most {
            let lines = self.page(next, most.saturating_sub(entries.len())).await?;
            let Some(last) = lines.last() else { break };
            next = last.seq.saturating_add(1);
            // What cannot be read is passed over: then there is another page.
            entries.extend(lines.iter().flat_map(|line| Entry::parse(&line.bytes)));
        }
        Ok(entries)
    }

    /// Reads lines of the journal from a number on: some of them, or none if there are none.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(crate) async fn lines(self, first: i64) -> Result<Vec<Line>, Failure> {
        self.page(first, PAGE).await
    }

    async fn page(&self, first: i64, most: usize) -> Result<Vec<Line>, Failure> {
        let statement = "SELECT seq, line FROM memdoc.entry WHERE memory = $1 AND seq >= $2 ORDER BY seq LIMIT $3";
        let most = limit(most.min(PAGE));
        let values = [text(&self.register.memory), int(&first), int(&most)];
        let line = |row: &Row| Ok(Line { seq: column(row, "seq", ENTRY)?, bytes: column(row, "line", ENTRY)? });
        self.rows(ENTRY, statement, &values).await?.iter().map(line).collect()
    }
}

fn document_text(row: &Row) -> Result<Option<SharedText>, Failure> {
    let bytes: Option<&[u8]> = column(row, "text", DOCUMENT)?;
    let text = bytes.map(std::str::from_utf8).transpose().map_err(|error| DOCUMENT.refused(error))?;
    Ok(text.map(SharedText::from))
}

/// Returns what a row of `memdoc.document` is at.
///
/// # Errors
///
/// The row holds something else.
pub(crate) fn version(row: &Row, task: Task) -> Result<Version, Failure> {
    let revision: Option<&str> = column(row, "revision", task)?;
    let revision = revision.map(str::parse::<Revision>).transpose().map_err(|error| task.refused(error))?;
    let tip: Option<i64> = column(row, "tip", task)?;
    Ok(Version::new(revision, tip.map(seq)))
}
