//! Placeholders that stand for text which was left out: `(rest unchanged)`, `... existing items ...`.
//!
//! A line holds one if the whole of it, what it has in brackets, or what stands beside an ellipsis, says nothing but that
//! something was left out. Words are looked at, not sentences: `- Keep the rest of the cake` is no placeholder, since a cake is
//! none of them. What the words here do not know, the measures of loss bound.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use crate::document::{bullet_start, checkbox};
use crate::text::{fold_white_space, is_hidden};

/// What became of the text; one of these is in every placeholder that is a whole line.
const STATES: &str = "unchanged omitted truncated snipped same remain remains stays changed changes unverändert inchangé cambios \
    ongewijzigd изменений 동일 igual";

/// Which text; these say so in brackets and beside an ellipsis.
const OTHERS: &str =
    "rest remaining existing other else more before above earlier on reste resto restante bestehende остальное 나머지";

/// What stands beside them.
const FILLERS: &str = "a all and as for brevity bullets document entries everything fact facts file is items lines memory no nothing \
    of section sections so the so das die el le o sin permanece einträge без";

/// Which text, and what became of it, in scripts that set no spaces between words.
const DENSE_OTHERS: &str = "以下 残り その他 其余 其他 剩余";
const DENSE_STATES: &str = "省略 変更なし そのまま 不变";

/// What a word says.
#[derive(Clone, Copy)]
enum Known {
    State,
    Other,
    Filler,
}

static KNOWN: LazyLock<HashMap<&str, Known>> = LazyLock::new(|| {
    let known = |list: &'static str, says: Known| list.split_whitespace().map(move |word| (word, says));
    known(STATES, Known::State).chain(known(OTHERS, Known::Other)).chain(known(FILLERS, Known::Filler)).collect()
});

const OPENING: [char; 6] = ['(', '[', '{', '（', '【', '「'];
const CLOSING: [char; 6] = [')', ']', '}', '）', '】', '」'];

/// Returns the first placeholder of a line, without what it is set off by; `None` if the line holds none. Letters that look
/// like those of ASCII are taken for them where the line says nothing else.
pub(super) fn placeholder(line: &str) -> Option<String> {
    as_written(line).or_else(|| if line.is_ascii() { None } else { as_written(&plain(line)) })
}

fn as_written(line: &str) -> Option<String> {
    let line = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line);
    let line = checkbox(line).and_then(|(length, space)| line.get(length + space..)).unwrap_or(line);
    let text = line.replace(['…', '⋯', '⋮'], "...").replace(['。', '・'], ".").to_lowercase();
    if !text.chars().any(char::is_alphanumeric) {
        return text.split_whitespace().collect::<String>().contains("...").then(|| "...".to_owned());
    }
    let is_comment = ["<!--", "//", "/*"].iter().any(|mark| text.trim_start().starts_with(mark));
    let beside = text.split("...").filter(|piece| piece.len() < text.len());
    let mut marked = beside.chain(bracketed(&text)).chain(is_comment.then_some(&*text));
    let found =
        Some(&*text).filter(|text| says_so(text, true)).or_else(|| marked.find(|piece| says_so(piece, false)))?;
    let found = found.trim_matches(|c: char| !c.is_alphanumeric());
    Some(if found.is_empty() { "...".to_owned() } else { fold_white_space(found).into_owned() })
}

/// Reports whether a piece of a line says nothing but that something was left out.
fn says_so(piece: &str, is_line: bool) -> bool {
    let piece = piece.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.'));
    if piece.starts_with("...") && !piece.contains(char::is_alphanumeric) {
        return true;
    }
    let piece = piece.trim_matches('.');
    let dense = |list: &str| list.split(' ').any(|word| piece.contains(word));
    let is_dense = DENSE_STATES
        .split(' ')
        .any(|state| piece.strip_suffix(state).is_some_and(|rest| rest.is_empty() || dense(DENSE_OTHERS)));
    is_dense || says_only(piece, is_line)
}

/// Reports whether all words of a piece are such that say that something was left out, and one of them does so.
fn says_only(piece: &str, is_line: bool) -> bool {
    let mut is_said = false;
    for word in piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match KNOWN.get(word) {
            Some(Known::State) => is_said = true,
            Some(Known::Other) => is_said |= !is_line,
            Some(Known::Filler) => {}
            None if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            None => return false,
        }
    }
    is_said
}

/// Returns a text with letters of ASCII for those that look like them.
fn plain(line: &str) -> String {
    let look_alike = |c: char| {
        let skeleton: String = unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect();
        if skeleton.is_ascii() { skeleton } else { c.to_string() }
    };
    let mut plain = String::with_capacity(line.len());
    for c in line.nfkc().filter(|c| !is_hidden(*c)) {
        match c.is_ascii() {
            true => plain.push(c),
            false => plain.push_str(&look_alike(c)),
        }
    }
    plain
}

/// Returns what stands in brackets, the outermost ones where they are nested, and in comments of HTML.
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
            "- . . .",
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
            "---",
        ] {
            assert!(placeholder(line).is_none(), "{line}");
        }
    }
}
