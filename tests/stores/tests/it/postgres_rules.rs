//! The rules for stores, held against PostgreSQL: many memories in one database, by connections of its own and by a pool.

use std::sync::{Arc, Mutex};

use memdoc::Store;
use memdoc::memory::{PooledClient, PostgresStore, Warnings};
use memdoc::testing::conform;
use postgres::{Client, Config, NoTls};

use crate::support::shared;

#[test]
fn the_store_in_postgresql_keeps_the_rules() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("rules");
    let open = |memory: &str| -> Box<dyn Store> { Box::new(PostgresStore::open(&url, memory).unwrap()) };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}

/// A client that goes back to where it came from.
struct Lent {
    client: Option<Client>,
    pool: Arc<Mutex<Vec<Client>>>,
}

impl std::ops::Deref for Lent {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.client.as_ref().unwrap()
    }
}

impl std::ops::DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Client {
        self.client.as_mut().unwrap()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.pool.lock().unwrap().extend(self.client.take());
    }
}

#[test]
fn a_pool_of_the_host_serves_all_memories_at_a_database_that_is_serializable() {
    let Some(cluster) = shared() else { return };
    let mut config: Config = cluster.database("pooled").parse().unwrap();
    // What the host has set for its own transactions must not matter.
    config.options("-c default_transaction_isolation=serializable");
    let warnings = Warnings::of(&mut config);
    let pool: Arc<Mutex<Vec<Client>>> = Arc::default();
    let open = |memory: &str| -> Box<dyn Store> {
        let (config, pool) = (config.clone(), pool.clone());
        let lend = move || {
            let kept = pool.lock().unwrap().pop();
            let client = Some(match kept {
                Some(client) => client,
                None => config.connect(NoTls)?,
            });
            Ok(Box::new(Lent { client, pool: pool.clone() }) as PooledClient)
        };
        Box::new(PostgresStore::pooled(lend, warnings.clone(), memory).unwrap())
    };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}
