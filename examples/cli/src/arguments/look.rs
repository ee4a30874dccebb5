//! The arguments of commands that look: at documents, and at what was done to them.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Show {
    pub(crate) document: Option<String>,
    /// as it was: 12 (after entry 12), -1 (one entry ago), @2026-11-01, @2h
    #[arg(long, value_name = "MOMENT", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// only that section
    #[arg(long, value_name = "NAME", requires = "document")]
    pub(crate) section: Option<String>,
    /// the exact bytes: no colours, no marks for hidden characters
    #[arg(long, requires = "document")]
    pub(crate) raw: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Read {
    pub(crate) document: Option<String>,
    /// only these lines, such as 3-12
    #[arg(value_name = "A-B")]
    pub(crate) lines: Option<String>,
    /// the keys of bullets in the place of the numbers
    #[arg(long)]
    pub(crate) keys: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    #[arg(required = true)]
    pub(crate) words: Vec<String>,
    /// only in this document
    #[arg(long = "in", value_name = "DOCUMENT")]
    pub(crate) within: Option<String>,
    /// at most so many [default: 10]
    #[arg(short, long, value_name = "COUNT", default_value_t = 10)]
    pub(crate) count: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Recall {
    #[arg(required = true)]
    pub(crate) words: Vec<String>,
    /// at most so many [default: 10]
    #[arg(short, long, value_name = "COUNT", default_value_t = 10)]
    pub(crate) count: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    pub(crate) document: Option<String>,
    /// with the change each entry made
    #[arg(short, long)]
    pub(crate) patch: bool,
    /// at most so many [default: as many as the screen or 50]
    #[arg(short, long, value_name = "COUNT")]
    pub(crate) count: Option<usize>,
    /// only of this actor
    #[arg(long, value_name = "ACTOR")]
    pub(crate) by: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    #[arg(long, value_name = "MOMENT", allow_hyphen_values = true)]
    pub(crate) since: Option<String>,
    #[arg(long, value_name = "MOMENT", allow_hyphen_values = true)]
    pub(crate) until: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub(crate) grep: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// moments [default: -1 and now]; one entry alone: `memdoc log -p 12`
    #[arg(value_name = "FROM, TO", allow_negative_numbers = true)]
    pub(crate) moments_and_documents: Vec<String>,
    #[arg(long)]
    pub(crate) stat: bool,
    #[arg(long)]
    pub(crate) words: bool,
    /// 1 if there is a difference
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Blame {
    pub(crate) document: String,
    #[arg(long, value_name = "MOMENT", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// only the bullet on this line
    #[arg(long, value_name = "LINE")]
    pub(crate) line: Option<usize>,
    /// all earlier texts of it
    #[arg(long, requires = "line", conflicts_with = "at")]
    pub(crate) history: bool,
}

#[derive(Debug, Args)]
pub(crate) struct At {
    /// 12 (after entry 12), -1 (one entry ago), @2026-11-01, @2h, @FILE of a checkpoint
    #[arg(value_name = "MOMENT", allow_negative_numbers = true)]
    pub(crate) moment: String,
    pub(crate) document: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Watch {
    pub(crate) document: Option<String>,
    /// end after so many
    #[arg(short, long, value_name = "COUNT")]
    pub(crate) count: Option<usize>,
}
