//! Whether a bullet is still there in another text: the same, held by another as a clause of its own, or cited by its key.
//!
//! - It is the same with the same content, checkbox and block. White space, Unicode punctuation and the letter case of the first
//!   letter are nothing to go by. A number of its list that is no count, such as a year, is part of what it says.
//! - It is held by a bullet of the same block that contains its text from the beginning of a clause to the end of one, so that
//!   `Not allergic to nuts` does not hold `allergic to nuts`, nor `5.5 mg x100` any of `5 mg`. A point, a comma or a colon inside
//!   of a number or a word ends no clause, nor does a hyphen.
//! - It is cited by a bullet of the same block that names its key as `[from: KEY, KEY]`, has all of its numbers, and at least half
//!   of its other words of three letters or more; of one without either, at least half of its words.
//! - In no case may the other bullet have an end or a time to live that it did not have itself, nor another checkbox, or one.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, HashMap, HashSet};

use super::clauses::{by_clause, clauses, ends, folded, is_bracket};
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef, is_lifetime};
use crate::edit::compose::{Lists, behind};

/// How many bytes may be compared to find bullets in others. What is left then counts as not said.
const COMPARED: usize = 1 << 22;
/// How much of that a look at a bullet, or for a word in one, takes.
const WORD: usize = 64;
/// What opens a tag that cites keys.
const CITES: &str = "[from:";

/// Bullets of a document, ready to be asked for what they say.
#[derive(Debug)]
pub(super) struct Sayings<'a> {
    /// The lists of the text that is asked about.
    asked: Lists<'a>,
    bullets: Vec<Saying<'a>>,
    /// Bullets by content, checkbox and block, and by their end; in order.
    same: HashMap<Same<'a>, Ends<'a>>,
    /// Where clauses begin, by block and what stands there up to the end of the clause: the bullet, and the offset.
    clauses: HashMap<Clause<'a>, Vec<(usize, usize)>>,
    /// The bullets that cite a key.
    citing: HashMap<String, Vec<usize>>,
    compared: Cell<usize>,
}

/// The content, the checkbox and the block of a bullet.
pub(super) type Same<'a> = (String, Option<String>, Option<&'a str>);
/// What a bullet says without the signs around it, its checkbox and its block: of bullets of one fact, one may hold another.
pub(super) type Fact<'a> = (String, Option<String>, Option<&'a str>);
/// Bullets by the tags that end them.
type Ends<'a> = BTreeMap<Vec<&'a str>, Vec<BulletRef<'a>>>;
/// A block, and a clause that is said in it.
type Clause<'a> = (Option<&'a str>, String);

/// A bullet, and what it says.
#[derive(Debug)]
pub(super) struct Saying<'a> {
    pub(super) bullet: BulletRef<'a>,
    /// The number of its marker, if it is asked for.
    number: Option<&'a str>,
    /// The content behind it, folded.
    said: String,
    /// The same, folded clause by clause.
    text: String,
    /// Where clauses of the text end.
    ends: Vec<usize>,
    block: Option<&'a str>,
    checkbox: Option<String>,
    pub(super) lifetime: Vec<&'a str>,
    words: OnceCell<HashSet<String>>,
}

impl<'a> Sayings<'a> {
    /// Reads what some bullets say, to be asked about bullets of `old`.
    pub(super) fn of(bullets: impl Iterator<Item = BulletRef<'a>>, old: &'a MemoryDoc) -> Self {
        let mut sayings = Self {
            asked: Lists::new(old),
            bullets: Vec::new(),
            same: HashMap::new(),
            clauses: HashMap::new(),
            citing: HashMap::new(),
            compared: Cell::new(0),
        };
        for bullet in bullets {
            let nth = sayings.bullets.len();
            let saying = Saying::of(bullet, None);
            let number = Some(bullet.marker()).filter(|marker| marker.starts_with(|c: char| c.is_ascii_digit()));
            let numbered = number.map(|number| folded(&behind(Some(number), bullet.content())));
            for said in [saying.said.clone()].into_iter().chain(numbered) {
                let key = (said, saying.checkbox.clone(), saying.block);
                sayings.same.entry(key).or_default().entry(saying.lifetime.clone()).or_default().push(bullet);
            }
            for (start, end) in clauses(&saying.text, &saying.ends) {
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

    /// Returns what a bullet of the old text says.
    pub(super) fn asked(&self, bullet: BulletRef<'a>) -> Saying<'a> {
        Saying::of(bullet, self.asked.said_number(bullet))
    }

    /// Returns a bullet by which one of the old text is still there.
    pub(super) fn saying(&self, old: &Saying<'a>) -> Option<BulletRef<'a>> {
        let same = self.alike(&old.same()).and_then(|same| self.lasting(same, old)?.first().copied());
        let citing = || {
            let key = || old.bullet.key().as_str().to_owned();
            self.citing(old, &key, &|_| true).or_else(|| self.citing(old, &|| old.key_of_all(), &|_| true))
        };
        same.or_else(citing).or_else(|| self.containing(old, &|_| true))
    }

    /// Notes what is compared, and reports whether that may be.
    fn may_compare(&self, bytes: usize) -> bool {
        self.compared.set(self.compared.get().saturating_add(bytes));
        self.compared.get() <= COMPARED
    }

    /// Returns the bullets that say the same, by their ends.
    pub(super) fn alike(&self, same: &Same<'a>) -> Option<&Ends<'a>> {
        self.same.get(same)
    }

    /// Returns what of some things, by their ends, lasts as long as a bullet or longer.
    pub(super) fn lasting<'t, T>(&self, ends: &'t BTreeMap<Vec<&'a str>, T>, old: &Saying<'a>) -> Option<&'t T> {
        // What has no end is there for all that say the same.
        let known = ends.get(&old.lifetime).or_else(|| ends.get(&[] as &[&str]));
        let all = || ends.iter().take_while(|_| self.may_compare(WORD));
        known.or_else(|| all().find(|(end, _)| old.knows(end)).map(|(_, thing)| thing))
    }

    /// Returns those of some ends that are no sooner than that of a bullet.
    pub(super) fn ends_for<'e>(&self, ends: &[&'e [&'a str]], old: &Saying<'a>) -> Vec<&'e [&'a str]> {
        let ends = ends.iter().take_while(|_| self.may_compare(WORD));
        ends.filter(|end| old.knows(end)).copied().collect()
    }

    /// Returns a bullet that cites a bullet by this key, among those that may hold it.
    pub(super) fn citing(
        &self,
        old: &Saying<'a>,
        key: &dyn Fn() -> String,
        may_hold: &dyn Fn(BulletRef<'a>) -> bool,
    ) -> Option<BulletRef<'a>> {
        // Keys are told only where some are cited.
        let citing = Some(&self.citing).filter(|citing| !citing.is_empty())?.get(&key())?;
        // Once all comparisons are spent, no more are begun.
        let citing = citing.iter().take_while(|_| self.may_compare(WORD * (old.words().len() + 1)));
        let mut citing = citing.filter_map(|nth| self.bullets.get(*nth)).filter(|new| may_hold(new.bullet));
        let (numbers, words): (Vec<_>, Vec<_>) = old.words().iter().partition(|word| word.contains(char::is_numeric));
        let (long, short): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.chars().count() >= 3);
        // What says nothing but by short words says it by them.
        let words = if long.is_empty() && numbers.is_empty() { short } else { long };
        if words.is_empty() && numbers.is_empty() {
            return None;
        }
        let found = citing.find(|new| {
            let is_there = |word: &&String| new.words().contains(*word);
            new.lasts_for(old)
                && numbers.iter().all(is_there)
                && 2 * words.iter().filter(|word| is_there(word)).count() >= words.len()
        });
        found.map(|new| new.bullet)
    }

    /// Returns a bullet that contains another as a clause of its own, among those that may hold it.
    pub(super) fn containing(
        &self,
        old: &Saying<'a>,
        may_hold: &dyn Fn(BulletRef<'a>) -> bool,
    ) -> Option<BulletRef<'a>> {
        let text = old.text.trim_end_matches(['.', ',', ';', ':']);
        let (start, end) = clauses(text, &ends(text)).next()?;
        let first = text.get(start..end).filter(|first| !first.is_empty())?;
        let text = text.get(start..)?;
        let places = self.clauses.get(&(old.block, first.to_owned()))?;
        let places = places.iter().take_while(|_| self.may_compare(text.len().max(WORD)));
        let mut holding = places.filter_map(|(nth, start)| {
            let new = self.bullets.get(*nth).filter(|new| may_hold(new.bullet) && new.lasts_for(old))?;
            new.text.get(*start..)?.strip_prefix(text)?;
            let end = start + text.len();
            (end == new.text.len() || new.ends.binary_search(&end).is_ok()).then_some(new.bullet)
        });
        holding.next()
    }
}

impl<'a> Saying<'a> {
    pub(super) fn of(bullet: BulletRef<'a>, number: Option<&'a str>) -> Self {
        let said = folded(&behind(number, bullet.content()));
        let text = by_clause(&said);
        Self {
            bullet,
            number,
            said,
            ends: ends(&text),
            text,
            block: bullet.block().map(BlockRef::id),
            checkbox: bullet.checkbox().map(str::to_lowercase),
            lifetime: bullet.tags().into_iter().filter(|tag| is_lifetime(tag)).collect(),
            words: OnceCell::new(),
        }
    }

    /// Returns what bullets have in common that say the same.
    pub(super) fn same(&self) -> Same<'a> {
        (self.said.clone(), self.checkbox.clone(), self.block)
    }

    /// Returns what bullets have in common of which one may hold another.
    pub(super) fn fact(&self) -> Fact<'a> {
        let is_around = |c: char| c == ' ' || is_bracket(c) || matches!(c, '.' | ',' | ';' | ':');
        (self.text.trim_matches(is_around).to_owned(), self.checkbox.clone(), self.block)
    }

    /// Returns the key that it has in common with those of the same content.
    pub(super) fn key_of_all(&self) -> String {
        self.bullet.key().as_str().split('#').next().unwrap_or_default().to_owned()
    }

    fn words(&self) -> &HashSet<String> {
        self.words.get_or_init(|| words(&behind(self.number, self.bullet.content())))
    }

    /// Reports whether all tags of an end are its own.
    fn knows(&self, end: &[&str]) -> bool {
        end.iter().all(|tag| self.lifetime.contains(tag))
    }

    /// Reports whether it is there as long as another was, in its block, and as done as it was.
    pub(super) fn lasts_for(&self, old: &Saying<'_>) -> bool {
        self.block == old.block && old.knows(&self.lifetime) && self.checkbox == old.checkbox
    }
}

/// Returns the words of a text in small letters; a number has its points, commas, colons, signs and dashes inside.
pub(super) fn words(text: &str) -> HashSet<String> {
    let lower = text.to_lowercase();
    let mut words = HashSet::new();
    for (nth, piece) in lower.split(CITES).enumerate() {
        // What is cited is no word of the bullet.
        let piece = if nth == 0 { piece } else { piece.split_once(']').map_or("", |(_, rest)| rest) };
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | ':' | '-' | '+');
        for word in piece.split(|c| !is_inner(c)) {
            let word = word.trim_end_matches(['.', ',', ':', '-']).trim_start_matches([',', ':']);
            match word.contains(char::is_numeric) {
                true => words.extend(Some(word.to_owned())),
                false => words.extend(word.split(|c: char| !c.is_alphanumeric()).map(str::to_owned)),
            }
        }
    }
    words.remove("");
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
    let reserved: Vec<bool> = doc.sections().map(|section| is_reserved(&section)).collect();
    let is_free = move |section: SectionRef<'_>| reserved.get(section.index()) != Some(&true);
    doc.bullets().filter(move |bullet| bullet.section().is_none_or(&is_free))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(new: &str, old: &str) -> bool {
        let doc = |text: &str| MemoryDoc::parse(format!("- {text}\n"));
        is_said(&doc(new), &doc(old))
    }

    fn is_said(new: &MemoryDoc, old: &MemoryDoc) -> bool {
        let sayings = Sayings::of(new.bullets(), old);
        old.bullets().all(|bullet| sayings.saying(&sayings.asked(bullet)).is_some())
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
            ("(un)married", "married"),
            ("un[married]", "un"),
            ("[x] Pay the rent; call Bob", "Pay the rent"),
            ("[ ] Pay the rent", "Pay the rent"),
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
        let is_cited = |text: &str| is_said(&MemoryDoc::parse(format!("- {text}\n")), &old);
        assert!(is_cited(&format!("[from: aaaaaa, {key}] Warfarin daily: 5.5 mg")));
        assert!(is_cited(&format!("Warfarin 5.5 mg takes [from: {key}]")));
        assert!(!is_cited(&format!("[from: {key}] Warfarin daily: 5 mg")));
        assert!(!is_cited(&format!("[from: {key}] Obsolete 5.5")));
        assert!(!is_cited(&format!("{key} Warfarin daily: 5.5 mg")));
    }

    #[test]
    fn what_has_only_short_words_is_cited_with_half_of_them() {
        let old = MemoryDoc::parse("- He is in LA\n");
        let key: String = old.bullets().map(|bullet| bullet.key().to_string()).collect();
        let is_cited = |text: &str| is_said(&MemoryDoc::parse(format!("- {text} [from: {key}]\n")), &old);
        assert!(is_cited("Bob is by now in Los Angeles"));
        assert!(!is_cited("Bob is well"));
        assert!(!is_cited("Obsolete"));
    }

    #[test]
    fn so_much_is_compared_and_no_more() {
        let old = MemoryDoc::parse("- Likes green tea\n");
        let key: String = old.bullets().map(|bullet| bullet.key().to_string()).collect();
        let new = MemoryDoc::parse(format!("- Green tea [from: {key}]\n"));
        let sayings = Sayings::of(new.bullets(), &old);
        let is_said = || old.bullets().all(|bullet| sayings.saying(&sayings.asked(bullet)).is_some());
        assert!(is_said());
        assert_eq!(sayings.compared.get(), 4 * WORD, "one bullet, and three words in it");
        assert!(sayings.may_compare(COMPARED - 4 * WORD));
        assert!(!sayings.may_compare(1));
        assert!(!is_said());
    }
}
