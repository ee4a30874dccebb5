//! Counting tokens: what the estimate promises of any text, and the real count behind feature `tiktoken`.

use memdoc::{text::EstimatedTokens, text::TokenCounter as _};
use proptest::prelude::*;

use crate::support::draws::usually;

proptest! {
    #![proptest_config(usually(256))]

    #[test]
    fn text_that_is_appended_never_lowers_the_estimate(text in "\\PC*|[ \\n]*", more in "\\PC*|[ \\n]*") {
        let both = format!("{text}{more}");
        prop_assert!(EstimatedTokens.count(&both) >= EstimatedTokens.count(&text));
        prop_assert!(EstimatedTokens.count(&both) >= EstimatedTokens.count(&more));
    }

    #[test]
    fn only_the_empty_text_is_estimated_at_nothing(text in "(?s).+") {
        prop_assert!((1..=2 * text.len()).contains(&EstimatedTokens.count(&text)));
    }
}

#[test]
fn the_estimate_grows_with_the_text_and_not_with_how_it_is_cut() {
    for unit in ["Lives in Denver\n", "Größe\n", "田中 愛子さん\n", "부산 9층\n", "😀 ✓\n"] {
        let (one, many) = (EstimatedTokens.count(unit), EstimatedTokens.count(&unit.repeat(10_000)));
        assert!(many <= one * 10_000 && many + 10_000 >= one * 10_000, "{unit:?}: {one} and {many}");
    }
}

#[cfg(feature = "tiktoken")]
mod real {
    use std::sync::LazyLock;

    use memdoc::{
        Authority, MemoryDoc, Policy, Replace, Request as _, document::Rules, edit::EditError, text::TiktokenCounter,
    };
    use memdoc::{Timestamp, View, document::Unit, text::TokenCounter as _};

    static O200K: LazyLock<TiktokenCounter> = LazyLock::new(|| TiktokenCounter::o200k_base().unwrap());
    static CL100K: LazyLock<TiktokenCounter> = LazyLock::new(|| TiktokenCounter::cl100k_base().unwrap());

    #[test]
    fn tokens_are_those_of_the_vocabulary() {
        // As the reference implementation counts them.
        for (text, o200k, cl100k) in
            [("", 0, 0), ("antidisestablishmentarianism", 6, 6), ("2 + 2 = 4", 7, 7), ("お誕生日おめでとう", 8, 9)]
        {
            assert_eq!((O200K.count(text), CL100K.count(text)), (o200k, cl100k), "{text}");
        }
    }

    #[test]
    fn special_tokens_in_a_text_are_ordinary_text() {
        for text in ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"] {
            assert!(O200K.count(text) > 3 && CL100K.count(text) > 3, "{text}");
        }
    }

    #[test]
    fn a_text_that_the_tokenizer_gives_up_on_is_counted_by_bytes() {
        let text = " ".repeat(1 << 21) + "x";
        assert_eq!(O200K.count(&text), text.len());
        assert_eq!(CL100K.count(&text), text.len());
    }

    #[test]
    fn a_document_is_limited_by_the_host_s_count() {
        let rules = Rules::new(Policy::default().with_max_tokens(12)).unwrap().with_counter(O200K.clone());
        let doc = MemoryDoc::with_rules("## Facts\n- Lives in Denver\n", rules.into());
        assert_eq!(doc.tokens(), O200K.count(doc.text()));
        let commit = |new: &str| {
            let edit = Replace::new("Denver", new).plan(&View::current(&doc, Timestamp::default())).unwrap();
            doc.commit(&edit, Authority::Agent).map(|commit| commit.receipt.tokens.after)
        };
        assert_eq!(commit("Austin").unwrap(), O200K.count("## Facts\n- Lives in Austin\n"));
        let refused = commit("a small town south of Denver that nobody has heard of");
        assert!(matches!(refused, Err(EditError::TooLarge { unit: Unit::Tokens, limit: 12, .. })), "{refused:?}");
    }

    #[test]
    fn debug_shows_no_vocabulary() {
        assert_eq!(format!("{:?}", *O200K), "TiktokenCounter { .. }");
    }
}
