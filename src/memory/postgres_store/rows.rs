//! Values of columns, read and written.

use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql, Type};

use crate::memory::journal::{Entry, Seq};
use crate::memory::postgres_store::failure::{Failure, Task};

/// A value of a statement, with its type.
pub(crate) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

pub(crate) fn text(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::TEXT)
}

pub(crate) fn texts(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::TEXT_ARRAY)
}

pub(crate) fn int(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::INT8)
}

pub(crate) fn bytes(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::BYTEA)
}

/// Returns a number as the database keeps it.
pub(crate) fn number(seq: Seq) -> i64 {
    i64::try_from(seq.get()).unwrap_or(i64::MAX)
}

/// Returns a number that the database kept.
pub(crate) fn seq(number: i64) -> Seq {
    Seq::new(u64::try_from(number).unwrap_or_default())
}

/// Returns a limit as the database takes it.
pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Returns the value of a column.
///
/// # Errors
///
/// It is of another type.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, name: &str, task: Task) -> Result<T, Failure> {
    row.try_get(name).map_err(|error| task.refused(error).into())
}

/// Returns the entries of rows with a column `line`. What cannot be read is passed over.
///
/// # Errors
///
/// There is no such column.
pub(crate) fn entries(rows: &[Row], task: Task) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        entries.extend(Entry::parse(column(row, "line", task)?));
    }
    Ok(entries)
}
