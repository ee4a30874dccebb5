//! [`Rules`]: a checked policy, ready for use.

use std::fmt;
use std::sync::{Arc, LazyLock};

use super::policy::{InvalidSetting, Policy};
use super::reserved::ReservedNames;
use crate::text::{EstimatedTokens, TokenCounter};

/// A checked [`Policy`] with the host's token counter. Documents share it.
#[derive(Clone)]
pub struct Rules {
    // Invariant: `Policy::check` accepts it.
    policy: Policy,
    reserved: ReservedNames,
    /// The host's own; `None` for the default estimate.
    counter: Option<Arc<dyn TokenCounter>>,
    /// Whether the text is data, such as JSON: then it is not parsed, and all lines are prose.
    pub(super) is_data: bool,
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("policy", &self.policy).finish_non_exhaustive()
    }
}

impl Rules {
    /// Prepares `policy`, with the default estimate of tokens.
    ///
    /// # Errors
    ///
    /// A value of the policy is out of its range.
    pub fn new(policy: Policy) -> Result<Self, InvalidSetting> {
        policy.check()?;
        Ok(Self::of_valid(policy))
    }

    /// Counts tokens with the host's own counter.
    #[must_use]
    pub fn with_counter(self, counter: impl TokenCounter + 'static) -> Self {
        Self { counter: Some(Arc::new(counter)), ..self }
    }

    /// Returns these rules for a text that is data, such as JSON: none of its lines has structure.
    #[must_use]
    pub(crate) fn for_data(&self) -> Self {
        Self { is_data: true, ..self.clone() }
    }

    fn of_valid(policy: Policy) -> Self {
        Self { reserved: ReservedNames::new(&policy.reserved_sections), policy, counter: None, is_data: false }
    }

    /// Returns the rules of the default policy, prepared once.
    pub(super) fn shared() -> Arc<Self> {
        static RULES: LazyLock<Arc<Rules>> = LazyLock::new(|| Arc::new(Rules::of_valid(Policy::default())));
        Arc::clone(&RULES)
    }

    /// Returns the policy.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the reserved name that a title passes for.
    pub(crate) fn reserved_name(&self, title: &str) -> Option<&str> {
        self.reserved.matching_title(title)
    }

    pub(super) const fn reserved_names(&self) -> &ReservedNames {
        &self.reserved
    }

    /// Returns the number of tokens of `text`.
    pub fn tokens(&self, text: &str) -> usize {
        self.counter().map_or_else(|| EstimatedTokens.count(text), |counter| counter.count(text))
    }

    /// Returns the host's counter of tokens.
    pub(super) fn counter(&self) -> Option<&dyn TokenCounter> {
        self.counter.as_deref()
    }
}

impl Default for Rules {
    fn default() -> Self {
        (*Self::shared()).clone()
    }
}
