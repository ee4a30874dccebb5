//! What of a text is gone in another, as `compaction_scan.rs` reads both.

use std::collections::{HashMap, HashSet};

use super::compaction_scan::{Bullet, Scan, counted, folded};

/// What may go of a text, and what of it is gone: bullets, and bytes of all that it says.
pub struct Loss {
    /// The bullets that count.
    pub bullets: usize,
    /// Those that are gone.
    pub gone: usize,
    /// The bytes that count.
    pub bytes: usize,
    /// Those that are gone.
    pub gone_bytes: usize,
}

/// Tells what of a text is gone in another.
pub fn loss(old: &Scan, new: &Scan) -> Loss {
    let stands_for = |other: &Bullet, bullet: &Bullet| {
        let lasts = other.ends().iter().all(|tag| bullet.ends().contains(tag));
        let keeps_number = bullet.number.as_ref().is_none_or(|number| *number == other.marker);
        let is_same = folded(&other.content) == folded(&bullet.content) && other.checkbox == bullet.checkbox;
        let is_same = is_same && keeps_number;
        let holds =
            holds(&other.content, &bullet.said()) && (bullet.checkbox.is_none() || other.checkbox == bullet.checkbox);
        other.block == bullet.block && lasts && (is_same || holds)
    };
    let is_there = |bullet: &&Bullet| new.bullets.iter().any(|other| stands_for(other, bullet));
    let counted_bullets: Vec<_> = old.bullets.iter().filter(|bullet| bullet.counts()).collect();
    let gone: Vec<_> = counted_bullets.iter().copied().filter(|bullet| !is_there(bullet)).collect();
    let (mut too_few, mut too_few_bytes) = (0, 0);
    for (lists, facts) in copies(&counted_bullets, old, is_there) {
        let holding = new.bullets.iter().filter(|other| facts.iter().any(|fact| stands_for(other, fact))).count();
        let smallest = facts.iter().map(|fact| fact.content.trim().len()).min().unwrap_or_default();
        if holding > 0 && lists > holding {
            too_few += lists - holding;
            too_few_bytes += (lists - holding) * smallest;
        }
    }
    let mut there = counted(&new.prose);
    let mut lost = 0;
    for line in &old.prose {
        match there.get_mut(line).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => lost += line.len(),
        }
    }
    let size = |bullet: &Bullet| bullet.content.trim().len();
    Loss {
        bullets: counted_bullets.len(),
        gone: gone.len() + too_few,
        bytes: counted_bullets.iter().map(|bullet| size(bullet)).sum::<usize>()
            + old.prose.iter().map(String::len).sum::<usize>(),
        gone_bytes: gone.iter().map(|bullet| size(bullet)).sum::<usize>() + too_few_bytes + lost,
    }
}

/// Returns the facts that are told in several lists, each as often as it is told and still there, and in how many lists it is:
/// what is pinned stands by itself.
fn copies<'s>(
    counted: &[&'s Bullet],
    old: &Scan,
    is_there: impl Fn(&&Bullet) -> bool,
) -> Vec<(usize, Vec<&'s Bullet>)> {
    let mut facts: HashMap<_, Vec<&Bullet>> = HashMap::new();
    for bullet in counted.iter().copied().filter(is_there) {
        let says = (folded(&bullet.said()), &bullet.checkbox, &bullet.block);
        facts.entry(says).or_default().push(bullet);
    }
    let list = |bullet: &Bullet| {
        let above = bullet.above.iter().map(|above| folded(&old.bullets[*above].content));
        let step = old.bullets.iter().position(|other| std::ptr::eq(other, bullet)).filter(|_| bullet.is_step());
        (bullet.headings, bullet.blocks, bullet.apart, step, above.collect::<Vec<_>>())
    };
    let lists = |facts: &[&Bullet]| facts.iter().map(|fact| list(fact)).collect::<HashSet<_>>().len();
    facts.into_values().map(|facts| (lists(&facts), facts)).collect()
}

/// Reports whether a text says another as a clause of its own.
fn holds(new: &str, old: &str) -> bool {
    let (new, old) = (folded(new), folded(old));
    let old = old.trim_end_matches(['.', ',', ';', ':']).trim_start_matches(['[', '(', ' ']);
    // A bracket inside of a word is a letter of it.
    let is_bracket = |c: char| "()[]{}".contains(c);
    let is_inside_word = |before: &str, behind: &str| {
        before.trim_end_matches(is_bracket).ends_with(char::is_alphanumeric)
            && behind.trim_start_matches(is_bracket).starts_with(char::is_alphanumeric)
            && (before.ends_with(is_bracket) || behind.starts_with(is_bracket))
    };
    let opens = |before: &str, behind: &str| {
        let ended = before.trim_end();
        // What may be a sign of a number sets nothing apart.
        let is_signed = ended.ends_with('-') && !behind.starts_with(char::is_alphabetic);
        let is_apart = ended.len() < before.len() && !is_signed;
        ended.is_empty()
            || ended.ends_with([';', '(', ')', '[', ']', '{', '}'])
            || (is_apart && (ended.ends_with(['.', ',', ':']) || ended.ends_with(" -")))
    };
    let closes = |behind: &str| {
        let next = behind.trim_start();
        let stop = behind.strip_prefix(['.', ',', ':']);
        next.is_empty()
            || behind.starts_with(';')
            || next.starts_with(['(', ')', '[', ']', '{', '}'])
            || behind.starts_with(" - ")
            || stop.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ')', ']', '}', '"', '\'', '.']))
    };
    if old.is_empty() {
        return false;
    }
    let starts = new.char_indices().map(|(at, _)| at);
    let starts = starts.filter(|at| opens(&new[..*at], &new[*at..]) && !is_inside_word(&new[..*at], &new[*at..]));
    starts.into_iter().any(|at| {
        let rest = folded(&new[at..]);
        rest.strip_prefix(&folded(old)).is_some_and(|behind| closes(behind) && !is_inside_word(old, behind))
    })
}
