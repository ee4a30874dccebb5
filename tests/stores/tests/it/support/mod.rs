//! What the tests share: one server for all that do not stop it.

use std::sync::OnceLock;

use memdoc_stores::Cluster;

/// Returns the server that all share; none where there is no PostgreSQL.
pub fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(|| Cluster::start(&["fsync = off"])).as_ref()
}
