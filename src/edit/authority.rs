//! On whose behalf an edit is made.

/// On whose behalf an edit is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authority {
    /// A model's, through a tool: reserved sections are out of reach.
    #[default]
    Agent,
    /// The host's own code: reserved sections may be changed.
    Host,
}
