//! `import --merge`: what a document lacks is added where it stands in the text that is read, and nowhere else.
//!
//! A bullet is there if one with the same box, tags and content stands under the same sections, block, label and parents. A
//! section that is missing is added whole; a bullet that is missing, behind the bullets of its list. Each addition is read
//! again: if it would belong to something else, or change what other lines belong to, it is not made, and is lost.

use std::collections::{HashMap, HashSet};

use memdoc::document::{BulletRef, SectionRef};
use memdoc::request::{Append, InsertLines};
use memdoc::text::{Line, Span};
use memdoc::{Authority, MemoryDoc, Request, Timestamp, View};
use unicode_normalization::UnicodeNormalization as _;

use crate::formats::acts;

/// What a line, or a bullet with its further lines, says, and what it belongs to, in comparable form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Fact {
    home: Home,
    kind: Kind,
    words: Words,
    /// The tags that pin a bullet or let it expire.
    acting: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Bullet,
    Heading,
    FrontMatter,
    Other,
}

/// What a bullet belongs to, each outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Home {
    sections: Vec<String>,
    block: Option<String>,
    label: Option<String>,
    parents: Vec<Words>,
}

/// The box, the other tags and the content of a bullet.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Words {
    checkbox: Option<String>,
    tags: Vec<String>,
    content: String,
}

impl Fact {
    fn of(bullet: BulletRef<'_>) -> Self {
        let mut home = Home::at(bullet.doc(), bullet.line.start());
        home.parents = bullet.ancestors().skip(1).map(Words::of).collect();
        home.parents.reverse();
        let acting = bullet.tags().into_iter().filter(|tag| acts(tag)).map(str::to_owned).collect();
        Self { home, kind: Kind::Bullet, words: Words::of(bullet), acting }
    }

    fn heading(section: SectionRef<'_>) -> Self {
        Self::line(section.doc(), section.line, Kind::Heading, "")
    }

    fn line(doc: &MemoryDoc, line: Span, kind: Kind, content: &str) -> Self {
        let words = Words { content: content.trim_end().to_owned(), ..Words::default() };
        Self { home: Home::at(doc, line.start()), kind, words, acting: Vec::new() }
    }

    /// Returns the fact without what pins it or lets it expire.
    fn lasting(&self) -> Self {
        Self { acting: Vec::new(), ..self.clone() }
    }
}

impl Home {
    fn at(doc: &MemoryDoc, offset: usize) -> Self {
        Self {
            sections: doc.section_at(offset).map(path).unwrap_or_default(),
            block: doc.block_at(offset).map(|block| block.id().to_owned()),
            label: doc.label_at(offset).map(|label| folded(label.name())),
            parents: Vec::new(),
        }
    }
}

impl Words {
    fn of(bullet: BulletRef<'_>) -> Self {
        let content = bullet.content();
        // White space matters in code.
        let has_code = content.contains("```") || content.contains("~~~");
        let content = if has_code { content } else { bullet.folded_content() };
        let tags = bullet.tags().into_iter().filter(|tag| !acts(tag)).map(str::to_owned).collect();
        Self { checkbox: bullet.checkbox().map(str::to_owned), tags, content: content.trim_end().to_owned() }
    }
}

/// Returns the titles above a section and its own.
fn path(section: SectionRef<'_>) -> Vec<String> {
    let mut titles: Vec<String> = section.ancestors().map(|section| folded(section.title())).collect();
    titles.reverse();
    titles
}

/// Folds a name as the library does when it compares two.
fn folded(name: &str) -> String {
    let composed: String = name.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Returns all that the lines under a span say: bullets, headings, and the rest line by line, a fence as one.
fn facts(doc: &MemoryDoc, span: Span) -> Vec<Fact> {
    let outline = doc.outline();
    let mut facts: Vec<Fact> = doc.bullets_within(span).map(Fact::of).collect();
    let headings = doc.sections().filter(|section| span.contains(section.line.start()));
    facts.extend(headings.map(Fact::heading));
    let is_heading: HashSet<usize> = doc.sections().map(|section| section.line.start()).collect();
    for line in Line::all_within(doc.text(), span) {
        let (at, text) = (line.full.start(), line.text.of(doc.text()));
        let fence = outline.fence_at(at).map(|fence| fence.extent);
        if text.trim().is_empty() || doc.bullet_at(at).is_some() || is_heading.contains(&at) {
            continue;
        }
        match fence {
            Some(fence) if fence.start() != at => {}
            Some(fence) => {
                facts.push(Fact::line(doc, line.full, Kind::Other, &fence.of(doc.text()).replace("\r\n", "\n")));
            }
            None if at >= outline.body_start => facts.push(Fact::line(doc, line.full, Kind::Other, text)),
            None if text.trim() == "---" => {}
            None => facts.push(Fact::line(doc, line.full, Kind::FrontMatter, text)),
        }
    }
    facts
}

/// A document that gets what it lacks.
struct Merge<'a> {
    doc: MemoryDoc,
    /// What it says, sorted.
    facts: Vec<Fact>,
    incoming: &'a MemoryDoc,
    /// How often a path of sections, or the ID of a block, is there on the side where it is there more often.
    paths: HashMap<Vec<String>, usize>,
    blocks: HashMap<String, usize>,
    now: Timestamp,
    /// Whether each addition is read again, or all at the end.
    is_checked: bool,
}

/// What a document lacks, and why it was not added.
pub(crate) struct Missing {
    pub(crate) noun: &'static str,
    pub(crate) why: &'static str,
    pub(crate) text: String,
}

/// Adds what a document lacks, and returns what has no certain place in it.
pub(crate) fn merged(before: &MemoryDoc, incoming: &MemoryDoc, now: Timestamp) -> (MemoryDoc, Vec<Missing>) {
    // Most merges are right as a whole. One that is not is made again, step by step.
    let mut merge = Merge::of(before, incoming, now, false);
    if sorted(merge.facts.clone()) != sorted(facts(&merge.doc, merge.doc.span())) {
        merge = Merge::of(before, incoming, now, true);
    }
    let there: HashSet<Fact> = merge.facts.into_iter().collect();
    let lasting: HashSet<Fact> = there.iter().map(Fact::lasting).collect();
    let missing = facts(incoming, incoming.span()).into_iter().filter(|fact| !there.contains(fact));
    let missing = missing.map(|fact| {
        let (noun, why) = match fact.kind {
            Kind::Bullet if lasting.contains(&fact.lasting()) => ("bullet", "that is there with another pin or end"),
            Kind::Bullet => ("bullet", "without a certain place"),
            Kind::Heading => ("heading", "without a certain place"),
            Kind::FrontMatter => ("line", "of the front matter"),
            Kind::Other => ("line", "outside of bullets"),
        };
        let title = || incoming.sections().find(|section| path(*section) == fact.home.sections).map(SectionRef::title);
        let text = match fact.kind {
            Kind::Heading => title().unwrap_or_default().to_owned(),
            _ => fact.words.content,
        };
        Missing { noun, why, text }
    });
    (merge.doc, missing.collect())
}

fn sorted(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort();
    facts
}

/// Counts what is there in two texts: of each the larger number.
fn most<T: std::hash::Hash + Eq>(names: [Vec<T>; 2]) -> HashMap<T, usize> {
    let mut most = HashMap::new();
    for names in names {
        let mut counts: HashMap<T, usize> = HashMap::new();
        names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        for (name, count) in counts {
            let own: &mut usize = most.entry(name).or_default();
            *own = count.max(*own);
        }
    }
    most
}

impl<'a> Merge<'a> {
    /// Adds to a document what it lacks.
    fn of(before: &MemoryDoc, incoming: &'a MemoryDoc, now: Timestamp, is_checked: bool) -> Self {
        let docs = [before, incoming];
        let paths = most(docs.map(|doc| doc.sections().map(path).collect()));
        let blocks = most(docs.map(|doc| doc.blocks().map(|block| block.id().to_owned()).collect()));
        let facts = sorted(facts(before, before.span()));
        let mut merge = Self { doc: before.clone(), facts, incoming, paths, blocks, now, is_checked };
        merge.add_sections();
        merge.add_bullets();
        merge
    }

    /// Adds the sections that are missing, each with all below it.
    fn add_sections(&mut self) {
        let incoming = self.incoming;
        let had: HashSet<Vec<String>> = self.doc.sections().map(path).collect();
        let mut end = 0;
        for section in incoming.sections() {
            let path = path(section);
            if section.line.start() < end || self.paths.get(&path) != Some(&1) || had.contains(&path) {
                continue;
            }
            let Some(parent) = self.section(section.parent()) else { continue };
            let mut append = Append::new(section.extent.of(incoming.text()).trim_end());
            append.section = parent.map(Into::into);
            if self.add(&append, facts(incoming, section.extent)) {
                end = section.extent.end();
            }
        }
    }

    /// Returns the name of the only section that is this one; `None` if there is none or are several.
    fn section(&self, section: Option<SectionRef<'_>>) -> Option<Option<String>> {
        let Some(section) = section else { return Some(None) };
        let is_one = self.paths.get(&path(section)) == Some(&1);
        let own = self.doc.sections().find(|own| is_one && path(*own) == path(section))?;
        Some(Some(own.path()))
    }

    /// Adds the bullets that are missing in sections that are there.
    fn add_bullets(&mut self) {
        let mut known: HashSet<Fact> = self.facts.iter().map(Fact::lasting).collect();
        let had = known.clone();
        let mut lists: Vec<(Home, Vec<BulletRef<'_>>)> = Vec::new();
        for bullet in self.incoming.bullets() {
            // With a bullet that is missing come those below it.
            let is_below_new = bullet.parent().is_some_and(|parent| !had.contains(&Fact::of(parent).lasting()));
            let fact = Fact::of(bullet);
            if is_below_new || !known.insert(fact.lasting()) {
                continue;
            }
            match lists.iter_mut().find(|(home, _)| *home == fact.home) {
                Some((_, list)) => list.push(bullet),
                None => lists.push((fact.home, vec![bullet])),
            }
        }
        for (home, list) in lists {
            if !self.add_list(&home, &list) && list.len() > 1 {
                for bullet in list {
                    self.add_list(&home, &[bullet]);
                }
            }
        }
    }

    /// Adds bullets behind the others of their list; where there are none, at the end of the section's own text. Returns false if
    /// that has no certain place: a section or block that is there twice, a label, a list that is numbered.
    fn add_list(&mut self, home: &Home, list: &[BulletRef<'_>]) -> bool {
        let is_one = |count: Option<&usize>| count == Some(&1);
        let is_certain = home.label.is_none()
            && (home.sections.is_empty() || is_one(self.paths.get(&home.sections)))
            && home.block.as_ref().is_none_or(|id| is_one(self.blocks.get(id)));
        let is_numbered = |bullet: BulletRef<'_>| bullet.marker().starts_with(|c: char| c.is_ascii_digit());
        let heading = self.doc.sections().next().map(|section| section.line.start());
        let section = self.doc.sections().find(|own| path(*own) == home.sections).map(|section| section.body);
        let body = section.unwrap_or_else(|| Span::new(0, heading.unwrap_or(self.doc.text().len())));
        let others: Vec<_> = self.doc.bullets_within(body).map(|own| (own, Fact::of(own))).collect();
        let last = others.iter().rfind(|(_, fact)| fact.home == *home).map(|(own, _)| *own);
        let Some(first) = list.first() else { return true };
        if !is_certain || list.iter().copied().chain(last).any(is_numbered) {
            return false;
        }
        let text: String =
            list.iter().map(|own| own.extent.of(self.incoming.text()).trim_end().to_owned() + "\n").collect();
        let added = list.iter().flat_map(|own| self.incoming.bullets_within(own.extent)).map(Fact::of).collect();
        let parents: Vec<_> = match first.parent().map(|parent| Fact::of(parent).lasting()) {
            Some(parent) => others.iter().filter(|(_, fact)| fact.lasting() == parent).map(|(own, _)| *own).collect(),
            None => Vec::new(),
        };
        let behind = match (last, &*parents, first.parent()) {
            (Some(last), [], None) | (Some(last), [_], Some(_)) => Some(last.extent.end()),
            (None, [parent], Some(_)) => Some(parent.extent.end()),
            (None, [], None) if home.block.is_none() => None,
            _ => return false,
        };
        let lines = |end: usize| Line::all_within(self.doc.text(), Span::new(0, end)).count();
        let request: Box<dyn Request> = match (behind, heading, self.section(first.section())) {
            (Some(end), ..) => Box::new(InsertLines::new(lines(end), text)),
            // Above the first heading.
            (None, Some(heading), Some(None)) => Box::new(InsertLines::new(lines(heading), text + "\n")),
            (None, _, Some(section)) => {
                // Right below a line, they could be what that line names.
                let is_below = !self.doc.text().get(body.start()..body.end()).unwrap_or_default().trim().is_empty();
                let mut append = Append::new(if is_below { format!("\n{text}") } else { text });
                append.section = section.map(Into::into);
                Box::new(append)
            }
            (None, _, None) => return false,
        };
        self.add(&*request, added)
    }

    /// Adds lines if all of them, and what is there, belong afterwards to what they are to belong to.
    fn add(&mut self, request: &dyn Request, added: Vec<Fact>) -> bool {
        let Ok(edit) = request.plan(&View::current(&self.doc, self.now)) else { return false };
        let Ok(commit) = self.doc.commit(&edit, Authority::Agent) else { return false };
        if !self.is_checked {
            self.doc = commit.doc;
            self.facts.extend(added);
            return true;
        }
        let wanted = sorted(self.facts.iter().cloned().chain(added).collect());
        let is_right = wanted == sorted(facts(&commit.doc, commit.doc.span()));
        if is_right {
            (self.doc, self.facts) = (commit.doc, wanted);
        }
        is_right
    }
}
