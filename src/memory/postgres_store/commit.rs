//! The statements that write: the beginning of a journal, and the commit.
//!
//! A commit is one transaction, at the isolation level `READ COMMITTED`. At this level, each statement sees what was
//! committed before the statement:
//!
//! 1. The memory's row is locked. From here on no other commit of this memory sees or changes anything before this
//!    one ends, so that the journal has one order. The lock comes before all reads that the commit depends on: a
//!    statement that waits for a row returns the newest version of it, but reads all other rows as of its own
//!    beginning.
//! 2. If the request has landed since it was looked for, or the last entry is not the expected one, nothing is changed.
//! 3. Each document is changed if it has the expected version; else it is a conflict. So a writer that takes no lock is
//!    noticed, too, such as a person with a console.
//! 4. The entry is sealed as the one after the head, and appended, and the head is moved.
//! 5. If the entry is a redaction, it erases parts of earlier entries.
//! 6. `COMMIT`.
//!
//! A commit that fails before its end has changed nothing.

use crate::memory::journal::{Attempt, Entry, Erased, Head, Seq, SeqRange};
use crate::memory::postgres_store::schema;
use crate::memory::postgres_store::session::{
    Ready, Session, Task, Value, bytes, column, entries, head, int, number, seq, text, texts, version,
};
use crate::memory::{Change, DocName, DocumentChange, Outcome, StoreError, Version, genesis};
use crate::text::Timestamp;

pub(crate) const HEAD: Task = Task::new("write", "memdoc.memory");
const DOCUMENT: Task = Task::new("write", "memdoc.document");
const ENTRY: Task = Task::new("write", "memdoc.entry");

impl Session<'_> {
    /// Makes a commit, within its transaction.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(crate) async fn write(&self, change: &Change) -> Result<Ready<Outcome>, StoreError> {
        let head = self.lock().await?;
        if let Some(repeated) = self.repeated(change, head).await? {
            return Ok(Ready::Nothing(Outcome::Repeated(repeated)));
        }
        if change.expected_head.is_some_and(|expected| expected != head.seq) {
            return Ok(Ready::Nothing(Outcome::HeadMoved(head.seq)));
        }
        let sealed = self.register.sealer.seal(change.entry.clone(), head, change.time);
        for document in &change.documents {
            if self.change_document(document, sealed.seq()).await? == 0 {
                let (document, expected) = (document.name.clone(), document.expected);
                let found = self.current(&document).await?;
                return Ok(Ready::Nothing(Outcome::Conflict { document, expected, found }));
            }
        }
        self.append(&sealed).await?;
        let erased = &sealed.header().erased;
        for run in erased.runs() {
            self.erase(run, erased).await?;
        }
        Ok(Ready::Commit(Outcome::Committed(sealed.seq())))
    }

    /// Begins the journal within a transaction, if it has not begun.
    ///
    /// # Errors
    ///
    /// The server refuses.
    pub(crate) async fn begin(&self, now: Timestamp) -> Result<Ready<()>, StoreError> {
        let statement = "INSERT INTO memdoc.memory VALUES ($1, 0, $2) ON CONFLICT DO NOTHING";
        let start = Head::START.hash.to_string();
        self.change(HEAD, statement, &[text(&start)]).await?;
        let head = self.lock().await?;
        if head == Head::START {
            self.append(&self.register.sealer.seal(genesis(&[])?, head, now)).await?;
        }
        Ok(Ready::Commit(()))
    }

    /// Returns, within a transaction, the entry that an attempt made. It updates the memory's row, and so waits for a
    /// transaction that is under way. The update is committed, because standbys replay in order: a standby that has
    /// confirmed the update has replayed the attempt, too, if it was made.
    ///
    /// # Errors
    ///
    /// The server refuses: nothing is known.
    pub(crate) async fn made(&self, attempt: Attempt, after: Seq) -> Result<Ready<Option<Seq>>, StoreError> {
        self.change(HEAD, "UPDATE memdoc.memory SET seq = seq WHERE memory = $1", &[]).await?;
        let statement = "SELECT min(seq) AS seq FROM memdoc.entry WHERE memory = $1 AND seq > $2 AND attempt = $3";
        let (after, attempt) = (number(after), attempt.to_string());
        Ok(Ready::Commit(self.lowest(statement, &[int(&after), text(&attempt)]).await?))
    }

    /// Locks the memory's row, and returns where the journal ends.
    async fn lock(&self) -> Result<Head, StoreError> {
        let statement = "SELECT m.seq, m.hash, (SELECT max(v.version) FROM memdoc.version v) AS version \
             FROM memdoc.memory m WHERE m.memory = $1 FOR UPDATE";
        let rows = self.rows(HEAD, statement, &[]).await?;
        let Some(row) = rows.first() else {
            return Err(HEAD.refused(format!("there is no memory `{}`", self.register.memory)));
        };
        schema::check(column::<Option<i32>>(row, "version", HEAD)?.unwrap_or_default())?;
        head(row)
    }

    /// Returns the entry with which the request has landed since it was looked for.
    async fn repeated(&self, change: &Change, head: Head) -> Result<Option<Seq>, StoreError> {
        if head.seq <= change.looked_to {
            return Ok(None);
        }
        let statement = "SELECT min(seq) AS seq FROM memdoc.entry WHERE memory = $1 AND seq > $2 AND request = $3";
        let (looked_to, request) = (number(change.looked_to), change.request.to_string());
        self.lowest(statement, &[int(&looked_to), text(&request)]).await
    }

    async fn lowest(&self, statement: &str, values: &[Value<'_>]) -> Result<Option<Seq>, StoreError> {
        let rows = self.rows(ENTRY, statement, values).await?;
        let lowest: Option<i64> = rows.first().map(|row| column(row, "seq", ENTRY)).transpose()?.flatten();
        Ok(lowest.map(seq))
    }

    /// Gives a document its text and its tip, if it has the expected version. Returns how many rows were changed: one, or
    /// none.
    async fn change_document(&self, document: &DocumentChange, tip: Seq) -> Result<u64, StoreError> {
        let (name, contents) = (document.name.as_str(), document.text.as_deref().map(str::as_bytes));
        let revision = document.revision.map(|revision| revision.to_string());
        let tip = number(tip);
        let expected = document.expected.revision.map(|revision| revision.to_string());
        let expected_tip = document.expected.tip.map(number);
        let values = [text(&name), bytes(&contents), text(&revision), int(&tip), text(&expected), int(&expected_tip)];
        if document.expected == Version::default() {
            let statement = "INSERT INTO memdoc.document (memory, name, text, revision, tip) \
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
            return self.change(DOCUMENT, statement, values.get(..4).unwrap_or_default()).await;
        }
        let statement = "UPDATE memdoc.document SET text = $3, revision = $4, tip = $5 \
             WHERE memory = $1 AND name = $2 AND revision IS NOT DISTINCT FROM $6 AND tip IS NOT DISTINCT FROM $7";
        self.change(DOCUMENT, statement, &values).await
    }

    /// Returns the version of a document.
    async fn current(&self, name: &DocName) -> Result<Version, StoreError> {
        let task = Task::new("read", "memdoc.document");
        let statement = "SELECT revision, tip FROM memdoc.document WHERE memory = $1 AND name = $2";
        let name = name.as_str();
        let rows = self.rows(task, statement, &[text(&name)]).await?;
        rows.first().map_or_else(|| Ok(Version::default()), |row| version(row, task))
    }

    /// Appends an entry after the head, and moves the head to it.
    async fn append(&self, entry: &Entry) -> Result<(), StoreError> {
        let statement = "WITH appended AS (INSERT INTO memdoc.entry (memory, seq, hash, attempt, request, line) \
             VALUES ($1, $2, $3, $4, $5, $6)), \
             linked AS (INSERT INTO memdoc.link (memory, seq, name) SELECT $1, $2, unnest($7)) \
             UPDATE memdoc.memory SET seq = $2, hash = $3 WHERE memory = $1 AND seq = $2 - 1";
        let (number, hash) = (number(entry.seq()), entry.hash().to_string());
        let attempt = entry.header().attempt.map(|attempt| attempt.to_string());
        let request = entry.request().map(|request| request.to_string());
        let line = entry.to_line().into_bytes();
        let links: Vec<_> = entry.header().documents.iter().map(|link| link.name.as_str()).collect();
        let values = [int(&number), text(&hash), text(&attempt), text(&request), bytes(&line), texts(&links)];
        match self.change(ENTRY, statement, &values).await? {
            1 => Ok(()),
            _ => Err(HEAD.refused("it was changed in spite of its lock")),
        }
    }

    /// Erases parts of the entries in a run.
    async fn erase(&self, run: SeqRange, erased: &Erased) -> Result<(), StoreError> {
        let (first, last) = (number(run.first()), number(run.last()));
        let statement = "SELECT line FROM memdoc.entry WHERE memory = $1 AND seq BETWEEN $2 AND $3";
        for entry in entries(&self.rows(ENTRY, statement, &[int(&first), int(&last)]).await?, ENTRY)? {
            let Some(left) = entry.redacted(erased) else { continue };
            let (number, line) = (number(left.seq()), left.to_line().into_bytes());
            let request = left.request().map(|request| request.to_string());
            let statement = "UPDATE memdoc.entry SET line = $3, request = $4 WHERE memory = $1 AND seq = $2";
            self.change(ENTRY, statement, &[int(&number), bytes(&line), text(&request)]).await?;
        }
        Ok(())
    }
}
