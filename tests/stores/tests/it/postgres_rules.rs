//! The rules for stores, held against PostgreSQL: many memories in one database, by connections of their own and by one pool.

use memdoc::Store;
use memdoc::memory::PostgresStore;
use memdoc::testing::conform;

use crate::support::shared;

#[test]
fn the_store_in_postgresql_keeps_the_rules() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("rules");
    let open = |memory: &str| -> Box<dyn Store> { Box::new(PostgresStore::open(&url, memory).unwrap()) };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}

#[test]
fn one_pool_serves_all_memories_at_a_database_that_is_serializable() {
    let Some(cluster) = shared() else { return };
    // What is set for other transactions must not matter.
    let url = format!("{} options='-c default_transaction_isolation=serializable'", cluster.database("pooled"));
    let first = PostgresStore::open(&url, "first").unwrap();
    let open = |memory: &str| -> Box<dyn Store> { Box::new(first.for_memory(memory)) };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}

#[test]
fn a_call_inside_an_async_task_blocks_it_and_ends() {
    let Some(cluster) = shared() else { return };
    let store = PostgresStore::open(&cluster.database("inside"), "inside").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    // More calls than the budget of a task has steps, in one poll.
    runtime.block_on(async {
        for _ in 0..400 {
            store.head().unwrap();
        }
    });
}
