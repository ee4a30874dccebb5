//! What the tests of stores and the benchmark share: a throwaway PostgreSQL cluster, and a store that is not the library's own.

mod cluster;
mod redb_store;

pub use cluster::{Cluster, url};
pub use redb_store::RedbStore;
