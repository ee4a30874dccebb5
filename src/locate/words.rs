//! Words by which texts are ruled out before they are read in normal form, which takes many times as long.
//!
//! A letter or digit in normal form stands so in the text. There are three exceptions: forms of full width, the sign for
//! kelvin, and letters that are not composed.

use std::cmp::Reverse;

use memchr::memmem::{self, Finder};

use super::normal::normal_content;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Line, Span, is_composed};

/// The first byte of each full-width form.
pub(super) const FULL_WIDTH: u8 = 0xEF;
/// The sign for kelvin: the one other character that is a letter of ASCII in normal form.
pub(super) const KELVIN: &str = "\u{212A}";

/// How many words of a text are looked for before its normal form is made.
const SOUGHT: usize = 4;

/// Returns false if a text surely does not hold another one in normal form: it lacks a word of ASCII of that one, and has no
/// sign that may be a letter of ASCII there. To see this takes a small part of the time that the normal form takes.
pub(super) fn may_hold(text: &str, sought: &str) -> bool {
    let is_there = |part: &[u8]| memmem::find(text.as_bytes(), part).is_some();
    let folded = normal_content(sought);
    // Long words are rare, and each is looked for in the whole text.
    let mut words: Vec<&str> = folded.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    words.sort_unstable_by_key(|word| Reverse(word.len()));
    let mut words = words.into_iter().take(SOUGHT);
    words.all(|word| is_there(word.as_bytes())) || is_there(&[FULL_WIDTH]) || is_there(KELVIN.as_bytes())
}

/// Returns the bullets in `span`, in document order, that show one of these words, or may hide words. `text` is that of the
/// document, in any letter case.
pub(crate) fn bullets_with<'a>(doc: &'a MemoryDoc, text: &str, span: Span, words: &[Finder<'_>]) -> Vec<BulletRef<'a>> {
    let signs = [&[FULL_WIDTH], KELVIN.as_bytes()].map(Finder::new);
    let is_ascii = words.iter().all(|word| word.needle().is_ascii());
    let hiding = doc.bullets_within(span).filter(|bullet| !is_ascii && may_hide_words(*bullet));
    let mut bullets: Vec<_> = hiding.collect();
    for word in words.iter().chain(&signs) {
        let mut part = span;
        while let Some(at) = word.find(part.of(text).as_bytes()).filter(|_| !part.is_empty()) {
            let line = Line::holding(text, part.start() + at);
            bullets.extend(doc.bullet_at(line.full.start()));
            part = Span::new(line.full.end().min(span.end()), span.end());
        }
    }
    bullets.sort_unstable();
    bullets.dedup();
    bullets
}

/// Reports whether a line of a bullet in `text`, which is that of its document in any letter case, holds a word.
pub(crate) fn shows_word(bullet: BulletRef<'_>, text: &str, word: &Finder<'_>) -> bool {
    any_line(bullet, |line| word.find(line.of(text).as_bytes()).is_some())
}

/// Reports whether a bullet may say words that its lines do not show: a sign in it may be another letter or digit in normal form.
pub(crate) fn may_hide_words(bullet: BulletRef<'_>) -> bool {
    any_line(bullet, |line| {
        let line = line.of(bullet.doc().text());
        !line.is_ascii() && (line.as_bytes().contains(&FULL_WIDTH) || !is_composed(line))
    })
}

fn any_line(bullet: BulletRef<'_>, holds: impl Fn(Span) -> bool) -> bool {
    holds(bullet.line) || bullet.extent != bullet.line && bullet.continuation_lines().any(holds)
}
