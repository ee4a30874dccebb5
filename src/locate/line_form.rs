//! A line that is looked for, and what it may stand for.

use super::ladder::{Rung, Rungs};
use super::marker::{behind_space, is_bullet_line};

/// A line that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TargetLine<'a> {
    /// Its text, without ending.
    pub(super) text: &'a str,
    /// What it stands for.
    pub(super) form: LineForm,
}

/// What a line that is looked for stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineForm {
    /// A line as it stands.
    Whole,
    /// Behind one space, the line of a bullet as it stands. Only with the rung [`Rung::BulletMarker`].
    Spaced,
    /// Behind one space, all that follows a bullet's marker. Only with the rung [`Rung::BulletMarker`].
    Content,
}

impl LineForm {
    /// Reports whether the text of a line may be meant in this form.
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::Spaced => text.strip_prefix(' ').is_some_and(is_bullet_line),
            Self::Content => behind_space(text).is_some(),
        }
    }

    /// Returns the rungs without which no line is looked for in this form.
    pub(super) fn least_rungs(self) -> Rungs {
        if self == Self::Whole { Rungs::NONE } else { Rungs::NONE.with(Rung::BulletMarker) }
    }

    /// Reports whether lines are looked for in this form on these rungs.
    pub(super) fn is_of(self, rungs: Rungs) -> bool {
        self.least_rungs().iter().all(|rung| rungs.has(rung))
    }
}
