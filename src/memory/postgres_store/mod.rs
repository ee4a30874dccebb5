//! A store in a PostgreSQL database, for a memory that several machines share.
//!
//! | file | subject |
//! |---|---|
//! | `store` | the store: what each call asks of the database |
//! | `database` | connections in a pool, and the runtime on which they are used |
//! | `session` | one connection for one call: statements, a transaction, and what a failure means |
//! | `commit`, `schema` | the statements |

mod commit;
mod database;
mod schema;
mod session;
mod store;

pub use store::PostgresStore;
