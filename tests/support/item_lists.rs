//! Lists as people write them: dates, signs, years, negations, facts that differ in one digit or sign, equal lines, numbers of
//! every kind, nested, tagged, with either line ending.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// What bullets say.
pub const FACTS: &[&str] = &[
    "13. Juni: Umzug",
    "12. März: Zahnarzt",
    "15. Juni: Umzug",
    "+ 5 %",
    "- 3 °C",
    "- 5 °C",
    "1. FC Köln",
    "2019. Moved to Denver",
    "Likes tea",
    "Likes tea",
    "Dislikes tea",
    "Can drive",
    "Can't drive",
    "不喝咖啡",
    "喝咖啡",
    "C:\\new\\tools",
    "say \"hi\"",
    "[x] is a mark",
    "key: value",
    "12| a number of a view",
    "a | b",
];

/// Kinds of lists: the markers of the first bullets, over and over.
const MARKERS: &[&[&str]] = &[
    &["-", "-", "-", "-"],
    &["*", "*", "-", "+"],
    &["1.", "2.", "3.", "4."],
    &["0)", "1)", "2)", "3)"],
    &["1.", "1.", "1.", "1."],
    &["2019.", "2020.", "2021.", "2023."],
    &["3.", "4.", "5.", "9."],
    &["1.", "2.", "1990.", "1991."],
];

const TAGS: &[&str] = &["", "", "", "[work] ", "[ ] ", "[x] [a, b] ", "[pinned] ", "[pinned] [work] ", "[ttl: 7d] "];

/// Two sections with a list each, some bullets with children and lines below them.
pub fn lists() -> impl Strategy<Value = String> {
    let bullet = (select(TAGS), select(FACTS), 0..4_usize);
    let list = (select(MARKERS), vec(bullet, 1..6));
    (list.clone(), list, any::<bool>(), any::<bool>()).prop_map(|(a, b, is_crlf, ends)| {
        let mut text = format!("## A\n{}\n## B\n{}", render(&a), render(&b));
        if !ends {
            text.truncate(text.trim_end().len());
        }
        if is_crlf { text.replace('\n', "\r\n") } else { text }
    })
}

/// White space that lines begin with.
const INDENTATIONS: &[&str] = &[
    "",
    " ",
    "  ",
    "  ",
    "   ",
    "   ",
    "    ",
    "     ",
    "      ",
    "       ",
    "\t",
    " \t",
    "  \t",
    "   \t",
    "   \t",
    "    \t",
    "\t ",
    "\t  ",
    "\t   ",
    "\t\t",
    "\t   \t",
    "  \t  ",
    "       \t",
];

/// Bullets and lines below them, each indented in any way, before two that are not; no two lines say the same.
pub fn indented() -> impl Strategy<Value = String> {
    let line = (select(INDENTATIONS), select(&["- ", "- ", ""]));
    vec(line, 1..8).prop_map(|lines| {
        let mut text = "## A\n- top\n".to_owned();
        for (nth, (indentation, marker)) in lines.into_iter().enumerate() {
            text += &format!("{indentation}{marker}line{nth}\n");
        }
        text + "- last\n  - child\n"
    })
}

fn render((markers, bullets): &(&[&str], Vec<(&str, &str, usize)>)) -> String {
    let bullet = |(nth, (tags, fact, below)): (usize, &(&str, &str, usize))| {
        let marker = markers[nth % markers.len()];
        let indent = " ".repeat(marker.len() + 1);
        let below = match below {
            1 => format!("{indent}- child of {nth}\n{indent}- Likes tea\n"),
            2 => format!("{indent}more of it\n{indent}1. first\n{indent}2. second\n"),
            _ => String::new(),
        };
        format!("{marker} {tags}{fact}\n{below}")
    };
    bullets.iter().enumerate().map(bullet).collect()
}
