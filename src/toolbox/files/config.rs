//! [`FilesConfig`]: how the tool set `files` shows a memory as a directory.

use serde::{Deserialize, Serialize};

use crate::memory::DocName;

/// How the tool set `files` shows a memory as a directory. A member that is left out of its JSON has its default; one that is
/// unknown is refused.
///
/// # Examples
///
/// ```
/// use memdoc::toolbox::{FilesConfig, Overwrite};
///
/// let config: FilesConfig = serde_json::from_str(r#"{"root": "users/ada", "overwrite": "guarded"}"#)?;
/// assert_eq!(config.overwrite, Overwrite::Guarded);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct FilesConfig {
    /// The folder of the memory that is shown as `/memories`; without one, all of it is. Several users or scopes may share a memory.
    pub root: Option<DocName>,
    /// What `create` does where a file is. Default: [`Overwrite::Refuse`].
    pub overwrite: Overwrite,
    /// Whether `memory_undo` is offered beside the tool. Default: no.
    pub undo: bool,
}

/// What `create` does where a file of another text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overwrite {
    /// It is refused.
    #[default]
    Refuse,
    /// It is a rewrite: the whole file must have been shown, and what a compaction must keep, it must keep.
    Guarded,
}

impl FilesConfig {
    /// Shows this folder of the memory as `/memories`.
    #[must_use]
    pub fn with_root(mut self, folder: DocName) -> Self {
        self.root = Some(folder);
        self
    }

    /// Lets `create` rewrite a file that was viewed.
    #[must_use]
    pub const fn with_overwrite(mut self, overwrite: Overwrite) -> Self {
        self.overwrite = overwrite;
        self
    }

    /// Offers `memory_undo` beside the tool.
    #[must_use]
    pub const fn with_undo(mut self) -> Self {
        self.undo = true;
        self
    }
}
