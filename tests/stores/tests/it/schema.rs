//! The schema: made once, refused where it is of another version, and where the right is missing; and tables in parts.

use std::thread;

use memdoc::Store;
use memdoc::memory::PostgresStore;
use memdoc::testing::conform;
use memdoc_stores::Cluster;
use postgres::{Client, NoTls};

use crate::support::children::{self, Place, Setup};
use crate::support::{begun, shared, text, wanted, written};

/// The version that the library makes.
const VERSION: i32 = 4;

/// Returns the version of the schema; checks that there is one.
fn version(admin: &mut Client) -> i32 {
    admin.query_one("SELECT version FROM memdoc.version", &[]).unwrap().get(0)
}

/// Checks that a database has the schema, by what is made in it.
fn check(cluster: &Cluster, database: &str) {
    assert_eq!(version(&mut cluster.client(database)), VERSION);
    written(&begun(PostgresStore::open(&cluster.url(database), "check").unwrap()), "first", "a");
}

/// Opens the store, where this process is a child of a test below; else there is nothing to do.
#[test]
fn a_child_opens() {
    let Some(setup) = children::task::<Setup>() else { return };
    let url = match setup.place {
        Place::Postgres { url, .. } => url,
        Place::Files(_) => panic!("it is for a database"),
    };
    drop(begun(PostgresStore::open(&url, "main").unwrap()));
    children::tell(&());
}

/// Has threads and processes open a database, all at once.
fn opened_by_many(url: &str) {
    let setup = Setup::of(Place::Postgres { url: url.to_owned(), memory: "main".to_owned() });
    let children: Vec<_> = (0..4).map(|_| children::spawned("schema::a_child_opens", &setup)).collect();
    thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(|| begun(PostgresStore::open(url, "main").unwrap())))));
    for (mut child, mut told) in children {
        assert_eq!(children::heard(&mut told), Some(()));
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn it_is_made_once_by_threads_and_processes_that_start_together() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("once");
    opened_by_many(&url);
    let store = PostgresStore::open(&url, "main").unwrap();
    assert_eq!(store.head().unwrap().seq.get(), 1);
    check(cluster, "once");
}

#[test]
fn one_that_was_begun_is_completed() {
    let Some(cluster) = shared() else { return };
    let begun = [
        ("by_admin", "CREATE SCHEMA memdoc"),
        ("without_version", "CREATE SCHEMA memdoc; CREATE TABLE memdoc.version (version integer NOT NULL)"),
    ];
    for (database, statements) in begun {
        let url = cluster.database(database);
        cluster.client(database).batch_execute(statements).unwrap();
        opened_by_many(&url);
        check(cluster, database);
    }
}

#[test]
fn one_of_another_version_is_refused_and_left_as_it_is() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("other");
    let store = begun(PostgresStore::open(&url, "main").unwrap());
    written(&store, "first", "a");
    let mut admin = cluster.client("other");
    for other in [VERSION + 1, VERSION - 1, -1] {
        admin.execute("UPDATE memdoc.version SET version = $1", &[&other]).unwrap();
        let said = format!(
            "could not open `memdoc.version`: the schema is of version {other}, and this library works with version {VERSION}; \
             nothing was changed"
        );
        assert_eq!(PostgresStore::open(&url, "main").unwrap_err().to_string(), said);
        assert_eq!(store.commit(&wanted(&store, "second", "b")).unwrap_err().to_string(), said);
        assert_eq!(text(&store), "a");
        assert_eq!(version(&mut admin), other);
    }
    admin.execute("UPDATE memdoc.version SET version = $1", &[&VERSION]).unwrap();
    written(&store, "second", "b");
}

#[test]
fn tables_of_another_origin_are_refused_and_left_as_they_are() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("strange");
    let mut admin = cluster.client("strange");
    admin.batch_execute("CREATE SCHEMA memdoc; CREATE TABLE memdoc.entry (x int)").unwrap();
    let error = PostgresStore::open(&url, "main").unwrap_err();
    assert_eq!(error.to_string(), "could not create `memdoc`: ERROR: relation \"entry\" already exists");
    let tables = admin.query("SELECT tablename FROM pg_tables WHERE schemaname = 'memdoc'", &[]).unwrap();
    assert_eq!(tables.len(), 1);
}

#[test]
fn who_lacks_the_right_is_told_so_and_may_be_given_a_schema_to_make_it_in() {
    let Some(cluster) = shared() else { return };
    cluster.database("bare");
    let mut admin = cluster.client("bare");
    admin.batch_execute("CREATE ROLE guest LOGIN").unwrap();
    let url = cluster.url("bare").replace("user=memdoc", "user=guest");
    let error = PostgresStore::open(&url, "main").unwrap_err();
    assert_eq!(error.to_string(), "could not create `memdoc`: ERROR: permission denied for database bare");
    admin.batch_execute("CREATE SCHEMA memdoc AUTHORIZATION guest").unwrap();
    written(&begun(PostgresStore::open(&url, "main").unwrap()), "first", "a");
    // Who does not own it uses it.
    admin.batch_execute("CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA memdoc TO reader").unwrap();
    admin.batch_execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA memdoc TO reader").unwrap();
    let reader = url.replace("user=guest", "user=reader");
    written(&PostgresStore::open(&reader, "main").unwrap(), "second", "b");
}

#[test]
fn tables_that_are_in_parts_by_memory_keep_the_rules() {
    let Some(cluster) = shared() else { return };
    let url = cluster.database("parts");
    drop(PostgresStore::open(&url, "main").unwrap());
    let mut admin = Client::connect(&url, NoTls).unwrap();
    for table in ["memory", "document", "entry", "link"] {
        let whole = format!("ALTER TABLE memdoc.{table} RENAME TO {table}_whole");
        let parts =
            format!("CREATE TABLE memdoc.{table} (LIKE memdoc.{table}_whole INCLUDING ALL) PARTITION BY HASH (memory)");
        admin.batch_execute(&format!("{whole}; {parts}; DROP TABLE memdoc.{table}_whole")).unwrap();
        for part in 0..3 {
            let bounds = format!("FOR VALUES WITH (MODULUS 3, REMAINDER {part})");
            let statement = format!("CREATE TABLE memdoc.{table}_{part} PARTITION OF memdoc.{table} {bounds}");
            admin.batch_execute(&statement).unwrap();
        }
    }
    let open = |memory: &str| -> Box<dyn Store> { Box::new(PostgresStore::open(&url, memory).unwrap()) };
    conform(open).unwrap_or_else(|violations| panic!("{violations}"));
}
