//! What the parser finds, and that it agrees with another parser on headings.
//!
//! `pulldown-cmark` is asked about ATX headings outside fences. These differences are deliberate:
//!
//! - a block quote is prose, and so is what stands in it; a heading behind a bullet's marker is that bullet's content;
//! - HTML blocks, indented code and link definitions are prose, in which a line that reads as a heading is one;
//! - a heading below a bullet is a section also where CommonMark takes it for a part of the list item;
//! - front matter is skipped, setext headings are prose;
//! - a lone CR ends no line.
//!
//! So texts without `<`, `>`, `[`, CR, deep indentation and front matter are compared, and headings in list items are left out.

use std::ops::Range;

use memdoc::{
    MemoryDoc,
    document::{BlockRef, LabelRef},
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::support::draws::usually;
use crate::support::{checks, strategies};

/// Returns level and offset of the ATX headings that stand in no other block, by the other parser, and the extents of its
/// list items.
fn headings_by_peer(text: &str) -> (Vec<(u8, usize)>, Vec<Range<usize>>) {
    let mut depth = 0_usize;
    let (mut found, mut items) = (Vec::new(), Vec::new());
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Item) => {
                depth += 1;
                items.push(range);
            }
            Event::End(TagEnd::Item) => depth -= 1,
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
                let line = text[start..].trim_start_matches(' ');
                let rest = line.trim_start_matches('#');
                // Else it is a setext heading whose text begins with `#`.
                if (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with([' ', '\t', '\r', '\n']) {
                    found.push((rank(level), start));
                }
            }
            _ => {}
        }
    }
    (found, items)
}

const fn rank(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn headings(text: &str) -> Vec<(u8, usize)> {
    let doc = MemoryDoc::parse(text);
    doc.outline().sections.iter().map(|section| (section.level, section.line.start())).collect()
}

fn titles(text: &str) -> Vec<String> {
    let doc = MemoryDoc::parse(text);
    doc.sections().map(|section| section.path()).collect()
}

/// Returns the contents of all bullets, indented by their depth.
fn bullets(text: &str) -> Vec<String> {
    let doc = MemoryDoc::parse(text);
    doc.bullets().map(|bullet| format!("{}{}", "  ".repeat(bullet.depth()), bullet.content())).collect()
}

fn blocks(text: &str) -> Vec<(String, String, usize)> {
    let doc = MemoryDoc::parse(text);
    let block = |block: BlockRef<'_>| (block.id().to_owned(), block.title().to_owned(), block.bullets().count());
    doc.blocks().map(block).collect()
}

#[test]
fn a_path_names_all_ancestors() {
    assert_eq!(titles("# A\n### B\n## C\n#### D\n# E\n"), ["A", "A > B", "A > C", "A > C > D", "E"]);
}

#[test]
fn a_heading_needs_a_space_and_at_most_three_before_it() {
    assert_eq!(titles("#A\n ## B\n   ## C ##\n    ## D\n####### E\n#\tF\n"), ["B", "C", "F"]);
}

#[test]
fn nothing_in_a_fence_is_structure() {
    assert_eq!(titles("## A\n```\n## B\n~~~\n## C\n```\n## D\n~~~\n## E\n"), ["A", "D"]);
    assert_eq!(bullets("- a\n```\n- b\n```\n- c\n"), ["a", "c"]);
}

#[test]
fn front_matter_must_be_first_and_closed() {
    assert_eq!(titles("---\nk:\n# A\n---\n# B\n"), ["B"]);
    assert_eq!(titles("---\n\nk: v\n...\n# B\n"), ["B"]);
    assert_eq!(titles("---\nk: v\n## A\n---\n# B\n"), ["A", "B"], "a heading between two rules");
    assert_eq!(titles("---\nprose\nk: v\n# A\n---\n"), ["A"], "prose below a rule");
    assert_eq!(titles("---\n# A\n"), ["A"]);
    assert_eq!(titles("\n---\n# A\n---\n"), ["A"]);
    let doc = MemoryDoc::parse("\u{FEFF}---\nname: Eve\nnested:\n  a: b\n---\n");
    let slots: Vec<_> = doc.outline().slots.iter().map(|slot| slot.name.of(doc.text())).collect();
    assert_eq!(slots, ["name"]);
}

#[test]
fn bullets_own_what_stands_two_columns_or_a_tab_deeper() {
    assert_eq!(bullets("- a\n  - b\n - c\n\t- d\n"), ["a", "  b", "c", "  d"]);
    assert_eq!(bullets("- a\n  more\n\n  again\n- b\n\nprose\n"), ["a\nmore\n\nagain", "b"]);
    assert_eq!(bullets("1. a\n2) b\n* c\n+ d\n-e\n"), ["a", "b", "c", "d"]);
}

#[test]
fn tags_and_checkbox_are_not_content() {
    let doc = MemoryDoc::parse("- [x] [a, ttl: 7d] [b] text [c]\n- [a](x)\n- [] y\n");
    assert_eq!(doc.bullets().next().unwrap().tags(), ["a", "ttl: 7d", "b"]);
    assert_eq!(
        doc.bullets().map(|bullet| bullet.content().into_owned()).collect::<Vec<_>>(),
        ["text [c]", "[a](x)", "[] y"]
    );
}

#[test]
fn a_checkbox_holds_any_sign() {
    let doc = MemoryDoc::parse("- [/] a\n- [-] b\n- [x] c\n- [é] d\n- [✓] e\n- [,] f\n- [!](x)\n");
    let boxes: Vec<_> = doc.bullets().map(|bullet| bullet.checkbox()).collect();
    assert_eq!(boxes, [Some("[/]"), Some("[-]"), Some("[x]"), None, Some("[✓]"), None, None]);
}

#[test]
fn a_comment_that_begins_a_line_is_opaque() {
    assert_eq!(titles("# A\n<!--\n## B\n-->\n## C\n<!-- ## D -->\n## E\n"), ["A", "A > C", "A > E"]);
    assert_eq!(
        bullets("- a\n  <!--\n  - b\n- c\nx <!--\n- d\n<!-- -->\n- e\n<!--\n- f\n"),
        ["a\n<!--\n- b", "c", "d", "e"]
    );
    let doc = MemoryDoc::parse("```\nx\n```\n<!--\n-->\n");
    assert_eq!(doc.outline().fences.iter().map(|fence| fence.is_comment).collect::<Vec<_>>(), [false, true]);
}

/// Returns the name of each label with the contents of the bullets that it owns.
fn labels(text: &str) -> Vec<String> {
    let doc = MemoryDoc::parse(text);
    let label = |label: LabelRef<'_>| {
        let bullets: Vec<_> = label.bullets().map(|bullet| bullet.content().into_owned()).collect();
        format!("{}: {}", label.name(), bullets.join(", "))
    };
    doc.labels().map(label).collect()
}

#[test]
fn a_label_owns_the_bullets_up_to_the_next_unindented_prose() {
    assert_eq!(labels("## C\nAnna:\n- a\n  - b\n  c\n\n- d\nBob\n- e\n## D\n- f\n"), ["Anna: a\nc, b, d", "Bob: e"]);
    assert_eq!(labels("Anna:\n- a\n\n  x\n- b\nB (ID: b)\n- c\n"), ["Anna: a\n\nx, b"]);
    assert_eq!(labels("Anna:\n- a\n```\n- x\n```\n- b\n\nprose\n\n- c\n"), ["Anna: a, b"]);
}

#[test]
fn a_label_above_blank_lines_ends_in_a_colon_or_is_bold_or_underlined() {
    assert_eq!(labels("Anna\n\n- a\n\nBob:\n\n- b\n\n**Cy**\n\n- c\n\n__Di__:\n\n- d\n"), ["Bob: b", "Cy: c", "Di: d"]);
    assert_eq!(labels("Anna\n---\n\n- a\n\nBob\n===\n- b\n"), ["Anna: a", "Bob: b"]);
    assert_eq!(labels("**A** and **B**\n\n- a\n"), [""; 0]);
}

#[test]
fn no_rule_row_or_html_is_a_label() {
    assert_eq!(labels("***\n- a\n\n---\n- b\n| x |\n- c\n<br>\n- d\n  x\n- e\n"), [""; 0]);
    let doc = MemoryDoc::parse("**Key skills**:\n- a\n");
    let label = doc.bullets().next().and_then(|bullet| bullet.label());
    assert_eq!(label.map(|label| (label.name(), label.line_number())), Some(("Key skills", 1)));
}

#[test]
fn a_block_ends_before_heading_block_line_or_prose() {
    let text = "A: (ID: a1)\n- x\n  - y\nB (ID: b1):\n- z\nprose\n- w\n## C (ID: c1)\n- v\n";
    let expected = [("a1", "A", 2), ("b1", "B", 1), ("c1", "C", 1)];
    assert_eq!(blocks(text), expected.map(|(id, title, count)| (id.to_owned(), title.to_owned(), count)));
}

#[test]
fn keys_survive_tagging_and_moving_and_name_repeated_bullets_by_number() {
    let keys = |text: &str| {
        let doc = MemoryDoc::parse(text);
        doc.bullets().map(|bullet| bullet.key().to_string()).collect::<Vec<_>>()
    };
    let (plain, tagged) = (keys("- a\n- b\n"), keys("## X\n* [t] b\n\n1. [ ]  a\n"));
    assert_eq!(plain, [tagged[1].as_str(), tagged[0].as_str()]);
    assert_eq!(keys("- a\n- b\n- a\n"), [format!("{}#1", plain[0]), plain[1].clone(), format!("{}#2", plain[0])]);
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn nodes_are_spans_that_nest_and_handles_reach_them(text in strategies::document()) {
        checks::check_structure(&MemoryDoc::parse(text));
    }

    #[test]
    fn headings_agree_with_another_parser(
        lines in vec(select(&[
            "", "prose", "# A", "## B", "   ### C ###", "#### D #", "#", "## ", "##### #x", "###### \\#", "####### no", "#no",
            "- item", "* * *", "---", "```", "~~~", "```rust", "````", "~~~~ info", "===", "1. one", "#\tT", "## é # ",
        ][..]), 0..24),
        ending in select(&["\n", "\r\n"][..]),
    ) {
        // A blank line keeps front matter away.
        let lead = if lines.first() == Some(&"---") { ending } else { "" };
        let text = lead.to_owned() + &lines.iter().flat_map(|line| [*line, ending]).collect::<String>();
        let (by_peer, items) = headings_by_peer(&text);
        let mut own = headings(&text);
        own.retain(|(_, start)| !items.iter().any(|item| item.contains(start)));
        prop_assert_eq!(own, by_peer, "{:?}", text);
    }
}
