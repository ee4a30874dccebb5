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
//! use std::sync::Arc;
//! use memdoc::{DocName, InMemoryStore, Memory, Policy, Toolbox};
//!
//! let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Lives in Denver\n");
//! let mut toolbox = Toolbox::new(Arc::new(Memory::new(store, Policy::default())));
//! println!("{}", toolbox.show(&DocName::memory())?.text); // into the prompt
//! // What a model sends, as it sends it:
//! let reply = toolbox.call_str("replace_in_memory", r#"{"old_string": "Denver", "new_string": "Austin"}"#);
//! println!("{reply}"); // back to the model
//! # assert_eq!(toolbox.show(&DocName::memory())?.text, "## Facts\n- Lives in Austin\n");
//! # Ok::<(), memdoc::MemoryError>(())
//! ```
//!
//! For a directory of files that people read and diff, put [`FileStore`] in the place of [`InMemoryStore`].
//!
//! # The way data flows
//!
//! ```text
//! bytes → MemoryDoc::parse → request.plan(&view) → Edit → doc.commit(&edit, authority) → Commit { doc, receipt, inverse } → store
//! ```
//!
//! There is one way, for every kind of edit:
//!
//! - [`MemoryDoc`] is an immutable value. Every string is one, and [`MemoryDoc::text`] gives it back byte for byte. Its
//!   [`Outline`] is flat vectors of spans: [`Section`]s, [`Block`]s, [`Bullet`]s, [`Slot`]s and [`Fence`]s. Nodes are reached by
//!   handles, such as a [`BulletRef`], which know their texts, their lines, their parents and their children.
//! - A [`Request`] plans purely against a [`View`] and gives an [`Edit`]: sorted, disjoint splices. There are [`Replace`] (exactly
//!   this text), [`patch::DocumentPatch`] (several edits at once), [`Items`] (bullets by selector), [`Marks`] (pins and times to
//!   live), [`SubMemoryOps`] (bullets of blocks by ID, text and index), [`SectionOp`] and [`MergeSections`] (whole sections),
//!   [`SlotOp`] (slots of the front matter), [`Rewrite`] (compaction of the whole), and [`Restore`] (undo).
//! - [`MemoryDoc::commit`] checks the result: reserved sections, characters, structure, IDs, size, required sections.
//! - [`Memory`] keeps documents in a [`Store`] and commits what several requests change as one. The host's [`Clock`] tells it the
//!   time, and its [`Compactor`] writes shorter texts, which pass a gate before they are written.
//! - [`Toolbox`] is the face for a model: tools described in three [`Dialect`]s, in [`ToolSet`]s, with replies that a model
//!   recovers from. It remembers what its agent has been shown, and tells an [`Observer`] of every call.
//!
//! # Without tools
//!
//! The lower floors serve by themselves:
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
//! **What is a token?** What the host's [`TokenCounter`] counts, given by [`Rules::with_counter`]. The default is
//! [`EstimatedTokens`], whose error is measured; feature `tiktoken` has a `TiktokenCounter` that is exact for OpenAI's models.

mod document;
mod edit;
mod locate;
mod memory;
mod request;
mod text;
mod toolbox;

pub use document::{
    AutoCompact, Block, BlockRef, Bullet, BulletRef, ContextGuard, EditingConfig, Expiry, Fence, Healing,
    HistoryConfig, IndexBase, InvalidExpiry, InvalidTtl, Key, Lifetime, MatchingConfig, MemoryDoc, NodeRef, OnStale,
    Outline, Policy, PreviewMode, Rules, Section, SectionRef, SessionConfig, Slot, TaskConfig, TextView, Ttl,
    UnreadableLifetime,
};
pub use edit::{
    Authority, BeforeAfter, BulletCounts, Commit, Comparison, Draft, Edit, EditBuilder, EditError, Flaw, Followed,
    ItemFlaw, MergeFlaw, Node, Overlap, Part, PartStatus, Preview, PreviewFormat, Promise, Receipt, ReservedBreach,
    Splice, Trail, Warning, Written, WrittenLine,
};
pub use locate::{
    BulletTest, Candidate, Closest, Diagnostic, Difference, Fix, Found, LocateError, Matches, Reason, Relation, Rung,
    Selector, Target,
};
pub use memory::{
    Applied, AppliedStatus, Base, Call, Change, Clock, CommitId, Compactor, CompactorError, DocName, DocumentChange,
    Drift, FileStore, InMemoryStore, InvalidDocName, Memory, MemoryError, Outcome, Sight, State, Store, StoreError,
    SystemClock, Work,
};
pub use request::patch;
pub use request::{
    Budget, BulletReport, Children, Clash, CompactionReport, CompactionRequest, Destination, Duplicate, Evidence,
    Expected, Failure, Fate, ItemEdit, ItemOp, ItemPlace, Items, Lost, Mark, Marks, MergeSections, NewItem, Rebased,
    Refusal, RefusedCandidate, Rejection, Repair, Replace, Request, RequestError, Restore, Rewrite, SectionOp,
    SectionPlace, Seen, SlotOp, SubMemoryIntent, SubMemoryOp, SubMemoryOps, View, Violation, ViolationKind, Within,
    rebase, validate,
};
pub use text::{
    Digest, Ending, EstimatedTokens, InvalidRevision, InvalidTimestamp, Irregular, Line, Lines, Revision,
    RevisionPrefix, Span, Timestamp, TokenCounter, excerpt, excerpt_around, visible,
};
#[cfg(feature = "tiktoken")]
pub use text::{InvalidVocabulary, TiktokenCounter};
#[cfg(feature = "tracing")]
pub use toolbox::TracingObserver;
pub use toolbox::{
    Committed, Dialect, Effect, Event, Observer, Reply, ReplyFormat, Shown, Status, Tool, ToolDefinition, ToolSet,
    Toolbox, UnknownDialect, UnknownToolSet,
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
