//! A store in a PostgreSQL database, for a memory that several machines share.
//!
//! From the caller down: `store` takes the calls, `workers` carries each to a thread that may block, `session` gives that thread
//! a connection, and `commit`, `reading` and `schema` say what is done on it.

mod changes;
mod commit;
mod failure;
mod place;
mod reading;
mod rows;
mod schema;
mod session;
mod source;
mod store;
mod transaction;
mod workers;

pub use source::{PooledClient, Warnings};
pub use store::PostgresStore;
