//! Secrets by their shape: keys by the prefixes that their issuers give them, cards by their check digit, the rest by the word
//! that introduces them.

use std::collections::HashSet;

use regex::Regex;

/// What is looked for in a text as it stands, in the words of the reason.
const SHAPES: [(&str, &str); 6] = [
    ("a private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    (
        "an API key",
        r"(?x) \b (?: sk-[\w-]{16,} | [sr]k_(?:live|test)_\w{10,} | (?:AKIA|ASIA)[0-9A-Z]{16} | gh[opsur]_\w{20,}
            | github_pat_\w{20,} | glpat-[\w-]{16,} | xox[abeoprs]-[\w-]{10,} | AIza[\w-]{30,} | npm_\w{30,} | hf_\w{20,}
            | SG\.[\w-]{16,}\.[\w-]{16,} | ya29\.[\w-]{20,} | pypi-[\w-]{40,} | dop_v1_\w{40,} )",
    ),
    ("a token", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|(?i:\bbearer)\s+[\w.~+/-]{20,}"),
    ("a password in an address", r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]{3,}@"),
    (
        "a social security number",
        r"(?x) (?i:\bssn\b|social\ security\b) [^\d\n]{0,30} \d{3}[-\ ]?\d{2}[-\ ]?\d{4}\b
        | \b (?: 00[1-9] | 0[1-9]\d | [1-57-8]\d\d | 6[0-57-9]\d | 66[0-57-9] ) - \d\d - \d{4} \b",
    ),
    ("a PIN", r"(?i)\bpin(?:[ -]?(?:code|number))?\s*(?:is|was|=|:)\s*\d{4}\b"),
];

/// A word that introduces a secret, and what follows it up to a blank.
const SAID: &str = r#"(?xi)
    (?: \b | _ ) (?: passw(?:or)?d | passphrase | passcode | pwd | secret | credentials?
        | (?:auth|access|bearer|api|session|refresh) [\ _-]? token
        | (?:api|access|account|secret|private|encryption|signing|license) (?: [\ _-] (?:access|secret) )? [\ _-]? key
        | client [\ _-]? secret ) ["'`*]*
    (?: (?: \s+ (?:for|of|to|on|at) (?: \s+ [\w.'-]+ ){1,4}? )? \s* (?<link> : | = | -> | \s (?:is|was|are) (?:\s+now)? \s ) \s* | \s )
    ["'`*]* (?<value> [^\s"'`*]+ )"#;

/// Digits as a card shows them.
const CARD: &str = r"\b\d(?:[ -]?\d){12,18}\b";

pub(super) struct Secrets {
    shapes: Vec<(&'static str, Regex)>,
    said: Regex,
    card: Regex,
}

impl Secrets {
    pub(super) fn new() -> Result<Self, regex::Error> {
        let shapes = SHAPES.iter().map(|(what, shape)| Ok((*what, super::ascii(shape)?)));
        Ok(Self { shapes: shapes.collect::<Result<_, _>>()?, said: super::ascii(SAID)?, card: super::ascii(CARD)? })
    }

    /// Returns what secret stands in `after` and did not in `before`.
    pub(super) fn new_in(&self, after: &str, before: &str) -> Option<&'static str> {
        let known: HashSet<_> = self.all_in(before).collect();
        self.all_in(after).find(|secret| !known.contains(secret)).map(|(what, _)| what)
    }

    fn all_in<'t>(&self, text: &'t str) -> impl Iterator<Item = (&'static str, &'t str)> {
        let shapes =
            self.shapes.iter().flat_map(|(what, shape)| shape.find_iter(text).map(|found| (*what, found.as_str())));
        let cards = self.card.find_iter(text).map(|found| found.as_str()).filter(|digits| is_card(digits));
        let said = self.said.captures_iter(text).filter_map(|found| {
            let value = found.name("value")?.as_str();
            is_secret(value, found.name("link").is_some_and(|link| link.as_str().contains(['=', ':', '>'])))
                .then_some(value)
        });
        shapes
            .chain(cards.map(|digits| ("a card number", digits)))
            .chain(said.map(|value| ("a password or key", value)))
    }
}

/// Reports whether what a word for secrets introduces is one: no word of a language, but letters with digits or signs among them.
fn is_secret(value: &str, is_assigned: bool) -> bool {
    let value = value.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']);
    let has = |is: fn(char) -> bool| value.chars().any(is);
    let (letter, digit) = (has(char::is_alphabetic), has(|c| c.is_ascii_digit()));
    let sign = has(|c| c.is_ascii_punctuation() && !"-'./()_,".contains(c));
    let is_long = value.chars().count() >= if is_assigned { 4 } else { 6 };
    is_long && ((letter && (digit || sign)) || (digit && value.len() >= 6 && is_assigned))
}

/// Reports whether digits are those of a payment card: length and beginning of an issuer's, and the check digit.
fn is_card(digits: &str) -> bool {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(10)).collect();
    let number = digits.iter().take(4).fold(0, |number, digit| number * 10 + digit);
    let is_issued = matches!(
        (number, digits.len()),
        (4000..=4999, 13 | 16 | 19)
            | (5100..=5599 | 2221..=2720 | 3528..=3589, 16)
            | (3400..=3499 | 3700..=3799, 15)
            | (3000..=3059 | 3600..=3699 | 3800..=3999, 14)
            | (6011 | 6200..=6299 | 6440..=6599, 16..=19)
    );
    let sum = digits.iter().rev().enumerate().map(|(place, digit)| match (place % 2, digit * 2) {
        (0, _) => *digit,
        (_, double) => double / 10 + double % 10,
    });
    is_issued && sum.sum::<u32>() % 10 == 0
}
