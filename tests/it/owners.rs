//! Lines keep their owners, whatever an edit writes beside them.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::draws::usually;
use crate::support::merge_checks::check_merge;
use crate::support::owner_checks::{Rewrite, check_owners, committed, fault};

#[test]
fn the_oracle_notices_what_it_is_for() {
    let cases: [(&[&str], Rewrite, bool); 9] = [
        (&["## B", "- a"], Rewrite { old: 1..1, new: vec!["## C"] }, true),
        (&["## B", "- a"], Rewrite { old: 2..2, new: vec!["## C", "- b"] }, false),
        (&["## B", "- a", "## C", "- b"], Rewrite { old: 2..3, new: vec![] }, true),
        (&["## B", "- a"], Rewrite { old: 0..1, new: vec!["## C"] }, false),
        (&["Anna:", "- a", "- b"], Rewrite { old: 2..2, new: vec!["Bob:"] }, true),
        (&["M: (ID: m)", "- a"], Rewrite { old: 0..1, new: vec!["N: (ID: n)"] }, false),
        (&["- a", "  - c", "  - d"], Rewrite { old: 0..1, new: vec![] }, true),
        (&["- a", "  - c", "    - e"], Rewrite { old: 1..2, new: vec!["- b", "  - d"] }, true),
        (&["prose", "- a"], Rewrite { old: 1..1, new: vec!["```"] }, true),
    ];
    for (lines, rewrite, is_wrong) in cases {
        let rewrites = std::slice::from_ref(&rewrite);
        assert_eq!(fault(lines, rewrites).is_some(), is_wrong, "{lines:?} {rewrite:?}");
        assert_eq!(committed(lines, rewrites).is_none(), is_wrong, "{lines:?} {rewrite:?}");
    }
}

proptest! {
    #![proptest_config(usually(12_000))]

    #[test]
    fn a_line_that_an_edit_leaves_alone_keeps_its_owners(data in vec(any::<u8>(), 0..40)) {
        check_owners(&data);
    }
}

#[test]
fn a_line_of_a_merge_stands_below_what_it_was_written_below() {
    let (config, merged) = (usually(6_000), Cell::new(0));
    proptest!(config, |(data in vec(any::<u8>(), 0..100))| {
        merged.set(merged.get() + i32::from(check_merge(&data)));
    });
    assert!(merged.get() > 500, "{merged:?} merged");
}
