//! The arguments of the server, of the commands for writes that wait for a person, and of what a shell and a manual need.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memdoc::document::OnStale;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// minimal, standard, sub_memory, sections, notes, journal, session, files, all [default: standard]
    #[arg(long, value_name = "SET", value_delimiter = ',', default_value = "standard")]
    pub(crate) set: Vec<String>,
    /// what becomes of an edit of a text that changed since: refuse, rebase [default: as the policy says]
    #[arg(long, value_name = "HOW")]
    pub(crate) stale: Option<Stale>,
    /// writes wait until a person says `memdoc approve`
    #[arg(long)]
    pub(crate) approve: bool,
    /// streamable HTTP at /mcp instead of standard input and output [default: 127.0.0.1:7337]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:7337")]
    pub(crate) http: Option<String>,
    /// lines `TOKEN ACTOR`; needed beyond this machine
    #[arg(long, value_name = "FILE", requires = "http")]
    pub(crate) token_file: Option<PathBuf>,
    /// what a host needs to find it: claude-code, claude-desktop, codex, cursor, gemini, vscode
    #[arg(long, value_name = "HOST")]
    pub(crate) print_config: Option<crate::serve::HostProgram>,
}

/// What becomes of an edit of a text that changed since it was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stale {
    Refuse,
    Rebase,
}

impl Stale {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Rebase => "rebase",
        }
    }
}

impl From<Stale> for OnStale {
    fn from(stale: Stale) -> Self {
        match stale {
            Stale::Refuse => Self::Refuse,
            Stale::Rebase => Self::Rebase,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Pending {
    #[arg(value_name = "ENTRY")]
    pub(crate) entry: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    /// the number that `memdoc pending` shows
    #[arg(value_name = "ENTRY", required_unless_present = "all")]
    pub(crate) entries: Vec<u64>,
    /// all that wait
    #[arg(long, conflicts_with = "entries")]
    pub(crate) all: bool,
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Reject {
    /// the number that `memdoc pending` shows
    #[arg(value_name = "ENTRY", required = true)]
    pub(crate) entries: Vec<u64>,
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// bash, elvish, fish, powershell, zsh
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    #[arg(value_name = "DIRECTORY")]
    pub(crate) directory: Option<PathBuf>,
}
