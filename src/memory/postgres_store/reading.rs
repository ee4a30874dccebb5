//! Reading. Each answer is one statement's, which sees the database as of one moment.

use std::collections::BTreeMap;

use postgres::types::Type;
use postgres::{Client, Row};

use super::super::journal::{Entry, Head, Seq};
use super::super::{DocName, EntryQuery, IoAction, Snapshot, Stored, Tip, Version};
use super::failure::{Failure, Task};
use super::place::{FoundHead, Place};
use super::rows::{Values, column, entries, limit, number, seq};
use crate::text::{Revision, SharedText};

/// How many lines are read at once.
const PAGE: usize = 500;

const MEMORY: Task = Task::new(IoAction::Read, "memdoc.memory");
const DOCUMENT: Task = Task::new(IoAction::Read, "memdoc.document");
const ENTRY: Task = Task::new(IoAction::Read, "memdoc.entry");

/// Reads where the journal ends.
///
/// # Errors
///
/// The server refuses; the journal was set back.
pub(super) fn head(client: &mut Client, place: &Place) -> Result<Head, Failure> {
    let asked = place.known();
    let statement = "SELECT m.seq, m.hash, \
         (SELECT e.hash FROM memdoc.entry e WHERE e.memory = $1 AND e.seq = $2) AS known \
         FROM (SELECT) one LEFT JOIN memdoc.memory m ON m.memory = $1";
    let rows = MEMORY.rows(client, statement, &[(&place.memory, Type::TEXT), (&asked, Type::INT8)])?;
    see(&rows, place, asked)
}

fn see(rows: &[Row], place: &Place, asked: i64) -> Result<Head, Failure> {
    let found = rows.first().map(FoundHead::of).transpose()?;
    found.map_or(Ok(Head::START), |found| place.see(asked, &found).map_err(Failure::from))
}

/// Reads documents.
///
/// # Errors
///
/// The server refuses; the journal was set back; a document is no text.
pub(super) fn read(client: &mut Client, place: &Place, names: &[DocName]) -> Result<Snapshot, Failure> {
    let asked = place.known();
    let statement = "SELECT m.seq, m.hash, \
         (SELECT e.hash FROM memdoc.entry e WHERE e.memory = $1 AND e.seq = $2) AS known, \
         d.name, d.text, d.revision, d.tip, d.since_keyframe \
         FROM (SELECT) one LEFT JOIN memdoc.memory m ON m.memory = $1 \
         LEFT JOIN memdoc.document d ON d.memory = $1 AND d.name = ANY ($3)";
    let wanted: Vec<_> = names.iter().map(DocName::as_str).collect();
    let values: &Values<'_> = &[(&place.memory, Type::TEXT), (&asked, Type::INT8), (&wanted, Type::TEXT_ARRAY)];
    let rows = DOCUMENT.rows(client, statement, values)?;
    let head = see(&rows, place, asked)?;
    let mut found = BTreeMap::new();
    for row in &rows {
        if let Some(name) = column::<Option<&str>>(row, "name", DOCUMENT)? {
            found.insert(name, (text(row)?, version(row, DOCUMENT)?));
        }
    }
    let stored = |name: &DocName| {
        let (text, version) = found.get(name.as_str()).cloned().unwrap_or_default();
        Stored::new(name.clone(), text, version)
    };
    Ok(Snapshot::new(head, names.iter().map(stored).collect()))
}

fn text(row: &Row) -> Result<Option<SharedText>, Failure> {
    let bytes: Option<&[u8]> = column(row, "text", DOCUMENT)?;
    let text = bytes.map(std::str::from_utf8).transpose().map_err(|error| DOCUMENT.refused(error))?;
    Ok(text.map(SharedText::from))
}

/// Returns what a row of `memdoc.document` is at.
///
/// # Errors
///
/// The row holds something else.
pub(super) fn version(row: &Row, task: Task) -> Result<Version, Failure> {
    let revision: Option<&str> = column(row, "revision", task)?;
    let revision = revision.map(str::parse::<Revision>).transpose().map_err(|error| task.refused(error))?;
    let tip: Option<i64> = column(row, "tip", task)?;
    let since: Option<i64> = column(row, "since_keyframe", task)?;
    let since_keyframe = u64::try_from(since.unwrap_or_default()).unwrap_or_default();
    Ok(Version::new(revision, tip.map(|tip| Tip { seq: seq(tip), since_keyframe })))
}

/// Lists documents.
///
/// # Errors
///
/// The server refuses, or a row holds something else: what is listed must be all there is.
pub(super) fn revisions(
    client: &mut Client,
    place: &Place,
    after: Option<&DocName>,
    most: usize,
) -> Result<Vec<(DocName, Revision)>, Failure> {
    let statement = "SELECT name, revision FROM memdoc.document \
         WHERE memory = $1 AND revision IS NOT NULL AND name > $2 ORDER BY name LIMIT $3";
    let after = after.map_or("", DocName::as_str);
    let values: &Values<'_> = &[(&place.memory, Type::TEXT), (&after, Type::TEXT), (&limit(most), Type::INT8)];
    let rows = DOCUMENT.rows(client, statement, values)?;
    let listed = |row: &Row| {
        let (name, revision): (&str, &str) = (column(row, "name", DOCUMENT)?, column(row, "revision", DOCUMENT)?);
        let name = name.parse().map_err(|error| DOCUMENT.refused(error))?;
        Ok((name, revision.parse().map_err(|error| DOCUMENT.refused(error))?))
    };
    rows.iter().map(listed).collect()
}

/// Reads entries.
///
/// # Errors
///
/// The server refuses.
pub(super) fn find(client: &mut Client, place: &Place, query: &EntryQuery<'_>) -> Result<Vec<Entry>, Failure> {
    match *query {
        EntryQuery::From { seq, limit } => from(client, place, seq, limit),
        EntryQuery::OfDocument { document, seq, limit: most } => {
            let statement = "SELECT e.line FROM memdoc.link l \
                 JOIN memdoc.entry e ON e.memory = l.memory AND e.seq = l.seq \
                 WHERE l.memory = $1 AND l.name = $2 AND l.seq <= $3 ORDER BY l.seq DESC LIMIT $4";
            let rows = ENTRY.rows(
                client,
                statement,
                &[
                    (&place.memory, Type::TEXT),
                    (&document.as_str(), Type::TEXT),
                    (&number(seq), Type::INT8),
                    (&limit(most), Type::INT8),
                ],
            )?;
            entries(&rows, ENTRY)
        }
    }
}

fn from(client: &mut Client, place: &Place, first: Seq, most: usize) -> Result<Vec<Entry>, Failure> {
    let mut found: Vec<Entry> = Vec::new();
    let mut next = number(first);
    while found.len() < most {
        let rows = lines(client, place, next, most.saturating_sub(found.len()))?;
        let Some(last) = rows.last() else { break };
        next = column::<i64>(last, "seq", ENTRY)?.saturating_add(1);
        // What cannot be read is passed over: then there is another page.
        found.extend(entries(&rows, ENTRY)?);
    }
    Ok(found)
}

/// Reads lines of the journal from a number on: some of them, or none if there are none.
///
/// # Errors
///
/// The server refuses.
pub(super) fn lines(client: &mut Client, place: &Place, first: i64, most: usize) -> Result<Vec<Row>, Failure> {
    let statement = "SELECT seq, line FROM memdoc.entry WHERE memory = $1 AND seq >= $2 ORDER BY seq LIMIT $3";
    let most = limit(most.min(PAGE));
    let values: &Values<'_> = &[(&place.memory, Type::TEXT), (&first, Type::INT8), (&most, Type::INT8)];
    ENTRY.rows(client, statement, values)
}
