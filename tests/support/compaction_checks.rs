//! What must hold of every compaction: plain functions of any bytes that panic where it does not. Shared by the
//! tests and by `fuzz/`; what is right is told by `compaction_scan.rs`, not by the crate.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use memdoc::{
    Authority, MemoryDoc, Policy, Request as _, Timestamp, View, document::Rules, request::Rewrite, text::TokenCounter,
};

use super::compaction_draw::{Draw, PLACEHOLDERS};
use super::compaction_scan::{Bullet, Scan, bare, counted, folded, lacking, marker, scan, slot};

/// What a refused candidate may be refused for, in the order in which it is looked at, besides loss, of which
/// `compaction_facts.rs` judges.
pub const CODES: [&str; 8] = [
    "reserved_section",
    "pinned_lost",
    "lost_ids",
    "duplicate_id",
    "missing_section",
    "omission_placeholder",
    "invalid_text",
    "over_budget",
];

/// The sections that take what is dropped first, lowest priority first.
const PRIORITY: [&str; 2] = ["Log", "Tasks"];

/// A token is a byte, so that budgets cut anywhere.
#[derive(Debug)]
pub struct Bytes;

impl TokenCounter for Bytes {
    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

/// Returns the time of all checks.
pub fn now() -> Timestamp {
    "2026-11-21T09:00:00Z".parse().unwrap()
}

/// Returns the policy of all checks.
pub fn policy() -> Policy {
    let mut policy = Policy::default().with_max_bytes(1 << 20).with_required_sections(["Facts"]);
    policy.section_priority = PRIORITY.map(str::to_owned).into();
    policy
}

/// Reads a document in which a token is a byte.
pub fn document(text: &str, policy: Policy) -> MemoryDoc {
    MemoryDoc::with_rules(text, Arc::new(Rules::new(policy).unwrap().with_counter(Bytes)))
}

/// Plans and commits; else gives the code.
fn rewritten(doc: &MemoryDoc, request: &Rewrite) -> Result<String, &'static str> {
    let edit = request.plan(&View::current(doc, now())).map_err(|error| error.code().as_str())?;
    let commit = doc.commit(&edit, Authority::Agent).map_err(|error| error.code().as_str())?;
    let undone = commit.doc.commit(&commit.inverse, Authority::Host).expect("what was there may be restored");
    assert_eq!(undone.doc.text(), doc.text(), "the inverse gives back the text");
    Ok(commit.doc.text().to_owned())
}

/// The built-in compactor drops what has expired and what is said twice, and nothing else.
pub fn check_clean(data: &[u8]) {
    let text = Draw::new(data).document();
    let doc = document(&text, policy());
    let after = rewritten(&doc, &Rewrite::new("")).unwrap_or_else(|code| panic!("{code}: {text:?}"));
    let again = rewritten(&document(&after, policy()), &Rewrite::new(""));
    assert_eq!(again.as_deref(), Ok(&*after), "compacting twice is compacting once: {text:?}");
    check_nothing_spare(&plain(&text).concat());
    let (Some(old), Some(new)) = (scan(&text), scan(&after)) else { return };
    let told = || format!("\n--- before\n{text}\n--- after\n{after}");
    check_frame(&old, &new, &told);
    assert!(!new.has_blank_run, "blank lines in a row{}", told());
    let known: BTreeSet<_> = new.bullets.iter().map(|bullet| chain(&new, bullet)).collect();
    for bullet in old.bullets.iter().filter(|bullet| bullet.is_pinned() || !bullet.is_expired()) {
        assert!(known.contains(&chain(&old, bullet)), "{bullet:?} is no longer said{}", told());
    }
}

/// Returns the lines of the headings and bullets of a text, all bullets with one marker: of such a text it is known what goes.
/// Lists do not meet in it, have no names, and do not count.
fn plain(text: &str) -> Vec<String> {
    let plain = |line: &str| {
        let inner = line.trim_start();
        let indentation = &line[..line.len() - inner.len()];
        let bullet = || marker(inner).map(|length| format!("{indentation}-{}\n", &inner[length..]));
        if inner.starts_with('#') { Some(format!("{inner}\n")) } else { bullet() }
    };
    text.split('\n').map(bare).filter_map(plain).collect()
}

/// Of a text of headings and bullets alone, nothing stays that has expired or is said twice in a list, but for what is pinned and
/// what other bullets are nested in.
fn check_nothing_spare(text: &str) {
    let after = rewritten(&document(text, policy()), &Rewrite::new("")).unwrap_or_else(|code| panic!("{code}: {text}"));
    let new = scan(&after).expect("there is nothing in it but headings and bullets");
    let mut seen: BTreeMap<_, &Bullet> = BTreeMap::new();
    for (nth, bullet) in new.bullets.iter().enumerate() {
        let told = || format!("{bullet:?}\n--- before\n{text}\n--- after\n{after}");
        let lasts = |bullet: &Bullet| bullet.is_pinned() || !bullet.is_expired();
        let is_held = || new.bullets.iter().any(|inner| inner.above.contains(&nth) && lasts(inner));
        assert!(lasts(bullet) || is_held(), "has expired: {}", told());
        let list = (bullet.headings, bullet.above.last());
        let says = (list, &bullet.checkbox, bullet.plain_tags(), folded(&bullet.content));
        let other = if says.3.is_empty() { None } else { seen.insert(says, bullet) };
        let may_go = |bullet: &Bullet| !bullet.is_pinned() && !bullet.has_children;
        assert!(!may_go(bullet) || !other.is_some_and(may_go), "is said twice: {}", told());
    }
}

/// The section and the block of a bullet, the number of other lines above it, and the checkboxes and contents of those that it is
/// nested in and its own.
type Chain = (Vec<String>, Option<String>, usize, Vec<(Option<String>, String)>);

/// Where a bullet stands and what it says, below those that it is nested in: they stay with it.
fn chain(scan: &Scan, bullet: &Bullet) -> Chain {
    let above = bullet.above.iter().map(|above| &scan.bullets[*above]);
    let says = above.chain([bullet]).map(|bullet| (bullet.checkbox.clone(), folded(&bullet.content)));
    (bullet.section.clone(), bullet.block.clone(), bullet.apart, says.collect())
}

/// All but unpinned bullets and empty sections is as it was; what stays stands in its order.
fn check_frame(old: &Scan, new: &Scan, told: &dyn Fn() -> String) {
    assert_eq!(new.front, old.front, "front matter{}", told());
    assert_eq!(new.ids, old.ids, "block IDs{}", told());
    assert_eq!(new.reserved, old.reserved, "reserved sections{}", told());
    assert!(!old.is_reserved_at_top || new.is_reserved_at_top, "above the reserved sections{}", told());
    assert_eq!(new.others, old.others, "lines that are no bullets{}", told());
    assert!(is_subsequence(&new.headings, &old.headings), "headings{}", told());
    let wordings = |scan: &Scan| scan.bullets.iter().map(Bullet::stands).collect::<Vec<_>>();
    assert!(is_subsequence(&wordings(new), &wordings(old)), "bullets are out of order, or new{}", told());
    let pinned = |scan: &Scan| -> Vec<_> {
        scan.bullets.iter().filter(|bullet| bullet.is_pinned()).map(Bullet::stands).collect()
    };
    assert_eq!(pinned(new), pinned(old), "pinned bullets{}", told());
    let is_required = |scan: &Scan| scan.titles.iter().any(|own| own.trim().to_lowercase() == "facts");
    assert_eq!(is_required(new), is_required(old), "required sections{}", told());
    for (path, _) in &old.headings {
        let holds = |path: &[String]| {
            new.others.iter().any(|(own, _)| own.starts_with(path))
                || new.bullets.iter().any(|bullet| bullet.section.starts_with(path))
        };
        assert!(!holds(path) || new.headings.iter().any(|(own, _)| own == path), "{path:?} is gone{}", told());
    }
}

fn is_subsequence<T: PartialEq>(part: &[T], whole: &[T]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|item| rest.any(|other| other == item))
}

/// A budget is met, by what may go alone, or refused.
pub fn check_budget(data: &[u8]) {
    let mut draw = Draw::new(data);
    let text = draw.document();
    let budget = 1 + draw.within(text.len());
    let mut rules = policy();
    rules.max_loss = [0.5, 1.0, 1.0][draw.below(3)];
    let doc = document(&text, rules.clone());
    let clean = rewritten(&doc, &Rewrite::new("")).unwrap_or_else(|code| panic!("{code}: {text:?}"));
    match rewritten(&doc, &Rewrite::new("").with_budget(budget)) {
        Ok(after) => {
            assert!(after.len() <= budget, "{} of {budget}: {text:?}", after.len());
            assert_eq!(clean.len() <= budget, after == clean, "what fits stays: {text:?}");
            if let (Some(old), Some(new)) = (scan(&clean), scan(&after)) {
                check_frame(&old, &new, &|| format!("\n--- budget {budget}\n--- before\n{clean}\n--- after\n{after}"));
            }
        }
        Err(code) => {
            // A list that comes to count loses the numbers that say something.
            let is_known =
                matches!(code, "over_budget" | "pinned_lost") || code == "loss_too_high" && rules.max_loss < 1.0;
            assert!(clean.len() > budget && is_known, "{code}: {text:?}");
        }
    }
    let numbered = plain(&text).into_iter().enumerate().map(|(nth, line)| match line.starts_with('#') {
        true => line,
        false => format!("{} {nth}\n", bare(&line)),
    });
    check_order(&numbered.collect::<String>(), budget, text.len());
}

/// Of a text of headings and bullets alone, no two of which are equal, what the order says goes for a budget of a `part` of a
/// `whole`, and no more than must.
fn check_order(text: &str, part: usize, whole: usize) {
    let mut rules = policy();
    rules.max_loss = 1.0;
    let doc = document(text, rules);
    let clean = rewritten(&doc, &Rewrite::new("")).unwrap_or_else(|code| panic!("{code}: {text}"));
    let old = scan(&clean).expect("there is nothing in it but headings and bullets");
    let budget = 1 + part * clean.len() / whole.max(1);
    let order = order(&old);
    let gone = |count: usize| with_expired(&old, order[..count].iter().copied().collect());
    let size = |count: usize| clean.len() - gone(count).iter().map(|nth| old.bullets[*nth].size).sum::<usize>();
    match rewritten(&doc, &Rewrite::new("").with_budget(budget)) {
        Ok(after) => {
            let new = scan(&after).expect("there is nothing in it but headings and bullets");
            let told = || format!("\n--- budget {budget}\n--- before\n{clean}\n--- after\n{after}");
            let left = |count: &usize| {
                let gone = gone(*count);
                let left = old.bullets.iter().enumerate().filter(|(nth, _)| !gone.contains(nth));
                left.map(|(_, bullet)| bullet.stands()).eq(new.bullets.iter().map(Bullet::stands))
            };
            let count = (0..=order.len()).find(left).unwrap_or_else(|| panic!("not in the order{}", told()));
            assert!(count == 0 || size(count - 1) > budget, "more is gone than must{}", told());
        }
        Err(code) => assert!(code == "over_budget" && size(order.len()) > budget, "{code}, {budget}: {clean}"),
    }
}

/// Adds the bullets that have expired and stay only for what is gone of what is nested in them.
fn with_expired(old: &Scan, mut gone: BTreeSet<usize>) -> BTreeSet<usize> {
    for (nth, bullet) in old.bullets.iter().enumerate().rev() {
        let mut inner = old.bullets.iter().enumerate().filter(|(_, inner)| inner.above.contains(&nth));
        if bullet.is_expired() && !bullet.is_pinned() && inner.all(|(inner, _)| gone.contains(&inner)) {
            gone.insert(nth);
        }
    }
    gone
}

/// Returns the bullets that may go, by number, in the order in which they do: a bullet after its children.
fn order(old: &Scan) -> Vec<usize> {
    let rank = |bullet: &Bullet| {
        let own = |title: &String| PRIORITY.iter().position(|name| name.eq_ignore_ascii_case(title));
        bullet.section.iter().rev().find_map(own).unwrap_or(usize::MAX)
    };
    let mut left: Vec<usize> = (0..old.bullets.len()).filter(|nth| !old.bullets[*nth].is_pinned()).collect();
    let mut there: BTreeSet<usize> = (0..old.bullets.len()).collect();
    let mut order = Vec::new();
    loop {
        let has_children = |nth: usize| there.iter().any(|other| old.bullets[*other].above.contains(&nth));
        let next = left.iter().copied().filter(|nth| !has_children(*nth)).min_by_key(|nth| {
            let bullet = &old.bullets[*nth];
            (rank(bullet), bullet.since(), *nth)
        });
        let Some(next) = next else { return order };
        left.retain(|nth| *nth != next);
        there.remove(&next);
        order.push(next);
    }
}

/// Returns the conditions of a candidate that a text does not meet in the place of another; `None` if the scanner understands
/// one of them not.
pub fn unmet(before: &str, after: &str, budget: Option<usize>) -> Option<Vec<&'static str>> {
    let (old, new) = (scan(before)?, scan(after)?);
    let required = |scan: &Scan| scan.titles.iter().any(|own| own.trim().to_lowercase() == "facts");
    let pins = |scan: &Scan| -> Vec<String> {
        scan.bullets.iter().filter(|bullet| bullet.has_pin()).map(|bullet| bullet.wording.clone()).collect()
    };
    let standing = |scan: &Scan, pinned: bool| -> Vec<_> {
        let bullets = scan.bullets.iter().filter(|bullet| !pinned || bullet.is_pinned());
        let place = |bullet: &Bullet| {
            let above = bullet.above.iter().map(|above| &scan.bullets[*above]);
            // A pinned one is another than its twin that is not: it pins what is nested in it.
            let says = above.map(|above| (above.has_pin(), folded(&above.content)));
            (bullet.block.clone(), bullet.wording.clone(), says.collect::<Vec<_>>())
        };
        bullets.map(place).collect()
    };
    // A number that says something stays with what is pinned.
    let marked = |bullet: &Bullet| [&*bullet.marker, &bullet.wording].concat();
    let numbered = old.bullets.iter().filter(|bullet| bullet.is_pinned() && bullet.is_numbered()).map(marked);
    let placeholders = |text: &str| {
        let lines = text
            .split('\n')
            .filter(|line| PLACEHOLDERS.iter().any(|mark| line.contains(mark.trim_start_matches("- "))));
        lines.count()
    };
    let strange = |text: &str| {
        let strange = |c: &char| matches!(c, '\u{200B}' | '\u{202E}' | '\u{2028}');
        text.chars().filter(strange).count() + text.replace("\r\n", "\n").matches('\r').count()
    };
    let ids: BTreeSet<_> = new.ids.iter().collect();
    fn slots(scan: &Scan) -> impl Iterator<Item = (&str, &str)> {
        scan.front.iter().filter_map(|line| slot(line))
    }
    // An ID of a block or the name of a slot, as often as it stands there.
    let names = |scan: &Scan| -> BTreeMap<String, usize> {
        let slots = slots(scan).map(|(name, _)| format!("slot {name}"));
        counted(scan.ids.iter().cloned().chain(slots))
    };
    let (old_names, new_names) = (names(&old), names(&new));
    let failures = [
        old.reserved != new.reserved || !stands_in_place(&old, &new),
        lacking(standing(&old, true), standing(&new, false)).is_some()
            || lacking(numbered, new.bullets.iter().map(marked)).is_some()
            || lacking(pins(&new), pins(&old)).is_some(),
        lacking(slots(&old), slots(&new)).is_some() || old.ids.iter().any(|id| !ids.contains(id)),
        new_names.iter().any(|(name, count)| *count > 1 && count > old_names.get(name).unwrap_or(&1)),
        required(&old) && !required(&new),
        placeholders(after) > placeholders(before),
        strange(after) > strange(before) || (new.is_fence_open && !old.is_fence_open),
        budget.is_some_and(|budget| after.len() > budget),
    ];
    Some(CODES.into_iter().zip(failures).filter(|(_, failed)| *failed).map(|(code, _)| code).collect())
}

/// Nothing gets above a reserved section that stood at the top, and sections that stay do not change sides with one.
pub fn stands_in_place(old: &Scan, new: &Scan) -> bool {
    let sides = |scan: &Scan| -> BTreeMap<Vec<String>, (usize, Vec<bool>)> {
        let mut sides: BTreeMap<Vec<String>, (usize, Vec<bool>)> = BTreeMap::new();
        for (nth, (path, _)) in scan.headings.iter().enumerate() {
            let entry = sides.entry(path.iter().map(|title| folded(title).to_lowercase()).collect()).or_default();
            *entry = (entry.0 + 1, scan.reserved_at.iter().map(|at| nth < *at).collect());
        }
        sides
    };
    let (olds, news) = (sides(old), sides(new));
    let keeps = |(path, (count, side)): (&Vec<String>, &(usize, Vec<bool>))| {
        news.get(path).is_none_or(|(now, new_side)| *count > 1 || *now > 1 || side == new_side)
    };
    olds.iter().all(keeps) && (!old.is_reserved_at_top || new.is_reserved_at_top)
}

/// A candidate is accepted only if it meets every condition, and refused only for one that it does not meet.
pub fn check_candidate(data: &[u8]) {
    let mut draw = Draw::new(data);
    let text = draw.document();
    let mut rules = policy();
    rules.max_loss = [0.5, 0.5, 0.0, 0.25, 1.0][draw.below(5)];
    let budget = Some(1 + draw.within(text.len() + 40)).filter(|_| draw.is_one_in(4));
    let candidate = draw.candidate(&text);
    let doc = document(&text, rules);
    let mut request = Rewrite::new("").with_candidate(candidate.clone());
    request.budget_tokens = budget;
    let told = || format!("\n--- before\n{text:?}\n--- candidate\n{candidate:?}");
    match rewritten(&doc, &request) {
        Ok(after) => {
            let unmet = unmet(&text, &after, budget).unwrap_or_default();
            assert!(unmet.is_empty(), "accepted in spite of {unmet:?}{}\n--- after\n{after:?}", told());
        }
        Err(code) => {
            // A text of nothing is none, and words above the first heading are a model's own.
            let is_word = |line: &&str| line.contains(char::is_alphanumeric) && !text.contains(line.trim());
            let is_no_text = candidate.trim().is_empty() || candidate.split('\n').any(|line| is_word(&line));
            let is_no_text = is_no_text && code == "invalid_arguments";
            assert!(is_no_text || code == "loss_too_high" || CODES.contains(&code), "{code}{}", told());
            // What the scanner sees as the crate does: plain lines, no fence around the whole.
            let is_plain = candidate.starts_with(text.split_inclusive('\n').next().map_or("", bare))
                && !text.starts_with('\u{FEFF}');
            if !is_plain || candidate.contains("```") {
                return;
            }
            if matches!(code, "missing_section" | "omission_placeholder") {
                let unmet = unmet(&text, &candidate, budget).unwrap_or_else(|| vec![code]);
                assert!(unmet.contains(&code), "refused as {code}, found {unmet:?}{}", told());
            }
            // Front matter and the lines of blocks.
            let named = |text: &str| {
                let blocks = text.split('\n').filter(|line| line.contains("(ID:")).map(|line| bare(line).to_owned());
                Some((scan(text)?.front, blocks.collect::<Vec<_>>()))
            };
            let has_same = || named(&text).is_some_and(|old| Some(old) == named(&candidate));
            assert!(!matches!(code, "lost_ids" | "duplicate_id") || !has_same(), "refused as {code}{}", told());
        }
    }
}

/// A rewrite of one section leaves the rest of the document alone, and is judged like one of the whole.
pub fn check_section(data: &[u8]) {
    let mut draw = Draw::new(data);
    let text = draw.document();
    let doc = document(&text, policy());
    let sections: Vec<_> = doc.sections().collect();
    let section = sections[draw.below(sections.len())];
    let extent = section.extent;
    let mut request = Rewrite::new("");
    request.section = Some(section.path().into());
    if !draw.is_one_in(3) {
        request = request.with_candidate(draw.candidate(extent.of(&text)));
    }
    request.budget_tokens = Some(1 + draw.within(extent.len() + 40)).filter(|_| draw.is_one_in(3));
    let told = || format!("{:?}\n--- before\n{text:?}\n--- candidate\n{:?}", extent, request.candidate);
    match rewritten(&doc, &request) {
        Ok(after) => {
            let (above, below) = (&text[..extent.start()], &text[extent.end()..]);
            assert!(after.starts_with(above) && after.ends_with(below), "the rest has changed{}", told());
            let used = after.len() - above.len() - below.len();
            assert!(request.budget_tokens.is_none_or(|budget| used <= budget), "over budget{}", told());
            let unmet = unmet(&text, &after, None).unwrap_or_default();
            assert!(unmet.is_empty(), "accepted in spite of {unmet:?}{}\n--- after\n{after:?}", told());
        }
        Err(code) => {
            assert!(
                CODES.contains(&code) || matches!(code, "ambiguous" | "invalid_arguments" | "loss_too_high"),
                "{code}{}",
                told()
            )
        }
    }
}
