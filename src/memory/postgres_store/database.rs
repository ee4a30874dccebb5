//! [`Database`]: connections to a database in a pool, and the runtime on which they are used.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use deadpool::managed::{Manager, Metrics, Object, Pool, PoolError, RecycleError, RecycleResult};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{Instant, timeout_at};
use tokio_postgres::error::Severity;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{AsyncMessage, Client, Config, Error, Socket};

use crate::memory::StoreError;
use crate::memory::postgres_store::session::{Register, Session, Task, no_answer};

/// How many connections there are at most, unless a host says otherwise.
const CONNECTIONS: usize = 4;
/// How long the system waits for a peer that does not answer at all.
const SILENCE: Duration = Duration::from_secs(30);
/// What is done when a connection is made.
const OPEN: Task = Task::new("open", "memdoc");

/// A pool of connections. The stores that share it keep it alive.
pub(crate) struct Database {
    pool: Pool<Connector>,
    /// `None` only while the database is dropped.
    runtime: Option<Runtime>,
}

impl Database {
    /// Creates the pool. A connection is made when one is needed.
    ///
    /// # Errors
    ///
    /// The system starts no thread for the runtime.
    pub(crate) fn new(connector: Connector) -> Result<Self, StoreError> {
        let pool = Pool::builder(connector).max_size(CONNECTIONS).build();
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).thread_name("memdoc-postgres").enable_all().build();
        Ok(Self {
            pool: pool.map_err(|error| OPEN.refused(error))?,
            runtime: Some(runtime.map_err(|error| OPEN.refused(error))?),
        })
    }

    /// Sets how many connections there are at most.
    pub(crate) fn resize(&self, connections: usize) {
        self.pool.resize(connections.max(1));
    }

    /// Runs `work` on a connection, and waits for it. It may be called inside an async task, which it blocks.
    ///
    /// `work` runs once more on another connection if the first one is lost before anything was decided.
    ///
    /// # Errors
    ///
    /// There is no connection; the server refuses, or does not answer in time.
    pub(crate) fn call<T, F>(
        &self,
        register: &Arc<Register>,
        work: impl Fn(Session) -> F + Send + Sync + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let (pool, register) = (self.pool.clone(), Arc::clone(register));
        let (answer, answers) = channel();
        let tried = async move {
            let deadline = Instant::now() + register.deadline();
            let done = match on_connection(&pool, &register, deadline, &work).await {
                Err(_) => on_connection(&pool, &register, deadline, &work).await,
                done => done,
            };
            // Whoever asked waits for it.
            drop(answer.send(done.flatten()));
        };
        if let Some(runtime) = &self.runtime {
            runtime.spawn(tried);
        }
        answers.recv().unwrap_or_else(|_| Err(OPEN.refused("the runtime has ended")))
    }
}

impl Drop for Database {
    /// Ends the runtime without waiting for it, as an async task may not wait.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Runs work on a connection. If it fails, the connection is closed and leaves the pool, so that the server rolls
/// back what was begun on it.
///
/// # Errors
///
/// There is no connection, or it is lost before anything was decided: the same may be done on another.
async fn on_connection<T, F>(
    pool: &Pool<Connector>,
    register: &Arc<Register>,
    deadline: Instant,
    work: impl Fn(Session) -> F,
) -> Result<Result<T, StoreError>, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let connection = match timeout_at(deadline, pool.get()).await {
        Ok(Ok(connection)) => Arc::new(connection),
        Ok(Err(PoolError::Backend(error))) => return Err(OPEN.failed(error)),
        Ok(Err(error)) => return Ok(Err(OPEN.refused(error))),
        Err(_) => return Ok(Err(no_answer())),
    };
    let session = Session::new(Arc::clone(&connection), Arc::clone(register), deadline);
    let done = work(session).await;
    let Err(error) = done else { return Ok(done) };
    let is_lost = connection.is_lost.load(Ordering::SeqCst);
    drop(Arc::into_inner(connection).map(Object::take));
    match error {
        error @ StoreError::Lost { .. } => Ok(Err(error)),
        error if is_lost => Err(error),
        error => Ok(Err(error)),
    }
}

/// Makes the connections of a pool.
pub(crate) struct Connector(Box<dyn Fn() -> Connecting + Send + Sync>);

type Connecting = Pin<Box<dyn Future<Output = Result<Connection, Error>> + Send>>;

/// A connection, and how many warnings came over it.
pub(crate) struct Connection {
    pub(crate) client: Client,
    /// Whether it was lost, or is about to be.
    pub(crate) is_lost: AtomicBool,
    warnings: Arc<AtomicU64>,
}

impl Connection {
    pub(crate) fn warnings(&self) -> u64 {
        self.warnings.load(Ordering::SeqCst)
    }
}

impl Connector {
    /// Creates what connects to the database that `config` names, within `patience` unless it says otherwise.
    pub(crate) fn new<T>(mut config: Config, tls: T, patience: Duration) -> Self
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("memdoc");
        }
        let config = Arc::new(config);
        Self(Box::new(move || {
            let (config, tls) = (Arc::clone(&config), tls.clone());
            Box::pin(async move {
                let (client, mut connection) = config.connect(tls).await?;
                let warnings = Arc::new(AtomicU64::new(0));
                let count = Arc::clone(&warnings);
                tokio::spawn(async move {
                    // It ends when the client is dropped, or the connection is lost.
                    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                        if is_warning(&message) {
                            count.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                });
                Ok(Connection { client, is_lost: AtomicBool::new(false), warnings })
            })
        }))
    }
}

fn is_warning(message: &AsyncMessage) -> bool {
    matches!(message, AsyncMessage::Notice(notice) if notice.parsed_severity() == Some(Severity::Warning))
}

impl Manager for Connector {
    type Type = Connection;
    type Error = Error;

    fn create(&self) -> impl Future<Output = Result<Connection, Error>> + Send {
        self.0()
    }

    async fn recycle(&self, connection: &mut Connection, _: &Metrics) -> RecycleResult<Error> {
        match connection.client.is_closed() {
            true => Err(RecycleError::message("it is closed")),
            false => Ok(()),
        }
    }
}
