//! [`Weights`]: what counts beside words.

use serde::{Deserialize, Serialize};

use crate::document::InvalidSetting;
use crate::memory::journal::Tier;
use crate::text::Timestamp;

/// The seconds of a day.
const DAY: f64 = 86_400.0;
/// The importance of what says nothing of it, and how far the least and the greatest lie from it.
const MIDDLE: f64 = 5.0;

/// What counts beside words. A score is the relevance times a factor for each of these, so that none of them finds what has no
/// word of the question. A member that is left out of its JSON has its default; one that is unknown is refused.
///
/// | factor | |
/// |---|---|
/// | recency | 1 + `recency` · 2^(-age / `half_life_days`) |
/// | importance | 1 + `importance` · (importance - 5) / 5, of an importance from 1 to 10 |
/// | tier | `relationship` or `ephemeral` of what is of that tier, 1 of all else |
///
/// What a document says has the importance 10 if it is pinned, else 5; its age counts from its tag `since`.
///
/// # Examples
///
/// ```
/// use memdoc::recall::Weights;
///
/// let weights: Weights = serde_json::from_str(r#"{"recency": 0.5, "half_life_days": 7}"#)?;
/// assert!(weights.check().is_ok() && weights.importance == Weights::default().importance);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Weights {
    /// How much more counts what is new, 0 or more.
    pub recency: f64,
    /// After how many days half of that is left, more than 0.
    pub half_life_days: f64,
    /// How much more counts what is of the greatest importance, and nearly how much less what is of the least, 0 to 1.
    pub importance: f64,
    /// What counts for as long as the relationship lasts, 0 or more.
    pub relationship: f64,
    /// What counts for the moment, 0 or more.
    pub ephemeral: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { recency: 0.5, half_life_days: 30.0, importance: 0.3, relationship: 1.1, ephemeral: 0.8 }
    }
}

impl Weights {
    /// The weights by which words alone count.
    pub const NONE: Self =
        Self { recency: 0.0, half_life_days: 30.0, importance: 0.0, relationship: 1.0, ephemeral: 1.0 };

    /// Checks that every value is in its range.
    ///
    /// # Errors
    ///
    /// The first that is not.
    pub fn check(&self) -> Result<(), InvalidSetting> {
        let is_count = |value: f64| value.is_finite() && value >= 0.0;
        let half_life = self.half_life_days;
        let checks = [
            ("recency", self.recency, "0 or more", is_count(self.recency)),
            ("relationship", self.relationship, "0 or more", is_count(self.relationship)),
            ("ephemeral", self.ephemeral, "0 or more", is_count(self.ephemeral)),
            ("half_life_days", half_life, "more than 0", half_life.is_finite() && half_life > 0.0),
            ("importance", self.importance, "a share from 0 to 1", (0.0..=1.0).contains(&self.importance)),
        ];
        match checks.into_iter().find(|(.., is_right)| !is_right) {
            Some((setting, found, expected, _)) => Err(InvalidSetting { setting, expected, found: found.to_string() }),
            None => Ok(()),
        }
    }

    /// Returns what a score is multiplied by.
    pub(super) fn factor(&self, standing: &Standing, now: Timestamp) -> f64 {
        let recency = standing.time.map_or(0.0, |time| {
            let age = std::time::Duration::from_secs(now.as_seconds().saturating_sub(time.as_seconds()));
            self.recency * (-age.as_secs_f64() / DAY / self.half_life_days).exp2()
        });
        let importance = self.importance * (f64::from(standing.importance) - MIDDLE) / MIDDLE;
        let tier = match standing.tier {
            Some(Tier::Relationship) => self.relationship,
            Some(Tier::Ephemeral) => self.ephemeral,
            Some(Tier::Committed | Tier::Unknown) | None => 1.0,
        };
        (1.0 + recency) * (1.0 + importance) * tier
    }
}

/// What counts of a text beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) time: Option<Timestamp>,
    pub(super) importance: u8,
    pub(super) tier: Option<Tier>,
}
