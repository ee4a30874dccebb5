//! Edits of a document: planned and committed, without a memory around it.

use std::hint::black_box;
use std::sync::Arc;

use memdoc::document::Rules;
use memdoc::request::patch::Patch;
use memdoc::text::Span;
use memdoc::{Authority, MemoryDoc, Replace, Request, Revision, Timestamp, View, edit::EditBuilder, edit::Promise};

use super::Failure;
use super::documents::{Place, SIZES, Size, documents, lines};
use super::figures::{Figure, Run};

/// Documents that take turns, each with what is known of the next edit of it.
struct Turns<T> {
    all: Vec<T>,
    next: usize,
}

impl<T> Turns<T> {
    const fn new(all: Vec<T>) -> Self {
        Self { all, next: 0 }
    }

    fn next(&mut self) -> Result<&mut T, Failure> {
        self.next += 1;
        let turn = self.next % self.all.len().max(1);
        self.all.get_mut(turn).ok_or_else(|| "no documents".into())
    }
}

/// A document, and the words that edits turn into each other, so that each is made on the result of the one before.
struct Edited {
    doc: MemoryDoc,
    words: [&'static str; 2],
}

pub(super) fn measure(run: &mut Run) -> Result<(), Failure> {
    for (at, size) in SIZES.into_iter().enumerate() {
        let docs = documents(size)?;
        let texts: Vec<_> = docs.iter().map(|doc| doc.text().to_owned()).collect();
        parse(run, size, &texts)?;
        let places = [
            ("replace at the start", Place::Start, [4.0, 1.3, 1.25]),
            ("replace in the middle", Place::Middle, [4.0, 1.3, 1.25]),
            ("replace at 90 %", Place::NearEnd, [4.0, 0.4, 0.3]),
        ];
        for (name, place, goals) in places {
            let figure = Figure { name, size, goal: goals.get(at).copied() };
            replace(run, &figure, place, &docs)?;
        }
        append(run, &Figure { name: "append", size, goal: [None, Some(0.2), Some(0.15)][at] }, &docs)?;
        patched(run, &Figure { name: "patch of one hunk at 90 %", size, goal: Some([5.0, 0.6, 0.5][at]) }, &docs)?;
        refusal(run, size, &docs)?;
        refused_patch(run, size, &docs)?;
    }
    hunks(run, SIZES[2])?;
    many(run, SIZES[2])
}

fn texts(docs: &[MemoryDoc]) -> Vec<String> {
    docs.iter().map(|doc| doc.text().to_owned()).collect()
}

/// A full parse beside the hash of the same text.
fn parse(run: &mut Run, size: Size, texts: &[String]) -> Result<(), Failure> {
    let rules = Arc::new(Rules::default());
    let (mut parsed, mut hashed) = (Turns::new(texts.to_vec()), Turns::new(texts.to_vec()));
    let goal = Some(if size.bytes == SIZES[0].bytes { 1.9 } else { 1.7 });
    // A document is parsed and hashed: the goal is that of the parse alone, and the hash.
    let mut ours = || {
        black_box(MemoryDoc::with_rules(parsed.next()?.as_str(), rules.clone()));
        Ok(())
    };
    let mut theirs = || {
        black_box(Revision::of(hashed.next()?));
        Ok(())
    };
    run.against(&Figure { name: "parse and hash / hash", size, goal }, &mut theirs, &mut ours)
}

fn replace(run: &mut Run, figure: &Figure<'_>, place: Place, docs: &[MemoryDoc]) -> Result<(), Failure> {
    let words = place.words();
    let mut turns = Turns::new(docs.iter().map(|doc| Edited { doc: doc.clone(), words }).collect());
    let mut ours = || {
        let Edited { doc, words } = turns.next()?;
        let [old, new] = *words;
        let edit = Replace::new(old, new).plan(&View::current(doc, Timestamp::default()))?;
        *doc = doc.commit(&edit, Authority::Agent)?.doc;
        words.reverse();
        Ok(())
    };
    run.against_floor(figure, &texts(docs), &mut ours)
}

/// Adds a bullet at the end, and takes it back; each is an edit of the end.
fn append(run: &mut Run, figure: &Figure<'_>, docs: &[MemoryDoc]) -> Result<(), Failure> {
    let bullet = "- [new] Has taken up the cello\n";
    let mut turns = Turns::new(docs.iter().map(|doc| (doc.clone(), true)).collect());
    let mut ours = || {
        let (doc, adds) = turns.next()?;
        let end = doc.text().len();
        let mut edit = EditBuilder::new(doc);
        match adds {
            true => edit.replace(Span::new(end, end), bullet, Promise::Bullets(1)),
            false => edit.replace(Span::new(end - bullet.len(), end), "", Promise::Lines),
        };
        let edit = edit.finish()?;
        *doc = doc.commit(&edit, Authority::Agent)?.doc;
        *adds = !*adds;
        Ok(())
    };
    run.against_floor(figure, &texts(docs), &mut ours)
}

/// Writes a patch that replaces a word in one line, known by it and its neighbors.
fn hunk(doc: &MemoryDoc, [old, new]: [&str; 2]) -> Option<String> {
    let at = doc.text().find(old)?;
    let line = doc.line_number(at) - 1;
    let lines: Vec<_> = lines(doc.text()).skip(line.saturating_sub(1)).take(3).collect();
    let [above, this, below] = *lines.as_slice() else { return None };
    Some(format!("@@\n {above}\n-{this}\n+{}\n {below}\n", this.replace(old, new)))
}

fn envelope(hunks: &str) -> String {
    format!("*** Begin Patch\n*** Update Memory\n{hunks}*** End Patch\n")
}

fn patched(run: &mut Run, figure: &Figure<'_>, docs: &[MemoryDoc]) -> Result<(), Failure> {
    let [old, new] = Place::NearEnd.words();
    let turn = |doc: &MemoryDoc| {
        let there = envelope(&hunk(doc, [old, new])?);
        let changed = MemoryDoc::parse(doc.text().replace(old, new));
        let back = envelope(&hunk(&changed, [new, old])?);
        Some((doc.clone(), [there, back]))
    };
    let mut turns = Turns::new(docs.iter().filter_map(turn).collect());
    let mut ours = || {
        let (doc, patches) = turns.next()?;
        *doc = commit_patch(doc, &patches[0])?;
        patches.reverse();
        Ok(())
    };
    run.against_floor(figure, &texts(docs), &mut ours)
}

fn commit_patch(doc: &MemoryDoc, patch: &str) -> Result<MemoryDoc, Failure> {
    let patch: Patch = patch.parse()?;
    let patch = patch.documents.first().ok_or("no document")?;
    let edit = patch.plan(&View::current(doc, Timestamp::default()))?;
    Ok(doc.commit(&edit, Authority::Agent)?.doc)
}

/// A text with one letter wrong, beside the same call without.
fn refusal(run: &mut Run, size: Size, docs: &[MemoryDoc]) -> Result<(), Failure> {
    let figure = Figure { name: "refusal / success", size, goal: Some(8.0) };
    let [old, new] = ["The dog is called Biscuit and fears thunder", "The dog is called Biscuit and fears rain"];
    let wrong = "The dog is called Biscuit and feers thunder";
    let (mut refused, mut made) = (Turns::new(docs.to_vec()), Turns::new(docs.to_vec()));
    let mut ours = || {
        let planned = Replace::new(wrong, new).plan(&View::current(refused.next()?, Timestamp::default()));
        black_box(planned).err().map(drop).ok_or_else(|| "made what is to be refused".into())
    };
    let mut theirs = || {
        let doc = made.next()?;
        let edit = Replace::new(old, new).plan(&View::current(doc, Timestamp::default()))?;
        black_box(doc.commit(&edit, Authority::Agent)?);
        Ok(())
    };
    run.against(&figure, &mut theirs, &mut ours)
}

/// A patch of one hunk with one letter wrong, beside the same patch without.
fn refused_patch(run: &mut Run, size: Size, docs: &[MemoryDoc]) -> Result<(), Failure> {
    let figure = Figure { name: "refusal of a patch / success", size, goal: Some(8.0) };
    let words = Place::Middle.words();
    let right = |doc: &MemoryDoc| Some((doc.clone(), envelope(&hunk(doc, words)?)));
    let right: Vec<_> = docs.iter().filter_map(right).collect();
    let misspelt = words[0].replacen('e', "a", 1);
    let wrong = right.iter().map(|(doc, patch)| (doc.clone(), patch.replace(words[0], &misspelt)));
    let (mut refused, mut made) = (Turns::new(wrong.collect()), Turns::new(right.clone()));
    let mut ours = || {
        let (doc, patch) = refused.next()?;
        black_box(commit_patch(doc, patch)).err().map(drop).ok_or_else(|| "made what is to be refused".into())
    };
    let mut theirs = || {
        let (doc, patch) = made.next()?;
        black_box(commit_patch(doc, patch)?);
        Ok(())
    };
    run.against(&figure, &mut theirs, &mut ours)
}

/// A hundred hunks in one patch, beside one.
fn hunks(run: &mut Run, size: Size) -> Result<(), Failure> {
    let docs = documents(size)?;
    let doc = docs.first().ok_or("no documents")?;
    let lines: Vec<_> = lines(doc.text()).collect();
    let numbered = lines.iter().filter(|line| line.starts_with("- Prefers trains"));
    let every = numbered.clone().count() / 101;
    let hunks = numbered.step_by(every.max(1)).take(100);
    let all: String = hunks.map(|line| format!("@@\n-{line}\n+{line}, always\n")).collect();
    let (one, all) = (envelope(&hunk(doc, Place::Middle.words()).ok_or("no hunk")?), envelope(&all));
    let mut ours = || commit_patch(doc, &all).map(drop);
    let mut theirs = || commit_patch(doc, &one).map(drop);
    run.against(&Figure { name: "100 hunks / 1 hunk", size, goal: Some(1.3) }, &mut theirs, &mut ours)
}

/// A thousand replacements in one call, beside the standard library's count and replacement.
fn many(run: &mut Run, size: Size) -> Result<(), Failure> {
    let docs = documents(size)?;
    let doc = docs.first().ok_or("no documents")?;
    let text = doc.text().replacen("window seat", "aisle seats", 1000);
    let doc = MemoryDoc::with_rules(text, doc.rules().clone());
    let mut request = Replace::new("aisle seats", "place aisle");
    request.expected = None;
    let mut ours = || {
        let edit = request.plan(&View::current(&doc, Timestamp::default()))?;
        black_box(doc.commit(&edit, Authority::Agent)?);
        Ok(())
    };
    let mut theirs = || {
        let count = black_box(doc.text()).matches("aisle seats").count();
        black_box(doc.text().replacen("aisle seats", "place aisle", count));
        Ok(())
    };
    run.against(&Figure { name: "1,000 replacements / std", size, goal: Some(1.5) }, &mut theirs, &mut ours)
}
