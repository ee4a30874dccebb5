//! Placeholders that stand for text which was left out: `(rest unchanged)`, `... existing items ...`.
//!
//! A line holds one if the whole of it, what it has in brackets or in a comment, or what stands beside an ellipsis, says
//! nothing but that something was left out. Words are looked at, not sentences: `- Keep the rest of the cake` is no
//! placeholder, since a cake is none of them.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;

use crate::document::{bullet_start, checkbox};
use crate::text::{fold_white_space, is_hidden};

/// Words that say by themselves that something was left out.
const STRONG: &str = "unchanged omitted truncated snipped snip elided unmodified untouched abbreviated unverändert ausgelassen \
    gekürzt weggelassen inchangé inchangée inchangés inchangées omis omitido omitidos invariato invariati omesso \
    ongewijzigd weggelaten пропущено опущено";

/// Words that say so of other text, in brackets or beside an ellipsis.
const OTHERS: &str = "rest remaining remainder existing other others previous prior above earlier same continued continues before \
    übrige übrigen restliche restlichen bestehende bestehenden bisher reste existants resto existentes cambios \
    changes changed change weitere weiteren restante restantes permanece overige остальное остальные \
    изменений";

/// Words for what a memory is made of.
const PARTS: &str = "bullet bullets content contents document entries entry fact facts file item items line lines list lists \
    memories memory note notes paragraph paragraphs part parts points record records section sections tasks text \
    einträge punkte abschnitte elementos éléments";

/// Words that may stand beside them.
const PLAIN: &str = "a additional all and any are as be been below bez bleiben bleibt brevity current das del der des details die \
    du el else everything following for from further gleich has have here igual in intact is it keep kept la las \
    le les los more my newer no nothing o oben of old older original os preceding remain remains sin stay stays \
    subsequent the they things this to und was were wie with your без";

/// Who, in a whole line of such words, ...
const ALL_ELSE: &[&str] = &["rest", "remaining", "remainder", "existing", "other", "others", "else"];

/// ... is said to stay.
const STAYS: &[&str] = &["remain", "remains", "stay", "stays", "kept", "intact"];

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
    "and so on",
    "unchanged",
    "omitted",
    "truncated",
    "snip",
    "unverändert",
    "ausgelassen",
];

/// What scripts say that set no spaces between words.
const DENSE: &str = "以下省略 以下略 中略 後略 前略 省略 略 変更なし 変更無し 以下同じ 以下同様 其余不变 其餘不變 其余内容不变 其他不变 内容不变 保持不变 保持不變 同上 现有条目 現有項目 其余略 이하생략 생략 \
    변경없음";

/// What they call the other text, in brackets or beside an ellipsis ...
const DENSE_OTHERS: &str = "其余 其餘 其他 剩余 剩餘 现有 現有 以下 以上 残り 他の その他 既存 나머지 기존 다른";

/// ... and what they say became of it.
const DENSE_STATES: &str = "不变 不變 未变 未改 省略 略 変更なし 変更無し そのまま 同じ 同様 동일 그대로 변경없음";

/// How many characters a placeholder has at most that is told by both.
const DENSE_LENGTH: usize = 16;

const OPENING: [char; 10] = ['(', '[', '{', '<', '（', '【', '「', '〈', '［', '〔'];
const CLOSING: [char; 10] = [')', ']', '}', '>', '）', '】', '」', '〉', '］', '〕'];

/// How a piece of a line is set off from the rest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// It is the whole line.
    Line,
    /// It stands in brackets, in a comment, or beside an ellipsis.
    Marked,
    /// It stands between two ellipses.
    Enclosed,
}

/// What a word is to a placeholder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Strong,
    Other,
    Part,
    Plain,
}

/// Knows a placeholder by its words.
pub(super) struct Placeholders {
    words: HashMap<&'static str, Word>,
}

impl Placeholders {
    pub(super) fn new() -> Self {
        let lists = [(PLAIN, Word::Plain), (PARTS, Word::Part), (OTHERS, Word::Other), (STRONG, Word::Strong)];
        let words = lists.into_iter().flat_map(|(list, word)| list.split(' ').map(move |text| (text, word)));
        Self { words: words.collect() }
    }

    /// Returns the first placeholder of a line, without what it is set off by; `None` if the line holds none. Letters that
    /// look like those of ASCII are taken for them where the line says nothing else.
    pub(super) fn first_in(&self, line: &str) -> Option<String> {
        self.first_as_written(line).or_else(|| self.first_as_written(&plain(line)).filter(|_| !line.is_ascii()))
    }

    fn first_as_written(&self, line: &str) -> Option<String> {
        let line = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line);
        let line = checkbox(line).and_then(|(length, space)| line.get(length + space..)).unwrap_or(line);
        let text = line.replace(['…', '⋯', '⋮'], "...").replace(['。', '・'], ".").to_lowercase();
        let text = text.trim();
        if !text.chars().any(char::is_alphanumeric) {
            return text.split_whitespace().collect::<String>().contains("...").then(|| "...".to_owned());
        }
        let is_enclosed = text.starts_with("...") && text.ends_with("...");
        let is_comment = ["<!--", "//", "/*"].iter().any(|mark| text.starts_with(mark));
        let whole = [(is_enclosed, Piece::Enclosed), (is_comment, Piece::Marked), (!is_comment, Piece::Line)];
        let whole = whole.into_iter().filter(|(is_so, _)| *is_so).map(|(_, how)| (text, how));
        let beside = text.split("...").filter(|piece| piece.len() < text.len()).map(|piece| (piece, Piece::Marked));
        let inside = bracketed(text).map(|piece| (piece, Piece::Marked));
        let mut pieces = whole.chain(beside).chain(inside);
        let (found, _) = pieces.find(|(piece, how)| is_ellipsis(piece) || self.says_so(piece, *how))?;
        Some(match is_ellipsis(found) {
            true => "...".to_owned(),
            false => fold_white_space(found.trim_matches(|c: char| !c.is_alphanumeric())).into_owned(),
        })
    }

    fn says_so(&self, piece: &str, how: Piece) -> bool {
        let piece = piece.trim_matches(|c: char| !c.is_alphanumeric());
        if says_so_densely(piece, how) {
            return true;
        }
        let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
        let words: Vec<&str> = piece.split(|c| !is_inner(c)).filter(|word| !word.is_empty()).collect();
        if how == Piece::Line && LINES.contains(&words.join(" ").as_str()) {
            return true;
        }
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let kind = |word: &&str| self.words.get(word).copied().or_else(|| is_number(word).then_some(Word::Plain));
        let known: Vec<Word> = words.iter().filter_map(kind).collect();
        let (unknown, has) = (words.len() - known.len(), |word: Word| known.contains(&word));
        // `(travel notes omitted)` names what is left out.
        let names_parts = how != Piece::Line && unknown <= 2 && has(Word::Strong) && has(Word::Part);
        if words.is_empty() || (unknown > 0 && !names_parts) {
            return false;
        }
        let (is_phrase, has_any) = (words.len() > 1, |list: &[&str]| words.iter().any(|word| list.contains(word)));
        match how {
            Piece::Line => (has(Word::Strong) && is_phrase) || (has_any(ALL_ELSE) && has_any(STAYS)),
            Piece::Enclosed => has(Word::Strong) || has(Word::Other),
            Piece::Marked => has(Word::Strong) || (is_phrase && (has(Word::Other) || has_any(&["more"]))),
        }
    }
}

/// Returns a text with letters of ASCII for those that look like them.
fn plain(line: &str) -> String {
    let look_alike = |c: char| {
        let skeleton: String = unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).collect();
        if skeleton.is_ascii() && !c.is_ascii() { skeleton } else { c.to_string() }
    };
    line.nfkc().filter(|c| !is_hidden(*c)).map(look_alike).collect()
}

/// Reports whether a piece of a script without spaces says so.
fn says_so_densely(piece: &str, how: Piece) -> bool {
    if DENSE.split(' ').any(|dense| is_mostly(piece, dense)) {
        return true;
    }
    let has_any = |list: &str| list.split(' ').any(|dense| piece.contains(dense));
    how != Piece::Line && has_any(DENSE_OTHERS) && has_any(DENSE_STATES) && piece.chars().count() <= DENSE_LENGTH
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
        let words = Placeholders::new();
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
            "- . . .",
            "- ・・・",
            "- ...rest...",
            "- Everything else stays the same",
            "- ... and so on",
            "（その他はそのまま）",
            "- （剩余部分不变）",
            "- (나머지 동일)",
            "- (остальное без изменений)",
        ];
        for line in placeholders {
            assert!(words.first_in(line).is_some(), "{line}");
        }
    }

    #[test]
    fn a_placeholder_is_known_by_its_words() {
        let words = Placeholders::new();
        for line in ["- (rest unchanged)", "* [ ] Rest  unchanged.", "- Lives in Rome (rest unchanged)"] {
            assert_eq!(words.first_in(line).as_deref(), Some("rest unchanged"), "{line}");
        }
        assert_eq!(words.first_in("- Uses […] in regex").as_deref(), Some("..."));
    }

    #[test]
    fn text_that_says_something_is_none() {
        let words = Placeholders::new();
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
            "- 他の人と同じ本（青）",
            "- Other hobbies",
            "- The same before and after",
            "- e.g. this. That. Those.",
            "---",
        ];
        for line in texts {
            assert!(words.first_in(line).is_none(), "{line}");
        }
    }
}
