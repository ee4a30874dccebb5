//! The rules for stores, and what checks each.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::memory::journal::{Body, Entry, Head, Header, Seq};
use crate::memory::{Change, DocName, EntryQuery, InMemoryStore, Landed, Outcome, RequestId, Snapshot, Store, Stored};
use crate::testing::faulty::Faulty;
use crate::testing::subject::{
    Broken, Checked, Rule, Subject, Wanted, change, entries, expect, name, redaction, request, snapshot, text, write,
};
use crate::text::{Digest, Revision};

/// The rules.
pub(super) const RULES: &[Rule] = &[
    ("the journal begins once", begins_once),
    ("what was committed is given back byte for byte, by every handle", gives_back),
    ("a commit is made as a whole, as one entry, or not at all, and a conflict tells both sides", is_whole),
    ("a text that was changed and changed back is at another version", is_another_version),
    ("a document that was deleted is at another version than one that never was", is_deleted),
    ("documents are listed in order of their names, page by page", lists_documents),
    ("entries are read by number and by document, as many as are asked for", are_found),
    ("what is erased is gone, and nothing else", is_erased),
    ("a request that has landed since it was looked for is not made again, but by who knows that it has", lands_once),
    (
        "an attempt that was made is found; one that is said not to have been never is, and no other is given up",
        is_final,
    ),
    ("a commit waits for what it expects of its documents, and of nothing else", is_undisturbed),
    ("documents are read as of one moment", is_one_moment),
    ("writers at once lose nothing, and nothing is there twice", loses_nothing),
    ("a commit that expects a last entry is made behind that one, and no other", is_behind),
    ("whatever answers are lost, what is settled is there once", survives_loss),
];

fn begins_once(subject: &Subject<'_>) -> Checked {
    let store = subject.opened();
    expect("the head before", &store.head()?, &Head::START)?;
    expect("what stands there before", &store.read(&[name("memory")?])?.documents.len(), &1)?;
    store.begin(&Digest::of(b"policy"))?;
    let head = store.head()?;
    expect("the number of the first entry", &head.seq.get(), &1)?;
    store.begin(&Digest::of(b"another"))?;
    subject.opened().begin(&Digest::of(b"another"))?;
    expect("the head after it was begun again", &store.head()?, &head)
}

/// A store and, beside it, the one in memory, which is asked for the same: what is seen of the two must be the same.
struct Pair<'a> {
    subject: &'a Subject<'a>,
    store: Box<dyn Store>,
    model: InMemoryStore,
    /// The documents that are looked at.
    documents: Vec<DocName>,
}

/// What is seen of a store.
#[derive(Debug, PartialEq, Eq)]
struct View {
    heads: [Seq; 2],
    documents: Vec<Stored>,
    listed: Vec<(DocName, Revision)>,
    entries: Vec<(Header, Option<Body>, Option<RequestId>, bool)>,
}

impl<'a> Pair<'a> {
    fn begun(subject: &'a Subject<'a>, documents: &[&DocName]) -> Checked<Self> {
        let (store, model) = (subject.begun()?, InMemoryStore::new());
        model.begin(&Digest::of(b"policy"))?;
        Ok(Self { subject, store, model, documents: documents.iter().copied().cloned().collect() })
    }

    fn seen(&self) -> Checked<Snapshot> {
        Ok(self.store.read(&self.documents)?)
    }

    /// Asks both for a commit. What becomes of it must be the same, and of this kind.
    fn commit(&self, kind: &str, change: &Change) -> Checked {
        let [outcome, expected] = [self.store.commit(change)?, self.model.commit(change)?];
        let outcome = format!("{outcome:?}");
        expect("what became of a commit", &outcome, &format!("{expected:?}"))?;
        expect("whether that is right", &outcome.starts_with(kind), &true)?;
        self.check()
    }

    /// Changes documents from what they are now, and returns the number of the entry.
    fn write(&self, called: &str, wanted: &[Wanted<'_>]) -> Checked<Seq> {
        self.commit("Committed", &change(called, &self.seen()?, wanted)?)?;
        Ok(self.store.head()?.seq)
    }

    /// Checks that a change based on a snapshot that is outdated is a conflict.
    fn refuses(&self, seen: &Snapshot, wanted: &[Wanted<'_>]) -> Checked {
        self.commit("Conflict", &change("late", seen, wanted)?.looked_to(self.store.head()?.seq))
    }

    /// Compares what is seen by this handle, and by another.
    fn check(&self) -> Checked {
        let expected = self.view(&self.model)?;
        let handles = [&self.store, &self.subject.opened()];
        handles.iter().try_for_each(|store| expect("what is seen", &self.view(&***store)?, &expected))
    }

    fn view(&self, store: &dyn Store) -> Checked<View> {
        let Snapshot { head, documents } = store.read(&self.documents)?;
        // The first entry differs from memory to memory.
        let entries = store.entries(&EntryQuery::From { seq: Seq::new(2), limit: usize::MAX })?;
        let told = |entry: &Entry| (entry.header().clone(), entry.body().cloned(), entry.request(), entry.has_lookup());
        let (heads, listed) = ([head.seq, store.head()?.seq], store.revisions(None, usize::MAX)?);
        Ok(View { heads, documents, listed, entries: entries.iter().map(told).collect() })
    }

    /// Compares which entries are found.
    fn finds(&self, query: &EntryQuery<'_>) -> Checked {
        let [found, expected] = [self.store.entries(query)?, self.model.entries(query)?]
            .map(|entries| entries.iter().map(Entry::seq).collect::<Vec<_>>());
        expect(&format!("the entries of {query:?}"), &found, &expected)
    }

    /// Compares what became of an attempt.
    fn settles(&self, attempt: &Change, seen: &Snapshot) -> Checked {
        let [landed, expected] =
            [&*self.store, &self.model as &dyn Store].map(|store| store.landed(attempt.attempt, seen.head.seq));
        expect("what became of an attempt", &landed?, &expected?)
    }
}

fn gives_back(subject: &Subject<'_>) -> Checked {
    let document = name("people/Über mich")?;
    let (pair, large) = (Pair::begun(subject, &[&document])?, "- A line among many, of no interest.\n".repeat(10_000));
    let texts = ["- a\r\n- b", "\u{FEFF}- é \u{1F600}\n\n", "", "\0\u{1}\u{7F}\n", "- c\n", &large];
    texts.iter().try_for_each(|text| pair.write(text, &[(&document, Some(text))]).map(drop))
}

fn is_whole(subject: &Subject<'_>) -> Checked {
    let [one, two, three] = [name("1")?, name("2")?, name("3")?];
    let pair = Pair::begun(subject, &[&one, &two, &three])?;
    pair.write("first", &[(&one, Some("a")), (&two, Some("b"))])?;
    let before = pair.seen()?;
    pair.write("second", &[(&two, Some("B"))])?;
    pair.refuses(&before, &[(&two, Some("x"))])?;
    pair.refuses(&before, &[(&one, Some("x")), (&two, Some("x")), (&three, Some("x"))])?;
    pair.refuses(&before, &[(&one, None), (&two, None)])?;
    pair.write("last", &[(&one, None), (&two, Some("c")), (&three, Some("d"))]).map(drop)
}

fn is_another_version(subject: &Subject<'_>) -> Checked {
    let document = name("memory")?;
    let pair = Pair::begun(subject, &[&document])?;
    pair.write("first", &[(&document, Some("a"))])?;
    let seen = pair.seen()?;
    pair.write("second", &[(&document, Some("b"))])?;
    pair.write("third", &[(&document, Some("a"))])?;
    pair.refuses(&seen, &[(&document, Some("c"))])
}

fn is_deleted(subject: &Subject<'_>) -> Checked {
    let document = name("memory")?;
    let pair = Pair::begun(subject, &[&document])?;
    let never = pair.seen()?;
    pair.write("first", &[(&document, Some("a"))])?;
    let was = pair.seen()?;
    pair.write("second", &[(&document, None)])?;
    let deleted = pair.seen()?;
    pair.refuses(&never, &[(&document, Some("b"))])?;
    pair.refuses(&was, &[(&document, Some("b"))])?;
    pair.commit("Committed", &change("third", &deleted, &[(&document, Some("b"))])?)?;
    pair.refuses(&deleted, &[(&document, Some("c"))])
}

fn lists_documents(subject: &Subject<'_>) -> Checked {
    let names = ["a", "a-b", "a.b", "aa", "a/b", "ab", "Über", "é", "1", "10", "2"];
    let documents = names.into_iter().map(name).collect::<Checked<Vec<_>>>()?;
    let pair = Pair::begun(subject, &[])?;
    for document in &documents {
        pair.write(document.as_str(), &[(document, Some("x"))])?;
    }
    for limit in [0, 1, 3, 4, usize::MAX] {
        for after in documents.iter().map(Some).chain([None]) {
            let [page, expected] = [pair.store.revisions(after, limit)?, pair.model.revisions(after, limit)?];
            expect("a page of documents", &page, &expected)?;
        }
    }
    Ok(())
}

fn are_found(subject: &Subject<'_>) -> Checked {
    let documents = [name("a")?, name("b")?];
    let pair = Pair::begun(subject, &[&documents[0], &documents[1]])?;
    for (round, document) in (0..12).zip(documents.iter().cycle()) {
        pair.write(&format!("{round}"), &[(document, Some(&format!("{round}")))])?;
    }
    let last = pair.store.head()?.seq;
    for limit in [0, 1, 3, 5, 100, usize::MAX] {
        for seq in [Seq::default(), Seq::FIRST, Seq::new(4), last, last.plus(1), Seq::new(u64::MAX)] {
            pair.finds(&EntryQuery::From { seq, limit })?;
        }
        for seq in [last, last.minus(4)] {
            pair.finds(&EntryQuery::OfDocument { document: &documents[1], seq, limit })?;
        }
    }
    Ok(())
}

fn is_erased(subject: &Subject<'_>) -> Checked {
    let [document, other] = [name("memory")?, name("other")?];
    let pair = Pair::begun(subject, &[&document, &other])?;
    let secret = pair.write("first", &[(&document, Some("the PIN is 4711\n"))])?;
    pair.write("second", &[(&other, Some("x"))])?;
    // An entry that deletes a text holds it, too.
    let deletion = pair.write("third", &[(&document, None)])?;
    let wanted = [(&document, Some("the PIN is secret\n"))];
    pair.commit("Committed", &redaction("fourth", &pair.seen()?, &wanted, &[secret, deletion])?)?;
    for store in [&pair.store, &subject.opened()] {
        let mut lines = Vec::new();
        store.scan(&mut |line| lines.extend_from_slice(line))?;
        // Four digits alone stand in many a hash.
        let is_there = String::from_utf8_lossy(&lines).contains("PIN is 4711");
        expect("whether the journal holds what was erased", &is_there, &false)?;
    }
    pair.write("fifth", &[(&document, Some("on")), (&other, Some("y"))]).map(drop)
}

fn lands_once(subject: &Subject<'_>) -> Checked {
    let document = name("memory")?;
    let pair = Pair::begun(subject, &[&document])?;
    pair.write("first", &[(&document, Some("a"))])?;
    let seen = pair.seen()?;
    for wanted in [&[(&document, Some("b"))][..], &[]] {
        let called = format!("{} documents", wanted.len());
        pair.commit("Committed", &change(&called, &seen, wanted)?)?;
        pair.write(&format!("behind {called}"), &[(&document, Some("c"))])?;
        pair.commit("Repeated", &change(&called, &seen, wanted)?)?;
        let again = subject.opened().commit(&change(&called, &seen, wanted)?)?;
        expect("whether another handle repeats it", &matches!(again, Outcome::Repeated(_)), &true)?;
        pair.commit("Committed", &change(&called, &pair.seen()?, wanted)?)?;
    }
    Ok(())
}

fn is_final(subject: &Subject<'_>) -> Checked {
    let document = name("memory")?;
    let pair = Pair::begun(subject, &[&document])?;
    for wanted in [&[(&document, Some("b"))][..], &[]] {
        let (called, seen) = (format!("{} documents", wanted.len()), pair.seen()?);
        let [late, next] = [change(&called, &seen, wanted)?, change(&called, &seen, wanted)?];
        pair.settles(&late, &seen)?;
        if let Ok(Outcome::Committed(made)) = pair.store.commit(&late) {
            return Err(format!("an attempt that was given up was made with entry {made}").into());
        }
        pair.check()?;
        pair.settles(&late, &seen)?;
        pair.commit("Committed", &next)?;
        (0..2).try_for_each(|_| pair.settles(&next, &seen))?;
    }
    Ok(())
}

fn is_undisturbed(subject: &Subject<'_>) -> Checked {
    let [one, two] = [name("one")?, name("two")?];
    let pair = Pair::begun(subject, &[&one, &two])?;
    let seen = pair.seen()?;
    pair.commit("Committed", &change("first", &seen, &[(&one, Some("1"))])?)?;
    pair.commit("Committed", &change("second", &seen, &[(&two, Some("2"))])?)?;
    pair.commit("Committed", &change("third", &seen, &[])?)
}

fn is_behind(subject: &Subject<'_>) -> Checked {
    let document = name("memory")?;
    let pair = Pair::begun(subject, &[&document])?;
    let seen = pair.seen()?;
    pair.commit("Committed", &change("first", &seen, &[(&document, Some("a"))])?.on_head(seen.head.seq))?;
    let seen = pair.seen()?;
    let last = pair.write("elsewhere", &[(&name("other")?, Some("x"))])?;
    for wanted in [&[(&document, Some("x"))][..], &[]] {
        pair.commit("HeadMoved", &change("late", &seen, wanted)?.on_head(seen.head.seq).looked_to(last))?;
    }
    Ok(())
}

/// How many threads there are.
const THREADS: usize = 4;
/// How often a thread tries what others get in the way of.
const TRIES: usize = 1000;

/// Lets threads do something, each with a handle of its own, and returns the first thing that is wrong.
fn at_once(subject: &Subject<'_>, work: &(dyn Fn(usize, &dyn Store) -> Checked + Sync)) -> Checked {
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|number| scope.spawn(move || work(number, &*subject.opened()))).collect();
        let end = |thread: thread::ScopedJoinHandle<'_, Checked>| {
            thread.join().unwrap_or_else(|_| Err("a thread has panicked".into()))
        };
        // All are waited for.
        threads.into_iter().map(end).fold(Ok(()), Result::and)
    })
}

fn is_one_moment(subject: &Subject<'_>) -> Checked {
    let (store, documents) = (subject.begun()?, [name("one")?, name("two")?]);
    let both: [Wanted<'_>; 2] = [(&documents[0], None), (&documents[1], None)];
    let write_both = |store: &dyn Store, text: &str| write(store, text, &both.map(|(name, _)| (name, Some(text))));
    write_both(&*store, "0")?;
    let is_over = AtomicBool::new(false);
    at_once(subject, &|number, store| {
        if number == 0 {
            let written = (1..40).try_for_each(|round| write_both(store, &round.to_string()));
            is_over.store(true, Ordering::SeqCst);
            return written;
        }
        while !is_over.load(Ordering::SeqCst) {
            let read = snapshot(store, &both)?;
            let texts: Vec<_> = read.documents.iter().map(|stored| stored.text.clone()).collect();
            expect("whether both are of one moment", &(texts.first() == texts.last()), &true)?;
            let tips = read.documents.iter().filter_map(|stored| stored.version.tip).max();
            expect("the head, which is their last entry", &Some(read.head.seq), &tips)?;
        }
        Ok(())
    })
}

/// Puts a line into documents, and tries again as long as others come between.
fn put(store: &dyn Store, line: &str, documents: &[&DocName]) -> Checked {
    let named: Vec<Wanted<'_>> = documents.iter().map(|name| (*name, None)).collect();
    for _ in 0..TRIES {
        let seen = snapshot(store, &named)?;
        let text =
            |name: &DocName| seen.of(name).and_then(|stored| stored.text.as_deref()).unwrap_or_default().to_owned();
        let texts: Vec<_> = documents.iter().map(|name| text(name) + line).collect();
        let wanted: Vec<Wanted<'_>> =
            documents.iter().zip(&texts).map(|(name, text)| (*name, Some(text.as_str()))).collect();
        let change = change(line, &seen, &wanted)?;
        match store.commit(&change)? {
            Outcome::Committed(_) | Outcome::Repeated(_) => return Ok(()),
            Outcome::Conflict { .. } | Outcome::HeadMoved(_) => {}
            // Whatever became of it, the same request is not made twice.
            Outcome::Indeterminate(_) => match store.landed(change.attempt, seen.head.seq)? {
                Landed::At(_) => return Ok(()),
                Landed::Not => {}
                Landed::Unknown => return Err(Broken::from("nobody can tell what became of a commit")),
            },
        }
    }
    Err(format!("{line:?} was not committed in {TRIES} tries").into())
}

/// Checks that each line stands once in each document.
fn check_lines(store: &dyn Store, documents: &[&DocName], count: usize) -> Checked {
    for document in documents {
        let text = text(store, document)?.unwrap_or_default();
        let mut lines: Vec<_> = text.split_terminator('\n').collect();
        expect("how many lines there are", &lines.len(), &count)?;
        lines.sort_unstable();
        lines.dedup();
        expect("how many different lines there are", &lines.len(), &count)?;
    }
    Ok(())
}

fn loses_nothing(subject: &Subject<'_>) -> Checked {
    let (store, one, two) = (subject.begun()?, name("one")?, name("two")?);
    // The threads name the documents in different orders: a store that locks documents in that order would deadlock.
    let orders = [[&one, &two], [&two, &one]];
    at_once(subject, &|number, store| {
        let order = if number % 2 == 0 { &orders[0] } else { &orders[1] };
        (1..=12).try_for_each(|round| put(store, &format!("{number}.{round}\n"), order))
    })?;
    check_lines(&*store, &[&one, &two], THREADS * 12)
}

fn survives_loss(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    at_once(subject, &|number, store| {
        let store = Faulty::new(store, u64::try_from(number)?);
        for round in 0..12 {
            put(&store, &format!("{number}.{round}\n"), &[&document])?;
            put(&store, &format!("record {number}.{round}"), &[])?;
        }
        store.deliver();
        Ok(())
    })?;
    let entries = entries(&*store)?;
    for number in 0..THREADS {
        for round in 0..12 {
            let called = request(&format!("record {number}.{round}"));
            expect("how often a record is there", &entries.iter().filter(|entry| entry.is_of(called)).count(), &1)?;
        }
    }
    check_lines(&*store, &[&document], THREADS * 12)
}
