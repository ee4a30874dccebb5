//! The tool set `files`: a memory as a directory of files, for models that know Anthropic's memory tool, `memory_20250818`.
//!
//! One tool, `memory`, has six commands: `view`, `create`, `str_replace`, `insert`, `delete`, `rename`. What it answers begins with
//! the words that the vendor's own tools use; what memdoc adds stands behind them. Every command that writes is an edit like that of
//! any other tool: it is based on what was shown, guarded, recorded, and can be undone.
//!
//! Patches of OpenAI's `apply_patch` and of Codex name files in the same way: see [`Toolbox::apply_patch`](super::Toolbox::apply_patch).

mod apply_patch;
mod change;
mod edit;
mod path;
mod tool;

pub use tool::{FilesConfig, Overwrite};
pub(super) use tool::{GUIDANCE, TOOL};
