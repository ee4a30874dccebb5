//! The command line: where the documents are, and which tools are offered.

use std::ffi::OsString;
use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use lexopt::{Arg, Parser, ValueExt as _};
use memdoc::memory::{Actor, InvalidActor};
use memdoc::{ToolSet, text::Unreadable};
use thiserror::Error;

/// What `--help` prints.
pub const USAGE: &str = "\
Serves a directory of memory documents to an agent, by MCP over standard input and output.

Usage: memdoc-mcp [--directory DIR] [--set SET[,SET…]] [--actor NAME]

Options:
  -d, --directory DIR   where the documents are, as NAME.md; created if missing
                        [default: $MEMDOC_DIRECTORY, else memdoc in the user's data directory]
  -a, --actor NAME      in whose name the journal records edits [default: agent]
  -s, --set SET         which tools are offered, of one set or several [default: standard]
                        `minimal`: read, patch, replace
                        `standard`: these, and edits of bullets, compaction, preview, validation
                        `sub_memory`: edits of blocks with IDs, read, preview, validation
                        `sections`: edits of sections, slots, bullets, pins and TTLs, read, preview, validation
                        `notes`: notes by key, handoff, scratchpad
                        `journal`: history, undo, differences, verification, core blocks, memories
                        `all`
  -h, --help            print this
  -V, --version         print the version
";

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To serve.
    Serve(Options),
    /// To print [`USAGE`].
    Help,
    /// To print the version.
    Version,
}

/// How to serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where the documents are.
    pub directory: PathBuf,
    /// Which tools are offered.
    pub sets: Vec<ToolSet>,
    /// In whose name the journal records edits.
    pub actor: Actor,
}

/// A command line that cannot be followed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UsageError {
    /// It is not of the shape that [`USAGE`] shows.
    #[error(transparent)]
    Arguments(#[from] lexopt::Error),
    /// There is no such set of tools.
    #[error(transparent)]
    Set(#[from] Unreadable),
    /// The name cannot be an actor's.
    #[error(transparent)]
    Actor(#[from] InvalidActor),
    /// The user has no home directory, and no directory is named.
    #[error("the user's data directory is not known; name one with `--directory`")]
    NoDirectory,
}

impl Asked {
    /// Reads a command line without the program's name. `fallback` is the directory that the environment names, if any.
    ///
    /// # Errors
    ///
    /// The command line cannot be followed.
    pub fn parse(
        arguments: impl IntoIterator<Item = OsString>,
        fallback: Option<OsString>,
    ) -> Result<Self, UsageError> {
        let mut parser = Parser::from_args(arguments);
        let mut directory = fallback.filter(|name| !name.is_empty()).map(PathBuf::from);
        let (mut sets, mut actor) = (vec![ToolSet::Standard], Actor::default());
        while let Some(argument) = parser.next()? {
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(Self::Help),
                Arg::Short('V') | Arg::Long("version") => return Ok(Self::Version),
                Arg::Short('d') | Arg::Long("directory") => directory = Some(parser.value()?.into()),
                Arg::Short('s') | Arg::Long("set") => {
                    sets =
                        parser.value()?.string()?.split(',').map(|set| set.trim().parse()).collect::<Result<_, _>>()?;
                }
                Arg::Short('a') | Arg::Long("actor") => actor = parser.value()?.string()?.parse()?,
                _ => return Err(argument.unexpected().into()),
            }
        }
        let directory = directory.or_else(data_directory).ok_or(UsageError::NoDirectory)?;
        Ok(Self::Serve(Options { directory, sets, actor }))
    }
}

/// Returns `$XDG_DATA_HOME/memdoc`, else `~/.local/share/memdoc`; on Windows `%APPDATA%\memdoc`.
fn data_directory() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.data_dir().join("memdoc"))
}
