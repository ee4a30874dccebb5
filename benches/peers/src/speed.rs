//! How long a patch of one hunk takes, a miss, and a parse, beside a copy and a hash of the same text.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use memdoc::{MemoryDoc, Revision};

use crate::appliers::{Applier, MEMDOC, Made, OTHERS, PARSING, Task};
use crate::cases::{Case, Hunk};
use crate::clock::now;
use crate::documents::{Place, SIZES, Size, lines, memory};
use crate::formats::Sent;
use crate::verdicts::Verdicts;
use crate::{Extent, Failure};

/// How long one sample takes, at least.
const SAMPLE: Duration = Duration::from_micros(600);
const ROUNDS: usize = 41;
/// Works longer than this are done less often.
const LONG: Duration = Duration::from_millis(50);

/// The figures of all sizes.
pub(crate) struct Speed(Vec<BySize>);

struct BySize {
    size: Size,
    /// What a copy and a hash take, in nanoseconds.
    floor: f64,
    /// Names, and times as often as the floor.
    rows: Vec<(String, f64)>,
    /// Who applied what was to be refused.
    missed: Vec<&'static str>,
}

/// What takes turns in a size.
struct Contender<'a> {
    name: String,
    work: Box<dyn FnMut() -> Result<(), Failure> + 'a>,
    /// What is done before each sample, and looked at behind it, outside the time.
    before: Box<dyn Fn() -> Result<(), Failure> + 'a>,
    after: Box<dyn Fn() -> Result<(), Failure> + 'a>,
    /// How often it may be done in a sample.
    most: u32,
}

impl Speed {
    pub(crate) fn measure(extent: Extent) -> Result<Self, Failure> {
        // Without optimization a miss in the largest takes some peers minutes.
        let sizes = if extent == Extent::Full { &SIZES[..] } else { &SIZES[..2] };
        sizes.iter().map(|size| measure(*size, extent)).collect::<Result<_, Failure>>().map(Self)
    }

    /// Writes the verdicts with the figures of 64 KiB.
    pub(crate) fn beside(&self, verdicts: &Verdicts) -> String {
        let mut table = String::from(
            "| applier | reads | right | refused | wrong (line ends) | not asked | patch, 64 KiB | miss, 64 KiB |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        for applier in verdicts.appliers() {
            let [right, refused, wrong, ends, not] = verdicts.counts(applier.name);
            let [patch, miss] = ["patch", "miss"].map(|what| self.figure(1, what, applier.name));
            let (name, version, format) = (applier.name, applier.version(), applier.format);
            let title = if applier.package == MEMDOC.package { name.to_owned() } else { format!("{name} {version}") };
            let _ = writeln!(
                table,
                "| {title} | {format} | {right} | {refused} | {wrong} ({ends}) | {not} | {patch} | {miss} |"
            );
        }
        table
    }

    /// Writes the figures of all sizes.
    pub(crate) fn by_size(&self) -> String {
        let floors: Vec<_> = self.0.iter().map(|by| format!("{} ({:.1} µs)", by.size.name, by.floor / 1e3)).collect();
        let mut table = format!("| × copy and hash | {} |\n|---|{}\n", floors.join(" | "), "---|".repeat(floors.len()));
        for (name, _) in self.0.first().map_or(&[][..], |by| &by.rows) {
            let (what, who) = name.split_once(": ").unwrap_or(("", name));
            let figures: Vec<_> = (0..self.0.len()).map(|at| self.figure(at, what, who)).collect();
            let _ = writeln!(table, "| {name} | {} |", figures.join(" | "));
        }
        table
    }

    fn figure(&self, at: usize, what: &str, who: &str) -> String {
        let name = format!("{what}: {who}");
        let Some(by) = self.0.get(at) else { return String::new() };
        let applied = what == "miss" && by.missed.contains(&who);
        let row = by.rows.iter().find(|(row, _)| *row == name);
        row.map_or_else(|| "–".into(), |(_, ratio)| format!("{ratio:.1}{}", if applied { ", applied" } else { "" }))
    }
}

fn measure(size: Size, extent: Extent) -> Result<BySize, Failure> {
    let text = memory(size.bytes, 1);
    let [old, new] = Place::NearEnd.words();
    let wished = text.replace(old, new);
    let tasks = [one_hunk(&text, &wished, "thunder")?, one_hunk(&text, &wished, "thander")?];
    let mut missed = Vec::new();
    let mut contenders = vec![floor(&text)];
    for (task, what, wished) in [(&tasks[0], "patch", Some(&*wished)), (&tasks[1], "miss", None)] {
        contenders.push(file(task, what));
        for applier in [MEMDOC, PARSING].into_iter().chain(OTHERS) {
            let made = applier.outcome(task)?;
            match (&made, wished) {
                (Some(_), None) => missed.push(applier.name),
                _ if made.as_deref() == wished => {}
                _ => return Err(format!("{} makes another document of {}", applier.name, size.name).into()),
            }
            contenders.push(applies(&applier, task, what, made));
        }
    }
    contenders.extend(parsers(&text)?);
    let medians = medians(&mut contenders, extent)?;
    let floor = medians.first().copied().unwrap_or(1.0);
    let names = contenders.into_iter().map(|contender| contender.name);
    let rows = names.zip(medians).skip(1).map(|(name, median)| (name, median / floor)).collect();
    Ok(BySize { size, floor, rows, missed })
}

/// Replaces a word in a line, known by it and its neighbors; the line says `last` where the document says "thunder".
fn one_hunk(text: &str, wished: &str, last: &str) -> Result<Task, Failure> {
    let [old, new] = Place::NearEnd.words();
    let (at, line) = lines(text).enumerate().find(|(_, line)| line.contains(old)).ok_or("no such line")?;
    let [above, below] = [at - 1, at + 1].map(|at| lines(text).nth(at).unwrap_or_default());
    let told = line.replace("thunder", last);
    let hunk = format!(" {above}\n-{told}\n+{}\n {below}", told.replace(old, new));
    let [seen, meant] = [text, wished].map(|text| text.replace("thunder", last));
    let case = Case::of_hunk([seen, meant], text, Hunk { line: at, scope: None, lines: hunk.into() });
    Task::new(text, Sent::new(&case)?)
}

fn floor(text: &str) -> Contender<'static> {
    let text = text.to_owned();
    Contender::new("floor".into(), move || {
        black_box(Revision::of(&black_box(&text).clone()));
        Ok(())
    })
}

/// What it takes to read a file and write it.
fn file<'a>(task: &'a Task, what: &str) -> Contender<'a> {
    let path = task.path();
    let reads = what == "miss";
    Contender::new(format!("{what}: a file"), move || {
        let text = std::fs::read_to_string(&path)?;
        if !reads {
            std::fs::write(&path, black_box(text))?;
        }
        Ok(())
    })
}

fn applies<'a>(applier: &Applier, task: &'a Task, what: &str, wished: Option<String>) -> Contender<'a> {
    let (apply, name) = (applier.apply, applier.name);
    let is_file = applier.package == "agcodex-apply-patch";
    let last = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let made = last.clone();
    let work = move || {
        made.borrow_mut().push(apply(task).ok());
        Ok(())
    };
    let after = move || {
        for made in last.borrow_mut().drain(..) {
            let text = made.map(|made: Made| task.text_of(made)).transpose()?;
            if text != wished {
                return Err(format!("{name} has made another document than before").into());
            }
        }
        Ok(())
    };
    let before: Box<dyn Fn() -> Result<(), Failure> + 'a> =
        if is_file { Box::new(|| task.restore()) } else { Box::new(|| Ok(())) };
    let most = if is_file { 1 } else { u32::MAX };
    Contender { name: format!("{what}: {name}"), work: Box::new(work), before, after: Box::new(after), most }
}

fn parsers(text: &str) -> Result<[Contender<'_>; 2], Failure> {
    let rules = std::sync::Arc::new(memdoc::document::Rules::new(crate::documents::policy())?);
    Ok([
        Contender::new("parse: memdoc".into(), move || {
            black_box(MemoryDoc::with_rules(black_box(text), rules.clone()));
            Ok(())
        }),
        Contender::new("parse: pulldown-cmark".into(), move || {
            pulldown_cmark::Parser::new(black_box(text)).for_each(|event| drop(black_box(event)));
            Ok(())
        }),
    ])
}

impl<'a> Contender<'a> {
    fn new(name: String, work: impl FnMut() -> Result<(), Failure> + 'a) -> Self {
        Self { name, work: Box::new(work), before: Box::new(|| Ok(())), after: Box::new(|| Ok(())), most: u32::MAX }
    }

    /// Takes one sample: what the work takes, in nanoseconds.
    fn sample(&mut self, repeats: u32) -> Result<f64, Failure> {
        (self.before)()?;
        let start = now();
        (0..repeats).try_for_each(|_| (self.work)())?;
        let taken = now().saturating_sub(start);
        (self.after)()?;
        Ok(taken.as_secs_f64() * 1e9 / f64::from(repeats))
    }

    /// Returns how often the work is to be done in a sample.
    fn repeats(&mut self) -> Result<u32, Failure> {
        let mut repeats = 1;
        while repeats < self.most && self.sample(repeats)? * f64::from(repeats) < SAMPLE.as_secs_f64() * 1e9 {
            repeats *= 2;
        }
        Ok(repeats)
    }
}

/// Returns the median of each, in nanoseconds. Each round begins with another.
fn medians(contenders: &mut [Contender<'_>], extent: Extent) -> Result<Vec<f64>, Failure> {
    let mut samples = vec![Vec::new(); contenders.len()];
    let mut repeats = vec![1; contenders.len()];
    let mut rounds = 1;
    if extent == Extent::Full {
        rounds = ROUNDS;
        for (repeats, contender) in repeats.iter_mut().zip(contenders.iter_mut()) {
            *repeats = contender.repeats()?;
        }
    }
    for round in 0..rounds {
        for turn in 0..contenders.len() {
            let at = (round + turn) % contenders.len();
            let (Some(contender), Some(samples), Some(repeats)) =
                (contenders.get_mut(at), samples.get_mut(at), repeats.get(at))
            else {
                continue;
            };
            let is_long = samples.first().is_some_and(|first| *first > LONG.as_secs_f64() * 1e9);
            if !is_long || round % 8 == 0 {
                samples.push(contender.sample(*repeats)?);
            }
        }
    }
    Ok(samples
        .into_iter()
        .map(|mut samples| {
            samples.sort_unstable_by(f64::total_cmp);
            samples.get(samples.len() / 2).copied().unwrap_or_default()
        })
        .collect())
}
