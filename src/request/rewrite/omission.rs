//! Placeholders that stand for text which was left out: `(rest unchanged)`, `... existing items ...` (SPEC § 12.2).
//!
//! A line holds one if the whole of it, what it has in brackets or in a comment, or what stands beside an ellipsis, says
//! nothing but that something was left out. Words are looked at, not sentences: `- Keep the rest of the cake` is no
//! placeholder, since a cake is none of them.

use std::collections::HashMap;

use crate::document::{bullet_start, checkbox};

/// Words that say by themselves that something was left out.
const STRONG: &str = "unchanged omitted truncated snipped snip elided unmodified untouched abbreviated unverändert ausgelassen \
    gekürzt weggelassen inchangé inchangée inchangés inchangées omis omitido omitidos invariato invariati omesso";

/// Words that say so of other text, in brackets or beside an ellipsis.
const OTHERS: &str = "rest remaining remainder existing other others previous prior above earlier same continued continues before \
    übrige übrigen restliche restlichen bestehende bestehenden bisher reste existants resto existentes cambios \
    changes change";

/// Words for what a memory is made of.
const PARTS: &str = "bullet bullets content contents document entries entry fact facts file item items line lines list lists \
    memories memory note notes paragraph paragraphs part parts points records section sections tasks text \
    einträge punkte abschnitte elementos éléments";

/// Words that may stand beside them.
const PLAIN: &str = "a additional all and any are as be been below bleiben bleibt brevity current das del der des details die du \
    el else everything following for from further gleich has have here igual in intact is it keep kept la le les \
    more newer no of old older original preceding remain remains sin stay stays subsequent the they things this \
    to und was were wie with";

/// Whole lines that say so without brackets or an ellipsis, by the words in them.
const LINES: &[&str] = &[
    "same as before",
    "same as above",
    "as before",
    "as above",
    "no change",
    "no changes",
    "rest of memory",
    "rest of the memory",
    "rest of document",
    "rest of the document",
    "rest of section",
    "rest of the section",
    "rest of the items",
    "the rest is the same",
    "rest is the same",
    "rest stays the same",
    "remaining items",
    "existing items",
    "wie bisher",
    "sin cambios",
    "etc",
    "unchanged",
    "omitted",
    "truncated",
    "snip",
    "unverändert",
    "ausgelassen",
];

/// What scripts say that set no spaces between words.
const DENSE: &str = "以下省略 以下略 中略 後略 前略 省略 略 変更なし 変更無し 以下同じ 以下同様 其余不变 其餘不變 其余内容不变 其他不变 内容不变 保持不变 保持不變 同上 现有条目 現有項目 其余略 이하생략 이하생략 \
    생략 변경없음";

const OPENING: [char; 10] = ['(', '[', '{', '<', '（', '【', '「', '〈', '［', '〔'];
const CLOSING: [char; 10] = [')', ']', '}', '>', '）', '】', '」', '〉', '］', '〕'];

/// How a piece of a line is set off from the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// It is the whole line.
    Line,
    /// It stands in brackets, in a comment, or beside an ellipsis.
    Marked,
}

/// What a word is to a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Strong,
    Other,
    Part,
    Plain,
}

/// Knows a placeholder.
pub(super) struct Placeholders {
    words: HashMap<&'static str, Word>,
}

impl Placeholders {
    pub(super) fn new() -> Self {
        let lists = [(PLAIN, Word::Plain), (PARTS, Word::Part), (OTHERS, Word::Other), (STRONG, Word::Strong)];
        let words = lists.into_iter().flat_map(|(list, word)| list.split(' ').map(move |text| (text, word)));
        Self { words: words.collect() }
    }

    /// Reports whether a line holds a placeholder.
    pub(super) fn is_placeholder(&self, line: &str) -> bool {
        let line = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line);
        let line = checkbox(line).and_then(|(length, space)| line.get(length + space..)).unwrap_or(line);
        let text = line.replace(['…', '⋯'], "...").replace("。。。", "...").to_lowercase();
        let text = text.trim();
        if !text.chars().any(char::is_alphanumeric) {
            return text.contains("...");
        }
        let is_comment = ["<!--", "//", "/*"].iter().any(|mark| text.starts_with(mark));
        let whole = if is_comment { Piece::Marked } else { Piece::Line };
        self.says_so(text, whole)
            || (text.contains("...") && text.split("...").any(|piece| self.says_so(piece, Piece::Marked)))
            || bracketed(text).any(|piece| is_ellipsis(piece) || self.says_so(piece, Piece::Marked))
    }

    fn says_so(&self, piece: &str, how: Piece) -> bool {
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if DENSE.split(' ').any(|dense| is_mostly(piece, dense)) {
            return true;
        }
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
        let words: Vec<&str> = piece.split(|c| !is_inner(c)).filter(|word| !word.is_empty()).collect();
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let known: Vec<Word> = words
            .iter()
            .filter_map(|word| self.words.get(word).copied().or_else(|| is_number(word).then_some(Word::Plain)))
            .collect();
        let (unknown, has) = (words.len() - known.len(), |word: Word| known.contains(&word));
        // `(travel notes omitted)` names what is left out.
        let names_parts = how == Piece::Marked && unknown <= 2 && has(Word::Strong) && has(Word::Part);
        if words.is_empty() || (unknown > 0 && !names_parts) {
            return false;
        }
        let is_phrase = words.len() > 1;
        match how {
            Piece::Line => LINES.contains(&words.join(" ").as_str()) || (has(Word::Strong) && is_phrase),
            Piece::Marked => has(Word::Strong) || (is_phrase && (has(Word::Other) || words.contains(&"more"))),
        }
    }
}

/// Returns what stands in brackets, the outermost ones where they are nested.
fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let open = rest.find(OPENING)?;
        let inner = rest.get(open..)?;
        let inner = inner.get(inner.chars().next()?.len_utf8()..)?;
        let end = inner.find(CLOSING).unwrap_or(inner.len());
        rest = inner.get(end..).unwrap_or_default();
        inner.get(..end)
    })
}

fn is_ellipsis(piece: &str) -> bool {
    piece.contains("...") && !piece.chars().any(char::is_alphanumeric)
}

/// Reports whether `piece` is hardly more than `dense`; a short word must be all of it.
fn is_mostly(piece: &str, dense: &str) -> bool {
    let length = dense.chars().count();
    piece == dense || (length > 2 && piece.contains(dense) && piece.chars().count() <= length + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_text_that_was_left_out_is_a_placeholder() {
        let placeholders = [
            "- (rest unchanged)",
            "... existing items ...",
            "- … existing items …",
            "[... rest of the memory ...]",
            "<!-- remaining sections unchanged -->",
            "// ... existing lines",
            "...",
            "- ...",
            "* […]",
            "(…)",
            "- [ ] (same as before)",
            "## (rest of document unchanged)",
            "- Lives in Denver (rest unchanged)",
            "- Lives in Denver, ... and 12 more items",
            "*Rest unchanged.*",
            "- Same as before",
            "- no changes",
            "(5 items omitted for brevity)",
            "- (Rest unverändert)",
            "- （以下省略）",
            "其余不变",
            "- (sin cambios)",
            "- [rest omitted]",
            "- (older entries unchanged)",
            "- (travel notes omitted)",
        ];
        let words = Placeholders::new();
        for line in placeholders {
            assert!(words.is_placeholder(line), "{line}");
        }
    }

    #[test]
    fn text_that_says_something_is_none() {
        let texts = [
            "",
            "- Keep the rest of the cake",
            "- Keep the original document",
            "- Prefers the existing design (blue)",
            "- Favourite editor: Helix (current)",
            "- Thinking... decided on Rome",
            "- [work, ttl: 7d] Book the meeting room",
            "- Address unchanged since 2019",
            "- Insurance covers luggage (all items)",
            "- Rest day on Sunday",
            "- Other hobbies: chess, go",
            "- Said \"wait...\" and left",
            "## Previous employers",
            "- Allergic to nuts, etc.",
            "- 省略形は使わない",
            "- Works at Initech (name unchanged)",
            "---",
        ];
        let words = Placeholders::new();
        for line in texts {
            assert!(!words.is_placeholder(line), "{line}");
        }
    }
}
