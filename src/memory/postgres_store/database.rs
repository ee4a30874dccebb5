//! [`Database`]: connections to a database in a pool, and the runtime on which they are used.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use deadpool::managed::{Manager, Metrics, Object, Pool, PoolError, RecycleError, RecycleResult};
use tokio::runtime::{Builder, Runtime};
use tokio::task::unconstrained;
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
/// The task of making a connection, for error messages.
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

    /// Runs `work` on a connection. The calling thread waits for it, also inside an async task, which it blocks.
    ///
    /// `work` runs once more on another connection if the first one is lost before `COMMIT` was sent. If `work` fails,
    /// the connection is closed and leaves the pool, so that the server rolls back what was begun on it.
    ///
    /// # Errors
    ///
    /// There is no connection; the server refuses, or does not answer in time.
    pub(crate) fn call<T>(
        &self,
        register: &Register,
        work: impl AsyncFn(&Session<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // Sockets and timers belong to the runtime. Its thread wakes this one.
        let _context = self.runtime.as_ref().map(Runtime::enter);
        wait(async {
            // The deadline is longer than the server's own limits: their errors say more.
            let deadline = Instant::now() + register.patience.saturating_mul(3) / 2;
            let mut is_first = true;
            loop {
                let connection = match timeout_at(deadline, self.pool.get()).await {
                    Ok(Ok(connection)) => connection,
                    Ok(Err(PoolError::Backend(_))) if std::mem::take(&mut is_first) => continue,
                    Ok(Err(PoolError::Backend(error))) => return Err(OPEN.failed(error)),
                    Ok(Err(error)) => return Err(OPEN.refused(error)),
                    Err(_) => return Err(no_answer()),
                };
                let session = Session::new(&connection, register, deadline);
                let result = work(&session).await;
                let may_repeat = session.is_lost.get() && !matches!(result, Err(StoreError::Lost { .. }));
                if result.is_err() {
                    drop(Object::take(connection));
                }
                if result.is_ok() || !may_repeat || !std::mem::take(&mut is_first) {
                    return result;
                }
            }
        })
    }
}

/// Polls a future on this thread until it is ready, and sleeps in between.
fn wait<T>(future: impl Future<Output = T>) -> T {
    struct Sleeper(Thread);
    impl Wake for Sleeper {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Sleeper(thread::current())));
    // Unconstrained: inside a task of the host's, the future would use up the task's budget of steps, which is renewed
    // only once the task yields.
    let mut future = pin!(unconstrained(future));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => return done,
            Poll::Pending => thread::park(),
        }
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

/// Makes the connections of a pool.
pub(crate) struct Connector(Box<dyn Fn() -> Connecting + Send + Sync>);

type Connecting = Pin<Box<dyn Future<Output = Result<Connection, Error>> + Send>>;

/// A connection, and how many warnings came over it.
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) warnings: Arc<AtomicU64>,
}

impl Connector {
    /// Creates a connector to the database that `config` names. It connects within `patience`, unless `config` has another
    /// limit.
    pub(crate) fn new<T>(mut config: Config, tls: T, patience: Duration) -> Self
    where
        T: MakeTlsConnect<Socket, Stream: Send, TlsConnect: Send> + Clone + Send + Sync + 'static,
        T::TlsConnect: TlsConnect<Socket, Future: Send>,
    {
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(patience);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
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
                        if let AsyncMessage::Notice(notice) = message
                            && notice.parsed_severity() == Some(Severity::Warning)
                        {
                            count.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                });
                Ok(Connection { client, warnings })
            })
        }))
    }
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
