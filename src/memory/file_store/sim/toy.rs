//! A small journal: a line for each document, with both texts and a checksum.

use super::super::super::DocName;
use super::super::super::journal::Erased;
use super::super::placement::{Group, Line, Placement, Step};
use crate::text::{Digest, Revision, SharedText};

/// A document, the text that it had, and the text that it gets.
pub(in super::super) type Change<'a> = (&'a str, Option<&'a str>, Option<&'a str>);

/// How the lines are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Toy {
    /// As they are.
    Strict,
    /// Each as if it had been appended by itself.
    Trusting,
}

pub(in super::super) fn name(text: &str) -> DocName {
    text.parse::<DocName>().unwrap()
}

/// Returns the lines of a group that begins with number `first`.
pub(in super::super) fn group(first: u64, changes: &[Change<'_>]) -> Vec<u8> {
    let last = first + changes.len() as u64 - 1;
    let mut lines = String::new();
    for (seq, (name, base, new)) in (first..).zip(changes) {
        let side = |text: &Option<&str>| text.map_or("-".to_owned(), |text| format!("={text}"));
        let body = format!("{seq}\t{first}\t{last}\t{name}\t{}\t{}", side(base), side(new));
        let check = Digest::of(body.as_bytes()).to_string();
        lines += &format!("{body}\t{}\n", &check[..8]);
    }
    lines.into_bytes()
}

struct Fields {
    seq: u64,
    group: Group,
    name: String,
    base: Option<String>,
    new: Option<String>,
}

fn fields(line: &[u8]) -> Option<Fields> {
    let (body, check) = std::str::from_utf8(line).ok()?.rsplit_once('\t')?;
    if Digest::of(body.as_bytes()).to_string()[..8] != *check {
        return None;
    }
    let fields: Vec<_> = body.split('\t').collect();
    let number = |index: usize| fields.get(index)?.parse().ok();
    let side = |index: usize| Some(fields.get(index)?.strip_prefix('=').map(str::to_owned));
    Some(Fields {
        seq: number(0)?,
        group: Group { first: number(1)?, last: number(2)? },
        name: (*fields.get(3)?).to_owned(),
        base: side(4)?,
        new: side(5)?,
    })
}

impl Placement for Toy {
    fn read(&self, line: &[u8]) -> Option<Line> {
        let fields = fields(line)?;
        let revision = |text: Option<String>| text.map(|text| Revision::of(&text));
        let step =
            Step { name: name(&fields.name), base: revision(fields.base), new: revision(fields.new), withheld: None };
        let alone = Group { first: fields.seq, last: fields.seq };
        let group = if *self == Self::Trusting { alone } else { fields.group };
        Some(Line { seq: fields.seq, group, documents: vec![step] })
    }

    fn seq(&self, line: &[u8]) -> Option<u64> {
        self.read(line).map(|line| line.seq)
    }

    fn text(&self, line: &[u8], document: &DocName, base: Option<&str>) -> Option<SharedText> {
        let fields = fields(line)?;
        assert_eq!(fields.name, document.as_str());
        assert_eq!(fields.base.as_deref(), base);
        fields.new.map(SharedText::from)
    }

    fn erased(&self, _: &[u8]) -> Erased {
        Erased::default()
    }

    fn without(&self, _: &[u8], _: &Erased) -> Option<Vec<u8>> {
        None
    }
}
