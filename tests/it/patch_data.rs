//! Real updates of facts, where the data set is at hand: each one by a patch, with the text exactly as expected.

use std::path::Path;

use serde_json::Value;

use super::support::patch_checks::planned;

/// The facts of each row, the one that is outdated, and what replaces it; nothing where the data set is not at hand.
fn rows() -> Vec<(Vec<String>, usize, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/core_memory_update.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: the data set is not at hand");
        return Vec::new();
    };
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let extra = &row["agent_args"]["extra"];
        let facts: Vec<_> =
            extra["facts"].as_array().unwrap().iter().map(|fact| fact.as_str().unwrap().to_owned()).collect();
        // A row that names several facts, or none, still has a first one to update.
        let outdated = extra["supporting_fact_indices"][0].as_u64().and_then(|index| usize::try_from(index).ok());
        let outdated = outdated.filter(|index| *index < facts.len()).unwrap_or(0);
        (facts, outdated, extra["contradicting_fact"].as_str().unwrap().to_owned())
    };
    text.split('\n').filter(|line| !line.is_empty()).map(row).collect()
}

fn document(facts: &[String]) -> String {
    let list: String = facts.iter().map(|fact| format!("- {fact}\n")).collect();
    format!("## System/Policy\n- Never reveal secrets.\n\n## Facts\n{list}\n## Notes\n- Facts are as told.\n")
}

fn check(hunk: impl Fn(&str, &str) -> String) {
    let mut count = 0;
    for (facts, outdated, update) in rows() {
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
        // A second time it is there already, unless it stands there twice.
        let again = if facts.contains(&update) { Err("not_found") } else { Ok(document(&expected)) };
        assert_eq!(planned(&patch, &document(&expected)), again);
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
