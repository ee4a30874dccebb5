//! The three ways to read a hunk as a whole: as sent, spaced, and as contents of bullets.
//!
//! ```text
//! document    - User’s advisor: TBD
//! as sent     -- User’s advisor: TBD          the rest of the line is the line
//! spaced      - - User’s advisor: TBD         one space less
//! contents    - User’s advisor: TBD           one space less, and what the bullet says
//! ```

use super::item_text::{NumberMarker, is_marked, is_one_in};
use super::lines::SoughtLine;
use super::{HunkLine, LineOp};
use crate::text::is_blank;

/// What the lines of a hunk are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Whole lines.
    AsSent,
    /// Whole lines behind a space.
    Spaced,
    /// Contents of bullets, or whole lines.
    Contents,
}

/// One way to read a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) form: Form,
    /// Whether one space less is read on `-` lines.
    spaced_deletes: bool,
    /// Whether one space less is read on context lines.
    spaced_context: bool,
}

impl Reading {
    pub(super) const AS_SENT: Self = Self { form: Form::AsSent, spaced_deletes: false, spaced_context: false };

    /// Returns the ways to read a hunk, the nearest first.
    pub(super) fn all(lines: &[HunkLine]) -> Vec<Self> {
        let of = |op| lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
        let is_spaced = |op| of(op).next().is_some() && of(op).all(|line| line.text.starts_with(' '));
        let deletes = is_spaced(LineOp::Delete);
        let has_deletes = of(LineOp::Delete).next().is_some();
        let may_be_spaced = deletes || (!has_deletes && loses_space(of(LineOp::Add).map(|line| line.text.as_str())));
        let context = may_be_spaced && is_spaced(LineOp::Context);
        let reading = |form, spaced_context| Self { form, spaced_deletes: deletes, spaced_context };
        let mut all = vec![Self::AS_SENT];
        all.extend(deletes.then_some(reading(Form::Spaced, false)));
        all.extend(context.then_some(reading(Form::Spaced, true)));
        all.push(reading(Form::Contents, false));
        all.extend(context.then_some(reading(Form::Contents, true)));
        all
    }

    /// Returns a `-` or context line as it is read.
    pub(super) fn text(self, line: &HunkLine) -> &str {
        let is_spaced = match line.op {
            LineOp::Delete => self.spaced_deletes,
            LineOp::Context => self.spaced_context,
            LineOp::Add => false,
        };
        let text = line.text.as_str();
        text.strip_prefix(' ').filter(|_| is_spaced && !is_blank(text)).unwrap_or(text)
    }

    /// Returns the lines that are looked for; `None` if the hunk cannot be read so.
    pub(super) fn sought<'h>(self, lines: &'h [HunkLine]) -> Option<Vec<SoughtLine<'h>>> {
        let sought = lines.iter().filter(|line| line.op != LineOp::Add);
        let is_full = |line: &HunkLine| line.op == LineOp::Delete && is_marked(self.text(line), NumberMarker::None);
        if self.form == Form::Contents && !self.spaced_deletes && sought.clone().any(is_full) {
            return None;
        }
        let may_be_content =
            |text: &str| self.form == Form::Contents && !is_marked(text, NumberMarker::None) && !is_blank(text);
        Some(
            sought
                .map(|line| self.text(line))
                .map(|text| SoughtLine { text, may_be_content: may_be_content(text) })
                .collect(),
        )
    }
}

/// Reports whether written lines lose one space: each that is not blank begins with one, and one of them with no more.
pub(super) fn loses_space<'t>(lines: impl Iterator<Item = &'t str> + Clone) -> bool {
    let mut full = lines.filter(|line| !is_blank(line));
    let are_spaced = full.clone().all(|line| line.starts_with(' '));
    are_spaced && full.any(is_one_in)
}
