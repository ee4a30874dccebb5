//! Placeholders that stand for text which was left out: `(rest unchanged)`, `... existing items ...` (SPEC § 12.2).
//!
//! A line holds one if the whole of it, what it has in brackets or in a comment, or what stands beside an ellipsis, says
//! nothing but that something was left out. Words are looked at, not sentences: `- Keep the rest of the cake` is no
//! placeholder, since a cake is none of them.

use crate::document::{bullet_start, checkbox};
use crate::text::fold_white_space;

/// Words that say by themselves that something was left out.
const STRONG: &[&str] = &[
    "unchanged",
    "omitted",
    "truncated",
    "snipped",
    "snip",
    "elided",
    "unmodified",
    "untouched",
    "abbreviated",
    "unverändert",
    "ausgelassen",
    "gekürzt",
    "weggelassen",
    "inchangé",
    "inchangée",
    "inchangés",
    "inchangées",
    "omis",
    "omitido",
    "omitidos",
    "invariato",
    "invariati",
    "omesso",
    "ongewijzigd",
    "weggelaten",
    "пропущено",
    "опущено",
];

/// Words that say so of other text, in brackets or beside an ellipsis.
const OTHERS: &[&str] = &[
    "rest",
    "remaining",
    "remainder",
    "existing",
    "other",
    "others",
    "previous",
    "prior",
    "above",
    "earlier",
    "same",
    "continued",
    "continues",
    "before",
    "übrige",
    "übrigen",
    "restliche",
    "restlichen",
    "bestehende",
    "bestehenden",
    "bisher",
    "reste",
    "existants",
    "resto",
    "existentes",
    "cambios",
    "changes",
    "change",
    "weitere",
    "weiteren",
    "restante",
    "restantes",
    "permanece",
    "overige",
    "reszta",
    "zmian",
    "остальное",
    "остальные",
    "изменений",
];

/// Words that may stand beside them.
const PLAIN: &[&str] = &[
    "a",
    "all",
    "and",
    "any",
    "are",
    "as",
    "be",
    "been",
    "below",
    "brevity",
    "bullet",
    "bullets",
    "content",
    "contents",
    "current",
    "das",
    "del",
    "der",
    "des",
    "details",
    "die",
    "document",
    "du",
    "einträge",
    "el",
    "elementos",
    "else",
    "entries",
    "entry",
    "everything",
    "fact",
    "facts",
    "file",
    "for",
    "from",
    "has",
    "have",
    "here",
    "igual",
    "in",
    "intact",
    "is",
    "it",
    "item",
    "items",
    "keep",
    "kept",
    "la",
    "le",
    "les",
    "line",
    "lines",
    "list",
    "memories",
    "memory",
    "more",
    "no",
    "note",
    "notes",
    "of",
    "original",
    "points",
    "punkte",
    "remain",
    "remains",
    "section",
    "sections",
    "sin",
    "stay",
    "stays",
    "tasks",
    "text",
    "the",
    "they",
    "this",
    "to",
    "und",
    "was",
    "were",
    "wie",
    "with",
    "éléments",
    "bleibt",
    "bleiben",
    "gleich",
    "your",
    "my",
    "oben",
    "o",
    "os",
    "las",
    "los",
    "bez",
    "без",
];

/// Who, in a whole line of such words, ...
const ALL_ELSE: &[&str] = &["rest", "remaining", "remainder", "existing", "other", "others", "else"];

/// ... is said to stay.
const STAYS: &[&str] = &["remain", "remains", "stay", "stays", "kept", "intact"];

/// Whole lines that say so without brackets or an ellipsis.
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
];

/// What scripts without spaces between words say.
const DENSE: &[&str] = &[
    "以下省略",
    "以下略",
    "中略",
    "後略",
    "前略",
    "省略",
    "略",
    "変更なし",
    "変更無し",
    "以下同じ",
    "以下同様",
    "其余不变",
    "其餘不變",
    "其余内容不变",
    "其他不变",
    "内容不变",
    "保持不变",
    "保持不變",
    "同上",
    "现有条目",
    "現有項目",
    "其余略",
    "이하 생략",
    "이하생략",
    "생략",
    "변경 없음",
];

/// What they call the other text, in brackets or beside an ellipsis ...
const DENSE_OTHERS: &[&str] = &[
    "其余",
    "其餘",
    "其他",
    "剩余",
    "剩餘",
    "现有",
    "現有",
    "以下",
    "以上",
    "残り",
    "他の",
    "その他",
    "既存",
    "나머지",
    "기존",
    "다른",
];

/// ... and what they say became of it.
const DENSE_STATES: &[&str] = &[
    "不变",
    "不變",
    "未变",
    "未改",
    "省略",
    "略",
    "変更なし",
    "変更無し",
    "そのまま",
    "同じ",
    "同様",
    "동일",
    "그대로",
    "변경 없음",
];

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

/// Returns the first placeholder of a line, without what it is set off by; `None` if the line holds none.
pub(super) fn placeholder(line: &str) -> Option<String> {
    let line = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line);
    let line = checkbox(line).and_then(|(length, space)| line.get(length + space..)).unwrap_or(line);
    let text = line.replace(['…', '⋯', '⋮'], "...").replace(['。', '・'], ".").to_lowercase();
    let text = text.trim();
    let has_words = text.chars().any(char::is_alphanumeric);
    if !has_words {
        return text.split_whitespace().collect::<String>().contains("...").then(|| "...".to_owned());
    }
    let is_enclosed = text.starts_with("...") && text.ends_with("...");
    let is_comment = text.starts_with("<!--") || text.starts_with("//") || text.starts_with("/*");
    let whole = [(is_enclosed, Piece::Enclosed), (is_comment, Piece::Marked), (!is_comment, Piece::Line)];
    let whole = whole.into_iter().filter(|(is_so, _)| *is_so).map(|(_, how)| (text, how));
    let beside = text.split("...").filter(|piece| piece.len() < text.len()).map(|piece| (piece, Piece::Marked));
    let inside = bracketed(text).map(|piece| (piece, Piece::Marked));
    let found = whole.chain(beside).chain(inside).find(|(piece, how)| is_ellipsis(piece) || says_so(piece, *how));
    found.map(|(piece, _)| match is_ellipsis(piece) {
        true => "...".to_owned(),
        false => fold_white_space(piece.trim_matches(|c: char| !c.is_alphanumeric())).into_owned(),
    })
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

fn says_so(piece: &str, how: Piece) -> bool {
    let is_edge = |c: char| !c.is_alphanumeric();
    let piece = piece.trim_matches(is_edge);
    if DENSE.contains(&piece) || DENSE.iter().any(|dense| dense.chars().count() > 2 && is_mostly(piece, dense)) {
        return true;
    }
    let has_dense = |list: &[&str]| list.iter().any(|dense| piece.contains(dense));
    let is_short = || piece.chars().count() <= DENSE_LENGTH;
    if how != Piece::Line && has_dense(DENSE_OTHERS) && has_dense(DENSE_STATES) && is_short() {
        return true;
    }
    let words: Vec<&str> =
        piece.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').filter(|word| !word.is_empty()).collect();
    if how == Piece::Line && LINES.contains(&words.join(" ").as_str()) {
        return true;
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = |word: &&str| [STRONG, OTHERS, PLAIN].iter().any(|list| list.contains(word)) || is_number(word);
    if words.is_empty() || !words.iter().all(is_known) {
        return false;
    }
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    match how {
        Piece::Line => (has(STRONG) && words.len() > 1) || is_lone(&words) || (has(ALL_ELSE) && has(STAYS)),
        Piece::Enclosed => has(STRONG) || has(OTHERS),
        Piece::Marked => {
            has(STRONG) || (has(OTHERS) && words.len() > 1) || (words.contains(&"more") && words.len() > 1)
        }
    }
}

fn is_lone(words: &[&str]) -> bool {
    matches!(words, ["unchanged" | "omitted" | "truncated" | "snip" | "unverändert" | "ausgelassen"])
}

/// Reports whether `piece` is hardly more than `dense`.
fn is_mostly(piece: &str, dense: &str) -> bool {
    piece.contains(dense) && piece.chars().count() <= dense.chars().count() + 4
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
            "- 他の人と同じ本（青）",
            "- Other hobbies",
            "- The same before and after",
            "- e.g. this. That. Those.",
            "---",
        ];
        for line in texts {
            assert!(placeholder(line).is_none(), "{line}");
        }
    }
}
