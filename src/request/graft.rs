//! Grafts: the text that a healed edit writes. Words that the old and the new text have in common keep the characters of
//! the document.

use std::collections::HashSet;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::document::ItemText;
use crate::locate::NormalText;
use crate::text::{ChangedRange, Span, diff_ranges, fold_signs};

/// Returns the text to write in place of `there`, the text of the document. `old` is what the editor sent for `there`: both
/// are equal in normal form. `new` is what the editor wants instead. All have LF line endings.
///
/// Words that `old` and `new` have in common keep the characters of the document. If the document has `it’s tea`,
/// replacing `it's tea` by `it's milk` writes `it’s milk`.
pub(super) fn graft(there: &str, old: &str, new: &str) -> String {
    if there == old {
        return new.to_owned();
    }
    let (there_normal, old_normal) = (NormalText::of_text(there), NormalText::of_text(old));
    if there_normal.bytes != old_normal.bytes {
        return new.to_owned();
    }
    let (old_words, new_words) = (words(old), words(new));
    let bounds = bounds_there(&there_normal, &old_normal, &old_words);
    let origins = origins(&old_words, &new_words);
    let old_groups: HashSet<Range<usize>> = groups(&old_words).into_iter().collect();
    let written = groups(&new_words).into_iter().map(|group| {
        let kept = || {
            let origins = origins.get(group.clone())?;
            let first = (*origins.first()?)?;
            let same = first..first + group.len();
            let is_whole = old_groups.contains(&same) && origins.iter().copied().eq(same.clone().map(Some));
            let [start, end] = [same.start, same.end].map(|at| bounds.get(at).copied().flatten());
            Some(Span::new(start?, end?).of(there).to_owned()).filter(|_| is_whole)
        };
        kept().unwrap_or_else(|| new_words.get(group.clone()).unwrap_or_default().concat())
    });
    written.collect()
}

/// Returns where the words of the old text begin in the text of the document, and where the last one ends. `None` for a
/// place inside of one grapheme.
fn bounds_there(there: &NormalText, old: &NormalText, old_words: &[&str]) -> Vec<Option<usize>> {
    let mut end = 0;
    let ends = old_words.iter().map(|word| {
        end += word.len();
        let at = old.position(end)?;
        Some(there.origin(at..at)?.start())
    });
    std::iter::once(Some(0)).chain(ends).collect()
}

/// Returns, for each word of the new text, the index of the same word in the old text; `None` if the word is new.
fn origins(old_words: &[&str], new_words: &[&str]) -> Vec<Option<usize>> {
    let mut origins: Vec<Option<usize>> = vec![None; new_words.len()];
    let (old_end, new_end) = (old_words.len(), new_words.len());
    let (mut old_next, mut new_next) = (0, 0);
    let end = ChangedRange { old: old_end..old_end, new: new_end..new_end };
    for ChangedRange { old, new } in diff_ranges(old_words, new_words).into_iter().chain([end]) {
        let is_between = new_next > 0 && (old.end, new.end) < (old_end, new_end);
        let is_quote = |word: &&str| matches!(*word, "'" | "\"");
        // A single quote between two changes may stand for any quote of the document, so it is written as it was sent.
        if !(is_between && old_words.get(old_next..old.start).unwrap_or_default().iter().all(is_quote)) {
            let same = origins.iter_mut().skip(new_next).zip(old_next..old.start);
            same.for_each(|(origin, word)| *origin = Some(word));
        }
        (old_next, new_next) = (old.end, new.end);
    }
    origins
}

/// A line that is replaced.
pub(super) struct Replaced<'l> {
    pub(super) line: &'l str,
    /// The text that the editor sent for this line.
    pub(super) sent: &'l str,
    /// Whether `sent` is only the content of the bullet, without marker, checkbox and tags.
    pub(super) is_content: bool,
}

/// Returns the lines to write for `texts`, with the characters of the replaced lines, as [`graft`] does.
pub(super) fn graft_lines<'l>(replaced: impl Iterator<Item = Replaced<'l>>, texts: &[String]) -> Vec<String> {
    let (mut there, mut old) = (Vec::new(), Vec::new());
    for Replaced { line, sent, is_content } in replaced {
        let line = line.trim_end_matches([' ', '\t']);
        // If only the content was sent, the document's marker, checkbox and tags are put before it.
        let left_out = if is_content { line.len().saturating_sub(ItemText::of_line(line).content.len()) } else { 0 };
        let sent = if left_out > 0 { ItemText::trimmed(sent).content } else { sent.trim_end_matches([' ', '\t']) };
        old.push([line.get(..left_out).unwrap_or_default(), sent].concat());
        there.push(line);
    }
    graft(&there.join("\n"), &old.join("\n"), &texts.join("\n")).split('\n').map(str::to_owned).collect()
}

/// Groups words. The words of a group keep the document's characters only if all of them are the same. A hyphen or
/// apostrophe between letters or digits joins them (`3-5`, `it's`), and a sign joins its number: a new `-5` takes nothing
/// from an old `3-5`. The head of a line is one group, so that no dash of the document becomes a marker.
fn groups(words: &[&str]) -> Vec<Range<usize>> {
    let first = |at: usize| words.get(at).and_then(|word| fold_signs(word).chars().next());
    let is_word = |at: usize| first(at).is_some_and(char::is_alphanumeric);
    let is_sign = |at: usize| matches!(first(at), Some('-' | '+' | '\''));
    let is_number = |at: usize| first(at).is_some_and(char::is_numeric);
    let is_joined = |at: usize| {
        let is_inside = at.checked_sub(1).is_some_and(is_word);
        let is_of_next = is_sign(at) && is_word(at + 1) && (is_inside || first(at) != Some('\'') && is_number(at + 1));
        is_of_next || is_word(at) && is_sign(at + 1) && is_word(at + 2)
    };
    let mut joined: Vec<bool> = (0..words.len()).map(is_joined).collect();
    let mut first_of_line = 0;
    for line in words.chunk_by(|word, _| !word.contains('\n')) {
        let head = joined.iter_mut().skip(first_of_line).take(head_of(line)).rev().enumerate();
        head.for_each(|(nth_last, joined)| *joined = nth_last > 0);
        first_of_line += line.len();
    }
    let mut start = 0;
    let ends = joined.iter().enumerate().filter(|(_, joined)| !**joined);
    ends.map(|(at, _)| std::mem::replace(&mut start, at + 1)..at + 1).collect()
}

/// Returns the number of words in the head of a line: its marker, checkbox and tags. If it has none, the head is the signs
/// other than quotes that it begins with.
fn head_of(line: &[&str]) -> usize {
    let text = line.concat();
    let length = text.trim_end().len().saturating_sub(ItemText::of_line(&text).content.len());
    let starts = line.iter().scan(0, |end, word| Some(std::mem::replace(end, *end + word.len())));
    match starts.take_while(|start| *start < length).count() {
        0 => {
            let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '\n' | '\'' | '"');
            line.iter().take_while(|word| fold_signs(word).chars().all(is_sign)).count()
        }
        words => words,
    }
}

/// Divides a text into words: runs of letters and digits, runs of full stops, runs of white space, and single graphemes of
/// any other kind. Texts that are equal in normal form are divided alike.
fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    let (mut start, mut open) = (0, None);
    for (offset, grapheme) in text.grapheme_indices(true) {
        let run = grapheme.chars().next().and_then(|c| match c {
            '.' => Some(0),
            c if c.is_alphanumeric() => Some(1),
            c if c.is_whitespace() => Some(2),
            _ => None,
        });
        if run.is_none() || run != open {
            words.extend(text.get(start..offset).filter(|word| !word.is_empty()));
            start = offset;
        }
        open = run;
    }
    words.extend(text.get(start..).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::bullet_line;
    use crate::text::Line;
    use proptest::prelude::*;

    const TEXT: &str = "((- |\\* |  - |\u{2013} )?([ab'\u{2019}\u{201C}\"\\.\u{2026} \t\u{A0}-]|e\u{301}|\u{E9}|\u{FF41}){0,4}(\n|\r\n)){0,4}[ab\u{2019}' ]{0,3}";

    proptest! {
        #[test]
        fn a_graft_reads_as_the_new_text(there in TEXT, new in TEXT) {
            let [there, new] = [there, new].map(|text| text.replace("\r\n", "\n"));
            let old = there.replace('\u{2019}', "'").replace(['\u{201C}', '\u{201D}'], "\"").replace('\u{2026}', "...");
            let written = graft(&there, &old, &new);
            prop_assert_eq!(NormalText::of_text(&written).bytes, NormalText::of_text(&new).bytes);
            prop_assert_eq!(&graft(&there, &old, &old), &there);
            let read = |text: &str| Line::all(text).map(|line| line.text.of(text).to_owned()).collect::<Vec<_>>();
            let (written, sent, old) = (read(&written), read(&new), read(&old));
            for (line, sent) in written.iter().zip(&sent).filter(|(_, sent)| !old.contains(sent)) {
                let marker = |line| bullet_line(line).map(|line| line.marker);
                prop_assert_eq!(marker(line), marker(sent), "{:?} {:?}", there, new);
            }
        }
    }

    #[test]
    fn what_stays_keeps_the_characters_of_the_document() {
        let there = "- User\u{2019}s \u{201C}advisor\u{201D}: TBD";
        assert_eq!(
            graft(there, "- User's \"advisor\": TBD", "- User's \"advisor\": Prof. X's"),
            "- User\u{2019}s \u{201C}advisor\u{201D}: Prof. X's"
        );
    }
}
