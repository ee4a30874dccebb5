//! The user's own settings, which stand below the command line and the environment.

use std::env;
use std::fs;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

use crate::arguments::When;
use crate::failure::Failure;

/// What `config.toml` may say.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// In whose name changes are made.
    pub(crate) actor: Option<String>,
    pub(crate) color: Option<When>,
    pub(crate) pager: Option<String>,
    /// The memory where no directory above holds one.
    pub(crate) directory: Option<PathBuf>,
    /// The same, in a database.
    pub(crate) database: Option<String>,
    /// Which memory of the database.
    pub(crate) memory: Option<String>,
}

impl Settings {
    /// Reads the file that `MEMDOC_CONFIG` names, else `memdoc/config.toml` where the user's settings are.
    pub(crate) fn read() -> Result<Self, Failure> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let named = set("MEMDOC_CONFIG");
        let folder = || set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")));
        let Some(path) = named.clone().or_else(|| folder().map(|folder| folder.join("memdoc/config.toml"))) else {
            return Ok(Self::default());
        };
        let wrong = |why: &dyn std::fmt::Display| Failure::usage(format!("`{}`: {why}", path.display()));
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).map_err(|error| wrong(&error.message())),
            Err(error) if error.kind() == io::ErrorKind::NotFound && named.is_none() => Ok(Self::default()),
            Err(error) => Err(wrong(&error)),
        }
    }
}
