//! The schema: what it is, whether it is there, and how it is made, and brought up to date.

use crate::memory::postgres_store::failure::{Failure, Task};
use crate::memory::postgres_store::rows::column;
use crate::memory::postgres_store::session::{Ready, Session};
use crate::memory::{IoAction, StoreError};

/// What leads from each version to the next, the first one from nothing: a step that was published is never changed.
const STEPS: &[Step] = &[
    Step { task: Task::new(IoAction::Create, "memdoc"), statements: FIRST },
    Step { task: Task::new(IoAction::Write, "memdoc.attempt"), statements: TIMED },
    Step { task: Task::new(IoAction::Write, "memdoc.attempt"), statements: UNFENCED },
    Step { task: Task::new(IoAction::Write, "memdoc.document"), statements: WITHOUT_KEYFRAMES },
];

/// The version that this library makes, and works with.
pub(crate) const VERSION: usize = STEPS.len();

/// A step to the next version.
struct Step {
    /// What it does, for who is told that it failed.
    task: Task,
    statements: &'static str,
}

/// A schema of another version.
#[derive(Debug, thiserror::Error)]
#[error("the schema is of version {found}, and this library works with version {VERSION}; nothing was changed")]
struct OtherVersion {
    found: i32,
}

/// The lock of those who make the schema.
const LOCK: i64 = 7_885_622_530_614_681_697;

/// Makes what is there before the first step. Whoever administers the database may have made the schema.
const BEFORE: &str = r"
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'memdoc') THEN CREATE SCHEMA memdoc; END IF;
END $$;
CREATE TABLE IF NOT EXISTS memdoc.version (version integer NOT NULL);
";

/// Everything has the memory's ID first in its key, so that tables can be partitioned by it. Names are ordered as the library
/// orders them, byte by byte; texts are bytes, as no encoding of a database takes all of them.
const FIRST: &str = r#"
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

/// Notes when an attempt was made, so that old ones can be deleted.
const TIMED: &str = "ALTER TABLE memdoc.attempt ADD COLUMN made timestamptz NOT NULL DEFAULT now()";

/// An attempt is looked up among the entries.
const UNFENCED: &str = "DROP TABLE memdoc.attempt";

/// Texts of the past are found by going back from the present one.
const WITHOUT_KEYFRAMES: &str = "ALTER TABLE memdoc.document DROP COLUMN since_keyframe";

const TASK: Task = Task::new(IoAction::Open, "memdoc.version");

/// Checks that the schema is there. If it is not, or is older, it is brought up to date, in one transaction and by one caller only.
///
/// # Errors
///
/// It is newer; it cannot be made or changed. Nothing has been changed.
pub(crate) async fn prepare(session: Session) -> Result<(), Failure> {
    if is_current(version(&session).await?)? {
        return Ok(());
    }
    session.transaction(TASK, upgrade(&session)).await
}

/// Takes the steps that are missing.
async fn upgrade(session: &Session) -> Result<Ready<()>, Failure> {
    session.batch(TASK, &format!("SELECT pg_advisory_xact_lock({LOCK})")).await?;
    // Another may have done it while this one waited.
    let found = version(session).await?;
    if is_current(found)? {
        return Ok(Ready::Nothing(()));
    }
    let found = usize::try_from(found).unwrap_or_default();
    if found == 0 {
        session.batch(Task::new(IoAction::Create, "memdoc"), BEFORE).await?;
    }
    for step in STEPS.iter().skip(found) {
        session.batch(step.task, step.statements).await?;
    }
    let made = format!("DELETE FROM memdoc.version; INSERT INTO memdoc.version VALUES ({VERSION})");
    session.batch(Task::new(IoAction::Write, "memdoc.version"), &made).await?;
    Ok(Ready::Commit(()))
}

/// Reads the version; 0 where there is no schema, or nothing in it.
async fn version(session: &Session) -> Result<i32, Failure> {
    // As of now: a name that was not known before may be kept so until the end of a transaction.
    let statement = "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'memdoc' AND tablename = 'version'";
    if session.rows(TASK, statement, &[]).await?.is_empty() {
        return Ok(0);
    }
    let rows = session.rows(TASK, "SELECT max(version) AS version FROM memdoc.version", &[]).await?;
    let found: Option<i32> = rows.first().map(|row| column(row, "version", TASK)).transpose()?.flatten();
    Ok(found.unwrap_or_default())
}

/// Returns true for this library's version, and false for an older one.
///
/// # Errors
///
/// It is a newer one.
fn is_current(found: i32) -> Result<bool, StoreError> {
    match usize::try_from(found) {
        Ok(found) if found < VERSION => Ok(false),
        _ => check(found).map(|()| true),
    }
}

/// Checks the version that was found.
///
/// # Errors
///
/// It is another one.
pub(crate) fn check(found: i32) -> Result<(), StoreError> {
    if usize::try_from(found) == Ok(VERSION) { Ok(()) } else { Err(TASK.refused(OtherVersion { found })) }
}
