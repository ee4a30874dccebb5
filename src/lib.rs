//! An LLM agent's long-term memory as a small text document that tools edit safely.
//!
//! A memory is Markdown-like text: `## sections`, `Title: (ID: mem123)` blocks, `- [tag] bullets`. A model edits it by
//! calling tools. Every edit is found by its content and refused, with a diagnostic that says what to send instead, when it
//! is not found exactly once; it is guarded by the revision that the model saw, checked as a whole on its result, and
//! committed as one atomic write that can be previewed and taken back.
//!
//! # An agent's memory in ten lines
//!
//! ```
//! use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
//!
//! let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n");
//! let mut toolbox = Toolbox::new(Memory::new(store, Policy::default())?);
//! println!("{}", toolbox.show(&DocName::memory())?.text); // into the prompt
//! // What a model sends, as it sends it:
//! let reply = toolbox.call_str("replace_in_memory", r#"{"old_string": "Denver", "new_string": "Austin"}"#);
//! println!("{reply}"); // back to the model
//! # assert_eq!(toolbox.show(&DocName::memory())?.text, "## Facts\n- Lives in Austin\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For a directory of files that people read and diff, put [`FileStore`] in the place of [`InMemoryStore`]; for a memory that machines
//! share, the `PostgresStore` of feature `postgres`. The trait [`Store`] says what a store of another engine must be, and module
//! `testing` of the feature of that name checks it.
//!
//! # The way data flows
//!
//! ```text
//! bytes → MemoryDoc::parse → request.plan(&view) → Edit → doc.commit(&edit, authority) → Commit { doc, receipt, inverse } → journal entry → store
//! ```
//!
//! There is one way, for every kind of edit:
//!
//! - [`MemoryDoc`] is an immutable value. Every string is one, and [`MemoryDoc::text`] gives it back byte for byte. Its
//!   [`Outline`] is flat vectors of spans: [`Section`]s, [`Block`]s, [`Label`]s, [`Bullet`]s, [`Slot`]s and
//!   [`Fence`]s. Nodes are reached by handles, such as a [`BulletRef`], which know their texts, their lines, their parents and their children.
//! - A [`Request`] plans purely against a [`View`] and gives an [`Edit`]: sorted, disjoint splices. There are [`Replace`] (exactly
//!   this text), [`patch::DocumentPatch`] (several edits at once), [`Items`] (bullets by selector, their pins and
//!   times to live), [`SubMemoryOps`] (bullets of blocks by ID, text and index), [`SectionOp`] and [`MergeSections`] (whole sections),
//!   [`SlotOp`] (slots of the front matter), [`NoteEdit`] (notes by key), [`Rewrite`] (compaction of the whole), and [`Restore`]
//!   (undo).
//! - [`MemoryDoc::commit`] checks the result: reserved sections, characters, structure, IDs, size, required sections.
//! - [`Memory`] keeps documents in a [`Store`], each under its own of the [`Policies`] or the common one. It is asked for
//!   [`Operation`]s, each on a [`Basis`]: what the editor has [`Known`], a revision, or anything; it commits what several of them
//!   change as one. The host's [`Clock`] tells it the time, its [`Compactor`] writes shorter texts, which pass a gate before
//!   they are written, and its [`WritePolicy`] judges what is to be written.
//! - A commit *is* an entry of the [`journal`](memory::journal): who did what, when and why, and what leads from the old text to the
//!   new one and back, bound to the entry before it by a hash. History, blame, texts of the past, [`undo`](Memory::undo) and
//!   verification follow from it.
//! - [`Recall`] is asked what a memory knows: it ranks what is remembered by its words, finds places in documents, and renders the
//!   [`Prompt`] that tells an agent of its memory within a budget.
//! - A [`Session`] stages edits, each planned on what those before it make, shows them, and commits them as one; its
//!   [`TaskTree`] says what for, and a [`HistoryCompressor`] tells afterwards in one message what came of it.
//! - [`Toolbox`] is the face for a model: tools described in three [`Dialect`]s, in [`ToolSet`]s, with replies that a model
//!   recovers from. It remembers what its agent has been shown, and tells an [`Observer`] of every call.
//!
//! # Without tools
//!
//! The lower floors serve by themselves, and without the feature `toolbox`, which is on by default, they are all that is compiled:
//!
//! ```
//! use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View};
//!
//! let doc = MemoryDoc::parse("## Facts\n- Lives in Denver\n");
//! let edit = Replace::new("Denver", "Austin").plan(&View::current(&doc, Timestamp::default()))?;
//! let commit = doc.commit(&edit, Authority::Agent)?;
//! assert_eq!(commit.doc.text(), "## Facts\n- Lives in Austin\n");
//! assert_eq!(commit.receipt.changed_sections, ["Facts"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Questions
//!
//! **What is a line?** Text up to and including LF; a CR before it belongs to the ending. **What is an offset?** A number of
//! bytes from the start of the text. **What is an index?** A number of items, from 0 in the API, from [`IndexBase`] in what a
//! model writes. **What do line numbers count from?** 1.
//!
//! **What is true after an error?** Nothing has been changed, but for [`MemoryError::Indeterminate`], which says so.
//!
//! **Can it block?** Calls are synchronous and short; a store may wait for a file's lock. An async host calls the toolbox by
//! `spawn_blocking`.
//!
//! **What is a token?** What the host's [`TokenCounter`] counts, given by [`Memory::with_counter`]. The default is
//! [`EstimatedTokens`], whose error is measured; feature `tiktoken` has a `TiktokenCounter` that is exact for OpenAI's models.
//!
//! # Where things are
//!
//! What most programs need stands at the root. The rest is found in the modules, which are the floors of the house, each built on
//! those before it: [`text`], [`document`], [`locate`], [`edit`], [`request`], [`memory`], [`recall`], [`session`] and [`toolbox`].
//!
//! [`Block`]: document::Block
//! [`Bullet`]: document::Bullet
//! [`BulletRef`]: document::BulletRef
//! [`Clock`]: memory::Clock
//! [`Compactor`]: memory::Compactor
//! [`EstimatedTokens`]: text::EstimatedTokens
//! [`Fence`]: document::Fence
//! [`IndexBase`]: document::IndexBase
//! [`Label`]: document::Label
//! [`Items`]: request::Items
//! [`MergeSections`]: request::MergeSections
//! [`NoteEdit`]: request::NoteEdit
//! [`Observer`]: toolbox::Observer
//! [`Outline`]: document::Outline
//! [`Policies`]: memory::Policies
//! [`Prompt`]: recall::Prompt
//! [`Recall`]: recall::Recall
//! [`Restore`]: request::Restore
//! [`Rewrite`]: request::Rewrite
//! [`Section`]: document::Section
//! [`WritePolicy`]: memory::WritePolicy
//! [`SectionOp`]: request::SectionOp
//! [`HistoryCompressor`]: session::HistoryCompressor
//! [`Session`]: session::Session
//! [`Slot`]: document::Slot
//! [`SlotOp`]: request::SlotOp
//! [`SubMemoryOps`]: request::SubMemoryOps
//! [`TaskTree`]: session::TaskTree
//! [`TokenCounter`]: text::TokenCounter
//! [`patch::DocumentPatch`]: request::patch::DocumentPatch

// What the floors below keep for the toolbox alone, and what is said of it.
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
