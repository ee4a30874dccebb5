//! What the documentation of `EstimatedTokens` says of its error holds.

#[allow(dead_code, reason = "the rest is for the benchmark")]
#[path = "../../benches/tokens/measure.rs"]
mod measure;

use std::sync::LazyLock;

use measure::{Counts, Real, Sample, by_language, counted, documented};

static COUNTED: LazyLock<Vec<(Sample, Counts)>> = LazyLock::new(|| counted(&Real::new().unwrap()).unwrap());

#[test]
fn samples_are_large_enough_to_tell() {
    let sums = by_language(&COUNTED);
    assert_eq!(sums.len(), 6);
    for (language, counts) in sums {
        assert!(counts.characters >= 3_000 || language == "Others", "{language} has {}", counts.characters);
    }
}

#[test]
fn the_documented_table_is_what_is_measured() {
    let documentation = include_str!("../../src/text/tokens.rs");
    for row in documented(&by_language(&COUNTED)).split_terminator('\n') {
        assert!(documentation.contains(&format!("/// {row}\n")), "the documentation does not have {row}");
    }
}

#[test]
fn no_sample_is_estimated_far_below_the_real_count() {
    for (sample, counts) in COUNTED.iter().filter(|(sample, _)| sample.language != "Others") {
        let [o200k, cl100k] = counts.errors();
        assert!(o200k >= -6.0 && cl100k >= -6.0, "{} {}: {o200k:.1}, {cl100k:.1}", sample.language, sample.kind);
    }
}
