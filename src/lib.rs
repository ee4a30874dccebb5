//! An LLM agent's long-term memory as a small text document that tools edit safely.
//!
//! A memory is Markdown-like text: `## sections`, `Title: (ID: mem123)` blocks, `- [tag] bullets`. A model edits it by
//! calling tools. If the text that it wants to change is not found exactly once, the edit is refused, and the refusal
//! says what to send instead. An edit is based on the revision that the model saw. Its result is checked, then written
//! as a whole or not at all. Every edit can be undone.
//!
//! # An agent's memory in ten lines
//!
//! ```
//! use memdoc::{DocName, InMemoryStore, Memory, Policy, ToolSet, Toolbox};
//!
//! let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n");
//! let mut toolbox = Toolbox::new(Memory::new(store, Policy::default())?).with_tools(ToolSet::Standard);
//! println!("{}", toolbox.show(&DocName::memory())?.text); // into the prompt
//! // What a model sends, as it sends it:
//! let reply = toolbox.call_str("replace_in_memory", r#"{"old_string": "Denver", "new_string": "Austin"}"#);
//! println!("{reply}"); // back to the model
//! # assert_eq!(toolbox.show(&DocName::memory())?.text, "## Facts\n- Lives in Austin\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`guide`] explains one thing at a time: the [format](guide::format), [patches](guide::patches),
//! [files](guide::files), [sessions](guide::sessions), [compaction](guide::compaction), the
//! [journal](guide::journal), [stores](guide::stores) and the [prompt](guide::prompt).
//!
//! # How an edit is made
//!
//! Every edit takes these four steps:
//!
//! 1. A [`MemoryDoc`] is parsed from text. It is immutable: a commit creates the next one.
//! 2. A [`Request`] says what to change: a [`Replace`], a [`patch::DocumentPatch`], [`Items`], [`SubMemoryOps`], a
//!    [`SectionOp`], a [`Rewrite`], and others. It is planned against a [`View`]: the document, and what the editor has
//!    seen of it. The plan is an [`Edit`], a list of byte ranges with their new texts.
//! 3. [`MemoryDoc::commit`] checks the result: reserved sections, owners of lines, characters, IDs, size. It returns the
//!    new document, a [`Receipt`], and the edit that undoes this one.
//! 4. [`Memory`] writes the result to a [`Store`], as one entry of the [`journal`](memory::journal).
//!
//! A [`Toolbox`] takes all four steps for a model: it reads the arguments of a call, remembers what the model has seen,
//! and answers with a [`Reply`]. A [`Session`] collects edits and commits them as one. [`Recall`] finds the memories
//! that share words with the user's message. A [`Prompt`] renders the memory as text for the model, within a budget of
//! tokens.
//!
//! # Without tools
//!
//! All other modules can be used without [`toolbox`]. To compile them alone, turn off the default feature `toolbox`:
//!
//! ```
//! use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View};
//!
//! let doc = MemoryDoc::parse("## Facts\n- Lives in Denver\n");
//! let now = Timestamp::default(); // or the host's clock: it matters for what expires
//! let edit = Replace::new("Denver", "Austin").plan(&View::current(&doc, now))?;
//! let commit = doc.commit(&edit, Authority::Agent)?;
//! assert_eq!(commit.doc.text(), "## Facts\n- Lives in Austin\n");
//! assert_eq!(commit.receipt.changed_sections, ["Facts"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Questions
//!
//! **What is a line?** Text up to and including LF; a CR right before the LF belongs to the ending. Line numbers count
//! from 1.
//!
//! **What is an offset?** A number of bytes from the start of the text.
//!
//! **What is an index?** The position of an item in a list. It counts from 0 in the API, and from
//! [`Policy::index_base`] (1 by default) in what a model writes.
//!
//! **What is true after an error?** Nothing was changed. The one exception is [`MemoryError::Indeterminate`]: the store
//! could not find out whether the change was made.
//!
//! **Can it block?** Calls are synchronous. A store may wait for a lock, and a compaction for the host's model. In an async
//! host, use `spawn_blocking`.
//!
//! **What is a token?** The unit that the host's [`TokenCounter`] counts. The default is [`EstimatedTokens`]; feature
//! `tiktoken` counts as OpenAI's models do.
//!
//! # Where things are
//!
//! Common types are at the root. Each module uses only the modules before it in this list: [`text`], [`document`],
//! [`locate`], [`edit`], [`request`], [`memory`], [`recall`], [`session`], [`toolbox`].
//!
//! [`EstimatedTokens`]: text::EstimatedTokens
//! [`Items`]: request::Items
//! [`Prompt`]: recall::Prompt
//! [`Recall`]: recall::Recall
//! [`Rewrite`]: request::Rewrite
//! [`SectionOp`]: request::SectionOp
//! [`Session`]: session::Session
//! [`SubMemoryOps`]: request::SubMemoryOps
//! [`TokenCounter`]: text::TokenCounter
//! [`patch::DocumentPatch`]: request::patch::DocumentPatch

#![cfg_attr(docsrs, feature(doc_cfg))]
// Without the toolbox, some items of the other modules are unused, and links to the toolbox are broken.
#![cfg_attr(not(feature = "toolbox"), allow(dead_code, unused_imports, rustdoc::broken_intra_doc_links))]

pub mod document;
pub mod edit;
pub mod guide;
pub mod locate;
pub mod memory;
pub mod recall;
pub mod request;
pub mod session;
#[cfg(feature = "testing")]
pub mod testing;
pub mod text;
#[cfg(feature = "toolbox")]
pub mod toolbox;

pub use document::{MemoryDoc, Policy};
pub use edit::{Authority, Commit, Edit, Receipt};
pub use locate::Code;
#[cfg(unix)]
pub use memory::FileStore;
pub use memory::{DocName, InMemoryStore, Memory, MemoryError, Operation, Origin, Store};
pub use request::{Basis, Known, Replace, Request, View};
pub use text::{Revision, Timestamp};
#[cfg(feature = "toolbox")]
pub use toolbox::{Dialect, Reply, Status, ToolSet, Toolbox};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
