//! Memories as lists of facts, and rewrites of them of which it is known what they lose: an operator changes the facts, and the
//! judge compares them whole. It reads no text.

use memdoc::request::{BulletOutcome, CompactionReport};
use memdoc::{MemoryDoc, Timestamp};

use super::compaction_draw::Draw;

const TITLES: [&str; 4] = ["Anna", "Ben", "Likes", "Health"];
const TEXTS: [&str; 12] = [
    "Likes tea",
    "Does not like tea",
    "Allergic to nuts",
    "Not allergic to nuts",
    "Owns 5 bikes",
    "Owns 12 bikes",
    "Takes 2.5 mg",
    "Takes 5 mg",
    "Meets at 10:30",
    "Knows C",
    "Knows C++",
    "the sea; the wind",
];
const MARKS: [&str; 8] = ["", "", "", "[ ] ", "[x] ", "[2026-01-01] ", "[rejected] ", "[expires: 2026-12-01] "];

/// A fact: what it says, how it is marked, and what it is said of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The title of its section.
    pub section: String,
    /// The label or the block line of its list, if it has one.
    pub head: Option<String>,
    /// The checkbox and tags, with a space behind.
    pub marks: String,
    /// The content.
    pub text: String,
    /// The fact that it is nested in, as marks and content.
    pub parent: Option<String>,
}

/// A rewrite of facts: what it makes of them, and what it loses.
#[derive(Debug)]
pub struct Rewritten {
    /// The facts before.
    pub old: Vec<Fact>,
    /// The facts after.
    pub new: Vec<Fact>,
    /// The indexes of the old facts that are lost.
    pub lost: Vec<usize>,
    /// Whether nothing is lost.
    pub is_harmless: bool,
}

/// Draws a memory, no two facts of which are equal.
fn facts(draw: &mut Draw<'_>) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    for (nth, title) in TITLES.iter().enumerate() {
        let heads = [None, Some(format!("Group {nth}:")), Some(format!("Profile (ID: m{nth})"))];
        for head in heads.into_iter().take(1 + draw.below(3)) {
            for _ in 0..draw.below(5) {
                let fact = Fact {
                    section: (*title).to_owned(),
                    head: head.clone(),
                    marks: MARKS[draw.below(MARKS.len())].to_owned(),
                    text: TEXTS[draw.below(TEXTS.len())].to_owned(),
                    parent: None,
                };
                let parent = facts.last().filter(|last| last.section == fact.section && last.head == fact.head);
                let parent = parent.filter(|last| last.parent.is_none() && draw.is_one_in(3));
                let fact = Fact { parent: parent.map(|last| format!("{}{}", last.marks, last.text)), ..fact };
                // A parent holds its children together only if no sibling is equal to it.
                let says = |own: &Fact| (own.section.clone(), own.head.clone(), own.text.clone());
                if !facts.iter().any(|own| says(own) == says(&fact)) {
                    facts.push(fact);
                }
            }
        }
    }
    facts
}

/// Writes facts as a memory: each below its parent, lists and sections in their first order.
pub fn written(facts: &[Fact]) -> String {
    let mut text = String::new();
    let mut place: Option<(&String, Option<&String>)> = None;
    for fact in facts {
        let own = (&fact.section, fact.head.as_ref());
        if place.is_none_or(|(section, _)| section != own.0) {
            text.push_str(&format!("\n## {}\n", own.0));
            place = Some((own.0, None));
        }
        if let Some(head) = own.1.filter(|_| place != Some(own)) {
            text.push_str(&format!("\n{head}\n"));
        }
        place = Some(own);
        let indentation = if fact.parent.is_some() { "  " } else { "" };
        text.push_str(&format!("{indentation}- {}{}\n", fact.marks, fact.text));
    }
    text.trim_start().to_owned()
}

fn lower(text: &str) -> String {
    let first = text.chars().next().map_or(0, char::len_utf8);
    text[..first].to_lowercase() + &text[first..]
}

/// Draws a rewrite; `None` if the memory has no facts for it.
pub fn rewritten(draw: &mut Draw<'_>) -> Option<Rewritten> {
    let old = facts(draw);
    let leaf = |nth: usize| old.get(nth + 1).is_none_or(|next| next.parent.is_none());
    let leaves: Vec<usize> = (0..old.len()).filter(|nth| leaf(*nth)).collect();
    let at = *leaves.get(draw.below(leaves.len().max(1)))?;
    let siblings = |a: &Fact, b: &Fact| (&a.section, &a.head, &a.parent) == (&b.section, &b.head, &b.parent);
    let other = leaves
        .iter()
        .copied()
        .find(|nth| *nth != at && siblings(&old[*nth], &old[at]) && old[*nth].marks == old[at].marks);
    let (mut new, fact) = (old.clone(), old[at].clone());
    let merge = |new: &mut Vec<Fact>, make: &dyn Fn(&str, &str) -> String| {
        let other = other?;
        new[at].text = make(&fact.text, &old[other].text);
        new.remove(other);
        Some(vec![at, other])
    };
    let one = || Some(vec![at]);
    let lost = match draw.below(16) {
        0 => {
            new.remove(at);
            one()
        }
        1 => {
            new[at].text = format!("No longer: {}", lower(&fact.text));
            one()
        }
        2 => {
            new[at].marks = MARKS.iter().find(|marks| marks.trim() != fact.marks.trim()).copied()?.to_owned();
            one()
        }
        3 => {
            new[at].text = fact.text.replace(['5', '2'], "3");
            (new[at].text != fact.text).then(|| vec![at])
        }
        // To a section that stays, to another list, to another parent.
        4 => {
            let to =
                TITLES.iter().find(|title| **title != fact.section && old.iter().any(|own| own.section == **title))?;
            let stays = old.iter().enumerate().any(|(nth, own)| nth != at && own.section == fact.section);
            new.remove(at);
            let behind = new.iter().rposition(|own| own.section == *to)?;
            new.insert(
                behind + 1,
                Fact { section: (*to).to_owned(), head: new[behind].head.clone(), parent: None, ..fact.clone() },
            );
            // A section of which nothing is left has moved as a whole, if nothing else of its place counts.
            (stays || fact.head.is_some() || fact.parent.is_some() || new[behind].head.is_some()).then(|| vec![at])
        }
        5 => {
            new.iter_mut().filter(|own| own.section == fact.section && own.head == fact.head).for_each(|own| {
                own.head = Some("No longer true:".to_owned());
            });
            let is_of = |own: &Fact| own.section == fact.section && own.head == fact.head;
            Some((0..old.len()).filter(|nth| is_of(&old[*nth])).collect())
        }
        6 => merge(&mut new, &|a, b| format!("Not true; {}; {}", lower(a), lower(b))),
        7 => merge(&mut new, &|a, b| format!("{a}; {}; neither is true", lower(b))),
        8 => merge(&mut new, &|a, b| format!("{a}, {}", lower(b))),
        9 => merge(&mut new, &|a, b| format!("Find out whether; {}; {}?", lower(a), lower(b))),
        10 => {
            // Below its sibling.
            let parent = other.filter(|other| *other + 1 == at && old[*other].parent.is_none())?;
            new[at].parent = Some(format!("{}{}", old[parent].marks, old[parent].text));
            one()
        }
        // What is harmless.
        11 => {
            new[at].text = format!(" {}.", lower(&fact.text).replace(' ', "  "));
            Some(Vec::new())
        }
        12 => merge(&mut new, &|a, b| format!("{a}; {}", lower(b))).map(|_| Vec::new()),
        13 => {
            let title = fact.section.clone();
            let renamed = format!("{title} (2026)");
            new.iter_mut().filter(|own| own.section == title).for_each(|own| own.section.clone_from(&renamed));
            Some(Vec::new())
        }
        14 => {
            let other = other?;
            new.swap(at, other);
            Some(Vec::new())
        }
        _ => Some(Vec::new()),
    };
    let mut lost = lost?;
    // What an equal fact at the same place still says is not lost.
    lost.retain(|nth| !new.contains(&old[*nth]));
    let is_harmless = lost.is_empty();
    Some(Rewritten { old, new, lost, is_harmless })
}

/// Checks that a lost fact is reported as gone, and that nothing is where nothing was lost.
pub fn check_fates(data: &[u8]) {
    let Some(rewrite) = rewritten(&mut Draw::new(data)) else { return };
    let (before, after) = (written(&rewrite.old), written(&rewrite.new));
    let (old, new) = (MemoryDoc::parse(before.as_str()), MemoryDoc::parse(after.as_str()));
    assert_eq!(old.bullets().count(), rewrite.old.len(), "the memory is read as it is written: {before}");
    let now: Timestamp = "2026-11-21T09:00:00Z".parse().unwrap();
    let report = CompactionReport::new(&old, &new, now);
    let told = || format!("\n--- before\n{before}\n--- after\n{after}\n{:#?}", report.bullets);
    for nth in &rewrite.lost {
        assert_eq!(report.bullets[*nth].outcome, BulletOutcome::Gone, "{:?} is lost{}", rewrite.old[*nth], told());
    }
    if rewrite.is_harmless {
        assert_eq!(report.count(BulletOutcome::Gone), 0, "nothing is lost{}", told());
    }
}
