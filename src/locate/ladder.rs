//! The ladder of healing: what is overlooked when a text is not found exactly.
//!
//! Rungs are cumulative: each is tried only when all before it found nothing, and overlooks what those before it do; text
//! that might be escaped is tried as it was sent first. No rung makes two texts equal that differ in a letter, a digit, or a
//! sign that carries meaning: what a marker or a prefix is, [`super::marker`] knows. Similarity and indentation are not among
//! the rungs: `13 March` never becomes `12 March`.

use std::borrow::Cow;

use serde::Serialize;
use strum::Display;

use crate::document::{Healing, MemoryDoc};
use crate::text::fold_punctuation;

/// A way in which a request was read less exactly than it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Rung {
    /// White space at line ends differs.
    TrailingSpace,
    /// LF and CRLF differ.
    LineEndings,
    /// Unicode quotes, dashes, ellipsis, spaces, or composed letters differ.
    Punctuation,
    /// `\"`, `\n` and `\t` are written literally.
    Escapes,
    /// A bullet's marker is missing or doubled.
    BulletMarker,
    /// The line numbers or keys of a rendered view were copied along.
    ViewPrefix,
    /// A name differs in letter case.
    Case,
    /// A name stands in marks of Markdown: `## Facts`, `**Facts**`, `Facts:`.
    TitleMarks,
    /// What is named as a section or block is a label, or a block of that title.
    Label,
    /// A patch is wrapped in something that is no part of it.
    Envelope,
    /// Arguments bear other names, or other types, than the tool's.
    Arguments,
    /// JSON that was broken in a way that loses nothing.
    Json,
}

impl Rung {
    /// The ladder that text is looked for on, in order.
    pub(crate) const LADDER: [Self; 6] = [
        Self::TrailingSpace,
        Self::LineEndings,
        Self::Punctuation,
        Self::Escapes,
        Self::BulletMarker,
        Self::ViewPrefix,
    ];
}

/// A set of rungs of the ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rungs(u8);

impl Rungs {
    pub(crate) const NONE: Self = Self(0);

    /// Reports whether the policy lets text be looked for, and written, less exactly than it was sent.
    pub(crate) fn heal(doc: &MemoryDoc) -> bool {
        doc.policy().healing == Healing::Narrow
    }

    /// Returns what is overlooked step by step in looking for text in `doc`, nothing first; nothing else without healing.
    pub(crate) fn ladder(doc: &MemoryDoc) -> impl Iterator<Item = Self> + use<> {
        let heals = Self::heal(doc);
        std::iter::once(Self::NONE).chain(Self::climb().filter(move |_| heals))
    }

    /// Returns the steps of the ladder for whole lines, which are looked for without their endings.
    pub(crate) fn ladder_of_lines(doc: &MemoryDoc) -> impl Iterator<Item = Self> + use<> {
        let is_of_lines = |rungs: &Self| rungs.iter().last() != Some(Rung::LineEndings);
        Self::ladder(doc).map(|rungs| rungs.without(Rung::LineEndings)).filter(is_of_lines)
    }

    /// Returns the rungs step by step, each with all before it.
    pub(crate) fn climb() -> impl Iterator<Item = Self> {
        Rung::LADDER.into_iter().flat_map(|rung| {
            let all = Self::up_to(rung);
            let as_sent = Some(all.without(Rung::Escapes)).filter(|_| rung > Rung::Escapes);
            as_sent.into_iter().chain([all])
        })
    }

    /// Returns the rung with all before it.
    pub(crate) fn up_to(rung: Rung) -> Self {
        Rung::LADDER.iter().take_while(|before| **before <= rung).fold(Self::NONE, |set, rung| set.with(*rung))
    }

    pub(crate) fn with(self, rung: Rung) -> Self {
        Self(self.0 | Self::bit(rung))
    }

    pub(crate) fn without(self, rung: Rung) -> Self {
        Self(self.0 & !Self::bit(rung))
    }

    pub(crate) fn has(self, rung: Rung) -> bool {
        self.0 & Self::bit(rung) != 0
    }

    /// Lists the rungs in the order of the ladder.
    pub(crate) fn iter(self) -> impl Iterator<Item = Rung> {
        Rung::LADDER.into_iter().filter(move |rung| self.has(*rung))
    }

    /// Drops every rung without which `matches` still holds.
    pub(crate) fn minimized(self, matches: impl Fn(Self) -> bool) -> Self {
        self.iter().fold(self, |needed, rung| {
            let fewer = needed.without(rung);
            if matches(fewer) { fewer } else { needed }
        })
    }

    fn bit(rung: Rung) -> u8 {
        Rung::LADDER.iter().position(|other| *other == rung).map_or(0, |place| 1 << place)
    }

    /// Reports whether lines are read as bullets or as lines of a view, which only whole lines can be.
    pub(crate) fn reads_lines(self) -> bool {
        self.has(Rung::BulletMarker) || self.has(Rung::ViewPrefix)
    }

    /// Folds one line, without its ending: white space at its end and Unicode punctuation.
    pub(crate) fn fold_line(self, line: &str) -> Cow<'_, str> {
        let mut folded = Cow::Borrowed(line);
        if self.has(Rung::TrailingSpace) {
            folded = Cow::Borrowed(line.trim_end_matches(is_trailing_space(self)));
        }
        if self.has(Rung::Punctuation) && !folded.is_ascii() {
            let mut plain = String::with_capacity(folded.len());
            fold_punctuation(&folded, |_, c| plain.push(c));
            folded = Cow::Owned(plain);
        }
        folded
    }

    /// Returns the folded line, and for each of its bytes where in `line` the character that it comes from starts.
    pub(crate) fn fold_line_with_origins(self, line: &str) -> (String, Vec<usize>) {
        let kept = if self.has(Rung::TrailingSpace) { line.trim_end_matches(is_trailing_space(self)) } else { line };
        let mut folded = String::with_capacity(kept.len());
        let mut origins = Vec::with_capacity(kept.len());
        let mut push = |offset: usize, c: char| {
            folded.push(c);
            origins.extend(std::iter::repeat_n(offset, c.len_utf8()));
        };
        if self.has(Rung::Punctuation) {
            fold_punctuation(kept, push);
        } else {
            kept.char_indices().for_each(|(offset, c)| push(offset, c));
        }
        (folded, origins)
    }

    /// Reports whether one of these texts may be read here as on no rungs before: what is not escaped reads the same.
    pub(crate) fn tell_apart<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        !self.has(Rung::Escapes) || texts.into_iter().any(|text| self.read(text) != text)
    }

    /// Reports whether one of these texts may be folded otherwise than on no rungs but those before the last.
    pub(crate) fn read_more<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let mut texts = texts.into_iter();
        match self.iter().last() {
            Some(Rung::LineEndings) => texts.any(|text| text.contains('\r')),
            // Of ASCII, vertical tabs and form feeds are spaces that no rung before overlooks at a line's end.
            Some(Rung::Punctuation) => texts.any(|text| !text.is_ascii() || text.contains(['\u{B}', '\u{C}'])),
            _ => true,
        }
    }

    /// Returns a text of a request as it is read: with its escapes as it was sent, or as what they stand for.
    pub(crate) fn read(self, text: &str) -> Cow<'_, str> {
        if self.has(Rung::Escapes) { unescape(text) } else { Cow::Borrowed(text) }
    }
}

/// What counts as white space at a line's end: with punctuation folded, Unicode's spaces too.
fn is_trailing_space(rungs: Rungs) -> impl Fn(char) -> bool {
    let unicode = rungs.has(Rung::Punctuation);
    move |c| matches!(c, ' ' | '\t') || (unicode && c != '\r' && c.is_whitespace())
}

/// Replaces `\"`, `\n` and `\t`, written literally, by what they stand for.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(rest.get(..at).unwrap_or_default());
        let after = rest.get(at + 1..).unwrap_or_default();
        let meant = match after.bytes().next() {
            Some(b'"') => Some('"'),
            Some(b'n') => Some('\n'),
            Some(b't') => Some('\t'),
            // A doubled one stays, and escapes nothing.
            Some(b'\\') => {
                plain.push('\\');
                Some('\\')
            }
            _ => None,
        };
        plain.push(meant.unwrap_or('\\'));
        rest = if meant.is_some() { after.get(1..).unwrap_or_default() } else { after };
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rungs_are_cumulative_and_minimized() {
        let rungs = Rungs::up_to(Rung::Punctuation);
        assert_eq!(rungs.iter().collect::<Vec<_>>(), [Rung::TrailingSpace, Rung::LineEndings, Rung::Punctuation]);
        let needed = rungs.minimized(|rungs| rungs.fold_line("it’s ") == "it's ");
        assert_eq!(needed.iter().collect::<Vec<_>>(), [Rung::Punctuation]);
    }

    #[test]
    fn folding_with_origins_gives_the_same_line() {
        let rungs = Rungs::up_to(Rung::ViewPrefix);
        for line in ["- [a] it’s… é \t", "  - - x", "", "12. é", "- "] {
            let (folded, origins) = rungs.fold_line_with_origins(line);
            assert_eq!(folded, rungs.fold_line(line), "{line:?}");
            assert_eq!(origins.len(), folded.len());
        }
    }

    #[test]
    fn what_may_be_escaped_is_tried_as_it_was_sent_first() {
        let steps: Vec<_> = Rungs::climb().map(|rungs| rungs.has(Rung::Escapes)).collect();
        assert_eq!(steps, [false, false, false, true, false, true, false, true]);
    }

    proptest! {
        #[test]
        fn rungs_that_read_no_more_fold_the_same(text in "[ab'\\-\u{2019}\u{E9} \t\u{A0}\u{B}\u{C}\r]{0,6}") {
            for rung in [Rung::LineEndings, Rung::Punctuation] {
                let rungs = Rungs::up_to(rung);
                let before = rungs.without(rung);
                prop_assert!(rungs.read_more([&*text]) || rungs.fold_line(&text) == before.fold_line(&text));
            }
        }
    }

    #[test]
    fn escapes_are_those_of_json_strings() {
        assert_eq!(unescape(r#"say \"hi\"\n\tthere \x"#), "say \"hi\"\n\tthere \\x");
        assert_eq!(unescape(r"a\"), r"a\");
        assert_eq!(unescape(r"C:\\new"), r"C:\\new");
    }
}
