//! Retries: a request lands once, and what is said of an attempt holds.

use crate::memory::journal::Seq;
use crate::memory::{Change, Landed, Outcome, Store};

use super::change::{change, request};
use super::subject::{Checked, Rule, Subject, check_journal, commit, entries, expect, name, snapshot, text, write};

/// The rules.
pub(super) const RULES: &[Rule] = &[
    ("a request that has landed since it was looked for is not made again, but by who knows that it has", lands_once),
    (
        "an attempt that was made is found; one that is said not to have been never is, and no other is given up",
        is_final,
    ),
];

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
    check_journal(&*store)
}

fn is_final(subject: &Subject<'_>) -> Checked {
    let (store, document) = (subject.begun()?, name("memory")?);
    write(&*store, "first", &[(&document, Some("a"))])?;
    for wanted in [&[(&document, Some("b"))][..], &[]] {
        let called = format!("{}", wanted.len());
        let seen = snapshot(&*store, &[(&document, None)])?;
        let [late, next] = [change(&called, &seen, wanted)?, change(&called, &seen, wanted)?];
        expect(
            "what became of an attempt before it is made",
            &store.landed(late.attempt, seen.head.seq)?,
            &Landed::Not,
        )?;
        if let Ok(Outcome::Committed(made)) = store.commit(&late) {
            return Err(format!("an attempt that was given up was made with entry {}", made).into());
        }
        expect("what stands there", &snapshot(&*store, &[(&document, None)])?, &seen)?;
        expect("what became of it after all", &store.landed(late.attempt, seen.head.seq)?, &Landed::Not)?;
        let made = commit(&*store, &next)?;
        expect("the number of the next attempt", &made, &seen.head.seq.plus(1))?;
        for _ in 0..2 {
            let landed = store.landed(next.attempt, seen.head.seq)?;
            expect("what became of the next attempt", &landed, &Landed::At(made))?;
        }
    }
    expect("the text", &text(&*store, &document)?.as_deref(), &Some("b"))?;
    check_journal(&*store)
}
