//! A store in a PostgreSQL database, for a memory that several machines share.
//!
//! | file | subject |
//! |---|---|
//! | `store` | the store: what each call asks of the database |
//! | `database` | connections in a pool, and the runtime on which they are used |
//! | `session` | one connection for one call: statements, and a transaction |
//! | `commit`, `reading`, `schema` | the statements |
//! | `register` | one memory in the database, and the last entry that was seen of it |
//! | `failure` | what a failed statement means |

mod commit;
mod database;
mod failure;
mod reading;
mod register;
mod schema;
mod session;
mod store;

pub use store::PostgresStore;
