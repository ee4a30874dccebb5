//! The rules for stores, each with the function that checks it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::memory::journal::{Entry, Head, Seq};
use crate::memory::{Change, DocName, Landed, Outcome, Store, Stored};
use crate::testing::faulty::Faulty;
use crate::testing::subject::{Broken, Checked, Rule, Subject, Wanted, change, expect, redaction, request};

/// The rules.
pub(super) const RULES: &[Rule] = &[
    ("the journal begins once", begins_once),
    ("every handle returns what was committed, byte for byte", gives_back),
    ("a commit is made as a whole, as one entry, or not at all, and a conflict shows both versions", is_whole),
    ("a text that was changed and changed back has a new version", is_another_version),
    ("a deleted document has another version than one that never existed", is_deleted),
    ("documents are listed by name, page by page", lists_documents),
    ("entries are read by number and by document, up to the limit", are_found),
    ("erased content is gone, and all other content stays", is_erased),
    ("a request that was made before is not made again, unless the caller knows that it was made", lands_once),
    ("an attempt that was made is found; one that was not made then never is, and no other is given up", is_final),
    ("a commit expects the versions of its own documents, and nothing else", is_undisturbed),
    ("all documents of one read are of one moment", is_one_moment),
    ("writers at once lose nothing, and write nothing twice", loses_nothing),
    ("a commit that expects a last entry is made right after that entry, or not at all", is_behind),
    ("each request is made once, even if answers are lost", survives_loss),
];

fn begins_once(subject: &Subject<'_>) -> Checked {
    let store = (subject.open)("not begun");
    expect("the head before", &store.head()?, &Head::START)?;
    expect("what stands there before", &store.read(&subject.documents)?.documents.len(), &subject.documents.len())?;
    store.begin()?;
    let head = store.head()?;
    expect("the number of the first entry", &head.seq.get(), &1)?;
    store.begin()?;
    (subject.open)("not begun").begin()?;
    expect("the head after it was begun again", &store.head()?, &head)
}

fn gives_back(subject: &Subject<'_>) -> Checked {
    let ([.., document], large) = (&subject.documents, "- A line among many, of no interest.\n".repeat(10_000));
    let texts = ["- a\r\n- b", "\u{FEFF}- é \u{1F600}\n\n", "", "\0\u{1}\u{7F}\n", "- c\n", &large];
    texts.iter().try_for_each(|text| subject.write(text, &[(document, Some(text))]).map(drop))
}

fn is_whole(subject: &Subject<'_>) -> Checked {
    let [one, two, three] = &subject.documents;
    subject.write("first", &[(one, Some("a")), (two, Some("b"))])?;
    let before = subject.seen()?;
    subject.write("second", &[(two, Some("B"))])?;
    subject.refuses(&before, &[(two, Some("x"))])?;
    subject.refuses(&before, &[(one, Some("x")), (two, Some("x")), (three, Some("x"))])?;
    subject.refuses(&before, &[(one, None), (two, None)])?;
    subject.write("last", &[(one, None), (two, Some("c")), (three, Some("d"))]).map(drop)
}

fn is_another_version(subject: &Subject<'_>) -> Checked {
    let [document, ..] = &subject.documents;
    subject.write("first", &[(document, Some("a"))])?;
    let seen = subject.seen()?;
    subject.write("second", &[(document, Some("b"))])?;
    subject.write("third", &[(document, Some("a"))])?;
    subject.refuses(&seen, &[(document, Some("c"))])
}

fn is_deleted(subject: &Subject<'_>) -> Checked {
    let ([document, ..], never) = (&subject.documents, subject.seen()?);
    subject.write("first", &[(document, Some("a"))])?;
    let was = subject.seen()?;
    subject.write("second", &[(document, None)])?;
    let deleted = subject.seen()?;
    subject.refuses(&never, &[(document, Some("b"))])?;
    subject.refuses(&was, &[(document, Some("b"))])?;
    subject.write("third", &[(document, Some("b"))])?;
    subject.refuses(&deleted, &[(document, Some("c"))])
}

fn lists_documents(subject: &Subject<'_>) -> Checked {
    let names = ["a", "a-b", "a.b", "aa", "a/b", "ab", "Über", "é", "1", "10", "2"];
    let documents = names.into_iter().map(str::parse).collect::<Result<Vec<DocName>, _>>()?;
    for document in &documents {
        subject.write(document.as_str(), &[(document, Some("x"))])?;
    }
    for limit in [0, 1, 3, 4, usize::MAX] {
        for after in documents.iter().map(Some).chain([None]) {
            subject.same("a page of documents", |store| store.revisions(after, limit))?;
        }
    }
    Ok(())
}

fn are_found(subject: &Subject<'_>) -> Checked {
    let [one, two, ..] = &subject.documents;
    for (round, document) in (0..12).zip([one, two].into_iter().cycle()) {
        subject.write(&format!("{round}"), &[(document, Some(&format!("{round}")))])?;
    }
    let numbers = |entries: Vec<Entry>| entries.iter().map(Entry::seq).collect::<Vec<_>>();
    let last = subject.store.head()?.seq;
    for limit in [0, 1, 3, 5, 100, usize::MAX] {
        for seq in [Seq::default(), Seq::FIRST, Seq::new(4), last, last.plus(1), Seq::new(u64::MAX)] {
            subject.same("entries by number", |store| store.entries(seq, limit).map(numbers))?;
        }
        for seq in [last, last.minus(4)] {
            subject.same("entries of a document", |store| store.entries_of(two, seq, limit).map(numbers))?;
        }
    }
    Ok(())
}

fn is_erased(subject: &Subject<'_>) -> Checked {
    let [document, other, _] = &subject.documents;
    let secret = subject.write("first", &[(document, Some("the PIN is 4711\n"))])?;
    subject.write("second", &[(other, Some("x"))])?;
    // The entry that deletes a text contains it, too.
    let deletion = subject.write("third", &[(document, None)])?;
    let wanted = [(document, Some("the PIN is secret\n"))];
    subject.commit("Committed", &redaction("fourth", &subject.seen()?, &wanted, &[secret, deletion])?)?;
    for store in [&subject.store, &subject.opened()] {
        let mut lines = Vec::new();
        store.scan(&mut |line| lines.extend_from_slice(line))?;
        // Search for more than the four digits, which may occur in a hash.
        let is_there = String::from_utf8_lossy(&lines).contains("PIN is 4711");
        expect("whether the journal holds what was erased", &is_there, &false)?;
    }
    subject.write("fifth", &[(document, Some("on")), (other, Some("y"))]).map(drop)
}

fn lands_once(subject: &Subject<'_>) -> Checked {
    let [document, ..] = &subject.documents;
    subject.write("first", &[(document, Some("a"))])?;
    let seen = subject.seen()?;
    for wanted in [&[(document, Some("b"))][..], &[]] {
        let called = format!("{} documents", wanted.len());
        subject.commit("Committed", &change(&called, &seen, wanted)?)?;
        subject.write(&format!("behind {called}"), &[(document, Some("c"))])?;
        subject.commit("Repeated", &change(&called, &seen, wanted)?)?;
        let again = subject.opened().commit(&change(&called, &seen, wanted)?)?;
        expect("whether another handle repeats it", &matches!(again, Outcome::Repeated(_)), &true)?;
        subject.commit("Committed", &change(&called, &subject.seen()?, wanted)?)?;
    }
    Ok(())
}

fn is_final(subject: &Subject<'_>) -> Checked {
    let [document, ..] = &subject.documents;
    for wanted in [&[(document, Some("b"))][..], &[]] {
        let (called, seen) = (format!("{} documents", wanted.len()), subject.seen()?);
        let [late, next] = [change(&called, &seen, wanted)?, change(&called, &seen, wanted)?];
        let settled = |change: &Change| {
            subject.same("what became of an attempt", |store| store.landed(change.attempt, seen.head.seq))
        };
        settled(&late)?;
        if let Ok(Outcome::Committed(made)) = subject.store.commit(&late) {
            return Err(format!("an attempt that was given up was made with entry {made}").into());
        }
        subject.check()?;
        settled(&late)?;
        subject.commit("Committed", &next)?;
        (0..2).try_for_each(|_| settled(&next))?;
    }
    Ok(())
}

fn is_undisturbed(subject: &Subject<'_>) -> Checked {
    let [one, two, _] = &subject.documents;
    let seen = subject.seen()?;
    subject.commit("Committed", &change("first", &seen, &[(one, Some("1"))])?)?;
    subject.commit("Committed", &change("second", &seen, &[(two, Some("2"))])?)?;
    subject.commit("Committed", &change("third", &seen, &[])?)
}

fn is_behind(subject: &Subject<'_>) -> Checked {
    let [document, other, _] = &subject.documents;
    let seen = subject.seen()?;
    subject.commit("Committed", &change("first", &seen, &[(document, Some("a"))])?.on_head(seen.head.seq))?;
    let seen = subject.seen()?;
    let last = subject.write("elsewhere", &[(other, Some("x"))])?;
    for wanted in [&[(document, Some("x"))][..], &[]] {
        subject.commit("HeadMoved", &change("late", &seen, wanted)?.on_head(seen.head.seq).looked_to(last))?;
    }
    Ok(())
}

/// How many threads write at once.
const THREADS: usize = 4;
/// How many lines each thread writes. Their numbers have one digit, so that they can be sorted as texts.
const ROUNDS: usize = 10;
/// How often a thread repeats a commit that conflicts with those of other threads.
const TRIES: usize = 1000;

/// Runs `work` in several threads, each with a handle of its own, and returns the first error.
fn at_once(subject: &Subject<'_>, work: &(dyn Fn(usize, &dyn Store) -> Checked + Sync)) -> Checked {
    thread::scope(|scope| {
        let start = |number| scope.spawn(move || work(number, &*subject.opened()));
        let threads: Vec<_> = (0..THREADS).map(start).collect();
        let ends = threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread has panicked")?);
        // All threads are joined, also after an error.
        ends.fold(Ok(()), Result::and)
    })
}

fn is_one_moment(subject: &Subject<'_>) -> Checked {
    let both = subject.documents.get(..2).unwrap_or_default();
    let is_over = AtomicBool::new(false);
    at_once(subject, &|number, store| {
        if number == 0 {
            let written = (0..40).try_for_each(|_| put(store, "-", both));
            is_over.store(true, Ordering::SeqCst);
            return written;
        }
        while !is_over.load(Ordering::SeqCst) {
            let read = store.read(both)?;
            let texts: Vec<_> = read.documents.iter().map(|stored| stored.text.clone()).collect();
            expect("whether both are of one moment", &(texts.first() == texts.last()), &true)?;
            let tips = read.documents.iter().filter_map(|stored| stored.version.tip).max();
            expect("the head, which is their last entry", &read.head.seq, &tips.unwrap_or(Seq::FIRST))?;
        }
        Ok(())
    })
}

/// Appends a line to documents, and tries again if other threads have written in between.
fn put(store: &dyn Store, line: &str, documents: &[DocName]) -> Checked {
    for _ in 0..TRIES {
        let seen = store.read(documents)?;
        let longer = |stored: &Stored| stored.text.as_deref().unwrap_or_default().to_owned() + line;
        let texts: Vec<_> = seen.documents.iter().map(longer).collect();
        let wanted: Vec<Wanted<'_>> = documents.iter().zip(texts.iter().map(|text| Some(text.as_str()))).collect();
        let change = change(line, &seen, &wanted)?;
        match store.commit(&change)? {
            Outcome::Committed(_) | Outcome::Repeated(_) => return Ok(()),
            Outcome::Conflict { .. } | Outcome::HeadMoved(_) => {}
            // If it is not known whether it was made, it may be sent again: the same request is not made twice.
            Outcome::Indeterminate(_) => match store.landed(change.attempt, seen.head.seq)? {
                Landed::At(_) => return Ok(()),
                Landed::Not => {}
                Landed::Unknown => return Err(Broken::from("nobody can tell what became of a commit")),
            },
        }
    }
    Err(format!("{line:?} was not committed in {TRIES} tries").into())
}

/// Returns the name of each round of each thread, in order.
fn rounds() -> Vec<String> {
    (0..THREADS).flat_map(|thread| (0..ROUNDS).map(move |round| format!("{thread}.{round}"))).collect()
}

/// Checks that each round has one line in each document.
fn check_lines(store: &dyn Store, documents: &[DocName]) -> Checked {
    for stored in store.read(documents)?.documents {
        let mut lines: Vec<_> = stored.text.iter().flat_map(|text| text.split_terminator('\n')).collect();
        lines.sort_unstable();
        expect("the lines", &lines, &rounds().iter().map(String::as_str).collect())?;
    }
    Ok(())
}

fn loses_nothing(subject: &Subject<'_>) -> Checked {
    let [one, two, _] = &subject.documents;
    // The threads name the documents in different orders: a store that locks documents in that order would deadlock.
    let orders = [[one, two], [two, one]].map(|order| order.map(DocName::clone));
    at_once(subject, &|number, store| {
        let order = if number % 2 == 0 { &orders[0] } else { &orders[1] };
        (0..ROUNDS).try_for_each(|round| put(store, &format!("{number}.{round}\n"), order))
    })?;
    check_lines(&*subject.store, &orders[0])
}

fn survives_loss(subject: &Subject<'_>) -> Checked {
    let documents = subject.documents.get(..1).unwrap_or_default();
    at_once(subject, &|number, store| {
        let store = Faulty::new(store, u64::try_from(number)?);
        for round in 0..ROUNDS {
            put(&store, &format!("{number}.{round}\n"), documents)?;
            put(&store, &format!("record {number}.{round}"), &[])?;
        }
        store.deliver();
        Ok(())
    })?;
    let entries = subject.store.entries(Seq::FIRST, usize::MAX)?;
    for round in rounds() {
        let called = request(&format!("record {round}"));
        expect("how often a record is there", &entries.iter().filter(|entry| entry.is_of(called)).count(), &1)?;
    }
    check_lines(&*subject.store, documents)
}
