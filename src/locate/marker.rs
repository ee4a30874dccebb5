//! What of a line is its marker or the prefix of a view, and what of a sought or a written text stands for that. Nothing else
//! knows.
//!
//! The marker of a line of a document is the one that the parser found. A text that is sought, or that is to be written, may
//! bring one marker for it: `-`, `*` or `+`, but before what could be a sign's number (`+ 5 %`, `- 3 °C`, `- ~5`) only the line's
//! own; a number (`13.`, `2)`) only for a line of an ordered list that has this number. All else that begins like a
//! marker (`13. Juni`) is content. A prefix is one only if the view shows it for this very line.

use crate::document::{BulletRef, Key, bullet_start, checkbox};
use crate::text::{fold_punctuation, is_emblem, is_hidden, is_point};

/// The first line of a bullet, divided as the parser divides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BulletLine<'a> {
    /// The white space before the marker.
    pub(crate) indentation: &'a str,
    /// The marker alone.
    pub(crate) marker: &'a str,
    /// What follows the marker and its white space: checkbox, tags, content.
    pub(crate) rest: &'a str,
    /// Where in the line `rest` starts.
    pub(crate) rest_start: usize,
}

impl<'a> BulletLine<'a> {
    /// Divides a line that is known to be a bullet's; `None` if it has no marker.
    pub(crate) fn read(line: &'a str) -> Option<Self> {
        let start = bullet_start(line)?;
        Some(Self {
            indentation: line.get(..start.marker.start)?,
            marker: line.get(start.marker.clone())?,
            rest: line.get(start.rest..)?,
            rest_start: start.rest,
        })
    }
}

impl BulletLine<'_> {
    /// Reports whether the marker of a text that is sought or written may stand for `own`, that of a line.
    pub(crate) fn stands_for(&self, own: &str) -> bool {
        let is_own = match is_ordered(self.marker) {
            true => numbered(self.marker).map(|(number, _)| number) == numbered(own).map(|(number, _)| number),
            false => self.marker == own || !may_be_signed(self.rest),
        };
        is_own && !self.rest.is_empty()
    }
}

/// Reports whether a marker is that of an ordered list.
pub(crate) fn is_ordered(marker: &str) -> bool {
    marker.ends_with(['.', ')'])
}

/// Splits the marker that `text` brings for a line whose own one is `own`, and the white space behind it, from the rest.
pub(crate) fn brought_marker<'t>(text: &'t str, own: &str) -> Option<(&'t str, &'t str)> {
    let line = BulletLine::read(text).filter(|line| line.indentation.is_empty() && line.stands_for(own))?;
    Some((line.marker, line.rest))
}

/// Splits a marker of the kind that a written line keeps: one of the list's kind, or any but a number before a word.
pub(crate) fn kept_marker<'t>(text: &'t str, own: &str) -> Option<(&'t str, &'t str)> {
    let line = BulletLine::read(text)?;
    let is_kept = match is_ordered(line.marker) {
        true => is_ordered(own),
        false => line.marker == own || !may_be_signed(line.rest),
    };
    is_kept.then_some((line.marker, line.rest))
}

/// Reports whether the dashes that two lines begin with, behind any indentation, may stand for one another: a line's own marker
/// and a dash that is none do not, before what could be a sign's number.
pub(super) fn begin_with_alike_dashes(sought: &str, there: &str) -> bool {
    let (Some((a, sought)), Some((b, there))) = (leading_dash(sought), leading_dash(there)) else { return true };
    (a == '-') == (b == '-') || !(may_be_signed(sought) || may_be_signed(there))
}

/// Splits the dash that stands where a marker would, of whatever kind, from what follows it and its white space.
fn leading_dash(line: &str) -> Option<(char, &str)> {
    let line = line.trim_start();
    let dash = line.chars().next()?;
    let (own, rest) = line.split_at_checked(dash.len_utf8())?;
    let (mut is_dash, is_apart) = (false, rest.is_empty() || rest.starts_with(char::is_whitespace));
    fold_punctuation(own, |_, c| is_dash = c == '-');
    (is_dash && is_apart).then(|| (dash, rest.trim_start()))
}

/// Reports whether two texts both begin with a number, or with a sign, or with the same marker before a word.
pub(crate) fn begin_alike(a: &str, b: &str) -> bool {
    let (Some(a), Some(b)) = (BulletLine::read(a), BulletLine::read(b)) else { return false };
    match (is_ordered(a.marker), is_ordered(b.marker)) {
        (true, true) => true,
        (false, false) if may_be_signed(a.rest) => may_be_signed(b.rest),
        (false, false) => a.marker == b.marker && !may_be_signed(b.rest),
        _ => false,
    }
}

/// Returns what follows a doubled marker, `- - text`: twice the same, and then a letter.
pub(crate) fn behind_doubled(text: &str) -> Option<&str> {
    let first = BulletLine::read(text).filter(|line| line.indentation.is_empty() && !is_ordered(line.marker))?;
    let second = BulletLine::read(first.rest).filter(|line| line.indentation.is_empty())?;
    let is_doubled = first.marker == second.marker && second.rest.starts_with(char::is_alphabetic);
    is_doubled.then_some(second.rest)
}

/// Returns `line` with one marker where it has the same one twice; `None` where it has not.
pub(crate) fn without_doubled(line: &str) -> Option<String> {
    let bullet = BulletLine::read(line)?;
    let rest = behind_doubled(line.get(bullet.indentation.len()..)?)?;
    Some([line.get(..bullet.rest_start)?, rest].concat())
}

/// Reports whether a text begins with `-`, `*` or `+` and white space, behind any indentation.
pub(crate) fn begins_with_sign(text: &str) -> bool {
    BulletLine::read(text).is_some_and(|line| !is_ordered(line.marker))
}

/// Returns what follows one space, and no more.
pub(crate) fn behind_space(text: &str) -> Option<&str> {
    text.strip_prefix(' ').filter(|rest| !rest.is_empty() && !rest.starts_with([' ', '\t']))
}

/// Reports whether a text is the line of a bullet, as it stands or as a view shows it.
pub(crate) fn is_bullet_line(text: &str) -> bool {
    BulletLine::read(text).is_some() || view_prefix(text).is_some_and(|(_, rest)| BulletLine::read(rest).is_some())
}

/// Reports whether a `-` or `+` before this text could be its sign: the first of it that says anything is a number, a currency
/// sign, or another sign or dash that may stand before one. A letter, a checkbox, an emoji, an arrow, `@` and `#` begin words; what
/// stands around words is overlooked, and so is a point, but for its letter or number.
pub(crate) fn may_be_signed(rest: &str) -> bool {
    let stands_before_words =
        |c: char| matches!(c, '~' | '<' | '`') || is_hidden(c) || (is_point(c) && !begins_word(c));
    let first = rest.trim_start_matches(stands_before_words).chars().next();
    checkbox(rest).is_none() && !first.is_some_and(begins_word)
}

fn begins_word(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '@' | '#') || is_emblem(c)
}

/// Returns the number of a marker, and what closes it.
pub(crate) fn numbered(marker: &str) -> Option<(usize, char)> {
    let delimiter = marker.chars().next_back().filter(|c| matches!(c, '.' | ')'))?;
    Some((marker.strip_suffix(delimiter)?.parse().ok()?, delimiter))
}

/// What the views show before a line: its number, and the key of the bullet that it begins.
#[derive(Clone, Debug)]
pub(crate) struct LineLabel {
    pub(crate) number: usize,
    pub(crate) key: Option<Key>,
}

impl LineLabel {
    /// Returns the label of the first line of a bullet.
    pub(crate) fn of_bullet(bullet: BulletRef<'_>) -> Self {
        Self { number: bullet.line_number(), key: Some(bullet.key()) }
    }

    /// Reports whether a view shows this prefix for the line: its number, its key, or nothing where it has no key.
    pub(super) fn is(&self, prefix: &str) -> bool {
        let is_number = prefix.parse::<usize>().is_ok_and(|number| number == self.number);
        is_number || self.key.as_ref().map_or("", Key::as_str) == prefix
    }

    /// Returns what follows the prefix that a view shows for this line, one space behind it included.
    pub(crate) fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        view_prefix(text).filter(|(prefix, _)| self.is(prefix)).map(|(_, rest)| rest)
    }
}

/// Splits what may be the prefix of a view, `12| `, `k7f3a2| ` or `| `, from the rest: the number, the key or nothing, and what
/// follows.
pub(crate) fn view_prefix(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '#' | ' '))?;
    let (prefix, rest) = text.split_at_checked(end)?;
    let rest = rest.strip_prefix('|')?;
    let prefix = prefix.trim_start_matches(' ');
    let is_number = (1..=7).contains(&prefix.len()) && prefix.bytes().all(|byte| byte.is_ascii_digit());
    let (key, ordinal) = prefix.split_once('#').unwrap_or((prefix, "1"));
    let is_key = matches!(key.len(), 6 | 8)
        && key.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
        && !ordinal.is_empty()
        && ordinal.bytes().all(|byte| byte.is_ascii_digit());
    let is_without_key = end == 0 && (rest.is_empty() || rest.starts_with(' '));
    (is_number || is_key || is_without_key).then(|| (prefix, rest.strip_prefix(' ').unwrap_or(rest)))
}

/// The prefixes that a request copied along: those of lines that it writes beside them go too.
#[derive(Debug, Default)]
pub(crate) struct CopiedPrefixes {
    keys: Vec<String>,
    /// The numbers that were copied, and how far those of new lines may count on.
    numbers: Option<(usize, usize)>,
}

impl CopiedPrefixes {
    /// Notes the prefixes of the lines that were found, for a text of `written` new lines.
    pub(crate) fn new<'p>(prefixes: impl Iterator<Item = &'p str>, written: usize) -> Self {
        let mut copied = Self::default();
        for prefix in prefixes {
            match prefix.parse::<usize>() {
                Ok(number) => {
                    let (first, last) = copied.numbers.unwrap_or((number, number));
                    copied.numbers = Some((first.min(number), last.max(number)));
                }
                Err(_) => copied.keys.push(prefix.to_owned()),
            }
        }
        copied.numbers = copied.numbers.map(|(first, last)| (first, last + written));
        copied
    }

    /// Returns a new line without the prefix that goes on from those that were copied; `42| answer` may well be meant.
    pub(crate) fn strip<'t>(&self, line: &'t str) -> &'t str {
        let Some((prefix, rest)) = view_prefix(line) else { return line };
        let goes_on = match prefix.parse::<usize>() {
            Ok(number) => self.numbers.is_some_and(|(first, last)| (first..=last).contains(&number)),
            Err(_) => self.keys.iter().any(|key| key == prefix),
        };
        if goes_on { rest } else { line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_brought_only_where_it_can_be_no_sign_and_no_date() {
        let rest = |text, own| brought_marker(text, own).map(|(_, rest)| rest);
        assert_eq!(rest("- Bob", "-"), Some("Bob"));
        assert_eq!(rest("* Bob", "-"), Some("Bob"));
        assert_eq!(rest("- 5 °C", "-"), Some("5 °C"));
        assert_eq!(rest("+ 5 %", "-"), None);
        assert_eq!(rest("- € 5", "*"), None);
        assert_eq!(rest("+ **5 %** raise", "-"), None);
        assert_eq!(rest("+ (5 %)", "-"), None);
        assert_eq!(rest("+ \"Bob\"", "-"), Some("\"Bob\""));
        for text in
            ["[ ] Ana", "[x] 5 km", "🎉 party", "→ Köln", "@bob", "#tag", "#12", "/etc", ".env", "«Bob»", "🎂 13. Juni"]
        {
            assert!(brought_marker(&format!("- {text}"), "*").is_some(), "{text}");
        }
        for text in ["~5", ".5", "- a", "-5", "--", "−5", "± 5", "≈ 5", "½", "٥", "₿ 1", "**5**", "...", "(", "\"5\""]
        {
            assert!(brought_marker(&format!("- {text}"), "*").is_none(), "{text}");
        }
        assert_eq!(rest("13. Juni", "-"), None);
        assert_eq!(rest("13. Juni", "12."), None);
        assert_eq!(rest("2. Two", "2."), Some("Two"));
        assert_eq!(rest("-x", "-"), None);
        assert_eq!(rest("- ", "-"), None);
    }

    #[test]
    fn a_marker_and_another_dash_are_alike_before_words_alone() {
        for dash in ['\u{2010}', '\u{2013}', '\u{2014}', '\u{2212}', '\u{FF0D}'] {
            for text in ["5 °C", "$5", "± 5", "- 5", "~5", ""] {
                let (own, other) = (format!("  - {text}"), format!("{dash}\u{A0}{text}"));
                assert!(!begin_with_alike_dashes(&own, &other) && !begin_with_alike_dashes(&other, &own), "{other}");
                assert!(begin_with_alike_dashes(&own, &own) && begin_with_alike_dashes(&other, "\u{2015} 5"));
            }
            assert!(begin_with_alike_dashes(&format!("{dash} milk"), "- milk"));
            // Without white space it is no marker.
            assert!(begin_with_alike_dashes(&format!("{dash}5 °C"), "-5 °C"));
        }
        assert!(begin_with_alike_dashes("- ", "- milk") && begin_with_alike_dashes("* 5", "* 5"));
    }

    #[test]
    fn a_doubled_marker_is_the_same_twice_before_a_letter() {
        assert_eq!(behind_doubled("- - Bob"), Some("Bob"));
        assert_eq!(behind_doubled("- + Bob"), None);
        assert_eq!(behind_doubled("- - 5 °C"), None);
        assert_eq!(behind_doubled("1. 1. one"), None);
        assert_eq!(without_doubled("  - - x"), Some("  - x".to_owned()));
    }

    #[test]
    fn numbers_signs_and_markers_begin_texts_each_in_their_way() {
        assert!(
            begin_alike("- 3 °C", "- 4 °C") && begin_alike("+ 5 %", "- 5 %") && begin_alike("13. Juni", "14. Juni")
        );
        assert!(begin_alike("* star", "* moon") && !begin_alike("* star", "- moon"));
        assert!(!begin_alike("- 3 °C", "- Bob") && !begin_alike("- Bob", "13. Juni") && !begin_alike("Bob", "- Bob"));
    }

    #[test]
    fn a_prefix_is_that_of_the_line() {
        let label = LineLabel { number: 12, key: None };
        assert_eq!(label.strip("12| - a"), Some("- a"));
        assert_eq!(label.strip(" 12| - a"), Some("- a"));
        assert_eq!(label.strip("13| - a"), None);
        assert_eq!(label.strip("coffee|tea"), None);
        assert_eq!(label.strip("| ## Facts"), Some("## Facts"));
        assert_eq!(label.strip("| | a table |"), Some("| a table |"));
    }

    #[test]
    fn view_prefixes_are_numbers_or_keys() {
        assert_eq!(view_prefix("12| - a"), Some(("12", "- a")));
        assert_eq!(view_prefix("  k7f3a2#2| - a"), Some(("k7f3a2#2", "- a")));
        assert_eq!(view_prefix("| ## Facts"), Some(("", "## Facts")));
        assert_eq!(view_prefix("|"), Some(("", "")));
        assert_eq!(view_prefix("||"), None);
        assert_eq!(view_prefix(" | a"), None);
        assert_eq!(view_prefix("a | b"), None);
        assert_eq!(view_prefix("- 12| a"), None);
    }

    #[test]
    fn prefixes_of_new_lines_go_on_from_copied_ones() {
        let copied = CopiedPrefixes::new(["3", "sabr24"].into_iter(), 2);
        assert_eq!(copied.strip("4| - a"), "- a");
        assert_eq!(copied.strip("42| answer"), "42| answer");
        assert_eq!(copied.strip("sabr24| - a"), "- a");
        assert_eq!(copied.strip("coffee| x"), "coffee| x");
    }
}
