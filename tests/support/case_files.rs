//! Reads case files: what a case may say, and in which order the files of a directory come.
//!
//! `tests/cases/README.md` tells the format.

#[path = "file_cases.rs"]
pub mod file_cases;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use memdoc::toolbox::FilesConfig;
use memdoc::{ToolSet, Toolbox, memory::Policies, session::SessionConfig};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::Failure;

/// The one member of an object that stands for a text.
const LINES: &str = "$lines";

/// One case of a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// What it is called in reports.
    pub(crate) name: String,
    #[allow(dead_code, reason = "for those who have the specification")]
    #[serde(default)]
    spec: Value,
    /// Whether it shows a call that a model in a hurry makes.
    #[allow(dead_code, reason = "only the share of them that needs no retry is of interest")]
    #[serde(default)]
    pub(crate) sloppy: bool,
    #[serde(default)]
    pub(super) docs: BTreeMap<String, Text>,
    #[serde(default)]
    pub(super) policy: Settings,
    pub(super) now: Option<String>,
    /// What the host's compaction hook answers, call by call; without it there is no hook.
    pub(super) compactor: Option<Vec<String>>,
    #[serde(default = "yes")]
    pub(super) shown: bool,
    /// How the memory is shown as a directory, if it is.
    pub(super) files: Option<FilesConfig>,
    pub(super) calls: Vec<Call>,
}

/// The policies of a case's memory, and the limits of its sessions.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) policies: Policies,
    pub(super) session: SessionConfig,
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut members = Map::<String, Value>::deserialize(deserializer)?;
        let session =
            members.remove("session").map_or_else(|| Ok(SessionConfig::default()), SessionConfig::deserialize);
        let session = session.map_err(D::Error::custom)?;
        session.check().map_err(D::Error::custom)?;
        Ok(Self { session, policies: Policies::deserialize(Value::Object(members)).map_err(D::Error::custom)? })
    }
}

/// One call of a case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default)]
    pub(super) args: Value,
    /// In place of `args`: what the reply before says.
    pub(super) retry: Option<Retry>,
    #[serde(default)]
    pub(super) expect: Expect,
}

/// From what a call is made that has no arguments of its own.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Retry {
    /// From the retry of the reply before; `false` is no such call.
    Offered(bool),
    /// From the candidate of this letter.
    Candidate(String),
}

/// A text, or its lines without the line feeds between them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Text {
    Whole(String),
    Lines(Vec<String>),
}

impl Text {
    pub(super) fn joined(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Lines(lines) => lines.join("\n"),
        }
    }
}

/// What a call is expected to do; what is not named is not checked.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    pub(super) status: Option<String>,
    pub(super) code: Option<String>,
    /// The texts of documents; null for one that is not there.
    pub(super) docs: Option<BTreeMap<String, Option<Text>>>,
    /// Whether there are no documents but these.
    #[serde(default)]
    pub(super) no_others: bool,
    #[serde(default)]
    pub(super) unchanged: bool,
    pub(super) reply: Option<Value>,
    pub(super) healed: Option<Vec<String>>,
    pub(super) warnings: Option<Vec<String>>,
    pub(super) message_has: Option<Vec<String>>,
    /// What the text of the reply has, and what it has not.
    pub(super) text_has: Option<Vec<String>>,
    pub(super) text_lacks: Option<Vec<String>>,
    /// Whether it is an error.
    pub(super) error: Option<bool>,
}

const fn yes() -> bool {
    true
}

impl Case {
    /// Reports whether all tools that the case calls are there, or the format's own.
    pub(crate) fn is_of_known_tools(&self) -> bool {
        let is_known = |tool: &str| {
            tool.starts_with("host.") || {
                let mut all = Toolbox::definitions().iter().chain(ToolSet::Files.tools());
                all.any(|definition| definition.is_called(tool))
            }
        };
        self.calls.iter().all(|call| is_known(&call.tool))
    }
}

/// Returns the case files at a path: that file itself, or all of a directory and of those in it, sorted by their paths.
///
/// # Errors
///
/// There is no such path, or no case file in the directory.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    collect(path, &mut found).map_err(|error| format!("could not read `{}`: {error}", path.display()))?;
    found.sort();
    if found.is_empty() {
        return Err(format!("there are no case files in `{}`", path.display()).into());
    }
    Ok(found)
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !path.metadata()?.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "json") {
            collect(&path, found)?;
        }
    }
    Ok(())
}

/// Reads a case file.
///
/// # Errors
///
/// The file cannot be read, or is not of the format.
pub(crate) fn read(file: &Path) -> Result<Vec<Case>, Failure> {
    let cases = fs::read_to_string(file).map_err(Failure::from).and_then(|json| parse(&json));
    cases.map_err(|error| format!("could not read `{}`: {error}", file.display()).into())
}

/// Reads the text of a case file.
///
/// # Errors
///
/// The text is not of the format.
pub(crate) fn parse(json: &str) -> Result<Vec<Case>, Failure> {
    let mut cases: Value = serde_json::from_str(json)?;
    join_lines(&mut cases)?;
    cases.as_array_mut().into_iter().flatten().for_each(file_cases::convert);
    Ok(serde_json::from_value(cases)?)
}

/// Puts a text in the place of every object that gives its lines.
fn join_lines(value: &mut Value) -> Result<(), Failure> {
    match value {
        Value::Object(members) if members.contains_key(LINES) => {
            let lines = members.remove(LINES).filter(|_| members.is_empty());
            let lines = lines.ok_or_else(|| format!("`{LINES}` stands alone in its object"))?;
            *value = Vec::<String>::deserialize(lines)?.join("\n").into();
        }
        Value::Object(members) => members.values_mut().try_for_each(join_lines)?,
        Value::Array(items) => items.iter_mut().try_for_each(join_lines)?,
        _ => {}
    }
    Ok(())
}
