//! [`PostgresStore`]: a memory in a database, as a store.

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Config, NoTls, Socket};

use crate::memory::hooks::{Clock, HostClock};
use crate::memory::journal::{Attempt, Entry, Head, Sealer, Seq};
use crate::memory::postgres_store::database::{Connector, Database};
use crate::memory::postgres_store::schema;
use crate::memory::postgres_store::session::{Register, Session, Task};
use crate::memory::{Change, DocName, EntryQuery, Landed, Outcome, Snapshot, Store, StoreError};
use crate::text::{Digest, Revision};

/// How long the server may take for a statement, and for letting go of a lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// Keeps a memory in a PostgreSQL database, for agents on any number of machines.
///
/// From files to a database is one line: `PostgresStore::open(url, "ada")?` in the place of `FileStore::open(directory)?`. One
/// database holds any number of memories, each under an ID of the host's. Handles, threads, processes and machines may share a
/// memory; writers of different documents do not disturb each other.
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
/// In a transaction no statement, no lock and no pause takes longer than [`with_patience`](Self::with_patience) says, by limits
/// that the server keeps. The call as a whole has a deadline of its own, one and a half times as long, since the server's limits do
/// not hold for `COMMIT`, nor where the network is gone. A commit that is given up before `COMMIT` is sent never is made; from
/// then on it is `Indeterminate`. A server that was restarted is found again by the next call.
///
/// Connections come from a pool, at most as many as [`with_connections`](Self::with_connections) says. They are used on a runtime
/// of the pool's own, which has one thread: the library's only one. A call may be made inside an async task, but blocks it.
///
/// # What is durable
///
/// What the server makes durable: `fsync` and `full_page_writes` on, `synchronous_commit` at `on` or more. A commit that was
/// acknowledged survives the loss of the server only if a standby had it: set `synchronous_standby_names`, with `synchronous_commit`
/// at `on`, or at `remote_apply` where standbys are read. If the wait for a standby is canceled, the server says that all went
/// well, and warns: that is `Indeterminate`, and stays so until `landed` has written something that a standby has confirmed. A
/// journal that went back after a failover is a finding of [`verify`](crate::Memory::verify) with a checkpoint that the host kept.
///
/// # How it scales out
///
/// Each memory is a register of its own: commits to one are made one after the other, at the pace of the server's log, and commits
/// to different ones share nothing but the server. All keys begin with the memory's ID, so that the tables can be partitioned
/// by it, and memories be spread over servers, as no transaction touches two. A pooler in transaction mode may stand between:
/// nothing outlasts a transaction, no lock and no prepared statement. `benches/commits.rs` in `tests/stores` measures all of it.
///
/// # What is not promised
///
/// What is erased is gone from the tables once they are vacuumed, and not from write-ahead logs, replicas, backups and the server's own
/// log. The encoding of the database is UTF-8.
///
/// # The schema
///
/// It is `memdoc`, and its version stands in `memdoc.version`. Opening a store makes the schema if there is none, in one transaction
/// and once, however many open it together; it takes a role that may create the schema, or owns it. A schema of another version is
/// an error, as is a missing right: nothing has been changed.
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
    register: Arc<Register>,
    clock: Mutex<HostClock>,
    /// Attempts that were asked about and had not been made: they never will be.
    fenced: Mutex<HashSet<Attempt>>,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("memory", &self.register.memory).finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Opens the memory of this ID in the database that a connection string names, as `host=/run/postgresql dbname=agents` or
    /// `postgresql://agent@db.example/agents`. The schema is made if there is none; the memory is made
    /// when it is first written. Connections are not encrypted: for those, see [`open_with`](Self::open_with).
    ///
    /// # Errors
    ///
    /// It is no connection string; the server does not answer, or refuses; the schema is of another version.
    pub fn open(url: &str, memory: &str) -> Result<Self, StoreError> {
        let config = url.parse().map_err(|error| Task::new("open", "memdoc").failed(error))?;
        Self::open_with(config, NoTls, memory)
    }

    /// Opens the memory of this ID in a database by connections that `tls` encrypts, for which there are the crates
    /// `postgres-native-tls` and `postgres-openssl`.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use memdoc::memory::PostgresStore;
    /// use tokio_postgres::{Config, NoTls};
    ///
    /// let mut config: Config = "host=db.example user=agent dbname=agents".parse()?;
    /// config.keepalives_idle(std::time::Duration::from_secs(60));
    /// // What encrypts stands in the place of `NoTls`.
    /// let ada = PostgresStore::open_with(config, NoTls, "ada")?;
    /// let bob = ada.for_memory("bob");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_with<T>(config: Config, tls: T, memory: &str) -> Result<Self, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        let database = Arc::new(Database::new(Connector::new(config, tls, PATIENCE))?);
        let register = Register { memory: memory.to_owned(), sealer: Sealer::new(), patience: PATIENCE };
        let store = Self::new(database, register);
        store.ask(schema::prepare)?;
        Ok(store)
    }

    /// Returns the store of another memory in the same database, with the same connections, patience and signing key.
    pub fn for_memory(&self, memory: &str) -> Self {
        let register = Register { memory: memory.to_owned(), ..(*self.register).clone() };
        Self::new(Arc::clone(&self.database), register)
    }

    fn new(database: Arc<Database>, register: Register) -> Self {
        Self { database, register: Arc::new(register), clock: Mutex::default(), fenced: Mutex::default() }
    }

    /// Sets how long a statement, or the wait for a lock, may take before a call is `busy`. A call as a whole is
    /// given up after one and a half times as long. Default: 10 seconds.
    pub fn with_patience(self, patience: Duration) -> Self {
        let register = Register { patience, ..(*self.register).clone() };
        Self::new(self.database, register)
    }

    /// Sets how many connections are used at most, by all stores that share them. Default: 4.
    pub fn with_connections(self, connections: usize) -> Self {
        self.database.resize(connections);
        self
    }

    /// Signs the entries that are made from now on.
    #[cfg(feature = "signing")]
    pub fn signed_by(self, key: crate::memory::journal::SigningKey) -> Self {
        let register = Register { sealer: Sealer::signing(key), ..(*self.register).clone() };
        Self::new(self.database, register)
    }

    /// Has something done on a connection.
    fn ask<T, F>(&self, work: impl Fn(Session) -> F + Send + Sync + 'static) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        self.database.call(&self.register, work)
    }
}

impl Store for PostgresStore {
    fn begin(&self, policy: &Digest) -> Result<(), StoreError> {
        if self.head()? != Head::START {
            return Ok(());
        }
        let (policy, now) = (*policy, self.clock.lock().unwrap_or_else(PoisonError::into_inner).now());
        self.ask(move |session| session.begin(policy, now))
    }

    fn use_clock(&self, clock: Arc<dyn Clock>) {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = HostClock(clock);
    }

    fn head(&self) -> Result<Head, StoreError> {
        self.ask(Session::head)
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let after = after.cloned();
        self.ask(move |session| session.revisions(after.clone(), limit))
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let names = names.to_vec();
        self.ask(move |session| session.documents(names.clone()))
    }

    fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, StoreError> {
        match *query {
            EntryQuery::From { seq, limit } => self.ask(move |session| session.entries_from(seq, limit)),
            EntryQuery::OfDocument { document, seq, limit } => {
                let document = document.clone();
                self.ask(move |session| session.entries_of(document.clone(), seq, limit))
            }
        }
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        let mut next = 0;
        loop {
            let lines = self.ask(move |session| session.lines(next))?;
            let Some(last) = lines.last() else { return Ok(()) };
            next = last.seq.saturating_add(1);
            lines.iter().for_each(|line| visit(&line.bytes));
        }
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        if self.fenced.lock().unwrap_or_else(PoisonError::into_inner).contains(&change.attempt) {
            return Err(StoreError::Fenced);
        }
        let change = Arc::new(change.clone());
        match self.ask(move |session| session.make(Arc::clone(&change))) {
            Err(error @ StoreError::Lost { .. }) => Ok(Outcome::Indeterminate(error)),
            outcome => outcome,
        }
    }

    /// Tells what became of an attempt. That it was not made is final for this handle, which refuses to make it: an attempt is
    /// made by one call of one handle, and by no other.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        let landed = match self.ask(move |session| session.landed(attempt, after)) {
            Err(StoreError::Lost { .. }) => Landed::Unknown,
            landed => landed?,
        };
        if landed == Landed::Not {
            self.fenced.lock().unwrap_or_else(PoisonError::into_inner).insert(attempt);
        }
        Ok(landed)
    }
}
