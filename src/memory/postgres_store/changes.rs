//! A commit as columns of the tables that it changes.

use postgres::Client;
use postgres::types::Type;

use super::super::journal::{Entry, Head};
use super::super::{Change, DocumentChange, IoAction, Tip, Version};
use super::failure::{Failure, Task};
use super::rows::{Values, column, number};

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
        let written = task.rows(client, statement, values)?;
        written.iter().map(|row| column(row, "name", task)).collect()
    }
}

/// Entries as columns, and which documents they changed.
pub(super) struct Entries<'a> {
    seqs: Vec<i64>,
    hashes: Vec<String>,
    attempts: Vec<Option<String>>,
    requests: Vec<Option<String>>,
    lines: Vec<Vec<u8>>,
    linked: Vec<i64>,
    links: Vec<&'a str>,
}

impl<'a> Entries<'a> {
    pub(super) fn of(sealed: &'a [Entry]) -> Self {
        let links = || sealed.iter().flat_map(|entry| entry.header().documents.iter().map(move |link| (entry, link)));
        let attempt = |entry: &Entry| entry.header().attempt.map(|attempt| attempt.to_string());
        let request = |entry: &Entry| entry.states()?.request.map(|request| request.to_string());
        Self {
            seqs: sealed.iter().map(|entry| number(entry.seq())).collect(),
            hashes: sealed.iter().map(|entry| entry.hash().to_string()).collect(),
            attempts: sealed.iter().map(attempt).collect(),
            requests: sealed.iter().map(request).collect(),
            lines: sealed.iter().map(|entry| entry.to_line().into_bytes()).collect(),
            linked: links().map(|(entry, _)| number(entry.seq())).collect(),
            links: links().map(|(_, link)| link.name.as_str()).collect(),
        }
    }

    /// Appends them and moves the head from one to the next, all by one statement. Returns how many heads were where they should be.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(super) fn append(&self, client: &mut Client, memory: &str, [head, next]: [Head; 2]) -> Result<u64, Failure> {
        let statement = "WITH entries AS (INSERT INTO memdoc.entry (memory, seq, hash, attempt, request, line) \
             SELECT $1, * FROM unnest($2, $3, $4, $5, $6)), \
             links AS (INSERT INTO memdoc.link (memory, seq, name) SELECT $1, * FROM unnest($7, $8)) \
             UPDATE memdoc.memory SET seq = $9, hash = $10 WHERE memory = $1 AND seq = $11";
        let values: &Values<'_> = &[
            (&memory, Type::TEXT),
            (&self.seqs, Type::INT8_ARRAY),
            (&self.hashes, Type::TEXT_ARRAY),
            (&self.attempts, Type::TEXT_ARRAY),
            (&self.requests, Type::TEXT_ARRAY),
            (&self.lines, Type::BYTEA_ARRAY),
            (&self.linked, Type::INT8_ARRAY),
            (&self.links, Type::TEXT_ARRAY),
            (&number(next.seq), Type::INT8),
            (&next.hash.to_string(), Type::TEXT),
            (&number(head.seq), Type::INT8),
        ];
        let task = Task::new(IoAction::Write, "memdoc.entry");
        task.change(client, statement, values)
    }
}
