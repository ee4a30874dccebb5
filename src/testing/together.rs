//! Many callers at once, and answers that are lost.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::memory::{Change, DocName, Landed, Outcome, Snapshot, Store};

use super::change::{Wanted, change, request};
use super::faulty::Faulty;
use super::subject::{
    Broken, Checked, Rule, Subject, check_journal, commit, entries, expect, name, snapshot, text, write,
};

/// The rules.
pub(super) const RULES: &[Rule] = &[
    ("a commit waits for what it expects of its documents, and of nothing else", is_undisturbed),
    ("documents are read as of one moment", is_one_moment),
    ("writers at once lose nothing, and nothing is there twice", loses_nothing),
    ("a commit that expects a last entry is made behind that one, and no other", is_behind),
    ("whatever answers are lost, what is settled is there once", survives_loss),
];

/// How many threads there are.
const THREADS: usize = 4;
/// How often a thread looks whether the others are where it is.
const MEETING: usize = 10_000;
/// How often a thread tries what others get in the way of.
const TRIES: usize = 1000;

/// What becomes of the change that is planned on what was seen.
type Adjusts<'a> = dyn Fn(&Snapshot, Change) -> Change + 'a;

fn is_undisturbed(subject: &Subject<'_>) -> Checked {
    let (store, one, two) = (subject.begun()?, name("one")?, name("two")?);
    let seen = snapshot(&*store, &[(&one, None), (&two, None)])?;
    commit(&*store, &change("first", &seen, &[(&one, Some("1"))])?)?;
    commit(&*store, &change("second", &seen, &[(&two, Some("2"))])?)?;
    commit(&*store, &change("third", &seen, &[])?)?;
    check_journal(&*store)
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
    let write_both = |text: &str| write(&*store, text, &both.map(|(name, _)| (name, Some(text))));
    write_both("0")?;
    let (is_over, reads) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let reader = scope.spawn(|| -> Checked {
            let store = subject.opened();
            while !is_over.load(Ordering::SeqCst) {
                let read = snapshot(&*store, &both)?;
                let texts: Vec<_> = read.documents.iter().map(|stored| stored.text.clone()).collect();
                expect("whether both are of one moment", &(texts.first() == texts.last()), &true)?;
                let tips = read.documents.iter().filter_map(|stored| stored.version.tip).max();
                expect("the head, which is their last entry", &Some(read.head.seq), &tips)?;
                reads.fetch_add(1, Ordering::SeqCst);
            }
            Ok(())
        });
        // As long as it takes the reader to be disturbed often, unless it has ended.
        let mut rounds = (1..).take_while(|round| *round < 40 || reads.load(Ordering::SeqCst) < 40);
        let written = rounds.try_for_each(|round: u32| match reader.is_finished() {
            true => Err("the reader has ended".into()),
            false => write_both(&round.to_string()).map(drop),
        });
        is_over.store(true, Ordering::SeqCst);
        let read = reader.join().unwrap_or_else(|_| Err("a thread has panicked".into()));
        read.and(written)
    })
}

/// Puts a line into documents, and tries again as long as others come between. `adjusts` changes each try.
fn put(store: &dyn Store, line: &str, documents: &[&DocName], adjusts: &Adjusts<'_>) -> Checked {
    let named: Vec<Wanted<'_>> = documents.iter().map(|name| (*name, None)).collect();
    for _ in 0..TRIES {
        let seen = snapshot(store, &named)?;
        let text =
            |name: &DocName| seen.of(name).and_then(|stored| stored.text.as_deref()).unwrap_or_default().to_owned();
        let texts: Vec<_> = documents.iter().map(|name| text(name) + line).collect();
        let wanted: Vec<Wanted<'_>> =
            documents.iter().zip(&texts).map(|(name, text)| (*name, Some(text.as_str()))).collect();
        let change = adjusts(&seen, change(line, &seen, &wanted)?);
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
    check_journal(store)
}

fn loses_nothing(subject: &Subject<'_>) -> Checked {
    let (store, one, two) = (subject.begun()?, name("one")?, name("two")?);
    // Each in the order of its own: who locks documents as they come waits for another, and that for it.
    let orders = [[&one, &two], [&two, &one]];
    let reads = AtomicUsize::new(0);
    at_once(subject, &|number, store| {
        let order = if number % 2 == 0 { &orders[0] } else { &orders[1] };
        (1..=12).try_for_each(|round| {
            let has_met = Cell::new(false);
            // All have read before the first commits, unless one has given up.
            let meets = |_: &Snapshot, change| {
                if !has_met.replace(true) {
                    reads.fetch_add(1, Ordering::SeqCst);
                    let is_alone = || reads.load(Ordering::SeqCst) < round * THREADS;
                    (0..MEETING).take_while(|_| is_alone()).for_each(|_| thread::yield_now());
                }
                change
            };
            put(store, &format!("{number}.{round}\n"), order, &meets)
        })
    })?;
    check_lines(&*store, &[&one, &two], THREADS * 12)
}

fn is_behind(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    let lines = AtomicUsize::new(0);
    at_once(subject, &|_, store| {
        for _ in 0..4 {
            let line = format!("{}\n", lines.fetch_add(1, Ordering::SeqCst));
            put(store, &line, &[&document], &|seen, change| change.on_head(seen.head.seq))?;
        }
        Ok(())
    })?;
    let seen = snapshot(&*store, &[(&document, None)])?;
    write(&*store, "elsewhere", &[(&name("other")?, Some("x"))])?;
    for wanted in [&[(&document, Some("x"))][..], &[]] {
        let late = change("late", &seen, wanted)?.on_head(seen.head.seq).looked_to(store.head()?.seq);
        let outcome = store.commit(&late)?;
        let is_refused = matches!(outcome, Outcome::HeadMoved(head) if head == seen.head.seq.plus(1));
        expect("whether another last entry is told", &is_refused, &true)?;
    }
    check_lines(&*store, &[&document], lines.load(Ordering::SeqCst))
}

fn survives_loss(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    at_once(subject, &|number, store| {
        let store = Faulty::new(store, u64::try_from(number)?);
        for round in 0..12 {
            put(&store, &format!("{number}.{round}\n"), &[&document], &|_, change| change)?;
            put(&store, &format!("record {number}.{round}"), &[], &|_, change| change)?;
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
