//! Whether a bullet is still there in another text: the same, held by another as a clause of its own, or cited by its key.
//!
//! - It is the same with the same content, checkbox and block. White space, Unicode punctuation and the letter case of the first
//!   letter are nothing to go by.
//! - It is held by a bullet of the same block that contains its text from the beginning of a clause to the end of one, so that
//!   `Not allergic to nuts` does not hold `allergic to nuts`, nor `5.5 mg x100` any of `5 mg`. A point, a comma or a colon inside
//!   of a number or a word ends no clause, nor does a hyphen.
//! - It is cited by a bullet of the same block that names its key as `[from: KEY, KEY]`, has all of its numbers, and at least half
//!   of its other words of three letters or more.
//! - In no case may the other bullet have an end or a time to live that it did not have itself, nor may its checkbox be lost.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef, is_lifetime};
use crate::text::{fold_punctuation, fold_white_space};

/// How many bytes may be compared to find bullets in others. What is left then counts as not said.
const COMPARED: usize = 1 << 24;
/// What opens a tag that cites keys.
const CITES: &str = "[from:";

/// The bullets of a document outside its reserved sections, ready to be asked for what they say.
#[derive(Debug)]
pub(super) struct Sayings<'a> {
    doc: &'a MemoryDoc,
    bullets: Vec<Saying<'a>>,
    /// Bullets by content, checkbox and block.
    same: HashMap<Same<'a>, Vec<usize>>,
    /// Where clauses begin, by block and what stands there up to the end of the clause: the bullet, and the offset.
    clauses: HashMap<Clause<'a>, Vec<(usize, usize)>>,
    /// The bullets that cite a key.
    citing: HashMap<String, Vec<usize>>,
    compared: Cell<usize>,
}

/// The content, the checkbox and the block of a bullet.
type Same<'a> = (String, Option<String>, Option<&'a str>);
/// A block, and a clause that is said in it.
type Clause<'a> = (Option<&'a str>, String);

/// A bullet, and what it says.
#[derive(Debug)]
struct Saying<'a> {
    bullet: BulletRef<'a>,
    text: String,
    block: Option<&'a str>,
    checkbox: Option<String>,
    lifetime: Vec<&'a str>,
    words: HashSet<String>,
}

impl<'a> Sayings<'a> {
    pub(super) fn of(doc: &'a MemoryDoc) -> Self {
        let mut sayings = Self {
            doc,
            bullets: Vec::new(),
            same: HashMap::new(),
            clauses: HashMap::new(),
            citing: HashMap::new(),
            compared: Cell::new(0),
        };
        for bullet in free_bullets(doc) {
            let nth = sayings.bullets.len();
            let saying = Saying::of(bullet);
            let key = (folded(&bullet.content()), saying.checkbox.clone(), saying.block);
            sayings.same.entry(key).or_default().push(nth);
            for (start, end) in clauses(&saying.text) {
                let clause = saying.text.get(start..end).unwrap_or_default().to_owned();
                sayings.clauses.entry((saying.block, clause)).or_default().push((nth, start));
            }
            for key in cited(&bullet.wording()) {
                sayings.citing.entry(key).or_default().push(nth);
            }
            sayings.bullets.push(saying);
        }
        sayings
    }

    /// Returns a bullet by which a bullet of another text is still there.
    pub(super) fn saying(&self, bullet: BulletRef<'_>) -> Option<BulletRef<'a>> {
        let old = Saying::of(bullet);
        let key = (folded(&bullet.content()), old.checkbox.clone(), old.block);
        // A bullet without an end is there for all that say the same.
        let lasts = |nth: &usize| self.bullets.get(*nth).filter(|new| new.lasts_for(&old));
        let same = self.same.get(&key).into_iter().flatten().find_map(lasts);
        same.or_else(|| self.citing(&old)).or_else(|| self.containing(&old)).map(|new| new.bullet)
    }

    fn citing(&self, old: &Saying<'_>) -> Option<&Saying<'a>> {
        let key = old.bullet.key();
        let bare = key.as_str().split('#').next().unwrap_or_default();
        let citing = [key.as_str(), bare].into_iter().filter_map(|key| self.citing.get(key)).flatten();
        let mut citing = citing.filter_map(|nth| self.bullets.get(*nth));
        citing.find(|new| {
            let is_there = |word: &&String| new.words.contains(*word);
            let (numbers, words): (Vec<_>, Vec<_>) = old.words.iter().partition(|word| word.contains(char::is_numeric));
            let words: Vec<_> = words.into_iter().filter(|word| word.chars().count() >= 3).collect();
            new.block == old.block
                && new.lasts_for(old)
                && numbers.iter().all(is_there)
                && 2 * words.iter().filter(|word| is_there(word)).count() >= words.len()
        })
    }

    fn containing(&self, old: &Saying<'_>) -> Option<&Saying<'a>> {
        let text = old.text.trim_end_matches(['.', ',', ';', ':']);
        let (start, end) = clauses(text).next()?;
        let first = text.get(start..end).filter(|first| !first.is_empty())?;
        let text = text.get(start..)?;
        let places = self.clauses.get(&(old.block, first.to_owned()))?;
        let mut holding = places.iter().filter_map(|(nth, start)| {
            self.compared.set(self.compared.get() + text.len());
            let new = self.bullets.get(*nth).filter(|new| self.compared.get() <= COMPARED && new.lasts_for(old))?;
            let rest = new.text.get(*start..)?.strip_prefix(text)?;
            ends_clause(rest).then_some(new)
        });
        holding.next()
    }

    /// Returns the document.
    pub(super) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }
}

impl<'a> Saying<'a> {
    fn of(bullet: BulletRef<'a>) -> Self {
        let content = bullet.content();
        Self {
            bullet,
            text: folded_by_clause(&content),
            block: bullet.block().map(BlockRef::id),
            checkbox: bullet.checkbox().map(str::to_lowercase),
            lifetime: bullet.tags().into_iter().filter(|tag| is_lifetime(tag)).collect(),
            words: words(&content).into_iter().collect(),
        }
    }

    /// Reports whether it is there as long as another was, and as done as it was.
    fn lasts_for(&self, old: &Saying<'_>) -> bool {
        let is_known = |tag: &&str| old.lifetime.contains(tag);
        self.lifetime.iter().all(is_known) && (old.checkbox.is_none() || self.checkbox == old.checkbox)
    }
}

/// Folds what says nothing: white space, Unicode punctuation, the letter case of the first letter.
pub(super) fn folded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    fold_punctuation(text, |_, c| plain.push(c));
    let plain = fold_white_space(&plain);
    let mut rest = plain.chars();
    rest.next().map_or_else(String::new, |first| first.to_lowercase().chain(rest).collect())
}

/// Folds a text as [`folded`] does, and each clause of it as if it stood by itself.
fn folded_by_clause(text: &str) -> String {
    let plain = folded(text);
    let mut written = String::with_capacity(plain.len());
    let mut done = 0;
    for (start, _) in clauses(&plain) {
        written.push_str(plain.get(done..start).unwrap_or_default());
        let first = plain.get(start..).and_then(|rest| rest.chars().next());
        written.extend(first.into_iter().flat_map(char::to_lowercase));
        done = start + first.map_or(0, char::len_utf8);
    }
    written.push_str(plain.get(done..).unwrap_or_default());
    written
}

/// Iterates over the clauses of a folded text: where each begins, and where it ends.
fn clauses(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let from = next?;
        let rest = text.get(from..)?;
        let start = from + rest.len() - rest.trim_start_matches(|c: char| c == ' ' || is_bracket(c)).len();
        let rest = text.get(start..)?;
        let length = rest.char_indices().find(|(at, _)| *at > 0 && ends_clause(rest.get(*at..).unwrap_or_default()));
        let end = start + length.map_or(rest.len(), |(at, _)| at);
        let mark = text.get(end..).and_then(|rest| rest.trim_start_matches(' ').chars().next());
        let behind = text.get(end..).map_or(0, |rest| rest.len() - rest.trim_start_matches(' ').len());
        next = mark.map(|mark| end + behind + mark.len_utf8());
        Some((start, end))
    })
}

/// Reports whether a clause ends before `rest`. Signs of scripts that set no spaces end one wherever they stand.
fn ends_clause(rest: &str) -> bool {
    let is_open = |rest: &str| rest.is_empty() || rest.starts_with([' ', ')', ']', '}', '"', '\'']);
    let mut chars = rest.chars();
    match chars.next() {
        None => true,
        Some(';') => true,
        Some('.' | ',' | ':') => is_open(chars.as_str().trim_start_matches(['.', ','])),
        Some(' ') => rest.starts_with(" - ") || rest.trim_start_matches(' ').starts_with(is_bracket),
        Some(c) => is_bracket(c),
    }
}

fn is_bracket(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '（' | '）' | '「' | '」' | '；' | '：' | '。' | '，' | '、')
}

/// Returns the words of a text in small letters; a number has its points, commas, colons, signs and dashes inside.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut words = Vec::new();
    for (nth, piece) in lower.split(CITES).enumerate() {
        // What is cited is no word of the bullet.
        let piece = if nth == 0 { piece } else { piece.split_once(']').map_or("", |(_, rest)| rest) };
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | ':' | '-' | '+');
        for word in piece.split(|c| !is_inner(c)) {
            let word = word.trim_end_matches(['.', ',', ':', '-']).trim_start_matches([',', ':']);
            match word.contains(char::is_numeric) {
                true => words.push(word.to_owned()),
                false => words.extend(word.split(|c: char| !c.is_alphanumeric()).map(str::to_owned)),
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the keys that a wording cites.
fn cited(wording: &str) -> Vec<String> {
    let wording = wording.to_lowercase();
    let groups = wording.split(CITES).skip(1).filter_map(|rest| rest.split_once(']'));
    let keys = groups.flat_map(|(keys, _)| keys.split([',', ' '])).filter(|key| !key.is_empty());
    keys.map(str::to_owned).collect()
}

/// Iterates over the bullets outside reserved sections.
pub(super) fn free_bullets(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    let is_reserved = |section: &SectionRef<'_>| section.ancestors().any(|around| around.reserved_name().is_some());
    let reserved: HashSet<_> = doc.sections().filter(is_reserved).collect();
    doc.bullets().filter(move |bullet| bullet.section().is_none_or(|section| !reserved.contains(&section)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(new: &str, old: &str) -> bool {
        let doc = |text: &str| MemoryDoc::parse(format!("- {text}\n"));
        let (new, old) = (doc(new), doc(old));
        old.bullets().all(|bullet| Sayings::of(&new).saying(bullet).is_some())
    }

    #[test]
    fn a_clause_of_its_own_is_held() {
        for (new, old) in [
            ("Likes tea; has a cat", "Has a cat."),
            ("Likes tea. Has a cat", "has a cat"),
            ("Diet: allergic to nuts", "Allergic to nuts"),
            ("Lives in Rome (with Anna)", "with Anna"),
            ("Works at Acme - lives in Rome", "Lives in Rome"),
            ("Likes tea, coffee, and milk", "Likes tea, coffee"),
            ("takes 5 mg, twice", "Takes 5 mg"),
            ("Has a cat", "has a  cat"),
        ] {
            assert!(holds(new, old), "{new} / {old}");
        }
    }

    #[test]
    fn a_piece_of_a_clause_is_not() {
        for (new, old) in [
            ("Not allergic to nuts", "Allergic to nuts"),
            ("takes 5 mg x100", "Takes 5 mg"),
            ("5.5 mg", "5 mg"),
            ("Dose: 1,500 mg", "500 mg"),
            ("at 10:30 h", "30 h"),
            ("well-known", "known"),
            ("Likes tea and coffee", "Likes tea"),
            ("No longer likes tea; has a cat", "likes tea"),
            ("HAS A CAT", "has a cat"),
            ("[x] call Bob; write", "[ ] call Bob"),
            ("[expires: 2020-01-01] Has a cat; likes tea", "Has a cat"),
        ] {
            assert!(!holds(new, old), "{new} / {old}");
        }
    }

    #[test]
    fn what_is_cited_has_its_numbers_and_half_of_its_words() {
        let old = MemoryDoc::parse("- Takes 5.5 mg of warfarin daily\n");
        let key: String = old.bullets().map(|bullet| bullet.key().to_string()).collect();
        let is_cited = |text: &str| {
            let new = MemoryDoc::parse(format!("- {text}\n"));
            old.bullets().all(|bullet| Sayings::of(&new).saying(bullet).is_some())
        };
        assert!(is_cited(&format!("[from: aaaaaa, {key}] Warfarin daily: 5.5 mg")));
        assert!(is_cited(&format!("Warfarin 5.5 mg takes [from: {key}]")));
        assert!(!is_cited(&format!("[from: {key}] Warfarin daily: 5 mg")));
        assert!(!is_cited(&format!("[from: {key}] Obsolete 5.5")));
        assert!(!is_cited(&format!("{key} Warfarin daily: 5.5 mg")));
    }
}
