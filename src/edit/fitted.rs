//! Whole lines that an inversion brings back, made lines of the place that they are carried to.
//!
//! There the last line may have lost its ending, or have been given one; all lines may have been given another; and a byte order
//! mark may have come before the first. What goes on with a line, or is gone on with by it, comes back to that line alone.

use super::compose::last_ending_before;
use super::{Edit, Splice};
use crate::document::MemoryDoc;
use crate::text::{Ending, Line, Span};

const BOM: &str = "\u{FEFF}";

impl Edit {
    /// Returns the edit, which is `seen`, an edit of the first document, carried over to the second, with the lines that it inserts
    /// made whole lines; `None` if they would be no lines there, or part of another.
    pub(crate) fn fitted(self, seen: &Self, docs: [&MemoryDoc; 2]) -> Option<Self> {
        if seen.splices().len() != self.splices().len() {
            return None;
        }
        let pairs = seen.splices().iter().zip(self.splices());
        let fitted: Vec<_> = pairs.map(|(seen, own)| fitted(seen, own, docs)).collect::<Option<_>>()?;
        let is_sorted = fitted.iter().zip(fitted.iter().skip(1)).all(|(one, next)| one.span.end() <= next.span.start());
        match fitted == self.splices() {
            true => Some(self),
            // The steps of a composition know nothing of it.
            false => (is_sorted && self.is_step()).then(|| self.with_splices(fitted)),
        }
    }
}

/// Where in a line something is inserted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// Before it.
    Start,
    Inside,
    /// Behind the last one, which has no ending.
    Open,
}

impl Joint {
    fn at(doc: &MemoryDoc, at: usize) -> Self {
        let before = doc.text().get(..at).unwrap_or_default();
        match before.is_empty() || before == BOM || before.ends_with('\n') {
            true => Self::Start,
            false if at == doc.text().len() => Self::Open,
            false => Self::Inside,
        }
    }
}

/// Returns one splice as it fits; `None` if it does not.
fn fitted(seen: &Splice, own: &Splice, [believed, doc]: [&MemoryDoc; 2]) -> Option<Splice> {
    let (was_at, end) = (seen.span.start(), doc.text().len());
    if seen.text.is_empty() && seen.span.end() == believed.text().len() && own.span.end() < end {
        return Some(own.at(without_last_ending(doc, own.span)));
    }
    if !seen.span.is_empty() || seen.text.is_empty() {
        return Some(own.clone());
    }
    let has_mark = doc.text().starts_with(BOM);
    let at = if own.span.start() == 0 && has_mark { BOM.len() } else { own.span.start() };
    if seen.text.starts_with(BOM) && (at > 0 || has_mark) {
        return None;
    }
    let (was, is) = (Joint::at(believed, was_at), Joint::at(doc, at));
    let (line, now) = (Line::holding(believed.text(), was_at), Line::holding(doc.text(), at));
    let is_same_line = || was == is && line.text.of(believed.text()) == now.text.of(doc.text());
    let [old_ending, ending] = [(believed, was_at), (doc, at)].map(|(doc, at)| last_ending_before(doc, at));
    let text = if old_ending == ending { seen.text.to_string() } else { with_ending(&seen.text, ending) };
    let unbroken = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'));
    let text = match (was, is, unbroken) {
        // What else stands on the line has been compared.
        (Joint::Inside, ..) => return Some(own.clone()),
        (Joint::Open, Joint::Open, Some(_)) => text,
        (Joint::Open, Joint::Start, Some(lines)) => lines.to_owned() + ending.as_str(),
        (Joint::Open, _, None) => return is_same_line().then(|| own.clone()),
        (Joint::Start, ..) if was_at < believed.text().len() && !text.ends_with('\n') => {
            return is_same_line().then(|| own.at(Span::at(at)));
        }
        (Joint::Start, Joint::Start, _) if at < end && !text.ends_with('\n') => text + ending.as_str(),
        (Joint::Start, Joint::Start, _) => text,
        (Joint::Start, Joint::Open, _) => ending.as_str().to_owned() + &text,
        (_, Joint::Inside, _) => return None,
    };
    let mut fitted = own.at(Span::at(at));
    fitted.text = text.into();
    Some(fitted)
}

/// Returns what goes of lines that were the last ones, and began behind the end of a line, where others stand behind them by now: their
/// last ending stays, for the line before.
fn without_last_ending(doc: &MemoryDoc, span: Span) -> Span {
    let text = span.of(doc.text());
    let ending = if text.ends_with("\r\n") { 2 } else { usize::from(text.ends_with('\n')) };
    match Joint::at(doc, span.start()) {
        Joint::Inside => Span::new(span.start(), span.end().saturating_sub(ending).max(span.start())),
        Joint::Start | Joint::Open => span,
    }
}

/// Returns lines that all end so.
fn with_ending(lines: &str, ending: Ending) -> String {
    lines.replace("\r\n", "\n").replace('\n', ending.as_str())
}
