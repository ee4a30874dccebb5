//! A store in a PostgreSQL database, for a memory that several machines share.
//!
//! From the caller down: `store` takes the calls, `workers` carries each to a thread that may block, `session` gives that thread
//! a connection, and `commit`, `settle`, `reading` and `schema` say what is done on it. `gate` is how one caller is alone.

mod changes;
mod commit;
mod failure;
mod gate;
mod place;
mod reading;
mod rows;
mod schema;
mod session;
mod settle;
mod source;
mod store;
mod transaction;
mod workers;

pub use source::{PooledClient, Warnings};
pub use store::PostgresStore;
