//! The prompt that gives a model the policy of editing. Its text is that of [`memdoc::Toolbox::guidance`].

/// The name of the prompt.
pub(crate) const NAME: &str = "memory-guidance";
/// What the prompt is for, to people who choose one.
pub(crate) const DESCRIPTION: &str =
    "How to read and edit the long-term memory: which tool when, and what to do about a refusal";
