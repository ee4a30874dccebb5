//! The commit, and the beginning of a journal.
//!
//! One transaction, at the isolation level `READ COMMITTED`, which sees at each statement what was committed before it:
//!
//! 1. The memory's row is locked. From here on no other commit of this memory sees or changes anything before this one ends, so
//!    that the journal has one order. It is locked before anything is read that the commit depends on: what a statement reads
//!    beside a row that it waits for is older than that row.
//! 2. Whether the request has landed since is looked up, and whether the last entry is the one that is expected.
//! 3. The documents are changed where they are what is expected, and it is counted which were: one that was not is a conflict. A
//!    writer that goes by no lock, such as a person with a console, is noticed so.
//! 4. The entries are sealed behind the head, and appended, and the head is moved.
//! 5. What earlier entries have to lose is taken from them.
//! 6. `COMMIT`, unless the caller has given up.
//!
//! A commit that fails before its end has changed nothing.

use std::collections::BTreeSet;

use postgres::Client;
use postgres::types::Type;

use super::super::journal::{Attempt, Entry, Head, Part, Seq, SeqRange};
use super::super::{Change, DocName, IoAction, Landed, Outcome, Version, genesis};
use super::changes::{Documents, Entries};
use super::failure::{Failure, Task};
use super::place::{FoundHead, Place};
use super::reading::version;
use super::rows::{Values, column, number, seq};
use super::schema;
use super::transaction::{Beginning, Decision, Ended, HEAD, Ready, Transaction};
use crate::text::{Digest, Timestamp};

/// A commit to a memory.
pub(super) struct Commit<'a> {
    pub(super) place: &'a Place,
    pub(super) beginning: &'a Beginning,
    pub(super) decision: &'a Decision,
}

impl Commit<'_> {
    /// Makes a commit.
    ///
    /// # Errors
    ///
    /// The server refuses: nothing has been changed.
    pub(super) fn make(&self, client: &mut Client, change: &Change) -> Result<Ended<Outcome>, Failure> {
        let mut made = Head::START;
        let ended = self.transaction().make(client, |client| {
            let head = self.lock(client)?;
            if let Some(repeated) = self.repeated(client, change, head)? {
                return Ok(Ready::Nothing(Outcome::Repeated(repeated)));
            }
            if change.expected_head.is_some_and(|expected| expected != head.seq) {
                return Ok(Ready::Nothing(Outcome::HeadMoved(head.seq)));
            }
            let sealed = self.place.sealer.seal(change.append.clone(), head, change.time);
            if let Some(conflict) = self.documents(client, change, &sealed)? {
                return Ok(Ready::Nothing(conflict));
            }
            made = self.append(client, head, &sealed)?;
            self.erase(client, change)?;
            Ok(Ready::Commit(Outcome::Committed(SeqRange::new(head.seq.plus(1), made.seq))))
        })?;
        if let Ended::Done(Outcome::Committed(_)) = ended {
            self.place.made(made);
        }
        Ok(ended)
    }

    /// Begins the journal, if it has not begun.
    ///
    /// # Errors
    ///
    /// The server refuses: nothing has been changed.
    pub(super) fn begin(&self, client: &mut Client, policy: &Digest, now: Timestamp) -> Result<Ended<()>, Failure> {
        self.transaction().make(client, |client| {
            let memory = &self.place.memory;
            let statement = "INSERT INTO memdoc.memory VALUES ($1, 0, $2) ON CONFLICT DO NOTHING";
            let start = Head::START.hash.to_string();
            HEAD.change(client, statement, &[(memory, Type::TEXT), (&start, Type::TEXT)])?;
            let head = self.lock(client)?;
            if head == Head::START {
                self.append(client, head, &self.place.sealer.seal(genesis(policy)?, head, now))?;
            }
            Ok(Ready::Commit(()))
        })
    }

    const fn transaction(&self) -> Transaction<'_> {
        Transaction { beginning: self.beginning, warnings: &self.place.warnings, decision: self.decision, task: HEAD }
    }

    /// Locks the memory's row, and returns where the journal ends.
    fn lock(&self, client: &mut Client) -> Result<Head, Failure> {
        let asked = self.place.known();
        let statement = "SELECT m.seq, m.hash, (SELECT max(v.version) FROM memdoc.version v) AS version, \
             (SELECT e.hash FROM memdoc.entry e WHERE e.memory = $1 AND e.seq = $2) AS known \
             FROM memdoc.memory m WHERE m.memory = $1 FOR UPDATE";
        let rows = HEAD.rows(client, statement, &[(&self.place.memory, Type::TEXT), (&asked, Type::INT8)])?;
        let Some(row) = rows.first() else {
            return Err(HEAD.refused(format!("there is no memory `{}`", self.place.memory)).into());
        };
        let found: Option<i32> = column(row, "version", HEAD)?;
        schema::check(found.unwrap_or_default())?;
        Ok(self.place.see(asked, &FoundHead::of(row)?)?)
    }

    /// Returns the entry with which the request has landed since it was looked for.
    fn repeated(&self, client: &mut Client, change: &Change, head: Head) -> Result<Option<Seq>, Failure> {
        if head.seq <= change.looked_to {
            return Ok(None);
        }
        let statement = "SELECT min(seq) AS seq FROM memdoc.entry WHERE memory = $1 AND seq > $2 AND request = $3";
        let request = change.request.to_string();
        let looked_to = number(change.looked_to);
        first(client, statement, &[(&self.place.memory, Type::TEXT), (&looked_to, Type::INT8), (&request, Type::TEXT)])
    }

    /// Changes the documents; returns the conflict, if one is not what is expected.
    fn documents(&self, client: &mut Client, change: &Change, sealed: &[Entry]) -> Result<Option<Outcome>, Failure> {
        let memory = &self.place.memory;
        let [there, new] = Documents::of(change, sealed);
        let mut written: BTreeSet<String> = there.update(client, memory)?.into_iter().collect();
        written.extend(new.insert(client, memory)?);
        let unwritten = change.documents.iter().find(|document| !written.contains(document.name.as_str()));
        let Some(document) = unwritten else { return Ok(None) };
        let found = current(client, memory, &document.name)?;
        Ok(Some(Outcome::Conflict { document: document.name.clone(), expected: document.expected, found }))
    }

    /// Appends entries behind the head, which moves to the last of them.
    fn append(&self, client: &mut Client, head: Head, sealed: &[Entry]) -> Result<Head, Failure> {
        let next = sealed.last().map_or(head, Entry::head);
        match Entries::of(sealed).append(client, &self.place.memory, [head, next])? {
            1 => Ok(next),
            _ => Err(HEAD.refused("it was changed in spite of its lock").into()),
        }
    }

    /// Takes from earlier entries what goes for good.
    fn erase(&self, client: &mut Client, change: &Change) -> Result<(), Failure> {
        for part in [Part::Content, Part::States] {
            for run in change.erase.of(part).iter() {
                self.erase_run(client, run, part)?;
            }
        }
        Ok(())
    }

    fn erase_run(&self, client: &mut Client, run: SeqRange, part: Part) -> Result<(), Failure> {
        let task = Task::new(IoAction::Write, "memdoc.entry");
        let memory = &self.place.memory;
        let (first, last) = (number(run.first()), number(run.last()));
        let statement = "SELECT line FROM memdoc.entry WHERE memory = $1 AND seq BETWEEN $2 AND $3";
        let rows = task.rows(client, statement, &[(memory, Type::TEXT), (&first, Type::INT8), (&last, Type::INT8)])?;
        for entry in super::rows::entries(&rows, task)? {
            let at = number(entry.seq());
            let left = entry.without(part);
            let request = left.states().and_then(|states| states.request).map(|request| request.to_string());
            let statement = "UPDATE memdoc.entry SET line = $3, request = $4 WHERE memory = $1 AND seq = $2";
            let line = left.to_line().into_bytes();
            let values: &Values<'_> =
                &[(memory, Type::TEXT), (&at, Type::INT8), (&line, Type::BYTEA), (&request, Type::TEXT)];
            task.change(client, statement, values)?;
        }
        Ok(())
    }
}

/// Tells whether an attempt was made, once a transaction under way, which holds the memory's row, has ended. Something is written
/// and committed, so that the answer holds on the standbys as well: they follow in order.
///
/// # Errors
///
/// The server refuses: nothing is known.
pub(super) fn landed(client: &mut Client, place: &Place, attempt: Attempt, after: Seq) -> Result<Landed, Failure> {
    let (beginning, decision) = (place.beginning(), Decision::default());
    let transaction = Transaction { beginning: &beginning, warnings: &place.warnings, decision: &decision, task: HEAD };
    let ended = transaction.make(client, |client| {
        let memory = &place.memory;
        HEAD.change(client, "UPDATE memdoc.memory SET seq = seq WHERE memory = $1", &[(memory, Type::TEXT)])?;
        let statement = "SELECT min(seq) AS seq FROM memdoc.entry WHERE memory = $1 AND seq > $2 AND attempt = $3";
        let (after, attempt) = (number(after), attempt.to_string());
        let made = first(client, statement, &[(memory, Type::TEXT), (&after, Type::INT8), (&attempt, Type::TEXT)])?;
        Ok(Ready::Commit(made.map_or(Landed::Not, Landed::At)))
    })?;
    Ok(match ended {
        Ended::Done(landed) => landed,
        Ended::Unknown(_) => Landed::Unknown,
    })
}

fn first(client: &mut Client, statement: &str, values: &Values<'_>) -> Result<Option<Seq>, Failure> {
    let task = Task::new(IoAction::Read, "memdoc.entry");
    let rows = task.rows(client, statement, values)?;
    let found: Option<i64> = rows.first().map(|row| column(row, "seq", task)).transpose()?.flatten();
    Ok(found.map(seq))
}

/// Returns what a document is at.
fn current(client: &mut Client, memory: &str, name: &DocName) -> Result<Version, Failure> {
    let task = Task::new(IoAction::Read, "memdoc.document");
    let statement = "SELECT revision, tip, since_keyframe FROM memdoc.document WHERE memory = $1 AND name = $2";
    let rows = task.rows(client, statement, &[(&memory, Type::TEXT), (&name.as_str(), Type::TEXT)])?;
    rows.first().map_or_else(|| Ok(Version::default()), |row| version(row, task))
}
