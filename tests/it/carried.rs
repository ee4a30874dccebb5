//! An edit that is carried over what others have changed puts each line below what its author put it below, or is refused.
//!
//! Both edits are made on a tree whose nodes have identities, so that the right result is known, where lines, titles and bullets
//! read alike.

use std::cell::Cell;

use memdoc::request::{RequestError, rebase};
use memdoc::{
    Authority, Basis, Edit, Known, MemoryDoc, Request, Timestamp, View, edit::EditBuilder, edit::Part,
    edit::PartStatus, edit::Promise, text::Span,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::soak;

const TEXTS: &[&str] = &["tea", "x", "Trip", "tea"];
const TITLES: &[&str] = &["Alpha", "Beta", "Notes"];

/// A node of the tree: a section with its own bullets first, then its subsections, or a bullet with its children.
#[derive(Clone, Debug, PartialEq)]
struct Node {
    id: usize,
    text: String,
    bullets: Vec<Node>,
    sections: Vec<Node>,
}

impl Node {
    fn ids(&self) -> Vec<usize> {
        let inner = self.bullets.iter().chain(&self.sections).flat_map(Node::ids);
        std::iter::once(self.id).chain(inner).collect()
    }

    fn find(&mut self, id: usize) -> Option<&mut Node> {
        if self.id == id {
            return Some(self);
        }
        self.bullets.iter_mut().chain(&mut self.sections).find_map(|node| node.find(id))
    }

    /// Writes the lines below the node, each with the node that it is.
    fn write(&self, level: usize, indent: usize, out: &mut Vec<(String, usize)>) {
        for bullet in &self.bullets {
            out.push((format!("{}- {}", " ".repeat(indent), bullet.text), bullet.id));
            bullet.write(level, indent + 2, out);
        }
        for section in &self.sections {
            out.push((format!("{} {}", "#".repeat(level), section.text), section.id));
            section.write(level + 1, 0, out);
        }
    }

    fn lines(&self) -> Vec<(String, usize)> {
        let mut out = Vec::new();
        self.write(2, 0, &mut out);
        out
    }

    fn document(&self) -> String {
        self.lines().iter().map(|(line, _)| format!("{line}\n")).collect()
    }

    /// Returns what each node stands below, by texts, with the siblings in any order.
    fn shape(&self) -> (String, Vec<(String, Vec<String>)>) {
        let mut below: Vec<_> =
            self.bullets.iter().chain(&self.sections).map(|node| format!("{:?}", node.shape())).collect();
        below.sort();
        (self.text.clone(), vec![(self.text.clone(), below)])
    }
}

/// What is done to a node, by the index of the node.
#[derive(Clone, Debug)]
enum Op {
    Insert(Index, &'static str),
    InsertFirst(Index, &'static str),
    Update(Index, &'static str),
    Delete(Index),
}

fn op() -> impl Strategy<Value = Op> {
    let texts = || select(vec!["tea", "x", "Trip", "new"]);
    prop_oneof![
        3 => (any::<Index>(), texts()).prop_map(|(at, text)| Op::Insert(at, text)),
        1 => (any::<Index>(), texts()).prop_map(|(at, text)| Op::InsertFirst(at, text)),
        2 => (any::<Index>(), texts()).prop_map(|(at, text)| Op::Update(at, text)),
        2 => any::<Index>().prop_map(Op::Delete),
    ]
}

/// Makes a node of a text, its bullets and its sections.
type MakeNode<'m> = dyn FnMut(&str, Vec<Node>, Vec<Node>) -> Node + 'm;

fn tree() -> impl Strategy<Value = Node> {
    let child = prop::option::weighted(0.3, select(TEXTS));
    let bullets = || prop::collection::vec((select(TEXTS), child.clone()), 0..4);
    let section = (bullets(), prop::collection::vec((select(TITLES), bullets()), 0..3));
    let tops = prop::sample::subsequence(TITLES, 1..=TITLES.len());
    (tops, prop::collection::vec(section, 3)).prop_map(|(titles, bodies)| {
        let mut next = 0;
        let mut node = |text: &str, bullets: Vec<Node>, sections: Vec<Node>| {
            next += 1;
            Node { id: next, text: text.to_owned(), bullets, sections }
        };
        let mut tops = Vec::new();
        for (title, (own, subsections)) in titles.iter().zip(bodies) {
            let bullets = |bullets: Vec<(&str, Option<&str>)>, node: &mut MakeNode<'_>| {
                let bullet = |(text, child): (&str, Option<&str>)| {
                    let children = child.map(|child| node(child, Vec::new(), Vec::new())).into_iter().collect();
                    node(text, children, Vec::new())
                };
                bullets.into_iter().map(bullet).collect::<Vec<_>>()
            };
            let own = bullets(own, &mut node);
            let mut below: Vec<Node> = Vec::new();
            for (title, inner) in subsections {
                // No two sections beside one another have the same title.
                if below.iter().all(|other| other.text != title) {
                    let inner = bullets(inner, &mut node);
                    below.push(node(title, inner, Vec::new()));
                }
            }
            tops.push(node(title, own, below));
        }
        node("", Vec::new(), tops)
    })
}

/// Does an operation that was chosen in `seen`; returns `None` where what it needs is no longer as it was there.
fn apply(op: &Op, seen: &Node, tree: &Node, fresh: usize) -> Option<Node> {
    let (mut seen, mut tree) = (seen.clone(), tree.clone());
    let ids = seen.ids();
    let is_bullet =
        |seen: &Node, id| seen.lines().iter().any(|(line, of)| *of == id && line.trim_start().starts_with('-'));
    match op {
        Op::Insert(at, text) | Op::InsertFirst(at, text) => {
            let id = *at.get(&ids);
            let is_nested = seen.lines().iter().any(|(line, of)| *of == id && line.starts_with(' '));
            if id == seen.id || is_nested {
                return None;
            }
            let new = Node { id: fresh, text: (*text).to_owned(), bullets: Vec::new(), sections: Vec::new() };
            let parent = tree.find(id)?;
            let place = if matches!(op, Op::Insert(..)) { parent.bullets.len() } else { 0 };
            parent.bullets.insert(place, new);
        }
        Op::Update(at, text) => {
            let id = *at.get(&ids);
            if !is_bullet(&seen, id) || seen.find(id)?.text == *text || tree.find(id)?.text != seen.find(id)?.text {
                return None;
            }
            tree.find(id)?.text = (*text).to_owned();
        }
        Op::Delete(at) => {
            let id = *at.get(&ids);
            if !is_bullet(&seen, id) || tree.find(id)? != seen.find(id)? {
                return None;
            }
            remove(&mut tree, id);
        }
    }
    Some(tree)
}

fn remove(node: &mut Node, id: usize) {
    node.bullets.retain(|bullet| bullet.id != id);
    node.bullets.iter_mut().chain(&mut node.sections).for_each(|inner| remove(inner, id));
}

/// An edit that is known already.
#[derive(Debug)]
struct Planned(Edit);

impl Request for Planned {
    fn plan(&self, _view: &View<'_>) -> Result<Edit, RequestError> {
        Ok(self.0.clone())
    }
}

/// Returns the edit between two trees: the lines of a node stay or are rewritten in their place.
fn edit(doc: &MemoryDoc, old: &Node, new: &Node) -> Edit {
    let (olds, news) = (old.lines(), new.lines());
    let mut builder = EditBuilder::new(doc);
    builder.part(Part::new(PartStatus::Applied));
    let (mut at, mut next) = (0, 0);
    for (line, id) in &olds {
        let span = Span::new(at, at + line.len() + 1);
        match news.iter().position(|(_, new)| new == id) {
            None => drop(builder.replace(span, "", Promise::Lines)),
            Some(place) => {
                let added: String = news[next..place].iter().map(|(line, _)| format!("{line}\n")).collect();
                if !added.is_empty() {
                    builder.replace(Span::at(at), added, Promise::Lines);
                }
                if news[place].0 != *line {
                    builder.replace(Span::new(at, at + line.len()), news[place].0.clone(), Promise::Lines);
                }
                next = place + 1;
            }
        }
        at = span.end();
    }
    let added: String = news[next..].iter().map(|(line, _)| format!("{line}\n")).collect();
    if !added.is_empty() {
        builder.replace(Span::at(at), added, Promise::Lines);
    }
    builder.finish().unwrap()
}

/// Reads a document as a tree.
fn read(text: &str) -> Node {
    let mut path: Vec<(usize, Node)> =
        vec![(0, Node { id: 0, text: String::new(), bullets: Vec::new(), sections: Vec::new() })];
    let close = |path: &mut Vec<(usize, Node)>, depth: usize| {
        while path.last().unwrap().0 >= depth {
            let (depth, node) = path.pop().unwrap();
            let parent = &mut path.last_mut().unwrap().1;
            if depth < 100 { parent.sections.push(node) } else { parent.bullets.push(node) }
        }
    };
    for line in text.split_terminator('\n') {
        let (depth, text) = match line.trim_start().strip_prefix("- ") {
            Some(text) => (100 + line.len() - line.trim_start().len(), text),
            None => (line.len() - line.trim_start_matches('#').len(), line.trim_start_matches('#').trim_start()),
        };
        close(&mut path, depth);
        path.push((depth, Node { id: 0, text: text.to_owned(), bullets: Vec::new(), sections: Vec::new() }));
    }
    close(&mut path, 1);
    path.pop().unwrap().1
}

#[test]
fn equal_lines_never_slip() {
    let cases = u32::try_from(768 * soak::factor()).unwrap();
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let (carried, refused) = (Cell::new(0), Cell::new(0));
    proptest!(config, |(base in tree(), own in op(), others in prop::collection::vec(op(), 1..4))| {
        let Some(ours) = apply(&own, &base, &base, 1000) else { return Ok(()) };
        let mut theirs = base.clone();
        for (nth, op) in others.iter().enumerate() {
            theirs = apply(op, &theirs, &theirs, 2000 + nth).unwrap_or(theirs);
        }
        let [seen, now] = [&base, &theirs].map(|tree| MemoryDoc::parse(tree.document()));
        let planned = Planned(edit(&seen, &base, &ours));
        let made = seen.commit(&planned.0, Authority::Host).unwrap().doc;
        prop_assert_eq!(made.text(), ours.document());
        let known = Known::of(&seen);
        let basis = Basis::Known(&known);
        let Ok(rebased) = rebase(&planned, &View::new(&now, &basis, Timestamp::default())) else {
            refused.set(refused.get() + 1);
            return Ok(());
        };
        carried.set(carried.get() + 1);
        let result = now.commit(&rebased.current, Authority::Host).unwrap().doc;
        // Where its object is gone, another of that name is taken for it.
        let Some(expected) = apply(&own, &base, &theirs, 1000) else { return Ok(()) };
        // What both changed in the same way is changed once.
        let shape = read(result.text()).shape();
        let is_right = shape == expected.shape() || shape == read(now.text()).shape();
        let texts = [seen.text(), &ours.document(), now.text(), result.text()].join("---\n");
        prop_assert!(is_right, "{texts}");
    });
    assert!(carried > refused, "{carried:?} carried, {refused:?} refused");
}
