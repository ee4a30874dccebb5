//! How far the estimate of tokens is from the real count, on samples of several languages.
//!
//! The samples are written for this measurement: memories and prose in `samples/Language-kind.md`. The weights of the
//! estimate were chosen on all but those of kind `later`, which were written afterwards and say how it does on other text.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use memdoc::{text::EstimatedTokens, text::InvalidVocabulary, text::TiktokenCounter, text::TokenCounter};
use thiserror::Error;

/// Why nothing could be measured.
#[derive(Debug, Error)]
pub(crate) enum CheckError {
    /// A sample could not be read.
    #[error("the samples cannot be read")]
    Samples(#[from] io::Error),
    /// A real tokenizer could not be made.
    #[error(transparent)]
    Vocabulary(#[from] InvalidVocabulary),
}

/// A text to be counted.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The language, such as `German`; `Code` is one, and `Others` are many.
    pub(crate) language: String,
    /// What kind of text it is, such as `memory`.
    pub(crate) kind: String,
    /// The text itself.
    pub(crate) text: String,
}

/// Returns all samples, by language and kind, each with its size.
///
/// # Errors
///
/// Fails if a sample cannot be read.
pub(crate) fn counted(real: &Real) -> Result<Vec<(Sample, Counts)>, CheckError> {
    let counted = samples()?.into_iter().map(|sample| {
        let counts = Counts::of(&sample.text, real);
        (sample, counts)
    });
    Ok(counted.collect())
}

fn samples() -> Result<Vec<Sample>, CheckError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/tokens/samples"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some((language, kind)) = name.split_once('-') {
            let text = fs::read_to_string(&path)?;
            found.push(Sample { language: language.to_owned(), kind: kind.to_owned(), text });
        }
    }
    found.sort_by(|a, b| (&a.language, &a.kind).cmp(&(&b.language, &b.kind)));
    Ok(found)
}

/// The real tokenizers.
#[derive(Clone, Debug)]
pub(crate) struct Real {
    /// The vocabulary of OpenAI's present models.
    pub(crate) o200k: TiktokenCounter,
    /// The vocabulary of those before.
    pub(crate) cl100k: TiktokenCounter,
}

impl Real {
    /// Reads the vocabularies.
    ///
    /// # Errors
    ///
    /// Fails if one is damaged.
    pub(crate) fn new() -> Result<Self, CheckError> {
        Ok(Self { o200k: TiktokenCounter::o200k_base()?, cl100k: TiktokenCounter::cl100k_base()? })
    }
}

/// The size of a sample, in every measure.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// The number of characters.
    pub(crate) characters: usize,
    /// The number of bytes.
    pub(crate) bytes: usize,
    /// The real number of tokens by `o200k_base`.
    pub(crate) o200k: usize,
    /// The real number of tokens by `cl100k_base`.
    pub(crate) cl100k: usize,
    /// The estimate.
    pub(crate) estimate: usize,
}

impl Counts {
    fn of(text: &str, real: &Real) -> Self {
        Self {
            characters: text.chars().count(),
            bytes: text.len(),
            o200k: real.o200k.count(text),
            cl100k: real.cl100k.count(text),
            estimate: EstimatedTokens.count(text),
        }
    }

    const fn plus(self, other: Self) -> Self {
        Self {
            characters: self.characters + other.characters,
            bytes: self.bytes + other.bytes,
            o200k: self.o200k + other.o200k,
            cl100k: self.cl100k + other.cl100k,
            estimate: self.estimate + other.estimate,
        }
    }

    /// Returns the errors of the estimate by `o200k_base` and `cl100k_base`, in percent of the real count.
    pub(crate) fn errors(&self) -> [f64; 2] {
        [error(self.estimate, self.o200k), error(self.estimate, self.cl100k)]
    }

    /// Returns the errors of a token for four characters, which is what many programs take.
    pub(crate) fn errors_of_quarter(&self) -> [f64; 2] {
        let quarter = self.characters.div_ceil(4);
        [error(quarter, self.o200k), error(quarter, self.cl100k)]
    }
}

fn error(estimate: usize, real: usize) -> f64 {
    (estimate as f64 / real.max(1) as f64 - 1.0) * 100.0
}

/// Returns each language with the sum of its samples.
pub(crate) fn by_language(counted: &[(Sample, Counts)]) -> Vec<(&str, Counts)> {
    let mut sums: Vec<(&str, Counts)> = Vec::new();
    for (sample, counts) in counted {
        match sums.last_mut() {
            Some((language, sum)) if language == &sample.language => *sum = sum.plus(*counts),
            _ => sums.push((&sample.language, *counts)),
        }
    }
    sums
}

/// Returns the rows of the table in the documentation of `EstimatedTokens`, one for each of `sums`.
pub(crate) fn documented(sums: &[(&str, Counts)]) -> String {
    let mut table = String::new();
    for (language, counts) in sums {
        let _ = write!(table, "| {language} | {:.1} |", counts.characters as f64 / counts.o200k.max(1) as f64);
        for error in counts.errors().into_iter().chain(counts.errors_of_quarter()) {
            // Zero has no sign.
            let _ = write!(table, " {:+.0} % |", error.round() + 0.0);
        }
        table.push('\n');
    }
    table
}
