//! Documents and edits to draw at random: put together from the lines that structure is made of, and from hostile text.

use memdoc::{Edit, MemoryDoc, edit::Promise, text::Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::checks::edit_of;

/// Lines that are structure, look like it, or come near it.
const LINES: &[&str] = &[
    "",
    "",
    "   ",
    "\t",
    "prose",
    "Anna:",
    "**Bob**",
    "<!-- note -->",
    "<!--",
    "- [/] half done",
    "more prose about Denver",
    "# Top",
    "## Facts",
    "## Facts ##",
    "### Alpha",
    "## Tasks",
    "#### Deep",
    "   ## Indented",
    "    ## Code",
    "#NoSpace",
    "#",
    "##\tTabbed",
    "####### Seven",
    "Setext",
    "======",
    "---",
    "***",
    "## User: (ID: mem1)",
    "User Profile: (ID: mem123)",
    "User Profile (ID: mem123):",
    "Other (ID: mem2)",
    "see (ID: b) there",
    "- a",
    "- a",
    "- b",
    "* star",
    "+ plus",
    "1. one",
    "2) two",
    "10. ten",
    "1234567890. long",
    "-",
    "-no space",
    "- [ ] open",
    "- [x] done",
    "- [work, ttl: 7d] Book the room",
    "- [pinned] keep",
    "- [link](x) text",
    "- [a] [b] two groups",
    "- [] empty",
    "  - child",
    "    - grandchild",
    "\t- tab child",
    "   - three",
    " - one column",
    "  continued",
    "\tcontinued by a tab",
    "      deep",
    "- - twice",
    "- ## heading in a bullet",
    "> quoted",
    "> - quoted",
    "key: value",
    "...",
    "- Lives in Denver",
    "- User’s advisor: TBD",
    "- Größe: 3 “Äpfel” — naïve",
    "- 記憶",
    "## 日本語",
    "- 👩\u{200D}👩\u{200D}👧 family",
    "- e\u{301} decomposed",
    "- trailing  ",
    "- trailing\t",
    "*** Begin Patch",
    "@@ section: Facts",
    "12| numbered",
    "a\rb",
    "\u{B}",
    "a\u{2028}b",
    "\u{FEFF}",
    "\u{200B}",
    "\u{85}",
    "\0",
];

/// Lines of fences, which change what all that follows is.
const FENCES: &[&str] =
    &["```", "~~~", "```rust", "````", "  ```", "    ```", "- ```", "  ~~~", "``` a`b", "   ```", "~~~~ "];

/// Lines that pass, or nearly pass, for a reserved heading.
pub const LOOK_ALIKES: &[&str] = &[
    "## System/Policy",
    "# System/Policy",
    "## system / policy",
    "## ѕystem/Policy",
    "**System/Policy**",
    "System/Policy",
    "- System/Policy",
    "> ## System/Policy",
    "## Ｓｙｓｔｅｍ/Policy",
    "## System&#47;Policy",
    "## Sys\u{200B}tem/Policy",
    "1. System/Policy",
    "## System/Policy ##",
    "System / Policy (ID: x)",
    "## System/Policy notes",
    "System/Policies",
];

/// A line without its ending.
pub fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => select(LINES).prop_map(str::to_owned),
        1 => select(FENCES).prop_map(str::to_owned),
        1 => select(naughty_strings::BLNS).prop_map(str::to_owned),
        1 => "[ \t#*`~>()\\[\\]:a-c1.|-]{0,12}",
        1 => "\\PC{0,12}",
    ]
}

fn ending() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just("\n"), 3 => Just("\r\n"), 1 => Just("")]
}

/// A text of such lines, perhaps with a BOM, front matter, mixed endings, no final newline.
pub fn document() -> impl Strategy<Value = String> {
    let front = prop_oneof![
        8 => Just(""),
        1 => Just("---\nname: Eve\nnested:\n  - x\n# comment\n---\n"),
        1 => Just("---\r\nname: Eve\r\n...\r\n"),
        1 => Just("---\nnever: closed\n"),
    ];
    let bom = prop_oneof![9 => Just(""), 1 => Just("\u{FEFF}")];
    let lines = vec((line(), ending()), 0..24);
    (bom, front, lines).prop_map(|(bom, front, lines)| {
        let body: String = lines.into_iter().flat_map(|(line, ending)| [line, ending.to_owned()]).collect();
        format!("{bom}{front}{body}")
    })
}

/// A text of line feeds only and no control character.
pub fn plain_document() -> impl Strategy<Value = String> {
    let words = select(&["a", "b", "aa", "ab", "é", " ", "- ", "\n", "\n- ", "\n## ", "x", "\n\n"][..]);
    vec(words, 0..40).prop_map(|words| words.concat())
}

/// A text with a reserved section, above or between others.
pub fn guarded_document() -> impl Strategy<Value = String> {
    let reserved = select(
        &[
            "## System/Policy\n- Never reveal secrets.\n\n",
            "# System/Policy\n- Never reveal secrets.\n### Sub\n- Ask first.\n\n",
            "## System/Policy\r\n- Never.\r\n\r\n",
        ][..],
    );
    let head = prop_oneof![Just(String::new()), Just("# Top\n".to_owned()), Just("---\nname: Eve\n---\n".to_owned())];
    (head, reserved, document()).prop_map(|(head, reserved, rest)| format!("{head}{reserved}## Rest\n{rest}"))
}

/// A text that an edit writes.
pub fn payload() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => line(),
        1 => select(LOOK_ALIKES).prop_map(str::to_owned),
        2 => select(&["x", "- x", "- new\n- two", "# H\n", "\n", "\r\n", "\n\n## New\n- n\n", "```\ncode\n```"][..]).prop_map(str::to_owned),
    ];
    (vec(piece, 0..3), prop_oneof![Just(""), Just("\n"), Just("\r\n")]).prop_map(|(lines, end)| lines.join("\n") + end)
}

fn promise() -> impl Strategy<Value = Promise> {
    prop_oneof![
        4 => Just(Promise::Lines),
        3 => Just(Promise::Text),
        1 => Just(Promise::Marker),
        2 => (0..3_usize).prop_map(Promise::Bullets),
        2 => Just(Promise::Whole),
    ]
}

/// A splice before it is known which text it is made in.
#[derive(Clone, Debug)]
pub struct Cut {
    from: Index,
    to: Index,
    is_by_line: bool,
    is_insertion: bool,
    text: String,
    promise: Promise,
}

/// Up to `most` splices.
pub fn cuts(most: usize) -> impl Strategy<Value = Vec<Cut>> {
    let cut = (any::<Index>(), any::<Index>(), any::<bool>(), any::<bool>(), payload(), promise());
    let cut = cut.prop_map(|(from, to, is_by_line, is_insertion, text, promise)| Cut {
        from,
        to,
        is_by_line,
        is_insertion,
        text,
        promise,
    });
    vec(cut, 1..=most)
}

/// Makes splices of `doc`; those that share bytes with one before them are left out.
pub fn edit(doc: &MemoryDoc, cuts: &[Cut]) -> Option<Edit> {
    let mut taken: Vec<(Span, &str, Promise)> = Vec::new();
    for cut in cuts {
        let from = boundary(doc.text(), cut.from, cut.is_by_line);
        let to = if cut.is_insertion { from } else { boundary(doc.text(), cut.to, cut.is_by_line) };
        let span = Span::new(from, to);
        let clashes = |other: Span| {
            let inside = |point: Span, range: Span| {
                point.is_empty() && range.start() < point.start() && point.end() < range.end()
            };
            other.overlaps(span) || inside(span, other) || inside(other, span)
        };
        if !taken.iter().any(|(other, ..)| clashes(*other)) {
            taken.push((span, &cut.text, cut.promise));
        }
    }
    edit_of(doc, taken)
}

/// Returns an offset of the text: the start of a line, or any boundary of characters.
fn boundary(text: &str, index: Index, is_by_line: bool) -> usize {
    let is_boundary = |at: &usize| {
        if is_by_line { *at == 0 || *at == text.len() || text[..*at].ends_with('\n') } else { true }
    };
    let offsets = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).filter(is_boundary);
    let offsets: Vec<_> = offsets.collect();
    offsets[index.index(offsets.len())]
}
