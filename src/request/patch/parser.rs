//! The lines of a patch, read one by one.

use super::envelope::Envelope;
use super::marker::marker;

/// Reads the lines of a patch, from the first to the last.
pub(super) struct Parser<'a> {
    pub(super) lines: &'a [(usize, &'a str)],
    /// For each line whether it is empty and only separates.
    separates: Vec<bool>,
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) is_healed: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(envelope: &'a Envelope<'a>) -> Self {
        let mut separates = vec![false; envelope.lines.len()];
        let mut is_before_marker = true;
        for (separates, (_, line)) in separates.iter_mut().zip(&envelope.lines).rev() {
            *separates = is_before_marker && line.is_empty();
            is_before_marker = *separates || line.starts_with("@@") || line.starts_with("***");
        }
        Self { lines: &envelope.lines, separates, at: 0, end: envelope.end, is_healed: envelope.is_healed }
    }

    pub(super) fn peek(&self) -> Option<(usize, &'a str)> {
        self.lines.get(self.at).copied()
    }

    /// Returns what a `***` line says, and notes it if the line is misspelled.
    pub(super) fn said(&mut self, line: &'a str) -> Option<&'a str> {
        let (said, is_odd) = marker(line)?;
        self.is_healed |= is_odd;
        Some(said)
    }

    pub(super) fn skip_empty(&mut self) {
        while self.peek().is_some_and(|(_, line)| line.is_empty()) {
            self.at += 1;
        }
    }

    /// Skips empty lines, if nothing but `@@`, `***` or the end comes behind them.
    pub(super) fn skip_empty_before_marker(&mut self) {
        while self.separates.get(self.at) == Some(&true) {
            self.at += 1;
        }
    }
}
