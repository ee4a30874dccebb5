//! The rules for stores, and what checks each.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::memory::journal::{Entry, Head, Seq};
use crate::memory::{Change, DocName, EntryQuery, Landed, Outcome, Snapshot, Store, Version};
use crate::testing::faulty::Faulty;
use crate::testing::subject::{
    Broken, Checked, Rule, Subject, Wanted, change, commit, entries, expect, name, redaction, request, snapshot, text,
    write,
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

fn gives_back(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("people/Über mich")?);
    for round_trip in ["- a\r\n- b", "\u{FEFF}- é \u{1F600}\n\n", "", "\0\u{1}\u{7F}\n", "- c\n"] {
        let made = write(&*store, round_trip, &[(&document, Some(round_trip))])?;
        for handle in [&store, &subject.opened()] {
            expect("the text", &text(&**handle, &document)?.as_deref(), &Some(round_trip))?;
            let listed = handle.revisions(None, 9)?;
            expect("the documents", &listed, &vec![(document.clone(), Revision::of(round_trip))])?;
            expect("the last entry", &handle.head()?.seq, &made)?;
            let tip = snapshot(&**handle, &[(&document, None)])?.version(&document).tip;
            expect("the last entry of the document", &tip, &Some(made))?;
        }
    }
    let large = "- A line among many, of no interest.\n".repeat(10_000);
    write(&*store, "large", &[(&document, Some(&large))])?;
    expect("whether a large text is the same", &(text(&*store, &document)? == Some(large)), &true)
}

fn is_whole(subject: &Subject<'_>) -> Checked {
    let (store, [one, two, three]) = (subject.begun()?, [name("1")?, name("2")?, name("3")?]);
    let all = [(&one, None), (&two, None), (&three, None)];
    write(&*store, "first", &[(&one, Some("a")), (&two, Some("b"))])?;
    let before = snapshot(&*store, &all)?;
    write(&*store, "second", &[(&two, Some("B"))])?;
    let now = snapshot(&*store, &all)?;
    let late: [&[_]; 3] = [
        &[(&two, Some("x"))],
        &[(&one, Some("x")), (&two, Some("x")), (&three, Some("x"))],
        &[(&one, None), (&two, None)],
    ];
    for (wanted, called) in late.into_iter().zip(["third", "fourth", "fifth"]) {
        let outcome = store.commit(&change(called, &before, wanted)?.looked_to(now.head.seq))?;
        let Outcome::Conflict { document, expected, found } = outcome else {
            return Err(format!("expected a conflict, found {outcome:?}").into());
        };
        expect("the document in conflict", &document, &two)?;
        expect("what was expected", &expected, &before.version(&two))?;
        expect("what was found", &found, &now.version(&two))?;
        expect("what stands there after a conflict", &snapshot(&*store, &all)?, &now)?;
    }
    let made = write(&*store, "sixth", &[(&one, None), (&two, Some("c")), (&three, Some("d"))])?;
    expect("the number of its one entry", &made, &now.head.seq.plus(1))?;
    let after = snapshot(&*store, &all)?;
    let tips: Vec<_> = after.documents.iter().map(|stored| stored.version.tip).collect();
    expect("the last entry of each document", &tips, &vec![Some(made); 3])?;
    let texts = [text(&*store, &one)?, text(&*store, &two)?, text(&*store, &three)?];
    expect("the texts", &texts, &[None, Some("c".to_owned()), Some("d".to_owned())])
}

fn is_another_version(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    write(&*store, "first", &[(&document, Some("a"))])?;
    let seen = snapshot(&*store, &[(&document, None)])?;
    write(&*store, "second", &[(&document, Some("b"))])?;
    write(&*store, "third", &[(&document, Some("a"))])?;
    refuses(&*store, &seen, "c")
}

fn is_deleted(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    let never = snapshot(&*store, &[(&document, None)])?;
    expect("the version of what never was", &never.version(&document), &Version::default())?;
    write(&*store, "first", &[(&document, Some("a"))])?;
    let was = snapshot(&*store, &[(&document, None)])?;
    let made = write(&*store, "second", &[(&document, None)])?;
    let deleted = snapshot(&*store, &[(&document, None)])?;
    expect("the version of what was deleted", &deleted.version(&document), &Version::new(None, Some(made)))?;
    expect("the documents", &store.revisions(None, 9)?, &Vec::new())?;
    refuses(&*store, &never, "b")?;
    refuses(&*store, &was, "b")?;
    commit(&*store, &change("third", &deleted, &[(&document, Some("b"))])?)?;
    refuses(&*store, &deleted, "c")
}

/// Checks that a change based on a snapshot that is outdated is a conflict.
fn refuses(store: &dyn Store, seen: &Snapshot, new: &str) -> Checked {
    let document = name("memory")?;
    let late = change("late", seen, &[(&document, Some(new))])?.looked_to(store.head()?.seq);
    match store.commit(&late)? {
        Outcome::Conflict { .. } => Ok(()),
        other => Err(format!("expected a conflict, found {other:?}").into()),
    }
}

fn lists_documents(subject: &Subject<'_>) -> Checked {
    let store = subject.begun()?;
    let names = ["a", "a-b", "a.b", "aa", "a/b", "ab", "Über", "é", "1", "10", "2"];
    let mut names = names.into_iter().map(name).collect::<Checked<Vec<_>>>()?;
    for (document, number) in names.iter().zip(0..) {
        write(&*store, &format!("{number}"), &[(document, Some("x"))])?;
    }
    names.sort_unstable();
    for limit in [1, 3, 4, usize::MAX] {
        let mut listed = Vec::new();
        loop {
            let page = store.revisions(listed.last(), limit)?;
            expect("whether a page keeps the limit", &(page.len() <= limit), &true)?;
            if page.is_empty() {
                break;
            }
            listed.extend(page.into_iter().map(|(name, _)| name));
        }
        expect("the documents", &listed, &names)?;
    }
    expect("a page of none", &store.revisions(None, 0)?, &Vec::new())
}

fn seqs(store: &dyn Store, query: &EntryQuery<'_>) -> Checked<Vec<u64>> {
    Ok(store.entries(query)?.iter().map(|entry| entry.seq().get()).collect())
}

fn are_found(subject: &Subject<'_>) -> Checked {
    let (store, documents) = (subject.begun()?, [name("a")?, name("b")?]);
    for round in 0..12 {
        let document = if round % 2 == 0 { &documents[0] } else { &documents[1] };
        write(&*store, &round.to_string(), &[(document, Some(&round.to_string()))])?;
    }
    let last = store.head()?.seq;
    let from = |seq, limit| seqs(&*store, &EntryQuery::From { seq, limit });
    let all: Vec<_> = (1..=last.get()).collect();
    for (first, limit) in [(Seq::FIRST, usize::MAX), (Seq::default(), 100), (Seq::new(4), 3), (last, 5), (last, 0)] {
        let expected = all.iter().copied().filter(|seq| *seq >= first.get()).take(limit).collect();
        expect("the entries from a number on", &from(first, limit)?, &expected)?;
    }
    expect("the entries behind the last", &from(last.plus(1), usize::MAX)?, &Vec::new())?;
    expect("the entries far behind the last", &from(Seq::new(u64::MAX), 1)?, &Vec::new())?;
    let document = &documents[1];
    let of = |seq, limit| seqs(&*store, &EntryQuery::OfDocument { document, seq, limit });
    let number = last.get();
    expect("the entries of a document", &of(last, 3)?, &vec![number, number - 2, number - 4])?;
    expect("all entries of a document", &of(last, usize::MAX)?.len(), &6)?;
    expect("earlier entries of a document", &of(last.minus(4), 1)?, &vec![number - 4])
}

fn is_erased(subject: &Subject<'_>) -> Checked {
    let (store, document, other) = (subject.begun()?, name("memory")?, name("other")?);
    let secret = write(&*store, "first", &[(&document, Some("the PIN is 4711\n"))])?;
    let innocent = write(&*store, "second", &[(&other, Some("x"))])?;
    // An entry that deletes a text holds it, too.
    let deletion = write(&*store, "third", &[(&document, None)])?;
    let wanted = [(&document, Some("the PIN is secret\n"))];
    let change = redaction("fourth", &snapshot(&*store, &wanted)?, &wanted, &[secret, deletion])?;
    commit(&*store, &change)?;
    for store in [&store, &subject.opened()] {
        let mut lines = Vec::new();
        store.scan(&mut |line| lines.extend_from_slice(line))?;
        let lines = String::from_utf8_lossy(&lines).into_owned();
        // Four digits alone stand in many a hash.
        expect("whether the journal holds what was erased", &lines.contains("PIN is 4711"), &false)?;
        let parts = |entry: &Entry| (entry.seq(), entry.body().is_some(), entry.has_lookup());
        let found: Vec<_> = entries(&**store)?.iter().map(parts).filter(|(seq, ..)| *seq >= secret).collect();
        let (gone, kept) = (|seq| (seq, false, false), |seq| (seq, true, true));
        let seqs = [secret, innocent, deletion];
        let expected = vec![gone(seqs[0]), kept(seqs[1]), gone(seqs[2]), kept(seqs[2].plus(1))];
        expect("the entries, their bodies and what they are looked up by", &found, &expected)?;
        expect("the text", &text(&**store, &document)?.as_deref(), &Some("the PIN is secret\n"))?;
    }
    write(&*store, "fifth", &[(&document, Some("on")), (&other, Some("y"))]).map(drop)
}

fn repeated(store: &dyn Store, change: &Change, first: Seq) -> Checked {
    match store.commit(change)? {
        Outcome::Repeated(seq) if seq == first => Ok(()),
        other => Err(format!("expected that the request was made with entry {first}, found {other:?}").into()),
    }
}

fn lands_once(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    write(&*store, "first", &[(&document, Some("a"))])?;
    let seen = snapshot(&*store, &[(&document, None)])?;
    for wanted in [&[(&document, Some("b"))][..], &[]] {
        let called = format!("{} documents", wanted.len());
        let made = commit(&*store, &change(&called, &seen, wanted)?)?;
        write(&*store, &format!("behind {called}"), &[(&document, Some("c"))])?;
        repeated(&*store, &change(&called, &seen, wanted)?, made)?;
        repeated(&*subject.opened(), &change(&called, &seen, wanted)?, made)?;
        let landed = entries(&*store)?.iter().filter(|entry| entry.is_of(request(&called))).count();
        expect("how often it has landed", &landed, &1)?;
        commit(&*store, &change(&called, &snapshot(&*store, wanted)?, wanted)?)?;
    }
    Ok(())
}

fn is_final(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    write(&*store, "first", &[(&document, Some("a"))])?;
    for wanted in [&[(&document, Some("b"))][..], &[]] {
        let called = format!("{}", wanted.len());
        let seen = snapshot(&*store, &[(&document, None)])?;
        let [late, next] = [change(&called, &seen, wanted)?, change(&called, &seen, wanted)?];
        let became = || store.landed(late.attempt, seen.head.seq);
        expect("what became of an attempt before it is made", &became()?, &Landed::Not)?;
        if let Ok(Outcome::Committed(made)) = store.commit(&late) {
            return Err(format!("an attempt that was given up was made with entry {made}").into());
        }
        expect("what stands there", &snapshot(&*store, &[(&document, None)])?, &seen)?;
        expect("what became of it after all", &became()?, &Landed::Not)?;
        let made = commit(&*store, &next)?;
        expect("the number of the next attempt", &made, &seen.head.seq.plus(1))?;
        for _ in 0..2 {
            expect("what became of the next", &store.landed(next.attempt, seen.head.seq)?, &Landed::At(made))?;
        }
    }
    expect("the text", &text(&*store, &document)?.as_deref(), &Some("b"))
}

/// How many threads there are.
const THREADS: usize = 4;
/// How often a thread tries what others get in the way of.
const TRIES: usize = 1000;

fn is_undisturbed(subject: &Subject<'_>) -> Checked {
    let (store, one, two) = (subject.begun()?, name("one")?, name("two")?);
    let seen = snapshot(&*store, &[(&one, None), (&two, None)])?;
    commit(&*store, &change("first", &seen, &[(&one, Some("1"))])?)?;
    commit(&*store, &change("second", &seen, &[(&two, Some("2"))])?)?;
    commit(&*store, &change("third", &seen, &[])?).map(drop)
}

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
            let written = (1..40).try_for_each(|round| write_both(store, &round.to_string()).map(drop));
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

fn is_behind(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    let seen = snapshot(&*store, &[(&document, None)])?;
    commit(&*store, &change("first", &seen, &[(&document, Some("a"))])?.on_head(seen.head.seq))?;
    let seen = snapshot(&*store, &[(&document, None)])?;
    write(&*store, "elsewhere", &[(&name("other")?, Some("x"))])?;
    for wanted in [&[(&document, Some("x"))][..], &[]] {
        let late = change("late", &seen, wanted)?.on_head(seen.head.seq).looked_to(store.head()?.seq);
        let outcome = store.commit(&late)?;
        let is_refused = matches!(outcome, Outcome::HeadMoved(head) if head == seen.head.seq.plus(1));
        expect("whether another last entry is told", &is_refused, &true)?;
    }
    Ok(())
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
