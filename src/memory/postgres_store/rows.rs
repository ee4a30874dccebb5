//! Values of columns, read and written.

use postgres::types::{FromSql, ToSql, Type};
use postgres::{Client, Row};

use super::super::journal::{Entry, Seq};
use super::failure::{Failure, Task};

/// A statement's values with their types.
pub(super) type Values<'a> = [(&'a (dyn ToSql + Sync), Type)];

/// Returns a number as the database keeps it.
pub(super) fn number(seq: Seq) -> i64 {
    i64::try_from(seq.get()).unwrap_or(i64::MAX)
}

/// Returns a number that the database kept.
pub(super) fn seq(number: i64) -> Seq {
    Seq::new(u64::try_from(number).unwrap_or_default())
}

/// Returns a limit as the database takes it.
pub(super) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Returns the value of a column.
///
/// # Errors
///
/// It is of another type.
pub(super) fn column<'a, T: FromSql<'a>>(row: &'a Row, name: &str, task: Task) -> Result<T, Failure> {
    row.try_get(name).map_err(|error| task.failed(error))
}

/// Returns the entries of rows with a column `line`. What cannot be read is passed over.
///
/// # Errors
///
/// There is no such column.
pub(super) fn entries(rows: &[Row], task: Task) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        entries.extend(Entry::parse(column(row, "line", task)?));
    }
    Ok(entries)
}

impl Task {
    /// Asks for rows.
    pub(super) fn rows(self, client: &mut Client, statement: &str, values: &Values<'_>) -> Result<Vec<Row>, Failure> {
        client.query_typed(statement, values).map_err(|error| self.failed(error))
    }

    /// Changes rows, and returns how many.
    pub(super) fn change(self, client: &mut Client, statement: &str, values: &Values<'_>) -> Result<u64, Failure> {
        client.execute_typed(statement, values).map_err(|error| self.failed(error))
    }
}
