//! `Replace`: exactly this text, exactly so often; healed only where no other fact can be meant.

use memdoc::{
    Authority, MemoryDoc, Policy, Replace, Request as _, Timestamp, View, document::ContextGuard, document::Healing,
    document::Rules, locate::Fix, locate::Leniency, locate::Matches, request::Refusal, request::RequestError,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::Arc;

use crate::support::draws::usually;
use crate::support::{checks, strategies};

fn replaced(text: &str, request: &Replace) -> Result<(String, Vec<Leniency>), RequestError> {
    let doc = MemoryDoc::parse(text);
    let edit = request.plan(&View::current(&doc, Timestamp::default()))?;
    let commit = checks::check_commit(&doc, &edit, Authority::Agent).expect("a plan of these tests is committed");
    Ok((commit.doc.text().to_owned(), commit.receipt.healed))
}

fn refusal(doc: &MemoryDoc, request: &Replace) -> Refusal {
    let error = request.plan(&View::current(doc, Timestamp::default())).unwrap_err();
    error.failures()[0].refusal.clone()
}

fn code(text: &str, request: &Replace) -> &'static str {
    refusal(&MemoryDoc::parse(text), request).code().as_str()
}

/// Returns the request for so many occurrences; `None`: for all.
fn expecting(mut request: Replace, expected: impl Into<Option<usize>>) -> Replace {
    request.expected = expected.into();
    request
}

fn in_section(mut request: Replace, name: &str) -> Replace {
    request.section = Some(name.into());
    request
}

#[test]
fn the_new_text_is_literal() {
    let request = Replace::new("x", r"$0 \1 ${a}");
    assert_eq!(replaced("- x\n", &request).unwrap().0, "- $0 \\1 ${a}\n");
}

#[test]
fn a_count_that_differs_is_refused_with_both_numbers() {
    let doc = MemoryDoc::parse("- a\n- a\n- a\n");
    let Refusal::CountMismatch { expected: Some(2), matches, .. } =
        refusal(&doc, &expecting(Replace::new("a", "b"), 2))
    else {
        panic!("expected a wrong count");
    };
    assert_eq!((matches.len(), matches.candidates().len()), (3, 3));
    assert_eq!(replaced("- a\n- a\n", &expecting(Replace::new("a", "b"), 2)).unwrap().0, "- b\n- b\n");
}

#[test]
fn occurrences_that_overlap_are_ambiguous_whatever_was_expected() {
    for expected in 1..=3 {
        assert_eq!(code("aaa\n", &expecting(Replace::new("aa", "b"), expected)), "ambiguous");
    }
}

#[test]
fn arguments_that_no_document_satisfies_are_invalid() {
    assert_eq!(code("a\n", &Replace::new("", "b")), "invalid_arguments");
    assert_eq!(code("a\n", &expecting(Replace::new("a", "b"), 0)), "invalid_arguments");
}

#[test]
fn line_endings_are_those_of_the_place() {
    let request = Replace::new("b", "b\nnew");
    assert_eq!(replaced("a\r\nb\r\nc\n", &request).unwrap().0, "a\r\nb\r\nnew\r\nc\n");
    let request = Replace::new("b", "b\nnew");
    assert_eq!(replaced("a\nb", &request).unwrap().0, "a\nb\nnew");
    assert_eq!(replaced("a\nb\r\n", &request).unwrap().0, "a\nb\r\nnew\r\n");
    let request = Replace::new("b\n", "b\nnew\n");
    assert_eq!(replaced("a\nb\nc\r\n", &request).unwrap().0, "a\nb\nnew\nc\r\n");
}

#[test]
fn each_rung_finds_what_it_overlooks_and_is_reported() {
    let table: [(&str, &str, &str, Leniency); 6] = [
        ("- tea  \n- b\n", "- tea\n- b", "- tee\n- b", Leniency::TrailingSpace),
        ("- tea\r\n- b\r\n", "- tea\n- b", "- tee\n- b", Leniency::LineEndings),
        ("- User’s “tea”\n", "- User's \"tea\"", "- tee", Leniency::Punctuation),
        ("- caf\u{E9}\n", "- cafe\u{301}", "- tee", Leniency::Punctuation),
        ("- say \"tea\"\n", "say \\\"tea\\\"", "tee", Leniency::Escapes),
        ("a\n- tea\n", "2| - tea", "- tee", Leniency::ViewPrefix),
    ];
    for (text, old, new, leniency) in table {
        let (result, healed) =
            replaced(text, &Replace::new(old, new)).unwrap_or_else(|error| panic!("{old:?}: {error}"));
        assert_eq!(healed, [leniency], "{old:?}");
        assert!(result.contains("tee") && !result.contains("tea"), "{result:?}");
    }
}

#[test]
fn similarity_and_indentation_are_never_healed() {
    assert_eq!(code("- 12 March\n", &Replace::new("- 13 March", "x")), "not_found");
    assert_eq!(code("- a\n  - coffee\n", &Replace::new("\n- coffee", "x")), "not_found");
}

#[test]
fn nothing_is_healed_for_several_places_or_where_healing_is_off() {
    assert_eq!(code("- “a” “a”\n", &expecting(Replace::new("\"a\"", "b"), 2)), "not_found");
    let rules = Arc::new(Rules::new(Policy::default().with_healing(Healing::Off)).unwrap());
    let doc = MemoryDoc::with_rules("- “a”\n", rules);
    let refusal = refusal(&doc, &Replace::new("\"a\"", "b"));
    assert_eq!((refusal.code().as_str(), refusal.fix()), ("not_found", None));
}

#[test]
fn a_healed_match_changes_only_the_lines_that_the_request_changes() {
    let request = Replace::new("- \"a\"\n- b\n- \"c\"", "- \"a\"\n- B\n- \"c\"");
    assert_eq!(replaced("- “a”\r\n- b\r\n- “c”\r\n", &request).unwrap().0, "- “a”\r\n- B\r\n- “c”\r\n");
}

#[test]
fn a_scope_is_a_section_with_its_subsections_or_a_block() {
    let text = "## A\n- x\n### B\n- y\n## C\n- x\nU (ID: u1)\n- x\n";
    let in_part = |name: &str| in_section(Replace::new("x", "z"), name);
    assert_eq!(replaced(text, &in_part("A")).unwrap().0, text.replacen('x', "z", 1));
    assert_eq!(code(text, &in_part("A > B")), "not_found");
    assert_eq!(code(text, &in_part("C")), "count_mismatch");
    let mut in_block = Replace::new("x", "z");
    in_block.block = Some("u1".into());
    assert_eq!(replaced(text, &in_block).unwrap().0, "## A\n- x\n### B\n- y\n## C\n- x\nU (ID: u1)\n- z\n");
    assert_eq!(code(text, &in_section(in_block.clone(), "A")), "not_found");
    let (_, healed) = replaced(text, &in_part("a")).unwrap();
    assert_eq!(healed, [Leniency::Case]);
}

#[test]
fn the_context_guard_asks_for_lines() {
    let rules = Arc::new(Rules::new(Policy::default().with_context_guard(ContextGuard::Lines(3))).unwrap());
    let doc = MemoryDoc::with_rules("## Facts\n- a\n- b\n- c\n", rules);
    assert_eq!(refusal(&doc, &Replace::new("b", "B")).code().as_str(), "context_too_thin");
    let lines = Replace::new("- a\n- b\n- c", "- a\n- B\n- c");
    assert!(lines.plan(&View::current(&doc, Timestamp::default())).is_ok());
    let whole_line = in_section(Replace::new("- b", "- B"), "Facts");
    assert!(whole_line.plan(&View::current(&doc, Timestamp::default())).is_ok());
    assert!(expecting(Replace::new("b", "B"), 2).plan(&View::current(&doc, Timestamp::default())).is_err());
}

/// Follows the fix of a refusal, which must work.
fn check_fix(doc: &MemoryDoc, request: &Replace) {
    let view = View::current(doc, Timestamp::default());
    let Err(error) = request.plan(&view) else { return };
    let refusal = &error.failures()[0].refusal;
    let candidates = refusal.matches().map(Matches::candidates).unwrap_or_default().into_iter();
    let candidates = candidates.map(|candidate| (candidate.fix, Some(candidate.span)));
    for (fix, place) in candidates.chain([(refusal.fix().cloned(), None)]) {
        let fixed = match fix {
            Some(Fix::NameSection(name)) => in_section(Replace::new(request.old.clone(), request.new.clone()), &name),
            Some(Fix::Expect(count)) => expecting(request.clone(), count),
            Some(Fix::CopyText(text)) => {
                let mut fixed = request.clone();
                fixed.old = text;
                fixed
            }
            Some(Fix::Widen { old, new }) => Replace::new(old, new),
            _ => continue,
        };
        let edit = fixed
            .plan(&view)
            .unwrap_or_else(|error| panic!("{error}: {fixed:?} instead of {request:?} in {:?}", doc.text()));
        if let Some(place) = place {
            let mut expected = doc.text().to_owned();
            expected.replace_range(place.range(), &request.new);
            assert_eq!(checks::spliced(doc.text(), &edit), expected, "the fix of a candidate edits that place");
        }
    }
}

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn a_plain_text_is_replaced_as_a_string_is(
        text in strategies::plain_document(),
        from in any::<Index>(), length in 1..8_usize,
        new in "[abx\n -]{0,6}", expected in 1..3_usize,
    ) {
        let chars: Vec<char> = text.chars().collect();
        let from = if chars.is_empty() { 0 } else { from.index(chars.len()) };
        let old: String = chars[from..(from + length).min(chars.len())].iter().collect();
        checks::check_replace(&text, &old, &new, expected);
    }

    #[test]
    fn any_replacement_keeps_the_invariants(
        text in strategies::document(), from in any::<Index>(), length in 1..20_usize, new in strategies::payload(),
    ) {
        let chars: Vec<char> = text.chars().collect();
        let from = if chars.is_empty() { 0 } else { from.index(chars.len()) };
        let old: String = chars[from..(from + length).min(chars.len())].iter().collect();
        checks::check_replace(&text, &old, &new, 1);
    }

    #[test]
    fn an_ending_that_the_last_line_lacks_may_be_left_off(
        lines in vec("(- |\\* |  - |## |[ab] )?[ab\u{201C}\u{E9}]{1,3}( [xy]| {1,2})?", 1..6), ending in "\n|\r\n",
        from in any::<Index>(), added in vec("(- |\\* |  - )?[abxy]{0,2}", 0..4), keeps in any::<bool>(),
    ) {
        let text = lines.join(&ending);
        let starts: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        let old = &text[*from.get(&starts)..];
        let new = Some(old).filter(|_| keeps).into_iter().chain(added.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
        let doc = MemoryDoc::parse(&*text);
        let planned = |old: &str, new: &str| Replace::new(old, new).plan(&View::current(&doc, Timestamp::default()));
        // White space at an end is overlooked sooner than an ending; a line that is replaced by nothing goes.
        let begins_or_ends_with_space = old.ends_with(' ') || old.trim_start_matches(' ').starts_with(['\r', '\n']);
        if let (false, Ok(expected)) = (begins_or_ends_with_space || new.is_empty(), planned(old, &new)) {
            let edit = planned(&format!("{old}\n"), &format!("{new}\n")).expect("it stands there once");
            prop_assert_eq!(checks::spliced(&text, &edit), checks::spliced(&text, &expected), "{:?} by {:?}", old, new);
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line(
        text in strategies::plain_document(), from in any::<Index>(), length in 1..8_usize, new in "[abx\n -]{0,6}",
        everywhere in any::<bool>(),
    ) {
        let chars: Vec<char> = text.chars().collect();
        let from = if chars.is_empty() { 0 } else { from.index(chars.len()) };
        let old: String = chars[from..(from + length).min(chars.len())].iter().collect();
        let request = if everywhere { expecting(Replace::new(old, new), None) } else { Replace::new(old, new) };
        let planned = |text: &str| {
            let doc = MemoryDoc::parse(text);
            request.plan(&View::current(&doc, Timestamp::default())).ok().map(|edit| checks::spliced(text, &edit))
        };
        let expected = planned(&text).map(|text| format!("\u{FEFF}{text}"));
        prop_assert_eq!(planned(&format!("\u{FEFF}{text}")), expected, "{:?} in {:?}", request, text);
    }

    #[test]
    fn a_fix_that_is_followed_works(
        text in strategies::plain_document(), from in any::<Index>(), length in 1..6_usize, expected in 1..3_usize,
    ) {
        let chars: Vec<char> = text.chars().collect();
        let from = if chars.is_empty() { 0 } else { from.index(chars.len()) };
        let old: String = chars[from..(from + length).min(chars.len())].iter().collect();
        check_fix(&MemoryDoc::parse(text), &expecting(Replace::new(old, "new"), expected));
    }

    #[test]
    fn a_line_that_stays_keeps_its_ending(
        lines in vec((any::<bool>(), 0..9_usize), 1..8),
        (from, length) in (any::<Index>(), 1..6_usize),
        (is_ended, as_found, is_crlf) in any::<(bool, bool, bool)>(),
    ) {
        let ending = |is_crlf: bool| if is_crlf { "\r\n" } else { "\n" };
        // No two lines are the same.
        let names: Vec<String> = (0..lines.len()).map(|nth| format!("- line{nth}")).collect();
        let ended: Vec<String> = names.iter().zip(&lines).map(|(name, line)| [name, ending(line.0)].concat()).collect();
        let range = from.index(lines.len())..lines.len();
        let range = range.start..range.end.min(range.start + length);
        let edited = |nth: usize| match lines[nth].1 {
            0 => Vec::new(),
            1 => vec![format!("- new{nth}"), names[nth].clone()],
            2 => vec![format!("{} ", names[nth])],
            3 => vec![format!("  {}", names[nth])],
            4 => vec![format!("- other{nth}")],
            _ => vec![names[nth].clone()],
        };
        let new: Vec<String> = range.clone().flat_map(edited).collect();
        prop_assume!(!new.is_empty());
        let old = ended[range.clone()].concat();
        let old = if as_found { old } else { old.replace("\r\n", "\n") };
        let mut sent = [&*old, &*new.iter().flat_map(|line| [line, ending(is_crlf)]).collect::<String>()].map(str::to_owned);
        if !is_ended {
            sent = sent.map(|text| text.trim_end_matches(['\r', '\n']).to_owned());
        }
        let [old, new_text] = sent;
        let Ok((result, _)) = replaced(&ended.concat(), &Replace::new(old, new_text)) else {
            // Only what changes nothing is refused.
            prop_assert_eq!(&new, &names[range].to_vec());
            return Ok(());
        };
        for (name, line) in names.iter().zip(&ended) {
            let kept = result.split_inclusive('\n').find(|found| found.trim_end_matches(['\r', '\n']) == name);
            prop_assert!(kept.is_none_or(|kept| kept == line), "{:?} in {:?}", line, result);
        }
        if range.clone().all(|nth| edited(nth).len() == 1) {
            let ends = |text: &str| text.split_inclusive('\n').map(|line| line.ends_with("\r\n")).collect::<Vec<_>>();
            prop_assert_eq!(ends(&result), ends(&ended.concat()), "one line for each");
        }
        let gone = range.clone().filter(|nth| edited(*nth).is_empty()).count();
        let come = new.len() + gone - range.len();
        prop_assert_eq!(result.split_terminator('\n').count(), lines.len() - gone + come);
    }
}
