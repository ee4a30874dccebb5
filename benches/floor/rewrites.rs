//! Compactions, planned: by the built-in compactor, and of a candidate that came with the call.

use std::hint::black_box;

use memdoc::request::Rewrite;
use memdoc::{Request, Timestamp, View};

use super::Failure;
use super::documents::{SIZES, documents};
use super::figures::{Figure, Run};

pub(super) fn measure(run: &mut Run) -> Result<(), Failure> {
    for size in SIZES {
        // A compaction takes long: one document tells as much as many.
        let docs = documents(size)?;
        let doc = docs.first().ok_or("no documents")?;
        let texts = [doc.text().to_owned()];
        let may_go = |number: usize, line: &str| number % 10 == 9 && line.starts_with("- [work]");
        let lines = doc.text().split_inclusive('\n').enumerate().filter(|(number, line)| !may_go(*number, line));
        let candidate: String = lines.map(|(_, line)| line).collect();
        let requests = [
            ("compaction to 0.9", 40.0, Rewrite::new("shorten").with_budget(doc.tokens() * 9 / 10)),
            ("gate of a candidate", 20.0, Rewrite::new("shorten").with_candidate(&*candidate)),
        ];
        for (name, goal, request) in requests {
            let mut ours = || {
                black_box(request.plan(&View::current(doc, Timestamp::default()))?);
                Ok(())
            };
            run.against_floor(&Figure { name, size, goal: Some(goal) }, &texts, &mut ours)?;
        }
    }
    Ok(())
}
