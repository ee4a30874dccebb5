//! Tests for any [`Store`]: [`conform`], which checks the rules for stores one by one, and [`Faulty`], a store that
//! loses answers.
//!
//! A store for another engine is tested in one call. Pass a function that opens a memory by its name. The same name
//! must give another handle of the same memory; another name, another memory.
//!
//! ```
//! use std::collections::HashMap;
//! use std::sync::{Arc, Mutex};
//! use memdoc::{InMemoryStore, Store, testing};
//!
//! let memories: Mutex<HashMap<String, Arc<InMemoryStore>>> = Mutex::default();
//! testing::conform(|name| -> Box<dyn Store> {
//!     let mut memories = memories.lock().unwrap();
//!     Box::new(memories.entry(name.to_owned()).or_default().clone())
//! })?;
//! # Ok::<(), testing::Violations>(())
//! ```

mod faulty;
mod rules;
mod subject;
mod update;

pub use faulty::Faulty;
pub use subject::{Violation, Violations, Wanted, change, conform, redaction, request};
// For this library's own tests: what its parser does.
#[doc(hidden)]
pub use {crate::text::lookups, update::made};

#[cfg(doc)]
use crate::memory::Store;
