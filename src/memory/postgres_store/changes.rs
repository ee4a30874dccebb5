//! A commit as columns of the tables that it changes.

use postgres::Client;
use postgres::types::{ToSql, Type};

use super::super::change::{Change, DocumentChange};
use super::super::journal::Entry;
use super::super::snapshot::{Tip, Version};
use super::super::store_error::IoAction;
use super::failure::{Failure, Task};
use super::rows::{column, number};

/// A statement's values with their types.
pub(super) type Values<'a> = [(&'a (dyn ToSql + Sync), Type)];

/// Documents as columns.
#[derive(Default)]
pub(super) struct Documents<'a> {
    names: Vec<&'a str>,
    expected: Vec<Option<String>>,
    expected_tips: Vec<Option<i64>>,
    texts: Vec<Option<&'a [u8]>>,
    revisions: Vec<Option<String>>,
    tips: Vec<Option<i64>>,
    since_keyframe: Vec<Option<i64>>,
}

impl<'a> Documents<'a> {
    /// Returns the documents of a change that were there before, and those that were not.
    pub(super) fn of(change: &'a Change, sealed: &[Entry]) -> [Self; 2] {
        let mut sides = [Self::default(), Self::default()];
        let [there, new] = &mut sides;
        for document in &change.documents {
            let side = if document.expected == Version::default() { &mut *new } else { &mut *there };
            side.push(document, sealed);
        }
        sides
    }

    fn push(&mut self, document: &'a DocumentChange, sealed: &[Entry]) {
        let made = sealed.iter().rev().find_map(|entry| Tip::of(entry, &document.name));
        let tip = made.or(document.expected.tip);
        self.names.push(document.name.as_str());
        self.expected.push(document.expected.revision.map(|revision| revision.to_string()));
        self.expected_tips.push(document.expected.tip.map(|tip| number(tip.seq)));
        self.texts.push(document.text.as_deref().map(str::as_bytes));
        self.revisions.push(document.revision.map(|revision| revision.to_string()));
        self.tips.push(tip.map(|tip| number(tip.seq)));
        self.since_keyframe.push(tip.map(|tip| i64::try_from(tip.since_keyframe).unwrap_or(i64::MAX)));
    }

    /// Changes the rows that are as expected, and returns the names of those.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(super) fn update(&self, client: &mut Client, memory: &str) -> Result<Vec<String>, Failure> {
        let statement = "UPDATE memdoc.document d SET text = c.text, revision = c.revision, tip = c.tip, \
             since_keyframe = c.since_keyframe FROM unnest($2, $3, $4, $5, $6, $7, $8) \
             AS c (name, expected, expected_tip, text, revision, tip, since_keyframe) \
             WHERE d.memory = $1 AND d.name = c.name \
             AND d.revision IS NOT DISTINCT FROM c.expected AND d.tip IS NOT DISTINCT FROM c.expected_tip \
             RETURNING d.name";
        self.write(
            client,
            statement,
            &[
                (&memory, Type::TEXT),
                (&self.names, Type::TEXT_ARRAY),
                (&self.expected, Type::TEXT_ARRAY),
                (&self.expected_tips, Type::INT8_ARRAY),
                (&self.texts, Type::BYTEA_ARRAY),
                (&self.revisions, Type::TEXT_ARRAY),
                (&self.tips, Type::INT8_ARRAY),
                (&self.since_keyframe, Type::INT8_ARRAY),
            ],
        )
    }

    /// Makes rows where there are none, and returns the names of those.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(super) fn insert(&self, client: &mut Client, memory: &str) -> Result<Vec<String>, Failure> {
        let statement = "INSERT INTO memdoc.document (memory, name, text, revision, tip, since_keyframe) \
             SELECT $1, * FROM unnest($2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING name";
        self.write(
            client,
            statement,
            &[
                (&memory, Type::TEXT),
                (&self.names, Type::TEXT_ARRAY),
                (&self.texts, Type::BYTEA_ARRAY),
                (&self.revisions, Type::TEXT_ARRAY),
                (&self.tips, Type::INT8_ARRAY),
                (&self.since_keyframe, Type::INT8_ARRAY),
            ],
        )
    }

    fn write(&self, client: &mut Client, statement: &str, values: &Values<'_>) -> Result<Vec<String>, Failure> {
        if self.names.is_empty() {
            return Ok(Vec::new());
        }
        let task = Task::new(IoAction::Write, "memdoc.document");
        let written = client.query_typed(statement, values).map_err(|error| task.failed(error))?;
        written.iter().map(|row| column(row, "name", task)).collect()
    }
}

/// Writes entries, and which documents they changed.
///
/// # Errors
///
/// The server refuses.
pub(super) fn append(client: &mut Client, memory: &str, sealed: &[Entry]) -> Result<(), Failure> {
    let seqs: Vec<_> = sealed.iter().map(|entry| number(entry.seq())).collect();
    let hashes: Vec<_> = sealed.iter().map(|entry| entry.hash().to_string()).collect();
    let attempts: Vec<_> =
        sealed.iter().map(|entry| entry.header().attempt.map(|attempt| attempt.to_string())).collect();
    let requests: Vec<_> =
        sealed.iter().map(|entry| entry.states()?.request.map(|request| request.to_string())).collect();
    let lines: Vec<_> = sealed.iter().map(|entry| entry.to_line().into_bytes()).collect();
    let task = Task::new(IoAction::Write, "memdoc.entry");
    let statement = "INSERT INTO memdoc.entry (memory, seq, hash, attempt, request, line) \
         SELECT $1, * FROM unnest($2, $3, $4, $5, $6)";
    let values: &Values<'_> = &[
        (&memory, Type::TEXT),
        (&seqs, Type::INT8_ARRAY),
        (&hashes, Type::TEXT_ARRAY),
        (&attempts, Type::TEXT_ARRAY),
        (&requests, Type::TEXT_ARRAY),
        (&lines, Type::BYTEA_ARRAY),
    ];
    client.execute_typed(statement, values).map_err(|error| task.failed(error))?;
    link(client, memory, sealed)
}

fn link(client: &mut Client, memory: &str, sealed: &[Entry]) -> Result<(), Failure> {
    let links = || sealed.iter().flat_map(|entry| entry.header().documents.iter().map(move |link| (link, entry)));
    let names: Vec<_> = links().map(|(link, _)| link.name.as_str()).collect();
    let seqs: Vec<_> = links().map(|(_, entry)| number(entry.seq())).collect();
    if names.is_empty() {
        return Ok(());
    }
    let statement = "INSERT INTO memdoc.link (memory, name, seq) SELECT $1, * FROM unnest($2, $3)";
    let values: &Values<'_> = &[(&memory, Type::TEXT), (&names, Type::TEXT_ARRAY), (&seqs, Type::INT8_ARRAY)];
    let task = Task::new(IoAction::Write, "memdoc.link");
    client.execute_typed(statement, values).map(drop).map_err(|error| task.failed(error))
}
