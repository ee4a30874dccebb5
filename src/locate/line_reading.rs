//! The ways to read a text as a line of a document: with its marker left out or doubled, behind the prefix of a view.

use super::ladder::{Rung, Rungs};
use super::lines::LineIndex;
use super::marker::{BulletLine, begin_with_alike_dashes, begins_with_sign, behind_doubled, view_prefix};

/// A way to read a text as a line of the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineReading<'t, 'a> {
    /// The prefix of a view that it brings.
    pub(super) prefix: Option<&'t str>,
    /// It, without that.
    pub(super) whole: &'t str,
    /// What of it is compared.
    pub(super) text: &'t str,
    pub(super) marker: MarkerReading,
    /// What of the line, to its end, it is compared with.
    pub(super) there: &'a str,
}

/// How the marker of a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerReading {
    /// As it stands, or the line has none.
    AsItStands,
    /// It was left out.
    LeftOut,
    /// It was written twice.
    Doubled,
}

impl<'a> LineIndex<'a> {
    /// Returns the ways to read a text as the line at `index`, or as a part of it from its beginning on.
    pub(super) fn readings<'t>(
        &self,
        text: &'t str,
        index: usize,
        rungs: Rungs,
    ) -> impl Iterator<Item = LineReading<'t, 'a>> {
        let found = self.text(index);
        let bullet = self.bullet_line(index).filter(|_| rungs.has(Rung::BulletMarker));
        self.unprefixed(text, index, rungs).flat_map(move |(prefix, whole)| {
            let plain = LineReading { prefix, whole, text: whole, marker: MarkerReading::AsItStands, there: found };
            let unmarked = bullet.and_then(|BulletLine { indentation, marker, rest, .. }| {
                let body = whole.strip_prefix(indentation)?;
                let doubled = || behind_doubled(body).filter(|_| body.starts_with(marker));
                let (text, marker) = match begins_with_sign(body) {
                    false => (body, MarkerReading::LeftOut),
                    true => (doubled()?, MarkerReading::Doubled),
                };
                Some(LineReading { text, marker, there: rest, ..plain })
            });
            let may_be = |reading: &LineReading<'_, '_>| begin_with_alike_dashes(reading.text, reading.there);
            [Some(plain), unmarked].into_iter().flatten().filter(may_be)
        })
    }

    /// Returns a text as it is, and behind the prefix that a view shows for the line, where that is overlooked.
    pub(super) fn unprefixed<'t>(
        &self,
        text: &'t str,
        index: usize,
        rungs: Rungs,
    ) -> impl Iterator<Item = (Option<&'t str>, &'t str)> + use<'t> {
        let prefixed = || Some((view_prefix(text)?.0, self.label(index).strip(text)?));
        let prefixed = if rungs.has(Rung::ViewPrefix) { prefixed() } else { None };
        [Some((None, text)), prefixed.map(|(prefix, rest)| (Some(prefix), rest))].into_iter().flatten()
    }
}
