//! The schema: what it is, whether it is there, and how it is made.

use crate::memory::StoreError;
use crate::memory::postgres_store::session::{Ready, Session, Task, column};

/// The version that this library makes, and works with.
pub(crate) const VERSION: i32 = 4;

/// The lock of those who make the schema.
const LOCK: i64 = 7_885_622_530_614_681_697;

/// Everything has the memory's ID first in its key, so that tables can be partitioned by it. Names are ordered as the library
/// orders them, byte by byte; texts are bytes, as no encoding of a database takes all of them.
const SCHEMA: &str = include_str!("schema.sql");

const TASK: Task = Task::new("open", "memdoc.version");
const CREATE: Task = Task::new("create", "memdoc");

/// Checks that the schema is there. If it is not, it is made, in one transaction and by one caller only.
///
/// # Errors
///
/// It is of another version; it cannot be made. Nothing has been changed.
pub(crate) async fn prepare(session: &Session<'_>) -> Result<(), StoreError> {
    match version(session).await? {
        0 => session.transaction(TASK, make(session)).await,
        found => check(found),
    }
}

async fn make(session: &Session<'_>) -> Result<Ready<()>, StoreError> {
    session.batch(TASK, &format!("SELECT pg_advisory_xact_lock({LOCK})")).await?;
    // Another may have done it while this one waited.
    match version(session).await? {
        0 => {}
        found => return Ok(Ready::Nothing(check(found)?)),
    }
    session.batch(CREATE, &format!("{SCHEMA} INSERT INTO memdoc.version VALUES ({VERSION})")).await?;
    Ok(Ready::Commit(()))
}

/// Reads the version; 0 where there is no schema, or nothing in it.
async fn version(session: &Session<'_>) -> Result<i32, StoreError> {
    // As of now: a name that was not known before may be kept so until the end of a transaction.
    let statement = "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'memdoc' AND tablename = 'version'";
    if session.query(TASK, statement).await?.is_empty() {
        return Ok(0);
    }
    let rows = session.query(TASK, "SELECT max(version) AS version FROM memdoc.version").await?;
    let found: Option<i32> = rows.first().map(|row| column(row, "version", TASK)).transpose()?.flatten();
    Ok(found.unwrap_or_default())
}

/// Checks the version that was found.
///
/// # Errors
///
/// It is another one.
pub(crate) fn check(found: i32) -> Result<(), StoreError> {
    let why = format!("the schema is of version {found}, and this library works with version {VERSION}");
    if found == VERSION { Ok(()) } else { Err(TASK.refused(format!("{why}; nothing was changed"))) }
}
