//! Where the memory is, under which policy, and in whose name it is changed: by the command line, the environment, and the user's
//! settings.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memdoc::document::OnStale;
use memdoc::memory::{Actor, Clock, Policies, SystemClock};
use memdoc::{DocName, FileStore, Memory, Origin, Policy, Store, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::arguments::{Options, When};
use crate::failure::Failure;
use crate::output::Output;

/// The directory that makes a directory a memory.
const PRIVATE: &str = ".memdoc";
/// The largest policy that is read.
const LARGEST_POLICY: u64 = 1024 * 1024;

/// The memory that a command works on, and what it prints.
pub(crate) struct Desk {
    pub(crate) memory: Arc<Memory>,
    pub(crate) actor: Actor,
    pub(crate) output: Output,
    pub(crate) is_dry: bool,
    pub(crate) is_sure: bool,
}

/// Where a memory is.
pub(crate) enum Place {
    Directory(PathBuf),
    Database { url: String, memory: String },
}

impl Place {
    /// Returns what an option names, else the environment, else the nearest directory above that holds a memory, else what the
    /// user's settings name, else the user's own.
    pub(crate) fn of(options: &Options) -> Result<Self, Failure> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let settings = &options.settings;
        let memory = || {
            let named = options.memory.clone().or_else(|| text(set("MEMDOC_MEMORY")));
            named.or_else(|| settings.memory.clone()).unwrap_or_else(|| "main".to_owned())
        };
        if let Some(directory) = &options.directory {
            return Ok(Self::Directory(directory.clone()));
        }
        if let Some(url) = options.database.clone().or_else(|| text(set("MEMDOC_DATABASE"))) {
            return Ok(Self::Database { url, memory: memory() });
        }
        if let Some(directory) = set("MEMDOC_DIRECTORY") {
            return Ok(Self::Directory(directory.into()));
        }
        let above = env::current_dir().ok().and_then(|here| {
            here.ancestors().find(|directory| directory.join(PRIVATE).is_dir()).map(Path::to_path_buf)
        });
        if let Some(directory) = above.or_else(|| settings.directory.clone()) {
            return Ok(Self::Directory(directory));
        }
        if let Some(url) = settings.database.clone() {
            return Ok(Self::Database { url, memory: memory() });
        }
        let data = set("XDG_DATA_HOME").map(PathBuf::from);
        let own = data.or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".local/share")));
        own.map(|own| Self::Directory(own.join("memdoc")))
            .ok_or_else(|| Failure::usage("the memory's directory is not known; name one with `--directory`"))
    }

    /// Opens the memory there, which `memdoc init` has made.
    pub(crate) fn open(&self, clock: TestClock) -> Result<Memory, Failure> {
        if let Self::Directory(directory) = self
            && !directory.join(PRIVATE).is_dir()
        {
            let message = format!("there is no memory in `{}`", directory.display());
            return Err(Failure::usage(message)
                .with_hint("name one with `--directory`, or make one with `memdoc init DIRECTORY`"));
        }
        Ok(self.open_or_make(clock, None)?.1)
    }

    /// Opens the memory there and its store, or makes them. What is named here of the policy stands above the policy's file.
    pub(crate) fn open_or_make(
        &self,
        clock: TestClock,
        on_stale: Option<OnStale>,
    ) -> Result<(Arc<dyn Store>, Memory), Failure> {
        let (store, policies) = match self {
            Self::Directory(directory) => {
                (Arc::new(FileStore::open(directory)?) as Arc<dyn Store>, policies(directory)?)
            }
            Self::Database { url, memory } => (database(url, memory)?, common().into()),
        };
        let policies = on_stale.map_or(Ok(policies.clone()), |on_stale| with_on_stale(&policies, on_stale))?;
        Ok((store.clone(), memory(store, policies, clock)?))
    }
}

/// Sets of the policy of every document what becomes of an edit of a text that has changed since.
fn with_on_stale(policies: &Policies, on_stale: OnStale) -> Result<Policies, Failure> {
    let written = || {
        let mut value = serde_json::to_value(policies)?;
        let on_stale = serde_json::to_value(on_stale)?;
        let own = value.get_mut("documents").and_then(Value::as_object_mut);
        own.into_iter().flat_map(|own| own.values_mut()).for_each(|own| own["on_stale"] = on_stale.clone());
        value["on_stale"] = on_stale;
        serde_json::from_value(value)
    };
    written().map_err(|error: serde_json::Error| Failure::usage(format!("policy: {error}")))
}

fn text(value: Option<OsString>) -> Option<String> {
    value.and_then(|value| value.into_string().ok())
}

#[cfg(feature = "postgres")]
fn database(url: &str, id: &str) -> Result<Arc<dyn Store>, Failure> {
    Ok(Arc::new(memdoc::memory::PostgresStore::open(url, id)?))
}

#[cfg(not(feature = "postgres"))]
fn database(_: &str, _: &str) -> Result<Arc<dyn Store>, Failure> {
    Err(Failure::usage("this `memdoc` was built without the feature `postgres`"))
}

/// Opens a memory in a store.
pub(crate) fn memory(store: impl Store + 'static, policies: Policies, clock: TestClock) -> Result<Memory, Failure> {
    let memory = Memory::new(store, policies).map_err(|error| Failure::usage(format!("policy: {error}")))?;
    Ok(memory.with_clock(clock))
}

/// The policy of a memory that has none of its own: people make documents and folders as they like.
fn common() -> Policy {
    Policy::default().with_new_documents().with_folders()
}

/// Reads the policy that stands beside the documents.
pub(crate) fn policies(directory: &Path) -> Result<Policies, Failure> {
    let path = directory.join("policy.toml");
    let wrong = |why: &dyn std::fmt::Display| Failure::usage(format!("`{}`: {why}", path.display()));
    match fs::metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(common().into()),
        Err(error) => return Err(wrong(&error)),
        Ok(metadata) if metadata.len() > LARGEST_POLICY => return Err(wrong(&"too large for a policy")),
        Ok(_) => {}
    }
    let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    toml::from_str(&text).map_err(|error| wrong(&error.message()))
}

/// The name of who sits at the keyboard.
pub(crate) fn actor(options: &Options) -> Result<Actor, Failure> {
    let named = options.actor.clone().or_else(|| env::var("MEMDOC_ACTOR").ok().filter(|name| !name.is_empty()));
    let named = named.or_else(|| options.settings.actor.clone());
    let login = || ["USER", "LOGNAME"].into_iter().find_map(|name| env::var(name).ok().filter(|name| !name.is_empty()));
    let name = named.unwrap_or_else(|| format!("user:{}", login().unwrap_or_else(|| "unknown".to_owned())));
    name.parse().map_err(|error: memdoc::text::Unreadable| Failure::usage(error.to_string()))
}

/// The system's clock; tests of a debug build set it by `MEMDOC_NOW`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestClock(Option<Timestamp>);

impl TestClock {
    pub(crate) fn new() -> Self {
        let set = env::var("MEMDOC_NOW").ok().filter(|_| cfg!(debug_assertions));
        Self(set.and_then(|text| text.parse().ok()))
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        self.0.unwrap_or_else(|| SystemClock.now())
    }
}

impl Desk {
    pub(crate) fn new(options: &Options, output: Output) -> Result<Self, Failure> {
        let memory = Place::of(options)?.open(TestClock::new())?;
        let (actor, is_dry, is_sure) = (actor(options)?, options.dry_run, options.yes);
        Ok(Self { memory: Arc::new(memory), actor, output, is_dry, is_sure })
    }

    /// Returns a change that the person makes with this command. A person may change what is reserved.
    pub(crate) fn origin(&self, command: &str, reason: Option<&str>) -> Origin {
        let mut origin = Origin::host(command);
        origin.actor = self.actor.clone();
        origin.reason = reason.map(Into::into);
        origin
    }
}

/// Records what was changed outside, which is recorded by who looks, so that what is listed or counted has it.
pub(crate) fn look_at_all(memory: &Memory) -> Result<(), Failure> {
    for name in memory.documents()? {
        // What cannot be read has its own error where it is asked for.
        let _ = memory.read(&name);
    }
    Ok(())
}

/// Reads the name of a document, or of its file.
pub(crate) fn document(name: &str) -> Result<DocName, Failure> {
    let bare = name.strip_suffix(".md").unwrap_or(name);
    bare.parse().map_err(|error: memdoc::memory::InvalidDocName| Failure::usage(error.to_string()))
}

/// Reads the name of a document; without one it is `memory`.
pub(crate) fn document_or_memory(name: Option<&str>) -> Result<DocName, Failure> {
    name.map_or_else(|| Ok(DocName::memory()), document)
}

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
