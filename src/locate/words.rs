//! Quick tests that rule out texts by their words. The normal form, which is the exact test, takes many times as long.
//!
//! Letters and digits of the normal form are in the text as they are. There are three exceptions: full-width forms, the
//! kelvin sign, and letters that are not composed.

use std::cmp::Reverse;

use memchr::memmem::{self, Finder};

use super::normal::normal_content;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Line, Span, is_composed};

/// The first byte of each full-width form.
pub(super) const FULL_WIDTH: u8 = 0xEF;
/// The kelvin sign: the only other character that becomes an ASCII letter in normal form.
pub(super) const KELVIN: &str = "\u{212A}";

/// How many words of a text are looked for at most.
const SOUGHT: usize = 12;

/// How many bytes at the beginning of a text show how common a word is in it.
const SAMPLE: usize = 4 << 10;

/// Returns how often a word is in the first bytes of a text. A word that all bullets have rules none out.
pub(crate) fn sampled(text: &str, word: &str) -> usize {
    let sample = text.as_bytes().get(..SAMPLE).unwrap_or(text.as_bytes());
    memmem::find_iter(sample, word).count()
}

/// Quick test: returns false only if `text` does not contain `sought` in normal form. That is sure if the text lacks
/// one of the ASCII words of `sought`, and has no character that may become an ASCII letter.
pub(super) fn may_hold(text: &str, sought: &str) -> bool {
    let is_there = |part: &[u8]| memmem::find(text.as_bytes(), part).is_some();
    let folded = normal_content(sought);
    // Long words are rare, and each is looked for in the whole text.
    let mut words: Vec<&str> = folded.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    words.sort_unstable_by_key(|word| (Reverse(word.len()), *word));
    words.dedup();
    let mut words = words.into_iter().take(SOUGHT);
    words.all(|word| is_there(word.as_bytes())) || is_there(&[FULL_WIDTH]) || is_there(KELVIN.as_bytes())
}

/// Returns the bullets in `span`, in document order, that have one of these words, or that [may hide
/// words](may_hide_words). `text` is the text of the document, in its own letter case or in lower case.
pub(crate) fn bullets_with<'a>(doc: &'a MemoryDoc, text: &str, span: Span, words: &[Finder<'_>]) -> Vec<BulletRef<'a>> {
    let signs = [&[FULL_WIDTH], KELVIN.as_bytes()].map(Finder::new);
    let is_ascii = words.iter().all(|word| word.needle().is_ascii());
    let hiding = doc.bullets_within(span).filter(|bullet| !is_ascii && may_hide_words(*bullet));
    let mut bullets: Vec<_> = hiding.collect();
    for word in words.iter().chain(&signs) {
        let mut part = doc.without_bom(span);
        while let Some(at) = word.find(part.of(text).as_bytes()).filter(|_| !part.is_empty()) {
            let line = Line::holding(text, part.start() + at);
            bullets.extend(doc.bullet_at(part.start() + at));
            part = Span::new(line.full.end().min(span.end()), span.end());
        }
    }
    bullets.sort_unstable();
    bullets.dedup();
    bullets
}

/// Reports whether a line of a bullet contains a word. `text` is the text of the document, in its own letter case or in
/// lower case.
pub(crate) fn shows_word(bullet: BulletRef<'_>, text: &str, word: &Finder<'_>) -> bool {
    any_line(bullet, |line| word.find(line.of(text).as_bytes()).is_some())
}

/// Reports whether a bullet may have words in normal form that its lines do not contain literally: it has a full-width
/// form or a letter that is not composed.
pub(crate) fn may_hide_words(bullet: BulletRef<'_>) -> bool {
    any_line(bullet, |line| {
        let line = line.of(bullet.doc().text());
        !line.is_ascii() && (line.as_bytes().contains(&FULL_WIDTH) || !is_composed(line))
    })
}

fn any_line(bullet: BulletRef<'_>, holds: impl Fn(Span) -> bool) -> bool {
    holds(bullet.line) || bullet.extent != bullet.line && bullet.continuation_lines().any(holds)
}
