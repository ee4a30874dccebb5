//! [`PostgresStore`]: a memory in a database, as a store.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Config, NoTls, Row, Socket};

use crate::memory::hooks::{Clock, HostClock};
use crate::memory::journal::{Attempt, Entry, Head, Sealer, Seq};
use crate::memory::postgres_store::commit::HEAD;
use crate::memory::postgres_store::database::{Connector, Database};
use crate::memory::postgres_store::schema;
use crate::memory::postgres_store::session::{
    Register, Session, Task, Value, column, entries, head, int, limit, number, parsed, text, texts, version,
};
use crate::memory::store::AbandonedAttempts;
use crate::memory::{Change, DocName, Landed, Outcome, Snapshot, Store, StoreError, Stored};
use crate::text::{Content, Revision};

/// How long the server may take for a statement, or for a lock that others hold.
const PATIENCE: Duration = Duration::from_secs(10);

/// Keeps a memory in a PostgreSQL database, for agents on any number of machines.
///
/// To move from files to a database, a host changes one line: `FileStore::open(directory)?` becomes
/// `PostgresStore::open(url, "ada")?`. One database holds any number of memories, each under an ID that the host chooses.
/// Handles, threads, processes and machines may share a memory; writers of different documents do not disturb each other.
///
/// # A commit
///
/// It is one transaction, at the isolation level `READ COMMITTED` whatever the server's default is; nothing depends
/// on the level. The memory's row in `memdoc.memory` is locked, the documents that are at the expected version are
/// changed and counted, and the entry is appended. A lost connection, a fatal error, a warning, or no answer in time
/// at `COMMIT` is [`Outcome::Indeterminate`]. Then [`landed`](Store::landed) locks the row itself, which waits for a
/// transaction under way, and looks the attempt up.
///
/// # What a call waits for
///
/// In a transaction, no statement, no wait for a lock and no pause takes longer than [`with_patience`](Self::with_patience)
/// says: the server enforces these limits. The call as a whole has a deadline of its own, one and a half times as long:
/// the server's limits do not hold for `COMMIT`, nor if the network fails. A commit that is given up before `COMMIT` is
/// sent is never made; after that, it is `Indeterminate`. After a restart of the server, the next call connects again.
///
/// Connections come from a pool, at most as many as [`with_connections`](Self::with_connections) says. They are used on a
/// runtime of the pool's own, which has one thread: the library's only one. A call may be made inside an async task, but
/// blocks it.
///
/// # What is durable
///
/// What the server makes durable: it needs `fsync` and `full_page_writes` on, and `synchronous_commit` at `on` or more. A
/// commit that was acknowledged survives the loss of the server only if a standby had it: set `synchronous_standby_names`,
/// with `synchronous_commit` at `on`, or at `remote_apply` if standbys are read. If the wait for a standby is canceled, the
/// server reports success with a warning: this is `Indeterminate`, and stays so until `landed` has written something that
/// a standby has confirmed. If a failover rolled the journal back, [`verify`](crate::Memory::verify) finds it with a
/// checkpoint that the host kept.
///
/// # How it scales out
///
/// Commits to one memory are made one after the other, at the pace of the server's log. Commits to different memories share
/// nothing but the server. All keys begin with the memory's ID, so that the tables can be partitioned by it. No transaction
/// touches two memories, so that memories can be spread over servers. A pooler in transaction mode can be used: no lock and
/// no prepared statement outlasts a transaction. `benches/commits.rs` in `tests/stores` measures all of it.
///
/// # What is not promised
///
/// What is erased is gone from the tables once they are vacuumed, but not from write-ahead logs, replicas, backups and the
/// server's own log. The encoding of the database must be UTF-8.
///
/// # The schema
///
/// It is `memdoc`, and its version stands in `memdoc.version`. Opening a store creates the schema if there is none, in one
/// transaction and once, however many open it together. The role must be allowed to create the schema, or own it. A schema
/// of another version is an error, as is a missing right: nothing has been changed.
///
/// # Examples
///
/// ```no_run
/// use memdoc::{Memory, Policy, memory::PostgresStore};
///
/// let store = PostgresStore::open("host=/run/postgresql user=agent dbname=agents", "ada")?;
/// let memory = Memory::new(store, Policy::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct PostgresStore {
    database: Arc<Database>,
    register: Register,
    clock: Mutex<HostClock>,
    abandoned: Mutex<AbandonedAttempts>,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("memory", &self.register.memory).finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Opens the memory of this ID in the database that a connection string names, such as
    /// `host=/run/postgresql dbname=agents` or `postgresql://agent@db.example/agents`. The schema is created if there is
    /// none; the memory is created when it is first written. Connections are not encrypted: for encrypted ones, see
    /// [`open_with`](Self::open_with).
    ///
    /// # Errors
    ///
    /// It is no connection string; the server does not answer, or refuses; the schema is of another version.
    pub fn open(url: &str, memory: &str) -> Result<Self, StoreError> {
        let config = url.parse().map_err(|error| Task::new("open", "memdoc").failed(error))?;
        Self::open_with(config, NoTls, memory)
    }

    /// Opens the memory of this ID in a database by connections that `tls` encrypts. The crates `postgres-native-tls` and
    /// `postgres-openssl` have values for `tls`.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use memdoc::memory::PostgresStore;
    /// use tokio_postgres::{Config, NoTls};
    ///
    /// let mut config: Config = "host=db.example user=agent dbname=agents".parse()?;
    /// config.keepalives_idle(std::time::Duration::from_secs(60));
    /// // For encrypted connections, a connector of one of these crates replaces `NoTls`.
    /// let ada = PostgresStore::open_with(config, NoTls, "ada")?;
    /// let bob = ada.for_memory("bob");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_with<T>(config: Config, tls: T, memory: &str) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket, Stream: Send, TlsConnect: Send> + Clone + Send + Sync + 'static,
        T::TlsConnect: TlsConnect<Socket, Future: Send>,
    {
        let database = Arc::new(Database::new(Connector::new(config, tls, PATIENCE))?);
        let register = Register { memory: memory.to_owned(), sealer: Sealer::default(), patience: PATIENCE };
        let store = Self::new(database, register);
        store.ask(async |session| schema::prepare(session).await)?;
        Ok(store)
    }

    /// Returns the store of another memory in the same database, with the same connections, patience and signing key.
    pub fn for_memory(&self, memory: &str) -> Self {
        let register = Register { memory: memory.to_owned(), ..self.register.clone() };
        Self::new(Arc::clone(&self.database), register)
    }

    fn new(database: Arc<Database>, register: Register) -> Self {
        Self { database, register, clock: Mutex::default(), abandoned: Mutex::default() }
    }

    /// Sets how long a statement, or the wait for a lock, may take before a call is `busy`. A call as a whole is given
    /// up after one and a half times that time. Default: 10 seconds.
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.register.patience = patience;
        self
    }

    /// Sets how many connections are used at most, by all stores that share them. Default: 4.
    pub fn with_connections(self, connections: usize) -> Self {
        self.database.resize(connections);
        self
    }

    /// Signs the entries that are made from now on.
    #[cfg(feature = "signing")]
    pub fn signed_by(mut self, key: crate::memory::journal::SigningKey) -> Self {
        self.register.sealer = Sealer::signing(key);
        self
    }

    /// Runs `work` on a connection.
    fn ask<T>(&self, work: impl AsyncFn(&Session<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.database.call(&self.register, work)
    }

    /// Queries rows of the memory. Its ID is the first value of the statement.
    fn rows(&self, task: Task, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        self.ask(async |session| session.rows(task, statement, values).await)
    }

    /// Reads a page of lines of the journal from a number on, each with its number. The page is empty only if there are
    /// no more.
    fn lines(&self, first: i64, most: usize) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
        let statement = "SELECT seq, line FROM memdoc.entry WHERE memory = $1 AND seq >= $2 ORDER BY seq LIMIT $3";
        let most = limit(most.min(PAGE));
        let rows = self.rows(ENTRY, statement, &[int(&first), int(&most)])?;
        rows.iter().map(|row| Ok((column(row, "seq", ENTRY)?, column(row, "line", ENTRY)?))).collect()
    }
}

/// How many lines are read at once.
const PAGE: usize = 500;

const DOCUMENT: Task = Task::new("read", "memdoc.document");
const ENTRY: Task = Task::new("read", "memdoc.entry");

/// Each read is one statement, which sees the database as of one moment.
impl Store for PostgresStore {
    fn begin(&self) -> Result<(), StoreError> {
        if self.head()? != Head::START {
            return Ok(());
        }
        let now = self.clock.lock().unwrap_or_else(PoisonError::into_inner).0.now();
        self.ask(async |session| session.transaction(HEAD, session.begin(now)).await)
    }

    fn use_clock(&self, clock: Arc<dyn Clock>) {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = HostClock(clock);
    }

    /// A row that cannot be read is an error: the list must be complete.
    fn revisions(&self, after: Option<&DocName>, most: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let statement = "SELECT name, revision FROM memdoc.document \
             WHERE memory = $1 AND revision IS NOT NULL AND name > $2 ORDER BY name LIMIT $3";
        let (after, most) = (after.map_or("", DocName::as_str), limit(most));
        let rows = self.rows(DOCUMENT, statement, &[text(&after), int(&most)])?;
        let listed = |row| Ok(parsed(row, "name", DOCUMENT)?.zip(parsed(row, "revision", DOCUMENT)?));
        rows.iter().filter_map(|row| listed(row).transpose()).collect()
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let statement = "SELECT m.seq, m.hash, d.name, d.text, d.revision, d.tip \
             FROM (SELECT) one LEFT JOIN memdoc.memory m ON m.memory = $1 \
             LEFT JOIN memdoc.document d ON d.memory = $1 AND d.name = ANY ($2)";
        let wanted: Vec<_> = names.iter().map(DocName::as_str).collect();
        let rows = self.rows(DOCUMENT, statement, &[texts(&wanted)])?;
        let mut found = BTreeMap::new();
        for row in &rows {
            let Some(name) = column::<Option<&str>>(row, "name", DOCUMENT)? else { continue };
            let text = column::<Option<&[u8]>>(row, "text", DOCUMENT)?.map(std::str::from_utf8).transpose();
            let text = text.map_err(|error| DOCUMENT.refused(error))?.map(Content::from);
            found.insert(name, (text, version(row, DOCUMENT)?));
        }
        let stored = |name: &DocName| {
            let (text, version) = found.get(name.as_str()).cloned().unwrap_or_default();
            Stored::new(name.clone(), text, version)
        };
        let head = rows.first().map_or(Ok(Head::START), head)?;
        Ok(Snapshot::new(head, names.iter().map(stored).collect()))
    }

    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let (mut found, mut next) = (Vec::new(), number(from));
        while found.len() < limit {
            let lines = self.lines(next, limit.saturating_sub(found.len()))?;
            let Some((last, _)) = lines.last() else { break };
            next = last.saturating_add(1);
            // Lines that cannot be read are skipped: then another page is read.
            found.extend(lines.iter().flat_map(|(_, line)| Entry::parse(line)));
        }
        Ok(found)
    }

    fn entries_of(&self, document: &DocName, last: Seq, most: usize) -> Result<Vec<Entry>, StoreError> {
        let statement = "SELECT e.line FROM memdoc.link l \
             JOIN memdoc.entry e ON e.memory = l.memory AND e.seq = l.seq \
             WHERE l.memory = $1 AND l.name = $2 AND l.seq <= $3 ORDER BY l.seq DESC LIMIT $4";
        let (document, last, most) = (document.as_str(), number(last), limit(most));
        entries(&self.rows(ENTRY, statement, &[text(&document), int(&last), int(&most)])?, ENTRY)
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        let mut next = 0;
        loop {
            let lines = self.lines(next, PAGE)?;
            let Some((last, _)) = lines.last() else { return Ok(()) };
            next = last.saturating_add(1);
            lines.iter().for_each(|(_, line)| visit(line));
        }
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).check(change.attempt)?;
        match self.ask(async |session| session.transaction(HEAD, session.write(change)).await) {
            Err(error @ StoreError::Lost { .. }) => Ok(Outcome::Indeterminate(error)),
            outcome => outcome,
        }
    }

    /// Tells whether an attempt was made. If it was not, this handle refuses to make it from now on. That is final: only
    /// the handle that began an attempt can make it.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        match self.ask(async |session| session.transaction(HEAD, session.made(attempt, after)).await) {
            Err(StoreError::Lost { .. }) => Ok(Landed::Unknown),
            made => Ok(self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).landed(attempt, made?)),
        }
    }
}
