//! The schema: what it is, whether it is there, and how it is made.

use postgres::Client;

use super::super::store_error::{IoAction, StoreError};
use super::failure::{Failure, Task};
use super::rows::column;

/// The version that this library makes, and works with.
pub(super) const VERSION: i32 = 1;

/// A schema of another version.
#[derive(Debug, thiserror::Error)]
#[error("the schema is of version {found}, and this library works with version {VERSION}; nothing was changed")]
struct OtherVersion {
    found: i32,
}

/// The lock of those who make the schema.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7885622530614681697)";

/// Makes it. Everything has the memory's ID first in its key, so that tables can be partitioned by it. Names are ordered as the
/// library orders them, byte by byte; texts are bytes, as no encoding of a database takes all of them.
const MAKE: &str = r#"
CREATE SCHEMA IF NOT EXISTS memdoc;
CREATE TABLE memdoc.version (version integer NOT NULL);
INSERT INTO memdoc.version VALUES (1);
-- One row for each memory: where its journal ends. Locked by each commit.
CREATE TABLE memdoc.memory (
  memory text PRIMARY KEY,
  seq bigint NOT NULL,
  hash text NOT NULL
) WITH (fillfactor = 50);
-- The documents that there are, and those that were deleted, of which nothing is left but the last entry that changed them.
CREATE TABLE memdoc.document (
  memory text NOT NULL,
  name text COLLATE "C" NOT NULL,
  text bytea,
  revision text,
  tip bigint,
  since_keyframe bigint,
  PRIMARY KEY (memory, name)
);
-- The journal, a line for each entry.
CREATE TABLE memdoc.entry (
  memory text NOT NULL,
  seq bigint NOT NULL,
  hash text NOT NULL,
  attempt text,
  request text,
  line bytea NOT NULL,
  PRIMARY KEY (memory, seq)
);
-- Which entries changed a document.
CREATE TABLE memdoc.link (
  memory text NOT NULL,
  name text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (memory, name, seq)
);
-- The attempts at commits that were made, and those that must not be made any more: each of them once.
CREATE TABLE memdoc.attempt (
  memory text NOT NULL,
  attempt text NOT NULL,
  is_settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (memory, attempt)
);
"#;

const TASK: Task = Task::new(IoAction::Open, "memdoc.version");

/// Checks that the schema is there, and makes it if nothing is.
///
/// # Errors
///
/// It is of another version; it cannot be made.
pub(super) fn prepare(client: &mut Client) -> Result<(), Failure> {
    if let Some(found) = version(client)? {
        return Ok(check(found)?);
    }
    let made = make(client);
    if made.is_err() {
        // An error in the middle leaves a transaction that is of no use.
        client.batch_execute("ROLLBACK").map_err(|error| TASK.failed(error))?;
    }
    made
}

fn make(client: &mut Client) -> Result<(), Failure> {
    let failed = |error| TASK.failed(error);
    client.batch_execute(&format!("BEGIN; {LOCK}")).map_err(failed)?;
    // Another may have made it while this one waited.
    match version(client)? {
        Some(found) => check(found)?,
        None => client.batch_execute(MAKE).map_err(|error| Task::new(IoAction::Create, "memdoc").failed(error))?,
    }
    client.batch_execute("COMMIT").map_err(failed)
}

fn version(client: &mut Client) -> Result<Option<i32>, Failure> {
    let failed = |error| TASK.failed(error);
    // As of now: a name that was not known before may be kept so until the end of a transaction.
    let statement = "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables \
         WHERE schemaname = 'memdoc' AND tablename = 'version') AS there";
    let there = client.query_typed(statement, &[]).map_err(failed)?;
    let is_there = there.first().is_some_and(|row| row.try_get("there").unwrap_or_default());
    if !is_there {
        return Ok(None);
    }
    let rows = client.query_typed("SELECT max(version) AS version FROM memdoc.version", &[]).map_err(failed)?;
    let found: Option<i32> = rows.first().map(|row| column(row, "version", TASK)).transpose()?.flatten();
    Ok(Some(found.unwrap_or_default()))
}

/// Checks the version that was found.
///
/// # Errors
///
/// It is another one.
pub(super) fn check(found: i32) -> Result<(), StoreError> {
    if found == VERSION { Ok(()) } else { Err(TASK.refused(OtherVersion { found })) }
}
