//! Sessions do what a model does in which a draft is a string.

use proptest::prelude::*;

use crate::support::session_model::{Step, check_session};
use crate::support::soak;

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => any::<prop::sample::Index>().prop_map(|at| Step::Replace(at.index(64))),
        2 => any::<prop::sample::Index>().prop_map(|at| Step::Hostile(at.index(240))),
        2 => any::<prop::sample::Index>().prop_map(|at| Step::Choose(at.index(26))),
        2 => Just(Step::Append),
        2 => any::<prop::sample::Index>().prop_map(|at| Step::Unstage(at.index(28))),
        2 => Just(Step::Task),
        2 => Just(Step::Commit),
        1 => Just(Step::Revert),
        2 => any::<prop::sample::Index>().prop_map(|at| Step::Direct(at.index(64))),
        1 => any::<prop::sample::Index>().prop_map(|at| Step::OthersReplace(at.index(64))),
        1 => Just(Step::OthersInsert),
    ]
}

#[test]
fn sessions_do_what_drafts_as_strings_do() {
    let cases = u32::try_from(64 * soak::factor()).unwrap();
    let steps = prop::collection::vec(step(), 1..60);
    proptest!(ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }, |(steps in steps)| {
        check_session(&steps);
    });
}
