//! Figures: work and its floor, done in turn.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

use memdoc::Revision;
use serde_json::json;

use super::Failure;
use super::clock::now;
use super::documents::{SIZES, Size};

/// Work that is done again and again.
pub(super) type Work<'a> = &'a mut dyn FnMut() -> Result<(), Failure>;

/// How long one sample takes, at least.
const SAMPLE: Duration = Duration::from_micros(600);
const SAMPLES: usize = 31;
/// How many times as long work may take on a text of sixteen times the size.
const GROWTH: f64 = 20.0;

/// One run of the benchmark.
pub(super) struct Run {
    filter: Option<String>,
    is_short: bool,
    /// What each piece of work took, by its name and the index of its size.
    taken: BTreeMap<String, [Option<f64>; SIZES.len()]>,
}

/// What is measured: its name without the size, and the ratio that is aimed at.
pub(super) struct Figure<'a> {
    pub(super) name: &'a str,
    pub(super) size: Size,
    pub(super) goal: Option<f64>,
}

impl Run {
    pub(super) fn from_environment() -> Self {
        let mut arguments = std::env::args().skip(1);
        let is_asked = std::env::args().any(|argument| argument == "--bench");
        let is_short = !is_asked || std::env::var("MEMDOC_BENCH").is_ok_and(|mode| mode == "short");
        let filter = arguments.find(|argument| !argument.starts_with('-'));
        Self { filter, is_short, taken: BTreeMap::new() }
    }

    /// Reports whether each piece of work is only to be tried.
    pub(super) const fn is_short(&self) -> bool {
        self.is_short
    }

    /// Reports whether what has this name is to be measured.
    pub(super) fn wants(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| name.contains(&**filter))
    }

    /// Measures `ours` beside a copy and a hash of the same texts, which take turns.
    pub(super) fn against_floor(
        &mut self,
        figure: &Figure<'_>,
        texts: &[String],
        ours: Work<'_>,
    ) -> Result<(), Failure> {
        let mut turn = 0;
        let mut floor = || {
            turn += 1;
            if let Some(text) = texts.get(turn % texts.len()) {
                black_box(Revision::of(&black_box(text).clone()));
            }
            Ok(())
        };
        self.against(figure, &mut floor, ours)
    }

    /// Measures `ours` beside `theirs`.
    pub(super) fn against(&mut self, figure: &Figure<'_>, theirs: Work<'_>, ours: Work<'_>) -> Result<(), Failure> {
        if !self.wants(figure.name) {
            return Ok(());
        }
        let [floor, ours] = self.medians([theirs, ours])?;
        if let Some(index) = SIZES.iter().position(|size| size.bytes == figure.size.bytes) {
            self.taken.entry(figure.name.to_owned()).or_default()[index] = Some(ours);
        }
        print(&format!("{}, {}", figure.name, figure.size.name), [ours, floor], figure.goal);
        Ok(())
    }

    /// Returns the median time of each, in nanoseconds.
    fn medians(&self, [theirs, ours]: [Work<'_>; 2]) -> Result<[f64; 2], Failure> {
        let repeats = [self.repeats(theirs)?, self.repeats(ours)?];
        let mut samples = [Vec::new(), Vec::new()];
        for _ in 0..if self.is_short { 1 } else { SAMPLES } {
            samples[0].push(timed(theirs, repeats[0])?);
            samples[1].push(timed(ours, repeats[1])?);
        }
        Ok(samples.map(|mut samples| median(&mut samples)))
    }

    /// Returns how often work is to be done in a sample.
    fn repeats(&self, work: Work<'_>) -> Result<u32, Failure> {
        let mut repeats = 1;
        while !self.is_short && timed(work, repeats)? * f64::from(repeats) < SAMPLE.as_secs_f64() * 1e9 {
            repeats *= 2;
        }
        Ok(repeats)
    }

    /// Prints how what was measured grows from size to size.
    pub(super) fn growth(&self) {
        for (name, taken) in &self.taken {
            for (small, large) in (0..).zip(1..SIZES.len()) {
                if let (Some(before), Some(after)) = (taken[small], taken[large]) {
                    let [from, to] = [small, large].map(|index| SIZES[index].name);
                    print(&format!("growth of {name}, {from} to {to}"), [after, before], Some(GROWTH));
                }
            }
        }
    }
}

/// Prints a figure, given in nanoseconds.
pub(super) fn print(name: &str, [ours, floor]: [f64; 2], goal: Option<f64>) {
    let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
    let ratio = rounded(ours / floor.max(1.0));
    println!(
        "{}",
        json!({"name": name, "ours_ns": rounded(ours), "floor_ns": rounded(floor), "ratio": ratio, "goal": goal})
    );
}

/// Returns how long work takes, done so often, in nanoseconds.
pub(super) fn timed(work: Work<'_>, repeats: u32) -> Result<f64, Failure> {
    let start = now();
    for _ in 0..repeats {
        work()?;
    }
    Ok(now().saturating_sub(start).as_secs_f64() * 1e9 / f64::from(repeats))
}

pub(super) fn median(samples: &mut [f64]) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples.get(samples.len() / 2).copied().unwrap_or_default()
}
