//! The command line: where the documents are, and which tools are offered.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use etcetera::BaseStrategy as _;
use lexopt::{Arg, Parser, ValueExt as _};
use memdoc::document::OnStale;
use memdoc::memory::{Actor, InvalidActor};
use memdoc::{ToolSet, text::Unreadable};
use thiserror::Error;

/// What `--help` prints.
pub const USAGE: &str = "\
Serves memory documents, in a directory or a database, to an agent, by MCP over standard input and output.

Usage: memdoc-mcp [--directory DIR | --database URL [--memory ID]] [--set SET[,SET…]] [--actor NAME] [--stale HOW]

Options:
  -d, --directory DIR   where the documents are, as NAME.md; created if missing
                        [default: $MEMDOC_DIRECTORY, else memdoc in the user's data directory]
      --database URL    the PostgreSQL database that they are in instead [default: $MEMDOC_DATABASE]; in the
                        environment others on the machine do not see its password
  -m, --memory ID       which of the memories in the database [default: main]
  -a, --actor NAME      in whose name the journal records edits, one for each agent [default: agent]
  -s, --set SET         which tools are offered, of one set or several [default: standard]
                        `minimal`: read, patch, replace
                        `standard`: these, and edits of bullets, compaction, preview, validation
                        `sub_memory`: edits of blocks with IDs, read, preview, validation
                        `sections`: edits of sections, slots, bullets, pins and TTLs, read, preview, validation
                        `notes`: notes by key, search, handoff, scratchpad
                        `journal`: history, undo, differences, verification, core blocks, memories, recall
                        `session`: edits that are looked at, and chosen by letter, before they are written
                        `all`
      --stale HOW       what becomes of an edit of a text that somebody else has changed since the agent was shown it:
                        `refuse` (default): the agent is told what has changed, and decides
                        `rebase`: it is made, if what surrounds its place is as the agent saw it
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

/// Where the documents are.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// In a directory.
    Directory(PathBuf),
    /// In a database.
    Database {
        /// Its connection string.
        url: String,
        /// The ID of the memory.
        memory: String,
    },
}

impl fmt::Debug for Place {
    /// Shows no connection string: it may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(directory) => f.debug_tuple("Directory").field(directory).finish(),
            Self::Database { memory, .. } => f.debug_struct("Database").field("memory", memory).finish_non_exhaustive(),
        }
    }
}

/// What the environment names, where the command line names nothing.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// A directory.
    pub directory: Option<OsString>,
    /// A connection string.
    pub database: Option<OsString>,
}

/// How to serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where the documents are.
    pub place: Place,
    /// Which tools are offered.
    pub sets: Vec<ToolSet>,
    /// In whose name the journal records edits.
    pub actor: Actor,
    /// What becomes of an edit of a text that has changed since.
    pub stale: OnStale,
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
    /// An edit of an old text is refused or rebased.
    #[error("expected `--stale refuse` or `--stale rebase`, found `{0}`")]
    Stale(String),
    /// The name cannot be an actor's.
    #[error(transparent)]
    Actor(#[from] InvalidActor),
    /// The documents cannot be in a directory and in a database.
    #[error("expected `--directory` or `--database`, found both")]
    TwoPlaces,
    /// The user has no home directory, and no directory is named.
    #[error("the user's data directory is not known; name one with `--directory`")]
    NoDirectory,
}

impl Asked {
    /// Reads a command line without the program's name.
    ///
    /// # Errors
    ///
    /// The command line cannot be followed.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>, environment: Environment) -> Result<Self, UsageError> {
        let mut parser = Parser::from_args(arguments);
        let (mut directory, mut database, mut memory) = (None, None, "main".to_owned());
        let (mut sets, mut actor, mut stale) = (vec![ToolSet::Standard], Actor::default(), OnStale::Refuse);
        while let Some(argument) = parser.next()? {
            match argument {
                Arg::Short('h') | Arg::Long("help") => return Ok(Self::Help),
                Arg::Short('V') | Arg::Long("version") => return Ok(Self::Version),
                Arg::Short('d') | Arg::Long("directory") => directory = Some(parser.value()?),
                Arg::Long("database") => database = Some(parser.value()?),
                Arg::Short('m') | Arg::Long("memory") => memory = parser.value()?.string()?,
                Arg::Short('s') | Arg::Long("set") => {
                    sets =
                        parser.value()?.string()?.split(',').map(|set| set.trim().parse()).collect::<Result<_, _>>()?;
                }
                Arg::Short('a') | Arg::Long("actor") => actor = parser.value()?.string()?.parse()?,
                Arg::Long("stale") => stale = on_stale(parser.value()?.string()?)?,
                _ => return Err(argument.unexpected().into()),
            }
        }
        let place = place(directory, database, environment)?.with_memory(memory);
        Ok(Self::Serve(Options { place, sets, actor, stale }))
    }
}

fn on_stale(how: String) -> Result<OnStale, UsageError> {
    match how.as_str() {
        "refuse" => Ok(OnStale::Refuse),
        "rebase" => Ok(OnStale::Rebase),
        _ => Err(UsageError::Stale(how)),
    }
}

impl Place {
    fn with_memory(self, memory: String) -> Self {
        match self {
            Self::Database { url, .. } => Self::Database { url, memory },
            directory @ Self::Directory(_) => directory,
        }
    }
}

/// Returns what the command line names, else what the environment does, a database before a directory, else the user's directory.
fn place(
    directory: Option<OsString>,
    database: Option<OsString>,
    environment: Environment,
) -> Result<Place, UsageError> {
    let named = |name: Option<OsString>| name.filter(|name| !name.is_empty());
    let (directory, database) = match (directory, database) {
        (Some(_), Some(_)) => return Err(UsageError::TwoPlaces),
        (None, None) => (named(environment.directory), named(environment.database)),
        named => named,
    };
    if let Some(url) = database {
        return Ok(Place::Database { url: url.string()?, memory: String::new() });
    }
    let directory = directory.map(PathBuf::from).or_else(data_directory);
    directory.map(Place::Directory).ok_or(UsageError::NoDirectory)
}

/// Returns `$XDG_DATA_HOME/memdoc`, else `~/.local/share/memdoc`; on Windows `%APPDATA%\memdoc`.
fn data_directory() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.data_dir().join("memdoc"))
}
