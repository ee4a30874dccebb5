//! `memdoc-mcp`: serves memory documents, in a directory or a database, by MCP over standard input and output.

use std::error::Error;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use memdoc::{FileStore, Policy, Store};
use memdoc_mcp::{Asked, Environment, Host, Options, Place, Session, USAGE, UsageError};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use tracing::Level;

/// How long requests that are being carried out are waited for at the end.
const PATIENCE: Duration = Duration::from_secs(6);

type AnyError = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    // Standard output belongs to the protocol. Information about the SDK would hold what clients send; warnings do not.
    let filter =
        tracing_subscriber::filter::Targets::new().with_target("memdoc_mcp", Level::INFO).with_default(Level::WARN);
    init_log(filter);
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            if error.is::<UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn init_log(filter: tracing_subscriber::filter::Targets) {
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;
    let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(io::stderr);
    tracing_subscriber::registry().with(lines).with(filter).init();
}

fn run() -> Result<(), AnyError> {
    let [directory, database] = ["MEMDOC_DIRECTORY", "MEMDOC_DATABASE"].map(std::env::var_os);
    match Asked::parse(std::env::args_os().skip(1), Environment { directory, database })? {
        Asked::Serve(options) => serve(&options),
        Asked::Help => Ok(io::stdout().write_all(USAGE.as_bytes())?),
        Asked::Version => Ok(writeln!(io::stdout(), "{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))?),
    }
}

/// Serves until the client closes standard input.
fn serve(options: &Options) -> Result<(), AnyError> {
    let policy = Policy::default().with_on_stale(options.stale);
    let host = Host::new(opened(&options.place)?, policy, options.sets.clone())?;
    let session = host.with_actor(options.actor.clone()).session()?;
    tracing::info!(place = ?options.place, "serving");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(converse(session));
    // A thread that still reads standard input might never come back.
    runtime.shutdown_timeout(PATIENCE);
    served
}

fn opened(place: &Place) -> Result<Arc<dyn Store>, AnyError> {
    match place {
        Place::Directory(directory) => Ok(Arc::new(FileStore::open(directory)?)),
        #[cfg(feature = "postgres")]
        Place::Database { url, memory } => Ok(Arc::new(memdoc::memory::PostgresStore::open(url, memory)?)),
        #[cfg(not(feature = "postgres"))]
        Place::Database { .. } => Err("this server was built without the feature `postgres`".into()),
    }
}

/// Shakes hands, and answers until the client leaves.
async fn converse(session: Session) -> Result<(), AnyError> {
    match session.serve(stdio()).await {
        Ok(conversation) => drop(conversation.waiting().await?),
        Err(ServerInitializeError::ConnectionClosed(_)) => tracing::info!("the client left before the handshake"),
        // The SDK's error shows what the client has sent.
        Err(_) => return Err("the client did not begin with a handshake".into()),
    }
    Ok(())
}
