//! The rules notice what each part of the transaction is for: with that part taken out of the statements, on their way to the
//! server, they are broken.

use memdoc::Store;
use memdoc::memory::PostgresStore;
use memdoc::testing::{Violations, conform};

use crate::support::proxy::Proxy;
use crate::support::shared;

/// Holds the store to the rules with other statements than it sends; `None` where there is no server.
fn weakened(database: &str, rewrites: &[(&'static str, &'static str)]) -> Option<Result<(), Violations>> {
    let cluster = shared()?;
    let proxy = Proxy::rewriting(cluster, rewrites);
    cluster.database(database);
    let url = proxy.url(database);
    Some(conform(|memory| -> Box<dyn Store> { Box::new(PostgresStore::open(&url, memory).unwrap()) }))
}

/// Checks that a rule is broken.
#[track_caller]
fn broken(held: Option<Result<(), Violations>>, rule: &str) {
    let Some(held) = held else { return };
    let violations = held.expect_err("the rules are kept without it");
    assert!(violations.iter().any(|violation| violation.rule.contains(rule)), "{violations}");
}

#[test]
fn nothing_else_is_changed_by_what_stands_between() {
    let Some(held) = weakened("as_it_is", &[]) else { return };
    held.unwrap_or_else(|violations| panic!("{violations}"));
}

#[test]
fn without_the_lock_of_the_head_writers_fail() {
    // Which rule finds two of them at the same moment is not the same each time.
    broken(weakened("no_lock", &[(" FOR UPDATE", "")]), "");
}

#[test]
fn at_another_isolation_level_writers_fail() {
    broken(weakened("repeatable", &[("READ COMMITTED", "REPEATABLE READ")]), "writers at once");
}

#[test]
fn without_what_is_expected_of_documents_updates_are_lost() {
    let rewrites = [("AND revision IS NOT DISTINCT FROM $6 AND tip IS NOT DISTINCT FROM $7", "")];
    let held = weakened("no_count", &rewrites);
    broken(held.clone(), "as a whole");
    broken(held, "writers at once");
}

#[test]
fn without_the_last_entry_a_text_that_came_back_is_taken_for_the_same() {
    broken(weakened("no_tip", &[("AND tip IS NOT DISTINCT FROM $7", "")]), "changed back");
}
