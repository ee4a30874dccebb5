//! The arguments of commands that change documents.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Edit {
    pub(crate) document: String,
    /// why; it stands in the log
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
    /// reserved sections, such as System/Policy, may change, too
    #[arg(long)]
    pub(crate) reserved: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Patch {
    /// `*** Begin Patch` or a unified diff [default: -, standard input]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Call {
    pub(crate) tool: String,
    /// its arguments; - reads them from standard input [default: {}]
    #[arg(value_name = "JSON")]
    pub(crate) arguments: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Remember {
    /// what; - reads it from standard input
    #[arg(value_name = "TEXT")]
    pub(crate) text: String,
    /// how important it is, 1 to 10 [default: 5]
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) importance: u8,
    /// it was decided
    #[arg(long)]
    pub(crate) decision: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// the number `memdoc log` shows [default: the newest that is not an undo]; asks if it is another actor's
    #[arg(value_name = "ENTRY")]
    pub(crate) entry: Option<u64>,
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
    /// reserved sections, such as System/Policy, may change, too
    #[arg(long)]
    pub(crate) reserved: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Rename {
    pub(crate) document: String,
    pub(crate) name: String,
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Delete {
    pub(crate) document: String,
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
    /// reserved sections, such as System/Policy, may go, too
    #[arg(long)]
    pub(crate) reserved: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Redact {
    /// the text, byte for byte; - reads it from standard input
    #[arg(value_name = "TEXT")]
    pub(crate) text: String,
    #[arg(short, long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
}
