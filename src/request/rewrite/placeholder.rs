//! Placeholders for text that was left out: `(rest unchanged)`, `... existing items ...`.
//!
//! Placeholders are found by their words. All words of the line, of a text in brackets, or of a text beside an ellipsis
//! must be in the lists below, and one of them must be a state such as `unchanged`. In brackets or beside an ellipsis,
//! a word such as `rest` may do, also alone if the line has no other text: `- (rest)` is a placeholder, `- Acme (previous)`
//! and `- Keep the rest of the cake` are none. It may also do in a bullet that goes on as a list does: `- etc.`, `- and more`.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use crate::document::{bullet_line, checkbox};
use crate::text::fold_white_space;

/// States: words for what happened to the text. One of these makes a placeholder of any line, or text in brackets.
const STATES: &str = "unchanged omitted truncated snipped snip same remain remains stay stays changed changes preserved retained \
    kept elided continues continued identical unmodified unverändert inchangé cambios ongewijzigd изменений 동일 igual";

/// Words for which text is left out. One of these makes a placeholder of a text beside an ellipsis and of a text in
/// brackets that is the whole line or has another word.
const OTHERS: &str = "rest remaining remainder existing other others else etc etcetera usw more before above earlier previous original below on forth \
    reste resto restante bestehende остальное 나머지";

/// Words that a placeholder may have besides.
const FILLERS: &str = "a all and any are as be been brevity bullet bullets code content contents copy document entries entry \
    everything fact facts file following for from full further has have here in insert is it item items its keep line lines list \
    made memory modified no not note notes nothing of part section sections see so step steps still text that the them these they \
    this those to was were with das die el le o sin permanece einträge inhalt без";

/// The same two lists for scripts without spaces between words.
const DENSE_OTHERS: &str = "以下 残り その他 其余 其他 剩余";
const DENSE_STATES: &str = "省略 変更なし そのまま 不变";

/// The words with which a list goes on.
const ENDS: [&str; 4] = ["and", "etc", "etcetera", "usw"];

/// The class of a word: the list that it is in.
#[derive(Clone, Copy)]
enum WordClass {
    State,
    Other,
    Filler,
}

static WORDS: LazyLock<HashMap<&str, WordClass>> = LazyLock::new(|| {
    let known = |list: &'static str, class: WordClass| list.split_whitespace().map(move |word| (word, class));
    known(STATES, WordClass::State)
        .chain(known(OTHERS, WordClass::Other))
        .chain(known(FILLERS, WordClass::Filler))
        .collect()
});

const OPENING: [char; 7] = ['(', '[', '{', '<', '（', '【', '「'];
const CLOSING: [char; 7] = [')', ']', '}', '>', '）', '】', '」'];

/// Returns the words of the first placeholder in a line, without the brackets or signs around it; `None` if there is none.
pub(super) fn placeholder(line: &str) -> Option<String> {
    // Ellipses are replaced first, so that `[…]` is not read as a checkbox.
    let line = line.replace(['…', '⋯', '⋮'], "...");
    let bullet = bullet_line(&line).map(|line| line.rest);
    let line = bullet.unwrap_or(&line);
    let line = checkbox(line).and_then(|(length, space)| line.get(length + space..)).unwrap_or(line);
    let text = line.replace(['。', '・'], ".").to_lowercase();
    if !text.chars().any(char::is_alphanumeric) {
        return text.split_whitespace().collect::<String>().contains("...").then(|| "...".to_owned());
    }
    let is_comment = ["<!--", "//", "/*"].iter().any(|mark| text.trim_start().starts_with(mark));
    let beside = text.split("...").filter(|piece| piece.len() < text.len());
    let mut marked = beside.chain(bracketed(&text)).chain(is_comment.then_some(&*text));
    let length = |piece: &str| piece.chars().filter(|c| c.is_alphanumeric()).count();
    // A word for what is left out is enough in brackets without text around them, as in `- (rest)`.
    let words = |piece: &str| if length(piece) == length(&text) { 1 } else { 2 };
    // A path such as `/etc` is one word.
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '/').find(|word| !word.is_empty());
    let goes_on = bullet.and(first).is_some_and(|first| ENDS.contains(&first));
    let of_line = Some(&*text).filter(|text| elides(text, goes_on.then_some(1)));
    let found = of_line.or_else(|| marked.find(|piece| elides(piece, Some(words(piece)))))?;
    let found = found.trim_matches(|c: char| !c.is_alphanumeric());
    Some(if found.is_empty() { "...".to_owned() } else { fold_white_space(found).into_owned() })
}

/// Returns true if a line is set off from the text around it: it is in brackets, is a comment, or begins or ends with an
/// ellipsis.
pub(crate) fn is_set_off(line: &str) -> bool {
    let line = line.replace(['…', '⋯', '⋮'], "...");
    let line = bullet_line(&line).map_or(&*line, |line| line.rest);
    let line = line.trim_matches(|c: char| c.is_whitespace() || "*_`#/=>-".contains(c));
    let is_in_brackets = line.starts_with(OPENING) && (line.ends_with(CLOSING) || line.starts_with("<!"));
    is_in_brackets || line.starts_with("...") || line.ends_with("...")
}

/// Returns true if a piece of a line only says that text was left out, with at least `words_with_other` words if it is in
/// brackets or a comment.
fn elides(piece: &str, words_with_other: Option<usize>) -> bool {
    let piece = piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.'));
    if piece.starts_with("...") && !piece.contains(char::is_alphanumeric) {
        return true;
    }
    let is_elided = piece.starts_with("...") || piece.ends_with("...");
    let piece = piece.trim_matches('.');
    let dense = |list: &str| list.split(' ').any(|word| piece.contains(word));
    let is_dense = DENSE_STATES
        .split(' ')
        .any(|state| piece.strip_suffix(state).is_some_and(|rest| rest.is_empty() || dense(DENSE_OTHERS)));
    is_dense || has_only_listed_words(piece, if is_elided { Some(1) } else { words_with_other })
}

/// Returns true if all words of a piece are in the lists, and one of them is a state. If the piece has at least
/// `words_with_other` words, one of [`OTHERS`] will do instead of a state.
fn has_only_listed_words(piece: &str, words_with_other: Option<usize>) -> bool {
    let (mut has_state, mut has_other, mut count) = (false, false, 0_usize);
    for word in piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        count += 1;
        match WORDS.get(word).or_else(|| WORDS.get(&*in_ascii(word))) {
            Some(WordClass::State) => has_state = true,
            Some(WordClass::Other) => has_other = true,
            Some(WordClass::Filler) => {}
            None if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            None => return false,
        }
    }
    has_state || (has_other && words_with_other.is_some_and(|least| count >= least))
}

/// Returns a word with ASCII letters instead of other letters that look like them.
fn in_ascii(word: &str) -> String {
    let letter = |c: char| {
        let look_alike: String = unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect();
        if c.is_ascii() || !look_alike.is_ascii() { c.to_string() } else { look_alike }
    };
    word.nfkc().map(letter).collect()
}

/// Returns the pieces of a text behind each opening bracket, up to the next closing one, and the texts of HTML comments.
fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    let comments = text.split("<!--").skip(1).map(|rest| rest.split("-->").next().unwrap_or(rest));
    text.split(OPENING).skip(1).map(|rest| rest.split(CLOSING).next().unwrap_or(rest)).chain(comments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_text_that_was_left_out_is_a_placeholder() {
        for line in [
            "- (rest unchanged)",
            "- … existing items …",
            "[... rest of the memory ...]",
            "<!-- remaining sections unchanged -->",
            "- Lives in Denver <!-- rest unchanged --> and works there",
            "// ... existing lines",
            "* […]",
            "- [ ] (same as before)",
            "- Lives in Denver, ... and 12 more items",
            "*Rest unchanged.*",
            "- no changes",
            "- （以下省略）",
            "其余不变",
            "[remaining content has not changed]",
            "[insert the rest here, unmodified]",
            "All other sections remain as they were.",
            "<!-- existing content -->",
            "# ... existing code ...",
            "<previous bullets here>",
            "(see above for remaining items)",
            "- . . .",
            "<!-- rest -->",
            "- (etc.)",
            "- etc.",
            "* [ ] *Etc, etc.*",
            "  - and so on",
            "- And so forth.",
            "1. and the other items",
            "- [x] (the rest)",
            "// others",
            "- (rest unchang\u{435}d)",
            "- （ｒｅｓｔ unchanged）",
        ] {
            assert!(placeholder(line).is_some(), "{line}");
        }
    }

    #[test]
    fn a_placeholder_is_known_by_its_words() {
        for line in ["- (rest unchanged)", "* [ ] Rest  unchanged.", "- Lives in Rome (rest unchanged)"] {
            assert_eq!(placeholder(line).as_deref(), Some("rest unchanged"), "{line}");
        }
        assert_eq!(placeholder("- Uses […] in regex").as_deref(), Some("..."));
    }

    #[test]
    fn text_that_says_something_is_none() {
        for line in [
            "",
            "- Keep the rest of the cake",
            "- Prefers the existing design (blue)",
            "- Favourite editor: Helix (current)",
            "- Thinking... decided on Rome",
            "- [work, ttl: 7d] Book the meeting room",
            "- Address unchanged since 2019",
            "- Insurance covers luggage (all items)",
            "- Other hobbies: chess, go",
            "- Said \"wait...\" and left",
            "## Other notes",
            "- Allergic to nuts, etc.",
            "- 省略形は使わない",
            "- Works at Initech (name unchanged)",
            "- 他の人と同じ本（青）",
            "- The same before and after",
            "- e.g. this. That. Those.",
            "- Employer: Acme (previous)",
            "- rest",
            "- Rest: 8 hours",
            "- (others: Ann)",
            "- (contents)",
            "- Others (etc.)",
            "- Other items",
            "- and Ann",
            "  and others",
            "- Etching",
            "- /etc",
            "- Modified: 2026-11-21",
            "## Other items",
            "---",
        ] {
            assert!(placeholder(line).is_none(), "{line}");
        }
    }
}
