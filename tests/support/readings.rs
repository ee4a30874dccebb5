//! What a text that was sought may mean: an oracle written apart from the crate's own rules.
//!
//! Two texts are the same fact if they hold the same characters in the same order, once quotes, dashes, ellipses and spaces are
//! folded and characters composed. Only these may be left out of what was sought: escapes, the prefix that a view shows for
//! that very line, and one marker, as far as it can be no part of the fact.

use unicode_normalization::UnicodeNormalization as _;

use super::facts::Fact;
use super::sloppy_calls::How;

/// A text behind what was left out before it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What is left.
    pub rest: String,
    /// Whether a marker or a prefix was left out.
    pub is_cut: bool,
}

/// Composes characters, folds quotes, dashes, ellipses and runs of white space, and trims. Nothing else is ever dropped.
pub fn folded(text: &str) -> String {
    let mut folded = String::new();
    for c in text.nfc() {
        match c {
            '‘' | '’' | '‚' | '‛' | '‹' | '›' => folded.push('\''),
            '“' | '”' | '„' | '‟' | '«' | '»' => folded.push('"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
            '…' => folded.push_str("..."),
            c if c.is_whitespace() => folded.push(' '),
            c => folded.push(c),
        }
    }
    folded.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the text with `\"`, `\'`, `\\`, `\n` and `\t` taken for what they stand for in JSON.
pub fn unescaped(text: &str) -> String {
    let mut result = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let meant = match (c, chars.peek()) {
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some(quoted @ ('"' | '\'' | '\\'))) => *quoted,
            _ => {
                result.push(c);
                continue;
            }
        };
        chars.next();
        result.push(meant);
    }
    result
}

/// Returns the text as sent, and as it reads without escapes, if it has any.
pub fn spellings(text: &str) -> Vec<String> {
    let mut all = vec![text.to_owned(), unescaped(text)];
    all.dedup();
    all
}

/// Returns all that a text may mean on the line `line` (from 0), which is a bullet or not.
pub fn readings(text: &str, line: usize, fact: Option<&Fact>) -> Vec<Reading> {
    let mut found = Vec::new();
    for text in spellings(text) {
        let uncut = Reading { rest: text.clone(), is_cut: false };
        let shown = without_prefix(&text, line, fact).map(|rest| Reading { rest, is_cut: true });
        for reading in [Some(uncut), shown].into_iter().flatten() {
            let cut = fact.map(|fact| without_markers(&reading.rest, fact)).unwrap_or_default();
            found.push(reading);
            found.extend(cut.into_iter().map(|rest| Reading { rest, is_cut: true }));
        }
    }
    found
}

/// Takes away the number or the key that a view shows before that line.
fn without_prefix(text: &str, line: usize, fact: Option<&Fact>) -> Option<String> {
    let (prefix, rest) = text.split_once('|')?;
    let (prefix, number) = (prefix.trim(), (line + 1).to_string());
    // A twin's key is shown with its number behind it.
    let is_key = |key: &str| prefix == key || key.split_once('#').is_some_and(|(key, _)| prefix == key);
    let is_shown = prefix == number || fact.is_some_and(|fact| is_key(&fact.key));
    is_shown.then(|| rest.to_owned())
}

/// Returns what is left of a text behind a marker that the fact may lack or have.
pub fn without_markers(text: &str, fact: &Fact) -> Vec<String> {
    let text = text.trim_start();
    let mut found = Vec::new();
    if let Some((marker, rest)) = sign(text) {
        if fact.marker == marker || !begins_like_a_number(rest) {
            found.push(rest.to_owned());
        }
        if let Some((second, rest)) = sign(rest)
            && second == marker
            && groups(rest).1.starts_with(char::is_alphabetic)
        {
            found.push(rest.to_owned());
        }
    }
    if let Some((number, rest)) = ordinal(text)
        && fact.number() == Some(number)
    {
        found.push(rest.to_owned());
    }
    found
}

/// Splits a text behind a leading `-`, `*` or `+`.
pub fn sign(text: &str) -> Option<(&str, &str)> {
    let (marker, rest) = text.split_once([' ', '\t', '\u{A0}'])?;
    ["-", "*", "+"].contains(&marker).then(|| (marker, rest.trim_start()))
}

/// Splits a text behind a leading number with `.` or `)`.
pub fn ordinal(text: &str) -> Option<(&str, &str)> {
    let (marker, rest) = text.split_once([' ', '\t', '\u{A0}'])?;
    let number = marker.strip_suffix(['.', ')'])?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| (number, rest.trim_start()))
}

/// Splits a text into the groups in brackets at its beginning and the rest.
pub fn groups(text: &str) -> (Vec<&str>, &str) {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while let Some(end) = rest.find("] ").filter(|_| rest.starts_with('[')) {
        found.push(&rest[..=end]);
        rest = rest[end + 1..].trim_start();
    }
    (found, rest)
}

/// Whether a sign before the text may belong to an amount.
pub fn begins_like_a_number(text: &str) -> bool {
    let mut chars = text.trim_start().chars();
    match chars.next() {
        Some('.' | ',') => chars.next().is_some_and(char::is_numeric),
        Some('$' | '€' | '£' | '¥' | '₽' | '₪' | '¢') => true,
        first => first.is_some_and(char::is_numeric),
    }
}

/// Whether a text names a bullet by its content, or by all behind its marker.
pub fn names_content(text: &str, how: How, fact: &Fact) -> bool {
    // Tags may be left out: they are not what is compared.
    let without_tags = format!("{}{}", fact.checkbox, fact.content);
    let contents = [folded(&fact.content), folded(&without_tags), folded(&fact.body())];
    readings(text, fact.line, Some(fact)).iter().any(|reading| {
        let rest = folded(&reading.rest);
        contents.iter().any(|content| match how {
            How::Equals => *content == rest,
            How::Contains if !reading.is_cut => content.contains(&rest),
            How::Contains | How::StartsWith => content.starts_with(&rest),
        })
    })
}

/// Whether a text is a line of a memory, as a hunk gives it.
pub fn names_line(text: &str, line: usize, full: &str, fact: Option<&Fact>) -> bool {
    let body = match fact {
        Some(fact) => folded(&first_body(fact)),
        None => folded(full),
    };
    readings(text, line, fact).iter().any(|reading| {
        let rest = folded(&reading.rest);
        rest == body || (!rest.is_empty() && rest == folded(full) && begin_alike(&reading.rest, full))
    })
}

/// Whether a text is the content of a bullet's first line, without its checkbox, its tags or both. A sign at its beginning is
/// the marker of a whole line; a number may be content, as in `5. класс`.
pub fn names_first_content(text: &str, fact: &Fact) -> bool {
    let content = fact.content.split('\n').next().unwrap_or_default();
    let contents = [fact.checkbox, fact.tags, ""].map(|head| folded(&format!("{head}{content}")));
    let brings_marker = |text: &str| sign(text.trim_start()).is_some();
    spellings(text).iter().any(|text| !brings_marker(text) && contents.contains(&folded(text)))
}

/// Whether both lines or none begin with the marker `-`, where another dash in its place could be the sign of an amount.
pub fn begin_alike(text: &str, full: &str) -> bool {
    let dash = |text: &str| {
        let (dash, rest) = text.trim_start().split_once([' ', '\t', '\u{A0}'])?;
        (folded(dash) == "-").then(|| (dash == "-", is_amount(rest)))
    };
    match (dash(text), dash(full)) {
        (Some((is_marker, is_amount)), Some((is_own, _))) => is_marker == is_own || !is_amount,
        _ => true,
    }
}

/// Whether a text says a number or a sign before any letter.
fn is_amount(text: &str) -> bool {
    let tells = |c: &char| c.is_alphanumeric() || "+-–−±≈$€£¥₽₪¢".contains(*c);
    !text.chars().find(tells).is_some_and(char::is_alphabetic)
}

/// Returns what stands behind the marker in the first line.
pub fn first_body(fact: &Fact) -> String {
    fact.body().split('\n').next().unwrap_or_default().to_owned()
}
