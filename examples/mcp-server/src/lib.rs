//! An MCP server with which an agent edits its long-term memory: the tools of `memdoc` over documents in a directory or a database.
//!
//! A [`Host`] has the memory. Each client that connects gets a [`Session`] of its own, which remembers what its agent has
//! been shown. The tools, their descriptions and their arguments are those of [`memdoc::Toolbox`]: a tool that it gains is
//! served without a change here.

mod guidance;
mod options;
mod resources;
mod session;
mod subscribers;
mod tools;
mod watch;

pub use options::{Asked, Environment, Options, Place, USAGE, UsageError};
pub use session::{Host, Session};
