//! Commits: what was committed is given back, all of it, on what was expected.

use crate::memory::journal::Head;
use crate::memory::{Outcome, Snapshot, Store, Version};
use crate::text::{Digest, Revision};

use super::change::change;
use super::subject::{Checked, Rule, Subject, check_journal, commit, expect, name, snapshot, text, write};

/// The rules.
pub(super) const RULES: &[Rule] = &[
    ("the journal begins once", begins_once),
    ("what was committed is given back byte for byte, by every handle", gives_back),
    ("a commit is made as a whole, as one entry, or not at all, and a conflict tells both sides", is_whole),
    ("a text that was changed and changed back is at another version", is_another_version),
    ("a document that was deleted is at another version than one that never was", is_deleted),
    ("documents are listed in order of their names, page by page", lists_documents),
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
    expect("the head after it was begun again", &store.head()?, &head)?;
    check_journal(&*store)
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
            let version = handle.read(std::slice::from_ref(&document))?.of(&document).map(|stored| stored.version);
            let tip = version.and_then(|version| version.tip);
            expect("the last entry of the document", &tip, &Some(made))?;
        }
    }
    let large = "- A line among many, of no interest.\n".repeat(10_000);
    write(&*store, "large", &[(&document, Some(&large))])?;
    expect("whether a large text is the same", &(text(&*store, &document)? == Some(large)), &true)?;
    check_journal(&*store)
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
        let version = |snapshot: &Snapshot| snapshot.of(&two).map(|stored| stored.version);
        expect("what was expected", &Some(expected), &version(&before))?;
        expect("what was found", &Some(found), &version(&now))?;
        expect("what stands there after a conflict", &snapshot(&*store, &all)?, &now)?;
    }
    let made = write(&*store, "sixth", &[(&one, None), (&two, Some("c")), (&three, Some("d"))])?;
    expect("the number of its one entry", &made, &now.head.seq.plus(1))?;
    let after = snapshot(&*store, &all)?;
    let tips: Vec<_> = after.documents.iter().map(|stored| stored.version.tip).collect();
    expect("the last entry of each document", &tips, &vec![Some(made); 3])?;
    let texts = [text(&*store, &one)?, text(&*store, &two)?, text(&*store, &three)?];
    expect("the texts", &texts, &[None, Some("c".to_owned()), Some("d".to_owned())])?;
    check_journal(&*store)
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
    expect(
        "the version of what never was",
        &never.of(&document).map(|stored| stored.version),
        &Some(Version::default()),
    )?;
    write(&*store, "first", &[(&document, Some("a"))])?;
    let was = snapshot(&*store, &[(&document, None)])?;
    let made = write(&*store, "second", &[(&document, None)])?;
    let deleted = snapshot(&*store, &[(&document, None)])?;
    let version = deleted.of(&document).map(|stored| stored.version).unwrap_or_default();
    expect("the revision of what was deleted", &version.revision, &None)?;
    expect("the last entry of what was deleted", &version.tip, &Some(made))?;
    expect("the documents", &store.revisions(None, 9)?, &Vec::new())?;
    refuses(&*store, &never, "b")?;
    refuses(&*store, &was, "b")?;
    commit(&*store, &change("third", &deleted, &[(&document, Some("b"))])?)?;
    refuses(&*store, &deleted, "c")?;
    check_journal(&*store)
}

/// Checks that a change on what was seen, and is no more, is a conflict.
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
    let mut names = ["a", "a-b", "a.b", "aa", "a/b", "ab", "Über", "é", "1", "10", "2"]
        .map(name)
        .into_iter()
        .collect::<Checked<Vec<_>>>()?;
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
