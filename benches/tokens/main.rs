//! Prints how far the estimate is from the real count, for each sample and language, and how long counting takes.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a table is the result")]

mod measure;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use memdoc::{text::EstimatedTokens, text::TokenCounter};

use crate::measure::{CheckError, Counts, Real, by_language, counted, documented};

const ROUNDS: usize = 200;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), CheckError> {
    let real = Real::new()?;
    let counted = counted(&real)?;
    println!(
        "{:<18} {:>6} {:>6} {:>6} {:>6} {:>8} {:>14} {:>14} {:>14}",
        "sample", "chars", "bytes", "o200k", "cl100k", "estimate", "error, o200k", "error, cl100k", "chars / 4"
    );
    for (sample, counts) in &counted {
        row(&format!("{} {}", sample.language, sample.kind), counts);
    }
    println!();
    let sums = by_language(&counted);
    for (language, counts) in &sums {
        row(language, counts);
    }
    println!("\nfor the documentation:\n{}", documented(&sums));
    speed(&counted.iter().map(|(sample, _)| sample.text.as_str()).collect::<String>().repeat(2), &real);
    Ok(())
}

fn row(name: &str, counts: &Counts) {
    let Counts { characters, bytes, o200k, cl100k, estimate, .. } = counts;
    let [by_o200k, by_cl100k] = counts.errors();
    let [quarter_o200k, quarter_cl100k] = counts.errors_of_quarter();
    println!(
        "{name:<18} {characters:>6} {bytes:>6} {o200k:>6} {cl100k:>6} {estimate:>8} {by_o200k:>+12.1} % \
         {by_cl100k:>+12.1} % {quarter_o200k:>+4.0} % {quarter_cl100k:>+4.0} %"
    );
}

/// Prints what counting `text` takes beside a copy of it, in the same run.
fn speed(text: &str, real: &Real) {
    let copy = fastest(|| black_box(text.to_owned()).len());
    println!("{} KiB: a copy {copy:?}", text.len() / 1024);
    let counters: [(&str, &dyn TokenCounter); 3] =
        [("estimate", &EstimatedTokens), ("o200k_base", &real.o200k), ("cl100k_base", &real.cl100k)];
    for (name, counter) in counters {
        let time = fastest(|| counter.count(black_box(text)));
        println!("  {name} {time:?}, {:.1} copies", time.as_secs_f64() / copy.as_secs_f64().max(f64::EPSILON));
    }
}

fn fastest(work: impl Fn() -> usize) -> Duration {
    let time = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
}
