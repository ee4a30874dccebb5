//! [`PostgresStore`]: a memory in a database, as a store.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::super::clock::Clock as _;
use super::super::journal::{Attempt, Entry, Head, Seq};
use super::super::{Change, DocName, EntryQuery, Landed, Outcome, Snapshot, Store, StoreError, SystemClock};
use super::commit::Commit;
use super::failure::silent;
use super::place::Place;
use super::source::{Kind, Source};
use super::transaction::{Decision, Ended, HEAD};
use super::workers::Workers;
use super::{PooledClient, Warnings, commit, reading, schema};
use crate::text::{Digest, Revision};

/// How long the server may take for a statement, and for letting go of a lock.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many connections there are at most.
const CONNECTIONS: usize = 4;

/// Keeps a memory in a PostgreSQL database, for agents on any number of machines.
///
/// From files to a database is one line: `PostgresStore::open(url, "ada")?` in the place of `FileStore::open(directory)?`. One
/// database holds any number of memories, each under an ID of the host's. Handles, threads, processes and machines may share a
/// memory; writers of different documents do not disturb each other.
///
/// # A commit
///
/// It is one transaction, at the isolation level `READ COMMITTED` whatever the server's default is, as nothing rests on the level:
/// the memory's row in `memdoc.memory` is locked, the documents are changed where they are at the
/// version that is expected, and counted, the entries are appended. A lost connection, a fatal error, a warning, or no answer in
/// time at `COMMIT` is [`Outcome::Indeterminate`]; [`landed`](Store::landed) locks the row itself, which waits for a
/// transaction under way, and looks the attempt up.
///
/// # What a call waits for
///
/// In a transaction no statement, no lock and no pause takes longer than [`with_patience`](Self::with_patience) says, by limits
/// that the server keeps. The call as a whole has a deadline of its own, one and a half times as long, since the server's limits do
/// not hold for `COMMIT`, nor where the network is gone. A commit that is given up before `COMMIT` is sent never is made; from
/// then on it is `Indeterminate`. A server that was restarted is found again by the next call.
///
/// Calls run on worker threads, at most as many as [`with_connections`](Self::with_connections) says, which are started as they are
/// needed and end with the store; they are the library's only threads. A call may be made inside an async task, but blocks it.
///
/// # What is durable
///
/// What the server makes durable: `fsync` and `full_page_writes` on, `synchronous_commit` at `on` or more. A commit that was
/// acknowledged survives the loss of the server only if a standby had it: set `synchronous_standby_names`, with `synchronous_commit`
/// at `on`, or at `remote_apply` where standbys are read. If the wait for a standby is canceled, the server says that all went
/// well, and warns: that is `Indeterminate`, and stays so until `landed` has written something that a standby has confirmed. A
/// journal that went back after a failover is reported once ([`StoreError::SetBack`]) by each handle that knew more.
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
/// It is `memdoc`, and its version stands in `memdoc.version`. Opening a store makes the schema if there is none, or brings an older
/// one up to date, in one transaction and once, however many open it together; it takes a role that may create the schema, or
/// owns it. A schema that is newer than the library is an error, as is a missing right: nothing has been changed. Stores of an
/// older library that are open fail at their next commit, until their machines have the new one too.
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
#[derive(derive_more::Debug)]
#[debug("PostgresStore {{ memory: {:?}, .. }}", shared.place.memory)]
pub struct PostgresStore {
    shared: Arc<Shared>,
}

struct Shared {
    source: Arc<Source>,
    place: Arc<Place>,
    workers: Workers,
    /// Attempts that were asked about and had not been made: they never will be.
    fenced: Mutex<HashSet<Attempt>>,
}

impl PostgresStore {
    /// Opens the memory of this ID in the database that a connection string names, as `host=/run/postgresql dbname=agents` or
    /// `postgresql://agent@db.example/agents`. The schema is made or brought up to date; the memory is made
    /// when it is first written. Connections are not encrypted: for those, and to share them, see [`pooled`](Self::pooled).
    ///
    /// # Errors
    ///
    /// It is no connection string; the server does not answer, or refuses; the schema is newer than the library.
    pub fn open(url: &str, memory: &str) -> Result<Self, StoreError> {
        Self::opened(Source::from_url(url, PATIENCE)?, memory)
    }

    /// Opens the memory of this ID in a database by connections that `lend` gives, each for one call. `warnings` are those that
    /// the server sends over them: by them alone it says that a commit may not have reached a standby.
    ///
    /// # Errors
    ///
    /// As of [`open`](Self::open).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use memdoc::memory::{PostgresStore, Warnings};
    /// use postgres::{Config, NoTls};
    ///
    /// let mut config: Config = "host=db.example user=agent dbname=agents".parse()?;
    /// let warnings = Warnings::of(&mut config);
    /// // A pool would be asked here, and what speaks TLS stand in the place of `NoTls`.
    /// let lend = move || Ok(Box::new(Box::new(config.connect(NoTls)?)) as _);
    /// let store = PostgresStore::pooled(lend, warnings, "ada")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pooled(
        lend: impl Fn() -> Result<PooledClient, Box<dyn std::error::Error + Send + Sync>> + Send + Sync + 'static,
        warnings: Warnings,
        memory: &str,
    ) -> Result<Self, StoreError> {
        Self::opened(Source { kind: Kind::Pool(Box::new(lend)), warnings }, memory)
    }

    fn opened(source: Source, memory: &str) -> Result<Self, StoreError> {
        let source = Arc::new(source);
        let place = Arc::new(Place::new(memory.to_owned(), source.warnings.clone(), PATIENCE));
        let store = Self::built(source, place, CONNECTIONS);
        match store.made(|client, commit| schema::prepare(client, commit.place, commit.decision))? {
            Ended::Done(()) => Ok(store),
            Ended::Unknown(error) => Err(error),
        }
    }

    fn built(source: Arc<Source>, place: Arc<Place>, connections: usize) -> Self {
        // The server's own limits come first, with better words.
        let deadline = place.patience.saturating_mul(3) / 2;
        let workers = Workers::new(Arc::clone(&source), connections, deadline);
        Self { shared: Arc::new(Shared { source, place, workers, fenced: Mutex::default() }) }
    }

    /// Waits for the server so long, in each statement and for each lock, before a call is `busy`; a call as a whole is given up
    /// after one and a half times as long. Default: 10 seconds.
    pub fn with_patience(self, patience: Duration) -> Self {
        let place = self.shared.place.with_patience(patience);
        Self::built(Arc::clone(&self.shared.source), Arc::new(place), self.shared.workers.most())
    }

    /// Uses at most so many connections at once. Default: 4.
    pub fn with_connections(self, connections: usize) -> Self {
        Self::built(Arc::clone(&self.shared.source), Arc::clone(&self.shared.place), connections)
    }

    /// Signs the entries that are made from now on.
    #[cfg(feature = "signing")]
    pub fn signed_by(self, key: super::super::journal::SigningKey) -> Self {
        let place = self.shared.place.signed_by(key);
        Self::built(Arc::clone(&self.shared.source), Arc::new(place), self.shared.workers.most())
    }

    fn workers(&self) -> &Workers {
        &self.shared.workers
    }

    fn fenced(&self) -> MutexGuard<'_, HashSet<Attempt>> {
        self.shared.fenced.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a transaction, and tells if it may have been made.
    fn made<T: Send + 'static>(
        &self,
        make: impl Fn(&mut postgres::Client, &Commit<'_>) -> Result<Ended<T>, super::failure::Failure> + Send + 'static,
    ) -> Result<Ended<T>, StoreError> {
        let place = Arc::clone(&self.shared.place);
        let (beginning, decision) = (place.beginning(), Arc::new(Decision::default()));
        let decided = Arc::clone(&decision);
        let answer = self
            .workers()
            .wait(move |client| make(client, &Commit { place: &place, beginning: &beginning, decision: &decided }));
        answer.unwrap_or_else(|_| match decision.give_up() {
            true => Err(silent()),
            false => Ok(Ended::Unknown(StoreError::Lost {
                relation: HEAD.relation.into(),
                source: "the server has not answered in time".into(),
            })),
        })
    }
}

impl Store for PostgresStore {
    fn begin(&self, policy: &Digest) -> Result<(), StoreError> {
        if self.head()? != Head::START {
            return Ok(());
        }
        let policy = *policy;
        match self.made(move |client, commit| commit.begin(client, &policy, SystemClock.now()))? {
            Ended::Done(()) => Ok(()),
            Ended::Unknown(error) => Err(error),
        }
    }

    fn head(&self) -> Result<Head, StoreError> {
        let place = Arc::clone(&self.shared.place);
        self.workers().ask(move |client| reading::head(client, &place))
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let (place, after) = (Arc::clone(&self.shared.place), after.cloned());
        self.workers().ask(move |client| reading::revisions(client, &place, after.as_ref(), limit))
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let (place, names) = (Arc::clone(&self.shared.place), names.to_vec());
        self.workers().ask(move |client| reading::read(client, &place, &names))
    }

    fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, StoreError> {
        let place = Arc::clone(&self.shared.place);
        match *query {
            EntryQuery::From { seq, limit } => {
                self.workers().ask(move |client| reading::find(client, &place, &EntryQuery::From { seq, limit }))
            }
            EntryQuery::OfDocument { document, seq, limit } => {
                let document = document.clone();
                self.workers().ask(move |client| {
                    reading::find(client, &place, &EntryQuery::OfDocument { document: &document, seq, limit })
                })
            }
        }
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<Head, StoreError> {
        let mut next = 0;
        loop {
            let place = Arc::clone(&self.shared.place);
            let rows = self.workers().ask(move |client| reading::lines(client, &place, next, usize::MAX))?;
            if rows.is_empty() {
                return Ok(Head::START);
            }
            for row in &rows {
                next = row.try_get::<_, i64>("seq").map_or(i64::MAX, |seq| seq.saturating_add(1));
                visit(row.try_get("line").unwrap_or_default());
            }
        }
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        if self.fenced().contains(&change.attempt) {
            return Err(StoreError::Fenced);
        }
        let change = change.clone();
        Ok(match self.made(move |client, commit| commit.make(client, &change))? {
            Ended::Done(outcome) => outcome,
            Ended::Unknown(error) => Outcome::Indeterminate(error),
        })
    }

    /// Tells what became of an attempt. That it was not made is final for this handle, which refuses to make it: an attempt is
    /// made by one call of one handle, and by no other.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        let place = Arc::clone(&self.shared.place);
        let landed = self.workers().ask(move |client| commit::landed(client, &place, attempt, after))?;
        if landed == Landed::Not {
            self.fenced().insert(attempt);
        }
        Ok(landed)
    }
}
