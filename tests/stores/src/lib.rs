//! What the tests of stores and the benchmark share: a throwaway PostgreSQL cluster, and a store that is not the library's own.

mod cluster;

pub use cluster::{Cluster, url};
