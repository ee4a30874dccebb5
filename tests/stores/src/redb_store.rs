//! [`RedbStore`]: a store in one file of a key-value engine, written from what the trait's documentation says.

use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use memdoc::memory::journal::{Attempt, Entry, EntryHash, Head, Sealer, Seq};
use memdoc::memory::{
    Change, Clock as _, DocumentChange, Landed, Outcome, Snapshot, StoreError, Stored, SystemClock, Version, genesis,
};
use memdoc::text::Content;
use memdoc::{DocName, Revision, Store};
use redb::{
    Database, ReadTransaction, ReadableDatabase, ReadableTable, Table, TableDefinition, TableError, WriteTransaction,
};

/// Where the journal ends, under the one key.
const HEAD: TableDefinition<(), (u64, &str)> = TableDefinition::new("head");
/// The lines of the journal.
const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");
/// The entries of each document.
const LINKS: TableDefinition<(&str, u64), ()> = TableDefinition::new("links");
/// Text and revision of each document, and the last entry of those that there were.
const DOCUMENTS: TableDefinition<&str, Row> = TableDefinition::new("documents");
/// The attempts that were given up.
const FENCED: TableDefinition<&str, ()> = TableDefinition::new("fenced");

/// The text; the revision; number of the last entry.
type Row = (Option<&'static str>, Option<&'static str>, Option<u64>);

/// Keeps a memory in a file, for the threads of one process. The engine has one writer at a time.
#[derive(Clone)]
pub struct RedbStore(Arc<Inner>);

struct Inner {
    database: Database,
    sealer: Sealer,
}

/// Says which table it was.
fn failed<E: std::error::Error + Send + Sync + 'static>(relation: &str) -> impl FnOnce(E) -> StoreError {
    let relation = relation.into();
    move |error| StoreError::Relation { action: "write", relation, source: Box::new(error) }
}

/// What a file holds that is no store's.
fn strange(relation: &str) -> StoreError {
    StoreError::Relation { action: "read", relation: relation.into(), source: "it holds something else".into() }
}

impl RedbStore {
    /// Opens the memory in a file, which is made if there is none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Database::create(path).map_err(failed("database"))?;
        // So that there are tables to read.
        let tables = database.begin_write().map_err(failed("database"))?;
        drop(Tables::of(&tables)?);
        tables.commit().map_err(failed("database"))?;
        Ok(Self(Arc::new(Inner { database, sealer: Sealer::default() })))
    }

    fn reading(&self) -> Result<ReadTransaction, StoreError> {
        self.0.database.begin_read().map_err(failed("database"))
    }

    /// Makes a transaction; `None` of `work` leaves all as it was.
    fn write<T>(
        &self,
        work: impl FnOnce(&mut Tables<'_>) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let transaction = self.0.database.begin_write().map_err(failed("database"))?;
        let made = work(&mut Tables::of(&transaction)?)?;
        match made {
            Some(_) => transaction.commit().map_err(failed("database"))?,
            None => transaction.abort().map_err(failed("database"))?,
        }
        Ok(made)
    }
}

fn head(table: &impl ReadableTable<(), (u64, &'static str)>) -> Result<Head, StoreError> {
    let Some(found) = table.get(()).map_err(failed("head"))? else { return Ok(Head::START) };
    let (seq, hash) = found.value();
    let hash: EntryHash = hash.parse().map_err(|_| strange("head"))?;
    Ok(Head { seq: Seq::new(seq), hash })
}

fn stored(table: &impl ReadableTable<&'static str, Row>, name: &DocName) -> Result<Stored, StoreError> {
    let Some(found) = table.get(name.as_str()).map_err(failed("documents"))? else {
        return Ok(Stored::new(name.clone(), None, Version::default()));
    };
    let (text, revision, tip) = found.value();
    let revision: Option<Revision> = revision.map(str::parse).transpose().map_err(|_| strange("documents"))?;
    let tip = tip.map(Seq::new);
    Ok(Stored::new(name.clone(), text.map(Content::from), Version::new(revision, tip)))
}

/// The tables, to be written.
struct Tables<'a> {
    head: Table<'a, (), (u64, &'static str)>,
    entries: Table<'a, u64, &'static [u8]>,
    links: Table<'a, (&'static str, u64), ()>,
    documents: Table<'a, &'static str, Row>,
    fenced: Table<'a, &'static str, ()>,
}

impl<'a> Tables<'a> {
    fn of(transaction: &'a WriteTransaction) -> Result<Self, StoreError> {
        let open = || -> Result<Self, TableError> {
            Ok(Self {
                head: transaction.open_table(HEAD)?,
                entries: transaction.open_table(ENTRIES)?,
                links: transaction.open_table(LINKS)?,
                documents: transaction.open_table(DOCUMENTS)?,
                fenced: transaction.open_table(FENCED)?,
            })
        };
        open().map_err(failed("tables"))
    }

    /// Returns the first entry behind `after` of which this holds.
    fn find(&self, after: Seq, is_it: impl Fn(&Entry) -> bool) -> Result<Option<Seq>, StoreError> {
        for line in self.entries.range(after.get().saturating_add(1)..).map_err(failed("entries"))? {
            let (seq, line) = line.map_err(failed("entries"))?;
            if Entry::parse(line.value()).is_ok_and(|entry| is_it(&entry)) {
                return Ok(Some(Seq::new(seq.value())));
            }
        }
        Ok(None)
    }

    fn append(&mut self, entry: &Entry) -> Result<(), StoreError> {
        let line = entry.to_line();
        self.entries.insert(entry.seq().get(), line.as_bytes()).map_err(failed("entries"))?;
        self.head.insert((), (entry.seq().get(), entry.hash().to_string().as_str())).map_err(failed("head"))?;
        for link in &entry.header().documents {
            self.links.insert((link.name.as_str(), entry.seq().get()), ()).map_err(failed("links"))?;
        }
        Ok(())
    }

    fn change(&mut self, document: &DocumentChange, tip: Seq) -> Result<(), StoreError> {
        let revision = document.revision.map(|revision| revision.to_string());
        let row = (document.text.as_deref(), revision.as_deref(), Some(tip.get()));
        self.documents.insert(document.name.as_str(), row).map(drop).map_err(failed("documents"))
    }

    fn erase(&mut self, change: &Change) -> Result<(), StoreError> {
        let erased = &change.entry.header().erased;
        for seq in erased.runs().flat_map(|run| run.numbers()) {
            let line = self.entries.get(seq.get()).map_err(failed("entries"))?.map(|line| line.value().to_vec());
            let entry = line.and_then(|line| Entry::parse(&line).ok()?.redacted(erased));
            if let Some(left) = entry {
                self.entries.insert(seq.get(), left.to_line().as_bytes()).map_err(failed("entries"))?;
            }
        }
        Ok(())
    }
}

impl Store for RedbStore {
    fn begin(&self) -> Result<(), StoreError> {
        self.write(|tables| {
            if head(&tables.head)? != Head::START {
                return Ok(None);
            }
            tables.append(&self.0.sealer.seal(genesis(&[])?, Head::START, SystemClock.now())).map(Some)
        })?;
        Ok(())
    }

    fn head(&self) -> Result<Head, StoreError> {
        head(&self.reading()?.open_table(HEAD).map_err(failed("head"))?)
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let table = self.reading()?.open_table(DOCUMENTS).map_err(failed("documents"))?;
        let from = after.map_or(Bound::Unbounded, |after| Bound::Excluded(after.as_str()));
        let mut found = Vec::new();
        for row in table.range::<&str>((from, Bound::Unbounded)).map_err(failed("documents"))? {
            let (name, row) = row.map_err(failed("documents"))?;
            let revision = row.value().1.and_then(|revision| revision.parse().ok());
            if found.len() == limit {
                break;
            }
            found.extend(name.value().parse().ok().zip(revision));
        }
        Ok(found)
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let transaction = self.reading()?;
        let head = head(&transaction.open_table(HEAD).map_err(failed("head"))?)?;
        let table = transaction.open_table(DOCUMENTS).map_err(failed("documents"))?;
        let documents = names.iter().map(|name| stored(&table, name)).collect::<Result<_, _>>()?;
        Ok(Snapshot::new(head, documents))
    }

    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let entries = self.reading()?.open_table(ENTRIES).map_err(failed("entries"))?;
        let lines = entries.range(from.get()..).map_err(failed("entries"))?.map_while(Result::ok);
        Ok(lines.filter_map(|(_, line)| Entry::parse(line.value()).ok()).take(limit).collect())
    }

    fn entries_of(&self, document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let (transaction, name) = (self.reading()?, document.as_str());
        let entries = transaction.open_table(ENTRIES).map_err(failed("entries"))?;
        let links = transaction.open_table(LINKS).map_err(failed("links"))?;
        let seqs = links.range((name, 0)..=(name, last.get())).map_err(failed("links"))?.rev().map_while(Result::ok);
        let entry = |seq| Entry::parse(entries.get(seq).ok()??.value()).ok();
        Ok(seqs.filter_map(|(link, _)| entry(link.value().1)).take(limit).collect())
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        let table = self.reading()?.open_table(ENTRIES).map_err(failed("entries"))?;
        for line in table.iter().map_err(failed("entries"))? {
            visit(line.map_err(failed("entries"))?.1.value());
        }
        Ok(())
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let mut refused = None;
        let made = self.write(|tables| {
            if tables.fenced.get(change.attempt.to_string().as_str()).map_err(failed("fenced"))?.is_some() {
                return Err(StoreError::Fenced);
            }
            if let Some(seq) = tables.find(change.looked_to, |entry| entry.is_of(change.request))? {
                refused = Some(Outcome::Repeated(seq));
                return Ok(None);
            }
            let head = head(&tables.head)?;
            if change.expected_head.is_some_and(|expected| expected != head.seq) {
                refused = Some(Outcome::HeadMoved(head.seq));
                return Ok(None);
            }
            for document in &change.documents {
                let (name, expected, found) =
                    (&document.name, document.expected, stored(&tables.documents, &document.name)?.version);
                if found != expected {
                    refused = Some(Outcome::Conflict { document: name.clone(), expected, found });
                    return Ok(None);
                }
            }
            let sealed = self.0.sealer.seal(change.entry.clone(), head, change.time);
            tables.append(&sealed)?;
            change.documents.iter().try_for_each(|document| tables.change(document, sealed.seq()))?;
            tables.erase(change)?;
            Ok(Some(Outcome::Committed(sealed.seq())))
        })?;
        made.or(refused).ok_or_else(|| StoreError::Other("a commit without an entry".into()))
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        let mut found = None;
        self.write(|tables| {
            found = tables.find(after, |entry| entry.header().attempt == Some(attempt))?;
            if found.is_some() {
                return Ok(None);
            }
            tables.fenced.insert(attempt.to_string().as_str(), ()).map(|_| Some(())).map_err(failed("fenced"))
        })?;
        Ok(found.map_or(Landed::Not, Landed::At))
    }
}
