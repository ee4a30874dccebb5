//! Real updates of facts, where the data set is at hand: each one by a patch, with the text exactly as expected.

use super::support::outside::{Update, updates};
use super::support::patch_checks::planned;

fn document(facts: &[String]) -> String {
    let list: String = facts.iter().map(|fact| format!("- {fact}\n")).collect();
    format!("## System/Policy\n- Never reveal secrets.\n\n## Facts\n{list}\n## Notes\n- Facts are as told.\n")
}

fn check(hunk: impl Fn(&str, &str) -> String) {
    let mut count = 0;
    for Update { facts, update, outdated } in updates() {
        // A row that names several facts, or none, still has a first one to update.
        let outdated = outdated.first().copied().filter(|index| *index < facts.len()).unwrap_or(0);
        let old = &facts[outdated];
        let patch =
            format!("*** Begin Patch\n*** Update Memory\n@@ section: Facts\n{}*** End Patch\n", hunk(old, &update));
        let reached = planned(&patch, &document(&facts));
        if facts.iter().filter(|fact| *fact == old).count() > 1 {
            assert_eq!(reached, Err("ambiguous"));
            continue;
        }
        let mut expected = facts.clone();
        expected[outdated].clone_from(&update);
        assert_eq!(reached, Ok(document(&expected)), "{patch}");
        // A hunk without context does not tell by itself that it has landed before.
        if !expected.contains(old) {
            assert_eq!(planned(&patch, &document(&expected)), Err("not_found"));
        }
        count += 1;
    }
    eprintln!("{count} rows");
}

#[test]
fn an_outdated_fact_is_replaced_in_every_row_in_strict_form() {
    check(|old, new| format!("-- {old}\n+- {new}\n"));
}

#[test]
fn an_outdated_fact_is_replaced_in_every_row_in_bullet_form() {
    check(|old, new| format!("- {old}\n+ {new}\n"));
}
