//! Characters that no edit may add: all of Unicode, one by one, against the ranges as the standard prints them.

use std::ops::RangeInclusive;

use memdoc::{Authority, MemoryDoc, Policy, document::Rules, edit::EditError, edit::Promise, text::Span};

use crate::support::checks;

/// Controls but for TAB and LF, what ends lines elsewhere, format characters, what is ignored by default, and U+FFFE and U+FFFF
/// of the first plane with the other noncharacters below them. Unicode 17.
const HIDDEN: &[RangeInclusive<u32>] = &[
    0x0..=0x8,
    0xB..=0x1F,
    0x7F..=0x9F,
    0xAD..=0xAD,
    0x34F..=0x34F,
    0x600..=0x605,
    0x61C..=0x61C,
    0x6DD..=0x6DD,
    0x70F..=0x70F,
    0x890..=0x891,
    0x8E2..=0x8E2,
    0x115F..=0x1160,
    0x17B4..=0x17B5,
    0x180B..=0x180F,
    0x200B..=0x200F,
    0x2028..=0x202E,
    0x2060..=0x206F,
    0x3164..=0x3164,
    0xE000..=0xF8FF,
    0xFDD0..=0xFDEF,
    0xFE00..=0xFE0F,
    0xFEFF..=0xFEFF,
    0xFFA0..=0xFFA0,
    0xFFF0..=0xFFFB,
    0xFFFE..=0xFFFF,
    0x110BD..=0x110BD,
    0x110CD..=0x110CD,
    0x13430..=0x1343F,
    0x1BCA0..=0x1BCA3,
    0x1D173..=0x1D17A,
    0xE0000..=0xE0FFF,
    0xF0000..=0x10FFFF,
];

fn is_hidden(c: char) -> bool {
    let code = u32::from(c);
    HIDDEN.iter().any(|range| range.contains(&code)) || code & 0xFFFE == 0xFFFE
}

fn write(text: &str) -> Result<(), EditError> {
    let rules = Rules::new(Policy::default().with_max_bytes(1 << 26)).unwrap();
    let doc = MemoryDoc::with_rules("- a\n", rules.into());
    let edit = checks::edit_of(&doc, [(Span::at(4), text, Promise::Lines)]).unwrap();
    doc.commit(&edit, Authority::Agent).map(drop)
}

#[test]
fn every_character_is_refused_or_welcome_as_unicode_says() {
    let all = ('\u{0}'..=char::MAX).filter(|c| *c != '\n' && *c != '\t');
    let (hidden, seen): (Vec<char>, Vec<char>) = all.partition(|c| is_hidden(*c));
    // A joiner between two letters does its work.
    for c in hidden.into_iter().filter(|c| !matches!(c, '\u{200C}' | '\u{200D}')) {
        let is_private = matches!(u32::from(c), 0xE000..=0xF8FF | 0xF0000..);
        if !is_private || u32::from(c).is_multiple_of(0x101) || u32::from(c) & 0xFFFF > 0xFFF0 {
            assert_eq!(write(&format!("- b{c}b\n")).unwrap_err().code(), "invalid_text", "U+{:04X}", u32::from(c));
        }
    }
    let lines = seen.chunks(64).map(|line| line.iter().fold("- b".to_owned(), |line, c| format!("{line}{c}b")) + "\n");
    assert_eq!(write(&lines.collect::<String>()), Ok(()));
}
