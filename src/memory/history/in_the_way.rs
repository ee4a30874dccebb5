//! [`InTheWay`]: what keeps an entry from being undone.

use std::fmt;

use super::super::journal::Seq;
use crate::text::{Content, excerpt};

/// How many lines of each kind are told, and how much of each, in characters.
const SHOWN: usize = 5;
const EXCERPT: usize = 80;

/// What is in the way of an undoing.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InTheWay {
    /// The first later entry with which what is to be taken back cannot be merged.
    pub entry: Option<Seq>,
    /// The lines that stand there since that entry.
    pub lines: Vec<Content>,
    /// The lines that the entry to be undone wrote or removed, and that could be taken back alone.
    pub free: Vec<Content>,
}

impl fmt::Display for InTheWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(f, "edit {entry} has changed lines of it since, or what they stand below")?,
            None => f.write_str("lines of it, or what they stand below, have been changed since")?,
        }
        for (what, lines) in [("", &self.lines), ("; what could be taken back alone: ", &self.free)] {
            let shown = lines.iter().take(SHOWN).map(|line| format!("`{}`", excerpt(line, EXCERPT)));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let lead = if what.is_empty() { ": " } else { what };
            if !shown.is_empty() {
                write!(f, "{lead}{shown}")?;
            }
            if lines.len() > SHOWN {
                write!(f, " and {} more", lines.len() - SHOWN)?;
            }
        }
        Ok(())
    }
}
