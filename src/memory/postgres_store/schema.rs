//! The schema of the database, and how it is created and checked.

use crate::memory::StoreError;
use crate::memory::postgres_store::session::{Ready, Session, Task, column};

/// The version of the schema that this library creates, and works with.
pub(crate) const VERSION: i32 = 4;

/// The advisory lock under which the schema is created.
const LOCK: i64 = 7_885_622_530_614_681_697;

/// All keys begin with the memory's ID, so that tables can be partitioned by it. Names are ordered byte by byte, as in
/// the library. Texts are bytes, because no encoding of a database accepts all texts.
const SCHEMA: &str = include_str!("schema.sql");

const TASK: Task = Task::new("open", "memdoc.version");
const CREATE: Task = Task::new("create", "memdoc");

/// Creates the schema if it does not exist, in one transaction and by one caller only. Checks its version if it does.
///
/// # Errors
///
/// It has another version; it cannot be created. Nothing has been changed.
pub(crate) async fn prepare(session: &Session<'_>) -> Result<(), StoreError> {
    match version(session).await? {
        0 => session.transaction(TASK, create(session)).await,
        found => check(found),
    }
}

async fn create(session: &Session<'_>) -> Result<Ready<()>, StoreError> {
    session.batch(TASK, &format!("SELECT pg_advisory_xact_lock({LOCK})")).await?;
    // Another caller may have created it while this one waited for the lock.
    match version(session).await? {
        0 => {}
        found => return Ok(Ready::Nothing(check(found)?)),
    }
    session.batch(CREATE, &format!("{SCHEMA} INSERT INTO memdoc.version VALUES ({VERSION})")).await?;
    Ok(Ready::Commit(()))
}

/// Reads the version; 0 if there is no schema, or it is empty.
async fn version(session: &Session<'_>) -> Result<i32, StoreError> {
    // The catalog is queried as a table, so that the answer is of now. Resolving the name could be answered from a
    // cache, which may keep a missing name until the end of the transaction.
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
