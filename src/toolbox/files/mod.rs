//! The tool set `files`: a memory as a directory of files, for models that know Anthropic's memory tool, `memory_20250818`.
//!
//! One tool, `memory`, has six commands: `view`, `create`, `str_replace`, `insert`, `delete`, `rename`. Its answers
//! begin with the words of the vendor's own tools. A command that writes is an edit like that of any other tool: it
//! is based on what was shown, guarded, recorded, and can be undone.
//!
//! Patches of OpenAI's `apply_patch` and of Codex change the same files: see
//! [`Toolbox::apply_patch`](super::Toolbox::apply_patch).

mod apply_patch;
mod change;
mod edit;
mod path;
mod tool;

pub use tool::{FilesConfig, Overwrite};
pub(super) use tool::{GUIDANCE, TOOL};
