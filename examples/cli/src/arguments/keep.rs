//! The arguments of commands that keep a memory: make it, bring it in and out, check it.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// where [default: --directory, else here]
    #[arg(value_name = "DIRECTORY")]
    pub(crate) place: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// claude-code, claude-md, mcp-memory, basic-memory, hermes, mem0, letta, chatgpt, memory-bank, folder
    #[arg(value_name = "FORMAT")]
    pub(crate) format: String,
    pub(crate) path: PathBuf,
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<String>,
    /// add what is missing to documents that exist
    #[arg(long, conflicts_with = "replace")]
    pub(crate) merge: bool,
    /// rewrite them, within what the policy allows
    #[arg(long)]
    pub(crate) replace: bool,
    /// of mcp-memory: one document, with a section for each entity
    #[arg(long)]
    pub(crate) one: bool,
    /// of claude-md: the text of a file that it includes, in the place of `@path`
    #[arg(long)]
    pub(crate) inline: bool,
    /// of claude-md: files outside of the project, too
    #[arg(long)]
    pub(crate) follow: bool,
    /// keep brackets such as `[pinned]` from acting as tags
    #[arg(long)]
    pub(crate) escape: bool,
    /// of mem0: bullets, memories; of letta: documents, blocks [default: the first]
    #[arg(long = "as", value_name = "FORM")]
    pub(crate) form: Option<Form>,
}

/// What is made of each fact or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    Bullets,
    Memories,
    Documents,
    Blocks,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// claude-code, mcp-memory, basic-memory, hermes, chatgpt, memory-bank, folder
    #[arg(value_name = "FORMAT", required_unless_present = "html")]
    pub(crate) format: Option<String>,
    #[arg(required_unless_present = "html")]
    pub(crate) path: Option<PathBuf>,
    /// one page to look at: the memory, its history, who wrote each line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "path"])]
    pub(crate) html: Option<PathBuf>,
    /// with so many entries of the history [default: 500]
    #[arg(long, value_name = "COUNT", default_value_t = 500, requires = "html")]
    pub(crate) last: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// not there yet, or empty
    #[arg(value_name = "DIRECTORY")]
    pub(crate) place: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// the line that `memdoc checkpoint` printed earlier
    #[arg(long, alias = "anchor", value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Checkpoint {
    /// into this file, not to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// repair what needs no judgement: bullets that have expired, or say the same twice
    #[arg(long)]
    pub(crate) fix: bool,
    pub(crate) documents: Vec<String>,
}
