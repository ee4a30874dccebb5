//! `import --merge`: what a document lacks is added where it stands in the text that is read, and nowhere else.
//!
//! A bullet is there if one with the same box, tags and content stands under the same sections, block, label and parents. A
//! section that is missing is added whole; a bullet that is missing, behind the bullets of its list. The result is read again: an
//! addition that would belong to something else, or change what other lines belong to, is not made, and is lost.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use memdoc::document::{BulletRef, SectionRef};
use memdoc::edit::{EditBuilder, Part, PartStatus};
use memdoc::request::{Append, InsertLines};
use memdoc::text::{Line, Span};
use memdoc::{Authority, Edit, MemoryDoc, Request, Timestamp, View};
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
    let is_heading = |at| doc.section_at(at).is_some_and(|section| section.line.start() == at);
    for line in Line::all_within(doc.text(), span) {
        let (at, text) = (line.full.start(), line.text.of(doc.text()));
        let fence = outline.fence_at(at).map(|fence| fence.extent);
        if text.trim().is_empty() || doc.bullet_at(at).is_some() || is_heading(at) {
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
}

/// What a document lacks: a section with all below it, or bullets of one list, each with those below it.
#[derive(Clone)]
enum Addition<'a> {
    Section(SectionRef<'a>),
    List(Vec<BulletRef<'a>>),
}

/// Where the sections and bullets of a document stand.
struct Places<'a> {
    doc: &'a MemoryDoc,
    sections: HashMap<Vec<String>, SectionRef<'a>>,
    /// The last bullet of each list.
    last: HashMap<Home, BulletRef<'a>>,
    /// The bullets without what pins them or lets them expire.
    bullets: HashMap<Fact, Vec<BulletRef<'a>>>,
}

/// What a document lacks, and why it was not added.
pub(crate) struct Missing {
    pub(crate) noun: &'static str,
    pub(crate) why: &'static str,
    pub(crate) text: String,
}

/// Adds what a document lacks, and returns what has no certain place in it.
pub(crate) fn merged(before: &MemoryDoc, incoming: &MemoryDoc, now: Timestamp) -> (MemoryDoc, Vec<Missing>) {
    let docs = [before, incoming];
    let paths = most(docs.map(|doc| doc.sections().map(path).collect()));
    let blocks = most(docs.map(|doc| doc.blocks().map(|block| block.id().to_owned()).collect()));
    let facts_before = sorted(facts(before, before.span()));
    let mut merge = Merge { doc: before.clone(), facts: facts_before, incoming, paths, blocks, now };
    // At the end of a section, its bullets come before a new section.
    let additions: Vec<_> = merge.missing_lists().into_iter().chain(merge.missing_sections()).collect();
    merge.add(&additions);
    let mut titles: HashMap<Vec<String>, &str> = HashMap::new();
    for section in incoming.sections() {
        titles.entry(path(section)).or_insert(section.title());
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
        let text = match fact.kind {
            Kind::Heading => titles.get(&fact.home.sections).copied().unwrap_or_default().to_owned(),
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

impl<'a> Places<'a> {
    fn of(doc: &'a MemoryDoc) -> Self {
        let sections = doc.sections().map(|section| (path(section), section)).collect();
        let mut places = Self { doc, sections, last: HashMap::new(), bullets: HashMap::new() };
        for bullet in doc.bullets() {
            let fact = Fact::of(bullet);
            places.bullets.entry(fact.lasting()).or_default().push(bullet);
            places.last.insert(fact.home, bullet);
        }
        places
    }

    /// Returns how many lines end until an offset.
    fn lines_until(&self, end: usize) -> usize {
        end.checked_sub(1).map_or(0, |last| self.doc.line_number(last))
    }
}

impl<'a> Merge<'a> {
    /// Returns the sections that are missing and whose parents are there, the deepest first.
    fn missing_sections(&self) -> Vec<Addition<'a>> {
        let had: HashSet<Vec<String>> = self.doc.sections().map(path).collect();
        let is_one = |path: &Vec<String>| self.paths.get(path) == Some(&1);
        let has = |parent: SectionRef<'_>| Some(path(parent)).is_some_and(|path| is_one(&path) && had.contains(&path));
        let is_missing = |section: &SectionRef<'_>| {
            let path = path(*section);
            is_one(&path) && !had.contains(&path) && section.parent().is_none_or(has)
        };
        let mut missing: Vec<_> = self.incoming.sections().filter(is_missing).collect();
        missing.sort_by_key(|section| Reverse(section.ancestors().count()));
        missing.into_iter().map(Addition::Section).collect()
    }

    /// Returns the bullets that are missing, each list as one, the deepest first. Bullets with a number have no certain place.
    fn missing_lists(&self) -> Vec<Addition<'a>> {
        let mut known: HashSet<Fact> = self.facts.iter().map(Fact::lasting).collect();
        let had = known.clone();
        let mut lists: Vec<Vec<BulletRef<'_>>> = Vec::new();
        let mut index_of: HashMap<Home, usize> = HashMap::new();
        for bullet in self.incoming.bullets() {
            // With a bullet that is missing come those below it.
            let is_below_new = bullet.parent().is_some_and(|parent| !had.contains(&Fact::of(parent).lasting()));
            let fact = Fact::of(bullet);
            if is_below_new || !known.insert(fact.lasting()) || is_numbered(bullet) {
                continue;
            }
            let index = *index_of.entry(fact.home).or_insert(lists.len());
            match lists.get_mut(index) {
                Some(list) => list.push(bullet),
                None => lists.push(vec![bullet]),
            }
        }
        lists.sort_by_key(|list| Reverse(list.first().map(|bullet| bullet.ancestors().count())));
        lists.into_iter().map(Addition::List).collect()
    }

    /// Makes additions as one edit; if the result is not right, each half of them.
    fn add(&mut self, additions: &[Addition<'a>]) {
        if let Some((doc, facts)) = self.with(additions) {
            (self.doc, self.facts) = (doc, facts);
            return;
        }
        match additions {
            [Addition::List(list)] if list.len() > 1 => {
                let (first, second) = list.split_at(list.len() / 2);
                self.add(&[Addition::List(first.to_vec())]);
                self.add(&[Addition::List(second.to_vec())]);
            }
            [] | [_] => {}
            _ => {
                let (first, second) = additions.split_at(additions.len() / 2);
                self.add(first);
                self.add(second);
            }
        }
    }

    /// Returns the document with the additions that have a place, and what it says. Returns `None` if one of them, or what was
    /// there, would then belong to something else.
    fn with(&self, additions: &[Addition<'a>]) -> Option<(MemoryDoc, Vec<Fact>)> {
        let places = Places::of(&self.doc);
        let mut edit = EditBuilder::new(&self.doc);
        edit.part(Part::new(PartStatus::Applied));
        // Where something is added. What comes second there has lines, not the end of a line, above it.
        let mut written = HashSet::new();
        let mut wanted = self.facts.clone();
        for addition in additions {
            let planned = match addition {
                Addition::Section(section) => self.section_edit(&places, *section),
                Addition::List(list) => self.list_edit(&places, list),
            };
            let Some(planned) = planned else { continue };
            for splice in planned.splices() {
                let is_first = written.insert(splice.span.start());
                let text = match addition {
                    _ if is_first => splice.text.to_string(),
                    Addition::Section(_) => ending(&splice.text).to_owned() + trimmed(&splice.text),
                    Addition::List(_) => trimmed(&splice.text).to_owned(),
                };
                edit.replace(splice.span, text, splice.promise);
            }
            match addition {
                Addition::Section(section) => wanted.extend(facts(self.incoming, section.extent)),
                Addition::List(list) => {
                    let bullets = list.iter().flat_map(|own| self.incoming.bullets_within(own.extent));
                    wanted.extend(bullets.map(Fact::of));
                }
            }
        }
        let doc = self.doc.commit(&edit.finish().ok()?, Authority::Agent).ok()?.doc;
        let wanted = sorted(wanted);
        (wanted == sorted(facts(&doc, doc.span()))).then_some((doc, wanted))
    }

    fn section_edit(&self, places: &Places<'_>, section: SectionRef<'_>) -> Option<Edit> {
        let mut append = Append::new(section.extent.of(self.incoming.text()).trim_end());
        append.section = self.section(places, section.parent())?.map(Into::into);
        self.planned(&append)
    }

    /// Returns the name of the only section that is this one; `None` if there is none or are several.
    fn section(&self, places: &Places<'_>, section: Option<SectionRef<'_>>) -> Option<Option<String>> {
        let Some(section) = section else { return Some(None) };
        let path = path(section);
        let own = places.sections.get(&path).filter(|_| self.paths.get(&path) == Some(&1))?;
        Some(Some(own.path()))
    }

    /// Returns the edit that adds bullets behind the others of their list; where there are none, at the end of the section's own
    /// text. Returns `None` if that has no certain place: a section or block that is there twice, a label, a list that is numbered.
    fn list_edit(&self, places: &Places<'_>, list: &[BulletRef<'_>]) -> Option<Edit> {
        let first = list.first()?;
        let home = Fact::of(*first).home;
        let is_one = |count: Option<&usize>| count == Some(&1);
        let is_certain = home.label.is_none()
            && (home.sections.is_empty() || is_one(self.paths.get(&home.sections)))
            && home.block.as_ref().is_none_or(|id| is_one(self.blocks.get(id)));
        let last = places.last.get(&home);
        if !is_certain || last.is_some_and(|last| is_numbered(*last)) {
            return None;
        }
        let text: String =
            list.iter().map(|own| own.extent.of(self.incoming.text()).trim_end().to_owned() + "\n").collect();
        let parents = first.parent().and_then(|parent| places.bullets.get(&Fact::of(parent).lasting()));
        let behind = match (last, parents.map_or(&[][..], Vec::as_slice), first.parent()) {
            (Some(last), [], None) | (Some(last), [_], Some(_)) => Some(last.extent.end()),
            (None, [parent], Some(_)) => Some(parent.extent.end()),
            (None, [], None) if home.block.is_none() => None,
            _ => return None,
        };
        if let Some(end) = behind {
            return self.planned(&InsertLines::new(places.lines_until(end), text));
        }
        let heading = self.doc.sections().next().map(|section| section.line.start());
        let section = self.section(places, first.section())?;
        if let (Some(heading), None) = (heading, &section) {
            return self.planned(&InsertLines::new(places.lines_until(heading), text + "\n"));
        }
        let body = places.sections.get(&home.sections).map_or(self.doc.span(), |section| section.body);
        // Right below a line, they could be what that line names.
        let is_below = !self.doc.text().get(body.start()..body.end()).unwrap_or_default().trim().is_empty();
        let mut append = Append::new(if is_below { format!("\n{text}") } else { text });
        append.section = section.map(Into::into);
        self.planned(&append)
    }

    fn planned(&self, request: &dyn Request) -> Option<Edit> {
        request.plan(&View::current(&self.doc, self.now)).ok()
    }
}

/// Returns a text without blank lines at its start.
fn trimmed(text: &str) -> &str {
    text.trim_start_matches(['\r', '\n'])
}

/// Returns how the lines of a text end.
fn ending(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn is_numbered(bullet: BulletRef<'_>) -> bool {
    bullet.marker().starts_with(|c: char| c.is_ascii_digit())
}
